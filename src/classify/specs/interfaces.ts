import type { Family } from './types.js';

const WRITES = 'mutating';

/** Network interfaces, addresses, routes and their managers. */
export const INTERFACES = {
  effect: 'read_only',
  commands: {
    ip: {
      style: 'words',
      abbreviate: true,
      flags: {
        '-V -Version -h -human -human-readable -s -stats -statistics -d -details -r -resolve -o -oneline -br -brief -j -json -p -pretty -iec -4 -6 -0 -B -M -D -I -t -timestamp -ts -tshort -N -Numeric -c -color':
          'none',
        '-f -family -l -loops -rc -rcvbuf': 'value',
        '-b -batch -a -all -force -n -netns': { arg: 'value', effect: 'unknown' },
      },
      subcommands: {
        'address addr': {
          bare: 'read_only',
          abbreviate: true,
          subcommands: {
            'show list lst showdump save': {},
            'add change replace delete flush restore': WRITES,
            help: {},
          },
        },
        link: {
          bare: 'read_only',
          abbreviate: true,
          subcommands: { 'show list lst xstats afstats help': {}, 'add delete set change replace property': WRITES },
        },
        route: {
          bare: 'read_only',
          abbreviate: true,
          subcommands: {
            'show list lst get save showdump help': {},
            'add change chg replace append prepend test delete flush restore': WRITES,
          },
        },
        rule: {
          bare: 'read_only',
          abbreviate: true,
          subcommands: { 'show list lst save help': {}, 'add delete flush restore': WRITES },
        },
        'neighbour neighbor neigh': {
          bare: 'read_only',
          abbreviate: true,
          subcommands: { 'show list lst get help': {}, 'add change replace delete flush': WRITES },
        },
        ntable: {
          bare: 'read_only',
          abbreviate: true,
          subcommands: { 'show list lst help': {}, 'change set': WRITES },
        },
        'maddress maddr': {
          bare: 'read_only',
          abbreviate: true,
          subcommands: { 'show list lst help': {}, 'add delete': WRITES },
        },
        mroute: { bare: 'read_only', abbreviate: true, subcommands: { 'show list lst help': {} } },
        tunnel: {
          bare: 'read_only',
          abbreviate: true,
          subcommands: { 'show list lst help': {}, 'add change delete prl 6rd': WRITES },
        },
        'tuntap tap tun': {
          bare: 'read_only',
          abbreviate: true,
          subcommands: { 'show list lst help': {}, 'add delete': WRITES },
        },
        netns: {
          bare: 'read_only',
          abbreviate: true,
          subcommands: {
            'show list lst list-id identify pids monitor help': {},
            'add delete set attach': WRITES,
            exec: { wrapper: { skip: 1 } },
          },
        },
        netconf: { bare: 'read_only', abbreviate: true, subcommands: { 'show list lst help': {} } },
        stats: { bare: 'read_only', abbreviate: true, subcommands: { 'show help': {}, set: WRITES } },
        monitor: {},
        vrf: {
          bare: 'read_only',
          abbreviate: true,
          subcommands: { 'show list lst identify pids help': {}, exec: { wrapper: { skip: 1 } } },
        },
        xfrm: {
          abbreviate: true,
          subcommands: {
            'state policy': {
              bare: 'read_only',
              abbreviate: true,
              subcommands: {
                'show list lst get count getspd getsad help': {},
                'add allocspi update delete deleteall flush set setdefault getdefault': WRITES,
              },
            },
            monitor: {},
          },
        },
        addrlabel: {
          bare: 'read_only',
          abbreviate: true,
          subcommands: { 'show list lst help': {}, 'add delete flush': WRITES },
        },
        token: {
          bare: 'read_only',
          abbreviate: true,
          subcommands: { 'show list lst get help': {}, 'set delete': WRITES },
        },
        'tcp_metrics tcpmetrics': {
          bare: 'read_only',
          abbreviate: true,
          subcommands: { 'show list lst get help': {}, 'delete flush': WRITES },
        },
        nexthop: {
          bare: 'read_only',
          abbreviate: true,
          subcommands: { 'show list lst get help': {}, 'add replace delete flush bucket': WRITES },
        },
        help: {},
      },
    },
    bridge: {
      style: 'words',
      abbreviate: true,
      flags: {
        '-s -d -j -p -c -color -details -json -pretty -statistics -n -o -oneline': 'none',
        '-batch -b -force -netns': { arg: 'value', effect: 'unknown' },
        '-n': { arg: 'value', effect: 'unknown' },
      },
      subcommands: {
        'link fdb mdb vlan vni mst': {
          bare: 'read_only',
          abbreviate: true,
          subcommands: {
            'show list lst get tunnelshow global help': { operands: { match: '^(?!set$|add$|del).' } },
            'add append delete replace set flush': WRITES,
          },
        },
        monitor: {},
      },
    },
    ifconfig: { otherwise: 'mutating', short: 'asv', operands: { max: 1, match: '^[A-Za-z0-9@:._-]+$' } },
    iwconfig: { otherwise: 'mutating', operands: { max: 1 } },
    iw: {
      subcommands: {
        'help list phy features': { operands: { max: 0 } },
        dev: { operands: { max: 0 } },
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
    tc: {
      style: 'words',
      abbreviate: true,
      flags: {
        '-s -d -r -p -i -j -o -n -g -graph -stats -statistics -details -json -pretty -iec -N -c -color': 'none',
        '-b -batch -force -netns -n': { arg: 'value', effect: 'unknown' },
      },
      subcommands: {
        'qdisc class filter chain': {
          bare: 'read_only',
          abbreviate: true,
          subcommands: { 'show list ls get help': {}, 'add del delete replace change link flush': 'mutating' },
        },
        'action actions': 'unknown',
        monitor: {},
        exec: 'unknown',
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
      'ip a',
      'ip -br a',
      'ip -4 addr show dev eth0',
      'ip r',
      'ip route get 1.1.1.1',
      'ip -s link',
      'ip n',
      'ip netns list',
      'ip netns exec a ss -tln',
      'bridge vlan',
      'ifconfig eth0',
      'ethtool eth0',
      'ethtool -S eth0',
      'nmcli',
      'nmcli con show --active',
      'nmcli dev status',
      'route -n',
      'arp -an',
      'tc -s qdisc show dev eth0',
    ],
    unknown: ['ip -all netns exec touch ls', 'ip -batch f', 'ip netns exec a foo'],
    mutating: [
      'ip addr add 10.0.0.1/24 dev eth0',
      'ip a a 10.0.0.1 dev eth0',
      'ip r d default',
      'ip link set eth0 up',
      'ip l s eth0 up',
      'ip addr flush dev eth0',
      'ip netns add x',
      'ip netns exec a ip link set lo up',
      'ifconfig eth0 down',
      'ifconfig eth0 10.0.0.1',
      'route add default gw 1',
      'arp -d h',
      'ethtool -s eth0 speed 10',
      'nmcli con up x',
      'nmcli c u x',
      'nmcli r wifi off',
      'tc qdisc add dev eth0',
      'brctl addbr b',
    ],
  },
} as const satisfies Family;
