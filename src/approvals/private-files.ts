import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const NOFOLLOW = constants.O_NOFOLLOW ?? 0;
const LARGEST = 256 * 1024;

/** Makes the directory (0700), or checks that it is one of this user that others can neither read nor write. Throws what stands in the way. */
export function privateDirectory(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const stat = lstatSync(dir);
  if (!stat.isDirectory()) throw new Error('it is a link or no directory');
  if (!isOwn(stat)) throw new Error('it belongs to another user, or others can write in it');
}

/** Writes a file (0600) that was not there before, whole or not at all; false where another one was faster. */
export function writeOnce(dir: string, name: string, text: string, unique: string): boolean {
  const temporary = join(dir, `.${name}.${unique}`);
  writeFileSync(temporary, text, { flag: 'wx', mode: 0o600, flush: true });
  try {
    linkSync(temporary, join(dir, name));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** A file of this user that others cannot write, as text; undefined where there is none, or it is anything else. */
export function readPrivate(dir: string, name: string): string | undefined {
  let file: number;
  try {
    file = openSync(join(dir, name), constants.O_RDONLY | NOFOLLOW | (constants.O_NONBLOCK ?? 0));
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(file);
    return stat.isFile() && isOwn(stat) && stat.size <= LARGEST ? readFileSync(file, 'utf8') : undefined;
  } finally {
    closeSync(file);
  }
}

/** Names in a directory; none where there is no such directory. */
export function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

export function remove(dir: string, name: string): void {
  rmSync(join(dir, name), { force: true });
}

/** Of this user or of root, and not to be written by others. Windows tells neither. */
function isOwn({ uid, mode }: Stats): boolean {
  if (process.platform === 'win32') return true;
  return (uid === process.geteuid?.() || uid === 0) && (mode & 0o022) === 0;
}
