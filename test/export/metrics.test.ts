import { afterEach, describe, expect, test } from 'vitest';
import { type MetricsPush, otlpMetrics } from '../../src/export/otlp-metrics.js';
import { openMetrics } from '../../src/metrics/open.js';
import { makeCertificate } from '../../src/simulator/certificate.js';
import { logger, type Said } from '../audit/support.js';
import { metricValue, type OtlpReceiver, startOtlpReceiver } from '../support/otlp-receiver.js';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function begin(options: Parameters<typeof startOtlpReceiver>[0] = {}): Promise<OtlpReceiver> {
  const receiver = await startOtlpReceiver(options);
  closing.push(receiver.close);
  return receiver;
}

function push(url: string, fingerprint256: string, everyMs = 60_000) {
  const said: Said[] = [];
  const target = { url, headers: async () => ({ authorization: 'Bearer x' }), trust: { fingerprint256 } };
  const options = { version: '0.1.0', hostname: 'here', instance: 'one', everyMs, log: logger(said) };
  const pushed: MetricsPush = otlpMetrics(target, options);
  closing.push(() => pushed.close(0));
  const { reader, resource } = pushed;
  const metrics = openMetrics({ version: '0.1.0', transport: 'pipe', readers: [reader], resource });
  return { said, pushed, metrics };
}

const told = (said: readonly Said[]) => said.map(({ message }) => message);

describe('metrics to a collector', () => {
  test('the end sends what was counted, with login and the process that it is of', async () => {
    const receiver = await begin();
    const { metrics, pushed } = push(receiver.url, receiver.certificate.fingerprint256);
    metrics.operation('tools/call', 0.3);
    metrics.operation('tools/call', 0.1, 'tool_error');
    metrics.child(1);
    metrics.watch(() => ({ sessions: 1, pending: 0, auditQueue: 2, auditWritable: true }));
    await pushed.close(30_000);
    expect(receiver.requests).toMatchObject([{ path: '/v1/metrics', headers: { authorization: 'Bearer x' } }]);
    expect(receiver.resource()).toEqual({
      'service.name': 'zerto-rewind-proxy',
      'service.version': '0.1.0',
      'host.name': 'here',
      'service.instance.id': 'one',
    });
    const calls = { 'mcp.method.name': 'tools/call', 'network.transport': 'pipe' };
    expect(metricValue(receiver, 'mcp.server.operation.duration', calls)).toBe(2);
    const failed = { ...calls, 'error.type': 'tool_error' };
    expect(metricValue(receiver, 'mcp.server.operation.duration', failed)).toBe(1);
    expect(metricValue(receiver, 'zerto_rewind.audit.queue')).toBe(2);
    expect(receiver.metrics.map(({ name }) => name)).not.toContain('zerto_rewind.buffered.requests');
    const sums = receiver.metrics.flatMap(({ histogram, sum }) => histogram ?? sum ?? []);
    expect(new Set(sums.map((each) => (each as { aggregationTemporality: number }).aggregationTemporality))).toEqual(
      new Set([2]),
    );
  });

  test('again and again; an outage is told once, and its end; nothing that was counted meanwhile is lost', async () => {
    const receiver = await begin();
    const { metrics, said } = push(receiver.url, receiver.certificate.fingerprint256, 20);
    metrics.operation('ping', 0.1);
    await expect.poll(() => receiver.requests.length).toBeGreaterThan(1);
    receiver.answer(() => ({ status: 400 }));
    const before = receiver.requests.length;
    metrics.operation('ping', 0.1);
    await expect.poll(() => receiver.requests.length).toBeGreaterThan(before + 3);
    receiver.answer(undefined);
    await expect.poll(() => metricValue(receiver, 'mcp.server.operation.duration')).toBe(2);
    await expect
      .poll(() => told(said))
      .toEqual(['metrics do not get through: counting goes on', 'metrics get through again']);
    expect(said[0]).toMatchObject({ fields: { why: expect.stringContaining('answered 400') } });
  });

  test('a collector with another certificate gets nothing, and one that says nothing holds up no end', async () => {
    const [receiver, other] = [await begin({ delayMs: 60_000 }), await makeCertificate('other')];
    const wrong = push(receiver.url, other.fingerprint256);
    await wrong.pushed.close(30_000);
    expect([receiver.requests, told(wrong.said)]).toEqual([[], ['metrics do not get through: counting goes on']]);
    const slow = push(receiver.url, receiver.certificate.fingerprint256);
    const closed = slow.pushed.close(500);
    await closed;
    expect(told(slow.said)).toEqual([]);
  });
});
