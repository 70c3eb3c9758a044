import { decodeString, utf8 } from './scan.js';

export type JsonId = string | number | null;

/** `idKey` tells ids apart by type and all digits; `idText` is the JSON text as written. */
export interface WireId {
  readonly id: JsonId;
  readonly idKey: string;
  readonly idText: string;
}

export const NULL_ID: WireId = { id: null, idKey: 'null', idText: 'null' };

/** Reads the JSON text (latin1) of an id; undefined for an object, an array or a boolean, which JSON-RPC does not allow. */
export function readId(text: string): WireId | undefined {
  const first = text.charCodeAt(0);
  if (first === 0x22) {
    const id = decodeString(text, 0, text.length);
    return { id, idKey: `s:${id}`, idText: utf8(text) };
  }
  if (text === 'null') return NULL_ID;
  if (first !== 0x2d && !(first >= 0x30 && first <= 0x39)) return undefined;
  return { id: Number(text), idKey: `n:${isInteger(text) ? text : Number(text)}`, idText: text };
}

/** Digits only: 1.0 and 1e0 come back from some peers as 1, and -0 as 0. */
export function isInteger(idText: string): boolean {
  return /^(?:0|-?[1-9]\d*)$/.test(idText);
}

const SURROGATE = /\p{Surrogate}/u;

/** A decoder may replace half a surrogate pair by U+FFFD, so that two different strings become one. */
export function hasLoneSurrogate(text: string): boolean {
  return SURROGATE.test(text);
}
