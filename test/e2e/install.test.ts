import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { parse } from 'smol-toml';
import { expect, onTestFinished, test } from 'vitest';
import { clientsStatus } from '../../src/commands/clients-status.js';
import { BIN } from '../support/proxy-process.js';
import { programOf } from '../support/real-servers.js';
import { atTerminal, HAS_TERMINAL } from '../support/terminal.js';
import { verifies } from './requirements.js';

interface Entry {
  readonly command: string;
  readonly args: string[];
}

/** A home with a project, and the files of some clients in it. */
function home(files: Readonly<Record<string, string>>) {
  const dir = mkdtempSync(join(tmpdir(), 'rewind-install-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const project = join(dir, 'app');
  mkdirSync(join(project, '.git'), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text, { mode: 0o600 });
  }
  const places = { HOME: dir, USERPROFILE: dir, APPDATA: join(dir, 'roaming'), LOCALAPPDATA: join(dir, 'local') };
  const env = { PATH: process.env['PATH'] ?? '', ...places };
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, [BIN, ...args], { encoding: 'utf8', env, cwd: project, input: '' });
  const status = () =>
    clientsStatus(
      { surroundings: { env: {}, platform: process.platform, home: dir }, options: { logLevel: 'silent' } },
      undefined,
      project,
    );
  return { dir, project, env, run, status, read: (name: string) => readFileSync(join(dir, name), 'utf8') };
}

/** What a client learns from an entry, started as clients do: by its words, in its directory, with a small environment. */
async function toolsOf({ command, args }: Entry, env: Record<string, string>, cwd: string) {
  const client = new Client({ name: 'claude-code', version: '2' });
  await client.connect(new StdioClientTransport({ command, args, env, cwd, stderr: 'ignore' }));
  try {
    return (await client.listTools()).tools;
  } finally {
    await client.close();
  }
}

const words = (...args: readonly string[]) => args.map((word) => JSON.stringify(word)).join(', ');

test(`${verifies('F-4')} the wrapped entry starts the same server where the client starts it, with no config, and out again`, async () => {
  const profile =
    '[[profiles]]\nname = "box"\nhost = "127.0.0.1"\nport = 22\nuser = "me"\nauth = "key"\nkeyRef = "/no/key"\nrole = "admin"\ngroup = "dev"\napprovalPolicy = "auto"\n';
  // A path from the directory in which the client starts it.
  const ssh = [programOf('ssh-mcp'), '--config=../ssh.toml'];
  const before = {
    'app/.mcp.json': `{ "mcpServers": { "ssh-files": { "command": ${words(process.execPath)}, "args": [${words(programOf('@modelcontextprotocol/server-filesystem'), '.')}] } } }\r\n`,
    '.codex/config.toml': `[mcp_servers.box]\ncommand = ${words(process.execPath)} # node\nargs = [\n  ${words(...ssh)},\n]\n[mcp_servers.box.env]\nSSH_MCP_PASSWORD = "hunter2"\n`,
    'ssh.toml': `[defaults]\ndefaultProfile = "box"\napprovalMode = "auto"\n${profile}`,
    '.gemini/settings.json': '{"mcpServers":{"far":{"url":"https://far.example/mcp"}}}',
    '.cursor/mcp.json': '{"mcpServers":{"ssh":{"command":"a"},"ssh":{"command":"b"}}}',
  };
  const { project, env, run, status, read } = home(before);
  const read2 = () => ({
    files: (JSON.parse(read('app/.mcp.json')) as { mcpServers: Record<string, Entry> }).mcpServers['ssh-files'],
    box: (parse(read('.codex/config.toml')) as unknown as { mcp_servers: Record<string, Entry> }).mcp_servers['box'],
  });
  const original = read2();
  expect(run('install', '--dry-run', '--client', 'Claude Code')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('would be wrapped'),
  });
  expect(read('app/.mcp.json')).toBe(before['app/.mcp.json']);
  expect((await status()).ok).toBe(false);

  expect(run('status')).toMatchObject({ status: 1, stdout: expect.stringMatching(/ssh-files.*not wrapped/) });

  const first = run('install');
  expect(first).toMatchObject({
    status: 1,
    stderr: '',
    stdout: expect.stringContaining('2 servers in 2 files wrapped'),
  });
  expect(first.stdout).toMatch(/Cursor: .*mcp\.json\n {2}left alone: a key is given twice \(line 1, column 38\)/);
  const wrapped = read2();
  for (const name of ['files', 'box'] as const) {
    const [was, is] = [original[name], wrapped[name]];
    if (was === undefined || is === undefined) throw new Error('no entry');
    expect([is.command, ...is.args]).toEqual([process.execPath, BIN, '--', was.command, ...was.args]);
    const [own, all] = [await toolsOf(was, env, project), await toolsOf(is, env, project)];
    expect(own.length).toBeGreaterThan(0);
    expect(all.slice(0, own.length)).toEqual(own);
    expect(all.slice(own.length).map(({ name: tool }) => tool.slice(0, 6))).toEqual(Array(8).fill('zerto_'));
  }

  const { lines, files } = await status();
  expect(lines.filter((line) => line.includes('"ssh-files" (ssh): wrapped'))).toHaveLength(1);
  expect(lines.filter((line) => line.includes('"box" (ssh): wrapped'))).toHaveLength(1);
  expect(lines.filter((line) => line.includes('a key is given twice'))).toHaveLength(1);
  expect(lines.filter((line) => line.includes('"far": not wrapped: it has a URL'))).toHaveLength(1);
  const again = run('install', '--json', '--client', 'codex', '--client', 'claude-code');
  expect(JSON.parse(again.stdout)).toMatchObject({
    ok: true,
    files: [{ servers: [{ changed: false, wrapped: true }] }, {}],
  });
  expect(read2()).toEqual(wrapped);
  expect([first.stdout, again.stdout, ...lines, JSON.stringify(files)].join()).not.toContain('hunter2');

  expect(run('uninstall').status).toBe(1);
  for (const [name, text] of Object.entries(before)) expect(read(name)).toBe(text);
});

