import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AnsibleRun } from '../../src/domain/call.js';
import { verifies } from '../e2e/requirements.js';
import { directoryOf, hostsOf, type Tree } from './support.js';

const INVENTORY = '[web]\nweb1 ansible_host=10.0.0.1\nweb2\n[db]\ndb1\n';

async function run(
  playbook: string,
  more: Partial<AnsibleRun> = {},
  files: Tree = {},
): Promise<readonly string[] | string> {
  const directory = directoryOf({ 'inv/hosts': INVENTORY, 'play/site.yml': playbook, ...files });
  const found = await hostsOf(
    { playbooks: [{ path: 'play/site.yml' }], ...more },
    [join(directory, 'inv/hosts')],
    directory,
  );
  if ('stop' in found) return found.stop;
  return found.machines.map(({ name, address, local }) =>
    local ? `${name} local` : address === undefined ? name : `${name} ${address}`,
  );
}

const play = (hosts: string, tasks = '    - ping:\n', more = ''): string =>
  `- hosts: ${hosts}\n${more}  tasks:\n${tasks}`;

const REACHED: readonly (readonly [
  what: string,
  playbook: string,
  hosts: readonly string[],
  more?: Partial<AnsibleRun>,
])[] = [
  ['a group', play('web'), ['web1 10.0.0.1', 'web2']],
  ['a pattern', play('all:!db'), ['web1 10.0.0.1', 'web2']],
  ['a list', play('[web1, db]'), ['web1 10.0.0.1', 'db1']],
  ['several plays', play('web1') + play('db'), ['web1 10.0.0.1', 'db1']],
  ['a limit', play('all'), ['web2'], { limit: 'web2' }],
  ['a limit over several plays', play('web') + play('db'), ['db1'], { limit: 'db:web1:!web' }],
  ['this machine', play('localhost'), ['localhost local']],
  ['a play on this machine', play('web2', undefined, '  connection: local\n'), ['web2 local']],
  ['a run on this machine', play('web2'), ['web2 local'], { connection: 'local' }],
  ['a delegated task', play('web2', '    - ping:\n      delegate_to: db1\n'), ['web2', 'db1']],
  [
    'a delegated task, whatever the limit',
    play('web', '    - ping:\n      delegate_to: db1\n'),
    ['web2', 'db1'],
    { limit: 'web2' },
  ],
  [
    'a host that no inventory has',
    play('web2', '    - ping:\n      delegate_to: other.example.com\n'),
    ['web2', 'other.example.com'],
  ],
  ['a local action', play('web2', '    - local_action: command id\n'), ['web2', 'localhost local']],
  [
    'a delegated block',
    play('web2', '    - block:\n        - ping:\n      rescue:\n        - ping:\n          delegate_to: db1\n'),
    ['web2', 'db1'],
  ],
  ['a task on the controller', play('web2', '    - ping:\n      connection: local\n'), ['web2', 'localhost local']],
  [
    'a block on the controller',
    play('web2', '    - connection: ansible.builtin.local\n      block:\n        - ping:\n'),
    ['web2', 'localhost local'],
  ],
  ['a handler', `${play('web2')}  handlers:\n    - ping:\n      delegate_to: db1\n`, ['web2', 'db1']],
  [
    'an added host',
    play('web2', '    - add_host: {name: new1, groups: [fresh], ansible_host: 10.0.0.77}\n') + play('fresh'),
    ['web2', 'new1 10.0.0.77'],
  ],
  [
    'an added host in the old form',
    play('web2', '    - action: add_host name=new1 groups=fresh\n') + play('fresh'),
    ['web2', 'new1'],
  ],
  [
    'facts and conditions',
    play(
      'web2',
      '    - set_fact: {x: "{{ ansible_host }}"}\n      when: ansible_host == "a"\n      register: r\n      run_once: true\n',
    ),
    ['web2'],
  ],
];

test.each(REACHED.map(([what, playbook, hosts, more]) => ({ what, playbook, hosts, more })))(
  `${verifies('R-1')} a playbook reaches $what`,
  async ({ playbook, hosts, more }) => {
    expect(await run(playbook, more)).toEqual(hosts);
  },
);

