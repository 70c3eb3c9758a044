import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type CallToolResult, LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type CallRecords, readCalls } from '../../src/audit/calls.js';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { BIN, receiptOf, sitesOf, textOf } from '../support/proxy-process.js';
import { expectOnlyNativeAdded, rawTools } from '../support/raw-tools.js';
import { publishedProgram, whyNoPublished } from '../support/real-servers.js';
import { verifies } from './requirements.js';

const COMMANDER = '@wonderwhy-er/desktop-commander';
const ANSIBLE = '@ansible/ansible-mcp-server';
const missing = { [COMMANDER]: whyNoPublished(COMMANDER), [ANSIBLE]: whyNoPublished(ANSIBLE) };
const skipped = (name: keyof typeof missing) => (missing[name] === undefined ? '' : ` (skipped: ${missing[name]})`);

const TIMINGS = { gapMs: 2_000, completedMs: 100, stampMs: 50, listedMs: 250 };

let scratch: string;
let world: World;
let simulator: Simulator;
const open: Client[] = [];

beforeAll(async () => {
  scratch = await realpath(mkdtempSync(join(tmpdir(), 'rewind-local-')));
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: [{ name: 'desk01' }],
    vpgs: [{ name: 'desk', vms: ['desk01'], timings: TIMINGS }],
  });
  simulator = await startSimulator({ world });
});
afterEach(async () => {
  for (const client of open.splice(0).reverse()) await client.close();
});
afterAll(async () => {
  await simulator.close();
  world.close();
  rmSync(scratch, { recursive: true, force: true });
});

/** A server on this machine: how it is started with its files below `home`, and what stands in the config for it. */
interface Local {
  readonly program: () => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

interface Connected {
  readonly client: Client;
  readonly home: string;
  /** What the server said of itself: its log messages, as far as they are text. */
  readonly told: string[];
  readonly audit: () => Promise<CallRecords[]>;
}

/** Everything that the server keeps lies in a home of its own, so that two of them do not meet. */
async function connect(
  { program, env }: Local,
  how: 'plain' | 'wrapped' | { readonly target: string },
): Promise<Connected> {
  const home = mkdtempSync(join(scratch, 'home-'));
  mkdirSync(join(home, '.claude-server-commander'));
  // Nothing of a test goes to its makers.
  writeFileSync(
    join(home, '.claude-server-commander', 'config.json'),
    JSON.stringify({ telemetryEnabled: false, allowedDirectories: [scratch] }),
  );
  const config = join(home, 'proxy.json');
  const target = typeof how === 'string' ? {} : { target: how.target };
  const policy = { unknown: 'refuse', unresolved: 'refuse', unprotected: 'refuse' };
  const zvm = sitesOf(['site-a', simulator]);
  writeFileSync(config, JSON.stringify({ zvm, policy, mcpServers: { local: target } }));
  const proxy = [BIN, '--config', config, '--as', 'local', '--', process.execPath];
  const client = new Client({ name: 'local', version: '1' }, { capabilities: { elicitation: {}, sampling: {} } });
  const told: string[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void told.push(String(params.data)));
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...(how === 'plain' ? [] : proxy), ...program()],
      env: { ...(process.env as Record<string, string>), HOME: home, XDG_STATE_HOME: home, ...env },
      stderr: 'ignore',
    }),
  );
  open.push(client);
  return { client, home, told, audit: () => audited(join(home, 'zerto-rewind-proxy', 'audit')) };
}

/** A line of the server's list and the same through the proxy: also what no schema knows stands there as it came. */
async function expectSameList({ program, env = {} }: Local, count: number, says: string): Promise<void> {
  const home = mkdtempSync(join(scratch, 'list-'));
  const config = join(home, 'proxy.json');
  writeFileSync(config, '{}');
  const command = [process.execPath, ...program()] as const;
  const all = { ...env, HOME: home, XDG_STATE_HOME: home };
  const [bare, proxied] = await Promise.all([
    rawTools(command, all),
    rawTools([process.execPath, BIN, '--config', config, '--', ...command], all),
  ]);
  expect(bare.includes(says)).toBe(true);
  expectOnlyNativeAdded(bare, proxied, count);
}

async function audited(dir: string): Promise<CallRecords[]> {
  const calls: CallRecords[] = [];
  if (existsSync(dir)) for await (const call of readCalls(dir)) calls.push(call);
  return calls;
}

const call = async (client: Client, name: string, args: object = {}) =>
  (await client.callTool({ name, arguments: { ...args } })) as CallToolResult;
