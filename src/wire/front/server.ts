import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../../domain/ports.js';
import { delay } from '../child-group.js';
import { isOwnHost, isOwnOrigin, type OwnNames, ownNames } from './names.js';
import { isDiscovery } from './pass-login.js';
import { type Refused, refuse } from './reply.js';

/** How long a client may take to send its head, and its whole request. What runs afterwards has no limit. */
const HEAD_MS = 15_000;
const REQUEST_MS = 120_000;
/** Longer than a reverse proxy keeps a connection that it might use at this very moment. */
const KEEP_ALIVE_MS = 75_000;
const CHECK_MS = 1_000;
const MAX_HEAD_BYTES = 32 * 1024;

/** `/metrics`: what is to be shown for it as a bearer token (undefined: nothing), and its text. */
export interface MetricsPage {
  readonly token: string | undefined;
  readonly text: () => Promise<string>;
}

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
  /** Where clients learn how to log in at the server behind, if they do. */
  readonly discovery?: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | undefined;
  /** False while nothing new should be sent here. */
  readonly ready: () => boolean;
  readonly metrics: MetricsPage;
}

/** A listening HTTP server. Who is not let in reaches nothing behind it. */
export interface Front {
  readonly port: number;
  /** Bytes of answers that wait for clients to read them. */
  readonly buffered: number;
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
  const answers = new Set<ServerResponse>();
  server.on('request', (request, response) => {
    answers.add(response);
    response.once('close', () => answers.delete(response));
    void gate.enter(request, response);
  });
  return {
    port,
    get buffered() {
      return [...answers].reduce((sum, { writableLength }) => sum + writableLength, 0);
    },
    close: (patienceMs) => closed(server, patienceMs),
  };
}

class Gate {
  readonly #deps: FrontDeps;
  readonly #names: OwnNames;
  readonly #digest: Buffer | undefined;
  readonly #metricsDigest: Buffer | undefined;

  constructor(deps: FrontDeps, names: OwnNames) {
    this.#deps = deps;
    this.#names = names;
    this.#digest = digestOf(deps.token);
    this.#metricsDigest = digestOf(deps.metrics.token);
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
    const refused = this.#misdirected(request);
    if (refused !== undefined) return refuse(request, response, refused);
    const { discovery } = this.#deps;
    if (discovery !== undefined && isDiscovery(path)) return discovery(request, response);
    const unknown = this.#unknown(path, request);
    if (unknown !== undefined) return refuse(request, response, unknown);
    await (path === '/metrics' ? this.#metrics(request, response) : this.#deps.mcp(request, response));
  }

  #misdirected({ headers, headersDistinct }: IncomingMessage): Refused | undefined {
    if (headersDistinct['host']?.length !== 1 || !isOwnHost(this.#names, headers.host))
      return { status: 403, message: 'Host is no name of this server (see --host).' };
    if ((headersDistinct['origin']?.length ?? 0) > 1 || !isOwnOrigin(this.#names, headers.origin))
      return { status: 403, message: 'Origin is not this server.' };
    return undefined;
  }

  #unknown(path: string | undefined, { headers }: IncomingMessage): Refused | undefined {
    if (path !== '/mcp' && path !== '/metrics')
      return { status: 404, message: 'Only /mcp and /metrics are served here.' };
    if (isShown(path === '/mcp' ? this.#digest : this.#metricsDigest, headers.authorization)) return undefined;
    return { status: 401, message: 'A bearer token is needed.', headers: { 'www-authenticate': 'Bearer' } };
  }

  async #metrics(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'GET')
      return refuse(request, response, { status: 405, message: 'Method not allowed.', headers: { allow: 'GET' } });
    const text = Buffer.from(await this.#deps.metrics.text());
    response.writeHead(200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'content-length': String(text.length),
      'cache-control': 'no-store',
    });
    response.end(text);
  }
}

function digestOf(token: string | undefined): Buffer | undefined {
  return token === undefined ? undefined : sha256(token);
}

function isShown(digest: Buffer | undefined, authorization: string | undefined): boolean {
  if (digest === undefined) return true;
  const token = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(sha256(token), digest);
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
