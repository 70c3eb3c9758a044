import { quote } from '../domain/text.js';
import type { RequestMessage } from './message.js';
import { record } from './relay-peers.js';
import { versionOf } from './stateless-request.js';

/** What a JSON-RPC error says when the proxy itself cannot get an answer: the range is the one left to implementations. */
export const CONNECTION_CLOSED = -32000;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;

/** A result line; `idText` is the id as the client wrote it. */
export function resultLine(idText: string, resultJson: string): Buffer {
  return Buffer.from(`{"jsonrpc":"2.0","id":${idText},"result":${resultJson}}`);
}

/** What a result says in revision 2026-07-28. */
const COMPLETE = { resultType: 'complete' };
/** What a list says there beside it: it is not to be kept. */
export const COMPLETE_LIST = { ...COMPLETE, ttlMs: 0, cacheScope: 'private' };

/** A result of the proxy's own. From revision 2026-07-28 on clients take none that does not say that it is complete. */
export function ownResultLine(request: RequestMessage, result: object): Buffer {
  const complete = versionOf(request) === undefined ? {} : COMPLETE;
  return resultLine(request.idText, JSON.stringify({ ...complete, ...result }));
}

export function requestLine(id: string, method: string, params: unknown): Buffer {
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
}

export function notificationLine(method: string, params: unknown): Buffer {
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', method, params }));
}

/** A tool result by which the proxy tells the agent that, and why, its call did not go the usual way. */
export function refusalResult(text: string): object {
  return { content: [{ type: 'text', text }], isError: true };
}

/** The code of an error response. Undefined also for text that only the tolerant reader takes for a message. */
export function errorCodeOf(raw: Buffer): unknown {
  try {
    return record(record(JSON.parse(raw.toString('utf8')))['error'])['code'];
  } catch {
    return undefined;
  }
}

/** How the downstream ended, for the client and the log. */
export function goneText(server: string, code: number, started: boolean): string {
  const name = quote(server);
  return started
    ? `The MCP server ${name} ended (exit code ${code}).`
    : `The MCP server ${name} could not be started: check its command in the configuration.`;
}
