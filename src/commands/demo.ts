import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type CallToolResult, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { verify } from '../audit/verify.js';
import { loadConfig } from '../config/load.js';
import { stateDir } from '../config/paths.js';
import type { Receipt } from '../domain/receipt.js';
import { visible } from '../domain/text.js';
import type { Context } from './context.js';
import { type DemoSshServer, startDemoSshServer } from './demo-ssh-server.js';
import { createStory, type Story } from './demo-story.js';

const ORIGINAL = `# The web application's settings.
listen = 8080
workers = 4
log_level = "info"
`;
const BAD_EDIT = `printf 'listen = 0\\n' > etc/app.conf`;
const GUEST_PATH = '/etc/app.conf';

/** How the command is called. */
export const USAGE = `usage: zerto-rewind-proxy [--config FILE] demo
       the whole loop on the embedded appliance, in a clone (npm ci && npm run demo): the SSH server and the ssh-mcp that it starts
       come with a clone, not with the installed package. Without --config it runs with the clone's own proxy.config.json
`;

/** It has none. */
export const OPTIONS = {} as const;

/**
 * The whole loop on the embedded appliance, with a real MCP client, the real ssh-mcp and real SSH: a read passes, a bad edit is
 * preceded by a tag, the file comes back from the journal after a human's yes. Exit code 0 only if its bytes equal the original.
 */
