import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type ApprovalsOptions, giveAnswer, waitingQuestions } from '../../src/approvals/answers.js';
import { codeFor, readCode } from '../../src/approvals/code.js';
import { createDesk, type DeskOptions } from '../../src/approvals/desk.js';
import { parseAnswer, parseQuestion } from '../../src/approvals/question-file.js';
import type { AskedElsewhere } from '../../src/domain/ports.js';
import { verifies } from '../e2e/requirements.js';
import { fc } from '../support/property.js';

const signal = new AbortController().signal;
const asked: AskedElsewhere = {
  key: 'digest-1',
  session: 's1',
  agent: 'claude',
  question: { message: 'May it?\nIt runs: "x"', choices: ['run', 'do not run', 'always'] },
};

function setUp(parts: Partial<DeskOptions> = {}) {
  const dir = join(mkdtempSync(join(tmpdir(), 'desk-')), 'state', 'approvals');
  onTestFinished(() => rmSync(join(dir, '..', '..'), { recursive: true, force: true }));
  const time = { now: Date.parse('2026-01-01T00:00:00Z'), steady: 0 };
  let notified = 0;
  const desk = createDesk({
    dir,
    minutes: 10,
    host: 'here',
    pid: process.pid,
    now: () => time.now,
    steady: () => time.steady,
    notify: () => {
      notified += 1;
    },
    log: { info: () => undefined, warn: () => undefined },
    waitMs: 0,
    pollMs: 1,
    ...parts,
  });
  const options = (): ApprovalsOptions => ({ dir, host: 'here', now: time.now, lives: () => true });
  const answer = (said: 'yes' | 'no' | 'always', code = waitingQuestions(options())[0]?.code ?? '') =>
    giveAnswer(options(), { code, said, by: 'ann' });
  return { dir, desk, time, options, answer, notified: () => notified };
}

test(`${verifies('P-2')} a question waits in a file that only its owner reads; the answer serves one call`, async () => {
  const { dir, desk, options, answer, notified } = setUp();
  expect(existsSync(dir)).toBe(false);
  expect(await desk.ask(asked, signal)).toEqual({ kind: 'waiting' });
  expect(await desk.ask(asked, signal)).toEqual({ kind: 'waiting' });
  const [file = ''] = readdirSync(dir);
  expect(readdirSync(dir)).toHaveLength(1);
  if (process.platform !== 'win32') {
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dir, file)).mode & 0o777).toBe(0o600);
  }
  expect(waitingQuestions(options())).toMatchObject([
    { agent: 'claude', message: asked.question.message, code: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{10}$/) },
  ]);
  expect(notified()).toBe(1);
  expect(answer('yes').kind).toBe('answered');
  expect(waitingQuestions(options())).toEqual([]);
  expect(await desk.ask(asked, signal)).toEqual({
    kind: 'answered',
    choice: 'run',
    by: 'out of band (ann)',
    afterMs: 0,
  });
  expect(readdirSync(dir)).toEqual([]);
  expect(await desk.ask(asked, signal)).toEqual({ kind: 'waiting' });
});

test('a no stands until the question expires', async () => {
  const { desk, answer, time, notified } = setUp();
  await desk.ask(asked, signal);
  answer('no');
  for (let i = 0; i < 3; i += 1)
    expect(await desk.ask(asked, signal)).toMatchObject({ kind: 'answered', choice: 'do not run' });
  expect(notified()).toBe(1);
  time.steady += 10 * 60_000;
  expect(await desk.ask(asked, signal)).toEqual({ kind: 'waiting' });
});

test('a call that comes again waits a little for its answer', async () => {
  const { desk, answer } = setUp({ waitMs: 20_000, steady: () => performance.now() });
  await desk.ask(asked, signal);
  const repeat = desk.ask(asked, signal);
  setTimeout(() => answer('always'), 20);
  expect(await repeat).toMatchObject({ kind: 'answered', choice: 'always' });
});

test.each([
  ['another call', { ...asked, key: 'digest-2' }],
  ['the same call about other VMs', { ...asked, question: { ...asked.question, message: 'May it?\nOther VM' } }],
  ['the same call with other choices', { ...asked, question: { ...asked.question, choices: ['run', 'no'] as const } }],
])('the answer holds for no %s', async (_, other) => {
  const { desk, answer } = setUp();
  await desk.ask(asked, signal);
  answer('yes');
  expect(await desk.ask(other, signal)).toEqual({ kind: 'waiting' });
});

test('what a question is about decides, not a text that changes with the time', async () => {
  const { desk, answer } = setUp();
  const about = (minutes: number) => ({
    ...asked,
    question: { ...asked.question, about: 'file x', message: `${minutes} minutes are lost` },
  });
  await desk.ask(about(1), signal);
  answer('yes');
  expect(await desk.ask(about(2), signal)).toMatchObject({ kind: 'answered' });
});

