import { record } from '../relay-peers.js';
import { namedMember } from '../stateless-request.js';
import { headerValue, isHeaderSafe } from './header-values.js';
import type { ParamHeaders } from './param-headers.js';

/** The headers that repeat what a stateless message says of itself; undefined where a header cannot say it. */
export function statelessHeaders(
  { method, params }: { readonly method: string; readonly params: Readonly<Record<string, unknown>> | undefined },
  version: string,
  mirrored: ParamHeaders,
): Record<string, string> | undefined {
  if (!isHeaderSafe(version) || !isHeaderSafe(method) || version === '') return undefined;
  const headers: Record<string, string> = { 'mcp-protocol-version': version, 'mcp-method': method };
  const member = namedMember(method);
  const name = member === undefined ? undefined : record(params)[member];
  if (typeof name === 'string') headers['mcp-name'] = headerValue(name);
  const called = method === 'tools/call' && typeof name === 'string';
  return called ? { ...headers, ...mirrored.for(name, record(params)['arguments']) } : headers;
}
