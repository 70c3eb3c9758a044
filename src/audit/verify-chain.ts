import type { Claims } from './claims.js';
import { fileOf, type Part } from './names.js';
import { type JsonObject, type Line, NotAFile, parseRecord, readBlocks, readLines } from './read.js';
import { GENESIS, recordHash } from './record.js';
import { checkRecord, type Place, take } from './verify-record.js';

/** The first record that is not what was written. `line` is 0 where the whole file is meant; `seq` is absent where none can be told. */
export interface Broken {
  readonly file: string;
  readonly line: number;
  readonly seq?: number | undefined;
  readonly why: string;
}

/**
 * `closed`: ends with the chain's `end` record. `rotated`: the next file goes on. `open`: the process runs or was killed.
 * `torn`: the same with an unfinished last line, which a crash leaves. `unchecked`: written by a newer version.
 * `broken`: was changed.
 */
export interface FileReport {
  readonly file: string;
  readonly state: 'closed' | 'rotated' | 'open' | 'torn' | 'unchecked' | 'broken';
  /** Whole records up to the end or the first broken one. */
  readonly records: number;
  /** Of them, those that a valid signature vouches for; absent where the chain has no key. */
  readonly signed?: number | undefined;
  /** The newest version that this program does not know. */
  readonly version?: number | undefined;
  readonly broken?: Broken | undefined;
}

/** Files whose removal, by retention, has to be confirmed: those before this one, the last of which ended with that record. */
export interface Beginning {
  readonly file: string;
  readonly seq: number;
  readonly hash: string;
}

export interface ChainReport {
  readonly files: readonly FileReport[];
  /** The record that the first file there goes on from, where it is not the chain's first. */
  readonly beginning?: Beginning | undefined;
}

export interface Checking {
  readonly dir: string;
  readonly claims: Claims;
  readonly keys?: ReadonlySet<string> | undefined;
  /** Told of each record that is as it should be. */
  readonly seen: (record: JsonObject) => void;
}

/** Checks the files of one chain in their order, in constant memory. */
export async function verifyChain(parts: readonly Part[], checking: Checking): Promise<ChainReport> {
  const files: FileReport[] = [];
  let beginning: Beginning | undefined;
  const place = newPlace(parts[0]?.chain ?? '');
  for (const [index, part] of parts.entries()) {
    const isMissing = part.part > (index === 0 ? 1 : place.part + 1);
    if (isMissing && index > 0) files.push(removed(fileOf(part.chain, place.part + 1), part.file));
    await enter(place, part, isMissing || files.at(-1)?.state === 'broken', checking.dir);
    if (isMissing && index === 0) beginning = { file: part.file, seq: place.seq, hash: place.hash };
    files.push(await verifyFile(part, parts[index + 1], place, checking));
  }
  if (files.at(-1)?.state === 'rotated') files.push(...(await unfollowed(place, checking.dir)));
  return { files, beginning };
}

/** Before any record of a chain. */
export function newPlace(chain: string): Place {
  return { chain, seq: 0, hash: GENESIS, part: 1, taken: 0, over: undefined, key: undefined, signed: 0 };
}

/** Goes on to the next file; where what stands before it is not known, from where the file itself says that it goes on. */
async function enter(place: Place, { part, file }: Part, isLost: boolean, dir: string): Promise<void> {
  Object.assign(place, { part, taken: 0, over: undefined });
  if (!isLost) return;
  const first = await firstRecord(dir, file).catch(() => undefined);
  const { seq, prev } = first ?? {};
  place.seq = typeof seq === 'number' ? seq - 1 : 0;
  place.hash = typeof prev === 'string' ? prev : GENESIS;
}

/** The record in a file's first line. */
export async function firstRecord(dir: string, file: string): Promise<JsonObject | undefined> {
  for await (const line of readLines(dir, file)) return parseRecord(line.bytes);
  return undefined;
}

function removed(file: string, by: string): FileReport {
  return {
    file,
    state: 'broken',
    records: 0,
    broken: { file, line: 0, why: `the file was removed: ${by} goes on behind it` },
  };
}

