import { describe, expect, it } from 'vitest';
import type { Recovered } from '../../src/domain/recovered.js';
import { recoverFile } from '../../src/zerto/recover.js';
import { lineOver, parseFstab, volumesOf } from '../../src/zerto/recover-fstab.js';
import { fc } from '../support/property.js';
import { type Lab, lab } from './recover-support.js';

type Volumes = readonly { readonly name: string; readonly mount: string }[];

/** One VM with these volumes and files; `windows` by the first path. */
async function guest(volumes: Volumes, files: Readonly<Record<string, string>>): Promise<Lab> {
  const windows = Object.keys(files).some((path) => path.startsWith('C:'));
  const it = await lab({
    world: { vms: [{ name: 'vm', windows, volumes }], vpgs: [{ name: 'vpg', vms: ['vm'] }] },
  });
  for (const [path, text] of Object.entries(files)) it.world.write('vm', path, text);
  return it;
}

async function recover(it: Lab, path: string): Promise<Recovered> {
  const request = { ...it.pin('vpg'), vmIdentifier: it.vmId('vm'), recoverySite: it.site, maxBytes: 9_999, path };
  return recoverFile(it.client, request, it.tools, new AbortController().signal);
}

async function text(it: Lab, path: string): Promise<string> {
  const result = await recover(it, path);
  return result.kind === 'file' ? result.bytes.toString() : JSON.stringify(result);
}

const LVM: Volumes = [
  { name: 'Volume1-Ext4', mount: '/boot' },
  { name: 'vg0-root-XFS', mount: '' },
  { name: 'vg0-var_log-XFS', mount: '/var/log' },
  { name: 'vg0-home-XFS', mount: '/home' },
];
const FSTAB = `# made by the installer
UUID=aaaa-bbbb /boot ext4 defaults 1 2
/dev/mapper/vg0-root / xfs defaults 0 0
/dev/mapper/vg0-var_log /var/log xfs noatime 0 0
/dev/vg0/home /home xfs nodev 0 0
/dev/mapper/vg0-swap none swap defaults 0 0
filer:/export /mnt/share nfs _netdev 0 0
/srv/data /data none bind 0 0
tmpfs /run/x tmpfs size=1g 0 0
`;

describe('logical volumes', () => {
  const files = {
    '/etc/fstab': FSTAB,
    '/etc/hosts': 'root',
    '/boot/grub/grub.cfg': 'boot',
    '/var/log/app.log': 'log',
    '/home/u/.profile': 'home',
    '/home/etc/hosts': 'not this one',
  };

  it.each([
    ['/etc/hosts', 'root'],
    ['/boot/grub/grub.cfg', 'boot'],
    ['/var/log/app.log', 'log'],
    ['/home/u/.profile', 'home'],
  ])('%s is found where fstab mounts it', async (path, content) => {
    expect(await text(await guest(LVM, files), path)).toBe(content);
  });

  it('what no disk of the VM holds is said to be elsewhere', async () => {
    const it = await guest(LVM, files);
    for (const [path, words] of [
      ['/mnt/share/x', /\/mnt\/share is no disk of this VM \(nfs, filer:\/export\)/],
      ['/data/x', /\/data is no disk/],
      ['/run/x/pid', /tmpfs/],
    ] as const) {
      expect(await recover(it, path)).toMatchObject({ kind: 'not_found', note: expect.stringMatching(words) });
    }
  });

  it('a volume that the mount does not show is named, and what lies beneath its place is not taken for it', async () => {
    const it = await guest(
      [
        { name: 'A-XFS', mount: '' },
        { name: 'B-Ext4', mount: '/boot' },
      ],
      {
        '/etc/fstab': '/dev/sda2 / xfs\n/dev/sda1 /boot ext4\n/dev/md0 /var/lib/app jfs\n',
        '/var/lib/app/state': 'from before it was mounted',
        '/boot/vmlinuz': 'k',
      },
    );
    expect(await recover(it, '/var/lib/app/state')).toMatchObject({
      kind: 'not_found',
      note: 'the mount does not show the volume of /var/lib/app (/dev/md0)',
    });
  });

  it('two volumes of one type for two places are told apart by nobody: the caller must name one', async () => {
    const it = await guest(
      [
        { name: 'Volume1-Ext4', mount: '' },
        { name: 'Volume2-XFS', mount: '/var' },
        { name: 'Volume3-XFS', mount: '/srv' },
      ],
      {
        '/etc/fstab': 'UUID=1 / ext4\nUUID=2 /var xfs\nUUID=3 /srv xfs\n',
        '/srv/log/app.log': 'of srv',
        '/var/x': 'x',
      },
    );
    expect(await recover(it, '/var/log/app.log')).toMatchObject({
      kind: 'not_found',
      maybe: ['Volume3-XFS:/log/app.log'],
    });
    expect(await text(it, 'Volume3-XFS:/log/app.log')).toBe('of srv');
  });

  it('a guest without an fstab: its root is known, what lies beyond an empty folder is only a candidate', async () => {
    const it = await guest(
      [
        { name: 'V1-Ext4', mount: '' },
        { name: 'V2-Ext4', mount: '/var' },
      ],
      {
        '/etc/passwd': 'root',
        '/etc/app.conf': 'right',
        '/var/etc/app.conf': 'wrong',
        '/var/lib/f': 'f',
      },
    );
    expect(await text(it, '/etc/app.conf')).toBe('right');
    expect(await recover(it, '/var/lib/f')).toMatchObject({ kind: 'not_found', maybe: ['V2-Ext4:/lib/f'] });
  });

  it('two volumes that could be the root prove nothing', async () => {
    const it = await guest(
      [
        { name: 'V1-Ext4', mount: '' },
        { name: 'V2-Ext4', mount: '/old' },
      ],
      {
        '/etc/fstab': 'UUID=1 / ext4\n',
        '/old/etc/fstab': 'UUID=1 / ext4\n',
        '/old/etc/only': 'there',
      },
    );
    expect(await recover(it, '/etc/only')).toMatchObject({ kind: 'not_found', maybe: ['V2-Ext4:/etc/only'] });
    expect(await recover(it, '/etc/fstab')).toMatchObject({ kind: 'ambiguous' });
  });
});

