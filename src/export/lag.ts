import { readState, type Trouble } from './positions.js';
import { textAt } from './records.js';
import type { Place, Spool, SpoolChain } from './spool.js';

/** What a destination has not acknowledged. */
export interface Lag {
  readonly name: string;
  readonly where: string;
  readonly records: number;
  readonly bytes: number;
  /** When the oldest of them was written, ISO 8601. */
  readonly oldest?: string | undefined;
  readonly trouble?: Trouble | undefined;
}

/** Counts what each destination still has to get. Nothing is changed. */
export async function lagOf(
  dir: string,
  spool: Spool,
  destinations: readonly { readonly name: string; readonly where: string }[],
): Promise<readonly Lag[]> {
  return Promise.all(destinations.map(({ name, where }) => lagOfOne(dir, spool, name, where)));
}

async function lagOfOne(dir: string, spool: Spool, name: string, where: string): Promise<Lag> {
  const { acknowledged, trouble } = await readState(dir, name);
  let [records, bytes] = [0, 0];
  let oldest: string | undefined;
  for (const chain of await spool.chains()) {
    const place = acknowledged.get(chain.name);
    if (!(await spool.hasMore(chain, place))) continue;
    for await (const { record, text } of spool.read(chain, place)) {
      records += 1;
      bytes += text.length + 1;
      const at = textAt(record, 'at');
      if (at !== undefined && (oldest === undefined || at < oldest)) oldest = at;
    }
  }
  return { name, where, records, bytes, oldest, trouble: records > 0 ? trouble : undefined };
}

/** The files of which some destination has not acknowledged everything: deleting one would leave records out for ever. */
export async function heldFiles(dir: string, spool: Spool, names: readonly string[]): Promise<ReadonlySet<string>> {
  const held = new Set<string>();
  const chains = await spool.chains();
  for (const name of names) {
    const { acknowledged } = await readState(dir, name);
    for (const chain of chains) {
      for (const file of await unread(spool, chain, acknowledged.get(chain.name))) held.add(file);
    }
  }
  return held;
}

async function unread(spool: Spool, chain: SpoolChain, place: Place | undefined): Promise<readonly string[]> {
  if (place === undefined) return chain.files;
  const at = chain.files.indexOf(place.file);
  const isWhole = !(await spool.hasMore({ ...chain, files: [place.file] }, place));
  return chain.files.slice(isWhole ? at + 1 : Math.max(0, at));
}