test.each<readonly [what: string, playbook: string, why: RegExp]>([
  ['hosts', play('"{{ target }}"'), /template/],
  ['hosts by a lookup', play("\"{{ lookup('pipe', 'touch /tmp/never') }}\""), /template/],
  ['a delegated host', play('web', '    - ping:\n      delegate_to: "{{ item }}"\n'), /template/],
  ['an added host', play('web', '    - add_host: {name: "{{ x }}"}\n'), /template/],
  ['groups made on the way', play('web', '    - group_by: {key: os}\n'), /groups/],
  ['an inventory that is read anew', play('web', '    - meta: refresh_inventory\n'), /anew/],
  ['an address by set_fact', play('web', '    - set_fact: {ansible_host: 10.0.0.9}\n'), /by itself/],
  ['an address by set_fact in the old form', play('web', '    - set_fact: ansible_host=10.0.0.9\n'), /by itself/],
  [
    'an address by a registered variable',
    play('web', '    - command: id\n      register: ansible_host\n'),
    /by itself/,
  ],
  ['variables of the play', play('web', undefined, '  vars: {ansible_connection: local}\n'), /by itself/],
  ['variables of the task', play('web', '    - ping:\n      vars: {ansible_ssh_host: x}\n'), /by itself/],
  ['a key that is a template', play('web', '    - set_fact: {"{{ k }}": v}\n'), /by itself/],
  ['included tasks', play('web', '    - include_tasks: more.yml\n'), /not seen/],
  ['included tasks by a template', play('web', '    - include_tasks: "{{ x }}.yml"\n'), /template/],
  [
    'included tasks with keywords',
    play('web', '    - include_tasks: {file: x.yml, apply: {delegate_to: db1}}\n'),
    /keywords/,
  ],
  ['a role', '- hosts: web\n  roles: [nginx]\n', /role/],
  ['a role of a collection', '- hosts: web\n  roles: [ns.coll.nginx]\n', /role/],
  ['another playbook', '- import_playbook: other.yml\n', /file|playbook/],
  ['no hosts', '- tasks: []\n', /no hosts/],
  [
    'the connection of a task, in a play on this machine',
    play('web', '    - ping:\n      connection: ssh\n', '  connection: local\n'),
    /connection/,
  ],
  ['arguments of a task by a template', play('web', '    - set_fact: {}\n      args: "{{ d }}"\n'), /template/],
  ['variables by a template', play('web', '    - set_fact: "{{ d }}"\n'), /template/],
  [
    'defaults for added hosts',
    play('web', '    - add_host: {name: new1}\n', '  module_defaults: {add_host: {groups: db}}\n'),
    /by itself/,
  ],
  ['the port of a play', play('web', undefined, '  port: 2202\n'), /port/],
  ['the port of a task', play('web', '    - ping:\n      port: 2202\n'), /port/],
  ['an alias', '- hosts: &h web\n- hosts: *h\n', /anchors/],
  ['an encrypted playbook', '$ANSIBLE_VAULT;1.1;AES256\n61\n', /encrypted/],
])(`${verifies('R-4')} a playbook whose hosts depend on %s is a stop`, async (_what, playbook, why) => {
  expect(await run(playbook)).toMatch(why);
});

test('files and roles that a playbook goes on in are read, as data', async () => {
  const files = {
    'play/more.yml': '- ping:\n  delegate_to: db1\n',
    'play/other.yml': play('web1'),
    'play/roles/nginx/tasks/main.yml': '- import_tasks: sub.yml\n',
    'play/roles/nginx/tasks/sub.yml': '- ping:\n  delegate_to: from-role\n',
    'play/roles/nginx/meta/main.yml': 'dependencies: [base]\n',
    'play/roles/base/handlers/main.yml': '- ping:\n  delegate_to: from-base\n',
  };
  const found = await run(
    '- import_playbook: other.yml\n- hosts: web2\n  roles:\n    - role: nginx\n  tasks:\n    - include_tasks: more.yml\n',
    {},
    files,
  );
  expect([...found].sort()).toEqual(['db1', 'from-base', 'from-role', 'web1 10.0.0.1', 'web2']);
});

