import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  type CallToolResult,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ProgressNotificationSchema,
  type ServerNotification,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { type HttpMcpServer, startHttpServer } from '../support/http-servers.js';
import { BIN, receiptOf, sitesOf, textOf } from '../support/proxy-process.js';
import { RawProxy, runBin } from '../support/raw-proxy.js';
import { until } from '../wire/process/harness.js';
import { verifies } from './requirements.js';

let world: World;
let simulator: Simulator;
const scratches: string[] = [];
const open: { close(): Promise<unknown> }[] = [];

beforeAll(async () => {
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: [{ name: 'app01' }],
    vpgs: [{ name: 'app', vms: ['app01'], timings: { gapMs: 2_000, completedMs: 20, stampMs: 10, listedMs: 40 } }],
  });
  world.checkpoint('app');
  simulator = await startSimulator({ world });
});
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});
afterAll(async () => {
  await simulator.close();
  world.close();
  for (const scratch of scratches) rmSync(scratch, { recursive: true, force: true });
});

async function far(kind: 'session' | 'json' | 'sse' = 'session'): Promise<HttpMcpServer> {
  const server = await startHttpServer(kind);
  open.push(server);
  return server;
}

function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), 'rewind-url-'));
  scratches.push(dir);
  return dir;
}

/** What only reads on the server, as an operator says it: the other tools are not what is tested here. */
const harmless = Object.fromEntries(
  ['steps', 'wait', 'ask', 'think', 'announce'].map((tool) => [
    tool,
    { effect: 'read_only', examples: [{ arguments: {}, effect: 'read_only' }] },
  ]),
);
const config = (more: object = {}) => ({
  zvm: sitesOf(['site-a', simulator]),
  guard: { timeoutSeconds: 20, holdSeconds: 0 },
  classifier: { tools: harmless },
  ...more,
});

interface Connected {
  readonly client: Client;
  readonly dir: string;
  readonly told: ServerNotification[];
  call(name: string, args?: object, options?: object): Promise<CallToolResult>;
}

async function connect(
  options: readonly string[],
  settings: object = config(),
  env: Record<string, string> = {},
): Promise<Connected> {
  const dir = scratch();
  writeFileSync(join(dir, 'config.json'), JSON.stringify(settings));
  const client = new Client({ name: 'agent', version: '1' }, { capabilities: { elicitation: {}, sampling: {} } });
  const told: ServerNotification[] = [];
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { colour: 'blue' } }));
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    model: 'm',
    role: 'assistant',
    content: { type: 'text', text: 'so' },
  }));
  client.setNotificationHandler(LoggingMessageNotificationSchema, (each) => void told.push(each));
  client.setNotificationHandler(ToolListChangedNotificationSchema, (each) => void told.push(each));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, '--config', join(dir, 'config.json'), ...options],
    env: { ...(process.env as Record<string, string>), XDG_STATE_HOME: dir, ...env },
    stderr: 'ignore',
  });
  await client.connect(transport);
  open.push(client);
  const call = (name: string, args: object = {}, more: object = {}) =>
    client.callTool({ name, arguments: { ...args } }, undefined, more) as Promise<CallToolResult>;
  return { client, dir, told, call };
}

describe.each(['session', 'json', 'sse'] as const)('--url, to a server of the SDK (%s)', (kind) => {
  test(`${verifies('T-2', 'T-4', 'G-1')} tools are listed, a read goes through, a change is pinned and recorded`, async () => {
    const server = await far(kind);
    const { client, call, dir } = await connect(['--url', server.url]);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['ssh_execute', 'zerto_recover_file']));
    const read = await call('ssh_execute', { command: 'uptime', host: 'app01' });
    expect([textOf(read), receiptOf(read)]).toEqual(['ran uptime', undefined]);
    const changed = await call('ssh_execute', { command: 'touch /srv/x', host: 'app01' });
    expect(textOf(changed)).toBe('ran touch /srv/x');
    expect(receiptOf(changed)).toMatchObject({ permit: 'pinned', server: '127.0.0.1', vms: [{ name: 'app01' }] });
    expect(server.ran).toEqual(['uptime', 'touch /srv/x']);
    const { stdout } = await runBin(['audit', 'list', '--json'], { XDG_STATE_HOME: dir });
    const entries = JSON.parse(stdout) as { effect: string; outcome: string }[];
    expect(entries.map(({ effect, outcome }) => `${effect} ${outcome}`).sort()).toEqual([
      'mutating forwarded',
      'read_only forwarded',
    ]);
  });

  test(`${verifies('T-1', 'G-7')} a call is cancelled, and the connection goes on`, async () => {
    const server = await far(kind);
    const { call } = await connect(['--url', server.url]);
    const cancel = new AbortController();
    const waiting = call('wait', {}, { signal: cancel.signal });
    waiting.catch(() => undefined);
    await until(() => server.ran.includes('wait'));
    cancel.abort();
    await expect(waiting).rejects.toThrow();
    await until(() => server.cancelled.length === 1);
    expect(textOf(await call('steps'))).toBe('stepped');
  });
});

