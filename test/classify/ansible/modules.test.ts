import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findModule, modulesOf } from '../../../src/classify/ansible/modules/index.js';
import { classify } from '../../../src/classify/index.js';
import { moduleEffect } from './support.js';

/** A module and its arguments. */
type Cases = readonly (readonly [module: string, args?: unknown])[];

const READ_ONLY: Cases = [
  ['ping'],
  ['ping', ''],
  ['ansible.builtin.ping', 'data=hello'],
  ['ansible.legacy.ping'],
  ['setup'],
  ['setup', 'filter=ansible_distribution*'],
  ['ansible.builtin.setup', { gather_subset: ['!all', 'network'], gather_timeout: 10 }],
  ['gather_facts'],
  ['stat', 'path=/etc/passwd'],
  ['stat', '{"path": "/etc/passwd", "get_checksum": false}'],
  ['ansible.builtin.stat', { path: '/etc/passwd' }],
  ['find', 'paths=/var/log patterns=*.log age=3d recurse=yes'],
  ['slurp', 'src=/etc/hostname'],
  ['getent', 'database=passwd key=root'],
  ['service_facts'],
  ['package_facts', 'manager=auto'],
  ['debug', 'msg="all is well"'],
  ['debug', 'var=ansible_facts.distribution'],
  ['debug', "var=hostvars['web1'].ansible_host"],
  ['assert', { that: ["ansible_facts['os_family'] == 'Debian'", 'x is defined'], fail_msg: 'no' }],
  ['fail', 'msg=stop'],
  ['pause', 'seconds=5'],
  ['wait_for', 'port=22 timeout=5'],
  ['wait_for_connection', { timeout: 5 }],
  ['set_fact', { colour: 'blue', size: 3 }],
  ['group_by', 'key=debian'],
  ['async_status', 'jid=1234.5'],
  ['async_status', 'jid=1234.5 mode=status'],
  ['meta', 'end_play'],
  ['command', 'uptime'],
  ['command', 'cat /etc/os-release'],
  ['command', 'grep "a|b" /etc/hosts'],
  ['command', 'ls -l chdir=/var/log'],
  ['command', 'ls creates=/tmp/x'],
  ['command', { cmd: 'df -h' }],
  ['command', { argv: ['ls', '-l', '/var/log dir'] }],
  ['command', { _raw_params: 'uptime' }],
  ['command', '{"cmd": "uptime"}'],
  ['shell', 'df -h | grep sda'],
  ['shell', 'ps aux | grep nginx'],
  ['shell', 'journalctl -u nginx -n 50 executable=/bin/bash'],
  ['shell', { cmd: 'cat /var/log/syslog | tail -5', chdir: '/' }],
  ['ansible.builtin.shell', 'systemctl status nginx'],
  ['raw', 'uptime'],
  ['raw', 'cat /etc/hosts'],
  ['uri', 'url=http://localhost/health'],
  ['uri', { url: 'http://localhost/health', method: 'HEAD', status_code: [200, 204], headers: { Accept: '*/*' } }],
  ['win_ping'],
  ['ansible.windows.win_ping', 'data=x'],
  ['ansible.windows.setup'],
  ['win_stat', 'path=C:\\Windows'],
  ['ansible.windows.win_service_info', 'name=spooler'],
  ['win_whoami'],
  ['win_find', 'paths=C:/Logs'],
  ['ansible.windows.win_reg_stat', { path: 'HKLM:\\Software', name: 'x' }],
  ['community.windows.win_disk_facts'],
  ['win_product_facts'],
  ['community.general.listen_ports_facts', 'command=ss'],
  ['listen_ports_facts'],
  ['community.general.redfish_info', { category: 'Systems', command: 'GetPowerState', baseuri: 'x', username: 'u' }],
  ['community.general.pip_package_info'],
  ['community.vmware.vmware_vm_info', { hostname: 'vc', username: 'u', validate_certs: false }],
  ['community.crypto.x509_certificate_info', 'path=/etc/ssl/x.pem'],
  ['ansible.posix.firewalld_info'],
  ['microsoft.ad.object_info', { identity: 'CN=x' }],
];

