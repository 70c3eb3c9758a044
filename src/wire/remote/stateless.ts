import { record } from '../relay-peers.js';
import { headerValue, isHeaderSafe } from './header-values.js';
import type { ParamHeaders } from './param-headers.js';

const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';

/** The revision that a request carries in its `_meta` (2026-07-28 and later); undefined for one of a session. */
export function statelessVersion(params: unknown): string | undefined {
  const version = record(record(params)['_meta'])[PROTOCOL_VERSION];
  return typeof version === 'string' ? version : undefined;
}

/** Which member of the params a header repeats, by method. */
const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** The headers that repeat what a stateless message says of itself; undefined where a header cannot say it. */
export function statelessHeaders(
  { method, params }: { readonly method: string; readonly params: Readonly<Record<string, unknown>> | undefined },
  version: string,
  mirrored: ParamHeaders,
): Record<string, string> | undefined {
  if (!isHeaderSafe(version) || !isHeaderSafe(method) || version === '') return undefined;
  const headers: Record<string, string> = { 'mcp-protocol-version': version, 'mcp-method': method };
  const member = Object.hasOwn(NAMED, method) ? NAMED[method] : undefined;
  const name = member === undefined ? undefined : record(params)[member];
  if (typeof name === 'string') headers['mcp-name'] = headerValue(name);
  const called = method === 'tools/call' && typeof name === 'string';
  return called ? { ...headers, ...mirrored.for(name, record(params)['arguments']) } : headers;
}
