import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LineSplitter } from '../../src/wire/lines.js';
import { BIN } from './proxy-process.js';

const RECORDING = join(import.meta.dirname, '..', 'fixtures', 'e2e', 'recording-server.mjs');

export interface RawOptions {
  /** Written as the config file; a text is taken as it is. Without one the proxy finds none. */
  readonly config?: object | string;
  /** Before the command or `--`. */
  readonly options?: readonly string[];
  /** Else the recording server, with these milliseconds between a call's arrival and its answer. */
  readonly downstream?: readonly string[];
  /** The options name a server of the config: there is no command line of one. */
  readonly named?: boolean;
  readonly delayMs?: number;
  /** Replaces variables; `undefined` takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Shared by proxies that have one config and one audit directory. */
  readonly scratch?: string;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: {
    readonly content?: readonly { readonly type: string; readonly text: string }[];
    readonly isError?: boolean;
    readonly tools?: readonly { readonly name: string; readonly description?: string }[];
    readonly _meta?: Readonly<Record<string, unknown>>;
    readonly [member: string]: unknown;
  };
  readonly error?: { readonly code: number; readonly message: string };
}

const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'raw-client', version: '1' },
};

export function scratchDir(): string {
  return mkdtempSync(join(tmpdir(), 'rewind-raw-'));
}

/** A running proxy behind a client that writes and sees the very bytes. */
export class RawProxy {
  readonly scratch: string;
  readonly auditDir: string;
  readonly recorded: string;
  readonly pid: number;
  readonly exit: Promise<Exit>;
  /** Lines that came and were not taken by `next`. */
  readonly lines: Buffer[] = [];
  readonly #child: ChildProcessWithoutNullStreams;
  #stderr = '';
  #over = false;
  #arrived: (() => void)[] = [];

  constructor(options: RawOptions) {
    this.scratch = options.scratch ?? scratchDir();
    this.auditDir = join(this.scratch, 'zerto-rewind-proxy', 'audit');
    this.recorded = join(this.scratch, 'received.jsonl');
    const recording = [process.execPath, RECORDING, this.recorded, String(options.delayMs ?? 0)];
    const command = options.named === true ? [] : ['--', ...(options.downstream ?? recording)];
    const args = [...configArgs(this.scratch, options.config), ...(options.options ?? []), ...command];
    this.#child = spawn(process.execPath, [BIN, ...args], {
      env: { ...process.env, XDG_STATE_HOME: this.scratch, XDG_CONFIG_HOME: this.scratch, ...options.env },
    });
    this.pid = this.#child.pid ?? 0;
    this.#child.stdin.on('error', () => undefined);
    const splitter = new LineSplitter();
    this.#child.stdout.on('data', (chunk: Buffer) => {
      this.lines.push(...splitter.push(chunk));
      this.#wake();
    });
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr += chunk.toString();
    });
    this.exit = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        this.#over = true;
        this.#wake();
        resolve({ code, signal });
      });
    });
  }

  get stderr(): string {
    return this.#stderr;
  }

  send(line: object | string | Buffer): void {
    const bytes = typeof line === 'string' || Buffer.isBuffer(line) ? line : JSON.stringify(line);
    this.#child.stdin.write(bytes);
    this.#child.stdin.write('\n');
  }

  request(id: number | string, method: string, params: object = {}): void {
    this.send({ jsonrpc: '2.0', id, method, params });
  }

  call(id: number | string, name: string, args: object): void {
    this.request(id, 'tools/call', { name, arguments: args });
  }

  async initialize(capabilities: object = {}): Promise<Message> {
    this.request('init', 'initialize', { ...INITIALIZE, capabilities });
    const answer = await this.answer('init');
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  /** The first line that matches, taken out; waits for it. Rejects where the proxy ended without one. */
  async next(matches: (line: Buffer) => boolean = () => true): Promise<Buffer> {
    for (;;) {
      const index = this.lines.findIndex(matches);
      if (index >= 0) return this.lines.splice(index, 1)[0] ?? Buffer.alloc(0);
      if (this.#over) throw new Error(`the proxy ended; ${this.#stderr.slice(-2000)}`);
      await new Promise<void>((resolve) => this.#arrived.push(resolve));
    }
  }

  /** The response with that id. */
  async answer(id: unknown): Promise<Message> {
    return JSON.parse((await this.next((line) => idOf(line) === id)).toString());
  }

  /** The text of a tool's result. */
  async text(id: unknown): Promise<string> {
    const { result, error } = await this.answer(id);
    return result?.content?.map((part) => part.text).join('\n') ?? `error ${error?.code}: ${error?.message}`;
  }

  /** Ends the proxy's stdin. */
  end(): void {
    this.#child.stdin.end();
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Calls that reached the recording server, in order. */
  received(): { readonly at: number; readonly command: string; readonly host?: string }[] {
    return existsSync(this.recorded) ? jsonLines(this.recorded) : [];
  }

  #wake(): void {
    for (const resolve of this.#arrived.splice(0)) resolve();
  }
}

/** Runs a command of the built program to its end. */
export async function runBin(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<Exit & { readonly stdout: string; readonly stderr: string }> {
  const child = spawn(process.execPath, [BIN, ...args], { env: { ...process.env, ...env } });
  const text = { stdout: '', stderr: '' };
  child.stdin.end();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk: Buffer) => {
      text[name] += chunk.toString();
    });
  }
  return new Promise((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, ...text }));
  });
}

/** The id of the receipt that a result carries. */
export function receiptIn({ result }: Message): string | undefined {
  return (result?._meta?.['zerto-rewind/receipt'] as { readonly id: string } | undefined)?.id;
}

/** The values of a JSON Lines file; an unfinished last line is left out. */
export function jsonLines<T>(file: string): T[] {
  const whole = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return whole.map((line) => JSON.parse(line) as T);
}

/** Mulberry32: the same numbers in 0..1 for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function configArgs(scratch: string, config: object | string | undefined): readonly string[] {
  if (config === undefined) return [];
  const file = join(scratch, 'config.json');
  const text = typeof config === 'string' ? config : JSON.stringify(config);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  return ['--config', file];
}

/** Long lines are not parsed to look for an id. */
function idOf(line: Buffer): unknown {
  if (line.length > 1 << 20) return /"id":"?([\w-]+)/.exec(line.toString('latin1', 0, 200))?.[1];
  const message = JSON.parse(line.toString()) as Message | null;
  return typeof message !== 'object' || message === null || 'method' in message ? undefined : message.id;
}
