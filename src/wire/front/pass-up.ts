import { delay } from '../child-group.js';
import type { HttpAnswer, RemoteHttp } from '../remote/http.js';
import { plain } from './http-answer.js';
import type { Heads } from './pass-book.js';
import { type Head, headDown, headersUp } from './pass-headers.js';
import type { PassLogin } from './pass-login.js';

const CONFLICT = 409;
const TAKE_UP_TRIES = 5;
const TAKE_UP_MS = 100;

/** The upstream as one client's requests see it: what of a head goes up, and what of an answer's head comes down. */
export class PassUp {
  readonly #http: RemoteHttp;
  /** Clients log in at the upstream, not at the proxy. */
  readonly login: PassLogin | undefined;

  constructor(http: RemoteHttp, login?: PassLogin) {
    this.#http = http;
    this.login = login;
  }

  async post(body: Buffer, heads: Heads, signal?: AbortSignal): Promise<HttpAnswer> {
    return plain(await this.#http.post(body, this.#up(heads), signal).answer);
  }

  /** `isTakenUp`: for the rest of a stream whose connection has just been ended, which the upstream may hear of a moment later. */
  async get(heads: Heads, signal: AbortSignal, isTakenUp: boolean): Promise<HttpAnswer> {
    let answer = await this.#http.get(this.#up(heads), signal);
    for (let n = 0; isTakenUp && answer.status === CONFLICT && n < TAKE_UP_TRIES; n += 1) {
      await answer.body.dump();
      await delay(TAKE_UP_MS);
      answer = await this.#http.get(this.#up(heads), signal);
    }
    return plain(answer);
  }

  delete(heads: Heads): Promise<HttpAnswer> {
    return this.#http.delete(this.#up(heads));
  }

  /** `origin` is the proxy's own, as the client writes it. */
  head(answer: HttpAnswer, origin: string): Head {
    return this.login?.head(answer, origin) ?? headDown(answer);
  }

  destroy(): Promise<void> {
    return this.#http.destroy();
  }

  #up(heads: Heads): Readonly<Record<string, string>> {
    return headersUp(heads, this.#http.ownHeaders, this.login === undefined ? [] : ['authorization']);
  }
}
