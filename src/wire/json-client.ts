import { isAscii, isUtf8 } from 'node:buffer';
import { hasLoneSurrogate, isInteger, NULL_ID, readId, type WireId } from './json-id.js';
import { resemblesToolsCall } from './json-names.js';
import { walkStrictly } from './json-strict.js';
import { latin1, MAX_TEXT, readContainer, skipSpace, valueEnd } from './scan.js';

export type JsonObject = Record<string, unknown>;

const INVALID_REQUEST = -32600;
const PARSE_ERROR = -32700;

/** What a strict reading gives. `id` is absent where the message has none. */
type StrictReading =
  | { readonly kind: 'empty' }
  | { readonly kind: 'object'; readonly value: JsonObject; readonly id: WireId | undefined }
  | { readonly kind: 'refused'; readonly idText: string; readonly code: -32600 | -32700; readonly reason: string };

/** One JSON object that every reader takes for the same, or why it is not one. A single CR at the end belongs to the line end. */
export function readStrictly(line: Buffer): StrictReading {
  if (line.length > MAX_TEXT) return refuse('', 'the message is longer than a text can be');
  const text = latin1(line, line[line.length - 1] === 0x0d ? line.length - 1 : line.length);
  const start = skipSpace(text, 0);
  if (start === text.length) return { kind: 'empty' };
  const ascii = isAscii(line);
  if (!ascii && !isUtf8(line)) return explain(text, 'the message is not valid UTF-8');
  const parsed = parse(ascii ? text : line.toString('utf8', 0, text.length));
  if (parsed === undefined) return explain(text);
  const { json } = parsed;
  if (Array.isArray(json)) return refuse('', 'a batch (array) is not accepted');
  if (typeof json !== 'object' || json === null) return refuse('', 'the message is no object');
  return readObject(text, json as JsonObject);
}

function readObject(text: string, value: JsonObject): StrictReading {
  const { ambiguity, idAt } = walkStrictly(text);
  if (ambiguity !== undefined) return refuse(text, ambiguity);
  if (idAt < 0) return { kind: 'object', value, id: undefined };
  const start = skipSpace(text, idAt);
  const id = readId(text.slice(start, valueEnd(text, start)));
  if (id === undefined) return refuse(text, 'the id is neither a string nor a number');
  if (hasLoneSurrogate(id.idKey)) return refuse('', 'the id is no valid Unicode');
  return { kind: 'object', value, id };
}

/** Why an object that was read strictly is no acceptable request, notification or response; undefined where it is one. */
export function objection(value: JsonObject, id: WireId | undefined): string | undefined {
  const answers = Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error');
  if (!Object.hasOwn(value, 'method')) {
    if (!answers) return 'the message has no method and no result';
    return Object.hasOwn(value, 'result') && Object.hasOwn(value, 'error')
      ? 'result and error stand together'
      : undefined;
  }
  const { method } = value;
  if (typeof method !== 'string') return 'the method is no string';
  if (hasLoneSurrogate(method)) return 'the method is no valid Unicode';
  if (answers) return 'a method stands together with a result or error';
  if (resemblesToolsCall(method)) return 'the method could be read as "tools/call"';
  return method === 'tools/call' ? callObjection(value, id) : undefined;
}

function callObjection(value: JsonObject, id: WireId | undefined): string | undefined {
  if (value['jsonrpc'] !== '2.0') return 'a tools/call needs "jsonrpc":"2.0"';
  if (id === undefined) return 'a tools/call needs an id';
  if (typeof id.id !== 'string' && !isInteger(id.idText))
    return 'the id of a tools/call must be a string or an integer';
  const params = ownObject(value, 'params');
  if (params === undefined) return 'the params of a tools/call must be an object';
  const name = Object.hasOwn(params, 'name') ? params['name'] : undefined;
  if (typeof name !== 'string') return 'the name of a tools/call must be a string';
  if (hasLoneSurrogate(name)) return 'the name of a tools/call is no valid Unicode';
  const bad = Object.hasOwn(params, 'arguments') && ownObject(params, 'arguments') === undefined;
  return bad ? 'the arguments of a tools/call must be an object' : undefined;
}

/** The member of that name where it is an object (no array), else undefined. */
export function ownObject(value: JsonObject, name: string): JsonObject | undefined {
  const member = Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof member === 'object' && member !== null && !Array.isArray(member) ? (member as JsonObject) : undefined;
}

function parse(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

const BROKEN_STRING = 'a string holds a raw control character or an unknown escape';

/** -32600 for what some reader could still take for a message, -32700 for what is no JSON at all. */
function explain(text: string, reason?: string): StrictReading {
  const clean = text.replace(/^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)+/, '').replaceAll('\0', '');
  const start = skipSpace(clean, 0);
  const end = valueEnd(clean, start);
  const whole = end >= 0 && skipSpace(clean, end) === clean.length;
  if (whole)
    return refuse(clean, reason ?? (clean === text ? BROKEN_STRING : 'a byte order mark or NUL stands in the message'));
  if (startsWithValue(clean, start, end)) return refuse('', 'more than one value stands on the line');
  return { kind: 'refused', idText: 'null', code: PARSE_ERROR, reason: 'the line is no JSON' };
}

/** An object or array and then anything else, or nothing but values: a reader of a stream would take the first. */
function startsWithValue(text: string, start: number, firstEnd: number): boolean {
  const first = text[start];
  if (firstEnd >= 0 && (first === '{' || first === '[')) return true;
  let end = firstEnd;
  while (end >= 0 && skipSpace(text, end) < text.length) end = valueEnd(text, end);
  return end >= 0;
}

/** A refusal with the id of the object in `text`, if it has exactly one that can be repeated. */
function refuse(text: string, reason: string): StrictReading {
  return { kind: 'refused', idText: onlyId(text), code: INVALID_REQUEST, reason };
}

function onlyId(text: string): string {
  const ids = readContainer(text, skipSpace(text, 0))?.items.filter((item) => item.name === 'id') ?? [];
  const [id] = ids;
  if (id === undefined || ids.length > 1 || !isUtf8(Buffer.from(text.slice(id.valueStart, id.end), 'latin1')))
    return 'null';
  const read = readId(text.slice(id.valueStart, id.end)) ?? NULL_ID;
  return hasLoneSurrogate(read.idKey) ? 'null' : read.idText;
}
