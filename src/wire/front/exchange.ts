import type { ServerResponse } from 'node:http';
import type { RequestMessage } from '../message.js';
import { record } from '../relay-peers.js';
import type { Channel } from './channel.js';
import { EventWriter } from './events.js';
import { sendJson } from './reply.js';
import type { End } from './timing.js';

export interface ExchangeOptions {
  readonly request: RequestMessage;
  readonly response: ServerResponse;
  readonly channel: Channel;
  /** Asked for when the answer begins. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** After this the answer begins as a stream, so that the client sees that it is being served. */
  readonly patienceMs: number;
  readonly primed: boolean;
  /** Called once, when nobody waits for an answer any more. */
  readonly over?: (() => void) | undefined;
  readonly end: End;
}

/** One request of a client and its HTTP answer: plain JSON where the answer comes at once, a stream of events where something comes before it. */
export class Exchange {
  readonly request: RequestMessage;
  readonly channel: Channel;
  /** To be told how the request ended. */
  readonly end: End;
  readonly #options: ExchangeOptions;
  readonly #patience: NodeJS.Timeout;
  #state: 'waiting' | 'streaming' | 'over' = 'waiting';
  #released = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.request = options.request;
    this.channel = options.channel;
    this.end = options.end;
    this.#patience = setTimeout(() => this.#stream(), options.patienceMs);
    this.#patience.unref();
  }

  /** The progress token that the client gave, in a form that tells types apart. */
  get token(): string | undefined {
    return tokenKey(record(record(this.request.params)['_meta'])['progressToken']);
  }

  /** Something can still be sent before the answer. */
  get attached(): boolean {
    if (this.#state === 'waiting') return !this.#options.response.destroyed;
    return this.#state === 'streaming' && this.channel.attached;
  }

  /** A message that comes before the answer. */
  event(line: Uint8Array): void {
    this.#stream();
    if (this.#state === 'streaming') this.channel.send(line);
  }

  /**
   * The answer, which ends the exchange; the status counts only where nothing was sent before. True where it went to the channel,
   * so that a client that lost its connection can still fetch it.
   */
  answer(line: Uint8Array, status = 200): boolean {
    clearTimeout(this.#patience);
    const streamed = this.#state === 'streaming';
    if (this.#state === 'waiting') sendJson(this.#options.response, status, line, this.#options.headers());
    this.#state = 'over';
    this.release();
    if (!streamed) return false;
    this.channel.send(line);
    this.channel.end();
    return true;
  }

  /** No answer will come: what the client still waits for ends. */
  giveUp(): void {
    this.end('no_answer');
    this.#stream();
    clearTimeout(this.#patience);
    this.#state = 'over';
    this.release();
    this.channel.end();
  }

  /** Nobody waits for an answer, though one may still come. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#options.over?.();
  }

  #stream(): void {
    const { response, headers, primed } = this.#options;
    if (this.#state !== 'waiting' || response.destroyed) return;
    clearTimeout(this.#patience);
    this.#state = 'streaming';
    this.channel.open(new EventWriter(response, headers()), primed);
  }
}

/** Type-sensitive, as ids are: the token 1 is not "1". */
export function tokenKey(token: unknown): string | undefined {
  if (typeof token === 'string') return `s:${token}`;
  return typeof token === 'number' ? `n:${token}` : undefined;
}