describe('btrfs subvolumes', () => {
  const DISK = [{ name: 'Volume1-Btrfs', mount: '' }];
  const TAB =
    'UUID=1 / btrfs compress=zstd,subvol=@ 0 0\nUUID=1 /home btrfs subvol=/@home 0 0\nUUID=1 /var/log btrfs defaults,subvolid=258 0 0\nUUID=1 /top btrfs subvolid=5\n';
  const files = {
    '/@/etc/fstab': TAB,
    '/@/etc/app.conf': 'root',
    '/@/home/u/f': 'beneath',
    '/@/var/log/app.log': 'beneath',
    '/@home/u/f': 'home',
    '/@home/u/.ssh/id_work': 'key',
    '/@old/etc/fstab': TAB,
    '/@old/etc/app.conf': 'a snapshot of the root',
  };

  it('are found by the subvol= of the guest’s fstab, where the mount shows the volume from its top', async () => {
    const it = await guest(DISK, files);
    expect(await text(it, '/etc/app.conf')).toBe('root');
    expect(await text(it, '/home/u/f')).toBe('home');
    expect(await text(it, '/top/@old/etc/app.conf')).toBe('a snapshot of the root');
    expect(await text(it, 'Volume1-Btrfs:/@/home/u/f')).toBe('beneath');
    expect(await recover(it, '/home/u/f')).toMatchObject({ volumePath: 'Volume1-Btrfs/@home/u/f', mountedAt: '/home' });
  });

  it('are judged by the path that the guest knows', async () => {
    const it = await guest(DISK, files);
    const judged: string[] = [];
    const request = { ...it.pin('vpg'), vmIdentifier: it.vmId('vm'), recoverySite: it.site, maxBytes: 9 };
    const deny = (path: string) => {
      judged.push(path);
      return 'denied';
    };
    const asked = { ...request, path: '/home/u/.ssh/id_work', deny };
    const result = await recoverFile(it.client, asked, it.tools, new AbortController().signal);
    expect(result).toMatchObject({ kind: 'refused', why: 'denied' });
    expect(judged).toEqual(['/home/u/.ssh/id_work']);
  });

  it('are judged by their place in the volume too', async () => {
    const tab = 'UUID=1 / btrfs subvol=@\nUUID=1 /srv btrfs subvol=@/etc\n';
    const it = await guest(DISK, { '/@/etc/fstab': tab, '/@/etc/kubernetes/admin.conf': 'k' });
    const request = { ...it.pin('vpg'), vmIdentifier: it.vmId('vm'), recoverySite: it.site, maxBytes: 9 };
    const deny = (path: string) => (path.endsWith('/etc/kubernetes/admin.conf') ? 'denied' : undefined);
    const asked = { ...request, path: '/srv/kubernetes/admin.conf', deny };
    expect(await recoverFile(it.client, asked, it.tools, new AbortController().signal)).toMatchObject({
      kind: 'refused',
      why: 'denied',
    });
  });

  it('that only a number names are not guessed, and what lies beneath their place is not taken for them', async () => {
    expect(await recover(await guest(DISK, files), '/var/log/app.log')).toMatchObject({
      kind: 'not_found',
      note: 'the mount does not show the subvolume of /var/log (by its number)',
    });
  });

  it('that a mount of the root’s subvolume alone cannot show are said not to be shown', async () => {
    const it = await guest(DISK, {
      '/etc/fstab': TAB,
      '/etc/app.conf': 'root',
      '/home/u/f': 'beneath',
      '/@home/u/f': 'x',
    });
    expect(await text(it, '/etc/app.conf')).toBe('root');
    expect(await recover(it, '/home/u/f')).toMatchObject({
      kind: 'not_found',
      note: 'the mount does not show the subvolume of /home (/@home)',
    });
  });

  it('of another disk: by its name where the mount shows it, else only a candidate', async () => {
    const disks = [
      { name: 'V1-Ext4', mount: '' },
      { name: 'V2-Btrfs', mount: '/pool' },
    ];
    const tab = 'UUID=1 / ext4\nUUID=2 /data btrfs subvol=@data\nUUID=2 /logs btrfs subvol=@logs\n';
    const it = await guest(disks, { '/etc/fstab': tab, '/pool/@data/f': 'data', '/pool/f': 'top' });
    expect(await text(it, '/data/f')).toBe('data');
    expect(await recover(it, '/logs/f')).toMatchObject({
      kind: 'not_found',
      maybe: ['V2-Btrfs:/f'],
      note: expect.stringContaining('the subvolume of /logs (/@logs)'),
    });
  });

  it('two folders that call themselves the root prove nothing', async () => {
    const it = await guest(
      [
        { name: 'V1-Btrfs', mount: '' },
        { name: 'V2-Btrfs', mount: '/two' },
      ],
      { '/@/etc/fstab': TAB, '/@/f': '1', '/two/@/etc/fstab': TAB, '/two/@/f': '2' },
    );
    expect(await recover(it, '/f')).toMatchObject({ kind: 'not_found' });
  });
});

