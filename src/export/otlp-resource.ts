import type { HrTime } from '@opentelemetry/api';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';

/** Who tells. Records of one scope must carry the same object. */
export interface Scope {
  readonly name: string;
  readonly version: string;
}

/** This machine's proxy, or one process of it: no detector runs, and nothing of the environment goes out. */
export function resourceOf(version: string, host: string, instance?: string): Resource {
  return resourceFromAttributes({
    'service.name': 'zerto-rewind-proxy',
    'service.version': version,
    'host.name': host,
    ...(instance !== undefined && { 'service.instance.id': instance }),
  });
}

/** An ISO 8601 time as seconds and nanoseconds. */
export function hrTime(at: string): HrTime {
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return [0, 0];
  return [Math.floor(ms / 1000), (ms - Math.floor(ms / 1000) * 1000) * 1_000_000];
}
