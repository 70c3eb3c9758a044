import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
