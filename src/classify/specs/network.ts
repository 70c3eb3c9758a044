import type { Family } from './types.js';

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
    'dig kdig': {
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
    // A port of the caller's choice gets the words as they are.
    'whois jwhois': {
      short: 'h:HIvqrRlBGLxMmci:',
      flags: { '-f -a -c': 'none', '-p --port': { arg: 'value', effect: 'unknown' } },
    },
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
      elsewhere: { flags: '-I --ip-address', operand: 0 },
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
      'ping -c 3 h',
      'traceroute -n h',
      'mtr -r -c 5 h',
      'dig +short h',
      'dig @1.1.1.1 h MX',
      'nslookup h',
      'host h',
      'nc -zv h 22',
      'nc -z -w 2 h 80',
      'tcpdump -nn -c 10 -i eth0 port 80',
      'conntrack -L',
      'ssh-keyscan h',
    ],
    unknown: [
      'whois -h 127.0.0.1 -p 6379 FLUSHALL',
      'tcpdump -z x -w - -G 1',
      'nc -l 80',
      'nc -e sh h 1',
      'nmap --script x h',
      'dig -f x',
      'iperf3 -c h',
    ],
    mutating: ['ping -f h', 'ss -K dst 1', 'tcpdump -w f', 'conntrack -D'],
  },
} as const satisfies Family;
