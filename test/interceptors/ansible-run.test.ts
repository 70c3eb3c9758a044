import { expect, test } from 'vitest';
import { runsOfCommands } from '../../interceptors/ansible-line.js';
import type { Server } from '../../src/domain/call.js';
import { read, schema } from './support.js';

const ansible: Server = { name: 'ansible', family: 'ansible' };
const runOf = (args: Record<string, unknown>, server: Server = ansible, tool = 'adhoc') =>
  read(args, { tool, server }).ansible?.[0];

test('a call of any server of ansible says which hosts it runs on, and by which inventory', () => {
  expect(runOf({ hosts: 'web:!web1', module: 'ping', inventory: 'inv/hosts', limit: 'eu' })).toMatchObject({
    pattern: 'web:!web1',
    inventories: ['inv/hosts'],
    limit: 'eu',
    argument: 'hosts',
  });
  expect(runOf({ hosts: ['web', 'db'], module: 'ping', inventory: ['a', 'b'] })).toMatchObject({
    pattern: 'web,db',
    inventories: ['a', 'b'],
  });
  expect(runOf({ playbook: 'site.yml', extra_vars: { v: 1 } }, ansible, 'playbook')).toMatchObject({
    playbooks: [{ path: 'site.yml' }],
    extraVars: [{ v: 1 }],
    inventories: [],
  });
  expect(runOf({ playbook: '- hosts: web\n  tasks: []' })).toMatchObject({
    playbooks: [{ text: '- hosts: web\n  tasks: []' }],
  });
  expect(
    runOf({ pattern: 'web', module: 'ping', tags: 'x', become: true, forks: 5, check: true })?.unclear,
  ).toBeUndefined();
});

test.each<readonly [what: string, args: Record<string, unknown>]>([
  ['no hosts', { module: 'ping' }],
  ['two patterns', { hosts: 'web', host: 'db', module: 'ping' }],
  ['an argument that may be an option', { hosts: 'web', module: 'ping', extra_args: '--limit all' }],
  ['an argument that nobody knows', { hosts: 'web', module: 'ping', frobnicate: 'x' }],
  ['an inventory that is an object', { hosts: 'web', module: 'ping', inventory: { web: 1 } }],
  ['an inventory that is an option', { hosts: 'web', module: 'ping', inventory: '-e@x' }],
  ['a pattern that a shell could read', { hosts: 'web;id', module: 'ping' }],
  ['an intersection, which a shell reads as the end of the command', { hosts: 'web:&eu', module: 'ping' }],
  ['a pattern that is an object', { hosts: { a: 1 }, module: 'ping' }],
  ['a list in which an item has a comma', { hosts: ['web,!db'], module: 'ping' }],
])('%s: it is not clear what ansible gets', (_what, args) => {
  expect(runOf(args)?.unclear).toEqual(expect.any(String));
});

test('a call of another server, and one that names nothing of ansible, has no run', () => {
  expect(
    read({ hosts: 'web', command: 'id' }, { tool: 'run', server: { name: 'ssh', family: 'ssh' } }).ansible,
  ).toBeUndefined();
  expect(runOf({ text: 'x' })).toBeUndefined();
});

test('known servers say how they hand their arguments on', () => {
  const sysoperator: Server = { name: 'x', info: { name: 'mcp-sysoperator', version: '0.1.0' } };
  const description = schema('run_ad_hoc', {
    pattern: {},
    module: {},
    args: {},
    inventory: {},
    become: {},
    extra_vars: {},
  });
  const of = (args: Record<string, unknown>) =>
    read(args, { tool: 'run_ad_hoc', server: sysoperator, description }).ansible?.[0];
  expect(of({ pattern: 'web', module: 'ping' })).toMatchObject({ pattern: 'web' });
  expect(of({ pattern: 'web', module: 'ping' })?.unclear).toBeUndefined();
  // It puts the pattern into a shell's command line, unquoted.
  for (const pattern of ['web*', 'all:!db', 'web[0]', '~web', 'a b'])
    expect(of({ pattern, module: 'ping' })?.unclear, pattern).toMatch(/shell/);
  const project: Server = { name: 'x', info: { name: 'ansible-mcp', version: '1' } };
  const task = schema(
    'ansible-task',
    Object.fromEntries(
      'host_pattern module args inventory become become_user check diff cwd verbose connection env'
        .split(' ')
        .map((name) => [name, {}]),
    ),
  );
  const ofTask = (args: Record<string, unknown>) =>
    read(args, { tool: 'ansible-task', server: project, description: task }).ansible?.[0];
  expect(ofTask({ host_pattern: 'all:!db', module: 'ping', inventory: 'i' })).toMatchObject({
    pattern: 'all:!db',
    inventories: ['i'],
  });
  expect(ofTask({ host_pattern: 'all:!db', module: 'ping', inventory: 'i' })?.unclear).toBeUndefined();
  expect(ofTask({ host_pattern: 'web', module: 'ping' })?.unclear).toMatch(/inventory of its own/);
  expect(
    ofTask({ host_pattern: 'web', module: 'ping', inventory: 'i', env: { ANSIBLE_CONFIG: 'x' } })?.unclear,
  ).toMatch(/env/);
});

