import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/commands/context.js';
import { explainCommand } from '../../src/commands/explain.js';
import type { Explanation } from '../../src/explain.js';
import { directory, load } from '../config/support.js';

const SERVERS = {
  ssh: { command: 'npx', args: ['-y', 'ssh-mcp@2.11.0'] },
  ansible: { command: 'node', args: ['server.js'], family: 'ansible' },
  one: { command: 'node', args: ['server.js'], target: 'app01' },
};
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

async function explain(args: readonly string[], settings: object = {}) {
  const home = await directory();
  const out = { stdout: '', stderr: '' };
  const sink = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      out[name] += text;
      return true;
    },
  });
  const content = { zvm: 'simulator', mcpServers: SERVERS, targets: { web: 'web01', shop: 'db01' }, ...settings };
  const context = {
    io: { stdout: sink('stdout'), stderr: sink('stderr') } as unknown as Context['io'],
    options: { logLevel: 'silent' },
    signal: new AbortController().signal,
    surroundings: { env: { XDG_STATE_HOME: home }, platform: 'linux', home },
    log: silent,
    config: () => load(content),
    version: async () => '1',
  } satisfies Context;
  const code = await explainCommand(args, context);
  return { code, ...out, home };
}

async function json(server: string, tool: string, args: object, settings?: object): Promise<Explanation> {
  const { stdout, code } = await explain(
    ['--server', server, '--tool', tool, '--args', JSON.stringify(args), '--json'],
    settings,
  );
  expect(code).toBe(0);
  return JSON.parse(stdout) as Explanation;
}

test('a call that only reads is forwarded, and its host is not looked up', async () => {
  expect(await json('ssh', 'run-command', { command: 'uptime', profile: 'nowhere' })).toEqual({
    effect: 'read_only',
    findings: [{ subject: 'uptime', effect: 'read_only', why: expect.any(String) }],
    targets: [{ host: 'nowhere' }],
    decision: 'forward',
  });
});

test('a call that changes something names its VM, its VPGs and the pin', async () => {
  const { effect, targets, decision } = await json('ssh', 'run-command', { command: 'reboot', profile: 'shop' });
  expect({ effect, decision }).toEqual({ effect: 'mutating', decision: 'pin_then_forward' });
  expect(targets).toEqual([
    { host: 'shop', vm: 'db01', vmIdentifier: expect.any(String), vpgs: ['db-local', 'db-dr'] },
  ]);
});

test('without an appliance it says that this is why', async () => {
  const args = ['--server', 'ssh', '--tool', 'run-command', '--args', '{"command":"reboot","profile":"shop"}'];
  const { stdout, stderr } = await explain(args, { zvm: undefined });
  expect(stderr).toContain('zerto-rewind-proxy setup');
  expect(stdout).toMatch(/^host "shop": unresolved: no Zerto appliance is connected, so no VM is known/m);
  expect(stdout).toMatch(/^decision refuse: .*no Zerto appliance is connected/m);
});

test('the catalogue knows the tools of a package that the config starts', async () => {
  const read = await json('ssh', 'sftp-list', { remotePath: '/etc', profile: 'app01' });
  expect(read).toMatchObject({ effect: 'read_only', decision: 'forward' });
  expect(await json('one', 'sftp-list', { remotePath: '/etc' })).toMatchObject({ effect: 'unknown' });
});

test('a tool is known from its server’s own list', async () => {
  const file = join(await directory(), 'tools.json');
  const tool = { name: 'sftp-list', inputSchema: { properties: { remotePath: {}, maxEntries: {}, profile: {} } } };
  writeFileSync(
    file,
    JSON.stringify({ result: { tools: [tool] }, serverInfo: { name: 'SSH MCP Server', version: '1' } }),
  );
  const args = ['--server=one', '--tool=sftp-list', '--args={"remotePath":"/etc"}', `--tools=${file}`, '--json'];
  expect(JSON.parse((await explain(args)).stdout)).toMatchObject({ effect: 'read_only' });
  writeFileSync(
    file,
    JSON.stringify({ tools: [{ ...tool, inputSchema: { properties: { remotePath: {}, force: {} } } }] }),
  );
  expect(JSON.parse((await explain(args)).stdout)).toMatchObject({ effect: 'unknown' });
});

