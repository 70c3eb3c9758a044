import { hash as digest } from 'node:crypto';
import canonicalize from 'canonicalize';
import { canonicalMembers, canonicalNames } from './canonical.js';
import type { Signer } from './signing.js';

/** `prev` of a file's first record. */
export const GENESIS = '0'.repeat(64);

/** What a record says, before its place in the chain: `kind`, `at` and the members of its kind. */
export type Body = { readonly kind: Kind; readonly at: string } & Readonly<Record<string, unknown>>;
type Kind = 'start' | 'intent' | 'permit' | 'outcome' | 'note' | 'head' | 'retention' | 'rotate' | 'end';

/** Kinds that carry a signature where the process has a key: they vouch for every record before them. */
export const SIGNED: ReadonlySet<unknown> = new Set<Kind>(['head', 'retention', 'rotate', 'end']);

/** Where a chain stands: its name (that of its first file without `.jsonl`), the last record's number and hash. */
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
 * of the record before (64 zeros in the chain's first), `seq` counts the chain's records from 1 over all its files, `chain` is
 * the name of its first file without `.jsonl`. Each file begins with a `start`; a file that ends with `rotate` is followed by the next.
 * A record of a kind in SIGNED has `sig`: Ed25519 over its canonical JSON without `hash` and `sig` (see signing.ts).
 */
export function seal(body: Body, after: Head, signer?: Signer): Sealed {
  const seq = after.seq + 1;
  const record: Record<string, unknown> = Object.assign({}, body, { v: 1, chain: after.chain, seq, prev: after.hash });
  if (signer !== undefined && SIGNED.has(body.kind)) record['sig'] = signer.sign(`{${canonicalMembers(record)}}`);
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

/** What the signature of a record is over. */
export function signedText(record: Readonly<Record<string, unknown>>): string {
  const { hash: _hash, sig: _sig, ...rest } = record;
  return canonical(rest);
}

export function sha256(text: string): string {
  return digest('sha256', text, 'hex');
}

/** RFC 8785 text; throws on what JSON cannot carry (NaN, lone surrogates, cycles). */
export function canonical(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('not a JSON value');
  return text;
}
