import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a code is bound to. An answer under a code that was made of anything else counts for nothing. */
export interface Bound {
  readonly id: string;
  /** The call: its digest. */
  readonly key: string;
  readonly message: string;
  readonly choices: readonly string[];
  readonly expiresAt: string;
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 10;

/** Ten characters (50 bits) of a keyed hash; the key never leaves the process that asks. */
export function codeFor(key: Uint8Array, { id, key: call, message, choices, expiresAt }: Bound): string {
  const mac = createHmac('sha256', key)
    .update(JSON.stringify([id, call, message, choices, expiresAt]))
    .digest();
  return [...mac.subarray(0, LENGTH)].map((byte) => ALPHABET.charAt(byte & 31)).join('');
}

/** A code as a person may type it: letter case and dashes do not matter, and O, I and L are read as 0 and 1. */
export function readCode(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
}

export function sameCode(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