describe('one volume', () => {
  it('is not taken for the place of a disk that the mount does not show', async () => {
    const it = await guest([{ name: 'Volume1', mount: '' }], {
      '/etc/fstab': 'UUID=1 / ext4\nUUID=2 /data xfs\n',
      '/data/f': 'from before the disk was mounted',
      '/f': 'root',
    });
    expect(await text(it, '/f')).toBe('root');
    expect(await recover(it, '/data/f')).toMatchObject({
      kind: 'not_found',
      note: 'the mount does not show the volume of /data (UUID=2)',
    });
    expect(await text(it, 'Volume1:/data/f')).toContain('before');
  });
});

describe('a link', () => {
  it('on the way is named', async () => {
    const it = await guest([{ name: 'V1-Ext4', mount: '' }], { '/usr/bin/tool': 'x' });
    it.world.link('vm', '/bin', 'usr/bin');
    expect(await recover(it, '/bin/tool')).toMatchObject({
      kind: 'not_found',
      note: expect.stringContaining('V1-Ext4/bin is a link'),
    });
  });

  it('in a listing is said not to be downloadable', async () => {
    const it = await guest([{ name: 'V1-Ext4', mount: '' }], { '/etc/real': 'x' });
    it.world.link('vm', '/etc/link', 'real');
    const result = await recover(it, '/etc');
    expect(result.kind === 'folder' && result.entries).toMatchObject([
      { name: 'link', type: 'other', note: 'Cannot restore. Links are not supported.' },
      { name: 'real', type: 'file' },
    ]);
  });
});

