import { chmodSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type AnsibleNamesOptions, createAnsibleNames } from '../../src/ansible-hosts/index.js';
import type { AnsibleRun, Reading } from '../../src/domain/call.js';
import { verifies } from '../e2e/requirements.js';
import { directoryOf, type Tree } from './support.js';

const reading = (run: Partial<AnsibleRun>): Reading => ({
  interceptor: 'test',
  roles: {},
  operations: [],
  hosts: [],
  ansible: [{ inventories: [], argument: 'pattern', ...run }],
});

/** What a run means to a server that is started in a directory with these files. */
async function meant(
  run: Partial<AnsibleRun>,
  files: Tree,
  more: { env?: Record<string, string>; command?: string; args?: string[] } & Partial<AnsibleNamesOptions> = {},
): Promise<readonly string[] | undefined> {
  const cwd = directoryOf(files);
  const { env = {}, command = 'node', args = [], ...options } = more;
  const names = createAnsibleNames({
    startOf: () => ({
      command,
      args,
      cwd,
      env: Object.fromEntries(
        Object.entries({ HOME: '~', ...env }).map(([key, value]) => [key, value.replace('~', cwd)]),
      ),
    }),
    home: cwd,
    cwd,
    now: Date.now,
    mayRun: false,
    ...options,
    ...(options.snapshot !== undefined && {
      snapshot: { ...options.snapshot, file: join(cwd, options.snapshot.file) },
    }),
  });
  const found = await names(reading(run), { name: 's' }, new AbortController().signal);
  return found?.map(({ meaning }) =>
    meaning.kind === 'machines'
      ? meaning.machines
          .map(({ name, address }) => [name, ...(address === undefined ? [] : [address])].join(' '))
          .join()
      : meaning.kind === 'stop'
        ? `stop: ${meaning.why}`
        : meaning.kind,
  );
}

test(`${verifies('R-1')} the inventory is the one that ansible itself would take`, async () => {
  const files = {
    'ansible.cfg': '[defaults]\ninventory = inv/prod ; a comment\nforks = 5\n',
    'inv/prod': 'web1 ansible_host=10.0.0.1\n',
    'env-inv': 'web1 ansible_host=10.0.0.2\n',
    'other/ansible.cfg': '[defaults]\ninventory: ../named\n',
    named: 'web1 ansible_host=10.0.0.3\n',
    call: 'web1 ansible_host=10.0.0.4\n',
    '.ansible.cfg': '[defaults]\ninventory=home-inv\n',
    'home-inv': 'web1 ansible_host=10.0.0.5\n',
  };
  const run = { pattern: 'web1' };
  expect(await meant(run, files)).toEqual(['web1 10.0.0.1']);
  expect(await meant(run, files, { env: { ANSIBLE_INVENTORY: 'env-inv' } })).toEqual(['web1 10.0.0.2']);
  expect(await meant(run, files, { env: { ANSIBLE_CONFIG: 'other' } })).toEqual(['web1 10.0.0.3']);
  expect(await meant(run, files, { env: { ANSIBLE_CONFIG: '~/other/ansible.cfg' } })).toEqual(['web1 10.0.0.3']);
  expect(await meant({ ...run, inventories: ['call'] }, files)).toEqual(['web1 10.0.0.4']);
  expect(await meant({ ...run, inventories: ['web1,web2,'] }, files)).toEqual(['web1']);
  expect(await meant({ ...run, inventories: ['prod'], cwd: 'inv' }, files)).toEqual(['web1 10.0.0.1']);
  const { 'ansible.cfg': _, ...without } = files;
  expect(await meant(run, without)).toEqual(['web1 10.0.0.5']);
});

test('a configuration in a directory that anybody may write to does not count', async () => {
  const cwd = directoryOf({ 'ansible.cfg': '[defaults]\ninventory = evil\n', evil: 'web1 ansible_host=10.9.9.9\n' });
  chmodSync(cwd, 0o777);
  const names = createAnsibleNames({
    startOf: () => ({ command: 'node', args: [], cwd, env: {} }),
    home: '/nowhere',
    cwd,
    now: Date.now,
    mayRun: false,
  });
  expect(await names(reading({ pattern: 'web1' }), { name: 's' }, new AbortController().signal)).toMatchObject([
    { meaning: { kind: 'stop' } },
  ]);
});

