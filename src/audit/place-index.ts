import { hash as digest, randomBytes } from 'node:crypto';
import { constants, lstatSync } from 'node:fs';
import { lstat, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NOFOLLOW } from './directory.js';
import { type Covered, lineSum, NOTHING, offsetsOf, readEntries } from './id-entries.js';
import { readBlocks } from './read.js';

/** Where the file grew by more since, the index is continued; less is looked through. */
const MOST_BEHIND = 4 * 1024 * 1024;
/** The head of an index is a short line. */
const LONGEST_HEAD = 1024;

/**
 * Offsets of lines of a file that may be about the id, by the index beside the file, which is made where it is missing or does
 * not fit. The index is a hint: whoever uses it checks the record that it leads to, and reads the file where it leads to none.
 */
export async function* indexedPlaces(dir: string, file: string, id: string): AsyncGenerator<number> {
  const { covered, entries } = await indexOf(dir, file);
  yield* offsetsOf(entries, id);
  yield* readPlaces(dir, file, id, covered);
}

/** The same by reading the file, from an offset on. */
export async function* readPlaces(dir: string, file: string, id: string, from = 0): AsyncGenerator<number> {
  const text = Buffer.from(JSON.stringify(id));
  let at = from;
  for await (const lines of readBlocks(dir, file, from)) {
    for (const { bytes, end, torn } of lines) {
      if (!torn && bytes.includes(text)) yield at;
      at = end;
    }
  }
}

async function indexOf(dir: string, file: string): Promise<Covered> {
  const { size } = await lstat(join(dir, file));
  const found = await readIndex(dir, file, size).catch(() => undefined);
  if (found !== undefined && size - found.covered <= MOST_BEHIND) return found;
  const index = await readEntries(dir, file, found ?? NOTHING);
  await save(dir, file, index).catch(() => undefined);
  return index;
}

const pathOf = (dir: string, file: string) => join(dir, `${file}.index`);

/** The index that lies beside the file, where it is whole and the file still holds what was indexed. */
async function readIndex(dir: string, file: string, size: number): Promise<Covered | undefined> {
  const path = pathOf(dir, file);
  const stat = await lstat(path);
  // Each entry is shorter than what it was made of, so whatever is larger is no index of this file.
  if (!stat.isFile() || stat.size > size + LONGEST_HEAD) return undefined;
  const handle = await open(path, constants.O_RDONLY | NOFOLLOW);
  const bytes = await handle.readFile().finally(() => handle.close());
  const end = bytes.indexOf(10) + 1;
  const { v, covered, last, line, sum } = JSON.parse(bytes.toString('utf8', 0, end)) as Record<string, unknown>;
  if (v !== 2 || typeof covered !== 'number' || typeof last !== 'number' || covered > size) return undefined;
  if (digest('sha256', bytes.subarray(end), 'hex') !== sum) return undefined;
  const entries = new BigUint64Array(bytes.buffer.slice(bytes.byteOffset + end, bytes.byteOffset + bytes.length));
  const log = await open(join(dir, file), constants.O_RDONLY | NOFOLLOW);
  const found = await lineSum(log, { last, covered }).finally(() => log.close());
  return found === line ? { covered, last, line: found, entries } : undefined;
}

/** Puts the index beside the file, in a directory of this user's own; elsewhere, as in a copy that may only be read, there is none. */
async function save(dir: string, file: string, { covered, last, line, entries }: Covered): Promise<void> {
  const stat = lstatSync(dir);
  if (!stat.isDirectory() || (process.platform !== 'win32' && stat.uid !== process.geteuid?.())) return;
  const bytes = Buffer.from(entries.buffer, entries.byteOffset, entries.byteLength);
  const head = JSON.stringify({ v: 2, covered, last, line, sum: digest('sha256', bytes, 'hex') });
  const made = `${pathOf(dir, file)}.${randomBytes(8).toString('hex')}`;
  try {
    await writeFile(made, [Buffer.from(`${head}\n`), bytes], { flag: 'wx', mode: 0o600 });
    await rename(made, pathOf(dir, file));
  } finally {
    await rm(made, { force: true });
  }
}