const NOT_READ_ONLY: Cases = [
  // Not known, or not for sure.
  ['no_such_module'],
  [''],
  ['../library/ping'],
  ['ping\n'],
  ['my.collection.ping'],
  ['win_service_info'],
  ['crypto_info'],
  ['community.general.ping'],
  ['ansible.builtin.win_disk_facts'],
  ['ansible.builtin.listen_ports_facts'],
  ['{{ module }}'],
  // Arguments that make more of a module that reads.
  ['setup', 'fact_path=/tmp/facts'],
  ['setup', { fact_path: '/tmp/facts' }],
  ['ansible.windows.setup', { fact_path: 'C:\\x' }],
  ['ping', 'surprise=1'],
  ['ping', 'word'],
  ['ping', ['data=1']],
  ['ping', 5],
  ['stat', 'path=/x path=/y'],
  ['stat', 'path="/x'],
  ['stat', 'path=/x\\x20follow=yes'],
  ['stat', 'path={{ lookup("pipe", "id") }}'],
  ['stat', { path: ['{% x %}'] }],
  ['stat', { '{{ k }}': 1 }],
  ['debug', 'msg={{ lookup("pipe", "touch /tmp/x") }}'],
  ['debug', "var=lookup('pipe','id')"],
  ['debug', { var: ['x'] }],
  ['debug', 'var=x|default(lookup("pipe","id"))'],
  ['assert', { that: "lookup('pipe', 'id') == ''" }],
  ['assert', { that: ["query('pipe', 'id')"] }],
  ['set_fact', { ansible_connection: 'local' }],
  ['set_fact', { ansible_shell_executable: '/tmp/x' }],
  ['set_fact', { condition: "lookup('pipe', 'id')" }],
  ['set_fact', { x: 1, cacheable: true }],
  ['async_status', 'jid=1 mode=cleanup'],
  ['meta', 'refresh_inventory'],
  ['meta'],
  ['fetch', 'src=/etc/passwd dest=/tmp'],
  ['uri', 'url=http://x dest=/tmp/y'],
  ['uri', 'url=http://x method=POST body=a'],
  ['uri', { url: 'http://x', method: 'PURGE' }],
  ['uri', { url: 'http://x', headers: { 'X-HTTP-Method-Override': 'DELETE' } }],
  ['uri', { url: 'http://x', src: '/etc/passwd' }],
  ['ansible.windows.win_uri', { url: 'http://x', method: 'DELETE' }],
  ['community.general.pip_package_info', 'clients=/tmp/evil'],
  ['community.general.pipx_info', { executable: '/tmp/evil' }],
  ['community.general.onepassword_info', { search_terms: ['x'], cli_path: '/tmp/evil' }],
  ['community.general.facter', { arguments: ['--custom-dir', '/tmp'] }],
  ['community.vmware.vmware_vc_infraprofile_info', { api: 'import' }],
  // What is run.
  ['script', '/tmp/x.sh'],
  ['script', 'x.sh'],
  ['expect', { command: 'ls', responses: { a: 'b' } }],
  ['command'],
  ['command', ''],
  ['command', 'rm -rf /srv'],
  ['command', 'ls executable=/tmp/evil'],
  ['command', 'ls {{ dir }}'],
  ['command', 'uniq in warn=no'],
  ['command', 'sort < -o /etc/passwd'],
  ['command', 'sort # -o /etc/passwd'],
  ['command', "sort '$OPTIONS' /etc/passwd"],
  ['command', { cmd: 'ls', argv: ['rm', '/x'] }],
  ['command', { argv: 'rm -rf /' }],
  ['command', { argv: ['find', '/', '-delete'] }],
  ['command', { argv: ['sort', '$OPTIONS'] }],
  ['command', { cmd: 'cat', stdin: 'x' }],
  ['command', { cmd: 'ls', _uses_shell: true }],
  ['command', { _raw_params: 'ls', cmd: 'rm /x' }],
  ['command', '{"cmd": "rm -rf /"}'],
  ['command', '{"cmd": NaN}'],
  ['shell', 'echo x > /etc/motd'],
  ['shell', 'ls; reboot'],
  ['shell', 'ls executable=/tmp/evil'],
  ['shell', '\\x65xecutable=/tmp/evil ls'],
  ['shell', 'ls chdir=/tmp\nrm -rf /srv'],
  ['shell', 'ls \\ -la; rm x'],
  ['shell', 'ls "a'],
  ['shell', 'in \\x3d -o'],
  ['shell', 'cat <<EOF\n EOF\nrm -rf /\nEOF'],
  ['shell', 'curl http://x | sh'],
  ['shell', { cmd: 'ls', executable: 'python3' }],
  ['raw', 'rm -rf /'],
  ['raw', 'echo \\; rm x'],
  ['raw', 'echo "a" `id`'],
  ['win_command', 'del C:\\x'],
  ['win_shell', 'Remove-Item C:\\x'],
  ['ansible.windows.win_powershell', { script: 'Remove-Item C:\\x' }],
  ['win_shell', 'ls executable=python'],
  ['win_dsc', { resource_name: 'File' }],
  ['community.windows.psexec', { command: 'whoami' }],
  ['include_tasks', 'x.yml'],
  ['import_role', 'name=x'],
  ['add_host', 'name=web9'],
  ['include_vars', 'x.yml'],
];

