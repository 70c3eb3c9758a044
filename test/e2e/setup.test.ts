import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/config/load.js';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { BIN } from '../support/proxy-process.js';
import { atTerminal, HAS_TERMINAL } from '../support/terminal.js';

let world: World;
let simulator: Simulator;

beforeAll(async () => {
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: [{ name: 'app01', addresses: ['10.0.0.5'] }, { name: 'web\u202e01' }, { name: 'lab01' }],
    vpgs: [{ name: 'app', vms: ['app01', 'web\u202e01'] }],
  });
  simulator = await startSimulator({ world });
});
afterAll(async () => {
  await simulator.close();
  world.close();
});

function place(existing?: object) {
  const dir = mkdtempSync(join(tmpdir(), 'setup-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  mkdirSync(join(dir, 'ssh-mcp'));
  writeFileSync(join(dir, 'ssh-mcp', 'config.toml'), '[[profiles]]\nname = "app"\nhost = "10.0.0.5"\nuser = "u"\n');
  const file = join(dir, 'conf', 'proxy.config.json');
  if (existing !== undefined) {
    mkdirSync(join(dir, 'conf'));
    writeFileSync(file, `// kept\n${JSON.stringify(existing)}`, { mode: 0o644 });
  }
  const env = { XDG_STATE_HOME: dir, XDG_CONFIG_HOME: dir, HOME: dir, ZVM_TEST_PASSWORD: simulator.password };
  return { dir, file, env };
}

async function setup({ file, env }: ReturnType<typeof place>, args: readonly string[]) {
  const child = spawn(process.execPath, [BIN, '--log-level', 'error', '--config', file, 'setup', ...args], {
    env: { ...process.env, ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.end();
  const status = await new Promise((resolve) => child.once('close', resolve));
  return { status, stdout, stderr };
}

const LOGIN = ['--user', 'rewind', '--password-env', 'ZVM_TEST_PASSWORD'];

test('for scripts: a config that loads, 0600, without the secret, and coverage at the end', async () => {
  const here = place();
  const { status, stdout, stderr } = await setup(here, [
    '--url',
    simulator.url,
    ...LOGIN,
    '--fingerprint',
    simulator.fingerprint256,
  ]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain(simulator.fingerprint256);
  expect(stdout).toMatch(/2 protected VMs, 1 unprotected:\n {2}"app01" in "app"\n {2}"web\\u202e01" in "app"/);
  expect(stdout).toContain('No host is known by name');
  const text = readFileSync(here.file, 'utf8');
  expect(text).not.toContain(simulator.password);
  if (process.platform !== 'win32') expect(statSync(here.file).mode & 0o777).toBe(0o600);
  const config = await loadConfig({ file: here.file, env: here.env, platform: process.platform, home: here.dir });
  expect(config.zvm).toMatchObject({
    sites: [{ url: simulator.url, tls: { kind: 'fingerprint', fingerprint256: simulator.fingerprint256 } }],
  });
});

test('a config that is there: kept beside, changed only on --yes; hosts of its servers become targets', async () => {
  const here = place({ mcpServers: { ssh: { command: 'npx', args: ['-y', 'ssh-mcp@2.11.0'] } } });
  const before = readFileSync(here.file, 'utf8');
  const args = ['--url', simulator.url, ...LOGIN, '--fingerprint', simulator.fingerprint256];
  const refused = await setup(here, args);
  expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('--yes') });
  expect(readFileSync(here.file, 'utf8')).toBe(before);
  const { status, stdout } = await setup(here, [...args, '--yes']);
  expect(status).toBe(0);
  const after = readFileSync(here.file, 'utf8');
  expect(after).toMatch(/^\/\/ kept\n/);
  expect(JSON.parse(after.slice(8)).targets).toEqual({ app: 'app01' });
  const backup = readdirSync(join(here.file, '..')).find((name) => name.endsWith('.bak'));
  expect(readFileSync(join(here.file, '..', backup ?? ''), 'utf8')).toBe(before);
  expect(stdout).toContain('All 2 can be rewound.');
});

test.each([
  ['another fingerprint', ['--fingerprint', `${'AA:'.repeat(31)}AA`], 1, 'another certificate'],
  ['a certificate that nobody vouches for', [], 2, '--fingerprint'],
])('%s: nothing is written', async (_, args, code, says) => {
  const here = place();
  const { status, stderr } = await setup(here, ['--url', simulator.url, ...LOGIN, ...args]);
  expect(status).toBe(code);
  expect(stderr).toContain(says);
  expect(existsSync(here.file)).toBe(false);
});

test('a wrong password, an appliance that does not answer, and missing options', async () => {
  const here = place();
  const trust = ['--fingerprint', simulator.fingerprint256];
  const wrong = await setup({ ...here, env: { ...here.env, ZVM_TEST_PASSWORD: 'nope-nope' } }, [
    '--url',
    simulator.url,
    ...LOGIN,
    ...trust,
  ]);
  expect(wrong).toMatchObject({ status: 1, stderr: expect.stringContaining('401') });
  expect(wrong.stdout + wrong.stderr).not.toContain('nope-nope');
  expect(await setup(here, ['--url', 'https://127.0.0.1:1', ...LOGIN])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('does not answer'),
  });
  for (const args of [
    [],
    ['--url', 'http://zvm'],
    ['--url', 'https://u:p@zvm'],
    ['--frob'],
    ['--password-env', 'A', '--password-file', 'B'],
    ['--fingerprint', 'AA:BB:…'],
    ['--url', simulator.url, '--user', 'rewind', '--password-env', 'ZVM_NOT_SET', ...trust],
  ])
    expect((await setup(here, args)).status).toBe(2);
  expect(existsSync(here.file)).toBe(false);
});

test.runIf(HAS_TERMINAL)(
  'at a terminal: asks, does not show the password, and writes it into a file of its own',
  async () => {
    const here = place();
    const { status, screen } = await atTerminal(['--log-level', 'error', '--config', here.file, 'setup'], here.env, [
      [/Address of the Zerto appliance/, simulator.url],
      [/to be pinned\? \[y\/N\]/, 'y'],
      [/User/, simulator.user],
      [/Password \(not shown\)/, simulator.password],
    ]);
    expect(status).toBe(0);
    expect(screen).toContain('Wrote');
    expect(screen).not.toContain(simulator.password);
    const secret = join(here.file, '..', 'zvm.password');
    expect(readFileSync(secret, 'utf8')).toBe(`${simulator.password}\n`);
    expect(statSync(secret).mode & 0o777).toBe(0o600);
    const { zvm } = await loadConfig({ file: here.file, env: {}, platform: process.platform, home: here.dir });
    expect(zvm).toMatchObject({ sites: [{ auth: { username: simulator.user } }] });
  },
);

test.runIf(HAS_TERMINAL)('at a terminal: a no to the fingerprint writes nothing', async () => {
  const here = place();
  const { status } = await atTerminal(['--config', here.file, 'setup', '--url', simulator.url], here.env, [
    [/to be pinned\?/, 'n'],
  ]);
  expect(status).toBe(1);
  expect(existsSync(join(here.file, '..'))).toBe(false);
});
