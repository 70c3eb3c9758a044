import { execFile } from 'node:child_process';
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
import { promisify } from 'node:util';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import type { CallToolResult, Progress } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallRecords, readCalls } from '../../src/audit/calls.js';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { BIN, type ProxyProcess, receiptOf, sitesOf, startProxy, textOf } from '../support/proxy-process.js';
import { programOf, type Start, sshMcp } from '../support/real-servers.js';
import { type SshVm, type SshVms, startSshVms, whyNoSshd } from '../support/sshd.js';
import { verifies } from './requirements.js';

const missing = await whyNoSshd();
const skipped = missing === undefined ? '' : ` (skipped: ${missing})`;
const run = promisify(execFile);

const FAST = { gapMs: 2_000, completedMs: 100, stampMs: 50, listedMs: 250 };
/** Longer than two of the intervals in which a waiting client is told so. */
const SLOW = { gapMs: 2_000, completedMs: 1_000, stampMs: 500, listedMs: 11_000 };
const COUNT_STARTS = join(import.meta.dirname, '..', 'fixtures', 'e2e', 'count-starts.mjs');

let ssh: SshVms;
let app: SshVm;
let slow: SshVm;
let world: World;
let simulator: Simulator;
let scratch: string;

beforeAll(async () => {
  if (missing !== undefined) return;
  scratch = mkdtempSync(join(tmpdir(), 'rewind-clients-'));
  ssh = await startSshVms(['app01', 'slow01']);
  [app, slow] = ssh.vms as [SshVm, SshVm];
  for (const { disk, name } of ssh.vms) writeFileSync(join(disk, 'motd'), `welcome to ${name}\n`);
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: ssh.vms.map(({ name, disk }) => ({ name, disk })),
    vpgs: [
      { name: 'fast', vms: [app.name], timings: FAST },
      { name: 'slow', vms: [slow.name], timings: SLOW },
    ],
  });
  simulator = await startSimulator({ world });
});
afterAll(async () => {
  await simulator?.close();
  world?.close();
  await ssh?.close();
  if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true });
});

/** A directory of its own for one client's proxy: config, state and the downstream's home. */
interface Place {
  readonly dir: string;
  readonly settings: object;
  readonly config: string;
  readonly start: Start;
  readonly audit: string;
}

function place(name: string): Place {
  const dir = join(scratch, name);
  mkdirSync(dir);
  const start = sshMcp(ssh, join(dir, 'home'));
  const config = join(dir, 'config.json');
  const [command, ...args] = start.command;
  // Its VMs are addresses of this machine, which prove no VM.
  const targets = Object.fromEntries(ssh.vms.map((vm) => [vm.name, vm.name]));
  const mcpServers = { ssh: { command, args, env: start.env } };
  const settings = { zvm: sitesOf(['site-a', simulator]), mcpServers, targets };
  writeFileSync(config, JSON.stringify(settings));
  return { dir, settings, config, start, audit: join(dir, 'zerto-rewind-proxy', 'audit') };
}

/** Connects a client of the second SDK to a proxy there; `before` are words before the proxy's own command line. */
async function connectV2({ dir, config }: Place, before: readonly string[] = []): Promise<ClientV2> {
  const client = new ClientV2(
    { name: 'second-sdk', version: '2' },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: 'auto' } },
  );
  const [command = '', ...args] = [...before, process.execPath, BIN, '--config', config, '--server', 'ssh'];
  const env = { ...(process.env as Record<string, string>), XDG_STATE_HOME: dir };
  await client.connect(new StdioV2({ command, args, env, stderr: 'ignore' }));
  return client;
}

async function audited(dir: string): Promise<CallRecords[]> {
  const calls: CallRecords[] = [];
  for await (const call of readCalls(dir)) calls.push(call);
  return calls;
}

const onApp = (command: string) => ({ name: 'run-command', arguments: { command, profile: app.name } });

