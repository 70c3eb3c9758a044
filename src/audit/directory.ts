import { chmodSync, constants, lstatSync, mkdirSync, readdirSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { OWN_NAME } from './names.js';

/** Never through a link in the last part of a path; Windows has no such flag. */
export const NOFOLLOW = constants.O_NOFOLLOW ?? 0;

/** A reason for not writing, with the place for the operator; the agent never sees it. */
export class Unwritable extends Error {
  readonly path: string;
  readonly errno: string | undefined;

  constructor(path: string, why: string, cause?: unknown) {
    super(why, { cause });
    this.path = path;
    this.errno = errnoOf(cause);
  }
}

export function errnoOf(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/**
 * Creates the directory (0700) or checks the one that is there: no link, owned by this user, closed to others. One that
 * others can only read is tightened where it holds nothing but audit files; one that others can write is refused.
 */
export function ensureDirectory(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Unwritable(dir, `cannot create the audit directory: ${errnoOf(error) ?? 'error'}`, error);
  }
  const stat = lstatSync(dir);
  if (!stat.isDirectory()) throw new Unwritable(dir, 'the audit directory is a link or not a directory');
  if (process.platform !== 'win32') closeToOthers(dir, stat);
}

function closeToOthers(dir: string, stat: Stats): void {
  if (stat.uid !== process.geteuid?.()) throw new Unwritable(dir, `the audit directory belongs to user ${stat.uid}`);
  const mode = stat.mode & 0o777;
  if ((mode & 0o022) !== 0)
    throw new Unwritable(dir, `others can write the audit directory (mode ${mode.toString(8)})`);
  if ((mode & 0o055) === 0) return;
  if (!readdirSync(dir).every((name) => OWN_NAME.test(name))) {
    throw new Unwritable(
      dir,
      `others can read the audit directory (mode ${mode.toString(8)}), and it holds other files`,
    );
  }
  chmodSync(dir, 0o700);
}

/** Makes a new name in the directory survive a power failure; a platform that cannot sync directories does without. */
export async function syncDirectory(dir: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(dir, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