describe('drive letters', () => {
  const volumes = [
    { name: 'Volume1-NTFS', mount: '/Reserved' },
    { name: 'Volume2-NTFS', mount: '' },
    { name: 'Volume3-NTFS', mount: '/D' },
  ];
  const files = {
    'C:\\Reserved\\Boot\\BCD': 'b',
    'C:\\Reserved\\bootmgr': 'b',
    'C:\\Windows\\System32\\kernel32.dll': 'k',
    'C:\\data\\f.txt': 'on C',
    'C:\\D\\data\\f.txt': 'on D',
    'C:\\D\\only.txt': 'on D',
  };

  it('C: is the volume with Windows on it, another letter the one that is left', async () => {
    const it = await guest(volumes, files);
    expect(await text(it, 'c:\\DATA\\f.txt')).toBe('on C');
    expect(await text(it, 'D:\\data\\f.txt')).toBe('on D');
    expect(await recover(it, 'C:\\only.txt')).toMatchObject({ kind: 'not_found', looked: ['Volume2-NTFS'] });
  });

  it('with several left none is taken for it', async () => {
    const it = await guest([...volumes, { name: 'Volume4-NTFS', mount: '/E' }], { ...files, 'C:\\E\\x': 'x' });
    expect(await recover(it, 'E:\\only.txt')).toMatchObject({ kind: 'not_found', maybe: ['Volume3-NTFS:/only.txt'] });
    expect(await text(it, 'Volume3-NTFS:/only.txt')).toBe('on D');
  });

  it('a letter that the only volume cannot have finds nothing', async () => {
    const it = await guest([{ name: 'V-NTFS', mount: '' }], { 'C:\\Windows\\System32\\x': 'x', 'C:\\f.txt': 'C' });
    expect(await text(it, 'C:\\f.txt')).toBe('C');
    expect(await recover(it, 'D:\\f.txt')).toMatchObject({ kind: 'not_found', looked: [], note: expect.any(String) });
  });
});

describe('an fstab', () => {
  it('is read like mount reads it', () => {
    const lines = parseFstab(
      '/dev/sda1\t/mnt/my\\040disk  ext4 defaults\n#/dev/x / y\n\nUUID=1 /a/b xfs\nUUID=2 /a xfs\n',
    );
    expect(lines).toMatchObject([
      { device: '/dev/sda1', at: ['mnt', 'my disk'], type: 'ext4', local: true },
      { at: ['a', 'b'] },
      { at: ['a'] },
    ]);
    expect(lineOver(lines, ['a', 'b', 'c'])).toMatchObject({ at: ['a', 'b'] });
    expect(lineOver(lines, ['ab'])).toBeUndefined();
    expect(lineOver(lines, ['mnt'])).toBeUndefined();
  });

  it('is sure of one volume at most, and never of one that two lines may mean', () => {
    const name = fc.constantFrom('V1-Ext4', 'V2-Ext4', 'V3-XFS', 'vg0-var', 'vg0-home-XFS', 'Data', 'x');
    const line = fc.record({
      device: fc.constantFrom('UUID=1', '/dev/sdb1', '/dev/mapper/vg0-var', '/dev/vg0/home', '/dev/mapper/vg0-x'),
      at: fc.constantFrom(['var'], ['home'], ['srv']),
      type: fc.constantFrom('ext4', 'xfs', 'auto'),
      local: fc.constant(true),
    });
    fc.assert(
      fc.property(fc.uniqueArray(name), fc.uniqueArray(line, { selector: ({ at }) => at[0] }), (volumes, lines) => {
        const sure = lines.flatMap((each) => {
          const found = volumesOf(each, lines, volumes);
          return found.sure ? [{ device: each.device, volumes: found.volumes }] : [];
        });
        for (const found of sure) expect(found.volumes).toHaveLength(1);
        const byType = sure.filter(({ volumes: [only] }) => !only?.startsWith('vg0'));
        const devices = new Map(byType.map(({ device, volumes: [only] }) => [only, device]));
        // One device may be mounted in several places; two devices are never the same volume.
        for (const {
          device,
          volumes: [only],
        } of byType)
          expect(devices.get(only)).toBe(device);
      }),
      { numRuns: 500 },
    );
  });

  it('of any text is read', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (any) => void parseFstab(any)));
  });
});
