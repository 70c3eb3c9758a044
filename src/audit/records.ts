import { byChain, type Part } from './names.js';
import { type JsonObject, logFiles, NotAFile, parseRecord, readLines } from './read.js';

/** Where a record stands: its chain, its number and hash there, its file, and the offset in bytes after its line. */
export interface Position {
  readonly chain: string;
  readonly seq: number;
  readonly hash: string;
  readonly file: string;
  readonly end: number;
}

/** A record as it was read. `bytes` is its line without LF. Nothing is verified but its form. */
export interface PlacedRecord {
  readonly position: Position;
  readonly record: JsonObject;
  readonly bytes: Buffer;
}

/** How far somebody has read, by chain: the last record that was taken of each. */
export type Positions = Readonly<Record<string, Position>>;

/**
 * Every record behind `after`: chain by chain (one is one process), in the order in which they were written, over all files
 * into which a chain was rotated. To read on later, keep the last position of each chain and pass them again: a chain may
 * have grown, been rotated, or lost its oldest files to retention meanwhile, and chains may have come. A last line that is
 * not finished is left for the next time; so is the rest of a chain whose file cannot be read. Lines that are no records
 * are passed over: finding out whether someone changed the log is the work of `verify`. Memory is bounded by one record.
 */
export async function* readRecords(dir: string, after: Positions = {}): AsyncGenerator<PlacedRecord> {
  for (const [chain, parts] of byChain(await logFiles(dir))) yield* chainRecords(dir, parts, after[chain]);
}

/** The same for the files of one chain. */
export async function* chainRecords(
  dir: string,
  parts: readonly Part[],
  after?: Position,
): AsyncGenerator<PlacedRecord> {
  const first = parts.findIndex(({ file }) => file === after?.file);
  // Where its file is gone, the numbers tell what was read.
  for (const part of parts.slice(Math.max(first, 0))) {
    try {
      yield* partRecords(dir, part, after);
    } catch (error) {
      if (error instanceof NotAFile || !isGone(error)) return;
    }
  }
}

async function* partRecords(dir: string, { file, chain }: Part, after: Position | undefined) {
  const from = after?.file === file ? after.end : 0;
  for await (const { bytes, end, torn } of readLines(dir, file, from)) {
    if (torn) return;
    const record = parseRecord(bytes);
    const { seq, hash } = record ?? {};
    if (record === undefined || typeof seq !== 'number' || typeof hash !== 'string') continue;
    if (after === undefined || seq > after.seq) yield { position: { chain, seq, hash, file, end }, record, bytes };
  }
}

/** Removed between the listing and the reading, which retention does. */
function isGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
