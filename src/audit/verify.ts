import { type JsonObject, type Line, logFiles, NotAFile, parseRecord, readLines } from './read.js';
import { canonical, GENESIS, recordHash } from './record.js';

/** The first record that is not what was written. `line` is 0 where the whole file is meant; `seq` is absent where none can be told. */
interface Broken {
  readonly file: string;
  readonly line: number;
  readonly seq?: number | undefined;
  readonly why: string;
}

/**
 * `closed`: ends with its `end` record. `open`: the process runs or was killed. `torn`: the same with an unfinished last line,
 * which a crash leaves. `broken`: was changed.
 */
interface FileReport {
  readonly file: string;
  readonly state: 'closed' | 'open' | 'torn' | 'broken';
  /** Whole records up to the end or the first broken one. */
  readonly records: number;
  readonly broken?: Broken | undefined;
}

export interface Verification {
  readonly ok: boolean;
  readonly files: readonly FileReport[];
  /** The first broken record over all files. */
  readonly broken?: Broken | undefined;
}

/** Hashes that `start` records of other files claim: chain → seq → hash and the file that says so. */
type Claims = Map<string, Map<number, { readonly hash: string; readonly by: string }>>;

/**
 * Checks every log of a directory, also a copied one. It finds each edit, insertion, reordering, renaming and removal within
 * a file; a removed file or a cut tail, where a process that started later saw it. Nothing in the directory can show that
 * the tail of the newest files was cut, or that someone rewrote all of it with new hashes: that takes a copy elsewhere.
 */
export async function verify(dir: string): Promise<Verification> {
  const names = (await logFiles(dir)).map(({ file }) => file);
  const claims = await claimsOf(dir, names);
  const files: FileReport[] = [];
  const removed = new Set<string>();
  for (const file of names) files.push(await verifyFile(dir, file, claims, removed));
  for (const [chain, said] of claims) {
    if (!names.includes(`${chain}.jsonl`) && !removed.has(chain)) files.push(missing(`${chain}.jsonl`, said));
  }
  const broken = files.find((file) => file.broken !== undefined)?.broken;
  return { ok: broken === undefined, files, ...(broken === undefined ? {} : { broken }) };
}

async function claimsOf(dir: string, names: readonly string[]): Promise<Claims> {
  const claims: Claims = new Map();
  for (const file of names) {
    const first = await firstRecord(dir, file).catch(() => undefined);
    for (const head of Array.isArray(first?.['others']) ? first['others'] : []) claim(claims, file, head);
  }
  return claims;
}

function claim(claims: Claims, by: string, head: unknown): void {
  if (typeof head !== 'object' || head === null) return;
  const { chain, seq, hash } = head as JsonObject;
  if (typeof chain !== 'string' || typeof seq !== 'number' || typeof hash !== 'string') return;
  const said = claims.get(chain) ?? new Map();
  claims.set(chain, said.set(seq, { hash, by }));
}

async function firstRecord(dir: string, file: string): Promise<JsonObject | undefined> {
  for await (const line of readLines(dir, file)) return parseRecord(line.bytes);
  return undefined;
}

function missing(file: string, said: ReadonlyMap<number, { readonly by: string }>): FileReport {
  const by = [...said.values()][0]?.by ?? 'another file';
  return { file, state: 'broken', records: 0, broken: { file, line: 0, why: `the file was removed: ${by} saw it` } };
}

async function verifyFile(dir: string, file: string, claims: Claims, removed: Set<string>): Promise<FileReport> {
  const chain = file.slice(0, -'.jsonl'.length);
  const said = claims.get(chain) ?? new Map();
  const state: Place = { chain, seq: 0, hash: GENESIS, ended: false };
  try {
    for await (const line of readLines(dir, file)) {
      if (line.torn && !state.ended && !line.long) return tail(file, state, said, 'torn');
      const why = step(state, line, said.get(line.number), removed);
      if (why !== undefined) return report(file, state, line.number, why);
    }
  } catch (error) {
    const why = error instanceof NotAFile ? 'a link or no plain file' : `cannot be read: ${String(error)}`;
    return report(file, state, 0, why);
  }
  if (state.seq === 0) return report(file, state, 0, 'the file is empty: all its records were removed');
  return tail(file, state, said, state.ended ? 'closed' : 'open');
}

/** A file that is whole as far as it goes: does it go as far as others saw? */
function tail(file: string, place: Place, said: Said, state: FileReport['state']): FileReport {
  const further = [...said].find(([seq]) => seq > place.seq);
  if (further === undefined) return { file, state, records: place.seq };
  const [seq, { by }] = further;
  return report(file, place, place.seq + 1, `the end was cut off: ${by} saw record ${seq}`);
}

function report(file: string, { seq: records }: Place, line: number, why: string): FileReport {
  const broken = { file, line, ...(line > 0 ? { seq: line } : {}), why };
  return { file, state: 'broken', records, broken };
}

interface Place {
  readonly chain: string;
  seq: number;
  hash: string;
  ended: boolean;
}
type Said = ReadonlyMap<number, { readonly hash: string; readonly by: string }>;

/** Takes one line; says what is wrong with it. */
function step(
  place: Place,
  line: Line,
  said: { hash: string; by: string } | undefined,
  removed: Set<string>,
): string | undefined {
  if (place.ended) return 'something stands after the end record';
  if (line.long) return 'the line is longer than any record';
  const record = parseRecord(line.bytes);
  if (record === undefined) return 'not a record: the line was edited';
  const why =
    wrongIn(record, line, place) ??
    (said !== undefined && said.hash !== record['hash'] ? `${said.by} saw another record here` : undefined);
  if (why !== undefined) return why;
  place.seq += 1;
  place.hash = String(record['hash']);
  place.ended = record['kind'] === 'end';
  for (const chain of removedBy(record)) removed.add(chain);
  return undefined;
}

function wrongIn(record: JsonObject, line: Line, place: Place): string | undefined {
  const expected = place.seq + 1;
  if (record['v'] !== 1) return `version ${JSON.stringify(record['v'])} instead of 1`;
  if (record['seq'] !== expected) {
    return `record ${JSON.stringify(record['seq'])} stands where ${expected} belongs: one was removed, inserted or moved`;
  }
  if (record['chain'] !== place.chain) return 'the record belongs to another file: it was moved, or the file renamed';
  if (record['prev'] !== place.hash) return 'the record does not follow the one before: one of them was replaced';
  if (record['hash'] !== hashOf(record, place.hash)) return 'the record was edited: its hash does not match';
  if (!Buffer.from(canonical(record)).equals(line.bytes)) return 'the line was edited: not the bytes that were written';
  if ((record['kind'] === 'start') !== (expected === 1)) return 'a start record must come first, and only there';
  return undefined;
}

/** Deep nesting or lone surrogates, which the log never writes, cannot be hashed. */
function hashOf(record: JsonObject, prev: string): string | undefined {
  try {
    return recordHash(record, prev);
  } catch {
    return undefined;
  }
}

/** Chains that a `note` names as deleted by the proxy itself, for their age. */
function removedBy(record: JsonObject): readonly string[] {
  const chains = record['kind'] === 'note' && record['note'] === 'files_deleted' ? record['chains'] : [];
  return Array.isArray(chains) ? chains.filter((chain) => typeof chain === 'string') : [];
}
