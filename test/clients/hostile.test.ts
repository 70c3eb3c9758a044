import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { carryOut, planInstall } from '../../src/clients/install.js';
import { jsonOf, textOf } from '../../src/commands/install-text.js';
import { verifies } from '../e2e/requirements.js';
import { at, bench, placeAt, scratch, WRAPPER } from './bench.js';

const CONFIG = '{"mcpServers":{"ssh":{"command":"ssh-mcp","args":["a"]}}}';
const ALL = { clients: [], only: [] };
const onUnix = describe.skipIf(process.platform === 'win32');

onUnix('links and modes', () => {
  test(`${verifies('F-4')} through links the file behind them is written, with its mode, and the links stay`, async () => {
    const dir = scratch();
    mkdirSync(join(dir, 'dotfiles'));
    const target = join(dir, 'dotfiles', 'mcp.json');
    writeFileSync(target, CONFIG);
    chmodSync(target, 0o604);
    symlinkSync(join('dotfiles', 'mcp.json'), join(dir, 'inner'));
    symlinkSync(join(dir, 'inner'), join(dir, 'outer'));
    const { install, uninstall } = at([placeAt(join(dir, 'outer'))], join(dir, 'state'));
    await install();
    expect(readFileSync(target, 'utf8')).toContain(WRAPPER.program);
    expect(statSync(target).mode & 0o777).toBe(0o604);
    expect([readlinkSync(join(dir, 'inner')), readlinkSync(join(dir, 'outer'))]).toEqual([
      join('dotfiles', 'mcp.json'),
      join(dir, 'inner'),
    ]);
    expect(readdirSync(join(dir, 'dotfiles'))).toEqual(['mcp.json']);
    await uninstall();
    expect(readFileSync(target, 'utf8')).toBe(CONFIG);
    expect(lstatSync(join(dir, 'outer')).isSymbolicLink()).toBe(true);
  });

  test('two clients that share a file by a link have it edited once', async () => {
    const dir = scratch();
    writeFileSync(join(dir, 'a'), CONFIG);
    symlinkSync(join(dir, 'a'), join(dir, 'b'));
    const places = [placeAt(join(dir, 'a')), placeAt(join(dir, 'b'), 'mcpServers', 'windsurf')] as const;
    const { install, copies, read } = at([...places], join(dir, 'state'));
    const done = await install();
    expect(done.map(({ plan }) => plan.file.places.map(({ client }) => client))).toEqual([['cursor', 'windsurf']]);
    expect(copies()).toHaveLength(1);
    expect(read().toString().split(WRAPPER.program)).toHaveLength(2);
  });

  test('two clients that share a file have each its own servers', async () => {
    const dir = scratch();
    writeFileSync(join(dir, 'a'), '{"servers":{"ssh":{"command":"a"}},"mcpServers":{"ssh":{"command":"b"}}}');
    const { install } = at([placeAt(join(dir, 'a'), 'servers'), placeAt(join(dir, 'a'))], join(dir, 'state'));
    const [done] = await install();
    expect(done?.plan.changes.map(({ entry }) => entry.path[0])).toEqual(['servers', 'mcpServers']);
  });

  test.each([
    ['a link in a circle', (file: string) => symlinkSync(file, file), 'cannot be read (ELOOP)'],
    ['a link to nothing', (file: string) => symlinkSync(`${file}.gone`, file), 'leads nowhere'],
    ['a directory', (file: string) => mkdirSync(file), 'no file'],
    ['a pipe', (file: string) => spawnSync('mkfifo', [file]), 'no file'],
  ])('%s is reported and left alone', async (_, make, why) => {
    const dir = scratch();
    const file = join(dir, 'config');
    make(file);
    const { install } = at([placeAt(file)], join(dir, 'state'));
    expect((await install())[0]?.plan.file.problem?.message).toContain(why);
    expect(existsSync(join(dir, 'state'))).toBe(false);
  });

  test('a read-only file is left alone, and nothing is left beside it', async () => {
    const { file, read, install } = bench(CONFIG);
    chmodSync(file, 0o444);
    expect((await install())[0]?.problem).toContain('read-only');
    expect(read().toString()).toBe(CONFIG);
    expect(readdirSync(join(file, '..')).sort()).toEqual(['config', 'state']);
  });

  test('without a copy nothing is written', async () => {
    const dir = scratch();
    writeFileSync(join(dir, 'config'), CONFIG);
    writeFileSync(join(dir, 'state'), 'no directory');
    const { read, install } = at([placeAt(join(dir, 'config'))], join(dir, 'state'));
    expect((await install())[0]?.problem).toContain('no copy');
    expect(read().toString()).toBe(CONFIG);
  });
});

