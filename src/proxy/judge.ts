import { type Assessment, assess } from '../domain/assessment.js';
import type { Reading, ToolCall } from '../domain/call.js';
import type { Classify, Interceptor } from '../domain/ports.js';

/** What the first interceptor that claims the tool reads in the call, and what that amounts to. Nobody claims it: unknown. */
export function judge(
  { interceptors, classify }: { readonly interceptors: readonly Interceptor[]; readonly classify: Classify },
  call: Pick<ToolCall, 'server' | 'tool' | 'arguments' | 'description'>,
): { readonly reading: Reading; readonly assessment: Assessment } {
  const interceptor = interceptors.find(({ claims }) => claims(call.server, call.tool, call.description));
  if (interceptor === undefined) {
    const roles = Object.fromEntries(Object.keys(call.arguments).map((name) => [name, 'unknown' as const]));
    return { reading: { interceptor: 'none', roles, operations: [], hosts: [] }, assessment: assess([]) };
  }
  const reading = interceptor.read(call);
  return { reading, assessment: classify(reading.operations) };
}