const judged = async ({ audit }: Connected) => (await audit()).map(({ intent }) => [intent.tool, intent.effect]);

/** What both have in common to show; `home` and numbers of processes are each one's own. */
async function tour({ client, home }: Connected, calls: readonly (readonly [string, object])[]): Promise<object> {
  const results: unknown[] = [];
  for (const [name, args] of calls) results.push(await call(client, name, args));
  const { tools } = await client.listTools();
  const seen = {
    server: client.getServerVersion(),
    instructions: client.getInstructions(),
    capabilities: client.getServerCapabilities(),
    tools: tools.filter(({ name }) => !name.startsWith('zerto_')),
    resources: await client.listResources(),
    templates: await client.listResourceTemplates(),
    results,
  };
  const text = JSON.stringify(seen).replaceAll(home, 'HOME');
  return JSON.parse(text.replace(/PID:? \d+/g, 'PID')) as object;
}

/** Gives a call up after a moment, as a client does whose user pressed a key. */
async function giveUp(client: Client, name: string, args: object): Promise<void> {
  const stop = new AbortController();
  const calling = client.callTool({ name, arguments: { ...args } }, undefined, { signal: stop.signal });
  calling.catch(() => undefined);
  setTimeout(() => stop.abort(), 1_000);
  await expect(calling).rejects.toThrow();
}

describe.skipIf(missing[COMMANDER] !== undefined)(`desktop-commander${skipped(COMMANDER)}`, () => {
  const commander: Local = { program: () => [publishedProgram(COMMANDER)] };
  const run = (command: string) => ['start_process', { command, timeout_ms: 5_000 }] as const;

  test(`${verifies('T-1', 'T-4', 'T-5')} shows a client the same with and without the proxy, from its first log message on`, async () => {
    const file = join(scratch, 'notes.txt');
    writeFileSync(file, 'grüße\n');
    const calls = [
      run(`cat ${file}`),
      ['read_file', { path: file }],
      ['read_file', { path: join(scratch, 'missing') }],
      ['read_file', {}],
      ['list_directory', { path: join(scratch, 'no-such-directory') }],
      ['list_sessions', {}],
    ] as const;
    const [plain, wrapped] = await Promise.all([connect(commander, 'plain'), connect(commander, 'wrapped')]);
    const [expected, seen] = await Promise.all([tour(plain, calls), tour(wrapped, calls)]);
    expect(seen).toEqual(expected);
    expect(JSON.stringify(expected)).toContain('grüße');
    for (const { told } of [plain, wrapped]) expect(told.join('\n')).toContain('MCP fully initialized');
  });

  test(`${verifies('T-4', 'T-5')} every byte of its list is there, with what no client asks for`, async () => {
    await expectSameList(commander, 26, '"openai/outputTemplate"');
  });

  test(`${verifies('T-1', 'G-7')} a cancelled call ends for the client alone; the next is served`, async () => {
    const connected = await connect(commander, 'wrapped');
    await giveUp(connected.client, ...run('sleep 4'));
    const after = await call(connected.client, 'list_sessions');
    expect(textOf(after)).toMatch(/PID: \d+, Blocked|No active sessions/);
    await expect
      .poll(async () => (await connected.audit()).map(({ outcome }) => outcome?.outcome))
      .toEqual(['outcome_unknown', 'forwarded']);
  });

  test(`${verifies('G-1', 'C-3')} a command of its shell and a file that it writes change this machine: with no VM for it they are not sent`, async () => {
    const connected = await connect(commander, 'wrapped');
    const file = join(scratch, 'never');
    for (const [name, args] of [run(`touch ${file}`), ['write_file', { path: file, content: 'x' }]] as const) {
      const refused = await call(connected.client, name, args);
      expect(textOf(refused)).toMatch(/^TARGET_UNRESOLVED: .*not sent/s);
    }
    expect(textOf(await call(connected.client, ...run('uptime -p; cat /proc/loadavg')))).toMatch(/up /);
    expect(existsSync(file)).toBe(false);
    // The record of a call that only reads is not waited for.
    await expect
      .poll(() => judged(connected))
      .toEqual([
        ['start_process', 'mutating'],
        ['write_file', 'mutating'],
        ['start_process', 'read_only'],
      ]);
  });

  test(`${verifies('G-1', 'R-1')} where the config says which VM this machine is, each change waits for its tag, and no read does`, async () => {
    const connected = await connect(commander, { target: 'desk01' });
    const { client } = connected;
    const tags = () =>
      world.vpg('desk').journal.flatMap(({ tag, listedAt }) => (tag === undefined ? [] : [{ tag, listedAt }]));
    const before = tags().length;
    const read = await call(client, ...run('df -h | sort'));
    expect(receiptOf(read)).toBeUndefined();
    expect(tags()).toHaveLength(before);
    const file = join(scratch, 'pinned');
    for (const [name, args] of [
      run(`echo started > ${file}`),
      ['write_file', { path: file, content: 'written\n', mode: 'rewrite' }],
    ] as const) {
      const changed = await call(client, name, args);
      const receipt = receiptOf(changed);
      expect(receipt, textOf(changed)).toMatchObject({
        permit: 'pinned',
        vms: [{ name: 'desk01', vpgs: [{ name: 'desk' }] }],
      });
      const tag = receipt?.vms[0]?.vpgs[0]?.tag.name;
      expect(changed.isError ?? false, textOf(changed)).toBe(false);
      expect(tags().find((each) => each.tag === tag)?.listedAt).toBeLessThanOrEqual(statSync(file).mtimeMs);
    }
    expect(readFileSync(file, 'utf8')).toContain('written');
    expect(tags()).toHaveLength(before + 2);
  });
});

