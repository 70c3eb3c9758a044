import type { Family } from './types.js';

const LVM_REPORT = {
  short: 'aAbdhHmo:O:PqS:svt',
  flags: {
    '-o --options -O --sort -S --select --units --reportformat --separator --config --nameprefixes': 'value',
    '--config --profile --commandprofile': { arg: 'value', effect: 'unknown' },
    '-a --all --noheadings --nosuffix --segments --verbose --unquoted --readonly --aligned --rows --nameprefixes --foreign --partial --maps --short --colon -c -C --columns':
      'none',
  },
} as const;

/** Disks, file systems, volumes and mounts. */
export const STORAGE = {
  effect: 'read_only',
  commands: {
    mount: { otherwise: 'mutating', short: 'lt:v', long: 'show-labels types: verbose', operands: { max: 0 } },
    swapon: {
      otherwise: 'mutating',
      requires: '-s --show --summary',
      short: 's',
      long: 'show:: summary noheadings raw bytes',
      operands: { max: 0 },
    },
    blkid: {
      otherwise: 'unknown',
      short: 'po:s:t:L:U:liknu:D',
      long: 'probe output: match-tag: match-token: label: uuid: list-one info list-filesystems no-encoding usages: match-types:',
      flags: {
        '-c --cache-file': { arg: 'value', only: ['/dev/null'], effect: 'mutating' },
        '-g --garbage-collect': { arg: 'none', effect: 'mutating' },
        '-w': { arg: 'value', effect: 'mutating' },
      },
    },
    blockdev: {
      otherwise: 'mutating',
      flags: {
        '--report --getsize64 --getsz --getss --getpbsz --getbsz --getro --getra --getfra --getalignoff --getiomin --getioopt --getmaxsect --getdiscardzeroes --getsize -v':
          'none',
      },
    },
    fdisk: {
      otherwise: 'mutating',
      requires: '-l --list -s --getsz',
      short: 'lsxo:b:u::',
      long: 'list getsz list-details output: bytes color::',
    },
    sfdisk: {
      otherwise: 'mutating',
      requires: '-l --list -d --dump -s --show-size -J --json -F --list-free -V --verify -T --list-types',
      short: 'ldsJFVT',
      long: 'list dump show-size json list-free verify list-types',
    },
    cfdisk: { effect: 'mutating' },
    parted: {
      otherwise: 'mutating',
      requires: '-l --list',
      short: 'lsm',
      long: 'list script machine',
      operands: { max: 0 },
    },
    partx: {
      otherwise: 'mutating',
      requires: '-s --show -l --list',
      short: 'slo:brP',
      long: 'show list output: bytes raw pairs noheadings',
    },
    kpartx: { otherwise: 'mutating', requires: '-l', short: 'lv' },
    losetup: {
      otherwise: 'mutating',
      requires: '-a -l -j --all --list --associated',
      short: 'alj:O:nJ',
      long: 'all list associated: output: noheadings json raw output-all',
    },
    zramctl: {
      otherwise: 'mutating',
      short: 'bno:',
      long: 'bytes noheadings output: output-all raw',
      operands: { max: 0 },
    },
    e2label: { otherwise: 'mutating', operands: { max: 1 } },
    swaplabel: { otherwise: 'mutating', operands: { max: 1 } },
    exfatlabel: { otherwise: 'mutating', operands: { max: 1 } },
    dumpe2fs: { short: 'bfghimxo:', flags: { '-o': 'value' } },
    tune2fs: { otherwise: 'mutating', requires: '-l', short: 'l' },
    debugfs: {
      otherwise: 'unknown',
      flags: {
        '-w': { arg: 'none', effect: 'mutating' },
        '-R': { arg: 'value', match: '^(?:stats|ls|ls -[ldrp]+|stat|show_super_stats|features)(?: [^|;]*)?$' },
      },
    },
    'xfs_info xfs_growfs': { otherwise: 'mutating', requires: '-n -V', short: 'nV' },
    xfs_quota: {
      otherwise: 'unknown',
      flags: {
        '-x': 'none',
        '-c': { arg: 'value', match: '^(?:report|quota|df|free|print|state)(?: -[a-zA-Z]+)*(?: [A-Za-z0-9/_.-]+)?$' },
      },
    },
    'xfs_db xfs_io': { effect: 'unknown' },
    fsck: { effect: 'mutating' },
    badblocks: { otherwise: 'mutating', short: 'sv', operands: { max: 1 } },
    pvs: LVM_REPORT,
    vgs: LVM_REPORT,
    lvs: LVM_REPORT,
    pvdisplay: LVM_REPORT,
    vgdisplay: LVM_REPORT,
    lvdisplay: LVM_REPORT,
    lvmdiskscan: LVM_REPORT,
    'vgscan pvscan lvscan': { ...LVM_REPORT, otherwise: 'mutating' },
    lvm: {
      subcommands: {
        'pvs vgs lvs pvdisplay vgdisplay lvdisplay lvmdiskscan fullreport': LVM_REPORT,
        'pvcreate vgcreate lvcreate pvremove vgremove lvremove lvextend lvreduce lvresize vgextend vgreduce lvchange vgchange pvchange pvmove lvrename vgrename lvconvert':
          'mutating',
      },
    },
    lvmconfig: { flags: { '--typeconfig --type': 'value' } },
    dmsetup: {
      otherwise: 'mutating',
      subcommands: {
        'ls info status table deps targets version': {
          short: 'cCo:',
          long: 'tree columns noheadings target: options: inactive',
        },
      },
    },
    multipath: { otherwise: 'mutating', requires: '-l -ll -t', short: 'ltv:d' },
    mdadm: {
      otherwise: 'mutating',
      requires: '-D -E -Q --detail --examine --query',
      short: 'DEQbs',
      long: 'detail examine query scan brief export verbose',
      flags: { '-v': 'none' },
    },
    cryptsetup: {
      subcommands: {
        'status isLuks luksUUID luksDump': { otherwise: 'unknown' },
        'luksFormat open close luksOpen luksClose resize erase luksErase luksAddKey luksRemoveKey luksKillSlot luksChangeKey luksHeaderRestore luksHeaderBackup reencrypt convert':
          'mutating',
      },
    },
    zfs: {
      subcommands: {
        'list get': { short: 'rHpjd:o:s:S:t:' },
        'diff holds userspace groupspace version': { short: 'FHtrp' },
        'create destroy set snapshot rollback clone rename send receive recv mount unmount umount share unshare inherit promote hold release upgrade allow unallow load-key unload-key change-key bookmark':
          'mutating',
      },
    },
    zpool: {
      subcommands: {
        'status list get history iostat events version': {
          short: 'vxLPgpTHilDcjso:',
          flags: { '-c': { arg: 'value', effect: 'unknown' }, '-T -o': 'value' },
        },
        'create destroy add remove attach detach replace import export scrub trim online offline clear set split upgrade labelclear initialize reguid reopen resilver sync checkpoint':
          'mutating',
      },
    },
    btrfs: {
      abbreviate: false,
      subcommands: {
        'filesystem fi': {
          subcommands: {
            'df show usage du': {
              short: 'bhHkmgtTdsl',
              long: 'all-devices mounted raw human-readable iec si kbytes mbytes gbytes tbytes summarize',
            },
            label: { otherwise: 'mutating', operands: { max: 1 } },
            'defragment resize sync mkswapfile': 'mutating',
          },
        },
        'subvolume subvol su': {
          subcommands: {
            'list show get-default find-new': { short: 'pacguqRtordsi:', flags: { '--sort': 'value' } },
            'create delete snapshot set-default sync': 'mutating',
          },
        },
        device: {
          subcommands: {
            'stats usage ready': {
              short: 'cbhHTkmg',
              long: 'check',
              flags: { '-z --reset': { arg: 'none', effect: 'mutating' } },
            },
            'add delete remove replace scan': 'mutating',
          },
        },
        scrub: { subcommands: { status: { short: 'dR' }, 'start cancel resume': 'mutating' } },
        balance: { subcommands: { status: { short: 'v' }, 'start pause cancel resume': 'mutating' } },
        'inspect-internal': {
          subcommands: {
            'dump-super dump-tree inode-resolve logical-resolve subvolid-resolve rootid min-dev-size tree-stats': {
              short: 'faFedrub:t:Pvs:lo',
            },
          },
        },
        qgroup: {
          subcommands: {
            show: { short: 'pcreFf', flags: { '--sort': 'value' } },
            'assign remove create destroy limit': 'mutating',
          },
        },
        'check restore rescue replace receive send quota property': 'mutating',
      },
    },
    showmount: { short: 'adeh', long: 'all directories exports no-headers' },
    'nfsstat mountstats nfsiostat': {
      short: 'cmnrsaolvZ234',
      flags: { '-Z': { arg: 'none', effect: 'unknown' }, '-o': 'value' },
    },
    exportfs: { otherwise: 'mutating', short: 'sv', operands: { max: 0 } },
    iscsiadm: {
      otherwise: 'mutating',
      requires: '-m --mode',
      short: 'P:',
      flags: {
        '-m --mode': { arg: 'value', only: ['session', 'node', 'iface', 'fw', 'host'], effect: 'mutating' },
        '-P --print': 'value',
      },
      operands: { max: 0 },
    },
    gluster: {
      subcommands: {
        peer: { subcommands: { status: {}, 'probe detach': 'mutating' } },
        volume: { subcommands: { 'list info status': {} } },
        pool: { subcommands: { list: {} } },
      },
    },
    ceph: {
      subcommands: {
        'status -s health df version versions': {},
        osd: {
          subcommands: {
            'tree status stat df dump perf': {},
            pool: { subcommands: { 'ls stats': {}, 'delete create set rename': 'mutating' } },
            'out in down purge destroy reweight set unset': 'mutating',
          },
        },
        'mon pg': { subcommands: { 'stat dump': {} } },
      },
      flags: { '-f --format': 'value' },
    },
    udisksctl: {
      subcommands: {
        'status info dump monitor': { flags: { '-p --object-path -b --block-device -d --drive': 'value' } },
        'mount unmount unlock lock loop-setup loop-delete power-off smart-simulate': 'mutating',
      },
    },
    snapper: {
      everywhere: true,
      short: 'c:',
      long: 'config: machine-readable: json csvout',
      subcommands: {
        'list list-configs get-config status diff': { short: 'at:' },
        'create delete undochange rollback modify create-config delete-config set-config cleanup': 'mutating',
      },
    },
    'qemu-img': {
      subcommands: {
        'info map check compare measure': {
          short: 'f:U',
          long: 'output: backing-chain force-share format:',
          flags: { '-r': { arg: 'value', effect: 'mutating' } },
        },
        'create convert resize rebase commit amend snapshot bitmap dd': 'mutating',
      },
    },
    ncdu: {
      short: 'xrq012f:',
      flags: { '-o': { arg: 'value', effect: 'mutating' }, '-f': 'value', '-0 -1 -2': 'none' },
    },
    duf: { long: 'all json only: hide: sort: output: inodes', short: 'a' },
    volname: {},
    isosize: {},
  },
  examples: {
    read_only: [
      'mount',
      'mount -t nfs',
      'swapon --show',
      'blkid',
      'blkid -s UUID -o value /dev/sda1',
      'fdisk -l',
      'parted -l',
      'lvs -a -o +devices',
      'vgdisplay',
      'mdadm --detail /dev/md0',
      'zfs list',
      'zpool status -v',
      'btrfs filesystem usage /',
      'tune2fs -l /dev/sda1',
      'showmount -e h',
      'losetup -a',
      'e2label /dev/sda1',
      'lvm pvs',
      'xfs_info -V',
      'qemu-img info f',
    ],
    unknown: ['lvs --config x', 'zpool status -c x', 'xfs_db -c x'],
    mutating: [
      'mount /dev/sda1 /mnt',
      'mount -a',
      'mount -o remount,rw /',
      'swapon -a',
      'fdisk /dev/sda',
      'parted /dev/sda rm 1',
      'zfs destroy a/b',
      'zpool scrub a',
      'btrfs device remove a',
      'tune2fs -o x /dev/sda1',
      'e2label /dev/sda1 x',
      'mdadm --stop /dev/md0',
      'lvm lvremove x',
      'blkid -g',
      'losetup -d /dev/loop0',
      'xfs_growfs /',
    ],
  },
} as const satisfies Family;
