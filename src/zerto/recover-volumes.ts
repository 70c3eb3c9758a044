import { type FstabLine, lineOver, parseFstab, volumesOf } from './recover-fstab.js';
import { isFile, listAll, type Mounted, nameIn } from './recover-list.js';
import type { GuestPath } from './recover-path.js';
import { bytesOf, joined } from './recover-read.js';
import type { FlrItem } from './recover-types.js';
import { inOrder, walk } from './recover-walk.js';

export type ReadPath = Exclude<GuestPath, { kind: 'malformed' }>;

/** Where to look for a path. `at`: the folder of the guest in which the volume is mounted, by the guest's own `/etc/fstab`. */
export interface Place {
  readonly volume: FlrItem;
  readonly segments: readonly string[];
  readonly at?: string | undefined;
}

/**
 * The places that a path can mean. `sure`: what is found there is what the guest shows under the path; else it is only a
 * candidate, since a mount tells neither drive letters nor where volumes are mounted. `note` says why there is no place.
 */
export interface Places {
  readonly places: readonly Place[];
  readonly sure: boolean;
  readonly note?: string | undefined;
}

const WINDOWS_VOLUME = /ntfs|refs|fat/i;
const LINUX_VOLUME = /ext[234]|xfs|btrfs|jfs|reiser|zfs/i;

/** Works out from the content of the volumes, all of which `mayHold` the path, where it can be. */
export async function placesOf(mounted: Mounted, volumes: readonly FlrItem[], path: ReadPath): Promise<Places> {
  const { segments } = path;
  const everywhere = volumes.map((volume) => ({ volume, segments }));
  if (path.kind === 'volume') return { places: everywhere, sure: true };
  if (path.kind === 'windows') return drive(mounted, volumes, path);
  return volumes.length < 2 ? { places: everywhere, sure: true } : mountPoint(mounted, volumes, segments);
}

/** Whether names fold in this volume. */
export function folds(volume: string, path: ReadPath): boolean {
  return path.kind === 'windows' || (path.kind === 'volume' && WINDOWS_VOLUME.test(volume));
}

/** Whether a volume can hold such a path, by the file system in its label; one without may. */
export function mayHold(volume: string, path: ReadPath): boolean {
  if (path.kind === 'volume') return volume === path.volume;
  return path.kind === 'windows' ? !LINUX_VOLUME.test(volume) : !WINDOWS_VOLUME.test(volume);
}

/** What Windows keeps on partitions that have no drive letter. */
const LETTERLESS = new Set(
  'boot,bootmgr,bootnxt,bootsect.bak,bootstat.dat,efi,recovery,recovery.txt,system volume information'.split(','),
);

/** The volume with `Windows/System32` is C:; any other letter is one of the others. */
async function drive(
  mounted: Mounted,
  volumes: readonly FlrItem[],
  path: Extract<ReadPath, { kind: 'windows' }>,
): Promise<Places> {
  const { segments } = path;
  if (volumes.length === 1 && path.drive === 'C')
    return { places: volumes.map((volume) => ({ volume, segments })), sure: true };
  const looked = await inOrder(volumes, async (volume) => ({
    volume,
    system: (await walk(mounted, volume, ['Windows', 'System32'], true)).items.some((item) => item.browsable),
    letterless: isLetterless(await listAll(mounted, volume.path), volume.path),
  }));
  const systems = looked.filter(({ system }) => system);
  const lettered = looked.filter(({ letterless }) => !letterless);
  const left =
    systems.length !== 1 ? lettered : path.drive === 'C' ? systems : lettered.filter(({ system }) => !system);
  const note = left.length > 0 ? undefined : 'the mount shows no volume for this drive letter';
  return { places: left.map(({ volume }) => ({ volume, segments })), sure: left.length === 1, note };
}

function isLetterless(items: readonly FlrItem[], volume: string): boolean {
  const names = items.map((item) => (nameIn(volume, item) ?? '').toLowerCase());
  return names.length > 0 && names.every((name) => name.startsWith('$') || LETTERLESS.has(name));
}

/** By the `/etc/fstab` of the volume that is the guest's root, where exactly one can be it. */
async function mountPoint(mounted: Mounted, volumes: readonly FlrItem[], segments: readonly string[]): Promise<Places> {
  const roots = (await inOrder(volumes, (volume) => rootOf(mounted, volume))).flatMap((found) => found ?? []);
  const [root] = roots;
  if (root === undefined || roots.length > 1)
    return { places: volumes.map((volume) => ({ volume, segments })), sure: false };
  const lines = root.fstab === undefined ? [] : await readFstab(mounted, root.fstab);
  const line = lineOver(lines, segments);
  if (line === undefined) return { places: [{ volume: root.volume, segments }], sure: true };
  const at = `/${line.at.join('/')}`;
  if (!line.local)
    return { places: [], sure: true, note: `${at} is no disk of this VM (${line.type}, ${line.device})` };
  const others = volumes.filter((volume) => volume !== root.volume);
  const names = others.map((volume) => volume.path);
  const found = volumesOf(line, lines, names);
  return {
    places: others
      .filter((volume) => found.volumes.includes(volume.path))
      .map((volume) => ({ volume, segments: segments.slice(line.at.length), at })),
    sure: found.sure,
    note: found.volumes.length > 0 ? undefined : `the mount does not show the volume of ${at} (${line.device})`,
  };
}

const ROOT_FILES = ['fstab', 'passwd', 'os-release'];

async function rootOf(
  mounted: Mounted,
  volume: FlrItem,
): Promise<{ readonly volume: FlrItem; readonly fstab: FlrItem | undefined } | undefined> {
  const etc = (await walk(mounted, volume, ['etc'], false)).items.find((item) => item.browsable);
  if (etc === undefined) return undefined;
  const items = await listAll(mounted, etc.path);
  const named = (name: string): FlrItem | undefined => items.find((item) => nameIn(etc.path, item) === name);
  return ROOT_FILES.some((name) => named(name) !== undefined) ? { volume, fstab: named('fstab') } : undefined;
}

const MAX_FSTAB = 65_536;

/** One that cannot be had tells nothing; then only what is at hand counts. */
async function readFstab(mounted: Mounted, item: FlrItem): Promise<readonly FstabLine[]> {
  const size = item.sizeInBytes;
  if (!isFile(item) || size === undefined || size > MAX_FSTAB) return [];
  return parseFstab((await joined(bytesOf(mounted, { path: item.path, size }))).toString('utf8'));
}
