import type { Logger } from '../../domain/ports.js';
import { quote } from '../../domain/text.js';
import type { DownstreamExit, Unanswered } from '../downstream-end.js';
import { refusal } from '../message.js';
import { CONNECTION_CLOSED } from '../relay-messages.js';
import { HttpFailure, type RemoteHttp } from './http.js';
import type { Outlet } from './outlet.js';
import type { InFlight, Requests } from './requests.js';

export interface LinkDeps {
  /** The downstream's name in the config. */
  readonly server: string;
  readonly http: RemoteHttp;
  readonly requests: Requests;
  readonly outlet: Outlet;
  readonly log: Logger;
  readonly unanswered: (unanswered: Unanswered) => boolean;
  readonly end: (exit: DownstreamExit) => void;
}

/** How long answers that are under way may still take when the server has forgotten the session. */
const LAST_ANSWERS_MS = 2000;

/** The connection to one server: what its transport shares, and what is said when something goes wrong. */
export class Link {
  readonly http: RemoteHttp;
  readonly requests: Requests;
  readonly outlet: Outlet;
  readonly log: Logger;
  readonly #deps: LinkDeps;
  readonly #ending = new AbortController();
  /** Some answer of HTTP came, so there is a server. */
  reached = false;

  constructor(deps: LinkDeps) {
    this.#deps = deps;
    this.http = deps.http;
    this.requests = deps.requests;
    this.outlet = deps.outlet;
    this.log = deps.log;
  }

  /** The server as errors name it: no path and no query, which could hold a key. */
  get who(): string {
    return `The MCP server ${quote(this.#deps.server)} at ${this.http.host}`;
  }

  get over(): boolean {
    return this.#ending.signal.aborted;
  }

  /** Nothing is sent or told any more. */
  close(): void {
    this.#ending.abort();
  }

  /** No answer will come. Nothing is told of a request that the client has cancelled. */
  giveUp(entry: InFlight, why: string, sent: boolean): void {
    if (!entry.open) return;
    this.requests.drop(entry);
    if (entry.cancelled) return;
    this.log.warn({ method: entry.request.method, sent, why }, 'a request has no answer');
    const { idKey, idText } = entry.request;
    if (this.#deps.unanswered({ idKey, why, sent })) return;
    this.#error(idText, `${why} ${sent ? 'The request was sent and has no answer.' : 'The request was not sent.'}`);
  }

  /** The server itself, or what stands before it, turned the request down. */
  refuse(entry: InFlight, why: string): void {
    if (!entry.open) return;
    this.requests.drop(entry);
    this.log.warn({ method: entry.request.method, why }, 'a request was turned down');
    if (!entry.cancelled) this.#error(entry.request.idText, why);
  }

  /** A request could not be sent, or its answer broke off. A server that was never reached is one that cannot be started. */
  failed(entry: InFlight, error: unknown): void {
    if (this.over || entry.cancelled) {
      this.requests.drop(entry);
      return;
    }
    const sent = error instanceof HttpFailure ? error.sent : true;
    const code = error instanceof Error ? error.message : 'error';
    const why = sent ? `The connection to ${lower(this.who)} broke (${code}).` : this.unreachable(code);
    this.giveUp(entry, why, sent);
    if (!sent && !this.reached) this.end(why, { spawnError: error instanceof Error ? error : new Error(code) });
  }

  /** The server's HTTP 404 for a session that it had opened: nothing is sent again here, the client has to start anew. */
  forgotten(entry?: InFlight): void {
    const why = `${this.who} has forgotten the session (HTTP 404). Connect again to start a new one.`;
    if (entry !== undefined) this.refuse(entry, `${why} The request was turned down and not carried out.`);
    if (this.over) return;
    this.close();
    const underWay = Promise.all(this.requests.all.map(({ over }) => over));
    void Promise.race([underWay, pause(LAST_ANSWERS_MS)]).then(() => this.#deps.end({ code: 1, signal: null, why }));
  }

  end(why: string, exit: Partial<DownstreamExit> = {}): void {
    if (this.over) return;
    this.close();
    this.#deps.end({ code: 1, signal: null, why, ...exit });
  }

  unreachable(code: string): string {
    return `${this.who} could not be reached (${code}).${hint(code)}`;
  }

  /** Waits, but no longer than the connection is wanted. */
  pause(ms: number): Promise<void> {
    return pause(ms, this.#ending.signal);
  }

  #error(idText: string, message: string): void {
    this.outlet.write(refusal(idText, CONNECTION_CLOSED, message));
  }
}

/** Resolves after that time, or when the signal aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
}

function lower(who: string): string {
  return `t${who.slice(1)}`;
}

function hint(code: string): string {
  const certificate = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)/.test(code);
  return certificate ? ' Its certificate is not trusted: NODE_EXTRA_CA_CERTS names a file with its authority.' : '';
}
