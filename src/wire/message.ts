import { type JsonObject, objection, ownObject, readStrictly } from './json-client.js';
import { type JsonId, NULL_ID, readId, type WireId } from './json-id.js';
import {
  type Container,
  decodeString,
  type Item,
  lastNamed,
  latin1,
  MAX_TEXT,
  readContainer,
  skipSpace,
  valueEnd,
} from './scan.js';

/** `idKey` tells ids apart by type and by all digits; `idText` is the id as written; `raw` the line as it came. */
export interface RequestMessage {
  readonly kind: 'request';
  readonly id: JsonId;
  readonly idKey: string;
  readonly idText: string;
  readonly method: string;
  readonly params: Record<string, unknown> | undefined;
  readonly raw: Buffer;
}

export interface NotificationMessage {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: Record<string, unknown> | undefined;
  readonly raw: Buffer;
}

/** `isError` is JSON-RPC's error member, not the isError of a tool result. `result` is parsed when it is first read. */
export interface ResponseMessage {
  readonly kind: 'response';
  readonly idKey: string;
  readonly idText: string;
  readonly isError: boolean;
  readonly result: unknown;
  readonly raw: Buffer;
}

export type ClientMessage =
  | RequestMessage
  | NotificationMessage
  | ResponseMessage
  | { readonly kind: 'refused'; readonly idText: string; readonly code: -32600 | -32700; readonly reason: string }
  | { readonly kind: 'empty' };

export type ServerMessage =
  | RequestMessage
  | NotificationMessage
  | ResponseMessage
  | { readonly kind: 'other'; readonly raw: Buffer }
  | { readonly kind: 'junk'; readonly why: string }
  | { readonly kind: 'empty' };

/** Reads a line of the client strictly: what two readers could take for two different things is refused. */
export function readClientMessage(line: Buffer): ClientMessage {
  const reading = readStrictly(line);
  if (reading.kind !== 'object') return reading;
  const { value, id } = reading;
  const reason = objection(value, id);
  if (reason !== undefined) return { kind: 'refused', idText: idToRepeat(id), code: -32600, reason };
  return fromClient(value, id, line);
}

/** Reads a line of a server tolerantly, without parsing more than is asked for. Only what is no JSON at all is junk. */
export function readServerMessage(line: Buffer): ServerMessage {
  if (line.length > MAX_TEXT) return { kind: 'other', raw: line };
  const text = latin1(line);
  const start = skipSpace(text, 0);
  if (start === text.length) return { kind: 'empty' };
  const top = text[start] === '{' ? readContainer(text, start) : undefined;
  const end = top?.end ?? valueEnd(text, start);
  if (end < 0 || skipSpace(text, end) !== text.length) return { kind: 'junk', why: 'no JSON' };
  return (top && fromServer(text, top, line)) ?? { kind: 'other', raw: line };
}

/** The messages of an array (revision 2025-03-26 has such batches); none for anything else. An array inside is one opaque message. */
export function readBatch(raw: Buffer): readonly ServerMessage[] {
  if (raw.length > MAX_TEXT) return [];
  const text = latin1(raw);
  const start = skipSpace(text, 0);
  const items = text[start] === '[' ? readContainer(text, start)?.items : undefined;
  return (items ?? []).map((item) => readServerMessage(raw.subarray(item.valueStart, item.end)));
}

/** True where the last `result` of a response says `"isError": true`, as a failed tools/call does. */
export function resultIsError(raw: Buffer): boolean {
  // The name can stand nowhere, neither as it is nor with an escape.
  if (!raw.includes('isError') && !raw.includes('\\u')) return false;
  const text = latin1(raw);
  const result = lastNamed(readContainer(text, skipSpace(text, 0)), 'result');
  const isError = result && lastNamed(readContainer(text, result.valueStart), 'isError');
  return isError !== undefined && text.slice(isError.valueStart, isError.end) === 'true';
}

/** One JSON-RPC error without line end. `idText` is the id as JSON text, put in as it is. */
export function refusal(idText: string, code: number, message: string): Buffer {
  return Buffer.from(`{"jsonrpc":"2.0","id":${idText},"error":{"code":${code},"message":${JSON.stringify(message)}}}`);
}

function idToRepeat(id: WireId | undefined): string {
  return id === undefined ? 'null' : id.idText;
}

