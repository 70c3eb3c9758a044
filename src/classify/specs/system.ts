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
    hostnamectl: {
      everywhere: true,
      bare: 'read_only',
      short: 'H:M:jp',
      flags: { '-H -M': { arg: 'value', effect: 'unknown' } },
      long: 'static transient pretty no-ask-password json:',
      subcommands: {
        status: { operands: { max: 0 } },
        'hostname chassis deployment location icon-name': { operands: { max: 0 }, otherwise: 'mutating' },
        'set-hostname set-icon-name set-chassis set-deployment set-location': 'mutating',
      },
    },
    timedatectl: {
      everywhere: true,
      bare: 'read_only',
      long: 'no-ask-password no-pager all value property: monitor',
      short: 'ap:P:',
      subcommands: {
        'status show list-timezones timesync-status show-timesync': {},
        'set-time set-timezone set-local-rtc set-ntp ntp-servers revert': 'mutating',
      },
    },
    localectl: {
      everywhere: true,
      bare: 'read_only',
      long: 'no-ask-password no-pager',
      subcommands: {
        'status list-locales list-keymaps list-x11-keymap-models list-x11-keymap-layouts list-x11-keymap-variants list-x11-keymap-options':
          {},
        'set-locale set-keymap set-x11-keymap': 'mutating',
      },
    },
    loginctl: {
      everywhere: true,
      bare: 'read_only',
      short: 'p:aln:o:',
      long: 'property: all value full lines: output: no-pager no-legend json:',
      subcommands: {
        'list-sessions session-status show-session list-users user-status show-user list-seats seat-status show-seat':
          {},
        'activate lock-session unlock-session lock-sessions unlock-sessions terminate-session kill-session enable-linger disable-linger terminate-user kill-user attach flush-devices terminate-seat':
          'mutating',
      },
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
    journalctl: {
      short: 'amefrqxb::o:n::t:u:p:g:D:c:S:U:kN:F:M:lT:I::i:',
      numeric: true,
      long: 'all merge pager-end follow reverse quiet catalog boot:: output: lines:: identifier: exclude-identifier: unit: user-unit: priority: grep: case-sensitive:: directory: file: root: image: cursor: after-cursor: since: until: dmesg fields field: machine: no-full full no-tail no-pager no-hostname utc system user list-boots list-catalog dump-catalog disk-usage header verify truncate-newline output-fields: show-cursor header namespace: facility: list-namespaces list-invocations invocation: synchronize-on-exit:',
      flags: {
        '-h': 'none',
        '-i': 'value',
        '--vacuum-size --vacuum-time --vacuum-files --rotate --flush --relinquish-var --smart-relinquish-var --sync --setup-keys --update-catalog':
          { arg: 'optional', effect: 'mutating' },
        '--cursor-file': { arg: 'value', effect: 'mutating' },
        '--image --machine -M': { arg: 'value', effect: 'unknown' },
      },
    },
    coredumpctl: {
      everywhere: true,
      bare: 'read_only',
      short: '1nqrS:U:F:D:',
      flags: { '-n': 'value' },
      long: 'no-pager no-legend json: since: until: field: directory: quiet reverse',
      subcommands: { 'list info': {}, 'debug gdb': 'unknown', dump: { effect: 'unknown' } },
    },
    'systemd-analyze': {
      everywhere: true,
      bare: 'read_only',
      long: 'no-pager system user order require json: threshold: offline: fuzz: man:: generators::',
      subcommands: {
        'time blame critical-chain plot dot dump cat-config unit-files unit-paths exit-status capability condition syscall-filter filesystems calendar timestamp timespan security has-tpm2 inspect-elf':
          {},
        verify: 'unknown',
        'log-level log-target service-watchdogs set-log-level set-log-target': {
          operands: { max: 0 },
          otherwise: 'mutating',
        },
      },
    },
    'systemd-cgtop systemd-cgls systemd-path systemd-delta systemd-detect-virt systemd-escape': {
      short: 'ptcmid:n:bkPralqMv1u:',
      flags: { '-M': { arg: 'value', effect: 'unknown' } },
      long: 'order: batch raw cpu:: depth: iterations: delay: recursive: all full no-pager xattr:: cgroup-id:: unit:: user-unit:: type: diff:: suffix: quiet container vm chroot private-users list path unescape template: mangle',
    },
    'resolvectl systemd-resolve': {
      everywhere: true,
      bare: 'read_only',
      short: '46i:p:t:c:',
      long: 'interface: protocol: type: class: no-pager legend: cname: search: raw:: json: no-legend validate: synthesize: cache: zone: trust-anchor: network: status statistics',
      subcommands: {
        'query service openpgp tlsa status statistics show-cache show-server-state': {},
        'dns domain default-route llmnr mdns dnsovertls dnssec nta': { operands: { max: 1 }, otherwise: 'mutating' },
        'reset-statistics flush-caches reset-server-features revert log-level monitor': 'mutating',
      },
    },
    networkctl: {
      everywhere: true,
      bare: 'read_only',
      short: 'aslin:',
      long: 'all stats full lines: no-pager no-legend json: runtime',
      subcommands: {
        'list status lldp label cat': {},
        'up down renew forcerenew reconfigure reload delete edit mask unmask': 'mutating',
      },
    },
    machinectl: {
      everywhere: true,
      bare: 'read_only',
      short: 'p:aln:o:',
      long: 'property: all value full lines: output: no-pager no-legend',
      subcommands: {
        'list status show list-images image-status show-image list-transfers': {},
        'shell login': 'unknown',
        'start stop enable disable poweroff reboot terminate kill bind copy-to copy-from clone rename read-only remove set-limit clean pull-tar pull-raw import-tar import-raw import-fs export-tar export-raw cancel-transfer':
          'mutating',
      },
    },
    busctl: {
      everywhere: true,
      bare: 'read_only',
      long: 'no-pager no-legend system user acquired activatable unique json: list',
      subcommands: { 'list status tree introspect get-property': {}, 'call set-property emit': 'mutating' },
    },
    oomctl: { bare: 'read_only', subcommands: { dump: {} } },
    bootctl: {
      everywhere: true,
      bare: 'read_only',
      long: 'no-pager esp-path: boot-path: print-esp-path print-boot-path json:',
      short: 'px',
      subcommands: {
        'status list is-installed systemd-efi-options reboot-to-firmware': { operands: { max: 0 } },
        'install update remove random-seed set-default set-oneshot set-timeout unlink cleanup': 'mutating',
      },
    },
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
    getent: { style: 'posix', short: 's:i', long: 'service: no-idn' },
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
      'hostnamectl',
      'hostnamectl status',
      'timedatectl',
      'loginctl list-sessions --no-legend',
      'chronyc tracking',
      'chronyc -n sources -v',
      'dmesg -T --level=err',
      'sysctl -a',
      'sysctl vm.swappiness',
      'journalctl -u nginx -n 50 --no-pager',
      'journalctl --since "1 hour ago" -p err',
      'journalctl _PID=1',
      'journalctl --disk-usage',
      'systemd-analyze blame',
      'resolvectl status',
      'crontab -l',
      'crontab -l -u bob',
      'modprobe --show-depends x',
      'ldconfig -p',
      'getent passwd bob',
      'chage -l bob',
      'stty -a',
      'sync',
      'lsmod',
      'coredumpctl list',
      'update-alternatives --display java',
    ],
    unknown: ['journalctl --frob', 'hostnamectl -H h status', 'journalctl -M x', 'coredumpctl debug', 'date "$x"'],
    mutating: [
      'hostname web1',
      'hostname -F /x',
      'date -s 2026-01-01',
      'date 010101',
      'hostnamectl hostname x',
      'timedatectl set-ntp on',
      'dmesg -c',
      'dmesg -TC',
      'sysctl -w a=b',
      'sysctl vm.swappiness=10',
      'sysctl -p',
      'journalctl --vacuum-size=1G',
      'journalctl --rotate',
      'journalctl -u x --flush',
      'crontab -r',
      'crontab f',
      'crontab -',
      'resolvectl flush-caches',
      'modprobe x',
      'ldconfig',
      'chage -E 0 bob',
      'passwd bob',
      'journalctl --cursor-file=x',
      'postconf -e a=b',
    ],
  },
} as const satisfies Family;
