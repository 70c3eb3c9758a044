import type { ServerResponse } from 'node:http';
import type { Meters } from '../../domain/meters.js';
import type { Logger } from '../../domain/ports.js';
import { setMember } from '../edit.js';
import {
  type NotificationMessage,
  type RequestMessage,
  type ResponseMessage,
  readServerMessage,
  type ServerMessage,
} from '../message.js';
import { IdTable, idKeyOf } from '../relay-ids.js';
import { METHOD_NOT_FOUND, notificationLine } from '../relay-messages.js';
import { record } from '../relay-peers.js';
import type { Bridge } from './bridge.js';
import { Channel } from './channel.js';
import { Exchange, tokenKey } from './exchange.js';
import { OF_MANY_CLIENTS, Outlets } from './outlets.js';
import { errorCode, statusOf } from './stateless-errors.js';
import { timed } from './timing.js';
import { type Named, UniqueNames, withOwnId, withOwnToken } from './unique.js';

const PATIENCE_MS = 1000;
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

/** A request of a stateless client on its way. */
interface Passing {
  readonly exchange: Exchange;
  readonly named: Named;
}

export interface SharedDeps {
  readonly log: Logger;
  readonly meters?: Pick<Meters, 'operation'> | undefined;
  readonly connect: (session: SharedSession) => Bridge;
}

/** All clients of revision 2026-07-28 with one child: each request stands for itself, and its answer goes to it alone. */
export class SharedSession extends Outlets {
  readonly bridge: Bridge;
  readonly #log: Logger;
  readonly #meters: SharedDeps['meters'];
  readonly #passing = new IdTable<Passing>();
  readonly #byToken = new Map<string, Passing>();
  readonly #names = new UniqueNames();
  #usedAt = Date.now();

  constructor({ log, meters, connect }: SharedDeps) {
    super(OF_MANY_CLIENTS);
    this.#log = log;
    this.#meters = meters;
    this.bridge = connect(this);
  }

  get pending(): number {
    return this.#passing.size;
  }

  /** How long nothing was asked and nothing is pending, in milliseconds. */
  idleFor(now: number): number {
    if (this.#passing.size > 0) this.#usedAt = now;
    return now - this.#usedAt;
  }

  /** `over`: the message is held no more. */
  request(message: RequestMessage, response: ServerResponse, over: () => void): void {
    this.#usedAt = Date.now();
    const named = this.#names.enter(message);
    const exchange = new Exchange({
      request: message,
      response,
      channel: new Channel(0, undefined),
      headers: () => ({}),
      patienceMs: PATIENCE_MS,
      primed: false,
      over: () => this.bridge.whenTaken(over),
      end: timed(this.#meters, message),
    });
    const passing = { exchange, named };
    this.track(response);
    this.#passing.add(named.sent.idKey, passing);
    const token = tokenKey(named.sentToken);
    if (token !== undefined) this.#byToken.set(token, passing);
    response.once('close', () => this.#left(passing));
    void this.bridge.fromClient(named.sent.raw);
  }

  /** A notification, which concerns no other client. */
  tell(message: NotificationMessage, over: () => void): void {
    void this.bridge.fromClient(message.raw);
    this.bridge.whenTaken(over);
  }

  write(line: Uint8Array): boolean {
    const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
    this.#route(bytes, readServerMessage(bytes));
    return this.ready() === undefined;
  }

  async close(): Promise<void> {
    await this.bridge.close();
    for (const [, { exchange }] of this.#passing.entries()) exchange.giveUp();
    this.leave();
  }

  /** The client closed its connection: in this revision that cancels its request. */
  #left(passing: Passing): void {
    const { idKey, idText } = passing.named.sent;
    if (this.#passing.match(idKey)?.entry !== passing) return;
    this.#forget(passing, 'retired');
    passing.exchange.release();
    passing.exchange.end('cancelled');
    const reason = 'the client closed its connection';
    const cancel = notificationLine('notifications/cancelled', { requestId: 0, reason });
    void this.bridge.fromClient(setMember(cancel, ['params'], 'requestId', idText));
  }

  #forget({ named }: Passing, how: 'answered' | 'retired'): void {
    this.#usedAt = Date.now();
    this.#names.leave(named, how);
    this.#passing.delete(named.sent.idKey);
    const token = tokenKey(named.sentToken);
    if (token !== undefined) this.#byToken.delete(token);
  }

  #route(line: Buffer, message: ServerMessage): void {
    if (message.kind === 'response') this.#answered(message);
    else if (message.kind === 'notification') this.#notification(line, message);
    else if (message.kind === 'request') this.#unanswerable(message);
    else this.#log.debug({}, 'a message that belongs to no request was dropped');
  }

  #answered(message: ResponseMessage): void {
    const found = this.#passing.match(message.idKey);
    if (found === undefined) {
      this.#names.settled(message.idKey);
      return;
    }
    const { exchange, named } = found.entry;
    this.#forget(found.entry, 'answered');
    exchange.end(message);
    exchange.answer(withOwnId(message.raw, named), message.isError ? statusOf(errorCode(message.raw)) : 200);
  }

  #notification(line: Buffer, message: NotificationMessage): void {
    const token = message.method === 'notifications/progress' ? tokenKey(message.params?.['progressToken']) : undefined;
    const subscription = idKeyOf(record(message.params?.['_meta'])[SUBSCRIPTION]);
    const bySubscription = subscription === undefined ? undefined : this.#passing.match(subscription)?.entry;
    const byToken = token === undefined ? undefined : this.#byToken.get(token);
    if (byToken !== undefined) byToken.exchange.event(withOwnToken(line, byToken.named));
    else if (bySubscription !== undefined)
      bySubscription.exchange.event(withOwnSubscription(line, bySubscription.named));
    else this.#unrelated(line, message);
  }

  /** A log line does not say which request it belongs to: it is passed on only where one alone can have asked for it. */
  #unrelated(line: Buffer, { method }: NotificationMessage): void {
    const passing = this.#passing.entries().map(([, entry]) => entry);
    const listening = method === 'notifications/message' ? passing.filter(asksForLogs) : [];
    const [only, another] = listening;
    if (only !== undefined && another === undefined) only.exchange.event(line);
    else this.#log.debug({ method }, 'a notification that belongs to no request was dropped');
  }

  /** In this revision a server asks nothing of its client; one that does is told so, and does not wait for ever. */
  #unanswerable({ idText, method }: RequestMessage): void {
    this.#log.warn({ method }, 'a request of the downstream was refused: its clients take none in this revision');
    const text = 'Clients of revision 2026-07-28 take no requests.';
    const error = `{"code":${METHOD_NOT_FOUND},"message":"${text}"}`;
    queueMicrotask(() => void this.bridge.fromClient(Buffer.from(`{"jsonrpc":"2.0","id":${idText},"error":${error}}`)));
  }
}

function asksForLogs({ exchange }: Passing): boolean {
  return record(record(exchange.request.params)['_meta'])[LOG_LEVEL] !== undefined;
}

function withOwnSubscription(line: Buffer, { own, sent }: Named): Buffer {
  return own.idText === sent.idText ? line : setMember(line, ['params', '_meta'], SUBSCRIPTION, own.idText);
}
