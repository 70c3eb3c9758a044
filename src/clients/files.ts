import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** More than any client's config has. */
const LARGEST = 64 * 1024 * 1024;

/** A file as it was read. `real`: where it lies, behind all links. */
export interface FileRead {
  readonly kind: 'file';
  readonly real: string;
  readonly bytes: Buffer;
  readonly stat: Stats;
}
export type Read = FileRead | { readonly kind: 'absent' } | { readonly kind: 'unreadable'; readonly why: string };

/** Reads a file through links. One that is not there is absent; a link that leads nowhere or in a circle, a directory or a pipe cannot be read. */
export async function readThrough(file: string): Promise<Read> {
  try {
    const real = await realpath(file);
    const stats = await stat(real);
    if (!stats.isFile()) return { kind: 'unreadable', why: 'it is no file' };
    if (stats.size > LARGEST) return { kind: 'unreadable', why: 'it is too large' };
    return { kind: 'file', real, bytes: await readFile(real), stat: stats };
  } catch (error) {
    if (!isMissing(error)) return { kind: 'unreadable', why: `it cannot be read (${errnoOf(error)})` };
    const isLink = await lstat(file).then(
      (stats) => stats.isSymbolicLink(),
      () => false,
    );
    return isLink ? { kind: 'unreadable', why: 'it is a link that leads nowhere' } : { kind: 'absent' };
  }
}

/**
 * Puts other bytes in the place of a file, whole or not at all: by a file beside it with the same mode, which takes its name. Links to it stay. Answers
 * why it was not done: the file may not be written, or is another one than was read.
 */
export async function replaceFile({ real, bytes, stat: before }: FileRead, next: Buffer): Promise<string | undefined> {
  if ((before.mode & 0o222) === 0) return 'it is read-only';
  const temporary = join(dirname(real), `.${basename(real)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    // For one that this user may not write: rename alone would not ask.
    await (await open(real, constants.O_WRONLY)).close();
    await write(temporary, next, before);
    if (!(await isSame(real, bytes))) return 'it was changed meanwhile; run the command again';
    await rename(temporary, real);
    await syncDirectory(dirname(real));
    return undefined;
  } catch (error) {
    return `it cannot be written (${errnoOf(error)})`;
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

async function write(file: string, bytes: Buffer, { mode, uid, gid }: Stats): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    const own = await handle.stat();
    if (own.uid !== uid || own.gid !== gid) await handle.chown(uid, gid);
    await handle.chmod(mode & 0o7777);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function isSame(file: string, bytes: Buffer): Promise<boolean> {
  return (await realpath(file)) === file && (await readFile(file)).equals(bytes);
}

/** Writes a file (0600) that was not there before, in a directory (0700) of this user's own. */
export async function writePrivate(dir: string, name: string, bytes: Buffer): Promise<void> {
  await privateDirectory(dir);
  const handle = await open(join(dir, name), 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Adds a line to a file (0600); one write, so that two that add at once do not mix. */
export async function appendPrivate(dir: string, name: string, line: string): Promise<void> {
  await privateDirectory(dir);
  const noFollow = constants.O_NOFOLLOW ?? 0;
  const handle = await open(
    join(dir, name),
    constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | noFollow,
    0o600,
  );
  try {
    // A crash may have left the last line without its end.
    await handle.write(`\n${line}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function privateDirectory(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const { mode, uid } = await lstat(dir);
  if (process.platform === 'win32') return;
  if (uid !== process.geteuid?.() || (mode & 0o022) !== 0)
    throw new Error('the directory belongs to another user, or others can write in it');
}

/** A platform that cannot sync directories does without. */
async function syncDirectory(dir: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(dir, constants.O_RDONLY);
  await handle.sync().finally(() => handle.close());
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errnoOf(error));
}

/** The system's name of an error, which holds no path and no value. */
export function errnoOf(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return code ?? 'error';
}
