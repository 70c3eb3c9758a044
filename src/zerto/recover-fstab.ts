/** One line of a Linux guest's `/etc/fstab`. `at`: where it is mounted, as names; empty for the root. */
export interface FstabLine {
  readonly device: string;
  readonly at: readonly string[];
  readonly type: string;
  /** A disk of the VM, which a mount may show as a volume; a share, memory or another folder is none. */
  readonly local: boolean;
  /** Of btrfs: the names of the subvolume from the top of its volume. `unknown`: it is told by its number. */
  readonly subvolume?: readonly string[] | 'unknown' | undefined;
}

const DISK = /^(\/dev\/|(UUID|LABEL|PARTUUID|PARTLABEL)=)/i;

/** Reads an `/etc/fstab`; comments, swap and lines without a place are left out. */
export function parseFstab(text: string): readonly FstabLine[] {
  return text.split('\n').flatMap((line) => {
    const [device = '', place = '', type = '', options = ''] = line.trim().split(/\s+/).map(unescaped);
    if (device === '' || device.startsWith('#') || !place.startsWith('/')) return [];
    const at = namesIn(place);
    const bind = /(^|,)r?bind(,|$)/.test(options);
    const subvolume = subvolumeIn(options);
    const told = subvolume === undefined ? {} : { subvolume };
    return [{ device, at, type: type.toLowerCase(), local: DISK.test(device) && !bind, ...told }];
  });
}

function namesIn(path: string): readonly string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

/** `subvol=@home`, and `subvolid=5` or `0` for the top of the volume; other numbers are shown nowhere. */
function subvolumeIn(options: string): FstabLine['subvolume'] {
  const [named, numbered] = ['subvol', 'subvolid'].map((key) =>
    options.split(',').findLast((option) => option.startsWith(`${key}=`)),
  );
  if (named !== undefined) {
    const names = namesIn(named.slice('subvol='.length));
    return names.includes('..') ? 'unknown' : names;
  }
  if (numbered === undefined) return undefined;
  return /^subvolid=0*[05]$/.test(numbered) ? [] : 'unknown';
}

/** Whether two lines name the same device, in the same words. */
export function sameDevice(one: FstabLine, other: FstabLine): boolean {
  return one.device.toLowerCase() === other.device.toLowerCase();
}

/** Spaces stand as `\040` in an fstab. */
function unescaped(field: string): string {
  return field.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/** The line whose place holds the path, the deepest and last one; `undefined` for what lies on the root itself. */
export function lineOver(lines: readonly FstabLine[], path: readonly string[]): FstabLine | undefined {
  const over = lines.filter(({ at }) => at.length > 0 && at.every((name, index) => path[index] === name));
  const deepest = Math.max(0, ...over.map(({ at }) => at.length));
  return over.findLast(({ at }) => at.length === deepest);
}

/**
 * Which of a mount's volumes a line can stand for. `sure`: exactly one, by the name of its logical volume, or since no other
 * line and no other volume is left for it by the type of the file system.
 */
export function volumesOf(
  line: FstabLine,
  lines: readonly FstabLine[],
  volumes: readonly string[],
): { readonly volumes: readonly string[]; readonly sure: boolean } {
  const own = byName(line, volumes);
  if (own.length === 1) return { volumes: own, sure: true };
  const mounts = lines.filter((each) => each.local && each.at.length > 0);
  const claimed = new Set(mounts.flatMap((each) => (byName(each, volumes).length === 1 ? byName(each, volumes) : [])));
  const left = volumes.filter((volume) => !claimed.has(volume) && mayBe(volume, line.type));
  const rivals = mounts.filter((each) => byName(each, volumes).length !== 1 && left.some((v) => mayBe(v, each.type)));
  const devices = new Set(rivals.map(({ device }) => device.toLowerCase()));
  return { volumes: left, sure: left.length === 1 && devices.size === 1 };
}

/** Volumes that carry the name of a line's logical volume: `/dev/vg0/var` and `/dev/mapper/vg0-var` are `vg0-var`. */
function byName({ device }: FstabLine, volumes: readonly string[]): readonly string[] {
  const mapped = /^\/dev\/mapper\/(.+)$/.exec(device)?.[1];
  const [, group, volume] = /^\/dev\/([^/]+)\/([^/]+)$/.exec(device) ?? [];
  const name = mapped ?? (group === undefined || group === 'disk' ? undefined : `${group}-${volume}`);
  if (name === undefined) return [];
  const words = plain(name);
  return volumes.filter((each) => ` ${plain(each)} `.includes(` ${words} `));
}

/** `vg0--a-var` of the device mapper and `vg0-a_var` of a label read the same; types of file systems are set apart. */
function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

const TYPES = ['ext2', 'ext3', 'ext4', 'xfs', 'btrfs', 'jfs', 'reiserfs', 'zfs', 'vfat', 'ntfs'];

/** Whether a volume's label allows a type of file system; a label without a type may be any. */
export function mayBe(volume: string, type: string): boolean {
  const named = TYPES.filter((each) => volume.toLowerCase().includes(each));
  return named.length === 0 || named.includes(type) || type === 'auto';
}
