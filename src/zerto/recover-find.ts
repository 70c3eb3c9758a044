import { ProxyError } from '../domain/errors.js';
import type { GuestPath } from './recover-path.js';
import type { FlrItem, RecoveryClient } from './recover-types.js';

/** One row of a folder's listing. */
export interface Entry {
  readonly name: string;
  readonly type: 'file' | 'folder' | 'other';
  readonly size?: number | undefined;
  readonly modifiedAt?: string | undefined;
}

/**
 * Where a path is in the mount. `mountedAt`: the folder of the guest in which another volume was taken to be mounted.
 * `found` and `maybe` are paths that `parseGuestPath` reads; `looked` names the volumes that were searched.
 */
export type Found =
  | { readonly kind: 'item'; readonly volume: string; readonly item: FlrItem; readonly mountedAt?: string | undefined }
  | { readonly kind: 'ambiguous'; readonly found: readonly string[] }
  | { readonly kind: 'not_found'; readonly looked: readonly string[]; readonly maybe: readonly string[] };

type ReadPath = Exclude<GuestPath, { kind: 'malformed' }>;

interface Mounted {
  readonly client: RecoveryClient;
  readonly session: string;
  readonly signal: AbortSignal;
}

interface Hit {
  readonly volume: FlrItem;
  readonly item: FlrItem;
}

const PAGE = 500;
const MAX_PAGES = 400;
const WINDOWS_VOLUME = /ntfs|refs|fat/i;
const LINUX_VOLUME = /ext[234]|xfs|btrfs|jfs|reiser|zfs/i;

/**
 * Looks a path up by listing one folder after the other, from the volumes down. A path that two volumes hold, or two names
 * that differ in case alone where case does not count, is ambiguous. A mount does not tell where the guest mounts a volume:
 * a second volume is taken to continue an empty folder only where there is no third; else what it holds is a `maybe`.
 */
export async function findPath(
  client: RecoveryClient,
  session: string,
  path: ReadPath,
  signal: AbortSignal,
): Promise<Found> {
  const mounted = { client, session, signal };
  const volumes = (await listAll(mounted, '')).filter((volume) => volume.browsable && mayHold(volume.path, path));
  const walks = await inOrder(volumes, (volume) => walk(mounted, volume, path.segments, folds(volume.path, path)));
  const hits = walks.flatMap(({ volume, items }) => items.map((item) => ({ volume, item })));
  const [hit, second] = hits;
  if (hit === undefined) return continued(mounted, volumes, walks, path);
  if (second !== undefined) return { kind: 'ambiguous', found: hits.map(explicit) };
  return { kind: 'item', volume: hit.volume.path, item: hit.item };
}

interface Walk {
  readonly volume: FlrItem;
  readonly items: readonly FlrItem[];
  /** How many names led to an empty folder, where that ended the walk. */
  readonly emptyAfter?: number | undefined;
}

/** Every item at the path: one, none, or several where only the case differs. */
async function walk(mounted: Mounted, volume: FlrItem, segments: readonly string[], folding: boolean): Promise<Walk> {
  let here = [volume];
  for (const [depth, segment] of segments.entries()) {
    const folders = here.filter((item) => item.browsable);
    const listings = await inOrder(folders, async (folder) => ({ folder, items: await listAll(mounted, folder.path) }));
    here = listings.flatMap(({ folder, items }) => named(items, folder.path, segment, folding));
    if (here.length === 0) {
      const empty = depth > 0 && (await areEmpty(mounted, listings));
      return { volume, items: [], ...(empty ? { emptyAfter: depth } : {}) };
    }
  }
  return { volume, items: here };
}

/** A second look, since much is concluded from an empty folder. */
async function areEmpty(
  mounted: Mounted,
  listings: readonly { readonly folder: FlrItem; readonly items: readonly FlrItem[] }[],
): Promise<boolean> {
  if (listings.length === 0 || listings.some(({ items }) => items.length > 0)) return false;
  const again = await inOrder(listings, ({ folder }) => listAll(mounted, folder.path));
  return again.every((items) => items.length === 0);
}

