import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { ProxyError } from '../domain/errors.js';
import { visible } from '../domain/text.js';
import { parseJsonc } from './jsonc.js';
import type { SystemPlace } from './paths.js';
import { linesOf, parseShape } from './problems.js';
import { type SystemConfig, systemShape } from './system-schema.js';

const NAME = 'zerto-rewind-proxy';
const LARGEST = 1 << 20;

/**
 * Fixed for each platform: no variable and no option moves it. On Windows below Program Files, where only administrators make files; below
 * ProgramData every user may make a directory of that name.
 */
export function systemPlace(platform: NodeJS.Platform): SystemPlace {
  if (platform === 'win32') return { path: `C:\\Program Files\\${NAME}\\config.json`, owner: 0, platform };
  const path = platform === 'darwin' ? `/Library/Application Support/${NAME}/config.json` : `/etc/${NAME}/config.json`;
  return { path, owner: 0, platform };
}

/** The system config as it was written and as it was checked. */
export interface SystemFile {
  readonly path: string;
  readonly raw: Readonly<Record<string, unknown>>;
  readonly config: SystemConfig;
}

/** Undefined where there is none. Throws CONFIG_INVALID where it is not the owner's alone, or holds anything that is not understood. */
export function readSystemFile(place: SystemPlace | undefined): SystemFile | undefined {
  const text = place === undefined ? undefined : readOwned(place);
  if (place === undefined || text === undefined) return undefined;
  const document = parseJsonc(text);
  const parsed = parseShape(document, systemShape());
  if ('problems' in parsed)
    throw unusable(place.path, `holds something that is not understood:\n${linesOf(parsed.problems).join('\n')}`);
  const file = { path: place.path, raw: { ...(document.value as object) }, config: parsed.value };
  for (const each of filesThatDecide(file.config)) mustBeOwned(place, each);
  return file;
}

function mustBeOwned(place: SystemPlace, path: string): void {
  try {
    if (readOwned({ ...place, path }) !== undefined) return;
  } catch (error) {
    throw unusable(place.path, `names a file that is no better: ${error instanceof Error ? error.message : ''}`);
  }
  throw unusable(place.path, `names ${visible(path)}, which is not there`);
}

/** Whether anything stands at the place, also what cannot be read. */
export function isSystemFileThere({ path }: SystemPlace): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    return !isNothing(error);
  }
}

/** Files that the system config hands a decision to: whoever writes them decides as well. */
function filesThatDecide({ zvm, ansible }: SystemConfig): readonly string[] {
  const sites = zvm === undefined || zvm === 'simulator' ? [] : zvm.sites;
  const authorities = sites.flatMap(({ tls }) => (tls?.caFile === undefined ? [] : [tls.caFile]));
  const { inventorySnapshot: snapshot } = ansible;
  if (snapshot === null) return authorities;
  return [...authorities, typeof snapshot === 'string' ? snapshot : snapshot.file];
}

/** The text of a file that only `owner` can have written: it and every directory above belong to the owner or root, and nobody else can write there. */
export function readOwned({ path, owner, platform }: SystemPlace): string | undefined {
  if (platform === 'win32' && isWritable(path)) throw unusable(path, 'can be written by this account');
  const file = openPlain(path);
  if (file === undefined) return undefined;
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > LARGEST) throw unusable(path, 'is no plain file of at most 1 MiB');
    if (platform !== 'win32' && [stat, ...directoriesAbove(path)].some((each) => !belongs(each, owner)))
      throw unusable(path, 'or a directory above it is a link, or can be written by others than its owner');
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** The descriptor, through no link and without waiting for a writer; undefined where there is nothing. */
function openPlain(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (isNothing(error)) return undefined;
    throw unusable(path, `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`);
  }
}

function isNothing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Windows tells neither owners nor modes: what this very account can open for writing is not an administrator's alone. */
function isWritable(path: string): boolean {
  try {
    closeSync(openSync(path, 'r+'));
    return true;
  } catch {
    return false;
  }
}

function directoriesAbove(path: string): readonly Stats[] {
  const above = dirname(path);
  return above === path ? [] : [lstatSync(above), ...directoriesAbove(above)];
}

/** A sticky directory lets others make files of their own, and none of them replace this one. An ACL that lets others write shows in the group's bits. */
function belongs({ uid, mode }: Pick<Stats, 'uid' | 'mode'>, owner: number): boolean {
  const kind = mode & constants.S_IFMT;
  const isSticky = kind === constants.S_IFDIR && (mode & 0o1000) !== 0;
  return kind !== constants.S_IFLNK && (uid === 0 || uid === owner) && ((mode & 0o022) === 0 || isSticky);
}

function unusable(path: string, why: string): ProxyError {
  const message = `The system config ${visible(path)} ${why}\nwhat it would allow is not allowed`;
  return new ProxyError('CONFIG_INVALID', message, { details: { file: path } });
}
