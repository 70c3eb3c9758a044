import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import type { MetricReader } from '@opentelemetry/sdk-metrics';

/** A page in the text format of Prometheus. */
export interface PrometheusPage {
  readonly reader: MetricReader;
  text(): Promise<string>;
}

/** It is read by asking for its text; no port is listened on. */
export function prometheusPage(): PrometheusPage {
  const reader = new PrometheusExporter({ preventServerStart: true });
  const serializer = new PrometheusSerializer('', false, undefined, true, true);
  return {
    reader,
    text: async () => {
      const { resourceMetrics, errors } = await reader.collect();
      if (errors.length > 0) throw new Error('a metric could not be read', { cause: errors[0] });
      return serializer.serialize(resourceMetrics);
    },
  };
}
