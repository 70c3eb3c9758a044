import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { isLoopback } from './url.js';

type Body = Dispatcher.ResponseData['body'];

/** An answer whose body is not read yet: whoever takes it reads it, or dumps it. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
}

/** No answer came. `sent` is false only where surely no byte of the request was handed to a connection. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly sent: boolean;

  constructor(sent: boolean, cause: unknown) {
    super(causeOf(cause), { cause });
    this.sent = sent;
  }
}

/** A POST on its way. `left` resolves when its bytes were handed to a connection, or never will be; it does not reject. */
export interface Post {
  readonly left: Promise<void>;
  readonly answer: Promise<HttpAnswer>;
}

export interface HttpOptions {
  readonly url: URL;
  /** Sent with each request, to this origin alone. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where proxy variables stand. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type HttpHeaders = Readonly<Record<string, string | undefined>>;

interface Request {
  readonly url: URL;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: HttpHeaders;
  readonly body?: () => AsyncIterable<Buffer>;
  readonly signal?: AbortSignal | undefined;
}

const CONNECT_MS = 10_000;
const MAX_HOPS = 3;

/**
 * HTTP towards one MCP server. It waits for answers without a limit; certificates are always checked. A redirect is followed only
 * where method and body stay as they are (307, 308) and the origin too: a login must go nowhere else.
 */
export class RemoteHttp {
  #url: URL;
  readonly #headers: HttpHeaders;
  readonly #dispatcher: Promise<Dispatcher>;

  constructor({ url, headers, env }: HttpOptions) {
    this.#url = url;
    this.#headers = lowerCased(headers);
    this.#dispatcher = dispatcherFor(url, env);
    // A fault shows with the first request.
    this.#dispatcher.catch(() => undefined);
  }

  /** Where the server is, as it may be told: no path, no query. */
  get host(): string {
    return this.#url.host;
  }

  /** Path and query of the MCP endpoint. */
  get path(): string {
    return this.#url.pathname + this.#url.search;
  }

  /** The names of the headers that the operator set. */
  get ownHeaders(): readonly string[] {
    return Object.keys(this.#headers);
  }

  /** The place on this origin that a reference names, or undefined where it leads elsewhere. */
  resolve(reference: string): URL | undefined {
    const url = URL.canParse(reference, this.#url.href) ? new URL(reference, this.#url) : undefined;
    return url?.origin === this.#url.origin && url.username === '' && url.password === '' ? url : undefined;
  }

  post(body: Buffer, headers: HttpHeaders, signal?: AbortSignal, url?: URL): Post {
    let sent = false;
    let leave: (() => void) | undefined;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    // undici asks for the body when the connection stands, and for more when that much was taken.
    async function* bytes(): AsyncGenerator<Buffer> {
      sent = true;
      yield body;
      leave?.();
    }
    const length = { 'content-type': 'application/json', 'content-length': String(body.length) };
    const request: Request = {
      url: url ?? this.#url,
      method: 'POST',
      headers: { ...headers, ...length },
      body: bytes,
      signal,
    };
    const answer = this.#send(request, url === undefined)
      .catch((cause: unknown) => {
        throw new HttpFailure(sent, cause);
      })
      .finally(() => leave?.());
    return { left, answer };
  }

  /** `url`: another place on this origin. */
  get(headers: HttpHeaders, signal?: AbortSignal, url?: URL): Promise<HttpAnswer> {
    return this.#bare('GET', headers, signal, url);
  }

  delete(headers: HttpHeaders): Promise<HttpAnswer> {
    return this.#bare('DELETE', headers);
  }

  /** Ends every connection, whatever is on it. */
  async destroy(): Promise<void> {
    const dispatcher = await this.#dispatcher.catch(() => undefined);
    await dispatcher?.destroy();
  }

  #bare(method: 'GET' | 'DELETE', headers: HttpHeaders, signal?: AbortSignal, url?: URL): Promise<HttpAnswer> {
    return this.#send({ url: url ?? this.#url, method, headers, signal }, url === undefined).catch((cause: unknown) => {
      throw new HttpFailure(true, cause);
    });
  }

  /** `keep`: a redirect of the MCP endpoint holds for what comes later too. */
  async #send(request: Request, keep: boolean): Promise<HttpAnswer> {
    let { url } = request;
    for (let hop = 0; ; hop += 1) {
      const { statusCode: status, headers, body } = await this.#dispatch({ ...request, url });
      const next = status === 307 || status === 308 ? this.#redirect(url, headers) : undefined;
      if (next === undefined || hop === MAX_HOPS) return { status, headers, body };
      await body.dump();
      url = next;
      if (keep) this.#url = next;
    }
  }

  #redirect(from: URL, { location }: IncomingHttpHeaders): URL | undefined {
    if (location === undefined || !URL.canParse(location, from.href)) return undefined;
    return this.resolve(new URL(location, from).href);
  }

  async #dispatch({ url, method, headers, body, signal }: Request): Promise<Dispatcher.ResponseData> {
    const dispatcher = await this.#dispatcher;
    return dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: given({
        'user-agent': 'zerto-rewind-proxy',
        ...this.#headers,
        'accept-encoding': 'identity',
        ...headers,
      }),
      // The types of undici name only Node's streams, though every iterable of bytes is taken.
      body: (body?.() ?? null) as Dispatcher.DispatchOptions['body'] & null,
      ...(signal === undefined ? {} : { signal }),
    });
  }
}

/** undici is loaded with the first server behind HTTP: a proxy of commands alone never needs it. */
async function dispatcherFor(url: URL, env: HttpOptions['env']): Promise<Dispatcher> {
  const { Agent, EnvHttpProxyAgent } = await import('undici');
  const tls = { rejectUnauthorized: true };
  const options = {
    connect: { ...tls, timeout: CONNECT_MS, allowH2: false },
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const proxy = isLoopback(url) ? undefined : proxyFor(url, env);
  if (proxy === undefined) return new Agent(options);
  const noProxy = env['no_proxy'] ?? env['NO_PROXY'] ?? '';
  return new EnvHttpProxyAgent({
    ...options,
    requestTls: tls,
    proxyTls: tls,
    httpProxy: proxy,
    httpsProxy: proxy,
    noProxy,
  });
}

function proxyFor(url: URL, env: HttpOptions['env']): string | undefined {
  const name = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const proxy = env[name] ?? env[name.toUpperCase()];
  return proxy === '' ? undefined : proxy;
}

function lowerCased(headers: Readonly<Record<string, string>>): HttpHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function given(headers: HttpHeaders): Record<string, string> {
  const set = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(set);
}

/** The code of what happened, such as ECONNREFUSED; messages could hold what must not be told. */
function causeOf(error: unknown): string {
  const { code, name, cause } = (error ?? {}) as { code?: unknown; name?: unknown; cause?: { code?: unknown } };
  return (
    ([code, cause?.code, name].find((each) => typeof each === 'string' && each !== '') as string | undefined) ?? 'error'
  );
}
