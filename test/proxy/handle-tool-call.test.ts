import { expect, test } from 'vitest';
import type { Effect } from '../../src/domain/assessment.js';
import { assess } from '../../src/domain/assessment.js';
import type { Decision, Settled } from '../../src/domain/decision.js';
import { ProxyError } from '../../src/domain/errors.js';
import { Permit } from '../../src/domain/permit.js';
import type { AuditEntry, DownstreamAnswer, Outcome } from '../../src/domain/ports.js';
import { Guard } from '../../src/proxy/guard.js';
import { handleToolCall, type ToolCallDeps } from '../../src/proxy/handle-tool-call.js';
import { target, toolCall, vpg } from '../support/calls.js';

const app = target('app01', vpg('app-a'), vpg('app-b'));
const pinned: Settled = { kind: 'pin_then_forward', rule: 'mutating', targets: [app] };

interface Options {
  readonly effect?: Effect;
  readonly decision?: Decision;
  readonly aim?: 'works' | 'unreachable' | 'moves';
  readonly pin?: 'works' | 'fails' | 'hangs';
  readonly intent?: 'written' | 'lost';
  readonly receipt?: 'written' | 'lost';
  readonly outcome?: 'written' | 'lost';
  readonly downstream?: 'answers' | 'gone' | 'silent';
  readonly permit?: Permit;
}

function harness(options: Options = {}) {
  const trace: string[] = [];
  const outcomes: Outcome[] = [];
  let aims = 0;
  const clock = { now: () => Date.parse('2026-01-01T00:01:00Z'), sleep: async () => undefined };
  const checkpoint = { checkpointIdentifier: '7', timestamp: '2026-01-01T00:00:00Z' };
  const guard = new Guard({
    checkpoints: {
      before: async ({ name }) => {
        trace.push(`before ${name}`);
        return { newest: checkpoint };
      },
      pin: async ({ name }, tag, _before, signal) => {
        trace.push(`pin ${name}`);
        if (options.pin === 'fails') throw new ProxyError('CHECKPOINT_NOT_PINNED', 'The task failed.');
        if (options.pin === 'hangs') {
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        }
        return { ...checkpoint, checkpointIdentifier: '8', tag };
      },
      now: async () => new Date(clock.now()),
    },
    clock,
    newId: (prefix) => `${prefix}_1`,
    hold: { seconds: 5, trustCloudTags: false },
    reuseSeconds: 0,
    maxTagsPerVpgPerHour: 120,
    simulated: () => false,
    mode: 'enforce',
    log: { info: () => undefined, warn: () => undefined },
  });
  const deps: ToolCallDeps = {
    interceptors: [
      {
        name: 'test',
        claims: () => true,
        read: () => ({ interceptor: 'test', roles: {}, operations: [], hosts: [] }),
      },
    ],
    prepare: () => undefined,
    classify: () => assess([{ effect: options.effect ?? 'mutating', subject: 'x', why: 'test' }]),
    aim: async () => {
      trace.push('aim');
      aims += 1;
      if (options.aim === 'unreachable') throw new ProxyError('ZVM_UNREACHABLE', 'The appliance does not answer.');
      if (options.aim === 'moves' && aims > 1) return { targets: [target('app02', vpg('app-a'))], problems: [] };
      return { targets: [app], problems: [] };
    },
    decide: ({ aim }) =>
      aim.failure === undefined
        ? (options.decision ?? pinned)
        : { kind: 'refuse', rule: 'no appliance', code: 'ZVM_UNREACHABLE', reason: 'x' },
    settle: async () => ({ settled: pinned, answered: { by: 'client' } }),
    audit: {
      degrade: () => trace.push('degrade'),
      open: () => {
        if (options.intent === 'lost')
          return Promise.reject(new ProxyError('AUDIT_UNAVAILABLE', 'No record could be written.'));
        trace.push('intent');
        const entry: AuditEntry = {
          permit: async () => {
            trace.push('receipt');
            if (options.receipt === 'lost') throw new ProxyError('AUDIT_UNAVAILABLE', 'No record could be written.');
          },
          close: async (outcome) => {
            trace.push(outcome.kind);
            outcomes.push(outcome);
            if (options.outcome === 'lost') throw new Error('ENOSPC');
          },
        };
        return options.effect === 'read_only' ? entry : Promise.resolve(entry);
      },
    },
    guard,
    patience: () => undefined,
    now: () => new Date(clock.now()),
    log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
  };
  const downstream = {
    forward: (call: Parameters<Permit['take']>[0], permit: Permit): Promise<DownstreamAnswer> => {
      Permit.take(options.permit ?? permit, call);
      trace.push('forward');
      if (options.downstream === 'gone') return Promise.reject(new ProxyError('OUTCOME_UNKNOWN', 'It exited.'));
      return Promise.resolve({ kind: 'downstream', raw: Buffer.from('{}'), isError: false });
    },
  };
  const run = (signal = new AbortController().signal) => handleToolCall(deps, downstream, toolCall(), { signal });
  return { run, trace, outcomes };
}
const nothing = () => undefined;

