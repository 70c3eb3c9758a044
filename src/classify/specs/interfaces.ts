import type { Family } from './types.js';

/** Network interfaces, addresses, routes and their managers. */
export const INTERFACES = {
  effect: 'read_only',
  commands: {
    ifconfig: { otherwise: 'mutating', short: 'asv', operands: { max: 1, match: '^[A-Za-z0-9@:._-]+$' } },
    iwconfig: { otherwise: 'mutating', operands: { max: 1 } },
    iw: {
      subcommands: {
        'help list phy features': { operands: { max: 0 } },
        dev: {
          bare: 'read_only',
          subcommandAfter: '^[A-Za-z0-9._-]+$',
          subcommands: { 'info link station survey': { operands: { max: 2, match: '^(?:dump|get|[0-9a-f:]+)$' } } },
        },
        reg: { subcommands: { get: {}, 'set reload': 'mutating' } },
        event: {},
      },
    },
    brctl: {
      subcommands: {
        'show showmacs showstp': {},
        'addbr delbr addif delif setbridgeprio setfd sethello setmaxage setpathcost setportprio stp hairpin del add':
          'mutating',
      },
    },
    route: {
      otherwise: 'mutating',
      short: 'nveFC46A:',
      flags: { '--numeric --extend --verbose --fib --cache --inet --inet6': 'none' },
      operands: { max: 0 },
    },
    arp: {
      otherwise: 'mutating',
      short: 'anevi:',
      long: 'all numeric verbose device: use-device',
      operands: { max: 1 },
    },
    ethtool: {
      otherwise: 'mutating',
      operands: { max: 1 },
      short: 'iSkacgldmnxuPTwj',
      flags: {
        '-w': { arg: 'none', effect: 'unknown' },
        '-d -m -l': 'none',
        '--show-eee --driver --statistics --show-features --show-offload --show-pause --show-coalesce --show-ring --show-channels --register-dump --module-info --show-rxfh --show-rxfh-indir --show-nfc --show-ntuple --show-permaddr --show-time-stamping --show-priv-flags --show-fec --show-module --json --phy-statistics --show-eee --include-statistics':
          'none',
      },
    },
    'mii-tool': { otherwise: 'mutating', short: 'vVw', long: 'verbose watch' },
    nmcli: {
      abbreviate: true,
      bare: 'read_only',
      short: 'tpf:m:g:e:c:aw:s',
      flags: {
        '--terse --pretty --show-secrets --nocheck --complete-args': 'none',
        '--fields --mode --get-values --escape --colors --wait': 'value',
        '-a --ask -o --overview': { arg: 'none', effect: 'unknown' },
      },
      subcommands: {
        general: {
          bare: 'read_only',
          abbreviate: true,
          subcommands: {
            'status permissions': {},
            hostname: { operands: { max: 0 }, otherwise: 'mutating' },
            logging: { operands: { max: 0 }, otherwise: 'mutating' },
            reload: 'mutating',
          },
        },
        networking: {
          bare: 'read_only',
          abbreviate: true,
          subcommands: { 'on off': 'mutating', connectivity: { operands: { max: 1 } } },
        },
        radio: {
          bare: 'read_only',
          abbreviate: true,
          subcommands: { 'all wifi wwan': { operands: { max: 0 }, otherwise: 'mutating' } },
        },
        connection: {
          bare: 'read_only',
          abbreviate: true,
          subcommands: {
            show: { long: 'active order:' },
            'up down add modify clone edit delete reload load import migrate': 'mutating',
            monitor: {},
            export: 'unknown',
          },
        },
        device: {
          bare: 'read_only',
          abbreviate: true,
          subcommands: {
            'status show lldp monitor': {},
            wifi: {
              bare: 'read_only',
              abbreviate: true,
              subcommands: { 'list show-password': {}, 'connect hotspot rescan': 'mutating' },
            },
            'set connect reapply modify disconnect delete up down checkpoint': 'mutating',
          },
        },
        monitor: {},
        agent: 'unknown',
        help: {},
      },
    },
    netplan: {
      subcommands: {
        'status get info ip': { short: 'af:', long: 'all format: verbose diff root-dir:' },
        'apply try generate set rebind migrate': 'mutating',
      },
    },
    lldpcli: {
      everywhere: true,
      short: 'f:d',
      subcommands: { 'show watch': {}, 'configure update pause resume': 'mutating' },
    },
    lldpctl: { short: 'f:d' },
    wg: {
      bare: 'read_only',
      subcommands: { show: {}, 'showconf genkey genpsk pubkey': {}, 'set setconf addconf syncconf': 'mutating' },
    },
  },
  examples: {
    read_only: [
      'iw dev',
      'iw dev wlan0 link',
      'ifconfig eth0',
      'ethtool eth0',
      'ethtool -S eth0',
      'nmcli',
      'nmcli con show --active',
      'nmcli dev status',
      'route -n',
      'arp -an',
    ],
    unknown: ['iw dev wlan0 set type monitor'],
    mutating: [
      'ifconfig eth0 down',
      'ifconfig eth0 10.0.0.1',
      'route add default gw 1',
      'arp -d h',
      'ethtool -s eth0 speed 10',
      'nmcli con up x',
      'nmcli c u x',
      'nmcli r wifi off',
      'brctl addbr b',
    ],
  },
} as const satisfies Family;
