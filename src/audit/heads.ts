import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { NOFOLLOW } from './directory.js';
import { byChain, LOG_NAME, sortedParts } from './names.js';
import { type JsonObject, parseRecord } from './read.js';
import type { Head } from './record.js';

const OTHERS = 16;
const STEP = 64 * 1024;
const FURTHEST = 32 * 1024 * 1024;

/**
 * Where the chains stand that were written last, at most 16, without `own`. A new file's `start` record names them, so that
 * a removed file or a cut tail shows as soon as a later file was begun.
 */
export async function newestHeads(dir: string, own?: string): Promise<readonly Head[]> {
  const names = await readdir(dir).catch(() => []);
  const chains = byChain(sortedParts(names.filter((name) => LOG_NAME.test(name))));
  const last = [...chains].flatMap(([chain, parts]) => (chain === own ? [] : parts.slice(-1)));
  const logs = await Promise.all(last.map(async ({ file }) => ({ name: file, at: await changedAt(join(dir, file)) })));
  const newest = logs.sort((a, b) => b.at - a.at || (a.name < b.name ? 1 : -1)).slice(0, OTHERS);
  const heads = await Promise.all(newest.map(({ name }) => headOf(join(dir, name)).catch(() => undefined)));
  return heads.flatMap((found) => (found === undefined ? [] : [found.head]));
}

async function changedAt(path: string): Promise<number> {
  return (await lstat(path).catch(() => undefined))?.mtimeMs ?? 0;
}

/** The last whole record of a file, and where the chain stands with it. It is synced first: a head that is named must not vanish in a power failure. */
export async function headOf(path: string): Promise<{ readonly head: Head; readonly record: JsonObject } | undefined> {
  const handle = await open(path, constants.O_RDONLY | NOFOLLOW);
  try {
    await handle.datasync().catch(() => undefined);
    const record = parseRecord((await lastLine(handle)) ?? new Uint8Array());
    const { chain, seq, hash } = record ?? {};
    if (record === undefined || typeof chain !== 'string' || typeof seq !== 'number' || typeof hash !== 'string')
      return undefined;
    return { head: { chain, seq, hash }, record };
  } finally {
    await handle.close();
  }
}

async function lastLine(handle: FileHandle): Promise<Buffer | undefined> {
  const { size } = await handle.stat();
  for (let length = STEP; length <= FURTHEST; length *= 4) {
    const from = Math.max(0, size - length);
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(size - from), position: from });
    const tail = buffer.subarray(0, bytesRead);
    const end = tail.lastIndexOf(10);
    const start = end <= 0 ? -1 : tail.lastIndexOf(10, end - 1);
    if (end > 0 && (start >= 0 || from === 0)) return tail.subarray(start + 1, end);
    if (from === 0) return undefined;
  }
  return undefined;
}
