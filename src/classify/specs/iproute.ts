import type { Family } from './types.js';

const WRITES = 'mutating';

/** The programs of iproute2. */
export const IPROUTE = {
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
      'tc qdisc add dev eth0',
    ],
  },
} as const satisfies Family;
