import type { Stats } from 'node:fs';
import { constants, type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises';
import { CannotTell, cannotTell } from './cannot-tell.js';
import type { Entry, Files } from './files.js';

const MAX_BYTES = 2_000_000;
const MAX_TOTAL = 50_000_000;
const MAX_FILES = 2000;
const MAX_NAMES = 5000;
/** Their files are made while they are read; reading one may wait, or change something. */
const UNREAL = /^\/(?:proc|sys|dev)(?:\/|$)/;

const NONE: Entry = { kind: 'none', executable: false, open: false, modified: 0 };

/** The files of this machine, for one reading: so many bytes, and no more. Nothing that is not an ordinary file is opened. */
export function localFiles(most = MAX_BYTES): Files {
  let total = 0;
  let opened = 0;
  return {
    entry: async (path) => {
      const found = await look(path);
      return found === undefined ? NONE : entryOf(found.stats);
    },
    read: async (path) => {
      opened += 1;
      if (opened > MAX_FILES) cannotTell(`it needs more than ${MAX_FILES} files`);
      const found = await look(path);
      if (found?.stats.isFile() !== true) cannotTell('a file that it needs is no ordinary file');
      const content = await readOrdinary(found.path, most, 'whole');
      total += content.length;
      if (total > MAX_TOTAL) cannotTell('it needs too many bytes of files');
      return utf8(content);
    },
    start: async (path) => {
      const found = await look(path);
      return found?.stats.isFile() === true ? (await readOrdinary(found.path, 200, 'start')).toString('latin1') : '';
    },
    list: async (path) => {
      const found = await look(path);
      if (found?.stats.isDirectory() !== true) cannotTell('a directory that it needs cannot be read');
      const names = await readdir(found.path, { encoding: 'buffer' }).catch(() =>
        cannotTell('a directory that it needs cannot be read'),
      );
      if (names.length > MAX_NAMES) cannotTell('a directory that it needs holds too many files');
      return [...names].sort(Buffer.compare).map(utf8);
    },
  };
}

async function look(path: string): Promise<{ readonly path: string; readonly stats: Stats } | undefined> {
  if (path.includes('\0')) cannotTell('a path holds a NUL');
  // On Windows a path can name another machine, which then gets this user's login.
  if (process.platform === 'win32' && /^[\\/]{2}/.test(path)) cannotTell('a path names another machine');
  try {
    const real = await realpath(path);
    if (UNREAL.test(real)) cannotTell('a path leads to a device or to the kernel');
    return { path: real, stats: await stat(real) };
  } catch (error) {
    if (isMissing(error)) return undefined;
    return cannotTell('a path that it needs cannot be looked at');
  }
}

function entryOf(stats: Stats): Entry {
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other';
  return { kind, executable: (stats.mode & 0o111) !== 0, open: (stats.mode & 0o002) !== 0, modified: stats.mtimeMs };
}

/** Opened without waiting, and looked at once more: what stood there may have been replaced by a pipe. */
async function readOrdinary(path: string, most: number, part: 'whole' | 'start'): Promise<Buffer> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    if (!(await handle.stat()).isFile()) return cannotTell('a file that it needs is no ordinary file');
    const buffer = Buffer.alloc(part === 'whole' ? most + 1 : most);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return length > most ? cannotTell('a file that it needs is too large') : buffer.subarray(0, length);
  } catch (error) {
    return error instanceof CannotTell ? cannotTell(error.message) : cannotTell('a file that it needs cannot be read');
  } finally {
    await handle?.close();
  }
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return cannotTell('a file that it needs, or the name of one, is not in UTF-8');
  }
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
