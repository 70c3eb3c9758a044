import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** One request as it arrived; `rpc` is its body as JSON, where it is that. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly rpc: Rpc;
  readonly res: ServerResponse;
  /** The client has let go of the answer. */
  closed: boolean;
}

export interface Rpc {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
}

export type Respond = (request: Received) => unknown;

/** An HTTP server under its bare answers, that can say and do what an SDK would not. */
export class RawServer {
  readonly received: Received[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #respond: Respond;

  private constructor(respond: Respond) {
    this.#respond = respond;
    this.#server = createServer((req, res) => void this.#take(req, res));
    // A loaded machine that pauses for seconds must not find its connection closed for idleness.
    this.#server.keepAliveTimeout = 120_000;
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(respond: Respond): Promise<RawServer> {
    const server = new RawServer(respond);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/mcp`;
  }

  of(method: string): Received[] {
    return this.received.filter(({ rpc }) => rpc.method === method);
  }

  gets(): Received[] {
    return this.received.filter(({ method }) => method === 'GET');
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const rpc = (body.startsWith('{') ? JSON.parse(body) : {}) as Rpc;
    const { method = '', url: path = '', headers } = req;
    const received: Received = { method, path, headers, body, rpc, res, closed: false };
    res.once('close', () => {
      received.closed = true;
    });
    this.received.push(received);
    await this.#respond(received);
  }
}

export function json(res: ServerResponse, value: unknown, status = 200, headers: Record<string, string> = {}): void {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}

export function events(res: ServerResponse, ...blocks: string[]): void {
  if (!res.headersSent) res.writeHead(200, { 'content-type': 'text/event-stream' });
  res.flushHeaders();
  for (const block of blocks) res.write(block);
}

export function event(value: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(value)}\n\n`;
}

export const result = (id: unknown, value: unknown = {}) => ({ jsonrpc: '2.0', id, result: value });

const HELLO = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'raw-http', version: '1' },
};

/** What a server of a session answers, unless `own` takes the request (and says so by true). */
export function session(own: (request: Received) => unknown = () => false, id = 'session-1'): Respond {
  return async (request) => {
    const { method, rpc, res } = request;
    if ((await own(request)) === true) return;
    if (method === 'GET') res.writeHead(405).end();
    else if (method === 'DELETE') res.writeHead(200).end();
    else if (rpc.method === 'initialize') json(res, result(rpc.id, HELLO), 200, { 'mcp-session-id': id });
    else if (rpc.id === undefined || rpc.method === undefined) res.writeHead(202).end();
    else json(res, result(rpc.id, { echo: rpc.method }));
  };
}