const STOPS: readonly (readonly [what: string, files: Tree, env?: Record<string, string>])[] = [
  ['other plugins', { 'ansible.cfg': '[defaults]\ninventory=h\n[inventory]\nenable_plugins = ini\n', h: 'web1\n' }],
  ['another precedence', { 'ansible.cfg': '[defaults]\ninventory=h\nprecedence = groups_inventory\n', h: 'web1\n' }],
  [
    'a variable of another precedence',
    { 'ansible.cfg': '[defaults]\ninventory=h\n', h: 'web1\n' },
    { ANSIBLE_PRECEDENCE: 'x' },
  ],
  ['renamed groups', { 'ansible.cfg': '[defaults]\ninventory=h\nforce_valid_group_names=always\n', h: 'web1\n' }],
  ['a key that stands twice', { 'ansible.cfg': '[defaults]\ninventory=h\ninventory=i\n', h: 'web1\n' }],
  [
    'options of ssh that lead elsewhere',
    { 'ansible.cfg': '[defaults]\ninventory=h\n[ssh_connection]\nssh_args = -F /tmp/x\n', h: 'web1\n' },
  ],
  ...['scp_extra_args = -S /tmp/x', 'sftp_extra_args = -o HostName=far', 'scp_executable = /tmp/scp'].map(
    (line): (typeof STOPS)[number] => [
      `a setting of copies (${line})`,
      { 'ansible.cfg': `[defaults]\ninventory=h\n[ssh_connection]\n${line}\n`, h: 'web1\n' },
    ],
  ),
  ...[
    'ansible_paramiko_proxy_command="nc far 22"',
    'ansible_scp_extra_args="-o HostName=far"',
    'ansible_sftp_extra_args="-S /tmp/x"',
    'ansible_sftp_executable=/tmp/sftp',
    'ansible_ssh_common_args="-p 2222" ansible_port=22',
    'ansible_ssh_args="-o Port=2222" ansible_ssh_extra_args="-p 2223"',
    'ansible_ssh_args="-p x"',
  ].map((variables): (typeof STOPS)[number] => [
    `variables that may lead elsewhere (${variables})`,
    { 'ansible.cfg': '[defaults]\ninventory=h\n', h: `web1 ${variables}\n` },
  ]),
  ['an unknown connection', { 'ansible.cfg': '[defaults]\ninventory=h\ntransport = mine\n', h: 'web1\n' }],
  [
    'plugins of its own',
    { 'ansible.cfg': '[defaults]\ninventory=h\n', h: 'web1\n', '.ansible/plugins/inventory/x.py': '' },
  ],
  ['an inventory of the server', { 'ansible.cfg': '[defaults]\ninventory=h\n', h: 'web1\n' }, { MCP_INVENTORY: '/x' }],
  ['an inventory with a variable', { h: 'web1\n' }, { ANSIBLE_INVENTORY: '$HOME/h' }],
  ['another directory of variables', { 'ansible.cfg': '[defaults]\ninventory=h\nplaybook_dir=/x\n', h: 'web1\n' }],
  ['another port', { 'ansible.cfg': '[defaults]\ninventory=h\nremote_port = 2202\n', h: 'web1\n' }],
  ['no inventory', {}],
];

test.each(STOPS.map(([what, files, env = {}]) => ({ what, files, env })))('$what: a stop', async ({ files, env }) => {
  expect(await meant({ pattern: 'web1' }, files, { env })).toMatchObject([expect.stringMatching(/^stop: /)]);
});

test('a server that may run elsewhere sees other files', async () => {
  const files = {
    'ansible.cfg': '[defaults]\ninventory=h\n',
    h: 'web1\n',
    'bin/own': '#!/usr/bin/env node\n',
    'bin/shell': '#!/bin/sh\nssh x ansible-mcp\n',
  };
  const of = (command: string, run: Partial<AnsibleRun> = { pattern: 'web1' }) =>
    meant(run, files, { command, env: { PATH: '~/bin' } });
  for (const command of ['node', '/usr/bin/python3', 'uvx', 'bin/own', 'own'])
    expect(await of(command), command).toEqual(['web1']);
  for (const command of ['docker', 'ssh', 'wsl', 'bin/shell', 'shell', 'nothing', '/bin/sh'])
    expect(await of(command), command).toMatchObject([expect.stringMatching(/another machine/)]);
});

