import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { ExportTargets } from './domain/export-targets.js';
import type { Metrics } from './domain/meters.js';
import type { Logger } from './domain/ports.js';
import type { MetricsPush } from './export/otlp-metrics.js';
import { deferredMetrics } from './metrics/deferred.js';
import type { PrometheusPage } from './metrics/prometheus.js';

export interface MeasuringOptions {
  readonly config: ExportTargets;
  readonly version: string;
  readonly log: Logger;
}

/** What is left to send when the process ends gets so long. */
const GRACE_MS = 500;

/** The metrics of a process with one client, which go to the collector of the config; undefined where none gets any. Nothing is loaded before the first call. */
export function pushedMetrics(options: MeasuringOptions): Metrics | undefined {
  if (options.config.otlp?.metrics !== true) return undefined;
  return deferredMetrics(async () => measure(options, 'pipe', await openPush(options)), options.log);
}

/** The metrics of `serve`, for its page and for the collector of the config, where there is one. */
export async function servedMetrics(
  options: MeasuringOptions,
): Promise<{ readonly metrics: Metrics; readonly page: PrometheusPage }> {
  const [{ prometheusPage }, push] = await Promise.all([import('./metrics/prometheus.js'), openPush(options)]);
  const page = prometheusPage();
  return { metrics: await measure(options, 'tcp', push, page), page };
}

async function measure(
  { version }: MeasuringOptions,
  transport: 'pipe' | 'tcp',
  push?: MetricsPush,
  page?: PrometheusPage,
): Promise<Metrics> {
  const { openMetrics } = await import('./metrics/open.js');
  const readers = [push, page].flatMap((each) => (each === undefined ? [] : [each.reader]));
  const metrics = openMetrics({ version, transport, readers, resource: push?.resource });
  return { ...metrics, close: async () => push?.close(GRACE_MS) };
}

async function openPush({ config: { otlp }, version, log }: MeasuringOptions): Promise<MetricsPush | undefined> {
  if (otlp?.metrics !== true) return undefined;
  const { otlpMetrics } = await import('./export/otlp-metrics.js');
  const target = { url: otlp.url, headers: otlp.headers, trust: otlp.tls };
  const everyMs = otlp.metricsEverySeconds * 1000;
  return otlpMetrics(target, { version, hostname: hostname(), instance: randomUUID(), everyMs, log });
}
