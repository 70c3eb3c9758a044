import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { startHttpServer } from '../support/http-servers.js';
import { parseMetrics, type Sample, total } from '../support/prometheus.js';
import { sitesOf } from '../support/proxy-process.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { verifies } from './requirements.js';

const TIMINGS = { gapMs: 2_000, completedMs: 50, stampMs: 20, listedMs: 100 };
const SERVER = join(import.meta.dirname, '..', 'fixtures', 'e2e', 'http-session-server.mjs');

let world: World;
let simulator: Simulator;

beforeAll(async () => {
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: [{ name: 'app01' }, { name: 'cloud01' }],
    vpgs: [
      { name: 'app', vms: ['app01'], timings: TIMINGS },
      { name: 'cloud', vms: ['cloud01'], profile: 'azure', timings: TIMINGS },
    ],
  });
  simulator = await startSimulator({ world });
});
afterAll(async () => {
  await simulator.close();
  world.close();
});

const begin = (options: readonly string[] = []) =>
  startServe({
    config: (scratch) => ({
      zvm: sitesOf(['site-a', simulator]),
      policy: { unknown: 'refuse' },
      guard: { holdSeconds: 0 },
      mcpServers: { ssh: { command: process.execPath, args: [SERVER, join(scratch, 'received.log')], family: 'ssh' } },
    }),
    options,
  });

