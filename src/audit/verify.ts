import { Claims, readAnchor } from './claims.js';
import { byChain, fileOf } from './names.js';
import { type JsonObject, logFiles } from './read.js';
import { type Broken, type ChainReport, type FileReport, firstRecord, verifyChain } from './verify-chain.js';

export interface VerifyOptions {
  /** Who may have signed (see `publicKeysIn`); without it signatures are checked by the key that each chain names itself. */
  readonly keys?: ReadonlySet<string> | undefined;
  /** A file of heads that was kept elsewhere. */
  readonly anchor?: string | undefined;
}

/** Files that the proxy removed for their age, and said so: the last record of each. */
export interface Removed {
  readonly file: string;
  readonly chain: string;
  readonly seq: number;
  readonly hash: string;
}

export interface Verification {
  /** Nothing is broken. */
  readonly ok: boolean;
  readonly files: readonly FileReport[];
  /** The first broken record over all files. */
  readonly broken?: Broken | undefined;
  /** How many files a newer version wrote: nothing is known of them. */
  readonly unchecked?: number | undefined;
  readonly removed?: readonly Removed[] | undefined;
}

/** What retention records say. */
interface Retention {
  /** By chain, the last record of the last file of it that was removed. */
  readonly removed: Map<string, Removed>;
  /** What ended before this was to be removed. */
  before: string;
}

/**
 * Checks every log of a directory, also a copied one. It finds each edit, insertion, reordering, renaming and removal within
 * a chain and of a chain's files; a removed chain or a cut tail where a process that started later, or the anchor, saw it.
 * Nothing in the directory alone can show that the tail of the newest files was cut, that a whole chain is gone which no
 * later one saw, or that someone who holds the signing key rewrote all of it. Rejects with BadAnchor.
 */
export async function verify(dir: string, { keys, anchor }: VerifyOptions = {}): Promise<Verification> {
  const parts = await logFiles(dir);
  const claims = new Claims();
  for (const { file } of parts) {
    const first = await firstRecord(dir, file).catch(() => undefined);
    for (const head of Array.isArray(first?.['others']) ? first['others'] : []) claims.add(head, file);
  }
  if (anchor !== undefined) await readAnchor(anchor, claims, keys);
  const retention: Retention = { removed: new Map(), before: '' };
  const seen = (record: JsonObject) => takeRetention(retention, record);
  const chains = new Map<string, ChainReport>();
  for (const [chain, files] of byChain(parts)) chains.set(chain, await verifyChain(files, { dir, claims, keys, seen }));
  const missing = claims.chains().filter((chain) => !chains.has(chain) && !isAccounted(chain, claims, retention));
  const files = [
    ...[...chains].map(([chain, report]) => [chain, filesOf(chain, report, retention)] as const),
    ...missing.map((chain) => [chain, [gone(chain, claims)]] as const),
  ]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, reports]) => reports);
  return summary(files, [...retention.removed.values()]);
}

function summary(files: readonly FileReport[], removed: readonly Removed[]): Verification {
  const broken = files.find((file) => file.broken !== undefined)?.broken;
  const unchecked = files.filter(({ state }) => state === 'unchecked').length;
  return {
    ok: broken === undefined,
    files,
    ...(broken === undefined ? {} : { broken }),
    ...(unchecked === 0 ? {} : { unchecked }),
    ...(removed.length === 0 ? {} : { removed }),
  };
}

function takeRetention(retention: Retention, record: JsonObject): void {
  if (record['kind'] !== 'retention') return;
  const { before, removed } = record;
  if (typeof before === 'string' && before > retention.before) retention.before = before;
  for (const entry of Array.isArray(removed) ? removed : []) {
    const { file, chain, seq, hash } = entry as Removed;
    if (typeof chain !== 'string' || typeof seq !== 'number' || typeof hash !== 'string') continue;
    if (seq > (retention.removed.get(chain)?.seq ?? 0)) retention.removed.set(chain, { file, chain, seq, hash });
  }
}

/** Whether a chain that is gone was removed by the proxy itself: as far as anybody saw it, or before the time to which all was removed. */
function isAccounted(chain: string, claims: Claims, { removed, before }: Retention): boolean {
  const last = claims.last(chain);
  const entry = removed.get(chain);
  if (entry !== undefined && (last?.seq ?? 0) <= entry.seq) return true;
  return last?.at !== undefined && last.at < before;
}

/** A chain's files, and in front of them those that are gone without a retention record. */
function filesOf(chain: string, { files, beginning }: ChainReport, { removed }: Retention): readonly FileReport[] {
  if (beginning === undefined) return files;
  const entry = removed.get(chain);
  if (entry !== undefined && entry.seq === beginning.seq && entry.hash === beginning.hash) return files;
  const file = fileOf(chain, 1);
  const why = `the file was removed: ${beginning.file} goes on behind it, and no retention record says so`;
  return [{ file, state: 'broken', records: 0, broken: { file, line: 0, why } }, ...files];
}

function gone(chain: string, claims: Claims): FileReport {
  const file = fileOf(chain, 1);
  const why = `the file was removed: ${claims.last(chain)?.by ?? 'another file'} saw it`;
  return { file, state: 'broken', records: 0, broken: { file, line: 0, why } };
}