test('what cannot be meant is a usage error, or named', () => {
  const { run, dir } = home({ '.cursor/mcp.json': '{"mcpServers":{"ssh":{"command":"a"}}}' });
  expect(run('install', '--client', 'emacs\u001b')).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining('"emacs\\u001b"'),
  });
  expect(run('uninstall', 'now')).toMatchObject({ status: 2, stdout: '' });
  expect(run('install', '--only', 'nobody', '--yes')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('"nobody"'),
  });
  expect(readdirSync(dir).sort()).toEqual(['.cursor', 'app']);
  expect(run('install', '--only', 'winrm')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('nothing to change'),
  });
  expect(home({}).run('install')).toMatchObject({ status: 0, stdout: 'No config of a client was found.\n' });
});

test('the config that is named goes into the entry', () => {
  const { run, read, project } = home({ '.cursor/mcp.json': '{"mcpServers":{"ssh":{"command":"a"}}}' });
  expect(run('--config', 'my.json', 'install').status).toBe(0);
  const { mcpServers } = JSON.parse(read('.cursor/mcp.json')) as { mcpServers: Record<string, Entry> };
  expect(mcpServers['ssh']?.args.slice(1)).toEqual(['--config', join(project, 'my.json'), '--', 'a']);
});

test.skipIf(!HAS_TERMINAL)('at a terminal it asks, and a no changes nothing', async () => {
  const config = '{"mcpServers":{"ssh":{"command":"a"}}}';
  const { read, env } = home({ '.cursor/mcp.json': config });
  const no = await atTerminal(['install'], env, [[/\[y\/N\] /, 'n']]);
  expect(no).toMatchObject({ status: 0, screen: expect.stringContaining('Nothing was changed.') });
  expect(read('.cursor/mcp.json')).toBe(config);
  const yes = await atTerminal(['install'], env, [[/\[y\/N\] /, 'y']]);
  expect(yes.status).toBe(0);
  expect(read('.cursor/mcp.json')).toContain(BIN);
  expect((await atTerminal(['uninstall', '--yes'], env)).status).toBe(0);
  expect(read('.cursor/mcp.json')).toBe(config);
});
