import { AggregationTemporalityPreference, OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  MeterProvider,
  MetricReader,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import type { Logger } from '../domain/ports.js';
import { resourceOf } from './otlp-resource.js';
import { type Done, type OtlpOptions, type OtlpTarget, otlpWay } from './otlp-way.js';
import { reasonOf, type Sink } from './sink.js';

export interface PushOptions extends OtlpOptions {
  /** Differs for each process and start: what one counts must not be taken for what another one counts. */
  readonly instance: string;
  readonly everyMs: number;
}

/** What a process's metrics need to go to a collector. */
export interface MetricsPush {
  readonly reader: MetricReader;
  readonly resource: Resource;
  /** Sends how things stand at the end, for so long. */
  close(graceMs: number): Promise<void>;
}

/** Sends what was counted from the process's start on, time after time: what did not get through is in the next one. */
export function otlpMetrics(target: OtlpTarget, options: PushOptions): MetricsPush {
  const { version, hostname, instance, everyMs, log } = options;
  const way = otlpWay('metrics', target, log);
  const outage = new Outage(log);
  const put = putter(way.config);
  const send = async (metrics: ResourceMetrics): Promise<void> => {
    await way
      .send((done) => put(metrics, done))
      .then(
        () => outage.over(),
        (error: unknown) => outage.failed(error),
      );
  };
  let sending: Promise<void> | undefined;
  const exporter: PushMetricExporter = {
    // The reader would tell each failure. While one is on its way the next is left out: a later one holds what it held.
    export: (metrics, done) => {
      sending ??= send(metrics).finally(() => {
        sending = undefined;
      });
      done({ code: 0 });
    },
    forceFlush: async () => sending,
    shutdown: async () => undefined,
    selectAggregationTemporality: () => AggregationTemporality.CUMULATIVE,
  };
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: everyMs,
    exportTimeoutMillis: everyMs,
  });
  return {
    reader,
    resource: resourceOf(version, hostname, instance),
    close: async (graceMs) => {
      const last = async () => {
        await sending;
        await reader.shutdown();
      };
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, graceMs);
      });
      await Promise.race([last(), late]);
      clearTimeout(timer);
      outage.ending();
      way.close();
    },
  };
}

/** What `audit export --test-event` sends of metrics: a gauge that says that there was a test. */
export function otlpMetricsTest(target: OtlpTarget, { version, hostname, log }: OtlpOptions): Sink {
  const way = otlpWay('metrics', target, log);
  const put = putter(way.config);
  const reader = new OnDemand();
  const provider = new MeterProvider({ readers: [reader], resource: resourceOf(version, hostname, 'test') });
  const gauge = provider.getMeter('zerto-rewind-proxy', version).createGauge('zerto_rewind.test');
  return {
    send: async (batch, abort) => {
      for (const { id } of batch) gauge.record(1, { 'zerto_rewind.test': id });
      const { resourceMetrics } = await reader.collect();
      await way.send((done) => put(resourceMetrics, done), abort);
    },
    close: async () => way.close(),
  };
}

/** What was counted goes out as a sum since the start, whatever the environment prefers. */
function putter(config: ReturnType<typeof otlpWay>['config']): (metrics: ResourceMetrics, done: Done) => void {
  const temporalityPreference = AggregationTemporalityPreference.CUMULATIVE;
  const exporter = new OTLPMetricExporter({ ...config, temporalityPreference });
  return (metrics, done) => exporter.export(metrics, done);
}

class OnDemand extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

/** From the first failure to the next success; told once. */
class Outage {
  readonly #log: Logger;
  #lasts = false;
  #isEnding = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  failed(error: unknown): void {
    if (this.#lasts || this.#isEnding) return;
    this.#lasts = true;
    this.#log.warn({ export: 'otlp-metrics', why: reasonOf(error) }, 'metrics do not get through: counting goes on');
  }

  over(): void {
    if (this.#lasts) this.#log.info({ export: 'otlp-metrics' }, 'metrics get through again');
    this.#lasts = false;
  }

  /** What is cut off now is no outage. */
  ending(): void {
    this.#isEnding = true;
  }
}
