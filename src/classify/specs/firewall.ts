import type { Family } from './types.js';

const IPTABLES = {
  otherwise: 'mutating',
  requires: '-L -S --list --list-rules -V --version',
  short: 'LSnvxV46w::t:',
  long: 'list:: list-rules:: numeric verbose exact line-numbers version table: wait:: ipv4 ipv6',
  operands: { max: 2 },
} as const;

/** Packet filters: listings read, all else changes rules. */
export const FIREWALL = {
  effect: 'read_only',
  commands: {
    'iptables ip6tables iptables-legacy iptables-nft ip6tables-legacy ip6tables-nft': IPTABLES,
    'iptables-save ip6tables-save': {
      otherwise: 'mutating',
      short: 'ct:',
      long: 'counters table:',
      operands: { max: 0 },
    },
    arptables: IPTABLES,
    ebtables: IPTABLES,
    ipset: {
      otherwise: 'mutating',
      short: 'no:ts',
      long: 'name output: terse sorted',
      flags: { '-n': 'none' },
      subcommands: {
        'list save test version help': {
          short: 'nto:s',
          long: 'name terse output: sorted',
          flags: { '-f -file --file': { arg: 'value', effect: 'mutating' } },
        },
        'create add del destroy flush rename swap restore': 'mutating',
      },
    },
    nft: {
      otherwise: 'mutating',
      short: 'nNsajcptuSy',
      flags: {
        '-c -o -i -D -I': { arg: 'none', effect: 'unknown' },
        '-f --file': { arg: 'value', effect: 'mutating' },
      },
      long: 'handle json numeric stateless numeric-priority numeric-protocol numeric-time service reversedns guid terse',
      subcommands: {
        list: { operands: { match: '^[A-Za-z0-9_.-]+$' } },
        describe: {},
        'add create delete destroy flush insert replace rename reset import export monitor': 'mutating',
      },
    },
    ufw: {
      otherwise: 'mutating',
      subcommands: {
        status: { operands: { max: 1, match: '^(?:verbose|numbered)$' } },
        app: { subcommands: { 'list info': {}, 'update default': 'mutating' } },
        show: {},
        version: {},
      },
      flags: { '--dry-run': 'none' },
    },
    'firewall-cmd': {
      otherwise: 'mutating',
      requires:
        '--state --get-default-zone --get-zones --get-services --get-icmptypes --get-active-zones --list-all --list-all-zones --list-services --list-ports --list-protocols --list-sources --list-interfaces --list-rich-rules --list-forward-ports --list-icmp-blocks --get-zone-of-interface --get-zone-of-source --info-zone --info-service --query-service --query-port --query-masquerade --query-panic --query-rich-rule --query-interface --query-source --get-log-denied --check-config --get-ipsets --info-ipset --get-policies --list-all-policies',
      long: 'state get-default-zone get-zones get-services get-icmptypes get-active-zones list-all list-all-zones list-services list-ports list-protocols list-sources list-interfaces list-rich-rules list-forward-ports list-icmp-blocks get-zone-of-interface: get-zone-of-source: info-zone: info-service: query-service: query-port: query-masquerade query-panic query-rich-rule: query-interface: query-source: get-log-denied check-config get-ipsets info-ipset: get-policies list-all-policies zone: policy: permanent quiet verbose',
      operands: { max: 0 },
    },
    'fail2ban-client': {
      otherwise: 'mutating',
      subcommands: { 'status ping version banned': { operands: { max: 1 } }, get: {} },
    },
    ipvsadm: {
      otherwise: 'mutating',
      requires: '-L -l --list -S --save',
      short: 'LlSncZ',
      flags: {
        '-Z --zero': { arg: 'none', effect: 'mutating' },
        '--stats --rate --timeout --list --numeric --connection --thresholds --exact': 'none',
      },
    },
    shorewall: { otherwise: 'mutating', subcommands: { 'status show version': {} } },
    auditctl: { otherwise: 'mutating', requires: '-l -s -v -h', short: 'lsvh' },
  },
  examples: {
    read_only: [
      'iptables -L -n -v --line-numbers',
      'iptables -t nat -L POSTROUTING -n',
      'iptables -S',
      'iptables-save',
      'nft list ruleset',
      'nft -a list chain inet filter input',
      'ufw status verbose',
      'firewall-cmd --list-all',
      'firewall-cmd --zone=public --list-ports',
      'fail2ban-client status sshd',
      'ipset list',
      'auditctl -l',
    ],
    unknown: ['nft -i'],
    mutating: [
      'iptables -F',
      'iptables -L -Z',
      'iptables -A INPUT -j DROP',
      'iptables -P INPUT ACCEPT',
      'iptables-save -f x',
      'nft flush ruleset',
      'nft -f x',
      'nft add rule x',
      'ufw enable',
      'ufw allow 22',
      'firewall-cmd --reload',
      'firewall-cmd --add-port=1/tcp',
      'firewall-cmd --list-all --add-port=1/tcp',
      'ipset flush',
      'auditctl -D',
    ],
  },
} as const satisfies Family;
