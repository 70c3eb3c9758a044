import type { Family } from './types.js';

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
      operands: { max: 0 },
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
      requires: '-R',
      flags: {
        '-w': { arg: 'none', effect: 'mutating' },
        '-R': { arg: 'value', match: '^(?:stats|ls|ls -[ldrp]+|stat|show_super_stats|features)(?: [^|;]*)?$' },
      },
    },
    xfs_info: { short: 't:V' },
    xfs_growfs: { otherwise: 'mutating', requires: '-n -V', short: 'nV' },
    xfs_quota: {
      otherwise: 'unknown',
      requires: '-c',
      flags: {
        '-x': 'none',
        '-c': { arg: 'value', match: '^(?:report|quota|df|free|print|state)(?: -[a-zA-Z]+)*(?: [A-Za-z0-9/_.-]+)?$' },
      },
    },
    'xfs_db xfs_io': { effect: 'unknown' },
    fsck: { effect: 'mutating' },
    badblocks: { otherwise: 'mutating', short: 'sv', operands: { max: 1 } },
    udisksctl: {
      subcommands: {
        'status info dump monitor': { flags: { '-p --object-path -b --block-device -d --drive': 'value' } },
        'mount unmount unlock lock loop-setup loop-delete power-off smart-simulate': 'mutating',
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
    ncdu: { effect: 'unknown', why: 'deletes files and runs a shell by keys' },
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
      'tune2fs -l /dev/sda1',
      'losetup -a',
      'e2label /dev/sda1',
      'xfs_info /',
      "debugfs -R 'stat <2>' /dev/sda1",
      'qemu-img info f',
    ],
    unknown: ['debugfs', 'debugfs /dev/sda1', 'xfs_quota', 'xfs_db -c x'],
    mutating: [
      'mount /dev/sda1 /mnt',
      'mount -a',
      'mount -o remount,rw /',
      'swapon -a',
      'fdisk /dev/sda',
      'parted /dev/sda rm 1',
      'tune2fs -o x /dev/sda1',
      'e2label /dev/sda1 x',
      'blkid -g',
      'losetup -d /dev/loop0',
      'xfs_growfs /',
    ],
  },
} as const satisfies Family;
