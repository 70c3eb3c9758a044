import type { TraceContext } from '../domain/call.js';

/** Version 00; of a later one the same part is read, as the recommendation asks. */
const PARENT = /^(?!ff)[0-9a-f]{2}-((?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2})(?:$|-)/;
const STATE = /^[\x20-\x7e]{1,512}$/;

/** The trace context in a request's `_meta`; undefined where there is none, or it is none. The bytes of the request stay as they are. */
export function traceContext(meta: unknown): TraceContext | undefined {
  if (typeof meta !== 'object' || meta === null) return undefined;
  const { traceparent, tracestate } = meta as Readonly<Record<string, unknown>>;
  if (typeof traceparent !== 'string' || traceparent.length > 200) return undefined;
  const [, known] = PARENT.exec(traceparent) ?? [];
  if (known === undefined || (traceparent.startsWith('00') && traceparent.length !== 55)) return undefined;
  const state = typeof tracestate === 'string' && STATE.test(tracestate) ? { state: tracestate } : {};
  return { parent: `00-${known}`, ...state };
}
