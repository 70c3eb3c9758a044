import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import { ProxyError } from '../domain/errors.js';
import type { Meters } from '../domain/meters.js';
import { quote } from '../domain/text.js';
import { withDeadline } from './clock.js';
import { rejected, unreachable } from './failure.js';
import type { Route } from './paths.js';
import { CertificateRefused, type TlsTrust, trustingConnector } from './tls.js';

/** `json` and `form` are bodies. */
export interface HttpRequest extends Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly query?: Readonly<Record<string, string | undefined>> | undefined;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>> | undefined;
  readonly bearer?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** An answer whose body has not been read. Whoever takes it must read or destroy the stream. */
export interface OpenAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly stream: Readable;
}

/** One request and its answer, for whoever records them. `path` carries the query; `reason` says why no answer came. Logins are among them. */
export interface Exchange {
  readonly site: string;
  readonly method: string;
  readonly endpoint: string;
  readonly path: string;
  readonly status?: number | undefined;
  readonly text?: string | undefined;
  readonly reason?: string | undefined;
}

export interface SiteHttpOptions {
  /** The config's name of the site, for errors. */
  readonly site: string;
  readonly url: string;
  readonly tls: TlsTrust;
  /** For a whole request, 20 s unless told; 10 s to connect; 64 MiB of text at most. */
  readonly timeoutMs?: number | undefined;
  readonly connectTimeoutMs?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly meters?: Pick<Meters, 'zvmRequest'> | undefined;
  readonly observe?: ((exchange: Exchange) => void) | undefined;
}

const STREAM_IDLE_MS = 60_000;

/** What carries the requests to one ZVM. */
export type Http = Pick<SiteHttp, 'site' | 'send' | 'open' | 'pathOf' | 'reaches' | 'close'>;

/** HTTPS towards one ZVM. Answers of any status are values; what is no answer rejects with ZVM_UNREACHABLE, or with the signal's reason. */
export class SiteHttp {
  readonly site: string;
  readonly #base: URL;
  readonly #agent: Agent;
  readonly #timeoutMs: number;
  readonly #maxBytes: number;
  readonly #meters: SiteHttpOptions['meters'];
  readonly #observe: SiteHttpOptions['observe'];

  constructor(options: SiteHttpOptions) {
    this.site = options.site;
    this.#base = baseUrl(options);
    this.#timeoutMs = options.timeoutMs ?? 20_000;
    this.#maxBytes = options.maxBytes ?? 64 * 1024 * 1024;
    this.#meters = options.meters;
    this.#observe = options.observe;
    this.#agent = new Agent({
      connect: trustingConnector(options.tls, options.connectTimeoutMs ?? 10_000),
      connections: 16,
      keepAliveTimeout: 4_000,
      bodyTimeout: STREAM_IDLE_MS,
      headersTimeout: STREAM_IDLE_MS,
    });
  }

  /** Sends one request and reads its whole answer as text. */
  async send(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const deadline = withDeadline(signal, request.timeoutMs ?? this.#timeoutMs);
    try {
      const { statusCode, headers, body } = await this.#dispatch(request, deadline.signal);
      const text = await this.#readAll(request, body);
      this.#count(request, statusCode);
      this.#tell(request, { status: statusCode, text });
      return { status: statusCode, headers, text };
    } catch (error) {
      signal.throwIfAborted();
      this.#count(request, undefined);
      const failure = error instanceof ProxyError ? error : unreachable(this.site, labelOf(request), error);
      this.#tell(request, { reason: String(failure.details['reason'] ?? failure.code) });
      throw failure;
    } finally {
      deadline.clear();
    }
  }

  /** False where the certificate is refused, before anything is sent; any answer to a bare GET is enough. */
  async reaches(signal: AbortSignal): Promise<boolean> {
    try {
      await this.send({ method: 'GET', path: '', endpoint: '/' }, signal);
      return true;
    } catch (error) {
      if (error instanceof ProxyError && error.cause instanceof CertificateRefused) return false;
      throw error;
    }
  }

  /** Sends one request and leaves its body unread; the signal ends the stream too, and so does a minute without a byte. */
  async open(request: HttpRequest, signal: AbortSignal): Promise<OpenAnswer> {
    try {
      const { statusCode, headers, body } = await this.#dispatch(request, signal);
      this.#count(request, statusCode);
      return { status: statusCode, headers, stream: body };
    } catch (error) {
      signal.throwIfAborted();
      this.#count(request, undefined);
      throw unreachable(this.site, labelOf(request), error);
    }
  }

  /** The path that a URL of the appliance's own has below the base URL, or undefined where it leads to another host. */
  pathOf(reference: string): string | undefined {
    if (!URL.canParse(reference, this.#base.href)) return undefined;
    const url = new URL(reference, this.#base);
    const own = url.origin === this.#base.origin && url.username === '' && url.password === '';
    return own && !url.pathname.startsWith('//') ? url.pathname + url.search : undefined;
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #count({ method, endpoint }: HttpRequest, status: number | undefined): void {
    const problem = status === undefined ? 'no_answer' : String(status);
    const good = status !== undefined && status < 400;
    this.#meters?.zvmRequest({ site: this.site, method, endpoint, ...(!good && { problem }) });
  }

  #tell({ method, endpoint, ...request }: HttpRequest, answer: Pick<Exchange, 'status' | 'text' | 'reason'>): void {
    if (this.#observe === undefined) return;
    const { pathname, search } = this.#urlOf(request);
    this.#observe({ site: this.site, method, endpoint, path: pathname + search, ...answer });
  }

  #urlOf({ path, query = {} }: Pick<HttpRequest, 'path' | 'query'>): URL {
    const url = new URL(path, this.#base);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    return url;
  }

  #dispatch(request: HttpRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const url = this.#urlOf(request);
    const { body, type } = bodyOf(request);
    return this.#agent.request({
      origin: this.#base.origin,
      path: url.pathname + url.search,
      method: request.method,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'zerto-rewind-proxy',
        ...(type === undefined ? {} : { 'content-type': type }),
        ...(request.bearer === undefined ? {} : { authorization: `Bearer ${request.bearer}` }),
      },
      body,
      signal,
    });
  }

  async #readAll(request: HttpRequest, body: Readable): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body) {
      const bytes = chunk as Buffer;
      size += bytes.length;
      if (size > this.#maxBytes) {
        throw rejected(this.site, labelOf(request), `answered with more than ${this.#maxBytes} bytes`);
      }
      chunks.push(bytes);
    }
    return Buffer.concat(chunks).toString('utf8');
  }
}

/** How errors name a request: method and endpoint, no ids. */
export function labelOf(request: HttpRequest): string {
  return `${request.method} ${request.endpoint}`;
}

function baseUrl(options: SiteHttpOptions): URL {
  const url = URL.canParse(options.url) ? new URL(options.url) : undefined;
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '' || url.search !== '') {
    throw new ProxyError('CONFIG_INVALID', `The URL of ZVM site ${quote(options.site)} must be https://host[:port].`);
  }
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

function bodyOf(request: HttpRequest): { body: string | null; type?: string } {
  if (request.form !== undefined) {
    return { body: new URLSearchParams(request.form).toString(), type: 'application/x-www-form-urlencoded' };
  }
  if (request.json !== undefined) return { body: JSON.stringify(request.json), type: 'application/json' };
  return { body: null };
}
