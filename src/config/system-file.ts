import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { ProxyError } from '../domain/errors.js';
import { visible } from '../domain/text.js';
import { parseJsonc } from './jsonc.js';

/**
 * The system-wide config: what only the machine's administrator decides. Its keys so far: `breakGlass.allow` and `breakGlass.maxMinutes`.
 * An unknown key makes the whole file unusable, and what it would allow is not allowed.
 */
const SYSTEM = z.strictObject({
  breakGlass: z
    .strictObject({ allow: z.boolean().default(false), maxMinutes: z.int().positive().max(1440).default(60) })
    .prefault({}),
});
export type SystemConfig = z.output<typeof SYSTEM>;

const NAME = 'zerto-rewind-proxy';
const LARGEST = 1 << 20;

/** Fixed for each platform: no variable and no option moves it. Windows has none yet, since owners are not read there. */
export function systemFile(platform: NodeJS.Platform): string | undefined {
  if (platform === 'win32') return undefined;
  return platform === 'darwin' ? `/Library/Application Support/${NAME}/config.json` : `/etc/${NAME}/config.json`;
}

/** Undefined where there is none. Throws CONFIG_INVALID where it is not the owner's alone, or holds anything that is not understood. */
export function readSystemConfig(path: string | undefined, owner = 0): SystemConfig | undefined {
  const text = path === undefined ? undefined : readOwned(path, owner);
  if (path === undefined || text === undefined) return undefined;
  const { value, problems } = parseJsonc(text);
  const parsed = SYSTEM.safeParse(value);
  if (problems.length > 0 || !parsed.success) throw unusable(path, 'holds something that is not understood');
  return parsed.data;
}

/** The text of a file that only `owner` can have written: it and every directory above belong to the owner or root, and nobody else can write there. */
export function readOwned(path: string, owner: number): string | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw unusable(path, `cannot be read (${code ?? 'error'})`);
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > LARGEST) throw unusable(path, 'is no plain file');
    const others = [stat, ...directoriesAbove(path)].some((each) => !belongs(each, owner));
    if (others) throw unusable(path, 'or a directory above it can be written by others than its owner');
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

function directoriesAbove(path: string): readonly Stats[] {
  const above = dirname(path);
  return above === path ? [] : [lstatSync(above), ...directoriesAbove(above)];
}

/** A sticky directory lets others make files of their own, and none of them replace this one. */
function belongs({ uid, mode }: Pick<Stats, 'uid' | 'mode'>, owner: number): boolean {
  const isSticky = (mode & 0o170000) === 0o040000 && (mode & 0o1000) !== 0;
  return (uid === 0 || uid === owner) && ((mode & 0o022) === 0 || isSticky);
}

function unusable(path: string, why: string): ProxyError {
  const message = `The system config ${visible(path)} ${why}. What it would allow is not allowed.`;
  return new ProxyError('CONFIG_INVALID', message, { details: { file: path } });
}