const page = (serve: ServeProcess, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(new URL('/metrics', serve.url), { method, headers });

async function scrape(serve: ServeProcess, token = serve.token): Promise<readonly Sample[]> {
  const response = await page(serve, { authorization: `Bearer ${token}` });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return parseMetrics(await response.text());
}

const calls = (samples: readonly Sample[], labels: Record<string, string>) =>
  total(
    samples,
    'zerto_rewind_calls_total',
    Object.fromEntries(
      Object.entries(labels).map(([name, value]) => [name === 'error_type' ? name : `zerto_rewind_${name}`, value]),
    ),
  );

describe('GET /metrics of serve', () => {
  let serve: ServeProcess;
  beforeAll(async () => {
    serve = await begin();
  });
  afterAll(() => serve?.close());

  test(`${verifies('F-2')} what agents did is counted by effect, decision and outcome; how long they waited, by the kind of site`, async () => {
    const client = await serve.client('metrics-agent');
    const run = (host: string, command: string) =>
      client.callTool({ name: 'ssh_execute', arguments: { host, command } });
    await run('app01', 'uptime');
    await run('app01', 'df -h');
    await run('app01', 'touch /x');
    await run('cloud01', 'touch /x');
    await run('app01', './unknown-program');
    await run('nowhere.example', 'touch /x');
    await client.callTool({ name: 'zerto_find_protection', arguments: { vm: 'app01' } });
    const open = await scrape(serve);
    expect(
      calls(open, {
        effect: 'read_only',
        decision: 'forward',
        outcome: 'forwarded',
        permit: 'read_only',
        native: 'false',
      }),
    ).toBe(2);
    expect(
      calls(open, { effect: 'mutating', decision: 'pin_then_forward', outcome: 'forwarded', permit: 'pinned' }),
    ).toBe(2);
    expect(calls(open, { effect: 'unknown', decision: 'refuse', outcome: 'refused' })).toBe(1);
    expect(calls(open, { error_type: 'TARGET_UNRESOLVED' })).toBe(1);
    expect(calls(open, { native: 'true', outcome: 'forwarded' })).toBe(1);
    expect(calls(open, {})).toBe(7);
    for (const profile of ['vsphere', 'azure']) {
      const label = { zerto_rewind_profile: profile };
      expect(total(open, 'zerto_rewind_pin_wait_count', label)).toBe(1);
      expect(total(open, 'zerto_rewind_tag_duration_count', label)).toBe(1);
      expect(total(open, 'zerto_rewind_pin_wait_sum', label)).toBeGreaterThanOrEqual(0.1);
    }
    expect(
      total(open, 'zerto_rewind_zvm_requests_total', {
        http_request_method: 'POST',
        url_template: '/v1/vpgs/{id}/checkpoints',
      }),
    ).toBe(2);
    expect(total(open, 'mcp_server_operation_duration_count', { mcp_method_name: 'tools/call' })).toBe(7);
    expect(
      total(open, 'mcp_server_operation_duration_count', { mcp_method_name: 'tools/call', error_type: 'tool_error' }),
    ).toBe(2);
    expect(total(open, 'zerto_rewind_sessions')).toBe(1);
    expect(total(open, 'zerto_rewind_children')).toBe(1);
    expect(total(open, 'zerto_rewind_audit_writable')).toBe(1);

    await (client.transport as StreamableHTTPClientTransport).terminateSession();
    await client.close();
    const after = await scrape(serve);
    expect(['sessions', 'children', 'requests_pending'].map((name) => total(after, `zerto_rewind_${name}`))).toEqual([
      0, 0, 0,
    ]);
    expect(total(after, 'mcp_server_session_duration_count')).toBe(1);
  });

  test(`${verifies('F-2')} a stateless client is counted too; nothing that a caller names becomes a label`, async () => {
    const version = '2026-07-28';
    const ask = async (id: number, method: string, params: object, name?: string) => {
      const meta = { 'io.modelcontextprotocol/protocolVersion': version };
      const headers = { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': name };
      const body = { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } };
      return (await serve.post(body, headers)).text();
    };
    await ask(1, 'tools/call', { name: 'ssh_execute', arguments: { host: 'app01', command: 'uptime' } }, 'ssh_execute');
    await ask(2, 'spyglass/method', {});
    await ask(3, 'tools/call', { name: 'spyglass_tool', arguments: { host: 'spyglass.example' } }, 'spyglass_tool');
    const samples = await scrape(serve);
    expect(JSON.stringify(samples)).not.toMatch(/spyglass|metrics-agent|ssh_execute|app01|nowhere/);
    expect(total(samples, 'mcp_server_operation_duration_count', { mcp_method_name: '_OTHER' })).toBe(1);
    expect(
      total(samples, 'mcp_server_operation_duration_count', { mcp_method_name: 'tools/call' }),
    ).toBeGreaterThanOrEqual(2);
    expect(total(samples, 'zerto_rewind_sessions')).toBe(0);
    expect(total(samples, 'zerto_rewind_children')).toBe(1);
  });

  test('an appliance that does not answer shows', async () => {
    const client = await serve.client();
    await simulator.faults.network('down');
    try {
      await client.callTool({ name: 'ssh_execute', arguments: { host: 'app01', command: 'touch /x' } });
    } finally {
      await simulator.faults.network('up');
    }
    const samples = await scrape(serve);
    expect(
      total(samples, 'zerto_rewind_zvm_requests_total', { error_type: 'no_answer', zerto_rewind_site: 'site-a' }),
    ).toBeGreaterThanOrEqual(1);
    expect(calls(samples, { error_type: 'ZVM_UNREACHABLE' })).toBe(1);
    await client.close();
  });

  test.each([
    ['without the token', {}, 'GET', 401],
    ['with another token', { authorization: 'Bearer 0123456789abcdef0123456789abcdef' }, 'GET', 401],
    ['from a page of another site', { origin: 'https://evil.example' }, 'GET', 403],
  ])(`${verifies('F-2')} %s there is nothing to read`, async (_how, headers, method, status) => {
    const response = await page(serve, headers, method);
    expect(response.status).toBe(status);
    expect(await response.text()).not.toContain('zerto_rewind_');
  });

  test('it is read by GET alone', async () => {
    const response = await page(serve, { authorization: `Bearer ${serve.token}` }, 'POST');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
  });
});

describe('in front of a server that speaks HTTP itself', () => {
  test.each(['session', 'json'] as const)(
    `${verifies('F-2')} requests and sessions are counted too (%s)`,
    async (kind) => {
      const upstream = await startHttpServer(kind);
      const serve = await startServe({
        config: { zvm: sitesOf(['site-a', simulator]), mcpServers: { ssh: { url: upstream.url, family: 'ssh' } } },
      });
      try {
        const client = await serve.client();
        await client.listTools();
        await client.callTool({ name: 'ssh_execute', arguments: { host: 'app01', command: 'uptime' } });
        await client.callTool({ name: 'ssh_execute', arguments: { host: 'nowhere', command: 'touch /x' } });
        const waiting = client.callTool({ name: 'ssh_execute', arguments: { host: 'app01', command: 'touch /y' } });
        const pending = async () => total(await scrape(serve), 'zerto_rewind_requests_pending');
        await expect.poll(pending).toBe(1);
        await waiting;
        const open = await scrape(serve);
        expect(total(open, 'mcp_server_operation_duration_count', { mcp_method_name: 'initialize' })).toBe(1);
        expect(total(open, 'mcp_server_operation_duration_count', { mcp_method_name: 'tools/call' })).toBe(3);
        expect(
          total(open, 'mcp_server_operation_duration_count', {
            mcp_method_name: 'tools/call',
            error_type: 'tool_error',
          }),
        ).toBe(1);
        expect(calls(open, { effect: 'read_only', outcome: 'forwarded' })).toBe(1);
        expect(total(open, 'zerto_rewind_sessions')).toBe(1);
        expect(total(open, 'zerto_rewind_requests_pending')).toBe(0);
        expect(total(open, 'zerto_rewind_children')).toBe(0);
        await waiting;
        await (client.transport as StreamableHTTPClientTransport).terminateSession();
        await client.close();
        expect(total(await scrape(serve), 'mcp_server_session_duration_count')).toBe(1);
      } finally {
        await serve.close();
        await upstream.close();
      }
    },
  );
});

describe('a token for /metrics alone', () => {
  test(`${verifies('F-2')} opens that page and no tool; the agents' token does not open it`, async () => {
    const dir = mkdtempSync(join(tmpdir(), 'rewind-metrics-'));
    const file = join(dir, 'metrics.token');
    const serve = await begin(['--metrics-token-file', file]);
    try {
      const token = readFileSync(file, 'utf8').trim();
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(total(await scrape(serve, token), 'zerto_rewind_info')).toBe(1);
      expect((await page(serve, { authorization: `Bearer ${serve.token}` })).status).toBe(401);
      const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
      expect((await serve.post(ping, { authorization: `Bearer ${token}` })).status).toBe(401);
    } finally {
      await serve.close();
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