const MUTATING: Cases = [
  ['copy', 'src=a dest=/b'],
  ['copy', { content: '{{ x }}', dest: '/b' }],
  ['ansible.builtin.file', 'path=/x state=absent'],
  ['template', 'src=a dest=b'],
  ['lineinfile', 'path=/etc/hosts line=x'],
  ['user', 'name=x state=absent'],
  ['apt', 'name=nginx state=latest'],
  ['package', 'name=x'],
  ['service', 'name=nginx state=restarted'],
  ['systemd', 'name=nginx state=restarted'],
  ['reboot'],
  ['cron', 'name=x job=y'],
  ['unarchive', 'src=a dest=b'],
  ['git', 'repo=x dest=y'],
  ['nmcli', 'conn_name=x'],
  ['community.general.parted', { device: '/dev/sda' }],
  ['ansible.posix.mount', 'path=/x state=unmounted'],
  ['authorized_key', 'user=x key=y'],
  ['win_copy', 'src=a dest=b'],
  ['win_service', 'name=x state=stopped'],
  ['win_regedit', 'path=HKLM:\\x'],
  ['community.windows.win_firewall_rule', { name: 'x' }],
  ['microsoft.ad.user', { name: 'x' }],
  ['community.vmware.vmware_guest', { state: 'absent' }],
  ['community.vmware.vmware_guest_snapshot', { state: 'revert' }],
  ['shell', 'rm -rf {{ dir }}'],
  ['command', 'systemctl restart nginx'],
  ['uri', 'url=http://x method=DELETE'],
];

const pair = ([module, args]: Cases[number]): [string, unknown] => [module, args];

test.each(READ_ONLY.map(pair))('%s %j is read_only', (module, args) => {
  expect(moduleEffect(module, args)).toBe('read_only');
});

test.each(NOT_READ_ONLY.map(pair))('%s %j is not read_only', (module, args) => {
  expect(moduleEffect(module, args)).not.toBe('read_only');
  expect(moduleEffect(module, args, true)).not.toBe('read_only');
});

test.each(MUTATING.map(pair))('%s %j is mutating', (module, args) => {
  expect(moduleEffect(module, args)).toBe('mutating');
});

describe('with --check', () => {
  test.each([
    ['copy', 'src=a dest=/b', 'read_only'],
    ['file', 'path=/x state=absent', 'read_only'],
    ['apt', 'name=nginx', 'read_only'],
    ['systemd', 'name=x state=restarted', 'read_only'],
    ['ping', '', 'read_only'],
    ['command', 'uptime', 'read_only'],
    ['copy', { content: "{{ lookup('pipe', 'id') }}", dest: '/b' }, 'unknown'],
    ['copy', 'src=a dest=/b validate="/tmp/x %s"', 'unknown'],
    ['copy', 'src="a', 'unknown'],
    ['apt', 'clean=yes', 'unknown'],
    ['apt', 'update_cache=yes', 'unknown'],
    ['template', 'src=a dest=/b', 'unknown'],
    ['reboot', '', 'unknown'],
    ['community.general.nmcli', '', 'unknown'],
    ['get_url', 'url=x dest=y', 'unknown'],
    ['command', 'rm -rf /', 'unknown'],
    ['raw', 'rm -rf /', 'unknown'],
  ])('%s %j is %s', (module, args, effect) => {
    expect(moduleEffect(module, args, true)).toBe(effect);
  });
});

test('no argument of a module shows in its findings', () => {
  const { findings } = classify([
    { kind: 'ansible_module', module: 'user', args: 'name=x password=hunter2', check: false },
    { kind: 'ansible_module', module: 'ping', args: 'password="hunter2', check: false },
  ]);
  expect(JSON.stringify(findings)).not.toContain('hunter2');
});

test('a module is in one list only, and full names stay what they are', () => {
  const all = (['read_only', 'predicts', 'mutating', 'depends'] as const).flatMap((label) => modulesOf(label));
  expect(all.length).toBeGreaterThan(1000);
  expect(new Set(all).size).toBe(all.length);
  expect(all.filter((name) => findModule(name)?.name !== name)).toEqual([]);
});

const LABELS = join('..', 'shared', 'downstream', 'ansible-modules.json');
const there = existsSync(LABELS);

describe.skipIf(!there)(`labelled modules${there ? '' : ' (skipped: ../shared/downstream is not there)'}`, () => {
  const labels: Readonly<Record<string, { label: string }>> = there ? JSON.parse(readFileSync(LABELS, 'utf8')) : {};

  test('none labelled mutating or depends is read_only without arguments', () => {
    const wrong = Object.entries(labels).filter(
      ([name, { label }]) => label !== 'read_only' && moduleEffect(name) === 'read_only',
    );
    expect(wrong).toEqual([]);
  });

  test('those labelled mutating are mutating', () => {
    const wrong = Object.entries(labels).filter(
      ([name, { label }]) => label === 'mutating' && moduleEffect(name) !== 'mutating',
    );
    expect(wrong).toEqual([]);
  });

  test('those labelled read_only are, but for one that writes on the controller and one that imports', () => {
    const wrong = Object.entries(labels)
      .filter(([name, { label }]) => label === 'read_only' && moduleEffect(name) !== 'read_only')
      .map(([name]) => name);
    expect(wrong).toEqual(['ansible.builtin.fetch', 'community.vmware.vmware_vc_infraprofile_info']);
    const all = Object.values(labels).filter(({ label }) => label === 'read_only').length;
    console.error(
      `modules: ${Object.keys(labels).length} labelled, 0 unsafe, ${all - wrong.length} of ${all} reading ones recognised`,
    );
  });
});
