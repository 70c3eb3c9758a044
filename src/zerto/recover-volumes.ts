import { listAll, type Mounted, nameIn } from './recover-list.js';
import { mountPoint } from './recover-mount-point.js';
import type { GuestPath } from './recover-path.js';
import type { FlrItem } from './recover-types.js';
import { inOrder, walk } from './recover-walk.js';

export type ReadPath = Exclude<GuestPath, { kind: 'malformed' }>;

/**
 * Where to look for a path. `base`: a subvolume, where not the whole volume is meant; `at`: the folder of the guest in which
 * it is mounted, by the guest's own `/etc/fstab`.
 */
export interface Place {
  readonly volume: FlrItem;
  readonly base?: FlrItem | undefined;
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
  return (await mountPoint(mounted, volumes, segments)) ?? { places: everywhere, sure: volumes.length < 2 };
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
