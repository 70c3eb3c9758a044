import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type CallRecords, readCalls } from '../../src/audit/calls.js';
import { BIN } from './proxy-process.js';

export interface ServeOptions {
  /** A function gets the scratch directory. */
  readonly config: object | ((scratch: string) => object);
  readonly options?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A running `serve` on a free loopback port. */
export interface ServeProcess {
  readonly url: URL;
  readonly pid: number;
  readonly token: string;
  readonly scratch: string;
  readonly child: ChildProcess;
  readonly stderr: () => string;
  /** Resolves to the exit code. */
  readonly exit: Promise<number | null>;
  /** A request with the token and the headers that a client sends; these can be replaced, or left out with undefined. */
  post(body: string | Buffer | object, headers?: Headers, init?: RequestInit): Promise<Response>;
  send(method: string, headers?: Headers, init?: RequestInit): Promise<Response>;
  transport(): StreamableHTTPClientTransport;
  client(name?: string, capabilities?: object): Promise<Client>;
  audit(): Promise<CallRecords[]>;
  close(): Promise<void>;
}

type Headers = Readonly<Record<string, string | undefined>>;

export async function startServe({ config, options = [], env }: ServeOptions): Promise<ServeProcess> {
  const scratch = mkdtempSync(join(tmpdir(), 'rewind-serve-'));
  const file = join(scratch, 'config.json');
  writeFileSync(file, JSON.stringify(typeof config === 'function' ? config(scratch) : config));
  const child = spawn(process.execPath, [BIN, '--config', file, 'serve', '--listen', '127.0.0.1:0', ...options], {
    env: { ...process.env, XDG_STATE_HOME: scratch, XDG_CONFIG_HOME: scratch, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const url = new URL(await listening(() => stderr, exit));
  const tokenFile = join(scratch, 'zerto-rewind-proxy', 'serve.token');
  const token = existsSync(tokenFile) ? readFileSync(tokenFile, 'utf8').trim() : '';
  const send: ServeProcess['send'] = (method, headers = {}, init = {}) => {
    const all = { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream', ...headers };
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return fetch(url, { method, headers: given, ...init });
  };
  const transport = () =>
    new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${token}` } } });
  return {
    url,
    pid: child.pid ?? 0,
    token,
    scratch,
    child,
    stderr: () => stderr,
    exit,
    send,
    transport,
    post: (body, headers = {}, init = {}) => {
      const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
      return send('POST', { 'content-type': 'application/json', ...headers }, { body: bytes, ...init });
    },
    client: async (name = 'http-agent', capabilities = {}) => {
      const client = new Client({ name, version: '1' }, { capabilities });
      await client.connect(transport());
      return client;
    },
    audit: async () => {
      const calls: CallRecords[] = [];
      const dir = join(scratch, 'zerto-rewind-proxy', 'audit');
      if (!existsSync(dir)) return calls;
      for await (const call of readCalls(dir)) calls.push(call);
      return calls;
    },
    close: async () => {
      child.kill('SIGTERM');
      await exit;
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

async function listening(stderr: () => string, exit: Promise<unknown>): Promise<string> {
  let over = false;
  void exit.then(() => {
    over = true;
  });
  for (;;) {
    const url = /listening on (http:\S+\/mcp);/.exec(stderr())?.[1];
    if (url !== undefined) return url;
    if (over) throw new Error(`serve ended: ${stderr()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
