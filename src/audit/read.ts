import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf, NOFOLLOW } from './directory.js';
import { type Part, sortedParts } from './names.js';

/** A line of a log without its LF. `end` is the offset after it; `torn`: the file ends without LF; `long`: too long to be a record, cut. */
export interface Line {
  readonly number: number;
  readonly bytes: Buffer;
  readonly end: number;
  readonly torn: boolean;
  readonly long: boolean;
}

const CHUNK = 256 * 1024;
/** Most records are shorter. */
const SHORT = 16 * 1024;
/** More than any record that the log writes. */
export const LONGEST_LINE = 64 * 1024 * 1024;

/** The log files of a directory, chain by chain in the order of their parts. A directory that is not there has none. */
export async function logFiles(dir: string): Promise<readonly Part[]> {
  const names = await readdir(dir).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  });
  return sortedParts(names);
}

/** Lines of one file from an offset on (numbers count from there), in constant memory; follows no link. */
export async function* readLines(dir: string, name: string, from = 0): AsyncGenerator<Line> {
  for await (const lines of readBlocks(dir, name, from)) for (const line of lines) yield line;
}

/** The same, several lines at a time: where a file is read as a whole, waiting for each line takes more than reading it. */
export async function* readBlocks(dir: string, name: string, from = 0): AsyncGenerator<readonly Line[]> {
  const path = join(dir, name);
  // A fifo would block the open.
  if (!(await lstat(path)).isFile()) throw new NotAFile(name);
  const handle = await open(path, constants.O_RDONLY | NOFOLLOW);
  try {
    yield* blocks(handle, from);
  } finally {
    await handle.close();
  }
}

/** The line that begins at an offset, without its LF; nothing where none ends behind it. */
export async function lineAt(dir: string, name: string, offset: number): Promise<Buffer | undefined> {
  const path = join(dir, name);
  if (!(await lstat(path)).isFile()) throw new NotAFile(name);
  const handle = await open(path, constants.O_RDONLY | NOFOLLOW);
  try {
    for (let length = SHORT; length <= LONGEST_LINE; length *= 8) {
      const { buffer, bytesRead } = await handle.read({ buffer: Buffer.allocUnsafe(length), position: offset });
      const end = buffer.subarray(0, bytesRead).indexOf(10);
      if (end >= 0) return buffer.subarray(0, end);
      if (bytesRead < length) return undefined;
    }
    return undefined;
  } finally {
    await handle.close();
  }
}

/** A name that is a link, a directory or a device. */
export class NotAFile extends Error {}

async function* blocks(handle: FileHandle, from: number): AsyncGenerator<readonly Line[]> {
  const splitter = new Splitter(from);
  for (let reading = readBlock(handle, from); ; ) {
    const block = await reading;
    if (block.length === 0) break;
    const lines = splitter.take(block);
    // The next one is read while the caller works on these.
    reading = readBlock(handle, splitter.position);
    reading.catch(() => undefined);
    if (lines.length > 0) yield lines;
  }
  const rest = splitter.rest();
  if (rest !== undefined) yield [rest];
}

async function readBlock(handle: FileHandle, position: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.allocUnsafe(CHUNK), position });
  return buffer.subarray(0, bytesRead);
}

class Splitter {
  /** The offset behind what was taken. */
  position: number;
  #start: number;
  #number = 1;
  #long = false;
  #parts: Buffer[] = [];

  constructor(from: number) {
    this.position = from;
    this.#start = from;
  }

  /** The lines that end in the block. */
  take(block: Buffer): readonly Line[] {
    const lines: Line[] = [];
    let line = 0;
    for (let at = block.indexOf(10); at >= 0; at = block.indexOf(10, line)) {
      const end = this.position + at + 1;
      lines.push(this.#line(block.subarray(line, at), end, false));
      line = at + 1;
      [this.#parts, this.#start, this.#number, this.#long] = [[], end, this.#number + 1, false];
    }
    this.position += block.length;
    if (line < block.length && !this.#long) this.#parts.push(block.subarray(line));
    this.#long ||= this.position - this.#start > LONGEST_LINE;
    return lines;
  }

  /** What stands behind the last line end. */
  rest(): Line | undefined {
    return this.position > this.#start ? this.#line(Buffer.alloc(0), this.position, true) : undefined;
  }

  #line(last: Buffer, end: number, torn: boolean): Line {
    const bytes = this.#parts.length === 0 ? last : Buffer.concat([...this.#parts, last]);
    return { number: this.#number, bytes, end, torn, long: this.#long };
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** The record in a line, or nothing where it is no JSON object in valid UTF-8. */
export function parseRecord(bytes: Uint8Array): JsonObject | undefined {
  try {
    return objectIn(textIn(bytes));
  } catch {
    return undefined;
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Throws on what is no UTF-8. */
export function textIn(bytes: Uint8Array): string {
  return UTF8.decode(bytes);
}

/** Throws on what is no JSON. */
export function objectIn(text: string): JsonObject | undefined {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}