describe('every host is listed', () => {
  test('those that resolve, those that do not, and two names of one VM', async () => {
    const { targets, decision } = await json('ssh', 'exec', {
      hosts: ['web', 'web01', 'lab01', 'nowhere'],
      command: 'reboot',
    });
    expect(targets.map(({ host, vm, problem }) => [host, vm, problem?.split(':')[0]])).toEqual([
      ['web', 'web01', undefined],
      ['web01', 'web01', undefined],
      ['lab01', undefined, 'unprotected'],
      ['nowhere', undefined, 'unresolved'],
    ]);
    expect(decision).toBe('ask');
  });

  test.each([
    ['a playbook that is a file', 'ansible', 'run', { playbook: 'site.yml' }],
    ['a pattern', 'ansible', 'run', { pattern: 'web*', module: 'reboot' }],
    ['all hosts', 'ansible', 'run', { hosts: 'all', module: 'reboot' }],
    ['a group', 'ssh', 'exec', { group: 'web', command: 'reboot' }],
    ['no host at all, where more than one VM is known', 'ssh', 'run-command', { command: 'reboot' }],
  ])('%s: nobody pins the wrong VM', async (_, server, tool, args) => {
    const { targets, decision } = await json(server, tool, args, { targets: { a: 'app01', b: 'db01' } });
    expect(['ask', 'refuse']).toContain(decision);
    expect(targets.length).toBeGreaterThan(0);
    expect(targets.every(({ problem }) => problem !== undefined)).toBe(true);
  });

  test('a server that serves one VM reaches that one', async () => {
    const { targets, decision } = await json('one', 'exec', { command: 'reboot' });
    expect(targets).toMatchObject([{ vm: 'app01' }]);
    expect(decision).toBe('pin_then_forward');
  });
});

test('a host that the call does not name is said to come from the config', async () => {
  const args = ['--server', 'ssh', '--tool', 'run-command', '--args', '{"command":"reboot"}'];
  const only = { targets: { shop: 'db01' } };
  const told = await explain(args, only);
  expect(told.stdout).toContain(
    'host "db01" (not named by the call: the only VM of "targets" in the config): VM "db01"',
  );
  const { stdout, stderr } = await explain([...args, '--json'], only);
  const { targets, decision } = JSON.parse(stdout) as Explanation;
  expect(decision).toBe('pin_then_forward');
  expect(targets.map((target) => Object.keys(target))).toEqual([['host', 'vm', 'vmIdentifier', 'vpgs']]);
  expect(stderr).toContain('The call names no host; "db01" is the only VM of "targets" in the config.');
});

test('without an appliance nothing is pinned, and every host says that it was not found', async () => {
  const { decision, targets } = await json(
    'ssh',
    'run-command',
    { command: 'reboot', profile: 'app01' },
    { zvm: undefined },
  );
  expect(decision).toBe('refuse');
  expect(targets).toMatchObject([{ host: 'app01', problem: expect.stringContaining('unresolved') }]);
});

test('an appliance that does not answer is a problem of the host, and the call is refused', async () => {
  const zvm = {
    sites: [
      {
        name: 'a',
        url: 'https://127.0.0.1:1',
        auth: { grant: 'password', username: 'u', password: 'p' },
        tls: { verify: false },
      },
    ],
  };
  const { decision, targets } = await json('ssh', 'run-command', { command: 'reboot', profile: 'app01' }, { zvm });
  expect(decision).toBe('refuse');
  expect(targets).toMatchObject([{ host: 'app01', problem: expect.stringContaining('could not be looked up') }]);
});

test('an operator’s rule holds here too', async () => {
  const classifier = {
    tools: {
      frob: {
        roles: { what: 'option' },
        effect: 'read_only',
        why: 'looks',
        examples: [{ arguments: { what: 'x' }, effect: 'read_only' }],
      },
    },
  };
  expect(await json('one', 'frob', { what: 'x' }, { classifier })).toMatchObject({ effect: 'read_only' });
});

