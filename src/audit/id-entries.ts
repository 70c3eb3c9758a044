import { hash as digest } from 'node:crypto';
import { constants, lstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { NOFOLLOW } from './directory.js';
import { LONGEST_LINE } from './read.js';

/** Each a number of 64 bits, in ascending order: 32 bits made of an id, then the offset of a line that has the id. */
export type Entries = BigUint64Array;

/** What was found in whole lines: up to `covered`, the last of them from `last` on, with the checksum `line`. */
export interface Covered {
  readonly covered: number;
  readonly last: number;
  readonly line: string;
  readonly entries: Entries;
}

export const NOTHING: Covered = { covered: 0, last: 0, line: '', entries: new BigUint64Array() };

const BLOCK = 256 * 1024;
/** Offsets are of 32 bits. */
const LARGEST = 2 ** 32;
const [LF, QUOTE, COLON, BACKSLASH] = [10, 34, 58, 92];
const LONGEST_ID = 200;
const MEMBERS = ['"id"', '"call"'].map((name) => Buffer.from(name));

/** Adds what the file holds behind `known`, whole lines alone; event loop turns come between blocks. Rejects where the file is too large. */
export async function readEntries(dir: string, file: string, known: Covered): Promise<Covered> {
  const path = join(dir, file);
  const stat = lstatSync(path);
  // A fifo would block the open.
  if (!stat.isFile() || stat.size > LARGEST) throw new RangeError(`${file} cannot have an index`);
  const handle = await open(path, constants.O_RDONLY | NOFOLLOW);
  try {
    const found = await readOn(handle, known);
    return { ...found, line: await lineSum(handle, found) };
  } finally {
    await handle.close();
  }
}

/** The checksum of the last line that is covered. */
export async function lineSum(
  handle: FileHandle,
  { last, covered }: Pick<Covered, 'last' | 'covered'>,
): Promise<string> {
  if (!(last >= 0 && last <= covered && covered - last <= LONGEST_LINE)) throw new RangeError('no line of a log');
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(covered - last), position: last });
  return digest('sha256', buffer.subarray(0, bytesRead), 'hex');
}

async function readOn(handle: FileHandle, known: Covered): Promise<Omit<Covered, 'line'>> {
  const list = new EntryList(known.entries);
  let [block, covered, last] = [Buffer.allocUnsafe(BLOCK), known.covered, known.last];
  for (;;) {
    const { bytesRead } = await handle.read({ buffer: block, position: covered });
    const end = block.subarray(0, bytesRead).lastIndexOf(LF) + 1;
    if (end > 0) {
      last = covered + takeLines(block.subarray(0, end), covered, list);
      covered += end;
    } else if (bytesRead < block.length) return { covered, last, entries: list.sorted() };
    else if (bytesRead >= LONGEST_LINE) throw new RangeError('a line is longer than any record');
    else block = Buffer.allocUnsafe(block.length * 2);
  }
}

/** Adds the ids in these whole lines; answers where the last line begins. */
function takeLines(lines: Buffer, offset: number, list: EntryList): number {
  let [line, last] = [0, 0];
  for (let at = 0; at < lines.length; at += 1) {
    const byte = lines[at];
    if (byte === LF) [last, line] = [line, at + 1];
    else if (byte === COLON && isMember(lines, at)) at = takeId(lines, at + 2, offset + line, list);
  }
  return last;
}

/** Ids are plain words; where one stands inside a text of a caller its quotes are escaped. */
function isMember(lines: Buffer, colon: number): boolean {
  return lines[colon + 1] === QUOTE && MEMBERS.some((name) => endsWith(lines, colon, name));
}

function endsWith(lines: Buffer, end: number, name: Buffer): boolean {
  let at = name.length;
  while (at > 0 && lines[end - name.length + at - 1] === name[at - 1]) at -= 1;
  return at === 0;
}

/** Answers where to go on. */
function takeId(lines: Buffer, from: number, line: number, list: EntryList): number {
  let at = from;
  while (at - from < LONGEST_ID && lines[at] !== QUOTE && lines[at] !== BACKSLASH && lines[at] !== LF) at += 1;
  if (at > from && lines[at] === QUOTE) list.add(keyOf(lines, from, at), line);
  return at - 1;
}

/** 32 bits of the bytes: FNV-1a, mixed. What has equal ones is told apart by reading. */
function keyOf(bytes: Buffer, from: number, to: number): number {
  let key = 0x811c9dc5;
  for (let at = from; at < to; at += 1) key = Math.imul(key ^ (bytes[at] ?? 0), 0x01000193);
  key = Math.imul(key ^ (key >>> 16), 0x85ebca6b);
  return (key ^ (key >>> 13)) >>> 0;
}

class EntryList {
  #all: BigUint64Array;
  #count: number;

  constructor(known: Entries) {
    this.#all = known;
    this.#count = known.length;
  }

  add(key: number, offset: number): void {
    if (this.#count === this.#all.length) {
      const longer = new BigUint64Array(Math.max(4096, this.#count * 2));
      longer.set(this.#all);
      this.#all = longer;
    }
    this.#all[this.#count] = (BigInt(key) << 32n) | BigInt(offset);
    this.#count += 1;
  }

  sorted(): Entries {
    return this.#all.slice(0, this.#count).sort();
  }
}

/** Offsets of lines that may have the id, in ascending order. */
export function offsetsOf(entries: Entries, id: string): readonly number[] {
  const bytes = Buffer.from(id);
  const first = BigInt(keyOf(bytes, 0, bytes.length)) << 32n;
  const offsets = new Set<number>();
  for (let at = firstAtLeast(entries, first); ; at += 1) {
    const entry = entries[at];
    if (entry === undefined || entry >> 32n !== first >> 32n) return [...offsets];
    offsets.add(Number(entry & 0xffffffffn));
  }
}

function firstAtLeast(entries: Entries, value: bigint): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle] ?? 0n) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
