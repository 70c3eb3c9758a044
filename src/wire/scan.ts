import { constants } from 'node:buffer';

/**
 * A scanner for JSON text that was decoded as latin1, so that an offset in the text is an offset in the bytes. It checks the grammar
 * outside of strings, keeps no tree, and does not recurse: nesting is limited by memory alone.
 */

/** A member of an object or an element of an array. `start` is the name's quote (for an element the value), `end` lies after the value. */
export interface Item {
  readonly name: string;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** The members or elements in the order of the text, and the offset after the closing bracket. */
export interface Container {
  readonly items: readonly Item[];
  readonly end: number;
}

export const QUOTE = 0x22;
export const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
export const BRACKET = 0x5b;
export const BRACE = 0x7b;
/** Both closing brackets lie two code points after their opening one. */
export const TO_CLOSING = 2;

/** A longer line cannot be read as text, by this process or by a peer on the same engine. */
export const MAX_TEXT = constants.MAX_STRING_LENGTH;

/** The bytes (up to `end`) as text to scan; empty where they are more than a text can hold. */
export function latin1(bytes: Buffer, end: number = bytes.length): string {
  return end > MAX_TEXT ? '' : bytes.toString('latin1', 0, end);
}

/** The first offset at or after `at` that holds no JSON whitespace. */
export function skipSpace(text: string, at: number): number {
  let i = at;
  for (;;) {
    const code = text.charCodeAt(i);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return i;
    i += 1;
  }
}

/** The offset after the JSON value that starts at or after `at`, or -1 where there is no complete one. */
export function valueEnd(text: string, at: number): number {
  const open: number[] = [];
  let i = descend(text, at, open);
  while (i >= 0) {
    const container = open[open.length - 1];
    if (container === undefined) return i;
    i = skipSpace(text, i);
    const code = text.charCodeAt(i);
    if (code === container + TO_CLOSING) {
      open.pop();
      i += 1;
    } else if (code === COMMA) {
      i = descend(text, container === BRACE ? afterColon(text, i + 1) : i + 1, open);
    } else {
      return -1;
    }
  }
  return -1;
}

/** The parts of the object or array at `at` (no whitespace before it), or undefined where the text there is neither or is broken. */
export function readContainer(text: string, at: number): Container | undefined {
  const bracket = text.charCodeAt(at);
  if (bracket !== BRACE && bracket !== BRACKET) return undefined;
  const items: Item[] = [];
  let i = skipSpace(text, at + 1);
  if (text.charCodeAt(i) === bracket + TO_CLOSING) return { items, end: i + 1 };
  for (;;) {
    const item = readItem(text, i, bracket === BRACE);
    if (item === undefined) return undefined;
    items.push(item);
    i = skipSpace(text, item.end);
    const code = text.charCodeAt(i);
    if (code === bracket + TO_CLOSING) return { items, end: i + 1 };
    if (code !== COMMA) return undefined;
    i += 1;
  }
}

/** The member that JavaScript reads: the last of that name. */
export function lastNamed(container: Container | undefined, name: string): Item | undefined {
  return container?.items.findLast((item) => item.name === name);
}

/** The value of the string literal between the two offsets (quotes included); as it stands where its escapes are broken. */
export function decodeString(text: string, start: number, end: number): string {
  for (let i = start + 1; i < end - 1; i += 1) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH || code > 0x7f) return decodeLiteral(utf8(text.slice(start, end)));
  }
  return text.slice(start + 1, end - 1);
}

/** Latin1 text decoded as the UTF-8 it is: a copy, which does not keep the text it was cut from alive. */
export function utf8(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}

function decodeLiteral(literal: string): string {
  try {
    return JSON.parse(literal);
  } catch {
    return literal.slice(1, -1);
  }
}

/**
 * The offset after the string literal at `at`, or -1. It ends at the next quote behind an even number of backslashes; what stands
 * inside is not looked at, which makes a long string as cheap as a search for one byte.
 */
export function stringEnd(text: string, at: number): number {
  if (text.charCodeAt(at) !== QUOTE) return -1;
  for (let end = text.indexOf('"', at + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let i = end;
    while (text.charCodeAt(i - 1) === BACKSLASH) i -= 1;
    if ((end - i) % 2 === 0) return end + 1;
  }
  return -1;
}

function readItem(text: string, at: number, named: boolean): Item | undefined {
  const start = skipSpace(text, at);
  const nameEnd = named ? stringEnd(text, start) : start;
  const valueStart = named ? skipSpace(text, colonEnd(text, nameEnd)) : start;
  const end = nameEnd < 0 || valueStart < start ? -1 : valueEnd(text, valueStart);
  if (end < 0) return undefined;
  return { name: named ? decodeString(text, start, nameEnd) : '', start, valueStart, end };
}

/** From the start of a value through the brackets it opens to the end of the first complete value inside. */
function descend(text: string, at: number, open: number[]): number {
  let i = at;
  while (i >= 0) {
    i = skipSpace(text, i);
    const code = text.charCodeAt(i);
    if (code !== BRACE && code !== BRACKET) return scalarEnd(text, i, code);
    const inner = skipSpace(text, i + 1);
    if (text.charCodeAt(inner) === code + TO_CLOSING) return inner + 1;
    open.push(code);
    i = code === BRACE ? afterColon(text, inner) : inner;
  }
  return -1;
}

function afterColon(text: string, at: number): number {
  return colonEnd(text, stringEnd(text, skipSpace(text, at)));
}

function colonEnd(text: string, nameEnd: number): number {
  if (nameEnd < 0) return -1;
  const colon = skipSpace(text, nameEnd);
  return text.charCodeAt(colon) === COLON ? colon + 1 : -1;
}

function scalarEnd(text: string, at: number, code: number): number {
  if (code === QUOTE) return stringEnd(text, at);
  if (code === 0x74) return text.startsWith('true', at) ? at + 4 : -1;
  if (code === 0x66) return text.startsWith('false', at) ? at + 5 : -1;
  if (code === 0x6e) return text.startsWith('null', at) ? at + 4 : -1;
  return numberEnd(text, at);
}

function numberEnd(text: string, at: number): number {
  const first = text.charCodeAt(at) === 0x2d ? at + 1 : at;
  let i = digitsEnd(text, first);
  if (i === first || (text.charCodeAt(first) === 0x30 && i > first + 1)) return -1;
  if (text.charCodeAt(i) === 0x2e) {
    const fraction = i + 1;
    i = digitsEnd(text, fraction);
    if (i === fraction) return -1;
  }
  return exponentEnd(text, i);
}

function exponentEnd(text: string, at: number): number {
  if ((text.charCodeAt(at) | 0x20) !== 0x65) return at;
  const sign = text.charCodeAt(at + 1);
  const first = sign === 0x2b || sign === 0x2d ? at + 2 : at + 1;
  const end = digitsEnd(text, first);
  return end === first ? -1 : end;
}

function digitsEnd(text: string, at: number): number {
  let i = at;
  for (let code = text.charCodeAt(i); code >= 0x30 && code <= 0x39; code = text.charCodeAt(i)) i += 1;
  return i;
}