test('nothing is recorded', async () => {
  const { home } = await explain([
    '--server',
    'ssh',
    '--tool',
    'run-command',
    '--args',
    '{"command":"reboot","profile":"app01"}',
  ]);
  expect(existsSync(join(home, 'zerto-rewind-proxy', 'audit'))).toBe(false);
});

test('people read one line per part and host, with what came from outside in quotes', async () => {
  const { stdout } = await explain([
    '--server',
    'ssh',
    '--tool',
    'exec',
    '--args',
    '{"command":"reboot","host":"a\\u202eb"}',
  ]);
  expect(stdout).toContain('effect mutating\n');
  expect(stdout).toContain('"reboot"');
  expect(stdout).toContain('host "a\\u202eb": unresolved');
  expect(stdout).toContain('decision ask\n');
});

test.each([
  [[]],
  [['--server', 'ssh']],
  [['--tool', 'x']],
  [['--server', 'ssh', '--tool']],
  [['--server', 'ssh', '--tool', 'x', '--args', 'no json']],
  [['--server', 'ssh', '--tool', 'x', '--args', '[1]']],
  [['--server', 'ssh', '--server', 'ssh', '--tool', 'x']],
  [['--server', 'ssh', '--tool', 'x', '--frob']],
  [['uptime']],
])('%j is a wrong call', async (args) => {
  const { code, stderr, stdout } = await explain(args);
  expect(code).toBe(2);
  expect(stderr).toContain('usage: zerto-rewind-proxy explain');
  expect(stdout).toBe('');
});

test('a module of ansible is judged and its hosts are listed', async () => {
  expect(await json('ansible', 'adhoc', { hosts: 'app01', module: 'ping' })).toMatchObject({
    effect: 'read_only',
    decision: 'forward',
  });
  expect(
    await json('ansible', 'adhoc', {
      hosts: 'app01',
      inventory: 'app01,',
      module: 'service',
      args: 'name=x state=restarted',
    }),
  ).toMatchObject({
    effect: 'mutating',
    targets: [{ vm: 'app01' }],
    decision: 'pin_then_forward',
  });
});

test('every host is listed: the members of a group by the server’s own configuration, and what a command reaches out to', async () => {
  const place = await directory();
  mkdirSync(join(place, 'node_modules', 'mcp-ssh-manager', 'src'), { recursive: true });
  const script = join(place, 'node_modules', 'mcp-ssh-manager', 'src', 'index.js');
  writeFileSync(script, '');
  const hosts = { A: '10.20.0.21', B: '10.20.0.22', C: '10.20.0.99' };
  const env = Object.fromEntries(
    Object.entries(hosts).flatMap(([name, host]) => [
      [`SSH_SERVER_${name}_HOST`, host],
      [`SSH_SERVER_${name}_GROUP`, 'web'],
    ]),
  );
  const manager = {
    command: 'node',
    args: [script],
    env: { ...env, HOME: place, SSH_MANAGER_HOME: place },
    cwd: place,
  };
  const settings = { mcpServers: { manager }, targets: { a: 'web01', b: 'web02' } };
  const group = await json('manager', 'ssh_execute_group', { group: 'web', command: 'rm x' }, settings);
  expect(group.targets.map(({ host, vm, problem }) => [host, vm ?? problem])).toEqual([
    ['a', 'web01'],
    ['b', 'web02'],
    ['c', expect.stringContaining('10.20.0.99')],
  ]);
  const inside = { server: 'a', command: 'ssh db01 rm x; ssh nowhere rm y' };
  const reached = await json('manager', 'ssh_execute', inside, settings);
  expect(reached.targets.map(({ host, vm, problem }) => [host, vm ?? problem])).toEqual([
    ['a', 'web01'],
    ['db01', 'db01'],
    ['nowhere', expect.stringMatching(/^unresolved/)],
  ]);
  expect(reached.decision).toBe('ask');
  const unknown = await json('manager', 'ssh_execute', { server: 'zzz', command: 'rm x' }, settings);
  expect(unknown.targets).toEqual([
    { host: 'zzz', problem: expect.stringMatching(/^unresolved: .*no server of this name; a; b; c$/) },
  ]);
});
