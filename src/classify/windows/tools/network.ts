import type { ToolFamily, ToolSpec } from '../types.js';

const ANY: ToolSpec = { style: 'any' };
const SHOW_ANY: ToolSpec = {
  verbs: { 'show sh': ANY, dump: ANY, 'set add delete del reset install uninstall import export exec': 'mutating' },
};
const IP: ToolSpec = { verbs: { ...SHOW_ANY.verbs, 'renew release': 'mutating' } };

/** Addresses, routes, names, probes and the network shell. */
export const NETWORK = {
  effect: 'read_only',
  commands: {
    ipconfig: {
      flags: 'all allcompartments displaydns showclassid showclassid6',
      rules: { 'flushdns registerdns renew renew6 release release6 setclassid setclassid6': { effect: 'mutating' } },
    },
    'netstat ping tracert pathping getmac': ANY,
    arp: { flags: 'a g v n+', rules: { 's d': { effect: 'mutating' } }, operands: { max: 2 } },
    route: {
      otherwise: 'mutating',
      rules: { 'f p': { effect: 'mutating' } },
      flags: '4 6',
      verbAnywhere: true,
      verbs: { print: { operands: { max: 3 } }, 'add delete change': 'mutating' },
    },
    nbtstat: {
      caseSensitive: true,
      flags: 'a A c n r s S i',
      rules: { 'R RR': { effect: 'mutating' } },
      operands: { max: 2 },
    },
    // Without a host it takes commands from its input.
    nslookup: {
      flags:
        'type: q: querytype: class: debug nodebug d2 nod2 recurse norecurse retry: timeout: port: domain: srchlist: search nosearch vc novc ignoretc noignoretc defname nodefname root:',
      operands: { min: 1, max: 2, match: '^[^-]' },
    },
    netsh: {
      verbs: {
        'show sh': { verbs: { 'helper alias': ANY } },
        dump: ANY,
        'interface int': {
          verbs: {
            ...SHOW_ANY.verbs,
            'ip ipv4 ipv6 tcp udp portproxy teredo 6to4 isatap httpstunnel': IP,
          },
        },
        advfirewall: {
          verbs: { ...SHOW_ANY.verbs, 'firewall consec monitor mainmode': SHOW_ANY },
        },
        wlan: {
          verbs: {
            show: {
              verbs: {
                'interfaces interface drivers profiles profile networks settings filters all autoconfig blockednetworks hostednetwork allowexplicitcreds randomization tracing wirelesscapabilities':
                  ANY,
              },
            },
            'set add delete export connect disconnect start stop report': 'mutating',
          },
        },
        // What it shows goes into files of the current directory.
        wfp: 'mutating',
        'winhttp http lan firewall ipsec dnsclient trace winsock mbn branchcache nap nps bridge namespace dhcpclient ras rpc p2p netio':
          {
            verbs: { 'show sh': ANY, 'set add delete del reset install import start stop': 'mutating' },
          },
        'set delete': 'mutating',
      },
    },
    psping: { effect: 'unknown' },
    'nmap tcpdump': { effect: 'unknown' },
    portqry: { flags: 'n+ e+ p+ r+ o+ i nr q sl sp+' },
    nfsstat: { flags: 'c s m n r' },
    showmount: { flags: 'a d e', operands: { max: 1 } },
  },
  examples: {
    read_only: [
      'ipconfig',
      'ipconfig /all',
      'IPCONFIG.EXE /DisplayDns',
      'netstat -ano',
      'ping -n 4 10.0.0.5',
      'tracert -d web1',
      'arp -a',
      'route print -4',
      'route -4 print',
      'nbtstat -r',
      'nslookup -type=mx example.com 10.0.0.1',
      'netsh advfirewall show allprofiles',
      'netsh advfirewall firewall show rule name=all',
      'netsh interface ipv4 show config',
      'netsh interface show interface',
      'netsh winhttp show proxy',
      'netsh http show sslcert',
      'netsh wlan show profiles',
      'netsh show helper',
      'getmac /v',
      'showmount -e nas1',
      'gpupdate /?',
    ],
    unknown: [
      'ipconfig /frobnicate',
      'nslookup',
      'nslookup - 10.0.0.1',
      'netsh',
      'netsh -f script.txt',
      'netsh exec script.txt',
      'netsh add helper c:\\x.dll',
      'netsh wlan show wlanreport',
      'arp /x',
    ],
    mutating: [
      'ipconfig /flushdns',
      'ipconfig /renew',
      'arp -d *',
      'arp -s 10.0.0.5 00-aa-00-62-c6-09',
      'route add 10.0.0.0 mask 255.0.0.0 10.0.0.1',
      'route -p add 10.0.0.0 10.0.0.1',
      'route -f',
      'nbtstat -R',
      'netsh advfirewall set allprofiles state off',
      'netsh int ip set dns "Ethernet" static 10.0.0.2',
      'netsh advfirewall firewall add rule name=x dir=in action=allow',
      'netsh winsock reset',
      'netsh wfp show state',
      'netsh wlan export profile',
      'netsh interface portproxy add v4tov4 listenport=1',
    ],
  },
} as const satisfies ToolFamily;