test('a mutating call is recorded, pinned on every VPG, aimed again, then forwarded', async () => {
  const { run, trace, outcomes } = harness();
  const answer = await run();
  const order = (line: string) => trace.indexOf(line);
  expect(trace.filter((line) => !line.startsWith('before') && !line.startsWith('pin'))).toEqual([
    'aim',
    'intent',
    'aim',
    'receipt',
    'forward',
    'forwarded',
  ]);
  for (const name of ['app-a', 'app-b']) {
    expect(order('intent')).toBeLessThan(order(`before ${name}`));
    expect(order('before app-b')).toBeLessThan(order(`pin ${name}`));
    expect(order(`pin ${name}`)).toBeLessThan(trace.lastIndexOf('aim'));
  }
  expect(answer).toMatchObject({ kind: 'downstream', receipt: { id: 'r_1', forwardedAt: expect.any(String) } });
  expect(outcomes).toMatchObject([{ kind: 'forwarded', result: 'ok', receipt: { permit: 'pinned' } }]);
});

test('a read-only call is recorded and sent in the turn in which it came', async () => {
  const { run, trace } = harness({ effect: 'read_only', decision: { kind: 'forward', rule: 'read_only' } });
  const answer = run();
  expect(trace).toEqual(['intent', 'forward']);
  await answer;
});

test('a read-only call resolves nothing, pins nothing and carries no receipt', async () => {
  const { run, trace } = harness({ effect: 'read_only', decision: { kind: 'forward', rule: 'read_only' } });
  expect(await run()).toMatchObject({ kind: 'downstream', receipt: undefined });
  expect(trace).toEqual(['intent', 'forward', 'forwarded']);
});

const ask: Decision = { kind: 'ask', rule: 'unknown', question: '?', targets: [app], otherwise: pinned };

test('a question is settled after the intent is on disk', async () => {
  const { run, trace } = harness({ effect: 'unknown', decision: ask });
  await run();
  expect(trace.slice(0, 2)).toEqual(['aim', 'intent']);
  expect(trace).toContain('forward');
});

test.each([
  ['the pin fails', { pin: 'fails' }, 'CHECKPOINT_NOT_PINNED', 'not_sent'],
  ['the appliance does not answer', { aim: 'unreachable' }, 'ZVM_UNREACHABLE', 'not_sent'],
  ['the target moves during the pin', { aim: 'moves' }, 'TARGET_UNRESOLVED', 'not_sent'],
  ['the receipt cannot be written', { receipt: 'lost' }, 'AUDIT_UNAVAILABLE', 'not_sent'],
  ['the intent cannot be written', { intent: 'lost' }, 'AUDIT_UNAVAILABLE', undefined],
  [
    'policy refuses',
    { decision: { kind: 'refuse', rule: 'x', code: 'TARGET_UNRESOLVED', reason: 'No VM of that name.' } },
    'TARGET_UNRESOLVED',
    'refused',
  ],
] as const)(
  '%s: nothing is forwarded, the agent is told, the record says so',
  async (_name, options, code, outcome) => {
    const { run, trace, outcomes } = harness(options);
    const answer = await run();
    expect(answer.kind === 'refusal' && answer.text).toMatch(new RegExp(`^${code}: .*not sent`));
    expect(trace).not.toContain('forward');
    expect(outcomes[0]?.kind).toBe(outcome);
  },
);

test('a call cancelled while it waits is not forwarded', async () => {
  const { run, trace, outcomes } = harness({ pin: 'hangs' });
  const cancel = new AbortController();
  setTimeout(() => cancel.abort(), 20);
  expect(await run(cancel.signal)).toMatchObject({ kind: 'refusal', text: expect.stringMatching(/^CALL_CANCELLED/) });
  expect(trace).not.toContain('forward');
  expect(outcomes).toMatchObject([{ kind: 'not_sent', code: 'CALL_CANCELLED' }]);
});

test('an outcome that cannot be written does not withhold the answer, and is reported', async () => {
  const { run, trace } = harness({ outcome: 'lost' });
  expect(await run()).toMatchObject({ kind: 'downstream' });
  await new Promise((resolve) => setImmediate(resolve));
  expect(trace).toContain('degrade');
});

test('a downstream that goes away after the call was sent leaves an unknown outcome with its receipt', async () => {
  const { run, outcomes } = harness({ downstream: 'gone' });
  await expect(run()).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  expect(outcomes).toMatchObject([{ kind: 'outcome_unknown', receipt: { id: 'r_1' } }]);
});

test.each([
  ['its own take', { take: nothing, grounds: { kind: 'read_only' } } as unknown as Permit],
  ['the prototype of a permit', Object.create(Permit.prototype) as Permit],
])('an object that only looks like a permit, by %s, is refused at run time', async (_name, permit) => {
  const { run, trace } = harness({ permit });
  await expect(run()).rejects.toThrow();
  expect(trace).not.toContain('forward');
});
