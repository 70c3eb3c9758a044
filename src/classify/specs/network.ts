import type { Family } from './types.js';

const IP_WRITES = 'mutating';

/** Interfaces, routes, sockets, names and reachability. */
export const NETWORK = {
  effect: 'read_only',
  commands: {
    ss: {
      short: 'HOnrlaBoempipsZzEtuwx0dSMTQK46bgF:f:A:D:N:',
      flags: {
        '-K --kill': { arg: 'none', effect: 'mutating' },
        '-D --diag': { arg: 'value', effect: 'mutating' },
        '-N --net': { arg: 'value', effect: 'unknown' },
        '-b -E -z': 'none',
        '-F --filter': 'value',
      },
      long: 'no-header oneline numeric resolve listening all options extended memory processes threads info summary context contexts events ipv4 ipv6 packet tcp mptcp sctp udp dccp raw unix tipc vsock xdp family: query: socket: bpf cgroup tos inet-sockopt bound-inactive',
    },
    netstat: {
      short: 'rvinNeopacCFlMstuUwxWgSZ64A:',
      long: 'route interfaces:: groups statistics masquerade numeric numeric-hosts numeric-ports numeric-users verbose wide extend timers program continuous listening all fib cache tcp udp raw unix sctp udplite inet inet6 symbolic',
      flags: { '-I -A --protocol': 'optional', '-w': 'none' },
    },
    ip: {
      style: 'words',
      abbreviate: true,
      flags: {
        '-V -Version -h -human -human-readable -s -stats -statistics -d -details -r -resolve -o -oneline -br -brief -j -json -p -pretty -iec -4 -6 -0 -B -M -D -I -t -timestamp -ts -tshort -N -Numeric -c -color -a -all':
          'none',
        '-f -family -l -loops -rc -rcvbuf': 'value',
        '-b -batch -force -n -netns': { arg: 'value', effect: 'unknown' },
      },
      subcommands: {
        'address addr': {
          bare: 'read_only',
          abbreviate: true,
          subcommands: {
            'show list lst showdump save': {},
            'add change replace delete flush restore': IP_WRITES,
            help: {},
          },
        },
        link: {
          bare: 'read_only',
          abbreviate: true,
          subcommands: { 'show list lst xstats afstats help': {}, 'add delete set change replace property': IP_WRITES },
        },
        route: {
          bare: 'read_only',
          abbreviate: true,
          subcommands: {
            'show list lst get save showdump help': {},
            'add change chg replace append prepend test delete flush restore': IP_WRITES,
          },
        },
        rule: {
          bare: 'read_only',
          abbreviate: true,
          subcommands: { 'show list lst save help': {}, 'add delete flush restore': IP_WRITES },
        },
        'neighbour neighbor neigh': {
          bare: 'read_only',
          abbreviate: true,
          subcommands: { 'show list lst get help': {}, 'add change replace delete flush': IP_WRITES },
        },
        ntable: {
          bare: 'read_only',
          abbreviate: true,
          subcommands: { 'show list lst help': {}, 'change set': IP_WRITES },
        },
        'maddress maddr': {
          bare: 'read_only',
          abbreviate: true,
          subcommands: { 'show list lst help': {}, 'add delete': IP_WRITES },
        },
        mroute: { bare: 'read_only', abbreviate: true, subcommands: { 'show list lst help': {} } },
        tunnel: {
          bare: 'read_only',
          abbreviate: true,
          subcommands: { 'show list lst help': {}, 'add change delete prl 6rd': IP_WRITES },
        },
        'tuntap tap tun': {
          bare: 'read_only',
          abbreviate: true,
          subcommands: { 'show list lst help': {}, 'add delete': IP_WRITES },
        },
        netns: {
          bare: 'read_only',
          abbreviate: true,
          subcommands: {
            'show list lst list-id identify pids monitor help': {},
            'add delete set attach': IP_WRITES,
            exec: { wrapper: { skip: 1 } },
          },
        },
        netconf: { bare: 'read_only', abbreviate: true, subcommands: { 'show list lst help': {} } },
        stats: { bare: 'read_only', abbreviate: true, subcommands: { 'show help': {}, set: IP_WRITES } },
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
                'add allocspi update delete deleteall flush set setdefault getdefault': IP_WRITES,
              },
            },
            monitor: {},
          },
        },
        addrlabel: {
          bare: 'read_only',
          abbreviate: true,
          subcommands: { 'show list lst help': {}, 'add delete flush': IP_WRITES },
        },
        token: {
          bare: 'read_only',
          abbreviate: true,
          subcommands: { 'show list lst get help': {}, 'set delete': IP_WRITES },
        },
        'tcp_metrics tcpmetrics': {
          bare: 'read_only',
          abbreviate: true,
          subcommands: { 'show list lst get help': {}, 'delete flush': IP_WRITES },
        },
        nexthop: {
          bare: 'read_only',
          abbreviate: true,
          subcommands: { 'show list lst get help': {}, 'add replace delete flush bucket': IP_WRITES },
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
            'add append delete replace set flush': IP_WRITES,
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
    ping: {
      short: '46aAbBc:dDhHi:I:l:Lm:M:nOp:qQ:Rrs:S:t:T:UvVw:W:',
      flags: { '-f -l -A --flood': { arg: 'none', effect: 'mutating' } },
    },
    'ping6 fping arping': {
      short: '46aAbc:dDei:I:lLmnOp:qrsS:t:uvVw:W:C:B:H:gP',
      flags: {
        '-f -s -t -g -S': 'optional',
        '-U': { arg: 'none', effect: 'unknown' },
        '-A': { arg: 'none', effect: 'unknown' },
      },
    },
    'traceroute traceroute6 tracepath tracepath6 tcptraceroute mtr': {
      short: '46bnr:c:i:m:p:q:w:f:I::T::Us:t:z:eAFDdNP:o:ZlwxCjyabuSBQ:M:',
      flags: {
        '-r -w -b -I -T -n -z -y -a -f -F -s': 'optional',
        '-e -A -D -d -l': 'none',
        '-F --filename': { arg: 'value', effect: 'unknown' },
      },
      long: 'report report-wide report-cycles: interval: no-dns show-ips order: tcp udp port: psize: first-ttl: max-ttl: json csv xml split raw aslookup mpls timeout: gracetime: address: bitpattern: tos:',
    },
    'dig kdig delv': {
      style: 'words',
      flags: {
        '-4 -6 -m -r -u -v -h -i': 'none',
        '-x -t -c -p -q -y -b': 'value',
        '-f -k': { arg: 'value', effect: 'unknown' },
      },
    },
    drill: { short: '46aDSTuVx', flags: { '-w -i -o': { arg: 'value', effect: 'mutating' }, '-t -p -b': 'optional' } },
    nslookup: {
      style: 'words',
      flags: {
        '-type -query -querytype -q -port -timeout -class -retry': 'none',
        '-debug -nodebug -d2 -recurse -norecurse -vc -novc -sil -silent -all': 'none',
      },
      operands: { min: 1, match: '^(?!-$).', start: '^[^-]' },
    },
    host: { short: 'aCdlnrsTvwi46Uc:N:R:t:W:m:', flags: { '-m': { arg: 'value', effect: 'unknown' } } },
    'whois jwhois': { short: 'h:p:HIvqrRlBGLxMmci:', flags: { '-f -a -c': 'none' } },
    'nc ncat netcat': {
      otherwise: 'unknown',
      requires: '-z',
      short: '46dhnNrStuUvz',
      flags: {
        '-w -i -q -X -s -p -I -O': 'value',
        '-x -o': { arg: 'value', effect: 'unknown' },
        '-e -c -l -k --exec --sh-exec --lua-exec --listen': { arg: 'value', effect: 'unknown' },
      },
    },
    nmap: {
      style: 'words',
      otherwise: 'unknown',
      flags: {
        '-sn -sP -sT -sS -sU -sV -sL -sA -sC -Pn -PE -n -R -O -A -F -r -v -vv -d -6 -T0 -T1 -T2 -T3 -T4 -T5 -open -reason -traceroute -packet-trace -iflist':
          'none',
        '-p -e -top-ports -min-rate -max-rate -max-retries -host-timeout -exclude -g -source-port': 'value',
        '-sC -A -script -iL -iR -oN -oX -oG -oA -oS': { arg: 'value', effect: 'unknown' },
        '-oN -oX -oG -oA': { arg: 'value', only: ['-'], effect: 'mutating' },
      },
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
    tcpdump: {
      short: 'AbBdDefhHIJKlLnNOpqStuUvxX#i:c:s:B:T:y:m:F:r:',
      flags: {
        '-B -F -r -s -T -y': 'value',
        '-w': { arg: 'value', only: ['-'], effect: 'mutating' },
        '-z -m -V': { arg: 'value', effect: 'unknown' },
        '-C -W -G -Z -E': { arg: 'value', effect: 'unknown' },
      },
      long: 'list-interfaces interface: number count snapshot-length: immediate-mode no-promiscuous-mode print absolute-tcp-sequence-numbers',
    },
    tshark: {
      otherwise: 'unknown',
      short: 'nDlLVxpqPSti:c:f:Y:r:T:e:E:d:R:s:a:z:',
      flags: {
        '-w': { arg: 'value', only: ['-'], effect: 'mutating' },
        '-t': 'value',
        '-z': { arg: 'value', effect: 'unknown' },
        '-X': { arg: 'value', effect: 'unknown' },
      },
    },
    'ssh-keyscan': { short: '46cDHqvT:t:p:f:O:' },
    'iperf iperf3 iperf2': { effect: 'unknown' },
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
    nload: {},
    vnstat: {
      otherwise: 'unknown',
      short: 'dhmwytlsi:b:e:',
      flags: {
        '-l -tr -h -d -m -w -y -t -5 -s --days --hours --months --years --live --oneline --json --short --top --hoursgraph':
          'optional',
      },
    },
    'bmon iftop nethogs': { otherwise: 'unknown', short: 'nNtBPi:s:L:', long: 'show-all' },
    knock: { short: 'uvd:', long: 'verbose udp delay:', effect: 'unknown' },
    'ipcalc sipcalc': {
      short: 'bnmcph46sr',
      flags: { '-b -n -m -p -r': 'none', '--network --netmask --broadcast --prefix --all-info --info --check': 'none' },
    },
    conntrack: {
      otherwise: 'mutating',
      requires: '-L -G -E -C -S --dump --get --event --count --stats',
      short: 'LGECSp:s:d:f:o:n',
      flags: {
        '-p --proto -s --src --orig-src -d --dst --orig-dst -f --family -o --output --dport --sport -r --reply-src -q --reply-dst --orig-port-src --orig-port-dst --state':
          'value',
        '--dump --get --event --count --stats --src-nat --dst-nat': 'none',
      },
    },
    hping3: { effect: 'unknown' },
    rpcinfo: { otherwise: 'mutating', short: 'pstumlbn:T:' },
    snmpwalk: { effect: 'read_only', short: 'v:c:O:l:u:a:A:x:X:n:r:t:m:M:C:' },
    'snmpget snmpgetnext snmpbulkwalk snmpstatus snmptable': { short: 'v:c:O:l:u:a:A:x:X:n:r:t:m:M:C:' },
    ldapsearch: {
      short: 'xLZMWvntuAaz:l:H:h:D:w:b:s:y:Y:S:f:o:e:E:p:P:',
      flags: { '-T -t -u -n': { arg: 'none', effect: 'unknown' } },
    },
    smbclient: {
      otherwise: 'unknown',
      requires: '-L --list',
      short: 'L:NU:I:W:p:k',
      long: 'list: no-pass user: ip-address: workgroup: port:',
    },
    'smbstatus nmblookup wbinfo testparm': {
      otherwise: 'unknown',
      short: 'ugtpnSbvsABMRTi:m',
      flags: { '-s': 'none' },
      long: 'suppress-prompt verbose',
    },
  },
  examples: {
    read_only: [
      'ss -tlnp',
      'ss -s',
      'ss --tcp src :443',
      'netstat -rn',
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
      'ping -c 3 h',
      'traceroute -n h',
      'mtr -r -c 5 h',
      'dig +short h',
      'dig @1.1.1.1 h MX',
      'nslookup h',
      'host h',
      'nc -zv h 22',
      'nc -z -w 2 h 80',
      'ethtool eth0',
      'ethtool -S eth0',
      'nmcli',
      'nmcli con show --active',
      'nmcli dev status',
      'tcpdump -nn -c 10 -i eth0 port 80',
      'route -n',
      'arp -an',
      'conntrack -L',
      'tc -s qdisc show dev eth0',
      'ssh-keyscan h',
    ],
    unknown: [
      'ip -batch f',
      'ip netns exec a foo',
      'tcpdump -z x -w - -G 1',
      'nc -l 80',
      'nc -e sh h 1',
      'nmap --script x h',
      'dig -f x',
      'iperf3 -c h',
    ],
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
      'ping -f h',
      'ss -K dst 1',
      'ethtool -s eth0 speed 10',
      'nmcli con up x',
      'nmcli c u x',
      'nmcli r wifi off',
      'tcpdump -w f',
      'tc qdisc add dev eth0',
      'brctl addbr b',
      'conntrack -D',
    ],
  },
} as const satisfies Family;
