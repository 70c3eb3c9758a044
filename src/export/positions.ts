import { join } from 'node:path';
import { readPlain, replaceFile } from './private-file.js';
import type { Place, SpoolChain } from './spool.js';

/** How far a destination has acknowledged each chain. */
export type Acknowledged = ReadonlyMap<string, Place>;

/** Why nothing gets through at the moment, and since when (ISO 8601). */
export interface Trouble {
  readonly since: string;
  readonly why: string;
}

/** What is on disk of one destination. */
export interface DestinationState {
  readonly acknowledged: Acknowledged;
  readonly trouble?: Trouble | undefined;
}

const NOTHING: DestinationState = { acknowledged: new Map() };

/** Reads a destination's state. What cannot be read counts as nothing acknowledged: records are then sent again, none is left out. */
export async function readState(dir: string, name: string): Promise<DestinationState> {
  const text = await readPlain(fileOf(dir, name));
  if (text === undefined) return NOTHING;
  try {
    const { v, chains, trouble } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (v !== 1 || typeof chains !== 'object' || chains === null) return NOTHING;
    const entries = Object.entries(chains).flatMap(([chain, value]) => {
      const place = placeOf(value);
      return place === undefined ? [] : [[chain, place] as const];
    });
    return { acknowledged: new Map(entries), trouble: troubleOf(trouble) };
  } catch {
    return NOTHING;
  }
}

/** Writes a destination's state, whole or not at all. Chains that are not there any more are left out. */
export async function writeState(
  dir: string,
  name: string,
  { acknowledged, trouble }: DestinationState,
  chains: readonly SpoolChain[],
  unique: string,
): Promise<void> {
  const there = new Set(chains.map((chain) => chain.name));
  const kept = [...acknowledged]
    .filter(([chain]) => there.has(chain))
    .map(([chain, { seq, hash, file, end, last }]) => [chain, [seq, hash, file, end, ...(last === true ? [1] : [])]]);
  const state = { v: 1, chains: Object.fromEntries(kept), ...(trouble !== undefined && { trouble }) };
  await replaceFile(fileOf(dir, name), JSON.stringify(state), unique);
}

function fileOf(dir: string, name: string): string {
  return join(dir, `${name}.json`);
}

function placeOf(value: unknown): Place | undefined {
  if (!Array.isArray(value)) return undefined;
  const [seq, hash, file, end, last] = value as unknown[];
  const isCount = (number: unknown): number is number => Number.isSafeInteger(number) && Number(number) >= 0;
  if (!isCount(seq) || !isCount(end) || typeof hash !== 'string' || typeof file !== 'string') return undefined;
  return { seq, hash, file, end, ...(last === 1 && { last: true }) };
}

function troubleOf(value: unknown): Trouble | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { since, why } = value as Readonly<Record<string, unknown>>;
  return typeof since === 'string' && typeof why === 'string' ? { since, why } : undefined;
}
