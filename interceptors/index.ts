import type { Reading, ToolCall } from '../src/domain/call.js';
import type { Interceptor } from '../src/domain/ports.js';
import { generic } from './generic.js';
import { sessionReaders } from './session.js';

export { describeOffline, readTool } from './describe.js';
export { listTools } from './list-tools.js';
export { type SessionReaders, sessionReaders } from './session.js';
export { checkToolRules, type ToolRules, userRules } from './user-rules.js';

/** Those of a session that has opened no connection yet. */
export const interceptors: readonly Interceptor[] = sessionReaders().interceptors;

/** Roles, operations and hosts of one call. An operator's rules (`userRules`) come first in `list` where there are any. */
export function readCall(
  call: Pick<ToolCall, 'server' | 'tool' | 'arguments' | 'description'>,
  list: readonly Interceptor[] = interceptors,
): Reading {
  const interceptor = list.find((candidate) => candidate.claims(call.server, call.tool, call.description)) ?? generic;
  return interceptor.read(call);
}