test.each<readonly [what: string, files: Tree, why: RegExp]>([
  ['tasks', { 'play/roles/r/tasks/main.yml': '- set_fact: {ansible_host: x}\n' }, /by itself/],
  [
    'variables',
    { 'play/roles/r/tasks/main.yml': '[]', 'play/roles/r/vars/main.yml': 'ansible_host: x\n' },
    /by itself/,
  ],
  [
    'defaults',
    { 'play/roles/r/tasks/main.yml': '[]', 'play/roles/r/defaults/main/x.yml': 'ansible_connection: local\n' },
    /by itself/,
  ],
  [
    'encrypted variables',
    { 'play/roles/r/tasks/main.yml': '[]', 'play/roles/r/vars/main.yml': '$ANSIBLE_VAULT;1.1;AES256\n61\n' },
    /encrypted/,
  ],
  ['plugins', { 'play/roles/r/tasks/main.yml': '[]', 'play/roles/r/connection_plugins/ssh.py': '' }, /plugins/],
  ['plugins beside the playbook', { 'play/roles/r/tasks/main.yml': '[]', 'play/vars_plugins/x.py': '' }, /plugins/],
])('a role whose %s may say where hosts are is a stop', async (_what, files, why) => {
  expect(await run('- hosts: web\n  roles: [r]\n', {}, files)).toMatch(why);
});

test('files of variables beside the playbook count', async () => {
  const files = {
    'play/group_vars/web.yml': 'ansible_host: 10.5.5.5\n',
    'play/host_vars/web2.yml': 'ansible_connection: local\n',
  };
  // The inventory's own word for a host comes before that of a group beside the playbook.
  expect(await run(play('web'), {}, files)).toEqual(['web1 10.0.0.1', 'web2 local']);
});

test('files of variables beside a playbook that another one imports count for its plays alone', async () => {
  const files = {
    'play/sub/other.yml': play('web'),
    'play/sub/host_vars/web2.yml': 'ansible_host: 10.6.6.6\n',
    'play/host_vars/db1.yml': 'ansible_host: 10.7.7.7\n',
    'host_vars/db1.yml': 'ansible_host: 10.8.8.8\n',
  };
  expect(await run(`- import_playbook: sub/other.yml\n${play('web2')}${play('db')}`, {}, files)).toEqual([
    'web1 10.0.0.1',
    'web2 10.6.6.6',
    'web2',
    'db1 10.7.7.7',
  ]);
});

test('files of variables in the directory that a command of its own is started in count', async () => {
  const files = { 'group_vars/web.yml': 'ansible_port: 2200\n', 'host_vars/web2.yml': 'ansible_host: 10.9.9.9\n' };
  const found = await run('', { playbooks: [], pattern: 'web' }, files);
  expect(found).toEqual(['web1 10.0.0.1', 'web2 10.9.9.9']);
});

test('a role that may come from a collection is a stop', async () => {
  const files = { 'play/roles/r/tasks/main.yml': '- ping:\n' };
  const of = (collections: string) => run(`- hosts: web2\n  collections: ${collections}\n  roles: [r]\n`, {}, files);
  expect(await of('[some.other]')).toMatch(/role/);
  expect(await of('[ansible.builtin]')).toEqual(['web2']);
  const meta = { ...files, 'play/roles/r/meta/main.yml': 'collections: [some.other]\ndependencies: [r2]\n' };
  expect(await run('- hosts: web2\n  roles: [r]\n', {}, { ...meta, 'play/roles/r2/tasks/main.yml': '[]' })).toMatch(
    /role/,
  );
});

test('a playbook by its text is read; where it is written to is not known', async () => {
  const directory = directoryOf({ hosts: INVENTORY });
  const of = async (text: string, cwd: string) => hostsOf({ playbooks: [{ text }] }, [join(directory, 'hosts')], cwd);
  expect(await of(play('db'), directory)).toEqual({ machines: [{ name: 'db1' }] });
  expect(await of('- hosts: db\n  roles: [x]\n', directory)).toHaveProperty('stop');
  expect(await of(play('db'), directoryOf({ 'group_vars/all.yml': 'ansible_host: x\n' }))).toHaveProperty('stop');
});
