import type { Resource } from '@opentelemetry/resources';
import { MeterProvider, type MetricReader } from '@opentelemetry/sdk-metrics';
import type { Metrics } from '../domain/meters.js';
import { countedAudit, countedCheckpoints } from './counted.js';
import { createMeters, watchGauges } from './instruments.js';

export interface MetricsOptions {
  readonly version: string;
  /** How clients reach the process. */
  readonly transport: 'pipe' | 'tcp';
  /** Whoever gets the numbers. */
  readonly readers: readonly MetricReader[];
  readonly resource?: Resource | undefined;
}

/** The metrics of a process; nothing is registered for the whole of it. */
export function openMetrics({ version, transport, readers, resource }: MetricsOptions): Omit<Metrics, 'close'> {
  const provider = new MeterProvider({ readers: [...readers], ...(resource !== undefined && { resource }) });
  const meter = provider.getMeter('zerto-rewind-proxy', version);
  meter
    .createObservableGauge('zerto_rewind.info', { description: 'Always 1; its label says which version runs.' })
    .addCallback((result) => result.observe(1, { version }));
  const meters = createMeters(meter, transport);
  return {
    ...meters,
    countedAudit: (audit) => countedAudit(audit, meters),
    countedCheckpoints: (checkpoints, now) => countedCheckpoints(checkpoints, meters, now),
    watch: (read) => watchGauges(meter, read),
  };
}
