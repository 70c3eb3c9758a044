import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  type CallToolResult,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  type Progress,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BIN, textOf } from '../support/proxy-process.js';
import { programOf } from '../support/real-servers.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { verifies } from './requirements.js';

const EVERYTHING = [process.execPath, programOf('@modelcontextprotocol/server-everything'), 'stdio'] as const;
const FILES = [process.execPath, programOf('@modelcontextprotocol/server-filesystem')] as const;

const readOnly = (example: Readonly<Record<string, unknown>> = {}) => ({
  roles: Object.fromEntries(Object.keys(example).map((name) => [name, 'option'])),
  effect: 'read_only',
  examples: [{ arguments: example, effect: 'read_only' }],
});
/** What an operator says of tools that touch no VM. */
const RULES = {
  echo: readOnly({ message: 'x' }),
  'get-sum': readOnly({ a: 1, b: 2 }),
  'get-tiny-image': readOnly(),
  'get-structured-content': readOnly({ location: 'x' }),
  'get-annotated-message': readOnly({ messageType: 'x', includeImage: true }),
  'get-resource-links': readOnly({ count: 1 }),
  'get-roots-list': readOnly(),
  'trigger-long-running-operation': readOnly({ duration: 1, steps: 2 }),
  'trigger-elicitation-request': readOnly(),
  'trigger-sampling-request': readOnly({ prompt: 'x', maxTokens: 1 }),
  read_text_file: readOnly({ path: 'x' }),
  list_directory: readOnly({ path: 'x' }),
  list_allowed_directories: readOnly(),
};

let scratch: string;
let config: string;
const open: { close(): Promise<unknown> }[] = [];

beforeAll(async () => {
  scratch = await realpath(mkdtempSync(join(tmpdir(), 'rewind-published-')));
  config = join(scratch, 'config.json');
  writeFileSync(config, JSON.stringify({ classifier: { tools: RULES } }));
});
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A client of the first SDK that answers whatever a server asks. */
async function connect(command: readonly string[]): Promise<Client> {
  const client = new Client(
    { name: 'published', version: '1' },
    { capabilities: { elicitation: {}, sampling: {}, roots: { listChanged: true } } },
  );
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada', integer: 42 } }));
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    model: 'm',
    role: 'assistant',
    content: { type: 'text', text: 'sampled' },
  }));
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: `file://${scratch}`, name: 'scratch' }] }));
  const [program = '', ...args] = command;
  const env = { ...(process.env as Record<string, string>), XDG_STATE_HOME: scratch, HOME: scratch };
  await client.connect(new StdioClientTransport({ command: program, args, env, stderr: 'ignore' }));
  open.push(client);
  return client;
}

const wrapped = (...downstream: readonly string[]) => [process.execPath, BIN, '--config', config, '--', ...downstream];
const call = async (client: Client, name: string, args: object = {}) =>
  (await client.callTool({ name, arguments: { ...args } })) as CallToolResult;

/** What a client sees of the everything server: lists, results of every kind, questions to the client. */
async function tour(client: Client) {
  const progress: Progress[] = [];
  const long = { name: 'trigger-long-running-operation', arguments: { duration: 0.2, steps: 4 } };
  // Its conditional tools come after a look at the client's roots.
  await expect.poll(async () => (await client.listTools()).tools.map(({ name }) => name)).toContain('get-roots-list');
  const { tools } = await client.listTools();
  return {
    server: client.getServerVersion(),
    instructions: client.getInstructions(),
    capabilities: client.getServerCapabilities(),
    tools: tools.filter(({ name }) => !name.startsWith('zerto_')),
    prompts: await client.listPrompts(),
    prompt: await client.getPrompt({ name: 'args-prompt', arguments: { city: 'Paris' } }),
    resources: await client.listResources(),
    templates: await client.listResourceTemplates(),
    completion: await client.complete({
      ref: { type: 'ref/prompt', name: 'completable-prompt' },
      argument: { name: 'department', value: 'E' },
    }),
    echo: await call(client, 'echo', { message: 'hé' }),
    sum: await call(client, 'get-sum', { a: 1, b: 2 }),
    wrong: await call(client, 'get-sum', { a: 'x', b: 2 }),
    image: await call(client, 'get-tiny-image'),
    structured: await call(client, 'get-structured-content', { location: 'Chicago' }),
    annotated: await call(client, 'get-annotated-message', { messageType: 'error', includeImage: true }),
    links: (await call(client, 'get-resource-links', { count: 2 })).content.map(({ type }) => type),
    roots: await call(client, 'get-roots-list'),
    elicited: await call(client, 'trigger-elicitation-request'),
    sampled: await call(client, 'trigger-sampling-request', { prompt: 'p', maxTokens: 10 }),
    long: await client.callTool(long, undefined, { onprogress: (told) => progress.push(told) }),
    progress: expectRising(progress),
  };
}

