import type { Family } from './types.js';

/** The control programs of systemd, and the journal. */
export const SYSTEMD = {
  effect: 'read_only',
  commands: {
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
    'systemd-id128 systemd-ac-power': {},
    'systemd-inhibit': { otherwise: 'unknown', requires: '--list', long: 'list no-pager no-legend' },
    userdbctl: {
      bare: 'read_only',
      subcommands: { 'user group users-in-group groups-of-user services': { long: 'output: no-pager' } },
    },
  },
  examples: {
    read_only: [
      'systemd-inhibit --list',
      'hostnamectl',
      'hostnamectl status',
      'timedatectl',
      'loginctl list-sessions --no-legend',
      'journalctl -u nginx -n 50 --no-pager',
      'journalctl --since "1 hour ago" -p err',
      'journalctl _PID=1',
      'journalctl --disk-usage',
      'systemd-analyze blame',
      'resolvectl status',
      'coredumpctl list',
    ],
    unknown: [
      'systemd-inhibit ls',
      'journalctl --frob',
      'hostnamectl -H h status',
      'journalctl -M x',
      'coredumpctl debug',
    ],
    mutating: [
      'hostnamectl hostname x',
      'timedatectl set-ntp on',
      'journalctl --vacuum-size=1G',
      'journalctl --rotate',
      'journalctl -u x --flush',
      'resolvectl flush-caches',
      'journalctl --cursor-file=x',
    ],
  },
} as const satisfies Family;
