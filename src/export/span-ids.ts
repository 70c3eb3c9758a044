import { hash } from 'node:crypto';
import type { CallFacts } from './calls.js';

/** The spans of a call. */
type SpanRole = 'server' | 'guard' | 'client';

/** The trace of a call: the caller's where it sent one. The same each time it is asked for, so that a span sent twice is one span. */
export function traceIdOf({ id, trace }: Pick<CallFacts, 'id' | 'trace'>): string {
  return trace?.traceId ?? hash('sha256', `trace ${id}`, 'hex').slice(0, 32);
}

/** The span of one part of a call. */
export function spanIdOf({ id }: Pick<CallFacts, 'id'>, role: SpanRole): string {
  return hash('sha256', `${role} ${id}`, 'hex').slice(0, 16);
}
