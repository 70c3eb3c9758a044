import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { errnoOf, NOFOLLOW } from './directory.js';

const LONGEST = 4096;

/** The text of a small file of this user's own that nobody else can open; nothing where there is none. Throws on any other file. */
export function readPrivate(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | NOFOLLOW);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const stat = fstatSync(file);
    const open = process.platform !== 'win32' && ((stat.mode & 0o077) !== 0 || stat.uid !== process.geteuid?.());
    if (open || !stat.isFile() || stat.size > LONGEST) throw new Error('the key file is open to others or no key');
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** Makes the file (0600) with this text, whole or not at all. Where another process was first, its text stands. */
export function makePrivate(path: string, text: string): string {
  const mine = `${path}.${randomBytes(8).toString('hex')}`;
  writeFileSync(mine, text, { flag: 'wx', mode: 0o600, flush: true });
  try {
    linkSync(mine, path);
  } catch (error) {
    // A file system without hard links: two processes that start at the same moment may end with different keys.
    if (errnoOf(error) !== 'EEXIST') renameSync(mine, path);
  } finally {
    rmSync(mine, { force: true });
  }
  const there = readPrivate(path);
  if (there === undefined) throw new Error('the key file is gone');
  return there;
}
