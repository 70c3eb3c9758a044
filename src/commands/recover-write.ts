import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** What was written. */
export interface Written {
  readonly bytes: number;
  readonly sha256: string;
}

/** A file that cannot be written here, for a reason of this machine; the recovery of the others goes on. */
export class NotWritten extends Error {
  override readonly name = 'NotWritten';
}

const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/** Writes below one folder: nothing outside of it, through no link, and over nothing unless `force`. */
export class Destination {
  readonly #root: string;
  readonly #force: boolean;
  readonly #folders = new Set<string>();

  constructor(root: string, force: boolean) {
    this.#root = root;
    this.#force = force;
  }

  /** Makes a folder (0700) and those above it. Rejects with NotWritten where something else is in the way. */
  async folder(names: readonly string[]): Promise<string> {
    let path = this.#root;
    if (!this.#folders.has(path)) await mkdir(path, { recursive: true, mode: 0o700 }).catch(failed);
    this.#folders.add(path);
    for (const name of names) {
      path = join(path, name);
      if (this.#folders.has(path)) continue;
      await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') failed(error);
      });
      if (!(await lstat(path)).isDirectory())
        throw new NotWritten('a link or a file stands where its folder should be');
      this.#folders.add(path);
    }
    return path;
  }

  /** Writes a file (0600): first beside its place, and there in one step when it is whole. */
  async file(names: readonly string[], parts: () => AsyncIterable<Uint8Array>): Promise<Written> {
    const folder = await this.folder(names.slice(0, -1));
    const place = join(folder, names.at(-1) ?? '');
    await this.#free(place);
    const draft = join(folder, `.zerto-rewind-${randomBytes(8).toString('hex')}.part`);
    try {
      const written = await write(draft, parts());
      await this.#settle(draft, place);
      return written;
    } finally {
      await rm(draft, { force: true });
    }
  }

  async #free(place: string): Promise<void> {
    const there = await lstat(place).catch((error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? undefined : failed(error),
    );
    if (there === undefined) return;
    if (there.isDirectory()) throw new NotWritten('a folder of this name is there');
    if (!this.#force) throw new NotWritten('a file of this name is there; --force replaces it');
  }

  async #settle(draft: string, place: string): Promise<void> {
    if (this.#force) return await rename(draft, place).catch(failed);
    try {
      await link(draft, place);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST')
        throw new NotWritten('a file of this name has come there');
      // File systems without hard links.
      await copyFile(draft, place, constants.COPYFILE_EXCL).catch(failed);
    }
  }
}

async function write(path: string, parts: AsyncIterable<Uint8Array>): Promise<Written> {
  const file = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | NO_FOLLOW, 0o600).catch(
    failed,
  );
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const part of parts) {
      hash.update(part);
      bytes += part.byteLength;
      await file.writeFile(part).catch(failed);
    }
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** A full disk stops everything; a name that is too long or not allowed, only its file. */
function failed(error: NodeJS.ErrnoException): never {
  throw new NotWritten(`it cannot be written here (${error.code ?? error.name})`);
}
