import { createHmac } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { assess } from '../../src/domain/assessment.js';
import type { Decision } from '../../src/domain/decision.js';
import type { Ask, Elsewhere, Judged } from '../../src/domain/ports.js';
import { NO_AIM } from '../../src/domain/target.js';
import { createSettle } from '../../src/proxy/settle.js';
import { verifies } from '../e2e/requirements.js';
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

type There = Awaited<ReturnType<Elsewhere['ask']>>;

function settleWith(
  answer: Awaited<ReturnType<Ask>> | Ask,
  parts: {
    readonly there?: There;
    readonly patience?: () => AbortSignal;
    readonly openMs?: number;
    readonly remembers?: boolean;
  } = {},
) {
  const asked: string[][] = [];
  const elsewhere: unknown[] = [];
  let warmed = 0;
  const settle = createSettle({
    ask: async (question, signal) => {
      asked.push([...question.choices]);
      return typeof answer === 'function' ? answer(question, signal) : answer;
    },
    elsewhere: parts.there && {
      isOpen: () => false,
      ask: async (about) => {
        elsewhere.push(about);
        return parts.there ?? { kind: 'unavailable' };
      },
    },
    patience: () => parts.patience?.(),
    bind: (about) => JSON.stringify(about),
    openMs: parts.openMs ?? 600_000,
    remembers: parts.remembers ?? true,
    now: () => performance.now(),
    warm: () => {
      warmed += 1;
    },
    question: (message, choices) => ({ message, choices }),
  });
  const run = (decision = pinnable, session = 's1', signal = new AbortController().signal) =>
    settle(judged(session), decision, signal);
  return { run, asked, elsewhere, warmed: () => warmed };
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

test(`${verifies('P-1')} where one session is that of many clients, "always" is not offered, and nothing that one is told holds for another`, async () => {
  const { run, asked } = settleWith(say('always pin in this session'), { remembers: false });
  expect((await run()).settled).toMatchObject({ kind: 'refuse', code: 'APPROVAL_DENIED' });
  expect((await run()).settled.kind).toBe('refuse');
  expect(asked).toEqual([
    ['run after the checkpoint', 'do not run'],
    ['run after the checkpoint', 'do not run'],
  ]);
  const there = settleWith(unavailable, {
    remembers: false,
    there: { kind: 'answered', choice: 'always pin in this session', by: 'out of band (ann)', afterMs: 5 },
  });
  expect((await there.run()).settled.kind).toBe('refuse');
  await there.run();
  expect(there.elsewhere).toHaveLength(2);
});

test(`${verifies('P-1')} an answer counts only so long after it was asked for`, async () => {
  let withdrawn = 0;
  const never: Ask = (_, signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        withdrawn += 1;
        resolve({ kind: 'unavailable' });
      });
    });
  const { run, asked } = settleWith(never, { openMs: 20 });
  const { settled, answered } = await run();
  expect(settled).toMatchObject({ kind: 'refuse', reason: expect.stringMatching(/not answer in time.*not sent/) });
  expect(answered.by).toContain('nobody answered in time');
  expect(withdrawn).toBe(1);
  await run();
  expect(asked).toHaveLength(2);
});

