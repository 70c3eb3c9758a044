import { hash as digest, randomBytes } from 'node:crypto';
import { constants, lstatSync } from 'node:fs';
import { lstat, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NOFOLLOW } from './directory.js';
import { readLines } from './read.js';

/** A key of 8 bytes and an offset of 6. */
const ENTRY = 14;
/** A file that grew by more since is indexed again; less is looked through. */
const MOST_BEHIND = 4 * 1024 * 1024;

/**
 * Where ids of calls and receipts may stand in a log file, up to `covered`. It is a hint: whoever uses it checks the record
 * that it leads to. `last` is the offset of the last line that is covered.
 */
interface Index {
  readonly covered: number;
  readonly last: number;
  readonly entries: Buffer;
}

/** Offsets of lines of a file that may be about the id; the index beside the file is made where it is missing or does not fit. */
export async function placesOf(dir: string, file: string, id: string): Promise<readonly number[]> {
  const { size } = await lstat(join(dir, file));
  const found = await readIndex(dir, file).catch(() => undefined);
  const index = found === undefined || size - found.covered > MOST_BEHIND ? await makeIndex(dir, file) : found;
  const late: number[] = [];
  let at = index.covered;
  for await (const { bytes, end } of readLines(dir, file, index.covered)) {
    if (bytes.includes(`"${id}"`)) late.push(at);
    at = end;
  }
  return [...lookUp(index.entries, keyOf(id)), ...late];
}

function keyOf(id: string): Buffer {
  return digest('sha256', id, 'buffer').subarray(0, 8);
}

function lookUp(entries: Buffer, key: Buffer): readonly number[] {
  const keyAt = (entry: number) => entries.subarray(entry * ENTRY, entry * ENTRY + 8);
  let [low, high] = [0, entries.length / ENTRY];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Buffer.compare(keyAt(middle), key) < 0) low = middle + 1;
    else high = middle;
  }
  const offsets: number[] = [];
  for (; low < entries.length / ENTRY && keyAt(low).equals(key); low += 1) {
    offsets.push(entries.readUIntBE(low * ENTRY + 8, 6));
  }
  return offsets;
}

const indexOf = (dir: string, file: string) => join(dir, `${file}.index`);

/** The index that lies beside the file, where it is whole and the file still holds what was indexed. */
async function readIndex(dir: string, file: string): Promise<Index | undefined> {
  const handle = await open(indexOf(dir, file), constants.O_RDONLY | NOFOLLOW);
  const bytes = await handle.readFile().finally(() => handle.close());
  const end = bytes.indexOf(10);
  const { v, covered, last, line, sum } = JSON.parse(bytes.toString('utf8', 0, end)) as Record<string, unknown>;
  const entries = bytes.subarray(end + 1);
  if (v !== 1 || typeof covered !== 'number' || typeof last !== 'number') return undefined;
  if (digest('sha256', entries, 'hex') !== sum || entries.length % ENTRY !== 0) return undefined;
  if (covered > 0 && (await sumOf(dir, file, last, covered)) !== line) return undefined;
  return { covered, last, entries };
}

/** The checksum of the bytes of a file between two offsets. */
async function sumOf(dir: string, file: string, from: number, to: number): Promise<string> {
  const handle = await open(join(dir, file), constants.O_RDONLY | NOFOLLOW);
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(Math.max(0, to - from)), position: from });
    return digest('sha256', buffer.subarray(0, bytesRead), 'hex');
  } finally {
    await handle.close();
  }
}

/** Ids are plain words; where one stands inside a text of a caller its quotes are escaped. */
const IDS = /"(?:call|id)":"([^"\\]{1,200})"/g;

async function makeIndex(dir: string, file: string): Promise<Index> {
  const all: Buffer[] = [];
  let [covered, last] = [0, 0];
  for await (const { bytes, end, torn } of readLines(dir, file)) {
    if (torn) break;
    for (const id of new Set([...bytes.toString('latin1').matchAll(IDS)].map(([, found]) => found ?? ''))) {
      const entry = Buffer.alloc(ENTRY, keyOf(id));
      entry.writeUIntBE(covered, 8, 6);
      all.push(entry);
    }
    [last, covered] = [covered, end];
  }
  const index = { covered, last, entries: Buffer.concat(all.sort(Buffer.compare)) };
  await save(dir, file, index).catch(() => undefined);
  return index;
}

/** Puts the index beside the file, in a directory of this user's own; elsewhere, as in a copy that may only be read, there is none. */
async function save(dir: string, file: string, { covered, last, entries }: Index): Promise<void> {
  if (process.platform !== 'win32' && lstatSync(dir).uid !== process.geteuid?.()) return;
  const line = await sumOf(dir, file, last, covered);
  const head = JSON.stringify({ v: 1, covered, last, line, sum: digest('sha256', entries, 'hex') });
  const made = `${indexOf(dir, file)}.${randomBytes(8).toString('hex')}`;
  try {
    await writeFile(made, Buffer.concat([Buffer.from(`${head}\n`), entries]), { flag: 'wx', mode: 0o600 });
    await rename(made, indexOf(dir, file));
  } finally {
    await rm(made, { force: true });
  }
}
