import type { IncomingMessage } from 'node:http';
import { type ClientMessage, type RequestMessage, readClientMessage } from '../message.js';
import { asOneLine, readBody } from './body.js';
import type { Budget, Lease } from './budget.js';
import { accepts, isJson } from './media.js';
import type { Refused } from './reply.js';

const JSON_OR_EVENTS = ['application/json', 'text/event-stream'];
const RETRY_SECONDS = '5';

/** A message that every reader takes for the same. */
export type Sent = Exclude<ClientMessage, { kind: 'empty' | 'refused' }>;

/** `body`: the bytes as they came, of which the message's text is one line. They count until `release` is called. */
export interface Incoming {
  readonly message: Sent;
  readonly body: Buffer;
  readonly release: () => void;
}

/** What of clients' messages may be held: the longest one, and all together. */
export interface Room {
  readonly maxBody: number;
  readonly budget: Budget;
}

/** The one message of a POST; undefined where the client left before it was whole. */
export async function readMessage(request: IncomingMessage, room: Room): Promise<Incoming | Refused | undefined> {
  const unfit = mediaProblem(request);
  if (unfit !== undefined) return unfit;
  const lease = room.budget.lease();
  const read = await readInto(lease, request, room.maxBody);
  if (read === undefined || 'status' in read) lease.release();
  return read;
}

async function readInto(
  lease: Lease,
  request: IncomingMessage,
  maxBody: number,
): Promise<Incoming | Refused | undefined> {
  const body = await readBody(request, maxBody, lease);
  if (body.kind === 'gone') return undefined;
  if (body.kind === 'no room') return busy('The server holds as many messages as it may.');
  if (body.kind === 'too large')
    return { status: 413, message: `The message is longer than ${maxBody} bytes. It was not forwarded.` };
  const message = readClientMessage(asOneLine(body.bytes));
  if (message.kind === 'empty')
    return { status: 400, code: -32700, message: 'The body is empty. Nothing was forwarded.' };
  if (message.kind !== 'refused') return { message, body: body.bytes, release: lease.release };
  const { code, idText, reason } = message;
  return { status: 400, code, idText, message: `The message was refused and not forwarded: ${reason}.` };
}

/** Undefined also where the header was given twice: nobody knows which of them another reader takes. */
export function headerOf(request: IncomingMessage, name: string): string | undefined {
  const values = request.headersDistinct[name];
  return values?.length === 1 ? values[0] : undefined;
}

/** There is no room for this now. */
export function busy(message: string, request?: RequestMessage): Refused {
  const headers = { 'retry-after': RETRY_SECONDS };
  return { status: 503, message: `${message} The request was not forwarded.`, idText: request?.idText, headers };
}

function mediaProblem(request: IncomingMessage): Refused | undefined {
  // Node takes `gzip, chunked` and leaves the inner coding to nobody: what stands before this server might read another body.
  const transfer = request.headers['transfer-encoding'];
  if (transfer !== undefined && transfer.trim().toLowerCase() !== 'chunked')
    return { status: 501, message: 'The only transfer coding that is taken is chunked. The body was not read.' };
  const encoding = request.headers['content-encoding'];
  const types = request.headersDistinct['content-type'] ?? [];
  if (types.length !== 1 || !isJson(types[0]) || (encoding !== undefined && encoding.toLowerCase() !== 'identity'))
    return { status: 415, message: 'The body must be application/json in UTF-8. It was not read.' };
  if (!accepts(request.headers.accept, JSON_OR_EVENTS))
    return { status: 406, message: 'The answer is application/json or text/event-stream: name both in Accept.' };
  return undefined;
}