test('a file that was changed after it was read is left alone', async () => {
  const { file, setting, read } = bench(CONFIG);
  const [plan] = await planInstall(setting, ALL);
  if (plan === undefined) throw new Error('no plan');
  const other = CONFIG.replace('"a"', '"b"');
  writeFileSync(file, other);
  expect((await carryOut(setting, plan)).problem).toContain('changed meanwhile');
  expect(read().toString()).toBe(other);
  expect(readdirSync(join(file, '..')).sort()).toEqual(['config', 'state']);
});

test('a file that is no UTF-8 is left alone', async () => {
  const bytes = Buffer.concat([
    Buffer.from('{"mcpServers":\n {"ssh":"\uFFFD'),
    Buffer.from([0xff]),
    Buffer.from('"}}'),
  ]);
  const { install, read } = bench(bytes);
  expect((await install())[0]?.plan.file.problem).toEqual({ message: 'the file is not UTF-8', line: 2, column: 11 });
  expect(read().equals(bytes)).toBe(true);
});

test('an entry stays wrapped where node or the program lay elsewhere', async () => {
  const { file, backupDir, read, install } = bench(CONFIG);
  await install();
  const before = read();
  const moved = { node: '/other/node', program: '/clone/dist/src/main.js', options: [] };
  await at([placeAt(file)], backupDir, moved).install();
  await at([placeAt(file)], join(backupDir, 'other'), moved).install();
  expect(read().equals(before)).toBe(true);
  const clone = bench(CONFIG);
  await at([placeAt(clone.file)], clone.backupDir, moved).install();
  expect(clone.read().toString()).toContain('/clone/dist');
  await clone.install();
  expect(clone.read().toString()).not.toContain(WRAPPER.program);
  await clone.uninstall();
  expect(clone.read().toString()).toBe(CONFIG);
});

test('one server after the other in and out', async () => {
  const config = '{"mcpServers":{"a":{"command":"x"},"ssh":{"command":"y"},"b-ssh":{"command":"z","args":[]}}}';
  const { read, install, uninstall } = bench(config);
  await install('a');
  await install('ssh');
  expect((await install())[0]?.plan.changes).toEqual([]);
  const [done] = await uninstall('b-ssh');
  expect(done?.plan.changes.map(({ entry }) => entry.name)).toEqual(['b-ssh']);
  await install();
  await uninstall();
  expect(read().toString()).toBe(config);
  await install();
  await uninstall();
  expect(read().toString()).toBe(config);
});

test('a copy that is no longer what it was is not put back', async () => {
  const { backupDir, read, copies, install, uninstall } = bench(CONFIG);
  await install();
  writeFileSync(join(backupDir, copies()[0] ?? ''), CONFIG.replace('ssh-mcp', 'evil'));
  await uninstall();
  expect(read().toString()).toBe(CONFIG);
});

test('what a person wrapped by hand stays wrapped', async () => {
  const hand = '"mine":{"command":"zerto-rewind-proxy","args":["--as","ssh","--","ssh-mcp"]}';
  const far = '"far":{"command":"npx","args":["-y","zerto-rewind-proxy","--server","ssh"]}';
  const config = `{"mcpServers":{${hand},${far},"ssh":{"command":"ssh-mcp"}}}`;
  const { file, read, install, uninstall } = bench(config);
  const [done] = await install();
  expect(done?.plan.changes.map(({ entry }) => entry.name)).toEqual(['ssh']);
  writeFileSync(file, `${read().toString()} `);
  await uninstall();
  expect(read().toString()).toBe(`${config} `);
  const [byHand] = await uninstall();
  expect(byHand?.plan.changes.map(({ entry }) => entry.name)).toEqual(['mine']);
  expect(read().toString()).toContain('"mine":{"command":"ssh-mcp","args":[]}');
});

test(`${verifies('F-4')} reports hold no secret, and names without control characters`, async () => {
  const name = 'ssh\u001b[31m\u202e\n';
  const config = {
    mcpServers: {
      [name]: { command: 'npx', args: ['ssh-mcp', '--password=hunter2', 'hunter2'], env: { P: 'hunter2' } },
      far: { url: 'https://hunter2@ssh.example', headers: { A: 'hunter2' } },
      'far-ssh': { url: 'https://u:hunter2@x.example' },
      odd: { command: 'npx -y ssh-mcp --password hunter2' },
    },
  };
  const dir = join(scratch(), 'a\u001b]0;x\u0007');
  mkdirSync(dir);
  const { setting, install } = bench(JSON.stringify(config), 'mcpServers', dir);
  const done = await install();
  for (const command of ['install', 'uninstall'] as const) {
    const outcome = { command, done, setting, choice: ALL, isPlan: false };
    const text = textOf(outcome);
    expect(`${text}${jsonOf(outcome, true)}`).not.toContain('hunter2');
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
    expect(text.split('\n').some((line) => line.includes('"ssh\\u001b[31m\\u202e\\u000a" (ssh): '))).toBe(true);
  }
});
