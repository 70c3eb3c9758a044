import { expect, test } from 'vitest';
import { CallBook } from '../../src/export/calls.js';
import { ocsfEvent } from '../../src/export/ocsf.js';
import { logRecord } from '../../src/export/otlp-logs.js';
import { resourceOf } from '../../src/export/otlp-resource.js';
import { spansOf } from '../../src/export/otlp-spans.js';
import { type Exported, exportedFrom, testRecord } from '../../src/export/records.js';
import type { JsonObject } from '../../src/export/spool.js';
import { framed, syslogMessage } from '../../src/export/syslog.js';
import { FORWARD, judged, PIN, receipt, recordsIn, tempDir } from '../audit/support.js';
import { fc } from '../support/property.js';
import { faultsIn } from './ocsf-schema.js';
import { auditIn } from './support.js';

const CHAIN = '20260101T000000Z-4711-00112233aabbccdd';

/** Records as the shipper hands them on. */
function exported(records: readonly JsonObject[]): Exported[] {
  const book = new CallBook();
  return records.map((record, index) => {
    const seq = typeof record['seq'] === 'number' ? record['seq'] : index + 1;
    const place = { seq, hash: '', file: 'f', end: 0 };
    const chain = typeof record['chain'] === 'string' ? record['chain'] : CHAIN;
    return exportedFrom(chain, { place, record, text: JSON.stringify(record) }, book.take(chain, record));
  });
}

const PARENT = { parent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', state: 'vendor=t61rcWkgMzE' };

async function everyKind(): Promise<Exported[]> {
  const dir = tempDir();
  const audit = auditIn(dir);
  const pinned = await audit.open(judged('pinned', { trace: PARENT }), PIN);
  await pinned.permit(receipt('r1'));
  await pinned.close({
    kind: 'forwarded',
    result: 'ok',
    receipt: { ...receipt('r1'), forwardedAt: new Date().toISOString() },
  });
  const failed = await audit.open(judged('failed', {}, 'read_only'), FORWARD);
  await failed.close({ kind: 'forwarded', result: 'error' });
  const refused = await audit.open(judged('refused'), {
    kind: 'refuse',
    rule: 'x',
    code: 'TARGET_UNRESOLVED',
    reason: 'no VM',
  });
  await refused.close({ kind: 'refused', code: 'TARGET_UNRESOLVED', reason: 'no VM' });
  const stopped = await audit.open(judged('stopped'), PIN);
  await stopped.close({ kind: 'not_sent', code: 'CHECKPOINT_NOT_PINNED', reason: 'not listed in time' });
  const unknown = await audit.open(judged('unknown'), PIN);
  await unknown.permit(receipt('r2', { mode: 'observe', permit: 'waived', waivedBy: 'mode observe', vms: [] }));
  await unknown.close({ kind: 'outcome_unknown', reason: 'the server ended', receipt: receipt('r2') });
  await audit.close();
  return exported([...recordsIn(dir), { kind: 'note', note: 'records_lost', count: 2, at: '2026-01-01T00:00:00Z' }]);
}

test('every kind of record is an event of OCSF 1.8.0', async () => {
  const all = [...(await everyKind()), testRecord('1', '2026-01-01T00:00:00Z', '0.1.0')];
  expect(all.length).toBe(16);
  const events = all.map((each) => ocsfEvent(each, '0.1.0'));
  expect(events.flatMap((event) => faultsIn(event))).toEqual([]);
  const of = (call: string, kind: string) =>
    events[all.findIndex((each) => each.record['call'] === call && each.kind === kind)];
  expect(of('pinned', 'outcome')).toMatchObject({
    class_uid: 6003,
    activity_id: 3,
    status_id: 1,
    action_id: 1,
    disposition_id: 18,
    severity_id: 1,
    actor: { app_name: 'test-agent', session: { uid: 's1' } },
    api: { operation: 'tools/call', service: { name: 'ssh' }, request: { uid: 'pinned' } },
    resources: [
      { name: 'app01', uid: 'guid.app01', type: 'virtual machine', labels: [expect.stringContaining('ai:test-agent')] },
    ],
    metadata: { correlation_uid: 'pinned', uid: all[3]?.id, profiles: ['security_control', 'trace'] },
    trace: { uid: '0af7651916cd43dd8448eb211c80319c' },
  });
  expect(of('failed', 'outcome')).toMatchObject({ activity_id: 2, status_id: 2, action_id: 1, disposition_id: 1 });
  expect(of('refused', 'outcome')).toMatchObject({
    status_id: 2,
    status_code: 'TARGET_UNRESOLVED',
    action_id: 2,
    severity_id: 3,
  });
  expect(of('stopped', 'outcome')).toMatchObject({ status_id: 2, action_id: 2, disposition_id: 2, severity_id: 3 });
  expect(of('unknown', 'permit')).toMatchObject({ action_id: 3 });
  expect(of('unknown', 'outcome')).toMatchObject({ status_id: 0, severity_id: 4 });
});

test('the checker of events sees what is wrong', async () => {
  const [, intent] = await everyKind();
  const event = ocsfEvent(intent as Exported, '0.1.0');
  expect(faultsIn({ ...event, activity_id: 77 })).toContain('activity_id is none of its values: 77');
  expect(faultsIn({ ...event, api: {} })).toContain('api.operation is missing');
  expect(faultsIn({ ...event, actor: {} }).length).toBe(1);
  expect(faultsIn({ ...event, colour: 'red' })).toContain('colour is unknown');
  expect(faultsIn({ ...event, time: 'now' })).toContain('time is no timestamp_t');
});

const SYSLOG = { facility: 13, hostname: 'gateway-1' };
/** HEADER, one SD element and the text, as RFC 5424 writes them. */
const MESSAGE =
  /^<(\d{1,3})>1 (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([\x21-\x7e]{1,255}) zerto-rewind-proxy (\d{1,128}|-) ([\x21-\x7e]{1,32}) \[meta sequenceId="(\d{1,10})"\] ([\x20-\x7e]*)$/;

test('a record is one message of RFC 5424 whose text is the record', async () => {
  const all = await everyKind();
  for (const each of all) {
    const [, priority, , host, , kind, sequence, text = ''] = MESSAGE.exec(syslogMessage(each, SYSLOG)) ?? [];
    expect([host, kind, Number(sequence)]).toEqual(['gateway-1', each.kind, each.seq]);
    expect(JSON.parse(text)).toEqual(JSON.parse(each.text));
    expect(Math.floor(Number(priority) / 8)).toBe(13);
  }
  const severity = (call: string) =>
    Number(
      MESSAGE.exec(
        syslogMessage(all.find((each) => each.record['call'] === call && each.kind === 'outcome') as Exported, SYSLOG),
      )?.[1],
    ) % 8;
  expect(['pinned', 'refused', 'unknown'].map(severity)).toEqual([6, 4, 3]);
});

test('whatever stands in a record, a message stays one line of its own length, and the text is the same JSON', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }),
      (text, kind, hostname) => {
        const record = { kind, at: '2026-01-01T00:00:00Z', text: Buffer.from(text).toString() };
        const [each] = exported([record]);
        const message = syslogMessage(each as Exported, { facility: 13, hostname });
        const [, , , , , , , json = ''] = MESSAGE.exec(message) ?? [];
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(record)));
        expect(framed(message)).toBe(`${Buffer.byteLength(message)} ${message}`);
      },
    ),
  );
});

