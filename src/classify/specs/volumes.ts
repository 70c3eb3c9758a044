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

/** Volume managers, pools and network storage. */
export const VOLUMES = {
  effect: 'read_only',
  commands: {
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
    multipathd: {
      otherwise: 'mutating',
      flags: { '-k': { arg: 'value', match: '^(?:show|list)(?: [a-z0-9%. -]+)?$', effect: 'mutating' } },
      subcommands: { 'show list': {} },
      requires: '-k',
    },
    'storcli storcli64 perccli perccli64': {
      otherwise: 'mutating',
      subcommandAfter: '^/[a-z0-9/]+$',
      subcommands: { show: { operands: { match: '^[A-Za-z]+$' } } },
    },
    zdb: { short: 'CdlSsuvhi', requires: '-C -d -l -S -s -u -h -i' },
    'drbdadm drbdsetup': {
      otherwise: 'mutating',
      subcommands: { 'status cstate dstate role dump sh-resources show': { long: 'verbose statistics json' } },
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
        property: { subcommands: { 'get list': { short: 't:' }, set: 'mutating' } },
        'version help': {},
        'check restore rescue replace receive send quota': 'mutating',
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
      short: 'sf:',
      long: 'status format:',
      requires: '-s --status',
      subcommands: {
        quorum_status: {},
        fs: { subcommands: { 'status ls dump': {} } },
        orch: { subcommands: { 'ps ls status': {} } },
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
    snapper: {
      everywhere: true,
      short: 'c:',
      long: 'config: machine-readable: json csvout',
      subcommands: {
        'list list-configs get-config status diff': { short: 'at:' },
        'create delete undochange rollback modify create-config delete-config set-config cleanup': 'mutating',
      },
    },
  },
  examples: {
    read_only: [
      'storcli64 /c0 show all',
      'multipathd show paths',
      'zdb -C tank',
      'drbdadm status',
      'ceph -s',
      'lvs -a -o +devices',
      'vgdisplay',
      'mdadm --detail /dev/md0',
      'zfs list',
      'zpool status -v',
      'btrfs filesystem usage /',
      'showmount -e h',
      'lvm pvs',
    ],
    unknown: ['lvs --config x', 'zpool status -c x'],
    mutating: [
      'storcli64 /c0 set time=1',
      'storcli64 /c0 show events file=x',
      'multipathd reconfigure',
      'multipathd',
      'drbdadm primary r0',
      'zfs destroy a/b',
      'zpool scrub a',
      'btrfs device remove a',
      'mdadm --stop /dev/md0',
      'lvm lvremove x',
    ],
  },
} as const satisfies Family;
