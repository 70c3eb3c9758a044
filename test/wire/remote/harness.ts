import type { DownstreamEnd, Unanswered } from '../../../src/wire/downstream-end.js';
import { LineSplitter } from '../../../src/wire/lines.js';
import { type RemoteOptions, startRemote } from '../../../src/wire/remote/start.js';
import { type LogEntry, recordingLog } from '../process/harness.js';
import { RawServer, type Respond } from './raw-server.js';

const open: { close(): Promise<unknown> }[] = [];

/** For `afterEach`: ends every connection and server of a test. */
export async function closeAll(): Promise<void> {
  for (const each of open.splice(0).reverse()) await each.close();
}

export async function serve(respond: Respond): Promise<RawServer> {
  const server = await RawServer.start(respond);
  open.push(server);
  return server;
}

export function connect(url: string, options: Partial<LinesOptions> = {}): Lines {
  const lines = new Lines({ url, ...options });
  open.push({ close: () => lines.end.stop() });
  return lines;
}

type LinesOptions = Partial<RemoteOptions> & {
  readonly url: string;
  /** False: nobody reads the lines, until `read`. */
  readonly reads?: boolean;
  /** False: nobody asks to be told of requests without an answer. */
  readonly told?: boolean;
};

/** A connection under its lines. */
export class Lines {
  readonly end: DownstreamEnd;
  readonly received: string[] = [];
  readonly unanswered: Unanswered[] = [];
  readonly log: LogEntry[];
  #arrived: (() => void)[] = [];
  #over = false;

  constructor(options: LinesOptions) {
    const { log, entries } = recordingLog();
    this.log = entries;
    this.end = startRemote({ server: 'far', transport: 'http', headers: {}, env: {}, log, ...options });
    if (options.told !== false) {
      this.end.onUnanswered?.((each) => {
        this.unanswered.push(each);
        this.#wake();
      });
    }
    if (options.reads !== false) this.read();
  }

  read(): void {
    const splitter = new LineSplitter();
    this.end.output.on('data', (chunk: Buffer) => {
      for (const line of splitter.push(chunk)) this.received.push(line.toString('utf8'));
      this.#wake();
    });
    this.end.output.once('close', () => {
      this.#over = true;
      this.#wake();
    });
  }

  send(line: object | string): void {
    this.end.input.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  }

  request(id: unknown, method: string, params: object = {}): void {
    this.send({ jsonrpc: '2.0', id, method, params });
  }

  notify(method: string, params: object = {}): void {
    this.send({ jsonrpc: '2.0', method, params });
  }

  async initialize(): Promise<void> {
    this.request('init', 'initialize', { protocolVersion: '2025-11-25', capabilities: {} });
    await this.line('"id":"init"');
    this.notify('notifications/initialized');
  }

  /** The first line that holds the text, taken out; waits for it. */
  async line(text: string): Promise<string> {
    return this.#first(() => {
      const at = this.received.findIndex((line) => line.includes(text));
      return at < 0 ? undefined : this.received.splice(at, 1)[0];
    });
  }

  async answer(
    id: unknown,
  ): Promise<{ readonly result?: unknown; readonly error?: { code: number; message: string } }> {
    return this.#first(() => {
      const at = this.received.findIndex((line) => idOf(line) === id);
      return at < 0 ? undefined : JSON.parse(this.received.splice(at, 1)[0] ?? '');
    });
  }

  async gaveUp(id: unknown): Promise<Unanswered> {
    const key = typeof id === 'string' ? `s:${id}` : `n:${id}`;
    return this.#first(() => this.unanswered.find(({ idKey }) => idKey === key));
  }

  async #first<T>(find: () => T | undefined): Promise<T> {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (this.#over) throw new Error(`it ended; ${JSON.stringify(this.log).slice(-2000)}`);
      await new Promise<void>((resolve) => this.#arrived.push(resolve));
    }
  }

  #wake(): void {
    for (const resolve of this.#arrived.splice(0)) resolve();
  }
}

/** The id of an answer; long lines are not parsed to look for it. */
function idOf(line: string): unknown {
  if (line.length > 1 << 20) return Number(/"id":(\d+)/.exec(line.slice(0, 200))?.[1]);
  const message = JSON.parse(line) as { readonly id?: unknown; readonly method?: unknown };
  return message.method === undefined ? message.id : undefined;
}
