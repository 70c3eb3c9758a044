import { hash as digest } from 'node:crypto';
import canonicalize from 'canonicalize';
import { canonicalMembers, canonicalNames } from './canonical.js';

/** `prev` of a file's first record. */
export const GENESIS = '0'.repeat(64);

/** What a record says, before its place in the chain: `kind`, `at` and the members of its kind. */
export type Body = { readonly kind: Kind; readonly at: string } & Readonly<Record<string, unknown>>;
type Kind = 'start' | 'intent' | 'permit' | 'outcome' | 'note' | 'end';

/** Where a chain stands: its name (the file's name without `.jsonl`), the last record's number and hash. */
export interface Head {
  readonly chain: string;
  readonly seq: number;
  readonly hash: string;
}

export interface Sealed {
  readonly line: Buffer;
  readonly head: Head;
}

/**
 * One record as the bytes of its line. The format, version 1:
 * a line is the RFC 8785 canonical JSON of the record in UTF-8 and one LF. `hash` is the lower-case hex SHA-256 over the
 * 64 ASCII characters of `prev` followed by the canonical JSON of the record without its member `hash`. `prev` is the `hash`
 * of the line before (64 zeros in the first), `seq` is the line's number from 1, `chain` the file's name without `.jsonl`.
 */
export function seal(body: Body, after: Head): Sealed {
  const seq = after.seq + 1;
  const record = Object.assign({}, body, { v: 1, chain: after.chain, seq, prev: after.hash });
  const names = canonicalNames(record);
  // Both halves are never empty: `at` and `kind` stand on either side of `hash`.
  const middle = names.findIndex((name) => name > 'hash');
  const before = canonicalMembers(record, names.slice(0, middle));
  const behind = canonicalMembers(record, names.slice(middle));
  const hash = sha256(`${after.hash}{${before},${behind}}`);
  const line = Buffer.from(`{${before},"hash":"${hash}",${behind}}\n`);
  return { line, head: { chain: after.chain, seq, hash } };
}

/** The hash that a record must carry; a member `hash` in it is left out. */
export function recordHash(record: Readonly<Record<string, unknown>>, prev: string): string {
  const { hash: _, ...rest } = record;
  return sha256(prev + canonical(rest));
}

function sha256(text: string): string {
  return digest('sha256', text, 'hex');
}

/** RFC 8785 text; throws on what JSON cannot carry (NaN, lone surrogates, cycles). */
export function canonical(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('not a JSON value');
  return text;
}
