import type { Family } from './types.js';

/** The machine as a whole: names, clocks, kernel, logs and settings. */
export const SYSTEM = {
  effect: 'read_only',
  commands: {
    uname: {
      short: 'asnrvmpio',
      long: 'all kernel-name nodename kernel-release kernel-version machine processor hardware-platform operating-system',
      operands: { max: 0 },
    },
    'hostname dnsdomainname domainname nisdomainname ypdomainname': {
      otherwise: 'mutating',
      short: 'aAdfiIsvy',
      long: 'alias all-fqdns domain fqdn long ip-address all-ip-addresses short yp nis verbose',
      operands: { max: 0 },
      flags: { '-F -b --file --boot': { arg: 'value', effect: 'mutating' } },
    },
    date: {
      otherwise: 'mutating',
      short: 'd:f:I::r:Rujnv:',
      long: 'date: file: iso-8601:: reference: rfc-email rfc-822 rfc-2822 rfc-3339: utc universal debug resolution',
      operands: { max: 1, match: '^[+]', start: '^[+]' },
      flags: { '-s --set': { arg: 'value', effect: 'mutating' }, '-j': { arg: 'none', effect: 'unknown' } },
    },
    hwclock: { otherwise: 'mutating', short: 'ruvlV', long: 'show get utc localtime verbose', operands: { max: 0 } },
    chronyc: {
      short: 'n46amch:p:',
      flags: { '-m': { arg: 'none', effect: 'unknown' } },
      subcommands: {
        'tracking sources sourcestats activity ntpdata serverstats clients rtcdata selectdata authdata sourcename smoothing':
          { short: 'va', operands: { max: 1 } },
        'makestep burst online offline add delete settime refresh dump reload cyclelogs': 'mutating',
      },
    },
    'ntpq ntpdc': {
      requires: '-p --peers -c --command',
      short: 'pn46',
      long: 'peers numeric',
      operands: { max: 1 },
      flags: {
        '-c --command': {
          arg: 'value',
          match: '^(?:peers|rv|readvar|as|associations|lpeers|sysinfo|kerninfo|opeers|pe|pstats [0-9]+|rv [0-9]+)$',
        },
      },
    },
    ntpstat: { short: 'm:' },
    dmesg: {
      short: 'dDefF:hHkl:LnPprsS:tTuwWxJ',
      flags: {
        '-s --buffer-size': 'value',
        '-f --facility': 'value',
        '-S': 'none',
        '-c -C -n -D -E --clear --read-clear --console-level --console-off --console-on': {
          arg: 'none',
          effect: 'mutating',
        },
      },
      long: 'show-delta reltime human kernel level: color:: nopager raw syslog time-format: ctime notime userspace follow follow-new decode force-prefix since: until: json noescape file:',
    },
    sysctl: {
      otherwise: 'mutating',
      short: 'aAXNnebqr:dVh',
      long: 'all names values ignore binary quiet pattern: deprecated',
      flags: { '-w -p -f --write --load --system': { arg: 'optional', effect: 'mutating' } },
      operands: { match: '^[A-Za-z0-9_][A-Za-z0-9_./*-]*$' },
    },
    lsb_release: { short: 'virdcash', long: 'id description release codename all short', operands: { max: 0 } },
    'cloud-init': {
      subcommands: {
        'status analyze query schema': { short: 'alw', long: 'long wait format: all' },
        'clean init modules single': 'mutating',
      },
    },
    'update-alternatives alternatives': {
      otherwise: 'mutating',
      requires: '--display --list --query --get-selections',
      short: 'v',
      flags: { '--display --list --query': 'value', '--get-selections --verbose --quiet': 'none' },
    },
    lsmod: { operands: { max: 0 } },
    modinfo: {
      short: 'F:k:b:0adlpnV',
      long: 'field: set-version: basedir: null author description license parameters filename',
    },
    modprobe: {
      otherwise: 'mutating',
      requires:
        '-n -D -c --dry-run --show --simulate --show-depends --showconfig --show-config --show-modversions --dump-modversions',
      short: 'nDcvqRV',
      flags: {
        '--dry-run --show --simulate --show-depends --showconfig --show-config --show-modversions --dump-modversions --verbose --resolve-alias':
          'none',
      },
    },
    runlevel: {},
    ldconfig: { otherwise: 'mutating', requires: '-p --print-cache', short: 'pv', long: 'print-cache verbose' },
    stty: { otherwise: 'mutating', short: 'agF:', long: 'all save file:', operands: { match: '^(?:size|speed)$' } },
    getent: { style: 'posix', short: 'i', long: 'no-idn' },
    chage: { otherwise: 'mutating', requires: '-l --list', short: 'li', long: 'list iso8601' },
    passwd: { otherwise: 'mutating', requires: '-S --status', short: 'Sa', long: 'status all' },
    chsh: { otherwise: 'mutating', requires: '-l --list-shells', short: 'l', long: 'list-shells' },
    crontab: { otherwise: 'mutating', requires: '-l', short: 'lu:', operands: { max: 0 } },
    atq: { short: 'q:Vo:' },
    at: { otherwise: 'mutating', requires: '-l -c', short: 'lc:' },
    'tuned-adm': {
      subcommands: {
        'active list recommend verify profile_info': { operands: { max: 1 } },
        'off profile auto_profile': 'mutating',
      },
    },
    needrestart: { effect: 'unknown' },
    grubby: {
      otherwise: 'mutating',
      requires: '--info --default-kernel --default-index --default-title',
      flags: { '--info': 'value', '--default-kernel --default-index --default-title': 'none' },
    },
    loadkeys: { otherwise: 'mutating', requires: '--parse --mktable -p -m', short: 'pm', long: 'parse mktable::' },
    ausyscall: { long: 'dump exact' },
    rfkill: {
      bare: 'read_only',
      short: 'Jnro:',
      long: 'json noheadings output: output-all raw',
      subcommands: { 'list event': {}, 'block unblock toggle': 'mutating' },
    },
    dkms: {
      subcommands: {
        status: { short: 'm:v:k:' },
        'add remove build install uninstall autoinstall mkdrivertree': 'mutating',
      },
    },
    postconf: {
      otherwise: 'unknown',
      short: 'dnpPvlmAaMf',
      flags: {
        '-e -X -#': { arg: 'none', effect: 'mutating' },
        '-h -H -x': 'none',
        '-C -c -t': { arg: 'value', effect: 'unknown' },
      },
      operands: { match: '^[^=]+$' },
    },
    'mailq postqueue': { otherwise: 'mutating', short: 'pj' },
    'xset xrandr xdpyinfo': {
      otherwise: 'mutating',
      requires: '-q --query',
      style: 'words',
      flags: { '-q --query': 'none' },
    },
    pro: {
      subcommands: { 'status security-status': { long: 'all format: esm-infra esm-apps' }, help: {}, version: {} },
    },
    sync: { short: 'df', long: 'data file-system' },
  },
  examples: {
    read_only: [
      'uname -a',
      'hostname -f',
      'date',
      'date -u +%F',
      'date -d yesterday "+%F $x"',
      'chronyc tracking',
      'chronyc -n sources -v',
      'dmesg -T --level=err',
      'sysctl -a',
      'sysctl vm.swappiness',
      'crontab -l',
      'crontab -l -u bob',
      'modprobe --show-depends x',
      'ldconfig -p',
      'getent passwd bob',
      'chage -l bob',
      'stty -a',
      'sync',
      'lsmod',
      'update-alternatives --display java',
    ],
    unknown: ['postconf a=b', 'ntpq', 'date "$x"'],
    mutating: [
      'hostname web1',
      'hostname -F /x',
      'date -s 2026-01-01',
      'date 010101',
      'dmesg -c',
      'dmesg -TC',
      'sysctl -w a=b',
      'sysctl vm.swappiness=10',
      'sysctl -p',
      'crontab -r',
      'crontab f',
      'crontab -',
      'modprobe x',
      'ldconfig',
      'chage -E 0 bob',
      'passwd bob',
      'postconf -e a=b',
    ],
  },
} as const satisfies Family;