function fromClient(value: JsonObject, id: WireId | undefined, raw: Buffer): ClientMessage {
  const { method } = value;
  if (typeof method !== 'string' || !Object.hasOwn(value, 'method')) {
    const { idKey, idText } = id ?? NULL_ID;
    const isError = Object.hasOwn(value, 'error');
    return { kind: 'response', idKey, idText, isError, result: isError ? undefined : value['result'], raw };
  }
  const params = ownObject(value, 'params');
  if (id === undefined) return { kind: 'notification', method, params, raw };
  return { kind: 'request', id: id.id, idKey: id.idKey, idText: id.idText, method, params, raw };
}

function fromServer(text: string, top: Container, raw: Buffer): ServerMessage | undefined {
  const method = lastNamed(top, 'method');
  const result = lastNamed(top, 'result');
  const error = lastNamed(top, 'error');
  const idItem = lastNamed(top, 'id');
  const id = idItem === undefined ? undefined : readId(text.slice(idItem.valueStart, idItem.end));
  if (idItem !== undefined && id === undefined) return undefined;
  if (method === undefined) return result || error ? response(text, id ?? NULL_ID, result, error, raw) : undefined;
  if (result !== undefined || error !== undefined || text[method.valueStart] !== '"') return undefined;
  const name = decodeString(text, method.valueStart, method.end);
  const params = objectItem(text, top, 'params');
  return id === undefined ? new ServerNotification(name, params, raw) : new ServerRequest(id, name, params, raw);
}

/** The member of that name where it is an object. */
function objectItem(text: string, of: Container, name: string): Item | undefined {
  const item = lastNamed(of, name);
  return item !== undefined && text[item.valueStart] === '{' ? item : undefined;
}

function response(
  text: string,
  id: WireId,
  result: Item | undefined,
  error: Item | undefined,
  raw: Buffer,
): ResponseMessage {
  // "error": null beside a result is how JSON-RPC 1 says that there is none.
  const isError = error !== undefined && (result === undefined || text[error.valueStart] !== 'n');
  return new Response(id, isError, isError ? undefined : result, raw);
}

// Classes, since an object literal with an accessor has a shape of its own each time, which costs every reader of any message.

class ServerNotification implements NotificationMessage {
  readonly kind = 'notification';
  readonly method: string;
  readonly raw: Buffer;
  readonly #params: LazyItem;

  constructor(method: string, params: Item | undefined, raw: Buffer) {
    this.method = method;
    this.raw = raw;
    this.#params = new LazyItem(raw, params);
  }

  get params(): JsonObject | undefined {
    return this.#params.value as JsonObject | undefined;
  }
}

class ServerRequest implements RequestMessage {
  readonly kind = 'request';
  readonly id: JsonId;
  readonly idKey: string;
  readonly idText: string;
  readonly method: string;
  readonly raw: Buffer;
  readonly #params: LazyItem;

  constructor({ id, idKey, idText }: WireId, method: string, params: Item | undefined, raw: Buffer) {
    this.id = id;
    this.idKey = idKey;
    this.idText = idText;
    this.method = method;
    this.raw = raw;
    this.#params = new LazyItem(raw, params);
  }

  get params(): JsonObject | undefined {
    return this.#params.value as JsonObject | undefined;
  }
}

class Response implements ResponseMessage {
  readonly kind = 'response';
  readonly idKey: string;
  readonly idText: string;
  readonly isError: boolean;
  readonly raw: Buffer;
  readonly #result: LazyItem;

  constructor({ idKey, idText }: WireId, isError: boolean, result: Item | undefined, raw: Buffer) {
    this.idKey = idKey;
    this.idText = idText;
    this.isError = isError;
    this.raw = raw;
    this.#result = new LazyItem(raw, result);
  }

  get result(): unknown {
    return this.#result.value;
  }
}

/** A member that is parsed when it is first read. */
class LazyItem {
  readonly #raw: Buffer;
  #item: Item | undefined;
  #value: unknown;

  constructor(raw: Buffer, item: Item | undefined) {
    this.#raw = raw;
    this.#item = item;
  }

  get value(): unknown {
    if (this.#item !== undefined) this.#value = parseItem(this.#raw, this.#item);
    this.#item = undefined;
    return this.#value;
  }
}

function parseItem(raw: Buffer, item: Item): unknown {
  try {
    return JSON.parse(raw.toString('utf8', item.valueStart, item.end));
  } catch {
    return undefined;
  }
}