/** The SDK loses what it reads together with the answer, with and without a proxy. */
function expectRising(told: readonly Progress[]): undefined {
  expect([3, 4]).toContain(told.length);
  expect(told).toEqual([1, 2, 3, 4].slice(0, told.length).map((progress) => ({ progress, total: 4 })));
}

describe('server-everything', () => {
  let direct: Promise<Awaited<ReturnType<typeof tour>>>;
  const plainly = async () => {
    direct ??= connect(EVERYTHING).then(tour);
    return await direct;
  };

  test(`${verifies('T-1', 'T-3', 'T-5')} shows a client on stdio the same with and without the proxy`, async () => {
    const expected = await plainly();
    const seen = await tour(await connect(wrapped(...EVERYTHING)));
    expect(seen).toEqual(expected);
    expect(textOf(seen.elicited)).toContain('Ada');
    expect(textOf(seen.sampled)).toContain('sampled');
    expect(textOf(seen.roots)).toContain('scratch');
  });

  test(`${verifies('T-1')} a cancelled call ends, and the next is served`, async () => {
    const client = await connect(wrapped(...EVERYTHING));
    const stop = new AbortController();
    const long = { name: 'trigger-long-running-operation', arguments: { duration: 30, steps: 300 } };
    const calling = client.callTool(long, undefined, { signal: stop.signal, onprogress: () => stop.abort() });
    await expect(calling).rejects.toThrow();
    expect(textOf(await call(client, 'echo', { message: 'after' }))).toContain('after');
  });

  test(`${verifies('T-1', 'F-2')} mcp-remote in front of serve shows a client on stdio the same too`, async () => {
    const [command, ...args] = EVERYTHING;
    const serve: ServeProcess = await startServe({
      config: { mcpServers: { everything: { command, args } }, classifier: { tools: RULES } },
    });
    open.push(serve);
    const header = `Authorization: Bearer ${serve.token}`;
    const remote = [process.execPath, programOf('mcp-remote'), serve.url.href, '--allow-http', '--header', header];
    expect(await tour(await connect(remote))).toEqual(await plainly());
  });

  test(`${verifies('T-1')} mcp-inspector --cli prints the same`, () => {
    const [command, ...args] = EVERYTHING;
    const line = EVERYTHING.map((word) => `'${word}'`).join(' ');
    const through = { command: process.execPath, args: [BIN, '--config', config, '--command', line] };
    const file = join(scratch, 'client.json');
    writeFileSync(file, JSON.stringify({ mcpServers: { plain: { command, args }, through } }));
    const inspect = (server: string) => {
      const inspector = [programOf('@modelcontextprotocol/inspector'), '--cli', '--config', file, '--server', server];
      const rest = ['--method', 'tools/call', '--tool-name', 'echo', '--tool-arg', 'message=hello'];
      const env = { ...process.env, XDG_STATE_HOME: scratch };
      return spawnSync(process.execPath, [...inspector, ...rest], { env, encoding: 'utf8' }).stdout;
    };
    const plain = inspect('plain');
    expect(plain).toContain('Echo: hello');
    expect(inspect('through')).toBe(plain);
  });
});

describe('server-filesystem', () => {
  test(`${verifies('T-1', 'G-1')} reads as without the proxy; a write that names no VM is not sent`, async () => {
    const dir = join(scratch, 'files');
    mkdirSync(dir, { recursive: true });
    const file = join(dir, 'motd');
    writeFileSync(file, 'welcome\n');
    const allowed = async (client: Client) => textOf(await call(client, 'list_allowed_directories'));
    const look = async (client: Client) => ({
      tools: (await client.listTools()).tools.filter(({ name }) => !name.startsWith('zerto_')),
      allowed: await call(client, 'list_allowed_directories'),
      listed: await call(client, 'list_directory', { path: dir }),
      read: await call(client, 'read_text_file', { path: file }),
      outside: await call(client, 'read_text_file', { path: '/etc/hostname' }),
    });
    const plain = await connect([...FILES, dir]);
    const client = await connect(wrapped(...FILES, dir));
    // It takes over the client's roots once it has asked for them.
    for (const each of [plain, client]) await expect.poll(() => allowed(each)).not.toContain('files');
    const expected = await look(plain);
    expect(await look(client)).toEqual(expected);
    expect(textOf(expected.read)).toContain('welcome');
    const write = await call(client, 'write_file', { path: file, content: 'changed' });
    expect(write.isError).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe('welcome\n');
  });
});