const line = (source: string, here = true) =>
  runsOfCommands(
    [{ kind: 'command', language: 'bash', source }],
    here ? { directories: [], steady: true } : 'elsewhere',
  )[0];

test('ansible on a command line of this machine', () => {
  expect(line("ansible web -i inv/hosts -m copy -a 'src=a dest=/b' -b --limit='all:!db'")).toMatchObject({
    pattern: 'web',
    inventories: ['inv/hosts'],
    limit: 'all:!db',
  });
  expect(line('ansible-playbook site.yml other.yml -l web1 -iinv -i h1,h2, -e v=1 -c local --check')).toMatchObject({
    playbooks: [{ path: 'site.yml' }, { path: 'other.yml' }],
    limit: 'web1',
    inventories: ['inv', 'h1,h2,'],
    extraVars: ['v=1'],
    connection: 'local',
  });
  expect(line("/usr/bin/ansible 'web:&eu' -m ping")).toMatchObject({ pattern: 'web:&eu' });
  expect(line('ansible all:!web7 -m ping')).toMatchObject({ pattern: 'all:!web7' });
  for (const source of [
    'ls',
    'cat /etc/ansible/hosts',
    'echo ansible',
    'ansible-doc ping',
    'grep -r ansible .',
    'my-ansible web',
  ])
    expect(line(source), source).toBeUndefined();
});

test.each([
  'ansible web* -m ping',
  'ansible web[0] -m ping',
  'ansible web:&eu -m ping',
  'ansible $HOSTS -m ping',
  'ansible "$HOSTS" -m ping',
  'ansible web -m ping; ansible db -m ping',
  'cd /x && ansible web -m ping',
  'ANSIBLE_CONFIG=x ansible web -m ping',
  'sudo ansible web -m ping',
  'ansible web -m ping --lim db',
  'ansible web -l a -l b',
  'ansible web db -m ping',
  'ansible -m ping',
  'ansible web -i',
  'ansible-pull -U x',
  'ansible-console',
  'xargs ansible web -m ping',
  'env X=1 ansible-playbook x.yml',
  'bash -c "ansible web -m reboot"',
  'ansible web -m ping # -l x',
  'ansible web\nansible db',
  './ansible web -m ping',
  'ansible ~web -m ping',
  "ansible 'web' -a $(id)",
])('%s is a run whose hosts are not told by its line', (source) => {
  expect(line(source)?.unclear).toEqual(expect.any(String));
});

test('ansible on a host that is reached over ssh has an inventory that is not seen', () => {
  expect(line('ansible web -m reboot', false)?.unclear).toMatch(/another machine/);
  const reading = read({ command: 'ansible-playbook site.yml', host: 'app01' });
  expect(reading.ansible?.[0]?.unclear).toMatch(/another machine/);
  expect(read({ command: 'cat /etc/ansible/hosts', host: 'app01' }).ansible).toBeUndefined();
});

test('paths on a command line count where the directory that it starts in is known', () => {
  const unclear = (source: string, directories: readonly unknown[], steady: boolean) =>
    runsOfCommands([{ kind: 'command', language: 'bash', source }], { directories, steady })[0]?.unclear;
  expect(unclear('ansible web -i inv', [], true)).toBeUndefined();
  expect(unclear('ansible web -i inv', ['/srv'], false)).toBeUndefined();
  for (const source of ['ansible web -i /srv/inv', 'ansible web -i h1,', "ansible-playbook -i '~/inv' /srv/site.yml"])
    expect(unclear(source, [], false), source).toBeUndefined();
  for (const source of [
    'ansible web',
    'ansible web -i inv',
    'ansible-playbook -i /srv/inv site.yml',
    'ansible web -i h1, -l @x',
  ])
    expect(unclear(source, [], false), source).toMatch(/directory/);
  for (const directories of [['sub'], ['/a', '/b'], [{}]])
    expect(unclear('ansible web -i inv', directories, true)).toMatch(/directory/);
});

test('of a shell that nobody knows, the directory of a command is not known', () => {
  const reading = read(
    { command: 'ansible web -i inv -m copy' },
    { tool: 'anything', server: { name: 'sh', family: 'shell' } },
  );
  expect(reading.ansible?.[0]?.unclear).toMatch(/directory/);
});