/** What other volumes hold of the path beyond an empty folder. */
async function continued(
  mounted: Mounted,
  volumes: readonly FlrItem[],
  walks: readonly Walk[],
  path: ReadPath,
): Promise<Found> {
  const looked = volumes.map((volume) => volume.path);
  const hits: (Hit & { readonly mountedAt: string })[] = [];
  for (const { volume, emptyAfter } of path.kind === 'linux' ? walks : []) {
    if (emptyAfter === undefined) continue;
    const mountedAt = `/${path.segments.slice(0, emptyAfter).join('/')}`;
    const others = volumes.filter((other) => other !== volume);
    const found = await inOrder(others, (other) => walk(mounted, other, path.segments.slice(emptyAfter), false));
    hits.push(...found.flatMap((other) => other.items.map((item) => ({ volume: other.volume, item, mountedAt }))));
  }
  const [hit] = hits;
  if (hit === undefined || hits.length > 1 || volumes.length > 2)
    return { kind: 'not_found', looked, maybe: hits.map(explicit) };
  return { kind: 'item', volume: hit.volume.path, item: hit.item, mountedAt: hit.mountedAt };
}

/** The path with its volume, as `parseGuestPath` reads it. */
function explicit({ volume, item }: Hit): string {
  return `${volume.path}:${item.path.slice(volume.path.length) || '/'}`;
}

function folds(volume: string, path: ReadPath): boolean {
  return path.kind === 'windows' || (path.kind === 'volume' && WINDOWS_VOLUME.test(volume));
}

async function inOrder<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await run(item));
  return results;
}

function named(items: readonly FlrItem[], folder: string, segment: string, folds: boolean): FlrItem[] {
  const exact = items.filter((item) => nameIn(folder, item) === segment);
  if (exact.length > 0 || !folds) return exact;
  return items.filter((item) => fold(nameIn(folder, item) ?? '') === fold(segment));
}

/** `undefined` for a row that is not directly in the folder that was listed. */
function nameIn(folder: string, item: FlrItem): string | undefined {
  const name = item.path.startsWith(`${folder}/`) ? item.path.slice(folder.length + 1) : undefined;
  return name === undefined || name === '' || name.includes('/') ? undefined : name;
}

function fold(name: string): string {
  return name.toLowerCase();
}

function mayHold(volume: string, path: ReadPath): boolean {
  if (path.kind === 'volume') return volume === path.volume;
  return path.kind === 'windows' ? !LINUX_VOLUME.test(volume) : !WINDOWS_VOLUME.test(volume);
}

/**
 * Every row of a folder. Whether pages count from 0 or from 1 is not known, nor whether a page may be short: so it asks from
 * 1 until a page brings nothing new, and for page 0 at the end.
 */
async function listAll({ client, session, signal }: Mounted, path: string): Promise<FlrItem[]> {
  const all = new Map<string, FlrItem>();
  const addPage = async (number: number): Promise<number> => {
    const known = all.size;
    const { items } = await client.browse(session, path, { number, size: PAGE }, signal);
    for (const item of items) all.set(item.path, item);
    return all.size - known;
  };
  for (let number = 1; (await addPage(number)) > 0; number += 1) {
    if (number > MAX_PAGES) {
      throw new ProxyError(
        'ZVM_REJECTED',
        'A folder on the way has too many entries to search; nothing was recovered.',
      );
    }
  }
  await addPage(0).catch((error: unknown) => {
    // Refused where pages count from 1.
    if (signal.aborted || all.size === 0) throw error;
  });
  return [...all.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** One page of a folder's listing, `size` rows each; pages start at 1. */
export async function listFolder(
  client: RecoveryClient,
  session: string,
  folder: string,
  page: { readonly number: number; readonly size: number },
  signal: AbortSignal,
): Promise<{ readonly entries: readonly Entry[]; readonly more: boolean }> {
  const items = await listAll({ client, session, signal }, folder);
  const from = (page.number - 1) * page.size;
  const entries = items.slice(from, from + page.size).map((item) => entryOf(folder, item));
  return { entries, more: items.length > from + page.size };
}

function entryOf(folder: string, item: FlrItem): Entry {
  return {
    name: nameIn(folder, item) ?? item.path,
    type: /^file$/i.test(item.type) ? 'file' : /^folder$/i.test(item.type) ? 'folder' : 'other',
    ...(item.sizeInBytes === undefined ? {} : { size: item.sizeInBytes }),
    ...(item.lastWriteTime === undefined ? {} : { modifiedAt: item.lastWriteTime }),
  };
}