describe.skipIf(missing !== undefined)(`a client of the second SDK that negotiates the revision${skipped}`, () => {
  let client: ClientV2;
  let starts: string;
  let audit: string;

  beforeAll(async () => {
    const own = place('v2');
    ({ audit } = own);
    starts = join(own.dir, 'starts');
    client = await connectV2(own, [process.execPath, COUNT_STARTS, starts]);
  });
  afterAll(() => client?.close());

  test(`${verifies('T-2', 'T-7')} its probe starts the proxy once more, and leaves no trace`, async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['run-command', 'zerto_recover_file']));
    expect(client.getServerVersion()?.name).toBe('SSH MCP Server');
    expect(readFileSync(starts, 'utf8').trim().split('\n')).toHaveLength(2);
    expect(existsSync(audit)).toBe(false);
    expect(simulator.requests).toEqual([]);
  });

  test(`${verifies('T-1', 'G-1')} a read goes through, a write is pinned, and one process has written the record`, async () => {
    const read = await client.callTool(onApp(`cat ${join(app.disk, 'motd')}`));
    expect(textOf(read as CallToolResult)).toContain('welcome to app01');
    const file = join(app.disk, 'v2');
    const written = (await client.callTool(onApp(`echo second > ${file}`))) as CallToolResult;
    expect(receiptOf(written)).toMatchObject({ permit: 'pinned', agent: 'second-sdk', vms: [{ name: 'app01' }] });
    expect(readFileSync(file, 'utf8')).toBe('second\n');
    expectListedBefore(written, file);
    expect(readdirSync(audit).filter((name) => name.endsWith('.jsonl'))).toHaveLength(1);
    const calls = await audited(audit);
    expect(calls.map(({ intent }) => intent.effect)).toEqual(['read_only', 'mutating']);
  });
});

describe.skipIf(missing !== undefined)(`a client of the first SDK${skipped}`, () => {
  let proxy: ProxyProcess;

  beforeAll(async () => {
    const { dir, start, settings } = place('v1');
    const { command, env } = start;
    proxy = await startProxy({
      config: settings,
      downstream: command,
      env,
      scratch: dir,
    });
  });
  afterAll(() => proxy?.close());

  test(`${verifies('G-7')} after a cancelled call, which may have run, the record calls its outcome unknown and the connection goes on`, async () => {
    const began = join(app.disk, 'began');
    const cancel = new AbortController();
    const calling = proxy.call('run-command', onApp(`touch ${began}; sleep 3`).arguments, {
      signal: cancel.signal,
    });
    calling.catch(() => undefined);
    await expect.poll(() => existsSync(began), { timeout: 15_000 }).toBe(true);
    cancel.abort();
    await expect(calling).rejects.toThrow();
    const after = await proxy.call('run-command', onApp('uptime').arguments);
    expect(textOf(after)).toMatch(/load average/);
    const cancelled = (await proxy.audit()).filter(({ outcome }) => outcome?.outcome === 'outcome_unknown');
    expect(cancelled).toHaveLength(1);
    expect(cancelled[0]?.permit?.receipt.vms[0]?.name).toBe('app01');
  });
});

describe.skipIf(missing !== undefined)(`a client that gave a progress token${skipped}`, () => {
  /** Less than the pin takes: only what it is told in between keeps the client waiting. */
  const patience = { timeout: 7_000, resetTimeoutOnProgress: true };
  const touch = (file: string) => ({
    name: 'run-command',
    arguments: { command: `touch ${join(slow.disk, file)}`, profile: slow.name },
  });

  test(`${verifies('G-6', 'T-1')} is told by rising numbers that its call waits, and the call is forwarded once`, async () => {
    const one = place('progress-1');
    const { command, env } = one.start;
    const first = await startProxy({ config: one.settings, downstream: command, env, scratch: one.dir });
    const second = await connectV2(place('progress-2'));
    try {
      const seen: [Progress[], Progress[]] = [[], []];
      const results = (await Promise.all([
        first.client.callTool(touch('one'), undefined, { ...patience, onprogress: (told) => seen[0].push(told) }),
        second.callTool(touch('two'), { ...patience, onprogress: (told) => seen[1].push(told) }),
      ])) as CallToolResult[];
      expect(results.map((result) => receiptOf(result)?.vms[0]?.name)).toEqual([slow.name, slow.name]);
      for (const told of seen) {
        const numbers = told.map(({ progress }) => progress);
        expect(numbers.length).toBeGreaterThanOrEqual(2);
        expect(numbers).toEqual([...new Set(numbers)].sort((left, right) => left - right));
        expect(told[0]?.message).toMatch(/held/);
      }
      const tags = world.vpg('slow').journal.flatMap(({ tag }) => tag ?? []);
      expect(tags.map((tag) => tag.split(' | ')[0]).sort()).toEqual(['ai:second-sdk', 'ai:test-agent']);
    } finally {
      await first.close();
      await second.close();
    }
  });
});