test(`${verifies('R-1')} of a server that this machine did not start a plain name may be a group’s: a stop that the operator’s entry for the name lifts`, async () => {
  const startOf = () => undefined;
  const names = createAnsibleNames({ startOf, home: '/', cwd: '/', now: Date.now, mayRun: false });
  const of = async (pattern: string) => {
    const found = await names(reading({ pattern }), { name: 's' }, new AbortController().signal);
    return found?.map(({ host, meaning }) => `${host.value} ${meaning.kind}`);
  };
  expect(await of('web1')).toEqual(['web1 stop']);
  expect(await of('web1,web2')).toEqual(['web1 stop', 'web2 stop']);
  expect(await of('web1:!web2')).toEqual([' stop']);
  for (const run of [
    { pattern: 'web*' },
    { pattern: 'web1', inventories: ['x'] },
    { pattern: 'web1', limit: 'x' },
    { playbooks: [{ path: 'x' }] },
  ])
    expect(await meant(run, {}, { startOf })).toMatchObject([expect.stringMatching(/^stop: /)]);
});

const SNAPSHOT = JSON.stringify({
  _meta: { hostvars: { web1: { ansible_host: '10.0.0.1', x: [1] }, web2: { ansible_host: '{{ x }}' } } },
  all: { children: ['ungrouped', 'web'] },
  web: { hosts: ['web1', 'web2'] },
});

test(`${verifies('R-4')} an operator's snapshot stands for a default inventory that cannot be read`, async () => {
  const files = {
    'ansible.cfg': '[defaults]\ninventory=aws.yml\n',
    'aws.yml': 'plugin: aws_ec2\n',
    'snap.json': SNAPSHOT,
  };
  const snapshot = { file: 'snap.json' };
  expect(await meant({ pattern: 'web1' }, files)).toMatchObject([expect.stringMatching(/plugin/)]);
  expect(await meant({ pattern: 'web1' }, files, { snapshot })).toEqual(['web1 10.0.0.1']);
  expect(await meant({ pattern: 'web2' }, files, { snapshot })).toMatchObject([expect.stringMatching(/template/)]);
  expect(await meant({ pattern: 'web[0]' }, files, { snapshot })).toEqual(['web1 10.0.0.1']);
  expect(await meant({ pattern: 'web1', inventories: ['aws.yml'] }, files, { snapshot })).toMatchObject([
    expect.stringMatching(/plugin/),
  ]);
  expect(await meant({ pattern: 'web1' }, files, { snapshot, startOf: () => undefined })).toEqual(['web1 10.0.0.1']);
});

test('a snapshot that is too old, is not there or has another shape is a stop', async () => {
  const files = { 'ansible.cfg': '[defaults]\ninventory=aws.yml\n', 'aws.yml': 'plugin: aws_ec2\n' };
  const of = (text: string, more: Partial<AnsibleNamesOptions> = {}) =>
    meant(
      { pattern: 'web1' },
      { ...files, 'snap.json': text },
      { snapshot: { file: 'snap.json', maxAgeMinutes: 10 }, ...more },
    );
  expect(await of(SNAPSHOT)).toEqual(['web1 10.0.0.1']);
  expect(await of(SNAPSHOT, { now: () => Date.now() + 11 * 60_000 })).toMatchObject([
    expect.stringMatching(/older than 10 min.*ansible-inventory --list/),
  ]);
  expect(await of(SNAPSHOT, { snapshot: { file: 'nothing' } })).toMatchObject([expect.stringMatching(/not there/)]);
  for (const text of [
    '',
    'web1',
    '[]',
    '{}',
    '{"_meta":{"hostvars":{"x":{}}}}',
    '{"_meta":{"hostvars":{}},"web":{"hosts":"web1"}}',
    '{"_meta":{"hostvars":{}},"web":{"hosts":["web1"],"vars":{"ansible_host":"x"}}}',
  ])
    expect(await of(text), text).toMatchObject([expect.stringMatching(/^stop: .*snapshot/)]);
});

