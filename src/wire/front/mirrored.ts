import { quote } from '../../domain/text.js';
import type { RequestMessage } from '../message.js';
import { record } from '../relay-peers.js';
import { namedMember, versionOf } from '../stateless-request.js';

export const HEADER_MISMATCH = -32020;
const FIRST_STATELESS = '2026-07-28';
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** A header's value by its lower-case name; undefined where it is missing or given twice. */
export type HeaderOf = (name: string) => string | undefined;

/** A revision without sessions. What is no date at all is one that nobody knows: an error of that revision answers it. */
export function isStateless(version: string): boolean {
  return !DATE.test(version) || version >= FIRST_STATELESS;
}

/** The revision by which a request says that it needs no session; undefined for a request of a session. */
export function statelessVersion(request: Pick<RequestMessage, 'params'>): string | undefined {
  const version = versionOf(request);
  return version !== undefined && isStateless(version) ? version : undefined;
}

/** How the headers of a stateless request (2026-07-28) differ from its body; undefined where they agree. */
export function headerMismatch(header: HeaderOf, request: RequestMessage): string | undefined {
  const member = namedMember(request.method);
  const name = member === undefined ? undefined : record(request.params)[member];
  const version = versionOf(request);
  // A body that names no revision is no valid one, which is another error than a disagreement.
  const wrong = version && difference('MCP-Protocol-Version', header('mcp-protocol-version'), version);
  return (
    (wrong || undefined) ??
    difference('Mcp-Method', header('mcp-method'), request.method) ??
    (typeof name === 'string' ? difference('Mcp-Name', decoded(header('mcp-name')), name) : undefined)
  );
}

/** How the headers that a request has differ from its body, where it needs none. */
export function givenMismatch(header: HeaderOf, { method, params }: RequestMessage): string | undefined {
  const member = namedMember(method);
  const name = member === undefined ? undefined : record(params)[member];
  const given = header('mcp-name');
  const wrongMethod = header('mcp-method') !== undefined && difference('Mcp-Method', header('mcp-method'), method);
  const wrongName =
    given !== undefined && typeof name === 'string' ? difference('Mcp-Name', decoded(given), name) : undefined;
  return wrongMethod || wrongName;
}

function difference(title: string, value: string | undefined, expected: string): string | undefined {
  if (value === expected) return undefined;
  const given = value === undefined ? 'missing, unreadable or given twice' : quote(value);
  return `Header mismatch: ${title} is ${given}, the body says ${quote(expected)}`;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** A value that was sent in the sentinel form `=?base64?…?=`, as the text that it stands for. */
export function decoded(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  if (encoded === undefined) return /^[\t\x20-\x7e]*$/.test(value) ? value : undefined;
  if (!BASE64.test(encoded)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
}