test.each([
  ['the code of another question', (file: object) => file, 'AAAAAAAAAA', 'run'],
  ['a choice that was not offered', (file: object) => file, undefined, 'rm -rf'],
])('an answer file with %s counts for nothing', async (_, edit, code, choice) => {
  const { dir, desk, options } = setUp();
  await desk.ask(asked, signal);
  const [question] = waitingQuestions(options());
  const answer = edit({ v: 1, code: code ?? question?.code, choice, by: 'x' });
  writeFileSync(join(dir, `${question?.id}.answer`), JSON.stringify(answer), { mode: 0o600 });
  expect(await desk.ask(asked, signal)).toEqual({ kind: 'waiting' });
});

test('an edited question file makes no answer hold for another text', async () => {
  const { dir, desk, answer, options } = setUp();
  await desk.ask(asked, signal);
  const [file = ''] = readdirSync(dir);
  const parsed = JSON.parse(readFileSync(join(dir, file), 'utf8'));
  const forged = codeFor(Buffer.from('guess'), { ...parsed, key: asked.key });
  writeFileSync(join(dir, file), JSON.stringify({ ...parsed, code: forged }));
  expect(answer('yes', waitingQuestions(options())[0]?.code).kind).toBe('answered');
  expect(await desk.ask(asked, signal)).toEqual({ kind: 'waiting' });
});

test.runIf(process.platform !== 'win32')('links, and files that others can write, are no answers', async () => {
  const { dir, desk, options } = setUp();
  await desk.ask(asked, signal);
  const [question] = waitingQuestions(options());
  const text = JSON.stringify({ v: 1, code: question?.code, choice: 'run', by: 'x' });
  const path = join(dir, `${question?.id}.answer`);
  writeFileSync(join(dir, 'elsewhere'), text);
  symlinkSync('elsewhere', path);
  expect(await desk.ask(asked, signal)).toEqual({ kind: 'waiting' });
  rmSync(path);
  writeFileSync(path, text);
  chmodSync(path, 0o666);
  expect(await desk.ask(asked, signal)).toEqual({ kind: 'waiting' });
  chmodSync(path, 0o600);
  expect(await desk.ask(asked, signal)).toMatchObject({ kind: 'answered' });
});

test.each([
  ['the steady clock', { steady: 10 * 60_000 }],
  ['the wall clock', { now: Date.parse('2026-01-01T00:10:01Z') }],
])('it expires by %s, whatever the other one says', async (_, later) => {
  const { desk, time, answer, options } = setUp();
  await desk.ask(asked, signal);
  const [question] = waitingQuestions(options());
  expect(answer('yes').kind).toBe('answered');
  Object.assign(time, later);
  expect(await desk.ask(asked, signal)).toEqual({ kind: 'waiting' });
  expect(waitingQuestions(options()).map(({ id }) => id)).not.toContain(question?.id);
});

test('the session takes its questions along, the process all of them', async () => {
  const { dir, desk } = setUp();
  await desk.ask(asked, signal);
  await desk.ask({ ...asked, session: 's2', key: 'digest-2' }, signal);
  desk.drop('s1');
  expect(readdirSync(dir)).toHaveLength(1);
  desk.close();
  expect(readdirSync(dir)).toEqual([]);
});

test('questions of a process that is gone are cleared away; those of another machine stay', async () => {
  const { dir, desk, options } = setUp();
  await desk.ask(asked, signal);
  expect(waitingQuestions({ ...options(), host: 'there', lives: () => false })).toHaveLength(1);
  expect(waitingQuestions({ ...options(), lives: () => false })).toEqual([]);
  expect(readdirSync(dir)).toEqual([]);
});

test('a flood of questions is cut off', async () => {
  const { desk } = setUp();
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => desk.ask({ ...asked, key: `digest-${index}` }, signal)),
  );
  expect(answers.filter(({ kind }) => kind === 'waiting')).toHaveLength(50);
  expect(answers.at(-1)).toEqual({ kind: 'unavailable' });
});

test('a directory that cannot be used asks nobody', async () => {
  const { dir, desk } = setUp();
  writeFileSync(join(dir, '..', '..', 'state'), 'a file');
  expect(await desk.ask(asked, signal)).toEqual({ kind: 'unavailable' });
});

test('a second answer is too late, and a choice that was not offered is told', async () => {
  const { desk, options, answer } = setUp();
  await desk.ask({ ...asked, question: { message: '?', choices: ['yes', 'no'] } }, signal);
  const code = waitingQuestions(options())[0]?.code ?? '';
  expect(answer('always', code).kind).toBe('not_offered');
  expect(answer('no', ` ${code.slice(0, 5).toLowerCase()}-${code.slice(5)}`).kind).toBe('answered');
  expect(answer('yes', code).kind).toBe('unknown');
  expect(answer('yes', '').kind).toBe('unknown');
});

test('a code is read as people write it', () => {
  expect(readCode('o0iL-abc 1')).toBe('0011ABC1');
  fc.assert(fc.property(fc.string(), (text) => readCode(readCode(text)) === readCode(text)));
});

test('any text in the files is either what was written or nothing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(parseQuestion(text)).toBeUndefined();
      expect(parseAnswer(text)).toBeUndefined();
    }),
  );
});
