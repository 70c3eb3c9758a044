import { expect, test } from 'vitest';
import { countAnswers } from '../../src/audit/answers.js';
import type { CallEntry } from '../../src/audit/entry.js';

const entry = (parts: Partial<CallEntry>): CallEntry => ({
  call: 'c',
  at: '2026-01-31T00:00:00.000Z',
  session: 's',
  agent: 'a',
  server: 'ssh',
  tool: 't',
  vms: [],
  hosts: [],
  effect: 'unknown',
  decision: 'ask',
  rule: 'unknown',
  outcome: 'not_sent',
  tags: [],
  ...parts,
});

test('answers, those that never came, their times, and what went out without a checkpoint', () => {
  expect(
    countAnswers([
      entry({ decision: 'forward', effect: 'read_only', outcome: 'forwarded' }),
      entry({ outcome: 'forwarded', answeredBy: 'client', answeredAfterMs: 4000 }),
      entry({ outcome: 'outcome_unknown', answeredBy: 'client', answeredAfterMs: 9000 }),
      entry({ outcome: 'refused', answeredBy: 'client', answeredAfterMs: 1000 }),
      entry({ outcome: 'forwarded' }),
      entry({ outcome: 'forwarded', answeredBy: 'policy: nobody can be asked' }),
      entry({ decision: 'forward', outcome: 'forwarded', permit: 'waived', waivedBy: 'exempt: lab' }),
      entry({ decision: 'forward', outcome: 'forwarded', permit: 'waived', waivedBy: 'exempt: lab' }),
      entry({
        outcome: 'forwarded',
        permit: 'waived',
        waivedBy: 'answer',
        answeredBy: 'client',
        answeredAfterMs: 2000,
      }),
    ]),
  ).toEqual({
    calls: 9,
    asked: 6,
    approved: 3,
    denied: 1,
    unanswered: 2,
    medianAnswerMs: 2000,
    longestAnswerMs: 9000,
    waived: [
      { by: 'exempt: lab', calls: 2 },
      { by: 'answer (client)', calls: 1 },
    ],
  });
});

test('an empty log', () => {
  expect(countAnswers([])).toEqual({ calls: 0, asked: 0, approved: 0, denied: 0, unanswered: 0, waived: [] });
});
