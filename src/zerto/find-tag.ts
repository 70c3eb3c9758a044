import type { Checkpoint } from '../domain/receipt.js';
import { isCutTag } from '../domain/tag.js';

/**
 * The checkpoint that carries the tag: by its whole name, else by a truncated one. Both count only where they are newer than
 * what was listed before the insert, since a truncated name is not unique, and a whole one may stem from an earlier insert.
 */
export function findTag(
  list: readonly Checkpoint[],
  name: string,
  newest: Checkpoint | undefined,
): Checkpoint | undefined {
  const whole = (checkpoint: Checkpoint): boolean => checkpoint.tag?.trim() === name && isNewer(checkpoint, newest, 0);
  const cut = (checkpoint: Checkpoint): boolean =>
    isCutTag(checkpoint.tag?.trim() ?? '', name) && isNewer(checkpoint, newest, 1);
  return list.find(whole) ?? latest(list.filter(cut));
}

/** Of several truncated tags the latest: the others were asked for earlier. */
function latest(list: readonly Checkpoint[]): Checkpoint | undefined {
  return list.reduce<Checkpoint | undefined>((last, one) => (isNewer(one, last, 0) ? one : last), undefined);
}

/**
 * Identifiers count up within a VPG. Where they are no numbers the stamps decide, which are whole seconds: a whole name may
 * share the second of what was there before, a truncated one has to be `byMs` later.
 */
function isNewer(checkpoint: Checkpoint, newest: Checkpoint | undefined, byMs: number): boolean {
  if (newest === undefined) return true;
  const [id, other] = [checkpoint.checkpointIdentifier, newest.checkpointIdentifier];
  if (/^\d+$/.test(id) && /^\d+$/.test(other)) return BigInt(id) > BigInt(other);
  return id !== other && Date.parse(checkpoint.timestamp) - Date.parse(newest.timestamp) >= byMs;
}