export async function demo(args: readonly string[], context: Context): Promise<number> {
  const problem = args.length > 0 ? 'it takes no arguments' : (notInClone() ?? (await notEmbedded(context)));
  if (problem !== undefined) {
    context.io.stderr.write(`demo: ${problem}\n${USAGE}`);
    return 2;
  }
  const story = createStory(context.io.stdout);
  const scratch = await mkdtemp(join(tmpdir(), 'zerto-rewind-demo-'));
  const state = join(scratch, 'state');
  const disk = join(
    stateDir({ ...context.surroundings, env: { XDG_STATE_HOME: state } }),
    'simulator',
    'disks',
    'app01',
  );
  let ssh: DemoSshServer | undefined;
  try {
    await mkdir(join(disk, 'etc'), { recursive: true });
    await mkdir(join(scratch, 'home'));
    await writeFile(join(disk, 'etc', 'app.conf'), ORIGINAL);
    ssh = await startDemoSshServer(disk);
    story.say(
      `An SSH server listens on 127.0.0.1:${ssh.port}. Its commands run in ${disk}, which stands for the disk of VM app01.`,
    );
    const session = await connect(context, scratch, state, ssh, story);
    try {
      await Promise.race([loop(session, disk, story), stopped(context.signal)]);
    } finally {
      await session.client.close();
    }
    return await closing(context, state, disk, story);
  } catch (error) {
    story.say(`FAILED: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  } finally {
    await ssh?.close();
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The config that the demo runs with: the one that was named, else the clone's own. */
function configOf({ options }: Context): string {
  return options.config ?? fileURLToPath(new URL('../../../proxy.config.json', import.meta.url));
}

/** What it starts comes with a clone alone. */
function notInClone(): string | undefined {
  const { resolve } = createRequire(import.meta.url);
  try {
    for (const needed of ['ssh2/package.json', 'ssh-mcp/package.json']) resolve(needed);
    return undefined;
  } catch {
    return 'it runs in a clone of the project, not in the installed package. In a clone: npm ci && npm run demo';
  }
}

/** Why the demo cannot run with its config: it makes tags, which only the embedded appliance may get. */
async function notEmbedded(context: Context): Promise<string | undefined> {
  const file = configOf(context);
  const { zvm, mcpServers, system, locked } = await loadConfig({ ...context.surroundings, file, secrets: 'later' });
  if (system !== undefined || locked !== undefined)
    return 'a system config decides on this machine, and the demo needs its own';
  if (zvm?.kind !== 'simulator')
    return `${visible(file)} does not say "zvm": "simulator", and the demo runs on nothing else`;
  return mcpServers['ssh'] === undefined ? `${visible(file)} has no server "ssh" in mcpServers` : undefined;
}

async function stopped(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw new Error('stopped');
}

interface Session {
  readonly client: Client;
  call(name: string, args: Record<string, unknown>): Promise<CallToolResult>;
}

/** Starts the proxy as an MCP client would, around npm `ssh-mcp`, with the config that this command was given. */
async function connect(
  context: Context,
  scratch: string,
  state: string,
  ssh: DemoSshServer,
  story: Story,
): Promise<Session> {
  const sshMcp = await programOf('ssh-mcp');
  const toml = await sshMcpConfig(join(scratch, 'ssh-mcp'), ssh);
  const bin = fileURLToPath(new URL('../main.js', import.meta.url));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, '--config', configOf(context), '--as', 'ssh', '--', process.execPath, sshMcp, `--config=${toml}`],
    env: { ...(process.env as Record<string, string>), ...homeIn(scratch), XDG_STATE_HOME: state },
    stderr: 'pipe',
  });
  const client = new Client({ name: 'demo-agent', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    const choice = 'requestedSchema' in params ? firstChoice(params.requestedSchema) : undefined;
    story.say('The client asks the human:', params.message);
    story.say(`The human (scripted here) answers: ${choice ?? 'no'}`);
    return choice === undefined ? { action: 'decline' } : { action: 'accept', content: { choice } };
  });
  if (transport.stderr !== null) {
    createInterface({ input: transport.stderr as Readable }).on('line', (line) => story.proxyLog(line));
  }
  await client.connect(transport);
  story.say('A real MCP client is connected, through the proxy, to npm ssh-mcp.');
  const { tools } = await client.listTools();
  const own = tools.filter(({ name }) => name.startsWith('zerto_'));
  story.say(`It sees ${tools.length - own.length} tools of ssh-mcp and ${own.length} of the proxy.`);
  const call = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args }, undefined, { timeout: 60_000 })) as CallToolResult;
  return { client, call };
}

/** Where ssh-mcp and others leave their own files, away from the user's. */
function homeIn(scratch: string): Readonly<Record<string, string>> {
  const home = join(scratch, 'home');
  const places = ['XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'APPDATA', 'LOCALAPPDATA'];
  return { HOME: home, USERPROFILE: home, ...Object.fromEntries(places.map((name) => [name, join(home, name)])) };
}

/** The program that a package of the clone starts by its name. */
async function programOf(name: string): Promise<string> {
  const file = createRequire(import.meta.url).resolve(`${name}/package.json`);
  const { bin } = JSON.parse(await readFile(file, 'utf8')) as { bin: string | Record<string, string> };
  return join(dirname(file), typeof bin === 'string' ? bin : (bin[name] ?? ''));
}

async function sshMcpConfig(dir: string, { port, privateKey }: DemoSshServer): Promise<string> {
  await mkdir(dir, { mode: 0o700 });
  const key = join(dir, 'id');
  await writeFile(key, privateKey, { mode: 0o600 });
  const file = join(dir, 'config.toml');
  const toml = `[defaults]
defaultProfile = "app01"
approvalMode = "auto"

[[profiles]]
name = "app01"
host = "127.0.0.1"
port = ${port}
user = "demo"
auth = "key"
keyRef = ${JSON.stringify(key)}
role = "admin"
group = "dev"
approvalPolicy = "auto"
`;
  await writeFile(file, toml, { mode: 0o600 });
  await chmod(dir, 0o700);
  return file;
}

async function loop({ call }: Session, disk: string, story: Story): Promise<void> {
  story.step('A read goes straight through');
  const before = await story.timed('run-command: cat etc/app.conf', () =>
    call('run-command', { command: 'cat etc/app.conf' }),
  );
  story.say('The answer:', textOf(before));
  if (receiptOf(before) !== undefined) throw new Error('a read must have no receipt');

  story.step('A bad edit is preceded by a tag');
  const edit = await story.timed(`run-command: ${BAD_EDIT}`, () => call('run-command', { command: BAD_EDIT }));
  const receipt = receiptOf(edit);
  if (receipt === undefined) throw new Error(`the edit came back without a receipt: ${textOf(edit)}`);
  story.say('The file is now:', await readFile(join(disk, 'etc', 'app.conf'), 'utf8'));
  story.say('The receipt, in the result under _meta:', JSON.stringify(receipt, undefined, 2));

  story.step('The file comes back from the journal, after a human said yes');
  const recovered = await story.timed(`zerto_recover_file: ${GUEST_PATH} of receipt ${receipt.id}`, () =>
    call('zerto_recover_file', { receipt: receipt.id, path: GUEST_PATH }),
  );
  if (recovered.isError === true) throw new Error(textOf(recovered));
  const content = contentOf(recovered);
  story.say('Recovered:', textOf(recovered));
  same('the recovered bytes', content, ORIGINAL);
  story.say(`Its sha256 equals the original's: ${sha256(content)}`);

  story.step('The agent writes it back; that is a change, so it is preceded by a tag, too');
  const base64 = Buffer.from(content).toString('base64');
  const command = `echo ${base64} | base64 -d > etc/app.conf`;
  const written = await story.timed('run-command: echo … | base64 -d > etc/app.conf', () =>
    call('run-command', { command }),
  );
  if (written.isError === true) throw new Error(textOf(written));
}

async function closing(context: Context, state: string, disk: string, story: Story): Promise<number> {
  const config = await readFile(join(disk, 'etc', 'app.conf'), 'utf8');
  same('the file on the disk', config, ORIGINAL);
  story.step('The record');
  const dir = join(stateDir({ ...context.surroundings, env: { XDG_STATE_HOME: state } }), 'audit');
  const { ok, files } = await verify(dir);
  if (!ok) throw new Error('the audit log does not verify');
  const records = files.reduce((sum, file) => sum + file.records, 0);
  story.say(`audit verify: ${records} records in ${files.length} file, the chain is whole.`);
  story.end(`The file on the disk is byte for byte the original (sha256 ${sha256(config)}).`);
  return 0;
}

function firstChoice(schema: unknown): string | undefined {
  const { properties } = schema as { properties?: { choice?: { enum?: unknown[] } } };
  const first = properties?.choice?.enum?.[0];
  return typeof first === 'string' ? first : undefined;
}

function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
}

function receiptOf({ _meta }: CallToolResult): Receipt | undefined {
  return _meta?.['zerto-rewind/receipt'] as Receipt | undefined;
}

function contentOf({ structuredContent }: CallToolResult): string {
  const { encoding, content } = (structuredContent ?? {}) as { encoding?: 'utf-8' | 'base64'; content?: string };
  return Buffer.from(content ?? '', encoding === 'base64' ? 'base64' : 'utf8').toString('utf8');
}

function same(what: string, is: string, was: string): void {
  if (is !== was) throw new Error(`${what} differ from the original`);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
