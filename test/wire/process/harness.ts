import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Answer, ToolCall } from '../../../src/domain/call.js';
import type { Logger } from '../../../src/domain/ports.js';
import { type Child, startChild } from '../../../src/wire/child.js';
import type { DownstreamEnd } from '../../../src/wire/downstream-end.js';
import { LineSplitter } from '../../../src/wire/lines.js';
import { startMany } from '../../../src/wire/many/many.js';
import { type Ends, Relay, type RelayDeps } from '../../../src/wire/relay.js';
import { oneServer } from '../../../src/wire/relay-servers.js';
import { runStdio } from '../../../src/wire/relay-stdio.js';
import { mintPermit } from '../../support/permit.js';

const SERVER = fileURLToPath(new URL('../../fixtures/wire/server.mjs', import.meta.url));

export interface LogEntry {
  readonly level: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

export function recordingLog(): { log: Logger; entries: LogEntry[] } {
  const entries: LogEntry[] = [];
  const at = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) => {
    entries.push({ level, fields, message });
  };
  return { log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }, entries };
}

type Handle = RelayDeps['handle'];

/** One of several servers: its options as for a single one, and how it is started where not as the raw server. */
export interface MemberOptions {
  readonly name: string;
  readonly options?: object;
  readonly command?: string;
  readonly args?: readonly string[];
}

export interface RelayOptions {
  /** Several servers as one, in the place of `server` and `command`. */
  readonly members?: readonly MemberOptions[];
  readonly restartMs?: number;
  readonly patienceMs?: number;
  readonly server?: object;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly native?: RelayDeps['native'];
  readonly agentName?: string;
  readonly openMs?: number;
  readonly every?: RelayDeps['every'];
  readonly handle?: (relay: () => Relay) => Handle;
}

/** Forwards every call on a permit of its own. */
const forwardAll =
  (relay: () => Relay): Handle =>
  (call) =>
    relay().forward(call, mintPermit(call));

/** A relay over a real child process, and a client that sees the very bytes. */
export class Harness {
  readonly child: DownstreamEnd;
  readonly relay: Relay;
  readonly log: LogEntry[];
  readonly calls: ToolCall[] = [];
  readonly received: string[] = [];
  readonly exit: Promise<number>;
  /** Of every process that was started. */
  readonly pids: number[] = [];
  readonly stop = new AbortController();
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  #arrived: (() => void) | undefined;
  #closed = false;

  constructor(options: RelayOptions = {}) {
    const { log, entries } = recordingLog();
    this.log = entries;
    const env = options.env ?? process.env;
    const raw = (server: object | undefined) => [SERVER, JSON.stringify(server ?? {})];
    const start = (command = process.execPath, args: readonly string[]): Child => {
      const child = startChild({ command, args, env, log, stderr: 'ignore' });
      if (child.pid !== undefined) this.pids.push(child.pid);
      return child;
    };
    const many =
      options.members &&
      startMany({
        members: options.members.map(({ name, options: server, command, args }) => ({
          server: { name },
          start: () => start(command, args ?? raw(server)),
        })),
        self: { name: 'the-proxy', version: '1' },
        log,
        restartMs: options.restartMs,
        patienceMs: options.patienceMs,
      });
    this.child = many ?? start(options.command, options.args ?? raw(options.server));
    const handle = (options.handle ?? forwardAll)(() => this.relay);
    let ids = 0;
    const deps: Omit<RelayDeps, keyof Ends> = {
      servers: many ?? oneServer({ name: 'raw-server' }),
      session: 'session_1',
      log,
      native: options.native ?? { tools: () => [], call: () => Promise.reject(new Error('no native tools')) },
      handle: (call, cancel): Promise<Answer> => {
        this.calls.push(call);
        return handle(call, cancel);
      },
      digest: (...parts) => JSON.stringify(parts),
      newCallId: () => `call_${++ids}`,
      agentName: options.agentName,
      openMs: options.openMs ?? 600_000,
      every: options.every,
    };
    let opened: Relay | undefined;
    const open = (ends: Ends): Relay => {
      opened = new Relay({ ...deps, ...ends });
      return opened;
    };
    void this.#read();
    const client = { input: this.input, output: this.output };
    this.exit = runStdio({ client, child: this.child, server: 'raw-server', log, open }, this.stop.signal);
    this.relay = opened as Relay;
  }

  send(line: string | object): void {
    this.input.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  }

  call(id: number | string, name: string, args: object = {}, meta?: object): void {
    this.send({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name, arguments: args, ...(meta && { _meta: meta }) },
    });
  }

  async initialize(capabilities: object = {}): Promise<string> {
    const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'test-client', version: '1' } };
    this.send({ jsonrpc: '2.0', id: 'init', method: 'initialize', params });
    return this.next((line) => line.includes('"id":"init"'));
  }

  /** The first received line that matches, taken out; waits for it. Rejects when the relay ended without one. */
  async next(matches: (line: string) => boolean = () => true): Promise<string> {
    for (;;) {
      const index = this.received.findIndex(matches);
      if (index >= 0) return this.received.splice(index, 1)[0] ?? '';
      if (this.#closed) throw new Error(`the relay ended; received: ${this.received.join('\n').slice(0, 2000)}`);
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
  }

  async answer(id: number | string): Promise<Parsed> {
    const key = JSON.stringify(id);
    const line = await this.next(
      (text) => text.includes(`"id":${key}`) && !text.startsWith(`{"jsonrpc":"2.0","id":${key},"method"`),
    );
    return JSON.parse(line) as Parsed;
  }

  /** The texts of a tool's answer. */
  async text(id: number | string): Promise<string> {
    const { result, error } = await this.answer(id);
    if (result?.content === undefined) throw new Error(`no content: ${JSON.stringify(error)}`);
    return result.content.map((part) => part.text).join('');
  }

  async close(): Promise<number> {
    this.input.end();
    return this.exit;
  }

  /** Ends without waiting for what is pending. */
  async abort(): Promise<number> {
    this.stop.abort();
    return this.exit;
  }

  logged(message: string): boolean {
    return this.log.some((entry) => entry.message.includes(message));
  }

  async #read(): Promise<void> {
    const splitter = new LineSplitter();
    const take = (line: Buffer) => {
      this.received.push(line.toString('utf8'));
      this.#arrived?.();
    };
    this.output.on('data', (chunk: Buffer) => splitter.push(chunk).forEach(take));
    await Promise.resolve();
    void this.exit.finally(() => {
      setImmediate(() => {
        this.#closed = true;
        this.#arrived?.();
      });
    });
  }
}

export interface Parsed {
  readonly id?: unknown;
  readonly result?: {
    readonly content?: readonly { readonly text: string }[];
    readonly isError?: boolean;
    readonly tools?: readonly { readonly name: string }[];
    readonly _meta?: Readonly<Record<string, unknown>>;
    readonly [key: string]: unknown;
  };
  readonly error?: { readonly code: number; readonly message: string };
}

/** Whether the process runs; one that ended and was not reaped does not. */
export function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
