import { expect, test } from 'vitest';
import { assess } from '../../src/domain/assessment.js';
import type { Decision } from '../../src/domain/decision.js';
import type { Ask, Judged } from '../../src/domain/ports.js';
import { NO_AIM } from '../../src/domain/target.js';
import { createSettle } from '../../src/proxy/settle.js';
import { target, toolCall, vpg } from '../support/calls.js';

const app = target('app01', vpg('app'));
const otherwise = { kind: 'refuse', rule: 'nobody', code: 'APPROVAL_DENIED', reason: 'nobody' } as const;
const pinnable: Decision & { kind: 'ask' } = {
  kind: 'ask',
  rule: 'policy unknown',
  question: '?',
  targets: [app],
  otherwise,
};
const unresolved: Decision & { kind: 'ask' } = { ...pinnable, targets: [] };
const judged = (session = 's1'): Judged => ({
  call: toolCall({ session }),
  reading: { interceptor: 'test', roles: {}, operations: [], hosts: [] },
  assessment: assess([]),
  aim: NO_AIM,
});

function settleWith(answer: Awaited<ReturnType<Ask>>) {
  const asked: string[][] = [];
  let warmed = 0;
  const settle = createSettle({
    ask: async ({ choices }) => {
      asked.push([...choices]);
      return answer;
    },
    warm: () => {
      warmed += 1;
    },
    question: (message, choices) => ({ message, choices }),
  });
  const run = (decision = pinnable, session = 's1') => settle(judged(session), decision, new AbortController().signal);
  return { run, asked, warmed: () => warmed };
}
const say = (choice: string) => ({ kind: 'answered', choice, by: 'client' }) as const;

test('the checkpoint is under way while the human reads', async () => {
  const { run, warmed } = settleWith(say('do not run'));
  await run();
  expect(warmed()).toBe(1);
});

test.each([
  ['run after the checkpoint', pinnable, 'pin_then_forward'],
  ['always pin in this session', pinnable, 'pin_then_forward'],
  ['do not run', pinnable, 'refuse'],
  ['an answer nobody offered', pinnable, 'refuse'],
  ['run without a checkpoint', pinnable, 'refuse'],
  ['run without a checkpoint', unresolved, 'waive'],
  ['run after the checkpoint', unresolved, 'refuse'],
] as const)('%s', async (choice, decision, kind) => {
  const { run } = settleWith(say(choice));
  expect((await run(decision)).settled.kind).toBe(kind);
});

test('"always" is asked once per session, and never for a call that cannot be pinned', async () => {
  const { run, asked } = settleWith(say('always pin in this session'));
  await run();
  await run();
  expect(asked).toHaveLength(1);
  await run(pinnable, 's2');
  expect(asked).toHaveLength(2);
  expect((await run(unresolved)).settled.kind).toBe('refuse');
});

test('a client that cannot ask leaves it to policy; one that declines means no', async () => {
  expect((await settleWith({ kind: 'unavailable' }).run()).settled).toBe(otherwise);
  expect((await settleWith({ kind: 'declined' }).run()).settled).toMatchObject({ code: 'APPROVAL_DENIED' });
});

test('"always" answers no question about hosts that cannot be pinned, or about their number', async () => {
  const { run, asked } = settleWith(say('always pin in this session'));
  await run();
  expect((await run({ ...pinnable, rule: 'policy maxVmsPerCall' })).settled.kind).toBe('refuse');
  expect((await run({ ...pinnable, rule: 'policy unprotected' })).settled.kind).toBe('refuse');
  expect(asked).toHaveLength(3);
  expect(asked[1]).not.toContain('always pin in this session');
});
