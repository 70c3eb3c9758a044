import { ProxyError } from '../domain/errors.js';
import type { TokenSource } from './auth.js';
import { refusal, rejected } from './failure.js';
import { type Http, type HttpAnswer, type HttpRequest, labelOf, type OpenAnswer } from './http.js';
import { messageOf, readAnswer } from './read.js';

/** The authorized API of one ZVM: each call carries a token, and a 401 is tried once more with a new one. */
export class Api {
  readonly #http: Http;
  readonly #tokens: TokenSource;

  constructor(http: Http, tokens: TokenSource) {
    this.#http = http;
    this.#tokens = tokens;
  }

  /** One call, its answer read by `read`. Only GETs are repeated, once, after a 5xx or a broken connection. */
  async call<T>(request: HttpRequest, read: (value: unknown) => T, signal: AbortSignal): Promise<T> {
    const answer = await this.answer(request, signal);
    return readAnswer(this.#http.site, labelOf(request), answer.status, answer.text, read);
  }

  /** The same for callers who do not read the body. */
  async answer(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const answer = await this.#authorized((bearer) => this.#send({ ...request, bearer }, signal), signal);
    if (answer.status < 200 || answer.status > 299) {
      throw refusal(this.#http.site, labelOf(request), answer.status, messageOf(answer.text));
    }
    return answer;
  }

  /** A GET whose body is streamed; the token goes to the appliance's own host only, other hosts are refused. */
  async open(label: string, reference: string, signal: AbortSignal): Promise<OpenAnswer> {
    const path = this.#http.pathOf(reference);
    if (path === undefined) throw rejected(this.#http.site, label, 'named a download on another host');
    const answer = await this.#authorized(async (bearer) => {
      const opened = await this.#http.open({ endpoint: '/{download}', method: 'GET', path, bearer }, signal);
      if (opened.status !== 200) discard(opened);
      return opened;
    }, signal);
    if (answer.status !== 200) throw refusal(this.#http.site, label, answer.status, undefined);
    return answer;
  }

  async #send(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    if (request.method !== 'GET') return this.#http.send(request, signal);
    try {
      const answer = await this.#http.send(request, signal);
      return answer.status < 500 ? answer : await this.#http.send(request, signal);
    } catch (error) {
      if (!isBroken(error)) throw error;
      return this.#http.send(request, signal);
    }
  }

  async #authorized<A extends { readonly status: number }>(
    send: (bearer: string) => Promise<A>,
    signal: AbortSignal,
  ): Promise<A> {
    const token = await this.#tokens.token(signal);
    const answer = await send(token);
    return answer.status === 401 ? send(await this.#tokens.replace(token, signal)) : answer;
  }
}

function discard(answer: OpenAnswer): void {
  answer.stream.on('error', () => undefined);
  answer.stream.destroy();
}

/** A connection that ended in the middle, as a kept one does when the server closes it first; not a timeout. */
function isBroken(error: unknown): boolean {
  if (!(error instanceof ProxyError) || error.code !== 'ZVM_UNREACHABLE') return false;
  return /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(String(error.details['reason']));
}
