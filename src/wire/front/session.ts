import type { ServerResponse } from 'node:http';
import type { Meters } from '../../domain/meters.js';
import type { Logger } from '../../domain/ports.js';
import {
  type NotificationMessage,
  type RequestMessage,
  type ResponseMessage,
  readServerMessage,
  type ServerMessage,
} from '../message.js';
import { IdTable, idKeyOf, TakenBack } from '../relay-ids.js';
import { record } from '../relay-peers.js';
import type { Bridge } from './bridge.js';
import { Channel } from './channel.js';
import { EventWriter } from './events.js';
import { Exchange, tokenKey } from './exchange.js';
import { Mailbox } from './mailbox.js';
import { OF_ONE_CLIENT, Outlets } from './outlets.js';
import { Replay, readEventId } from './replay.js';
import { timed } from './timing.js';

/** Long enough for a cold start of a downstream that is downloaded first. */
const HELLO_PATIENCE_MS = 15_000;
const PATIENCE_MS = 1000;
/** The first revision in which clients know an event without a message. */
const PRIMES_SINCE = '2025-11-25';
/** Answers of lost connections that can still be fetched. */
const MAX_ENDED = 100;
/** Streams of requests that the client took back and that nobody has answered. */
const MAX_TAKEN_BACK = 100;
const STANDALONE = 0;

export interface SessionDeps {
  readonly id: string;
  readonly log: Logger;
  readonly meters?: Pick<Meters, 'operation' | 'session'> | undefined;
  readonly connect: (session: HttpSession) => Bridge;
}

/** One client of a stateful revision (2025-03-26 to 2025-11-25): its requests, its standalone stream, and the child that is its own. */
export class HttpSession extends Outlets {
  readonly id: string;
  readonly bridge: Bridge;
  readonly #log: Logger;
  readonly #meters: SessionDeps['meters'];
  readonly #begun = Date.now();
  readonly #exchanges = new IdTable<Exchange>();
  /** Those that the client has taken back: they may never be answered. */
  readonly #cancelled = new Set<Exchange>();
  readonly #takenBack = new TakenBack(this.#exchanges, MAX_TAKEN_BACK);
  readonly #byToken = new Map<string, Exchange>();
  readonly #replay = new Replay();
  readonly #standalone = new Channel(STANDALONE, this.#replay);
  readonly #channels = new Map<number, Channel>();
  readonly #mailbox = new Mailbox();
  readonly #ended: number[] = [];
  #requests = 0;
  #established = false;
  #refused = false;
  #version = '';
  #usedAt = Date.now();

  constructor({ id, log, meters, connect }: SessionDeps) {
    super(OF_ONE_CLIENT);
    this.id = id;
    this.#log = log;
    this.#meters = meters;
    this.bridge = connect(this);
  }

  /** The revision that both ends agreed on; empty before they did. */
  get version(): string {
    return this.#version;
  }

  /** The downstream accepted the client's initialize. */
  get established(): boolean {
    return this.#established;
  }

  /** Requests whose answer is wanted. */
  get pending(): number {
    return this.#exchanges.size - this.#cancelled.size;
  }