describe.skipIf(missing !== undefined)(`mcp-inspector --cli${skipped}`, () => {
  let dir: string;
  let clientConfig: string;
  let audit: string;

  /** As its users do: the entries of a client's config, by name. */
  async function inspect(server: string, ...args: readonly string[]): Promise<unknown> {
    const inspector = programOf('@modelcontextprotocol/inspector');
    const all = [inspector, '--cli', '--config', clientConfig, '--server', server, ...args];
    const { stdout } = await run(process.execPath, all, {
      env: { ...process.env, XDG_STATE_HOME: dir },
      timeout: 60_000,
    });
    return JSON.parse(stdout);
  }

  beforeAll(() => {
    const own = place('inspector');
    ({ dir, audit } = own);
    clientConfig = join(dir, 'client.json');
    const line = own.start.command.map((word) => `'${word}'`).join(' ');
    const entry = (...args: readonly string[]) => ({
      command: process.execPath,
      args: [BIN, '--config', own.config, ...args],
      env: own.start.env,
    });
    const mcpServers = { named: entry('--server', 'ssh'), line: entry('--command', line) };
    writeFileSync(clientConfig, JSON.stringify({ mcpServers }));
  });

  test.each(['named', 'line'])(`${verifies('T-5', 'T-4')} lists the tools of both (%s)`, async (server) => {
    const { tools } = (await inspect(server, '--method', 'tools/list')) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['read-command', 'zerto_check_tool']));
    expect(tools).toHaveLength(14 + 8);
    expect(existsSync(audit)).toBe(false);
  });

  test(`${verifies('T-1', 'G-1')} calls a read, then a write that is pinned`, async () => {
    const call = (command: string) => {
      const given = ['--tool-arg', `command=${command}`, '--tool-arg', `profile=${app.name}`];
      return inspect(
        'line',
        '--method',
        'tools/call',
        '--tool-name',
        'run-command',
        ...given,
      ) as Promise<CallToolResult>;
    };
    const read = await call(`cat ${join(app.disk, 'motd')}`);
    expect(textOf(read)).toContain('welcome to app01');
    expect(receiptOf(read)).toBeUndefined();
    const file = join(app.disk, 'inspector');
    const written = await call(`echo inspected > ${file}`);
    expect(receiptOf(written)).toMatchObject({ permit: 'pinned', vms: [{ name: 'app01', vpgs: [{ name: 'fast' }] }] });
    expectListedBefore(written, file);
    expect((await audited(audit)).map(({ intent }) => intent.effect)).toEqual(['read_only', 'mutating']);
  });
});

/** The appliance showed the receipt's tag in its list before the file was written. */
function expectListedBefore(written: CallToolResult, file: string): void {
  const tag = receiptOf(written)?.vms[0]?.vpgs[0]?.tag;
  const listed = world.vpg('fast').journal.find(({ id }) => String(id) === tag?.checkpointIdentifier);
  expect(listed?.tag).toBe(tag?.name);
  expect(listed?.listedAt).toBeLessThanOrEqual(statSync(file).mtimeMs);
}
