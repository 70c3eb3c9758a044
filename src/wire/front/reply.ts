import type { IncomingMessage, ServerResponse } from 'node:http';
import { refusal } from '../message.js';
import { CONNECTION_CLOSED } from '../relay-messages.js';

type Headers = Readonly<Record<string, string>>;

/** Why a request gets no answer from a downstream. `code` is JSON-RPC's, `idText` the id as the client wrote it. */
export interface Refused {
  readonly status: number;
  readonly message: string;
  readonly code?: number | undefined;
  readonly idText?: string | undefined;
  readonly headers?: Headers | undefined;
}

/** Answers with one JSON message. */
export function sendJson(response: ServerResponse, status: number, line: Uint8Array, headers: Headers = {}): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'content-length': String(line.length),
    'cache-control': 'no-store',
  });
  response.end(line);
}

/** Answers with a JSON-RPC error. A body that was not read whole ends the connection with it: its rest is no request. */
export function refuse(request: IncomingMessage, response: ServerResponse, why: Refused): void {
  const { status, message, code = CONNECTION_CLOSED, idText = 'null', headers = {} } = why;
  const unread = !request.complete && (request.headers['content-length'] ?? '0') !== '0';
  const chunked = !request.complete && request.headers['transfer-encoding'] !== undefined;
  const closing: Headers = unread || chunked ? { connection: 'close' } : {};
  sendJson(response, status, refusal(idText, code, message), { ...headers, ...closing });
  if (closing['connection'] !== undefined) drain(request);
}

/** Aborts when the client is gone. */
export function closing(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  else response.once('close', () => gone.abort());
  return gone.signal;
}

const DRAIN_MS = 2000;

/** A client that is still sending reads no answer from a connection that was reset: it is heard out for a moment. */
function drain(request: IncomingMessage): void {
  request.on('error', () => undefined);
  request.resume();
  setTimeout(() => request.destroy(), DRAIN_MS).unref();
}
