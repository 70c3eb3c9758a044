import { type BigIntStats, constants } from 'node:fs';
import { lstat, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureDirectory, errnoOf, NOFOLLOW, syncDirectory, Unwritable } from './directory.js';

/** What a log needs of an open file; Node's FileHandle is one. */
export interface LogHandle {
  write(bytes: Uint8Array): Promise<{ readonly bytesWritten: number }>;
  datasync(): Promise<void>;
  stat(options: { bigint: true }): Promise<BigIntStats>;
  close(): Promise<void>;
}
export type OpenHandle = (path: string, flags: number, mode: number) => Promise<LogHandle>;

const FLAGS = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_APPEND | NOFOLLOW;

/** An open log file. Every failed write or sync leaves it dead: what is on disk after one cannot be known. */
export class LogFile {
  readonly path: string;
  readonly #dir: string;
  readonly #handle: LogHandle;
  #identity: { readonly file: BigIntStats; readonly dir: BigIntStats } | undefined;
  #size = 0n;

  private constructor(dir: string, path: string, handle: LogHandle) {
    this.#dir = dir;
    this.path = path;
    this.#handle = handle;
  }

  /**
   * Writes the first lines of a file that has no final name yet (`….new`): they are on disk before it gets one, so an empty
   * log never comes from a crash. Rejects with Unwritable, and leaves nothing behind then.
   */
  static async prepare(dir: string, name: string, first: Buffer, openHandle: OpenHandle = open): Promise<LogFile> {
    ensureDirectory(dir);
    const path = join(dir, name);
    const handle = await openHandle(`${path}.new`, FLAGS, 0o600).catch((error: unknown) => {
      throw new Unwritable(path, `cannot create the audit file: ${errnoOf(error) ?? 'error'}`, error);
    });
    const file = new LogFile(dir, path, handle);
    try {
      // The rename would put the new file in the place of whatever has its name.
      if (await isThere(path)) file.#refuse('another file has the name that the audit file was to get');
      await file.#put(first);
      return file;
    } catch (error) {
      await file.discard();
      throw asUnwritable(path, error);
    }
  }

  /** Gives a prepared file its name. Rejects with Unwritable; then it must not be used, and what is there stays there. */
  async publish(): Promise<void> {
    try {
      await rename(`${this.path}.new`, this.path);
      await syncDirectory(this.#dir);
      const [file, dir] = [await this.#handle.stat({ bigint: true }), await lstat(this.#dir, { bigint: true })];
      this.#identity = { file, dir };
      await this.check();
    } catch (error) {
      await this.#handle.close().catch(() => undefined);
      throw asUnwritable(this.path, error);
    }
  }

  /** Removes a file that was not published. */
  async discard(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
    await rm(`${this.path}.new`, { force: true }).catch(() => undefined);
  }

  /** Bytes written. */
  get size(): number {
    return Number(this.#size);
  }

  /** Checks the file, appends and syncs. Rejects with Unwritable. */
  async append(lines: Buffer): Promise<void> {
    try {
      await this.check();
      await this.#put(lines);
    } catch (error) {
      throw asUnwritable(this.path, error);
    }
  }

  /** Whether the open file is still the one in the directory, and holds what was written: writes to a removed file succeed. */
  async check(): Promise<void> {
    const [open, named, dir] = await Promise.all([
      this.#handle.stat({ bigint: true }),
      lstat(this.path, { bigint: true }),
      lstat(this.#dir, { bigint: true }),
    ]);
    const known = this.#identity;
    if (open.nlink < 1n || !named.isFile() || !same(open, named))
      this.#refuse('the audit file was removed or replaced');
    if (known === undefined || !same(open, known.file) || !same(dir, known.dir)) {
      this.#refuse('the audit directory was replaced');
    }
    if (open.size !== this.#size) this.#refuse('the audit file was changed by someone else');
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  #refuse(why: string): never {
    throw new Unwritable(this.path, why);
  }

  async #put(lines: Buffer): Promise<void> {
    let rest: Uint8Array = lines;
    while (rest.length > 0) {
      const { bytesWritten } = await this.#handle.write(rest);
      if (bytesWritten <= 0) this.#refuse('the audit file takes no more bytes');
      rest = rest.subarray(bytesWritten);
    }
    await this.#handle.datasync();
    this.#size += BigInt(lines.length);
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
}

function same(a: BigIntStats, b: BigIntStats): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

function asUnwritable(path: string, error: unknown): Unwritable {
  if (error instanceof Unwritable) return error;
  return new Unwritable(path, `cannot write the audit file: ${errnoOf(error) ?? 'error'}`, error);
}
