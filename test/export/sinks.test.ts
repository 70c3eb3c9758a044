import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PeerTls } from '../../src/domain/export-targets.js';
import { ocsfFileSink } from '../../src/export/ocsf-file.js';
import { otlpSink } from '../../src/export/otlp-sink.js';
import { type Exported, testRecord } from '../../src/export/records.js';
import { type Sink, Undelivered } from '../../src/export/sink.js';
import { syslogSink } from '../../src/export/syslog-sink.js';
import { type Certificate, makeCertificate } from '../../src/simulator/certificate.js';
import { logger, type Said } from '../audit/support.js';
import { type OtlpReceiver, type ReceiverOptions, startOtlpReceiver } from '../support/otlp-receiver.js';
import { type SyslogReceiver, startSyslogReceiver } from '../support/syslog-receiver.js';
import { faultsIn } from './ocsf-schema.js';

const record = (id: string): Exported => testRecord(id, '2026-01-01T00:00:00Z', '0.1.0');
const some = (count: number, parts: Partial<Exported> = {}): Exported[] =>
  Array.from({ length: count }, (_, index) => ({ ...record(String(index)), seq: index + 1, ...parts }));
const never = new AbortController().signal;

let certificate: Certificate;
let other: Certificate;
let dir: string;
beforeAll(async () => {
  [certificate, other] = await Promise.all([makeCertificate('one'), makeCertificate('other')]);
  dir = mkdtempSync(join(tmpdir(), 'export-sinks-'));
  return () => rmSync(dir, { recursive: true, force: true });
});

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of closing.splice(0).reverse()) await each.close();
});
const closed = <T extends { close(): Promise<void> }>(each: T): T => {
  closing.push(each);
  return each;
};

const pinned = (): PeerTls => ({ fingerprint256: certificate.fingerprint256 });

describe('syslog over TLS', () => {
  const begin = async (options: Parameters<typeof startSyslogReceiver>[0] = {}): Promise<SyslogReceiver> =>
    closed(await startSyslogReceiver({ certificate, ...options }));
  const sinkTo = ({ port }: { port: number }, trust: PeerTls = pinned(), patienceMs?: number): Sink =>
    syslogSink({ host: '127.0.0.1', port, trust, patienceMs }, { facility: 13, hostname: 'here' });

  test('each record is a frame; a batch counts as taken when the receiver has read to its end', async () => {
    const receiver = await begin();
    receiver.treat({ perReadMs: 5 });
    await sinkTo(receiver).send(some(300, { text: JSON.stringify({ x: 'y'.repeat(2000) }) }), never);
    expect(receiver.messages.length).toBe(300);
    expect(receiver.connections()).toBe(1);
  });

  test('a connection that is cut in the middle delivers nothing, as far as is known', async () => {
    const receiver = await begin();
    receiver.treat({ cutAfter: 3000 });
    const sent = sinkTo(receiver).send(some(300), never);
    await expect(sent).rejects.toBeInstanceOf(Undelivered);
  });

  test('so does one that the receiver ends although it could read on', async () => {
    const receiver = await begin();
    receiver.treat({ cutAfter: 0 });
    await expect(sinkTo(receiver).send(some(1), never)).rejects.toBeInstanceOf(Undelivered);
  });

  test('a receiver that reads nothing is given up after a while', async () => {
    const receiver = await begin();
    receiver.treat({ perReadMs: 5000 });
    await expect(sinkTo(receiver, pinned(), 100).send(some(300, { text: 'y'.repeat(40_000) }), never)).rejects.toThrow(
      /took nothing/,
    );
  });

  test('the certificate is checked on each connection: pinned, by a file that may change, or by the authorities of the machine', async () => {
    const receiver = await begin();
    await sinkTo(receiver).send(some(1), never);
    const wrong = sinkTo(receiver, { fingerprint256: other.fingerprint256 });
    await expect(wrong.send(some(1), never)).rejects.toThrow(`not the pinned one: it is ${certificate.fingerprint256}`);
    await expect(sinkTo(receiver, {}).send(some(1), never)).rejects.toThrow(/self.signed/i);
    const caFile = join(dir, 'ca.pem');
    writeFileSync(caFile, other.certificate);
    const byFile = sinkTo(receiver, { caFile });
    await expect(byFile.send(some(1), never)).rejects.toBeInstanceOf(Undelivered);
    writeFileSync(caFile, certificate.certificate);
    await byFile.send(some(1), never);
    await expect(sinkTo(receiver, { caFile: join(dir, 'none.pem') }).send(some(1), never)).rejects.toThrow(/ENOENT/);
    expect(receiver.messages.length).toBe(2);
  });

  test('a receiver that shows another certificate after its restart gets nothing', async () => {
    const first = await startSyslogReceiver({ certificate });
    const sink = sinkTo(first);
    await sink.send(some(1), never);
    await first.close();
    const second = await begin({ certificate: other, port: first.port });
    await expect(sink.send(some(1), never)).rejects.toThrow(/not the pinned one/);
    expect(second.messages).toEqual([]);
  });

  test('an end of the export does not wait for a receiver that accepts and says nothing', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const connected = once(silent, 'connection');
    const abort = new AbortController();
    const sent = sinkTo(silent.address() as AddressInfo).send(some(1), abort.signal);
    sent.catch(() => undefined);
    const [socket] = (await connected) as [Socket];
    abort.abort();
    await expect(sent).rejects.toThrow('the export is ending');
    await expect(sinkTo(silent.address() as AddressInfo).send(some(1), abort.signal)).rejects.toThrow('ending');
    socket.destroy();
    silent.close();
  });

  test('nobody listens: the reason names the address', async () => {
    const receiver = await startSyslogReceiver({ certificate });
    await receiver.close();
    await expect(sinkTo(receiver).send(some(1), never)).rejects.toThrow(`127.0.0.1:${receiver.port}`);
  });
});

