import { describe, expect, test } from 'vitest';
import { ProxyError } from '../../src/domain/errors.js';
import type { CountedCall } from '../../src/domain/meters.js';
import type { AuditEntry, AuditLog, Checkpoints, Judged } from '../../src/domain/ports.js';
import { countedAudit, countedCheckpoints } from '../../src/metrics/counted.js';
import { deferredMetrics } from '../../src/metrics/deferred.js';
import { openMetrics } from '../../src/metrics/open.js';
import { prometheusPage } from '../../src/metrics/prometheus.js';
import { errorType, methodName } from '../../src/metrics/words.js';
import { logger, type Said } from '../audit/support.js';
import { parseMetrics, total } from '../support/prometheus.js';
import { fc } from '../support/property.js';

describe('words that become labels', () => {
  test('whatever a caller calls a method, it is a known one or _OTHER', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('tools/call', 'tools/callx', 'TOOLS/CALL')),
        (method) => {
          expect(['tools/call', 'ping', '_OTHER']).toContain(methodName(method));
        },
      ),
    );
    expect(methodName('tools/call')).toBe('tools/call');
  });

  test.each([
    ['tool_error', 'tool_error'],
    ['CHECKPOINT_NOT_PINNED', 'CHECKPOINT_NOT_PINNED'],
    ['503', '503'],
    ['-32601', '-32601'],
    ['-32001', '-32001'],
    ['-32020', '-32020'],
    ['-1', '_OTHER'],
    ['12345', '_OTHER'],
    ['undefined ', '_OTHER'],
    ['a b', '_OTHER'],
    ['', '_OTHER'],
  ])('an error %s is told as %s', (given, told) => expect(errorType(given)).toBe(told));
});

describe('the text', () => {
  test('parses, and a call with hostile words in it makes no new line', async () => {
    const page = prometheusPage();
    const metrics = openMetrics({ version: '1.2.3', transport: 'tcp', readers: [page.reader] });
    metrics.watch(() => ({
      sessions: 2,
      pending: 1,
      bufferedRequests: 20,
      bufferedAnswers: 30,
      auditQueue: 4,
      auditWritable: false,
    }));
    for (const method of ['tools/call', 'x"} 1\nevil 2', 'y'.repeat(10_000)]) metrics.operation(method, 0.3, '\n-1"');
    metrics.zvmRequest({ site: 'a"b\\c\nd', method: 'GET', endpoint: '/v1/vms' });
    const samples = parseMetrics(await page.text());
    expect(total(samples, 'zerto_rewind_info', { version: '1.2.3' })).toBe(1);
    expect(
      total(samples, 'mcp_server_operation_duration_count', { mcp_method_name: '_OTHER', error_type: '_OTHER' }),
    ).toBe(2);
    expect(total(samples, 'mcp_server_operation_duration_bucket', { mcp_method_name: 'tools/call', le: '0.2' })).toBe(
      0,
    );
    expect(total(samples, 'mcp_server_operation_duration_bucket', { mcp_method_name: 'tools/call', le: '0.5' })).toBe(
      1,
    );
    expect(
      samples.find(({ name }) => name === 'zerto_rewind_zvm_requests_total')?.labels['zerto_rewind_site'],
    ).toContain('a');
    const gauges = [
      'sessions',
      'requests_pending',
      'buffered_requests',
      'buffered_answers',
      'audit_queue',
      'audit_writable',
      'children',
    ];
    expect(gauges.map((name) => total(samples, `zerto_rewind_${name}`))).toEqual([2, 1, 20, 30, 4, 0, 0]);
  });
});

const JUDGED = {
  call: {},
  reading: { interceptor: 'generic', roles: {}, operations: [], hosts: [] },
  assessment: { effect: 'mutating', findings: [] },
  aim: { targets: [], problems: [] },
} as unknown as Judged;

