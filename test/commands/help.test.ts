import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BIN } from '../support/proxy-process.js';

function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), 'rewind-help-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** In a home of its own, with no config file. */
function run(...args: string[]) {
  const home = scratch();
  const env = { ...process.env, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, TMPDIR: home, ZERTO_REWIND_CONFIG: '' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], { encoding: 'utf8', env, input: '' });
  return { status, stdout, stderr, home, left: readdirSync(home) };
}

const COMMANDS = [
  'completion',
  'approve',
  'breakglass',
  'coverage',
  'doctor',
  'setup',
  'serve',
  'audit',
  'classify',
  'demo',
  'drill',
  'explain',
  'export',
  'hook',
  'install',
  'recover',
  'rewind',
  'simulator',
  'status',
  'uninstall',
];

test.each([
  ...COMMANDS.map((name) => [name, '--help']),
  ['serve', '-h'],
  ['help', 'recover'],
  ['audit', 'list', '--help'],
  ['simulator', '--port', '0', '--help'],
])('%s %s: the usage, and nothing else happens', (...args) => {
  const { status, stdout, stderr, left } = run(...args);
  const name = COMMANDS.find((each) => args.includes(each)) ?? '';
  expect({ status, stderr, left }).toEqual({ status: 0, stderr: '', left: [] });
  expect(stdout).toMatch(new RegExp(`^usage: zerto-rewind-proxy .*\\b${name}\\b`));
});

test('help alone is that of the program', () => {
  const { status, stdout, left } = run('help');
  expect({ status, left }).toEqual({ status: 0, left: [] });
  expect(stdout).toBe(run('--help').stdout);
  expect(stdout).toContain('usage:');
});

test('a command that nobody promised is none', () => {
  expect(run('frob\u202e')).toMatchObject({ status: 2, stderr: expect.stringContaining('no command "frob\\u202e"') });
  expect(run('help', 'frob')).toMatchObject({ status: 2 });
});

test.each([[['--server', 'ssh']], [[]]])(
  'without a config %j names the path that was looked for, and --help',
  (args) => {
    const { status, stderr, home } = run(...args);
    expect(status).toBe(2);
    expect(stderr).toContain(join(home, 'zerto-rewind-proxy', 'proxy.config.json'));
    expect(stderr).toContain('--help');
  },
);

test('a server on the command line starts without a config, and a warning says what that means', () => {
  const { status, stderr, home } = run('--as', 'ssh', '--', process.execPath, '-e', '0');
  expect(status).toBe(0);
  const line = stderr.split('\n').find((each) => each.includes('there is no config file'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({
    level: 'warn',
    file: join(home, 'zerto-rewind-proxy', 'proxy.config.json'),
    msg: expect.stringContaining('setup'),
  });
});

test('a downstream that cannot be started is a warning with its command and what to do', () => {
  const { status, stderr } = run('--', 'no-such-program-1');
  expect(status).toBe(127);
  const line = stderr.split('\n').find((each) => each.includes('cannot be started'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({
    level: 'warn',
    command: 'no-such-program-1',
    msg: expect.stringContaining('correct its command'),
  });
  expect(stderr).not.toContain('the downstream ended');
});

test('a reader that leaves ends a command quietly', async () => {
  const child = spawn(process.execPath, [BIN, 'classify', '--jsonl'], { stdio: ['pipe', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdin.on('error', () => undefined);
  child.stdout.once('data', () => child.stdout.destroy());
  child.stdin.end('{"shell":"bash","command":"ls"}\n'.repeat(20_000));
  const code = await new Promise((resolve) => child.once('exit', resolve));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test('the demo runs on the embedded appliance alone', () => {
  expect(run('demo', 'now')).toMatchObject({ status: 2, stdout: '', left: [] });
  const dir = scratch();
  const file = join(dir, 'config.json');
  spawnSync(process.execPath, [
    '-e',
    `require('fs').writeFileSync(${JSON.stringify(file)}, '{"mcpServers":{"ssh":{}}}')`,
  ]);
  expect(run('--config', file, 'demo')).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining('"zvm": "simulator"'),
    left: [],
  });
});

test('no text sends a reader to a command that does not exist', () => {
  const files = [
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    ...below('docs', '.md'),
    ...below('skills', '.md'),
    ...below('src', '.ts'),
  ];
  const named = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/["`$] ?zerto-rewind-proxy (?:--config \S+ )?([a-z]+)/g)].map(
      ([, name = '']) => name,
    ),
  );
  expect(named).toContain('audit');
  expect([...new Set(named)].filter((name) => name !== 'help' && !COMMANDS.includes(name))).toEqual([]);
});

function below(dir: string, ending: string): readonly string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(dir, name));
}
