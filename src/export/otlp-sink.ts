import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { logRecord } from './otlp-logs.js';
import { resourceOf } from './otlp-resource.js';
import { spansOf } from './otlp-spans.js';
import { type Done, type OtlpOptions, type OtlpTarget, otlpWay } from './otlp-way.js';
import type { Exported } from './records.js';
import type { Sink } from './sink.js';

/** Log records or spans to a collector, by the official exporters; a collector's answer is its acknowledgement. */
export function otlpSink(signal: 'logs' | 'traces', target: OtlpTarget, { version, hostname, log }: OtlpOptions): Sink {
  const way = otlpWay(signal, target, log);
  const resource = resourceOf(version, hostname);
  const scope = { name: 'zerto-rewind-proxy', version };
  const exporter = signal === 'logs' ? new OTLPLogExporter(way.config) : new OTLPTraceExporter(way.config);
  const put = (batch: readonly Exported[], done: Done): void => {
    if (exporter instanceof OTLPLogExporter) {
      exporter.export(
        batch.map((record) => logRecord(record, resource, scope)),
        done,
      );
      return;
    }
    const spans = batch.flatMap((record) => [...spansOf(record, resource, scope)]);
    if (spans.length > 0) exporter.export(spans, done);
    else done({ code: 0 });
  };
  return {
    send: (batch, abort) => way.send((done) => put(batch, done), abort),
    close: async () => way.close(),
  };
}
