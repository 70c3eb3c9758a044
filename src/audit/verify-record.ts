import { type PlainRecord, readPlain } from './plain-record.js';
import { type JsonObject, type Line, objectIn, textIn } from './read.js';
import { canonical, recordHash, SIGNED, sha256, signedText } from './record.js';
import { isSigned } from './signing.js';

/** How far a chain was checked. */
export interface Place {
  readonly chain: string;
  seq: number;
  hash: string;
  /** Of the file that is read: its part, how many of its records were taken, and what its last one ended. */
  part: number;
  taken: number;
  over: 'file' | 'chain' | undefined;
  /** The key that the chain's signatures must be by, as its start names it. */
  key: string | undefined;
  /** The number of the last record that a signature vouches for. */
  signed: number;
}

/** The record of a line, or what is wrong with it where it does not follow `place`. `keys`: who may have signed, where that is known. */
export function checkRecord(
  place: Place,
  line: Line,
  keys: ReadonlySet<string> | undefined,
): { readonly record: JsonObject } | { readonly why: string } {
  if (place.over !== undefined) return { why: 'something stands after the end record' };
  if (line.long) return { why: 'the line is longer than any record' };
  const read = readLine(line);
  if (read === undefined) return { why: 'not a record: the line was edited' };
  const why = wrongPlace(read.record, place) ?? wrongBytes(read, place) ?? wrongKind(read.record, place, keys);
  return why === undefined ? read : { why };
}

interface Read {
  readonly record: JsonObject;
  readonly text: string;
}

function readLine({ bytes }: Line): Read | PlainRecord | undefined {
  try {
    const plain = readPlain(bytes);
    if (plain !== undefined) return plain;
    const text = textIn(bytes);
    const record = objectIn(text);
    return record === undefined ? undefined : { record, text };
  } catch {
    return undefined;
  }
}

function wrongPlace(record: JsonObject, place: Place): string | undefined {
  const expected = place.seq + 1;
  if (record['v'] !== 1) return `version ${JSON.stringify(record['v'])} instead of 1`;
  if (record['seq'] !== expected) {
    return `record ${JSON.stringify(record['seq'])} stands where ${expected} belongs: one was removed, inserted or moved`;
  }
  if (record['chain'] !== place.chain) return 'the record belongs to another file: it was moved, or the file renamed';
  if (record['prev'] !== place.hash) return 'the record does not follow the one before: one of them was replaced';
  return undefined;
}

const EDITED = 'the record was edited: its hash does not match';

function wrongBytes(read: Read | PlainRecord, place: Place): string | undefined {
  const { record } = read;
  if ('unhashed' in read) return sha256(place.hash + read.unhashed) === record['hash'] ? undefined : EDITED;
  try {
    if (record['hash'] !== hashIn(record, read.text, place.hash)) return EDITED;
    return isCanonical(record, read.text) ? undefined : 'the line was edited: not the bytes that were written';
  } catch {
    // Deep nesting or lone surrogates, which the log never writes, cannot be hashed.
    return EDITED;
  }
}

/** The hash that the record must carry. Cutting its own `hash` out of the text is right wherever the text is canonical. */
function hashIn(record: JsonObject, text: string, prev: string): string {
  const member = `,"hash":"${String(record['hash'])}",`;
  const at = text.indexOf(member);
  if (at < 0 || text.indexOf(member, at + 1) >= 0) return recordHash(record, prev);
  return sha256(`${prev}${text.slice(0, at)},${text.slice(at + member.length)}`);
}

/** Sorted names and what JSON.stringify writes are canonical (RFC 8785, 3.2); whatever else may be is left to the general implementation. */
function isCanonical(record: JsonObject, text: string): boolean {
  const plain = !text.includes('\\ud') && JSON.stringify(record) === text && isSorted(record);
  return plain || canonical(record) === text;
}

function isSorted(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isSorted);
  let last: string | undefined;
  for (const [name, member] of Object.entries(value)) {
    if ((last !== undefined && last >= name) || !isSorted(member)) return false;
    last = name;
  }
  return true;
}

function wrongKind(record: JsonObject, place: Place, keys: ReadonlySet<string> | undefined): string | undefined {
  if ((record['kind'] === 'start') !== (place.taken === 0)) return 'a start record must come first, and only there';
  if (record['kind'] === 'start') return wrongStart(record, place, keys);
  return SIGNED.has(record['kind']) && place.key !== undefined ? wrongSignature(record, place.key) : undefined;
}

function wrongStart(record: JsonObject, place: Place, keys: ReadonlySet<string> | undefined): string | undefined {
  const { part = 1, key } = record;
  if (part !== place.part) return `part ${JSON.stringify(part)} stands where part ${place.part} belongs`;
  if (place.key !== undefined && key !== place.key) return 'the file names another signing key than the one before it';
  if (keys === undefined) return undefined;
  if (typeof key !== 'string') return 'the heads of this chain are not signed';
  return keys.has(key) ? undefined : 'the heads of this chain are signed by a key that is not among the given ones';
}

/** Nothing where the record's signature is by the key. */
export function wrongSignature(record: JsonObject, key: string): string | undefined {
  return isSigned(signedText(record), key, record['sig']) ? undefined : 'the signature does not match';
}

/** Goes on behind a record that is as it should be. */
export function take(place: Place, record: JsonObject): void {
  place.seq += 1;
  place.taken += 1;
  place.hash = String(record['hash']);
  if (record['kind'] === 'start' && typeof record['key'] === 'string') place.key = record['key'];
  if (record['kind'] === 'end') place.over = 'chain';
  if (record['kind'] === 'rotate') place.over = 'file';
  if (place.key !== undefined && SIGNED.has(record['kind'])) place.signed = place.seq;
}
