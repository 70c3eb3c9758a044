import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type CallToolResult, ElicitRequestSchema, type Progress } from '@modelcontextprotocol/sdk/types.js';
import { BIN } from './proxy-process.js';
import { programOf } from './real-servers.js';
import { startServe } from './serve-process.js';

const SERVER = join(import.meta.dirname, '..', 'fixtures', 'e2e', 'http-session-server.mjs');
const MODES = { auto: 'auto', legacy: 'legacy', pinned: { pin: '2026-07-28' } } as const;
type Mode = keyof typeof MODES;

/** A client's own patience, in milliseconds; and what it hears meanwhile, where it asks to be told. */
export interface Waiting {
  readonly timeout?: number;
  readonly resetTimeoutOnProgress?: boolean;
  readonly onprogress?: (told: Progress) => void;
}

/** A real client with the program in front of a server of both eras. */
export interface Agent {
  /** A tool of the proxy's own. */
  native(name: string, args: Record<string, unknown>): Promise<CallToolResult>;
  call(host: string, command: string, waiting?: Waiting): Promise<CallToolResult>;
  /** How often a call with that text has reached the server. */
  reached(text: string): number;
  close(): Promise<void>;
}

export interface AgentOptions {
  /** Without `mcpServers`. */
  readonly config: object;
  /** Answers a question by one of its choices; without it the client cannot be asked. */
  readonly human?: (message: string, choices: readonly string[]) => string;
}

type Start = (options: AgentOptions) => Promise<Agent>;

/** Every client that can wait, answer and come back. */
export const AGENTS = {
  'first SDK': (options) => onStdio(options, firstSdk),
  'second SDK, auto': (options) => onStdio(options, secondSdk('auto')),
  'second SDK, legacy': (options) => onStdio(options, secondSdk('legacy')),
  'second SDK, pinned': (options) => onStdio(options, secondSdk('pinned')),
  'second SDK, pinned, over serve': overServe,
  'first SDK behind mcp-remote, over serve': overMcpRemote,
} as const satisfies Readonly<Record<string, Start>>;
export type AgentName = keyof typeof AGENTS;
export const AGENT_NAMES = Object.keys(AGENTS) as AgentName[];

interface Command {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}
/** What this module needs of either SDK's client. */
interface Connected {
  callTool(call: { name: string; arguments: Record<string, unknown> }, waiting: Waiting): Promise<unknown>;
  close(): Promise<void>;
}
type Connect = (at: Command, human: AgentOptions['human']) => Promise<Connected>;

/** A directory with the config of one program. */
export function place(config: object): { readonly dir: string; readonly file: string; readonly log: string } {
  const dir = mkdtempSync(join(tmpdir(), 'rewind-agent-'));
  const file = join(dir, 'config.json');
  const log = join(dir, 'received.log');
  writeFileSync(file, JSON.stringify({ ...config, mcpServers: { ssh: server(log) } }));
  return { dir, file, log };
}

const server = (log: string) => ({ command: process.execPath, args: [SERVER, log], family: 'ssh' });

/** How often a call with that text stands in the server's own record. */
export function reachedIn(log: string, text: string): number {
  const lines = readFileSync(log, 'utf8').split('\n');
  return lines.filter((line) => line.includes('tools/call') && line.includes(text)).length;
}

async function onStdio({ config, human }: AgentOptions, connect: Connect): Promise<Agent> {
  const { dir, file, log } = place(config);
  const env = { ...(process.env as Record<string, string>), XDG_STATE_HOME: dir };
  const client = await connect({ command: process.execPath, args: [BIN, '--config', file], env }, human);
  return agent(client, log, async () => rmSync(dir, { recursive: true, force: true }));
}

async function overServe({ config, human }: AgentOptions): Promise<Agent> {
  const { serve, log } = await serving(config);
  const client = secondClient('pinned', human);
  const headers = { authorization: `Bearer ${serve.token}` };
  await client.connect(new HttpV2(serve.url, { requestInit: { headers } }));
  return agent(client, log, () => serve.close());
}

async function overMcpRemote({ config, human }: AgentOptions): Promise<Agent> {
  const { serve, log } = await serving(config);
  const header = `Authorization: Bearer ${serve.token}`;
  const args = [programOf('mcp-remote'), serve.url.href, '--allow-http', '--header', header];
  const env = { ...(process.env as Record<string, string>), HOME: serve.scratch };
  const client = await firstSdk({ command: process.execPath, args, env }, human);
  return agent(client, log, () => serve.close());
}

async function serving(config: object) {
  let log = '';
  const serve = await startServe({
    config: (scratch) => {
      log = join(scratch, 'received.log');
      return { ...config, mcpServers: { ssh: server(log) } };
    },
  });
  return { serve, log };
}

function agent(client: Connected, log: string, end: () => Promise<void>): Agent {
  return {
    native: async (name, args) => (await client.callTool({ name, arguments: args }, {})) as CallToolResult,
    call: async (host, command, waiting = {}) =>
      (await client.callTool({ name: 'ssh_execute', arguments: { host, command } }, waiting)) as CallToolResult,
    reached: (text) => reachedIn(log, text),
    close: async () => {
      await client.close();
      await end();
    },
  };
}

async function firstSdk({ command, args, env }: Command, human: AgentOptions['human']): Promise<Connected> {
  const client = new Client({ name: 'first', version: '1' }, { capabilities: human ? { elicitation: {} } : {} });
  if (human !== undefined)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params as unknown as Question, human));
  await client.connect(new StdioClientTransport({ command, args, env, stderr: 'ignore' }));
  return {
    callTool: (call, waiting) => client.callTool(call, undefined, waiting),
    close: () => client.close(),
  };
}

function secondSdk(mode: Mode): Connect {
  return async ({ command, args, env }, human) => {
    const client = secondClient(mode, human);
    await client.connect(new StdioV2({ command, args, env, stderr: 'ignore' }));
    return client;
  };
}

function secondClient(mode: Mode, human: AgentOptions['human']): ClientV2 {
  const client = new ClientV2(
    { name: 'second', version: '2' },
    { capabilities: human ? { elicitation: {} } : {}, versionNegotiation: { mode: MODES[mode] } },
  );
  if (human !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }) => answer(params as unknown as Question, human));
  return client;
}

interface Question {
  readonly message: string;
  readonly requestedSchema: { readonly properties: { readonly choice: { readonly enum: readonly string[] } } };
}

function answer({ message, requestedSchema }: Question, human: NonNullable<AgentOptions['human']>) {
  return { action: 'accept' as const, content: { choice: human(message, requestedSchema.properties.choice.enum) } };
}
