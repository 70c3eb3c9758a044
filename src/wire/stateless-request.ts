import { PROTOCOL_VERSION, record } from './relay-peers.js';

const NAMED: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/** The revision that a request names in its `_meta` (2026-07-28 and later); undefined for one of a session. */
export function versionOf({ params }: { readonly params: unknown }): string | undefined {
  const version = record(record(params)['_meta'])[PROTOCOL_VERSION];
  return typeof version === 'string' ? version : undefined;
}

/** Which member of `params` the header Mcp-Name repeats, by method. */
export function namedMember(method: string): string | undefined {
  return NAMED.get(method);
}