test(`${verifies('P-1')} an answer is bound to its call by a keyed hash: another call with the same question asks anew`, async () => {
  const asked: string[] = [];
  const keys: string[] = [];
  const settle = createSettle({
    ask: async ({ message }) => {
      asked.push(message);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return say('run after the checkpoint');
    },
    warm: () => undefined,
    question: (message, choices) => ({ message, choices }),
    patience: () => AbortSignal.abort(),
    bind: (parts) => {
      keys.push(parts.join(' '));
      return createHmac('sha256', 'secret').update(JSON.stringify(parts)).digest('hex');
    },
    openMs: 60_000,
    remembers: true,
    now: () => performance.now(),
  });
  const of = (digest: string): Judged => ({ ...judged(), call: toolCall({ digest }) });
  const { signal } = new AbortController();
  for (const digest of ['d1', 'd2'])
    await expect(settle(of(digest), pinnable, signal)).rejects.toMatchObject({ code: 'APPROVAL_PENDING' });
  expect(asked).toHaveLength(2);
  await expect
    .poll(() => settle(of('d1'), pinnable, signal).catch(() => undefined))
    .toMatchObject({
      settled: { kind: 'pin_then_forward' },
    });
  expect(asked).toHaveLength(2);
  expect(keys.slice(0, 2)).toEqual([expect.stringMatching(/^d1 /), expect.stringMatching(/^d2 /)]);
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

const unavailable = { kind: 'unavailable' } as const;
const there = (choice: string): There => ({ kind: 'answered', choice, by: 'out of band (ann)', afterMs: 5 });

test(`${verifies('P-2')} where the client can ask nobody and policy would refuse, a person is asked elsewhere`, async () => {
  const yes = settleWith(unavailable, { there: there('run after the checkpoint') });
  expect(await yes.run()).toEqual({
    settled: { kind: 'pin_then_forward', rule: 'policy unknown', targets: [app] },
    answered: { by: 'out of band (ann)', afterMs: 5 },
  });
  expect(yes.elsewhere).toMatchObject([{ key: 'd'.repeat(64), session: 's1', agent: 'test-agent' }]);
  const waived = await settleWith(unavailable, { there: there('run without a checkpoint') }).run(unresolved);
  expect(waived.settled).toMatchObject({ kind: 'waive', by: 'human (out of band (ann))' });
  expect((await settleWith(unavailable, { there: there('do not run') }).run()).settled).toMatchObject({
    code: 'APPROVAL_DENIED',
  });
});

test('"always" from elsewhere holds for the session', async () => {
  const { run, elsewhere } = settleWith(unavailable, { there: there('always pin in this session') });
  await run();
  expect((await run()).answered).toEqual({ by: 'the session' });
  expect(elsewhere).toHaveLength(1);
});

test.each([
  ['APPROVAL_DENIED', 'APPROVAL_PENDING'],
  ['TARGET_UNRESOLVED', 'TARGET_UNRESOLVED'],
] as const)('as long as nobody has answered there, the refusal %s says what to do', async (code, told) => {
  const { run } = settleWith(unavailable, { there: { kind: 'waiting' } });
  const { settled, answered } = await run({ ...pinnable, otherwise: { ...otherwise, code } });
  expect(settled).toMatchObject({
    kind: 'refuse',
    code: told,
    reason: expect.stringMatching(/^nobody .*send the same call again in 60 s/),
  });
  expect(answered.afterMs).toBeUndefined();
});

test('a call that policy would pin waits for nobody', async () => {
  const pin = { kind: 'pin_then_forward', rule: 'nobody', targets: [app] } as const;
  const { run, elsewhere } = settleWith(unavailable, { there: there('do not run') });
  expect((await run({ ...pinnable, otherwise: pin })).settled).toBe(pin);
  expect(elsewhere).toEqual([]);
});

test('a call that was given up asks nobody', async () => {
  const given = settleWith((_, signal) => aborted(signal), { there: there('run after the checkpoint') });
  const stop = new AbortController();
  const running = given.run(pinnable, 's1', stop.signal);
  stop.abort();
  expect((await running).settled).toBe(otherwise);
  expect(given.elsewhere).toEqual([]);
});

test(`${verifies('P-1', 'G-6')} a human who takes longer than the client waits is asked once: the repeat finds the answer`, async () => {
  let answer: (reply: Awaited<ReturnType<Ask>>) => void = () => undefined;
  const patience = vi.fn<() => AbortSignal>(() => AbortSignal.abort());
  const slow = settleWith(() => new Promise((resolve) => (answer = resolve)), { patience });
  await expect(slow.run()).rejects.toMatchObject({
    code: 'APPROVAL_PENDING',
    message: expect.stringContaining('15 s'),
  });
  await expect(slow.run()).rejects.toMatchObject({ code: 'APPROVAL_PENDING' });
  expect([slow.asked.length, slow.warmed()]).toEqual([1, 1]);
  answer(say('run after the checkpoint'));
  patience.mockReturnValue(new AbortController().signal);
  expect((await slow.run()).settled.kind).toBe('pin_then_forward');
  expect(slow.asked).toHaveLength(1);
  // One yes, one call.
  patience.mockReturnValue(AbortSignal.abort());
  await expect(slow.run()).rejects.toMatchObject({ code: 'APPROVAL_PENDING' });
  expect(slow.asked).toHaveLength(2);
});

test('a question that was left open serves only the call that it was about, and is asked anew where the client closed it', async () => {
  const replies: ((reply: Awaited<ReturnType<Ask>>) => void)[] = [];
  const slow = settleWith(() => new Promise((resolve) => replies.push(resolve)), {
    patience: () => AbortSignal.abort(),
  });
  await expect(slow.run()).rejects.toThrow();
  await expect(slow.run(unresolved)).rejects.toThrow();
  expect(slow.asked).toHaveLength(2);
  replies[0]?.({ kind: 'declined', dismissed: true });
  await new Promise((resolve) => setImmediate(resolve));
  await expect(slow.run()).rejects.toThrow();
  expect(slow.asked).toHaveLength(3);
});

function aborted(signal: AbortSignal): ReturnType<Ask> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(unavailable), { once: true }));
}
