import type { Family } from './types.js';

/** Services and the programs that control themselves by flags. */
export const SERVICES = {
  effect: 'read_only',
  commands: {
    systemctl: {
      everywhere: true,
      bare: 'read_only',
      short: 't:p:alqn:o:P:rT',
      long: 'type: state: property: all full quiet lines: output: no-pager no-legend legend: plain failed recursive reverse after before user system value no-ask-password with-dependencies show-types timestamp: global root: what: no-wall',
      flags: {
        '-H -M --host --machine --root --image': { arg: 'value', effect: 'unknown' },
        '--now --force -f --runtime --no-block --job-mode --kill-who --signal -s -i --preset-mode --no-reload --wait': {
          arg: 'optional',
          effect: 'unknown',
        },
      },
      subcommands: {
        'status show cat help list-units list-sockets list-timers list-dependencies list-unit-files list-jobs list-machines list-automounts list-paths is-active is-enabled is-failed is-system-running show-environment get-default':
          {},
        'start stop restart try-restart reload reload-or-restart try-reload-or-restart isolate kill clean freeze thaw set-property bind mount-image service-log-level service-log-target reset-failed enable disable reenable preset preset-all mask unmask link revert add-wants add-requires edit set-default cancel set-environment unset-environment import-environment daemon-reload daemon-reexec log-level log-target service-watchdogs default rescue emergency halt poweroff reboot kexec soft-reboot exit switch-root sleep suspend hibernate hybrid-sleep suspend-then-hibernate condrestart force-reload':
          'mutating',
      },
    },
    'service rc-service': {
      otherwise: 'mutating',
      requires: '--status-all',
      flags: { '--status-all': 'none' },
      subcommandAfter: '^[A-Za-z0-9@_.:-]+$',
      subcommands: { status: { operands: { max: 0 } } },
    },
    'rc-status': { short: 'alurcsmf:', long: 'all list unused runlevel crashed servicelist manual supervised' },
    chkconfig: { otherwise: 'mutating', requires: '--list', long: 'list', operands: { max: 1 } },
    supervisorctl: {
      short: 's:u:p:c:',
      subcommands: {
        'status pid version avail tail maintail': { short: 'f' },
        'start stop restart reload update add remove signal shutdown reread clear': 'mutating',
        fg: 'unknown',
      },
    },
    pm2: {
      subcommands: {
        'list ls status l ps show describe info jlist prettylist logs': { long: 'lines: nostream json raw err out' },
        'start stop restart reload delete kill save resurrect flush scale startup update install': 'mutating',
      },
    },
    nginx: {
      otherwise: 'mutating',
      style: 'words',
      requires: '-v -V',
      flags: { '-v -V': 'none' },
      operands: { max: 0 },
    },
    'apachectl apache2ctl httpd apache2': {
      otherwise: 'unknown',
      style: 'words',
      flags: {
        '-v -V -l -L -M -S': 'none',
        '-D': { arg: 'value', only: ['DUMP_VHOSTS', 'DUMP_MODULES', 'DUMP_RUN_CFG'] },
      },
      requires: '-v -V -l -L -M -S -D',
      operands: { max: 0 },
      subcommands: {
        'start stop restart graceful graceful-stop': 'mutating',
        'status fullstatus': {},
        configtest: 'unknown',
      },
      bare: 'unknown',
    },
    haproxy: {
      otherwise: 'mutating',
      style: 'words',
      requires: '-c -v -vv',
      flags: { '-c -v -vv -V -q': 'none', '-f': 'value' },
      operands: { max: 0 },
    },
    varnishadm: { effect: 'unknown' },
    rabbitmqctl: {
      short: 'n:qpts',
      flags: { '-p --vhost -t': 'value' },
      long: 'node: quiet silent formatter: vhost: no-table-headers timeout:',
      everywhere: true,
      subcommands: {
        'status list_queues list_exchanges list_bindings list_connections list_channels list_consumers list_users list_vhosts list_permissions list_user_permissions list_policies cluster_status environment report ping node_health_check list_parameters':
          {},
        'stop stop_app start_app reset force_reset add_user delete_user change_password set_permissions clear_permissions set_policy clear_policy add_vhost delete_vhost purge_queue delete_queue join_cluster forget_cluster_node set_user_tags rotate_logs close_connection':
          'mutating',
        eval: 'unknown',
      },
    },
    'rabbitmq-diagnostics': {
      everywhere: true,
      short: 'n:q',
      subcommands: {
        'status ping check_running check_local_alarms check_port_connectivity alarms environment cluster_status listeners memory_breakdown':
          {},
      },
    },
    'rabbitmq-plugins': {
      everywhere: true,
      short: 'n:qeEmv',
      subcommands: { 'list is_enabled directories': {}, 'enable disable set': 'mutating' },
    },
    postfix: {
      subcommands: {
        status: {},
        'start stop reload flush abort check upgrade-configuration set-permissions': 'mutating',
      },
    },
    'named-checkconf named-checkzone': {
      otherwise: 'unknown',
      short: 'hvpzxljkd',
      flags: { '-j -d -k': { arg: 'none', effect: 'unknown' } },
    },
    sshd: { otherwise: 'mutating', requires: '-T -t', short: 'TtC:f:' },
    logrotate: { otherwise: 'mutating', requires: '-d --debug', short: 'dv', long: 'debug verbose' },
    lpstat: { short: 'acdeopruvWtsl' },
    lpq: { short: 'aP:l' },
  },
  examples: {
    read_only: [
      'systemctl',
      'systemctl status nginx',
      'systemctl --no-pager --failed',
      'systemctl list-units --type=service --state=failed',
      'systemctl is-active a b',
      'systemctl show -p MainPID nginx',
      'systemctl cat nginx',
      'service --status-all',
      'service nginx status',
      'supervisorctl status',
      'nginx -v',
      'haproxy -c -f f',
      'rabbitmqctl list_queues name messages',
      'apachectl -S',
      'sshd -T',
    ],
    unknown: ['systemctl -H h status', 'systemctl frob', 'apachectl -t', 'rabbitmqctl eval x', 'systemctl "$x" nginx'],
    mutating: [
      'service ../../bin/sh status',
      'systemctl restart nginx',
      'systemctl --user daemon-reload',
      'systemctl edit nginx',
      'systemctl kill nginx',
      'service nginx restart',
      'nginx -t',
      'nginx -s reload',
      'pm2 restart all',
      'rabbitmqctl stop',
      'systemctl enable --now x',
    ],
  },
} as const satisfies Family;
