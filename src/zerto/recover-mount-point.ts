import { type FstabLine, lineOver, mayBe, parseFstab, sameDevice, volumesOf } from './recover-fstab.js';
import { isFile, listAll, type Mounted, nameIn } from './recover-list.js';
import { bytesOf, joined } from './recover-read.js';
import type { FlrItem } from './recover-types.js';
import type { Place, Places } from './recover-volumes.js';
import { inOrder, walk } from './recover-walk.js';

/** The guest's root in the mount: a volume, or the subvolume `base` of it. */
interface Root {
  readonly volume: FlrItem;
  readonly base: FlrItem;
  readonly lines: readonly FstabLine[];
}

/** Where the guest's own `/etc/fstab` says that a path is; `undefined` unless exactly one place can be the guest's root. */
export async function mountPoint(
  mounted: Mounted,
  volumes: readonly FlrItem[],
  segments: readonly string[],
): Promise<Places | undefined> {
  const [root, another] = (await inOrder(volumes, (volume) => rootsOf(mounted, volume))).flat();
  if (root === undefined || another !== undefined) return undefined;
  const line = lineOver(root.lines, segments);
  if (line === undefined) return { places: [{ volume: root.volume, base: root.base, segments }], sure: true };
  const at = `/${line.at.join('/')}`;
  if (!line.local)
    return { places: [], sure: true, note: `${at} is no disk of this VM (${line.type}, ${line.device})` };
  const rest = segments.slice(line.at.length);
  const own = rootLine(root.lines);
  if (own !== undefined && sameDevice(own, line) && line.subvolume !== undefined)
    return besideRoot(mounted, root, own, { line, at, segments: rest });
  return onAnother(mounted, root, volumes, { line, at, segments: rest });
}

/** What lies below the place of a line. */
interface Below {
  readonly line: FstabLine;
  readonly at: string;
  readonly segments: readonly string[];
}

/** Another subvolume of the root's own volume: there only where the mount shows that volume from its top. */
async function besideRoot(
  mounted: Mounted,
  root: Root,
  own: FstabLine,
  { line, at, segments }: Below,
): Promise<Places> {
  const { volume, base } = root;
  const fromTop = base !== volume || own.subvolume === undefined || own.subvolume.length === 0;
  const shown = fromTop ? await subvolume(mounted, volume, line) : undefined;
  if (shown !== undefined) return { places: [{ volume, base: shown, segments, at }], sure: true };
  return { places: [], sure: true, note: `the mount does not show the subvolume of ${at} (${namesOf(line)})` };
}

async function onAnother(
  mounted: Mounted,
  root: Root,
  volumes: readonly FlrItem[],
  { line, at, segments }: Below,
): Promise<Places> {
  const own = rootLine(root.lines);
  const others = volumes.filter((volume) => volume !== root.volume);
  const lines = root.lines.filter((each) => own === undefined || !sameDevice(own, each));
  const found = volumesOf(
    line,
    lines,
    others.map((volume) => volume.path),
  );
  const holding = others.filter((volume) => found.volumes.includes(volume.path));
  if (holding.length === 0)
    return { places: [], sure: found.sure, note: `the mount does not show the volume of ${at} (${line.device})` };
  if (line.subvolume === undefined)
    return { places: holding.map((volume): Place => ({ volume, segments, at })), sure: found.sure };
  const places = await inOrder(
    holding,
    async (volume): Promise<Place> => ({ volume, base: await subvolume(mounted, volume, line), segments, at }),
  );
  // A mount that shows the subvolume in place of its volume looks the same as one of another subvolume.
  const shown = places.every(({ base }) => base !== undefined);
  const note = shown ? {} : { note: `the mount does not tell where the subvolume of ${at} (${namesOf(line)}) is` };
  return { places, sure: found.sure && shown, ...note };
}

/** The folder that is a line's subvolume, seen from the top of its volume. */
async function subvolume(mounted: Mounted, volume: FlrItem, line: FstabLine): Promise<FlrItem | undefined> {
  if (line.subvolume === undefined || line.subvolume === 'unknown') return undefined;
  const { items } = await walk(mounted, volume, line.subvolume, false);
  return items.find((item) => item.browsable);
}

function namesOf({ subvolume: names }: FstabLine): string {
  return names === undefined || names === 'unknown' ? 'by its number' : `/${names.join('/')}`;
}

function rootLine(lines: readonly FstabLine[]): FstabLine | undefined {
  return lines.findLast(({ at }) => at.length === 0);
}

const ROOT_FILES = ['fstab', 'passwd', 'os-release'];
/** A volume with more folders at its top is no volume of subvolumes. */
const MOST_SUBVOLUMES = 64;

/** A volume with an `etc` of a root; else its folders that their own fstab calls the root's subvolume. */
async function rootsOf(mounted: Mounted, volume: FlrItem): Promise<readonly Root[]> {
  const top = await listAll(mounted, volume.path);
  const folders = top.filter((item) => item.browsable);
  if (folders.some((item) => nameIn(volume.path, item) === 'etc')) {
    const etc = await rootFiles(mounted, volume);
    return etc === undefined ? [] : [{ volume, base: volume, lines: etc }];
  }
  if (!mayBe(volume.path, 'btrfs') || folders.length > MOST_SUBVOLUMES) return [];
  const roots = await inOrder(folders, async (base): Promise<Root | undefined> => {
    const lines = (await rootFiles(mounted, base)) ?? [];
    const names = rootLine(lines)?.subvolume;
    const isRoot = Array.isArray(names) && names.length === 1 && names[0] === nameIn(volume.path, base);
    return isRoot ? { volume, base, lines } : undefined;
  });
  return roots.flatMap((root) => root ?? []);
}

/** The lines of the fstab below a folder, where its `etc` is that of a root. */
async function rootFiles(mounted: Mounted, base: FlrItem): Promise<readonly FstabLine[] | undefined> {
  const etc = (await walk(mounted, base, ['etc'], false)).items.find((item) => item.browsable);
  if (etc === undefined) return undefined;
  const items = await listAll(mounted, etc.path);
  const named = (name: string): FlrItem | undefined => items.find((item) => nameIn(etc.path, item) === name);
  if (!ROOT_FILES.some((name) => named(name) !== undefined)) return undefined;
  const fstab = named('fstab');
  return fstab === undefined ? [] : await readFstab(mounted, fstab);
}

const MAX_FSTAB = 65_536;

/** One that cannot be had tells nothing; then only what is at hand counts. */
async function readFstab(mounted: Mounted, item: FlrItem): Promise<readonly FstabLine[]> {
  const size = item.sizeInBytes;
  if (!isFile(item) || size === undefined || size > MAX_FSTAB) return [];
  return parseFstab((await joined(bytesOf(mounted, { path: item.path, size }))).toString('utf8'));
}