describe.each(['session', 'sse'] as const)('what a server of the SDK says on its own (%s)', (kind) => {
  test(`${verifies('T-1')} progress, elicitation, sampling and notifications reach the client`, async () => {
    const server = await far(kind);
    const { client, call, told } = await connect(['--url', server.url]);
    const steps: unknown[] = [];
    // Not by onprogress: the SDK's client forgets a token with the answer, also where both come in one chunk.
    client.setNotificationHandler(ProgressNotificationSchema, ({ params }) => void steps.push(params));
    await client.callTool({ name: 'steps', arguments: {}, _meta: { progressToken: 'mine' } });
    expect(steps).toEqual([1, 2, 3].map((progress) => ({ progressToken: 'mine', progress, total: 3 })));
    expect(textOf(await call('ask'))).toBe('colour {"colour":"blue"}');
    expect(textOf(await call('think'))).toBe('thought {"type":"text","text":"so"}');
    expect(textOf(await call('announce'))).toBe('announced');
    await until(() => told.length === 2);
    expect(told.map(({ method }) => method).sort()).toEqual([
      'notifications/message',
      'notifications/tools/list_changed',
    ]);
  });
});

describe('the config', () => {
  test(`an entry's login is sent to its URL, and stands in nothing that is printed or recorded`, async () => {
    const server = await far();
    const mcpServers = { far: { url: server.url, headersEnv: { Authorization: 'FAR_TOKEN' }, target: 'app01' } };
    const { call, dir } = await connect(['--server', 'far'], config({ mcpServers }), { FAR_TOKEN: 'Bearer sesame' });
    const changed = await call('ssh_execute', { command: 'touch /srv/y', host: 'app01' });
    expect(receiptOf(changed)).toMatchObject({ server: 'far' });
    expect(new Set(server.logins)).toEqual(new Set(['Bearer sesame']));
    const { stdout } = await runBin(['audit', 'list', '--json'], { XDG_STATE_HOME: dir });
    expect(stdout).not.toContain('sesame');
  });

  test('an entry without a URL lends its login and its name to one on the command line', async () => {
    const server = await far();
    const mcpServers = { gate: { headersEnv: { Authorization: 'FAR_TOKEN' } } };
    const { call } = await connect(['--as', 'gate', '--url', server.url], config({ mcpServers }), {
      FAR_TOKEN: 'Bearer sesame',
    });
    const changed = await call('ssh_execute', { command: 'touch /srv/z', host: 'app01' });
    expect(receiptOf(changed)).toMatchObject({ server: 'gate' });
    expect(new Set(server.logins)).toEqual(new Set(['Bearer sesame']));
  });

  test.each([
    ['a URL of another host than the entry that lends its login', ['--as', 'far', '--url', 'https://evil.example/mcp']],
    ['a URL that is none', ['--url', 'ftp://x']],
    ['a login in the URL', ['--url', 'https://user:pass@far.example/mcp']],
  ])('%s stops the start with 2', async (_name, options) => {
    const dir = scratch();
    const file = join(dir, 'config.json');
    const far = { url: 'https://far.example/mcp', headers: { Authorization: 'x' } };
    writeFileSync(file, JSON.stringify({ mcpServers: { far } }));
    const { code, stderr, stdout } = await runBin(['--config', file, ...options]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^CONFIG_INVALID: /m);
    expect(stderr).not.toContain('pass@');
  });
});

describe('a server that goes away', () => {
  function raw(url: string): RawProxy {
    const proxy = new RawProxy({ scratch: scratch(), config: config(), options: ['--url', url], named: true });
    open.push({
      close: async () => {
        proxy.kill('SIGKILL');
        await proxy.exit;
      },
    });
    return proxy;
  }

  test(`${verifies('T-7')} one that is not there: initialize is answered, the code is 127`, async () => {
    const server = await startHttpServer('json');
    await server.close();
    const proxy = raw(server.url);
    proxy.request(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {} });
    expect(await proxy.text(1)).toMatch(/^error -32000: .*could not be reached \(ECONNREFUSED\)/);
    expect(await proxy.exit).toEqual({ code: 127, signal: null });
  });

  test(`${verifies('T-7')} one that forgot the session: calls get an error, nothing is sent again, the code is 1`, async () => {
    const server = await far();
    const proxy = raw(server.url);
    await proxy.initialize();
    proxy.call(1, 'ssh_execute', { command: 'uptime', host: 'app01' });
    expect(await proxy.text(1)).toBe('ran uptime');
    server.forget();
    proxy.call(2, 'ssh_execute', { command: 'date', host: 'app01' });
    expect(await proxy.text(2)).toMatch(/forgotten the session/);
    expect(await proxy.exit).toEqual({ code: 1, signal: null });
    expect(server.ran).toEqual(['uptime']);
  });

  test(`${verifies('A-4', 'G-5')} one that dies under a call: its outcome is unknown, and recorded so`, async () => {
    const server = await far();
    const proxy = raw(server.url);
    await proxy.initialize();
    proxy.call(1, 'wait', {});
    await until(() => server.ran.includes('wait'));
    await server.close();
    expect(await proxy.text(1)).toMatch(/may have run/);
    proxy.call(2, 'ssh_execute', { command: 'uptime', host: 'app01' });
    expect(await proxy.text(2)).toMatch(/not sent/);
    proxy.end();
    await proxy.exit;
    const { stdout } = await runBin(['audit', 'list', '--json'], { XDG_STATE_HOME: proxy.scratch });
    const entries = JSON.parse(stdout) as { tool: string; outcome: string }[];
    expect(Object.fromEntries(entries.map(({ tool, outcome }) => [tool, outcome]))).toEqual({
      wait: 'outcome_unknown',
      ssh_execute: 'not_sent',
    });
  });
});
