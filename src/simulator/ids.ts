import { createHash } from 'node:crypto';

/** A guid that is the same in every run for the same words, so that identifiers survive a restart. */
export function guidOf(...words: readonly string[]): string {
  const hex = createHash('sha256').update(words.join('\u0000')).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A number from 100 to 99,999 that is the same in every run: where a VPG's checkpoint numbers start. */
export function firstNumber(...words: readonly string[]): number {
  return 100 + (Number.parseInt(guidOf(...words).slice(0, 8), 16) % 99_900);
}
