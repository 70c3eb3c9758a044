import { type Assessment, assess } from '../domain/assessment.js';
import type { Reading, ToolCall } from '../domain/call.js';
import type { Classify, Interceptor, Prepare } from '../domain/ports.js';

/** What judging needs: the readers, the verdict, and what must be loaded before it. */
export interface Judges {
  readonly interceptors: readonly Interceptor[];
  readonly prepare: Prepare;
  readonly classify: Classify;
}

/** What is read in a call, and what that amounts to. */
export interface ReadCall {
  readonly reading: Reading;
  readonly assessment: Assessment;
}

/**
 * What the first interceptor that claims the tool reads in the call, and what that amounts to; a promise only where something must be
 * loaded first. Nobody claims it: unknown.
 */
export function judge(
  { interceptors, prepare, classify }: Judges,
  call: Pick<ToolCall, 'server' | 'tool' | 'arguments' | 'description'>,
): ReadCall | Promise<ReadCall> {
  const interceptor = interceptors.find(({ claims }) => claims(call.server, call.tool, call.description));
  if (interceptor === undefined) {
    const roles = Object.fromEntries(Object.keys(call.arguments).map((name) => [name, 'unknown' as const]));
    return { reading: { interceptor: 'none', roles, operations: [], hosts: [] }, assessment: assess([]) };
  }
  const reading = interceptor.read(call);
  const judged = (): ReadCall => ({ reading, assessment: classify(reading.operations) });
  return prepare(reading.operations)?.then(judged) ?? judged();
}