describe.skipIf(missing[ANSIBLE] !== undefined)(`ansible-mcp-server${skipped(ANSIBLE)}`, () => {
  let workspace: string;
  const ansible = (): Local => ({
    program: () => [publishedProgram(ANSIBLE), '--stdio'],
    env: { WORKSPACE_ROOT: workspace },
  });
  beforeAll(() => {
    workspace = mkdtempSync(join(scratch, 'workspace-'));
    writeFileSync(join(workspace, 'site.yml'), '- hosts: all\n  tasks:\n    - ansible.builtin.command: touch /tmp/x\n');
  });

  test(`${verifies('T-1', 'T-4', 'T-5')} shows a client the same with and without the proxy`, async () => {
    const calls = [
      ['zen_of_ansible', {}],
      ['list_available_tools', {}],
      ['ansible_content_best_practices', { topic: 'playbooks' }],
      ['ansible_content_best_practices', {}],
    ] as const;
    const [plain, wrapped] = await Promise.all([connect(ansible(), 'plain'), connect(ansible(), 'wrapped')]);
    const [expected, seen] = await Promise.all([tour(plain, calls), tour(wrapped, calls)]);
    expect(seen).toEqual(expected);
    for (const { uri } of (await plain.client.listResources()).resources)
      expect(await wrapped.client.readResource({ uri })).toEqual(await plain.client.readResource({ uri }));
  });

  test(`${verifies('T-4', 'T-5')} every byte of its list is there, with annotations of its own`, async () => {
    await expectSameList(ansible(), 10, '"keywords"');
  });

  test(`${verifies('T-1', 'G-7')} a cancelled call ends, and the next is served`, async () => {
    const connected = await connect(ansible(), 'wrapped');
    await giveUp(connected.client, 'ade_environment_info', {});
    expect(textOf(await call(connected.client, 'zen_of_ansible'))).toContain('Ansible is not Python');
  });

  test(`${verifies('C-1', 'C-4', 'G-1')} what runs a playbook, lints with fixes or sets something up is no read: unasked it is not sent`, async () => {
    const connected = await connect(ansible(), 'wrapped');
    const { client } = connected;
    const refused = [
      ['ansible_navigator', { userMessage: 'run site.yml' }],
      ['ansible_navigator', { userMessage: 'run it', filePath: join(workspace, 'site.yml') }],
      ['ansible_lint', { filePath: join(workspace, 'site.yml'), fix: true }],
      ['create_ansible_projects', { projectType: 'playbook', namespace: 'a', collectionName: 'b', path: workspace }],
      ['ade_setup_environment', { envName: 'venv' }],
      ['define_and_build_execution_env', { baseImage: 'x', tag: 'y' }],
    ] as const;
    for (const [name, args] of refused) expect(textOf(await call(client, name, args))).toMatch(/not sent/);
    expect((await judged(connected)).map(([, effect]) => effect).filter((effect) => effect === 'read_only')).toEqual(
      [],
    );
    expect((await connected.audit()).map(({ outcome }) => outcome?.outcome)).not.toContain('forwarded');
    expect(existsSync(join(workspace, 'collections'))).toBe(false);
  });
});