describe('the audit log', () => {
  const log = (entry: Partial<AuditEntry>): AuditLog => ({
    open: () => Promise.resolve({ permit: async () => undefined, close: async () => undefined, ...entry }),
    degrade: () => undefined,
  });

  test('a call counts once, by its first end, also where that cannot be written', async () => {
    const calls: CountedCall[] = [];
    const failing = log({ close: () => Promise.reject(new Error('full')) });
    const counted = countedAudit(failing, { call: (call) => calls.push(call) });
    const entry = await counted.open(JUDGED, { kind: 'pin_then_forward', rule: 'r', targets: [] as never });
    const refused = { kind: 'refused', code: 'APPROVAL_DENIED', reason: '' } as const;
    await expect(entry.close(refused)).rejects.toThrow('full');
    await expect(entry.close({ kind: 'not_sent', code: 'AUDIT_UNAVAILABLE', reason: '' })).rejects.toThrow('full');
    expect(calls).toEqual([
      {
        effect: 'mutating',
        decision: 'pin_then_forward',
        native: false,
        outcome: 'refused',
        problem: 'APPROVAL_DENIED',
      },
    ]);
  });

  test('a call whose intent cannot be written counts as not sent', async () => {
    const calls: CountedCall[] = [];
    const unavailable = new ProxyError('AUDIT_UNAVAILABLE', 'x');
    const failing = { ...log({}), open: () => Promise.reject(unavailable) };
    const counted = countedAudit(failing, { call: (call) => calls.push(call) });
    await expect(counted.open(JUDGED, { kind: 'waive', rule: 'r', by: 'x' })).rejects.toBe(unavailable);
    expect(calls).toEqual([
      { effect: 'mutating', decision: 'forward', native: false, outcome: 'not_sent', problem: 'AUDIT_UNAVAILABLE' },
    ]);
  });

  test('a call that only reads is opened without a wait, as without counting', () => {
    const plain: AuditEntry = { permit: async () => undefined, close: async () => undefined };
    const counted = countedAudit({ open: () => plain, degrade: () => undefined }, { call: () => undefined });
    expect(counted.open(JUDGED, { kind: 'forward', rule: 'r' })).not.toBeInstanceOf(Promise);
  });
});

test('a tag that is not listed counts with its reason, and the reason goes on', async () => {
  const told: unknown[] = [];
  const failure = new ProxyError('CHECKPOINT_NOT_PINNED', 'x');
  const failing = { pin: () => Promise.reject(failure) } as unknown as Checkpoints;
  let now = 0;
  const clock = (): number => {
    now += 1500;
    return now;
  };
  const counted = countedCheckpoints(failing, { tag: (...all) => told.push(all) }, clock);
  const vpg = { name: 'v', vpgIdentifier: 'v', site: 's', profile: 'azure' } as const;
  await expect(counted.pin(vpg, 't', {}, new AbortController().signal)).rejects.toBe(failure);
  expect(told).toEqual([['azure', 1.5, 'CHECKPOINT_NOT_PINNED']]);
});

describe('metrics that are opened after the first call', () => {
  const CALL: CountedCall = { effect: 'read_only', decision: 'forward', outcome: 'forwarded', native: false };
  const opening = () => {
    const page = prometheusPage();
    let closed = 0;
    let opened = 0;
    const metrics = deferredMetrics(async () => {
      opened += 1;
      const close = async (): Promise<void> => {
        closed += 1;
      };
      return { ...openMetrics({ version: '1', transport: 'pipe', readers: [page.reader] }), close };
    }, logger());
    return { metrics, times: () => ({ opened, closed }), samples: async () => parseMetrics(await page.text()) };
  };

  test('nothing is opened before; what was told before shows, and what comes later', async () => {
    const { metrics, times, samples } = opening();
    metrics.child(1);
    metrics.operation('initialize', 0.1);
    metrics.watch(() => ({ sessions: 1, pending: 0, auditQueue: 0, auditWritable: true }));
    expect(times()).toEqual({ opened: 0, closed: 0 });
    metrics.call(CALL);
    await expect.poll(() => times().opened).toBe(1);
    metrics.call(CALL);
    metrics.operation('tools/call', 0.1);
    const all = await samples();
    expect(total(all, 'zerto_rewind_calls_total')).toBe(2);
    expect(total(all, 'mcp_server_operation_duration_count', { network_transport: 'pipe' })).toBe(2);
    expect(['sessions', 'children'].map((name) => total(all, `zerto_rewind_${name}`))).toEqual([1, 1]);
    await metrics.close();
    expect(times()).toEqual({ opened: 1, closed: 1 });
  });

  test('an end right after the first call still opens them; one without a call does not', async () => {
    const { metrics, times } = opening();
    metrics.call(CALL);
    await metrics.close();
    expect(times()).toEqual({ opened: 1, closed: 1 });
    const idle = opening();
    idle.metrics.operation('ping', 0.1);
    await idle.metrics.close();
    expect(idle.times()).toEqual({ opened: 0, closed: 0 });
  });

  test('a failure to open them is told, and nothing else stops', async () => {
    const said: Said[] = [];
    const metrics = deferredMetrics(() => Promise.reject(new Error('no module')), logger(said));
    metrics.call(CALL);
    await metrics.close();
    metrics.call(CALL);
    expect(said).toMatchObject([{ fields: { error: 'Error: no module' } }]);
  });
});
