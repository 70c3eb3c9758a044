import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import type { Metrics } from '../domain/meters.js';
import { countedAudit, countedCheckpoints } from './counted.js';
import { createMeters, watchGauges } from './instruments.js';

/** Metrics that are read by asking for their text; no port is listened on, and nothing is registered for the whole process. */
export function openMetrics(version: string): Metrics {
  const exporter = new PrometheusExporter({ preventServerStart: true });
  const serializer = new PrometheusSerializer('', false, undefined, true, true);
  const meter = new MeterProvider({ readers: [exporter] }).getMeter('zerto-rewind-proxy', version);
  meter
    .createObservableGauge('zerto_rewind.info', { description: 'Always 1; its label says which version runs.' })
    .addCallback((result) => result.observe(1, { version }));
  const meters = createMeters(meter);
  return {
    ...meters,
    countedAudit: (audit) => countedAudit(audit, meters),
    countedCheckpoints: (checkpoints, now) => countedCheckpoints(checkpoints, meters, now),
    watch: (read) => watchGauges(meter, read),
    text: async () => {
      const { resourceMetrics, errors } = await exporter.collect();
      if (errors.length > 0) throw new Error('a metric could not be read', { cause: errors[0] });
      return serializer.serialize(resourceMetrics);
    },
  };
}
