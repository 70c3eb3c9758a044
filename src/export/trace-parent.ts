/** The caller's trace context (W3C Trace Context), as a record holds it. Ids are lower-case hex. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
  readonly state?: string | undefined;
}

/** Reads what `src/audit` wrote as `trace`. Anything else is no context. */
export function traceOf(value: unknown): TraceParent | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { parent, state } = value as Readonly<Record<string, unknown>>;
  const [, traceId, spanId, flags] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(typeof parent === 'string' ? parent : '') ?? [];
  if (traceId === undefined || spanId === undefined || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return {
    traceId,
    spanId,
    flags: Number.parseInt(flags ?? '0', 16),
    ...(typeof state === 'string' && { state }),
  };
}
