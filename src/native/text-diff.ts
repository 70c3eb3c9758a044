import { createTwoFilesPatch } from 'diff';
import { visible } from '../domain/text.js';

/** A copy of a file, and how it is named in the difference. */
export interface Copy {
  readonly label: string;
  readonly bytes: Buffer;
}

/** `text` is a unified difference; `none` says why there is none. */
export type Difference =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'none'; readonly why: string };

const LIMITS = { context: 3, maxEditLength: 20_000, timeout: 2_000 };

/** Compares two copies as text, both in UTF-8 or both in UTF-16; at most `maxLength` characters. */
export function differenceOf(before: Copy, after: Copy, maxLength: number): Difference {
  const [old, now] = [textOf(before.bytes), textOf(after.bytes)];
  if (old === undefined || now === undefined) return { kind: 'none', why: 'it is no text' };
  const names = [visible(before.label), visible(after.label)] as const;
  const patch: string | undefined = createTwoFilesPatch(...names, old, now, undefined, undefined, LIMITS);
  if (patch === undefined) return { kind: 'none', why: 'the copies differ too much to show how' };
  // Its first line is a rule of equal signs.
  const text = patch.slice(patch.indexOf('---'));
  if (text.length > maxLength) return { kind: 'none', why: 'the difference is longer than what is given to a model' };
  return { kind: 'text', text };
}

function textOf(bytes: Buffer): string | undefined {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe;
  if (!wide && bytes.includes(0)) return undefined;
  try {
    return new TextDecoder(wide ? 'utf-16le' : 'utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
