import { basename, dirname } from 'node:path';
import { type JsonObject, parseRecord, readLines } from './read.js';
import { canonical, recordHash } from './record.js';
import { wrongSignature } from './verify-record.js';

/** That a chain's record had this hash, and who says so; `at` is there where the record itself tells its time. */
export interface Claim {
  readonly hash: string;
  readonly by: string;
  readonly at?: string | undefined;
}

/** What others saw of chains: by chain, by number. */
export class Claims {
  readonly #chains = new Map<string, Map<number, Claim>>();

  add(head: unknown, by: string): void {
    if (typeof head !== 'object' || head === null) return;
    const { chain, seq, hash, at } = head as JsonObject;
    if (typeof chain !== 'string' || typeof seq !== 'number' || typeof hash !== 'string') return;
    const said = this.#chains.get(chain) ?? new Map<number, Claim>();
    this.#chains.set(chain, said.set(seq, { hash, by, at: typeof at === 'string' ? at : undefined }));
  }

  /** What is wrong with a record that others saw too. */
  contradicts(chain: string, seq: number, hash: string): string | undefined {
    const said = this.#chains.get(chain)?.get(seq);
    return said === undefined || said.hash === hash ? undefined : `${said.by} saw another record here`;
  }

  /** The last that anybody saw of a chain. */
  last(chain: string): (Claim & { readonly seq: number }) | undefined {
    const said = [...(this.#chains.get(chain) ?? [])].sort(([a], [b]) => b - a)[0];
    return said === undefined ? undefined : { ...said[1], seq: said[0] };
  }

  chains(): readonly string[] {
    return [...this.#chains.keys()];
  }
}

/** A file of heads that cannot serve as an anchor. */
export class BadAnchor extends Error {}

/**
 * Adds the heads of a file that was kept elsewhere: lines of signed records as the log holds them. A last line without line
 * end is left out. Rejects with BadAnchor on any other line, and where `keys` are given, on heads that none of them signed.
 */
export async function readAnchor(path: string, claims: Claims, keys: ReadonlySet<string> | undefined): Promise<void> {
  for await (const { number, bytes, torn } of readLines(dirname(path), basename(path))) {
    // A copy that was cut off leaves half a line behind.
    if (torn || bytes.at(-1) !== BRACE) continue;
    const record = parseRecord(bytes);
    const why = record === undefined ? 'not a record as it was written' : wrongHead(record, bytes, keys);
    if (why !== undefined) throw new BadAnchor(`line ${number}: ${why}`);
    claims.add(record, `the anchor (line ${number})`);
  }
}
const BRACE = '}'.charCodeAt(0);

function wrongHead(record: JsonObject, bytes: Buffer, keys: ReadonlySet<string> | undefined): string | undefined {
  try {
    const { prev, hash } = record;
    const fits =
      typeof prev === 'string' && recordHash(record, prev) === hash && bytes.equals(Buffer.from(canonical(record)));
    if (!fits) return 'not a record as it was written';
  } catch {
    return 'not a record as it was written';
  }
  if (keys === undefined) return undefined;
  return [...keys].some((key) => wrongSignature(record, key) === undefined)
    ? undefined
    : 'signed by none of the given keys';
}
