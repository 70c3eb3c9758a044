import { constants } from 'node:fs';
import { lstat, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

const NOFOLLOW = constants.O_NOFOLLOW ?? 0;
const LARGEST = 64 * 1024 * 1024;

/** Writes a file (0600) whole or not at all, and makes it survive a power failure. The directory is made (0700). */
export async function replaceFile(path: string, text: string, unique: string): Promise<void> {
  const temporary = `${path}.${unique}.new`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const handle = await open(temporary, constants.O_CREAT | constants.O_TRUNC | constants.O_WRONLY | NOFOLLOW, 0o600);
  try {
    await handle.writeFile(text);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  try {
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The text of a plain file; undefined where there is none, or it is anything else. */
export async function readPlain(path: string): Promise<string | undefined> {
  const stat = await lstat(path).catch(() => undefined);
  if (stat?.isFile() !== true || stat.size > LARGEST) return undefined;
  return readFile(path, { encoding: 'utf8', flag: constants.O_RDONLY | NOFOLLOW }).catch(() => undefined);
}