describe('OTLP over HTTP', () => {
  const begin = async (options: ReceiverOptions = {}): Promise<OtlpReceiver> =>
    closed(await startOtlpReceiver({ certificate, ...options }));
  const said: Said[] = [];
  const sinkTo = ({ url }: { url: string }, trust: PeerTls = pinned(), headers = {}): Sink =>
    closed(
      otlpSink(
        'logs',
        { url, headers: async () => headers, trust },
        { version: '0.1.0', hostname: 'here', log: logger(said) },
      ),
    );

  test('records arrive with login and resource; the answer is the acknowledgement', async () => {
    const receiver = await begin();
    await sinkTo({ url: `${receiver.url}/` }, pinned(), { authorization: 'Bearer spyglass' }).send(some(3), never);
    expect(receiver.logs.map(({ attributes }) => attributes['log.record.uid'])).toEqual(['test:0', 'test:1', 'test:2']);
    expect(receiver.requests[0]).toMatchObject({ path: '/v1/logs', headers: { authorization: 'Bearer spyglass' } });
    expect(receiver.resource()).toEqual({
      'service.name': 'zerto-rewind-proxy',
      'service.version': '0.1.0',
      'host.name': 'here',
    });
  });

  test.each([
    [
      '503 with a long Retry-After',
      { status: 503, headers: { 'retry-after': '120' } },
      { retryAfterMs: 120_000, refused: false },
    ],
    [
      '429 with a date',
      { status: 429, headers: { 'retry-after': new Date(Date.now() + 600_000).toUTCString() } },
      { refused: false },
    ],
    ['413', { status: 413 }, { refused: true, retryAfterMs: undefined }],
    ['401', { status: 401 }, { refused: false, retryAfterMs: undefined }],
    ['a redirect elsewhere', { status: 307, headers: { location: 'https://evil.example/' } }, { refused: false }],
  ])('%s is not delivered', async (_what, answer, expected) => {
    const receiver = await begin();
    receiver.answer(() => answer);
    const sink = sinkTo(receiver);
    await expect(sink.send(some(1), never)).rejects.toMatchObject(expected);
    await expect(sink.send(some(1), never)).rejects.toThrow(`answered ${answer.status}`);
    receiver.answer(undefined);
    await sink.send(some(1), never);
    expect(receiver.logs.length).toBe(1);
  });

  test('503 with a short Retry-After is waited for', async () => {
    const receiver = await begin();
    let asked = 0;
    receiver.answer(() => {
      asked += 1;
      return asked === 1 ? { status: 503, headers: { 'retry-after': '1' } } : undefined;
    });
    await sinkTo(receiver).send(some(1), never);
    expect([asked, receiver.logs.length]).toEqual([2, 1]);
  });

  test('a certificate that is not trusted gets no byte of a request', async () => {
    const receiver = await begin();
    const wrong = sinkTo(receiver, { fingerprint256: other.fingerprint256 });
    await expect(wrong.send(some(1), never)).rejects.toThrow(/not the pinned one/);
    await expect(sinkTo(receiver, {}).send(some(1), never)).rejects.toThrow(/self.signed/i);
    expect(receiver.requests).toEqual([]);
    const caFile = join(dir, 'collector.pem');
    writeFileSync(caFile, certificate.certificate);
    await sinkTo(receiver, { caFile }).send(some(1), never);
    expect(receiver.logs.length).toBe(1);
  });

  test('what a collector takes and does not keep is told', async () => {
    const receiver = await begin();
    receiver.answer(() => ({
      status: 200,
      body: '{"partialSuccess":{"rejectedLogRecords":"1","errorMessage":"too old"}}',
    }));
    await sinkTo(receiver).send(some(1), never);
    expect(JSON.stringify(said)).toContain('too old');
  });

  test('variables of OpenTelemetry in the environment change neither place nor trust', async () => {
    const [receiver, evil] = [await begin(), await begin({ plain: true })];
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = evil.url;
    process.env['OTEL_EXPORTER_OTLP_LOGS_ENDPOINT'] = evil.url;
    try {
      await sinkTo(receiver).send(some(1), never);
    } finally {
      delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
      delete process.env['OTEL_EXPORTER_OTLP_LOGS_ENDPOINT'];
    }
    expect([receiver.logs.length, evil.requests.length]).toEqual([1, 0]);
  });

  test('an end of the export does not wait for a collector', async () => {
    const receiver = await begin({ delayMs: 60_000 });
    const abort = new AbortController();
    const sent = sinkTo(receiver).send(some(1), abort.signal);
    sent.catch(() => undefined);
    await expect.poll(() => receiver.requests.length).toBe(1);
    abort.abort();
    await expect(sent).rejects.toThrow('ending');
  });
});

describe('OCSF in files', () => {
  test('events are lines of a file of the day; a line that a crash cut off stays by itself', async () => {
    const place = join(dir, 'ocsf');
    const day = new Date('2026-01-31T23:00:00Z');
    await ocsfFileSink(place, '0.1.0', () => day).send(some(2), never);
    const [name = ''] = readdirSync(place);
    expect(name).toBe('zerto-rewind-proxy-2026-01-31.ocsf.jsonl');
    const file = join(place, name);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    const whole = readFileSync(file, 'utf8');
    writeFileSync(file, `${whole}{"class_uid":60`);
    await ocsfFileSink(place, '0.1.0', () => day).send(some(1), never);
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    expect(lines.length).toBe(4);
    const events = [0, 1, 3].map((index) => JSON.parse(lines[index] ?? ''));
    expect(events.flatMap((event) => faultsIn(event))).toEqual([]);
  });
});