/** A rotation that ends the chain is a crash where the next file was in the making; else that file was removed. */
async function unfollowed(place: Place, dir: string): Promise<readonly FileReport[]> {
  const { chain, part } = place;
  const file = fileOf(chain, part + 1);
  const made = await firstRecord(dir, `${file}.new`).catch(() => undefined);
  if (made?.['prev'] === place.hash && made['seq'] === place.seq + 1) return [];
  const why = `the file was removed: ${fileOf(chain, part)} ends by going on in it`;
  return [{ file, state: 'broken', records: 0, broken: { file, line: 0, why } }];
}

/** Checks one file from `place` on, which moves along; `next` is the file of the chain that follows. */
export async function verifyFile(
  { file }: Part,
  next: Part | undefined,
  place: Place,
  checking: Checking,
): Promise<FileReport> {
  const { dir } = checking;
  const read = { lines: 0, isTorn: false };
  try {
    const version = await newerVersion(dir, file);
    if (version !== undefined) return { file, state: 'unchecked', records: 0, version };
    for await (const lines of readBlocks(dir, file)) {
      const why = stepAll(place, lines, checking, read);
      if (why !== undefined) return report(file, place, read.lines, why);
    }
  } catch (error) {
    const why = error instanceof NotAFile ? 'a link or no plain file' : `cannot be read: ${String(error)}`;
    return report(file, place, 0, why);
  }
  if (read.lines === 0) return report(file, place, 0, 'the file is empty: all its records were removed');
  return tail(file, next, place, read.isTorn, checking.claims);
}

/** Stops behind the first line that is not as it should be. */
function stepAll(
  place: Place,
  lines: readonly Line[],
  checking: Checking,
  read: { lines: number; isTorn: boolean },
): string | undefined {
  for (const line of lines) {
    read.lines = line.number;
    read.isTorn = line.torn && place.over === undefined && !line.long;
    const why = read.isTorn ? undefined : step(place, line, checking);
    if (why !== undefined) return why;
  }
  return undefined;
}

function step(place: Place, line: Line, { keys, claims, seen }: Checking): string | undefined {
  const checked = checkRecord(place, line, keys);
  if ('why' in checked) return checked.why;
  const why = claims.contradicts(place.chain, place.seq + 1, String(checked.record['hash']));
  if (why !== undefined) return why;
  take(place, checked.record);
  seen(checked.record);
  return undefined;
}

/** A file that is whole as far as it goes: does it go as far as the next file, and others, saw? */
function tail(file: string, next: Part | undefined, place: Place, isTorn: boolean, claims: Claims): FileReport {
  if (next !== undefined && place.over !== 'file') {
    return report(file, place, place.taken + 1, `the end was cut off or replaced: ${next.file} goes on behind it`);
  }
  const said = next === undefined ? claims.last(place.chain) : undefined;
  if (said !== undefined && said.seq > place.seq) {
    return report(file, place, place.taken + 1, `the end was cut off: ${said.by} saw record ${said.seq}`);
  }
  const ends = place.over === 'file' ? 'rotated' : place.over === 'chain' ? 'closed' : undefined;
  return { file, state: ends ?? (isTorn ? 'torn' : 'open'), records: place.taken, ...signedIn(place) };
}

function signedIn({ key, signed, seq, taken }: Place): { readonly signed?: number } {
  return key === undefined ? {} : { signed: Math.max(0, signed - (seq - taken)) };
}

function report(file: string, place: Place, line: number, why: string): FileReport {
  const seq = line > 0 ? place.seq + 1 : undefined;
  const broken: Broken = { file, line, ...(seq === undefined ? {} : { seq }), why };
  return { file, state: 'broken', records: place.taken, broken };
}

/** The version of a file all of whose records are of one newer version; nothing for any other file. */
async function newerVersion(dir: string, file: string): Promise<number | undefined> {
  let version: number | undefined;
  for await (const { bytes, torn, number } of readLines(dir, file)) {
    if (torn && number > 1) return version;
    const record = parseRecord(bytes);
    const said = record?.['v'];
    if (typeof said !== 'number' || !Number.isInteger(said) || said <= 1 || said !== (version ?? said))
      return undefined;
    if (number === 1 && isOfVersion1(record)) return undefined;
    version = said;
  }
  return version;
}

/** A record of version 1 whose number was edited. */
function isOfVersion1(record: JsonObject | undefined): boolean {
  try {
    return record !== undefined && recordHash({ ...record, v: 1 }, String(record['prev'])) === record['hash'];
  } catch {
    return false;
  }
}