test('ansible-inventory is run where the operator allows it, and only where an inventory is a program', async () => {
  const bin = directoryOf({
    'ansible-inventory!': `#!/bin/sh\necho "$@" > "$(dirname "$0")/args"\ncat <<'END'\n${SNAPSHOT}\nEND\n`,
  });
  const env = { PATH: `${bin}:${process.env['PATH']}` };
  const files = { 'inv!': '#!/bin/sh\n', plain: 'web1 ansible_host=10.0.0.7\n' };
  expect(await meant({ pattern: 'web1', inventories: ['inv'] }, files, { env, mayRun: true })).toEqual([
    'web1 10.0.0.1',
  ]);
  expect(await meant({ pattern: 'web1', inventories: ['inv'] }, files, { env })).toMatchObject([
    expect.stringMatching(/program/),
  ]);
  expect(await meant({ pattern: 'web1', inventories: ['plain'] }, files, { env, mayRun: true })).toEqual([
    'web1 10.0.0.7',
  ]);
  writeFileSync(join(bin, 'ansible-inventory'), '#!/bin/sh\nexit 3\n');
  expect(await meant({ pattern: 'web1', inventories: ['inv'] }, files, { env, mayRun: true })).toMatchObject([
    expect.stringMatching(/did not list/),
  ]);
});

test('every reading is of this moment', async () => {
  const cwd = directoryOf({ h: 'web1 ansible_host=10.0.0.1\n' });
  const names = createAnsibleNames({
    startOf: () => ({ command: 'node', args: [], cwd, env: {} }),
    home: cwd,
    cwd,
    now: Date.now,
    mayRun: false,
  });
  const addresses = async () =>
    (await names(reading({ pattern: 'web1', inventories: ['h'] }), { name: 's' }, new AbortController().signal))?.map(
      ({ meaning }) => (meaning.kind === 'machines' ? meaning.machines : []),
    );
  const before = await addresses();
  writeFileSync(join(cwd, 'h'), 'web1 ansible_host=10.0.0.2\n');
  utimesSync(join(cwd, 'h'), 1, 1);
  expect([before, await addresses()]).toEqual([
    [[{ name: 'web1', address: '10.0.0.1' }]],
    [[{ name: 'web1', address: '10.0.0.2' }]],
  ]);
});

test('hosts that commands reach beside the run stay in the call', async () => {
  const cwd = directoryOf({ h: 'web1\n' });
  const names = createAnsibleNames({
    startOf: () => ({ command: 'node', args: [], cwd, env: {} }),
    home: cwd,
    cwd,
    now: Date.now,
    mayRun: false,
  });
  const values = async (argument: string, hosts: Reading['hosts']) => {
    const run = { inventories: ['h'], pattern: 'web1', argument };
    const found = await names({ ...reading({}), ansible: [run], hosts }, { name: 's' }, new AbortController().signal);
    return found?.map(({ host, meaning }) => `${host.value} ${meaning.kind}`);
  };
  const unknown = { value: '', argument: '', client: 'other' } as const;
  const db1 = { value: 'db1', argument: '', client: 'ssh' } as const;
  const here = { value: 'localhost', argument: '' };
  // On a command line: what is reached and not known is the run's own.
  expect(await values('', [unknown, db1, here])).toEqual(['web1 machines', 'db1 as_written', 'localhost as_written']);
  // In a tool of ansible's: its hosts reach others.
  expect(await values('hosts', [{ value: 'web1', argument: 'hosts' }])).toEqual(['web1 machines']);
  expect(await values('hosts', [unknown, db1])).toEqual(['web1 machines', ' as_written', 'db1 as_written']);
});

