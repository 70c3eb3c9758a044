import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../../domain/ports.js';
import { delay } from '../child-group.js';
import { isOwnHost, isOwnOrigin, type OwnNames, ownNames } from './names.js';
import { refuse } from './reply.js';

/** How long a client may take to send its head, and its whole request. What runs afterwards has no limit. */
const HEAD_MS = 15_000;
const REQUEST_MS = 120_000;
/** Longer than a reverse proxy keeps a connection that it might use at this very moment. */
const KEEP_ALIVE_MS = 75_000;
const CHECK_MS = 1_000;
const MAX_HEAD_BYTES = 32 * 1024;

export interface FrontDeps {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** What a client has to show as its bearer token; undefined: nothing. */
  readonly token: string | undefined;
  /** Further names of this server: NAME or NAME:PORT. */
  readonly names: readonly string[];
  readonly log: Logger;
  readonly maxConnections: number;
  /** `/mcp`, for requests that were let in. */
  readonly mcp: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** False while nothing new should be sent here. */
  readonly ready: () => boolean;
}

/** A listening HTTP server. Who is not let in reaches nothing behind it. */
export interface Front {
  readonly port: number;
  /** No connection is taken any more; open ones end after their answer, the last of them when `patienceMs` is over. */
  close(patienceMs: number): Promise<void>;
}

/** Rejects where the address cannot be listened on. */
export async function listen(deps: FrontDeps): Promise<Front> {
  const server = createServer({
    headersTimeout: HEAD_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_MS,
    maxHeaderSize: MAX_HEAD_BYTES,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
  });
  server.timeout = 0;
  server.maxConnections = deps.maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(deps.port, deps.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const gate = new Gate(deps, ownNames(deps.host, port, deps.names));
  server.on('request', (request, response) => void gate.enter(request, response));
  return { port, close: (patienceMs) => closed(server, patienceMs) };
}

class Gate {
  readonly #deps: FrontDeps;
  readonly #names: OwnNames;
  readonly #digest: Buffer | undefined;

  constructor(deps: FrontDeps, names: OwnNames) {
    this.#deps = deps;
    this.#names = names;
    this.#digest = deps.token === undefined ? undefined : sha256(deps.token);
  }

  async enter(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A connection that breaks is no fault of this process.
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    try {
      await this.#route(request, response);
    } catch (error) {
      this.#deps.log.error({ error: String(error) }, 'a request could not be handled');
      refuse(request, response, {
        status: 500,
        code: -32603,
        message: 'The proxy failed. Its log on stderr says why.',
      });
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?', 1)[0];
    if (path === '/healthz') return health(response, true);
    if (path === '/readyz') return health(response, this.#deps.ready());
    const { host, origin } = request.headers;
    if (request.headersDistinct['host']?.length !== 1 || !isOwnHost(this.#names, host))
      return refuse(request, response, { status: 403, message: 'Host is no name of this server (see --host).' });
    if ((request.headersDistinct['origin']?.length ?? 0) > 1 || !isOwnOrigin(this.#names, origin))
      return refuse(request, response, { status: 403, message: 'Origin is not this server.' });
    if (path !== '/mcp') return refuse(request, response, { status: 404, message: 'Only /mcp is served here.' });
    if (!this.#shown(request.headers.authorization)) {
      const headers = { 'www-authenticate': 'Bearer' };
      return refuse(request, response, { status: 401, message: 'A bearer token is needed.', headers });
    }
    await this.#deps.mcp(request, response);
  }

  #shown(authorization: string | undefined): boolean {
    if (this.#digest === undefined) return true;
    const token = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
    return timingSafeEqual(sha256(token), this.#digest);
  }
}

function health(response: ServerResponse, good: boolean): void {
  response.writeHead(good ? 200 : 503, { 'content-length': '0', 'cache-control': 'no-store' });
  response.end();
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

async function closed(server: Server, patienceMs: number): Promise<void> {
  const over = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  await Promise.race([over, delay(patienceMs)]);
  server.closeAllConnections();
  await over;
}