const RESOURCE = resourceOf('0.1.0', 'gateway-1');
const SCOPE = { name: 'zerto-rewind-proxy', version: '0.1.0' };

test('a call has the spans of the conventions for MCP, under the trace of its caller', async () => {
  const all = await everyKind();
  const of = (call: string) =>
    all.filter((each) => each.record['call'] === call).flatMap((each) => [...spansOf(each, RESOURCE, SCOPE)]);
  const [server, guard, client, ...more] = of('pinned');
  expect(more).toEqual([]);
  expect([server, guard, client].map((span) => [span?.name, span?.kind])).toEqual([
    ['tools/call run-command', 1],
    ['zerto.guard', 0],
    ['tools/call run-command', 2],
  ]);
  expect(server?.parentSpanContext).toMatchObject({ spanId: 'b7ad6b7169203331', isRemote: true });
  expect(server?.spanContext().traceState?.get('vendor')).toBe('t61rcWkgMzE');
  for (const span of [server, guard, client])
    expect(span?.spanContext().traceId).toBe('0af7651916cd43dd8448eb211c80319c');
  for (const span of [guard, client]) expect(span?.parentSpanContext?.spanId).toBe(server?.spanContext().spanId);
  expect(server?.attributes).toMatchObject({
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'run-command',
    'mcp.session.id': 's1',
    'network.transport': 'pipe',
    'zerto_rewind.vms': ['app01'],
    'zerto_rewind.receipt': 'r1',
  });
  expect(server?.attributes).not.toHaveProperty('error.type');
  // Sent again, they are the same spans.
  expect(of('pinned').map((span) => span.spanContext().spanId)).toEqual(
    [server, guard, client].map((span) => span?.spanContext().spanId),
  );
  expect(of('failed').map(({ name, kind, attributes }) => [name, kind, attributes['error.type']])).toEqual([
    ['tools/call run-command', 1, 'tool_error'],
    ['tools/call run-command', 2, 'tool_error'],
  ]);
  expect(of('stopped').map(({ name, status, attributes }) => [name, status.code, attributes['error.type']])).toEqual([
    ['tools/call run-command', 2, 'CHECKPOINT_NOT_PINNED'],
    ['zerto.guard', 2, 'CHECKPOINT_NOT_PINNED'],
  ]);
  const ids = ['pinned', 'failed', 'stopped', 'unknown']
    .flatMap((call) => of(call))
    .map((span) => span.spanContext().spanId);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a caller whose trace is not sampled gets no spans; what is no trace context is none', async () => {
  const dir = tempDir();
  const audit = auditIn(dir);
  const traces = [
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00',
    '00-xyz',
    `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`,
  ];
  for (const [index, parent] of traces.entries()) {
    const entry = await audit.open(judged(`c${index}`, { trace: { parent } }), PIN);
    await entry.permit(receipt(`r${index}`));
    await entry.close({ kind: 'forwarded', result: 'ok' });
  }
  await audit.close();
  const all = exported(recordsIn(dir));
  const of = (call: string) =>
    all.filter((each) => each.record['call'] === call).flatMap((each) => [...spansOf(each, RESOURCE, SCOPE)]);
  expect(of('c0')).toEqual([]);
  for (const call of ['c1', 'c2']) expect(of(call)[0]?.parentSpanContext).toBeUndefined();
});

test('a record is a log record with the line as its body, in the trace of its call', async () => {
  const all = await everyKind();
  const intent = logRecord(all[1] as Exported, RESOURCE, SCOPE);
  expect(intent).toMatchObject({
    body: all[1]?.text,
    severityText: 'INFO',
    eventName: 'zerto_rewind.audit.intent',
    spanContext: { traceId: '0af7651916cd43dd8448eb211c80319c' },
    attributes: { 'log.record.uid': all[1]?.id, 'zerto_rewind.effect': 'mutating', 'gen_ai.tool.name': 'run-command' },
  });
});
