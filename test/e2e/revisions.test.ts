import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONFORMANCE_RULES, CONFORMANCE_SERVER } from '../support/conformance.js';
import { BIN } from '../support/proxy-process.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { verifies } from './requirements.js';

const BOTH = join(import.meta.dirname, '..', 'fixtures', 'e2e', 'http-session-server.mjs');
const MODES = { auto: 'auto', legacy: 'legacy', pinned: { pin: '2026-07-28' } } as const;

type Mode = keyof typeof MODES;
type Transport = Parameters<Client['connect']>[0];

/** A server, and a call of it that only reads. */
const SERVERS = {
  'both revisions': { file: BOTH, call: { name: 'ssh_execute', arguments: { host: 'app01', command: 'uptime' } } },
  'the older revisions': { file: CONFORMANCE_SERVER, call: { name: 'test_simple_text', arguments: {} } },
} as const;
type Name = keyof typeof SERVERS;
const NAMES = Object.keys(SERVERS) as Name[];

let scratch: string;
const serves = new Map<Name, ServeProcess>();

const commandOf = (name: Name) => ({
  command: process.execPath,
  args: [SERVERS[name].file, join(scratch, 'received.log')].slice(0, name === 'both revisions' ? 2 : 1),
});
const configOf = (name: Name) => ({
  mcpServers: { one: { ...commandOf(name), family: 'ssh' } },
  classifier: { tools: name === 'both revisions' ? {} : CONFORMANCE_RULES },
});

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'rewind-revisions-'));
  for (const name of NAMES) serves.set(name, await startServe({ config: configOf(name) }));
});
afterAll(async () => {
  for (const serve of serves.values()) await serve.close();
  rmSync(scratch, { recursive: true, force: true });
});

function plainly(name: Name): Transport {
  return new StdioClientTransport({ ...commandOf(name), stderr: 'ignore' });
}

function wrapped(name: Name): Transport {
  const config = join(scratch, `${name}.json`);
  writeFileSync(config, JSON.stringify(configOf(name)));
  const env = { ...(process.env as Record<string, string>), XDG_STATE_HOME: scratch };
  return new StdioClientTransport({
    command: process.execPath,
    args: [BIN, '--config', config],
    env,
    stderr: 'ignore',
  });
}

function served(name: Name): Transport {
  const { url, token } = serves.get(name) as ServeProcess;
  return new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${token}` } } });
}

/** The revision that a client of the second SDK ends up with, and what it gets then; or that it could not connect. */
async function meet(mode: Mode, name: Name, transport: Transport): Promise<object> {
  const client = new Client({ name: 'second', version: '2' }, { versionNegotiation: { mode: MODES[mode] } });
  try {
    await client.connect(transport);
  } catch {
    return { connected: false };
  }
  const { tools } = await client.listTools();
  const { content } = await client.callTool({ ...SERVERS[name].call });
  const seen = {
    connected: true,
    revision: client.getNegotiatedProtocolVersion(),
    server: client.getServerVersion()?.name,
    tools: tools.filter((tool) => !tool.name.startsWith('zerto_')).map((tool) => tool.name),
    content,
  };
  await client.close();
  return seen;
}

const EXPECTED: Readonly<Record<Name, Readonly<Record<Mode, string | undefined>>>> = {
  'both revisions': { auto: '2026-07-28', legacy: '2025-11-25', pinned: '2026-07-28' },
  'the older revisions': { auto: '2025-11-25', legacy: '2025-11-25', pinned: undefined },
};

describe.each(NAMES)('a server of %s', (name) => {
  test.each(Object.keys(MODES) as Mode[])(
    `${verifies('T-2')} and a client of the second SDK agree on the same revision through the proxy (%s)`,
    async (mode) => {
      const revision = EXPECTED[name][mode];
      const plain = await meet(mode, name, plainly(name));
      expect(plain).toMatchObject(revision === undefined ? { connected: false } : { revision });
      expect(await meet(mode, name, wrapped(name))).toEqual(plain);
      expect(await meet(mode, name, served(name))).toEqual(plain);
    },
  );
});

const OLDER = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;

/** A session of that revision as it was written: an answer for each request, by its id. */
const linesOf = (revision: string): readonly object[] => [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'old', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'ping' },
  { jsonrpc: '2.0', id: 3, method: 'tools/list' },
  { jsonrpc: '2.0', id: 4, method: 'prompts/list' },
  { jsonrpc: '2.0', id: 5, method: 'resources/list' },
  { jsonrpc: '2.0', id: 6, method: 'tools/call', params: { name: 'test_simple_text', arguments: {} } },
];

/** What a server, or the proxy before it, answers to that session on stdio: each request waits for the answer before. */
async function talk(command: readonly string[], revision: string): Promise<readonly string[]> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    env: { ...process.env, XDG_STATE_HOME: scratch },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const answers: string[] = [];
    for (const line of linesOf(revision)) {
      child.stdin.write(`${JSON.stringify(line)}\n`);
      while ('id' in line) {
        const { value, done } = await lines.next();
        if (done === true) throw new Error('the server is gone');
        if (JSON.parse(String(value)).id !== line.id) continue;
        answers.push(String(value));
        break;
      }
    }
    return answers;
  } finally {
    child.kill();
  }
}

test.each(OLDER)(`${verifies('T-2')} a session of revision %s passes as the server speaks it`, async (revision) => {
  const config = join(scratch, `older-${revision}.json`);
  writeFileSync(config, JSON.stringify({ classifier: { tools: CONFORMANCE_RULES } }));
  const server = [process.execPath, CONFORMANCE_SERVER];
  const plain = await talk(server, revision);
  const through = await talk([process.execPath, BIN, '--config', config, '--', ...server], revision);
  expect(JSON.parse(plain[0] ?? '').result.protocolVersion).toBe(revision);
  const toolsOf = (line = ''): unknown[] => {
    const { tools } = JSON.parse(line).result as { tools: { name: string }[] };
    return tools.filter(({ name }) => !name.startsWith('zerto_'));
  };
  expect(toolsOf(through[2])).toEqual(toolsOf(plain[2]));
  // All but the list of tools are the very bytes.
  expect(through.toSpliced(2, 1)).toEqual(plain.toSpliced(2, 1));
});