  /** How long nothing was asked, nothing is pending and nobody listens; in milliseconds. */
  idleFor(now: number): number {
    if (this.pending > 0 || this.#standalone.attached) this.#usedAt = now;
    return now - this.#usedAt;
  }

  /** False where a request with this id is not answered yet. `over`: the message is held no more; `spoken`: the revision that it names itself, if any. */
  request(message: RequestMessage, response: ServerResponse, over: () => void, spoken = this.#version): boolean {
    this.#usedAt = Date.now();
    if (this.#exchanges.match(message.idKey) !== undefined) return false;
    this.#requests += 1;
    const channel = new Channel(this.#requests, this.#replay);
    const exchange = new Exchange({
      request: message,
      response,
      channel,
      headers: () => this.#headers,
      patienceMs: message.method === 'initialize' ? HELLO_PATIENCE_MS : PATIENCE_MS,
      primed: spoken >= PRIMES_SINCE,
      over: () => this.bridge.whenTaken(over),
      end: timed(this.#meters, message),
    });
    this.track(response);
    this.#exchanges.add(message.idKey, exchange);
    this.#channels.set(channel.no, channel);
    const { token } = exchange;
    if (token !== undefined) this.#byToken.set(token, exchange);
    if (message.method !== 'initialize') this.#mailbox.empty((line) => exchange.event(line));
    void this.bridge.fromClient(message.raw);
    return true;
  }

  /** A notification or a response. Resolves when the child takes more. */
  tell(message: NotificationMessage | ResponseMessage): Promise<void> | undefined {
    this.#usedAt = Date.now();
    if (message.kind === 'notification' && message.method === 'notifications/cancelled') {
      const idKey = idKeyOf(message.params?.['requestId']);
      const found = idKey === undefined ? undefined : this.#exchanges.match(idKey);
      if (found !== undefined) this.#cancel(found.idKey, found.entry);
    }
    return this.bridge.fromClient(message.raw);
  }

  #cancel(idKey: string, exchange: Exchange): void {
    this.#cancelled.add(exchange);
    exchange.release();
    exchange.end('cancelled');
    const forgotten = this.#takenBack.add(idKey, exchange);
    if (forgotten === undefined) return;
    this.#over(forgotten);
    this.#channels.delete(forgotten.channel.no);
    forgotten.giveUp();
  }

  #over(exchange: Exchange): void {
    this.#cancelled.delete(exchange);
    const { token } = exchange;
    if (token !== undefined && this.#byToken.get(token) === exchange) this.#byToken.delete(token);
  }

  /** Opens the standalone stream; false where it is open already. */
  listen(response: ServerResponse): boolean {
    if (this.#standalone.attached) return false;
    this.track(response);
    this.#standalone.open(new EventWriter(response, this.#headers), this.#version >= PRIMES_SINCE);
    this.#mailbox.empty((line) => this.#standalone.send(line));
    return true;
  }

  /** Goes on with the stream that sent this event; false where there is none. */
  resume(response: ServerResponse, lastEventId: string): boolean {
    const last = readEventId(lastEventId);
    const channel = last?.channel === STANDALONE ? this.#standalone : this.#channels.get(last?.channel ?? -1);
    if (last === undefined || channel === undefined) return false;
    this.track(response);
    channel.resume(new EventWriter(response, this.#headers), last.seq);
    if (channel === this.#standalone) this.#mailbox.empty((line) => channel.send(line));
    return true;
  }

  /** One message of the downstream or of the proxy itself, to the answer it belongs to. */
  write(line: Uint8Array): boolean {
    const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
    this.#route(bytes, readServerMessage(bytes));
    return this.ready() === undefined;
  }

  /** The streams end; what waits for an answer goes on. */
  endListening(): void {
    this.#standalone.end();
  }

  /** Everything ends. Resolves when the child is gone. */
  async close(): Promise<void> {
    await this.bridge.close();
    if (this.#established) this.#meters?.session((Date.now() - this.#begun) / 1000);
    for (const [, exchange] of this.#exchanges.entries()) exchange.giveUp();
    this.#standalone.end();
    this.leave();
  }

  get #headers(): Readonly<Record<string, string>> {
    // Also before the answer is known: where that begins as a stream, its head goes out first.
    return this.#refused ? {} : { 'mcp-session-id': this.id };
  }

  #route(line: Buffer, message: ServerMessage): void {
    if (message.kind === 'response') {
      const found = this.#exchanges.match(message.idKey);
      if (found !== undefined) this.#answered(found.idKey, found.entry, message);
      else this.#log.debug({}, 'a response that no request waits for was dropped');
      return;
    }
    const exchange = message.kind === 'notification' ? this.#progressOf(message) : undefined;
    if (exchange === undefined) this.#unrelated(line);
    else exchange.event(line);
  }

  #progressOf({ method, params }: NotificationMessage): Exchange | undefined {
    const token = method === 'notifications/progress' ? tokenKey(params?.['progressToken']) : undefined;
    return token === undefined ? undefined : this.#byToken.get(token);
  }

  #answered(idKey: string, exchange: Exchange, message: ResponseMessage): void {
    this.#usedAt = Date.now();
    exchange.end(message);
    this.#exchanges.delete(idKey);
    this.#over(exchange);
    const { channel, request } = exchange;
    if (request.method === 'initialize') this.#agreed(message);
    if (exchange.answer(message.raw)) this.#keep(channel);
    else this.#channels.delete(channel.no);
  }

  #agreed(message: ResponseMessage): void {
    this.#refused = message.isError && !this.#established;
    if (message.isError) return;
    const version = record(message.result)['protocolVersion'];
    this.#version = typeof version === 'string' ? version : '';
    this.#established = true;
  }

  /** A stream that ended can be asked for again, by a client that lost its last events. */
  #keep(channel: Channel): void {
    this.#ended.push(channel.no);
    const oldest = this.#ended.length > MAX_ENDED ? this.#ended.shift() : undefined;
    if (oldest !== undefined) this.#channels.delete(oldest);
  }

  /** A message that says not which request it belongs to. */
  #unrelated(line: Buffer): void {
    const newest = this.#standalone.attached ? undefined : this.#newestOpen();
    if (this.#standalone.attached) this.#standalone.send(line);
    else if (newest !== undefined) newest.event(line);
    else if (this.#mailbox.put(line) > 0) this.#log.warn({}, 'messages that no client fetched were dropped');
  }

  #newestOpen(): Exchange | undefined {
    const open = this.#exchanges.entries().map(([, exchange]) => exchange);
    return open.findLast((exchange) => exchange.attached && exchange.request.method !== 'initialize');
  }
}
