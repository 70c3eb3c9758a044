import { SeverityNumber } from '@opentelemetry/api-logs';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';
import { callAttributes, resultAttributes } from './otlp-attributes.js';
import { hrTime, type Scope } from './otlp-resource.js';
import { type Exported, type Level, levelOf } from './records.js';
import { spanIdOf, traceIdOf } from './span-ids.js';

const SEVERITY: Readonly<Record<Level, SeverityNumber>> = {
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
};

/** A record as a log record: its body is the line as it was written, `log.record.uid` is the same each time it is sent. */
export function logRecord(exported: Exported, resource: Resource, scope: Scope): ReadableLogRecord {
  const { id, at, kind, text, call } = exported;
  const level = levelOf(exported);
  const time = hrTime(at);
  return {
    hrTime: time,
    hrTimeObserved: time,
    severityNumber: SEVERITY[level],
    severityText: level.toUpperCase(),
    eventName: `zerto_rewind.audit.${kind}`,
    body: text,
    attributes: { 'log.record.uid': id, ...callAttributes(call), ...resultAttributes(exported) },
    droppedAttributesCount: 0,
    resource,
    instrumentationScope: scope,
    ...(call !== undefined && {
      spanContext: { traceId: traceIdOf(call), spanId: spanIdOf(call, 'server'), traceFlags: call.trace?.flags ?? 1 },
    }),
  };
}