test('the operator’s own entry for a name may stand only where the inventory alone is not known', async () => {
  const cwd = directoryOf({ 'inv!': '' });
  const names = createAnsibleNames({
    startOf: () => ({ command: 'node', args: [], cwd, env: {} }),
    home: cwd,
    cwd,
    now: Date.now,
    mayRun: false,
  });
  const shown = async (run: Partial<AnsibleRun>) => {
    const found = await names(reading({ inventories: ['inv'], ...run }), { name: 's' }, new AbortController().signal);
    return found?.map(({ host, meaning }) => `${meaning.kind} ${host.value}`);
  };
  expect(await shown({ pattern: 'web1' })).toEqual(['stop web1']);
  for (const run of [
    { pattern: 'web1', unclear: 'x' },
    { pattern: 'web1', extraVars: [{ ansible_host: 'x' }] },
    { pattern: 'web1', connection: 'local' },
    { pattern: 'web*' },
    { playbooks: [{ path: 'x' }], limit: 'web1' },
  ])
    expect(await shown(run), JSON.stringify(run)).toEqual(['stop ']);
});

test('a name goes where the configuration of ssh leads it', async () => {
  const cwd = directoryOf({
    h: 'web1\nweb2 ansible_host=alias\nweb3 ansible_connection=winrm\nweb4 ansible_port=99\nodd\n',
  });
  const names = createAnsibleNames({
    startOf: () => ({ command: 'node', args: [], cwd, env: {} }),
    ssh: async (host) =>
      host === 'odd'
        ? { kind: 'stop', why: 'it depends', found: [] }
        : { kind: 'machines', machines: [{ name: host, address: `${host}.example.com`, port: 22, via: ['jump'] }] },
    home: cwd,
    cwd,
    now: Date.now,
    mayRun: false,
  });
  const of = async (pattern: string) => {
    const found = await names(reading({ inventories: ['h'], pattern }), { name: 's' }, new AbortController().signal);
    return found?.map(({ meaning }) => (meaning.kind === 'machines' ? meaning.machines[0] : meaning));
  };
  expect(await of('web*')).toEqual([
    { name: 'web1', address: 'web1.example.com', port: 22, via: ['jump'] },
    { name: 'web2', address: 'alias.example.com', port: 22, via: ['jump'] },
    { name: 'web3' },
    { name: 'web4', address: 'web4.example.com', port: 99, via: ['jump'] },
  ]);
  expect(await of('odd')).toMatchObject([{ kind: 'stop', why: expect.stringMatching(/it depends/) }]);
});

test('a port in the options of ssh is the port of the machine: behind one address each may be another one', async () => {
  const cwd = directoryOf({
    'ansible.cfg': '[defaults]\ninventory=h\n',
    h: 'a ansible_host=10.0.0.1 ansible_ssh_common_args="-p 2201"\nb ansible_host=10.0.0.1 ansible_ssh_args="-o Port=2202"\nc ansible_host=10.0.0.1 ansible_port=2203 ansible_ssh_extra_args="-p 2203"\n',
  });
  const startOf = () => ({ command: 'node', args: [], cwd, env: { HOME: cwd } });
  const names = createAnsibleNames({ startOf, home: cwd, cwd, now: Date.now, mayRun: false });
  const found = await names(reading({ pattern: 'all' }), { name: 's' }, new AbortController().signal);
  const machines = found?.flatMap(({ meaning }) => (meaning.kind === 'machines' ? meaning.machines : []));
  expect(machines?.map(({ name, port }) => `${name} ${port}`).sort()).toEqual(['a 2201', 'b 2202', 'c 2203']);
});

test.runIf(process.platform !== 'win32')(
  'the file of a limit is the one that its path leads to, behind links too',
  async () => {
    const cwd = directoryOf({
      'ansible.cfg': '[defaults]\ninventory=h\n',
      h: 'web1\nweb2\n',
      f: 'web1\n',
      'deep/f': 'web2\n',
      'deep/down/x': '',
    });
    symlinkSync(join(cwd, 'deep', 'down'), join(cwd, 'link'));
    const startOf = () => ({ command: 'node', args: [], cwd, env: { HOME: cwd } });
    const names = createAnsibleNames({ startOf, home: cwd, cwd, now: Date.now, mayRun: false });
    const of = async (limit: string) => {
      const found = await names(reading({ pattern: 'all', limit }), { name: 's' }, new AbortController().signal);
      return found?.map(({ host }) => host.value);
    };
    expect(await of('@link/../f')).toEqual(['web2']);
    expect(await of(`@${cwd}/link/../f`)).toEqual(['web2']);
    expect(await of('@deep/../f')).toEqual(['web1']);
    expect(await of('@f')).toEqual(['web1']);
  },
);
