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
  const path = join(dir, name);
  // A fifo would block the open.
  if (!(await lstat(path)).isFile()) throw new NotAFile(name);
  const handle = await open(path, constants.O_RDONLY | NOFOLLOW);
  try {
    yield* lines(handle, from);
  } finally {
    await handle.close();
  }
}

/** A name that is a link, a directory or a device. */
export class NotAFile extends Error {}

async function* lines(handle: FileHandle, from: number): AsyncGenerator<Line> {
  let [position, start, number, long] = [from, from, 1, false];
  let parts: Buffer[] = [];
  for (;;) {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.allocUnsafe(CHUNK), position });
    let rest = buffer.subarray(0, bytesRead);
    position += bytesRead;
    for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
      const bytes = parts.length === 0 ? rest.subarray(0, at) : Buffer.concat([...parts, rest.subarray(0, at)]);
      rest = rest.subarray(at + 1);
      yield { number, bytes, end: position - rest.length, torn: false, long };
      [parts, start, number, long] = [[], position - rest.length, number + 1, false];
    }
    if (rest.length > 0 && !long) parts.push(rest);
    long ||= position - start > LONGEST_LINE;
    if (bytesRead === 0) break;
  }
  if (position > start) yield { number, bytes: Buffer.concat(parts), end: position, torn: true, long };
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
