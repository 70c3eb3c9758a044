import type { Logger } from '../../domain/ports.js';
import { setMember } from '../edit.js';
import { type RequestMessage, readClientMessage, readServerMessage } from '../message.js';
import type { LineSink } from '../pipe.js';
import type { Ends, Relay } from '../relay.js';
import { idKeyOf } from '../relay-ids.js';
import { notificationLine } from '../relay-messages.js';
import { type HttpAnswer, HttpFailure, type RemoteHttp } from '../remote/http.js';
import { asOneLine } from './body.js';
import { messagesOf } from './frames.js';
import { isEvents, plain, whole } from './http-answer.js';
import type { Sent } from './incoming.js';
import type { PassAnswer } from './pass-answer.js';
import { PassBack } from './pass-back.js';
import { type Given, type Heads, PassBook, type Passing, passingOf } from './pass-book.js';
import { headersDown, headersUp, statusDown } from './pass-headers.js';
import { asOwn } from './unique.js';

/** A held call's answer begins as a stream after this, so that its client sees that it is being served. */
const HELD_MS = 2000;

/** Headers that say something of one request alone. */
const OF_ONE_REQUEST = /^(?:mcp-name|mcp-param-.*|last-event-id|trace.*)$/;

export interface PassSessionDeps {
  readonly log: Logger;
  readonly http: RemoteHttp;
  readonly open: (ends: Ends) => Relay;
  readonly release: () => Promise<void>;
  readonly sharing: Sharing;
}

/**
 * `none`: one client's. `nameless`: of all clients that the upstream gave no session. `stateless`: of all clients of a revision
 * in which a request stands for itself, and in which one that closes its connection cancels.
 */
export type Sharing = 'none' | 'nameless' | 'stateless';

/**
 * What the relay remembers of one session with an upstream, and the way of each message through it: a POST goes up when the
 * relay lets it, each message that comes back goes through the relay to the very place in the very stream where it came.
 */
export class PassSession {
  readonly relay: Relay;
  /** Hears of each answer of the upstream: its status, and the session id where it gives one. */
  onAnswer: (status: number, id: string | undefined) => void = () => undefined;
  readonly #deps: PassSessionDeps;
  readonly #book = new PassBook();
  readonly #back = new PassBack(this.#book, () => this.relay);
  readonly #byLine = new WeakMap<Uint8Array, Passing>();
  #heads: Heads = {};
  #streams = 0;
  #usedAt = Date.now();
  #cancelling = false;

  constructor(deps: PassSessionDeps) {
    this.#deps = deps;
    const gone = new Promise<void>(() => undefined);
    const still = { open: true, gone, ready: () => undefined, flushed: () => Promise.resolve() };
    const sink = (write: (line: Buffer) => void): LineSink => ({
      ...still,
      write: (line) => {
        write(line instanceof Buffer ? line : Buffer.from(line.buffer, line.byteOffset, line.byteLength));
        return true;
      },
    });
    this.relay = deps.open({
      toClient: sink((line) => this.#back.toClient(line)),
      toServer: sink((line) => this.#toServer(line)),
      unreachable: () => undefined,
    });
  }

  /** Requests that wait for an answer; one whose client left, to fetch it later or never, is none of them. */
  get pending(): number {
    return this.#book.all().filter(({ abort }) => !abort.signal.aborted).length;
  }

  /** Something waits for an answer or is listened to. */
  get busy(): boolean {
    return this.pending > 0 || this.#streams > 0;
  }

  /** How long nothing was asked and nothing is open, in milliseconds. */
  idleFor(now: number): number {
    if (this.busy) this.#usedAt = now;
    return now - this.#usedAt;
  }

  /** False where a request of this client with this id is not answered yet. */
  request(own: RequestMessage, given: Given, answer: PassAnswer): boolean {
    if (this.#deps.sharing === 'none' && this.#book.find(own.idKey) !== undefined) return false;
    this.#usedAt = Date.now();
    this.#heads = given.heads;
    const passing = this.#book.enter(own, given, answer);
    this.#byLine.set(passing.line, passing);
    const held = setTimeout(() => {
      if (!passing.sent) answer.stream();
    }, HELD_MS);
    held.unref();
    this.relay.fromClient(passing.line);
    return true;
  }

  /** A notification or a response; true where it goes up, so that the upstream's answer is the answer. */
  tell(message: Sent, given: Given, answer: PassAnswer): boolean {
    const passing = passingOf(given, message.raw, answer);
    this.#byLine.set(message.raw, passing);
    if (this.#concernsMany(message)) this.#toServer(message.raw);
    else this.relay.fromClient(message.raw);
    if (!passing.sent) given.over();
    return passing.sent;
  }

  /** A cancellation of what several clients wait for under one id: nobody knows whose is meant, so no held call is given up. */
  #concernsMany(message: Sent): boolean {
    if (this.#deps.sharing !== 'nameless' || message.kind !== 'notification') return false;
    if (message.method !== 'notifications/cancelled') return false;
    const id = idKeyOf(message.params?.['requestId']);
    return this.#book.all().filter(({ named }) => named?.own.idKey === id).length > 1;
  }

  /** The client closed its connection before the answer was whole; where it cannot resume it, it does not come back for it. */
  left(own: RequestMessage): void {
    const passing = this.#book.of(own);
    if (passing?.named === undefined) return;
    if (this.#deps.sharing !== 'stateless') {
      // No cancellation: a call that is held goes out still, one that was sent can be resumed by the client.
      // Where nobody can, the answer is still read: it is the outcome of the call.
      if (this.#deps.sharing === 'none' && passing.answer.resumable) passing.abort.abort();
      return;
    }
    const cancel = notificationLine('notifications/cancelled', { requestId: 0 });
    this.#cancelling = true;
    this.relay.fromClient(setMember(cancel, ['params'], 'requestId', passing.named.sent.idText));
    this.#cancelling = false;
    passing.abort.abort();
    this.#book.leave(passing, 'retired');
  }

  /** A stream that the client opened by GET: its messages come and go on it. */
  async listen(heads: Heads, answer: PassAnswer, signal: AbortSignal): Promise<number> {
    this.#streams += 1;
    try {
      const { http } = this.#deps;
      const response = await plain(await http.get(headersUp(heads, http.ownHeaders), signal));
      const { status } = response;
      this.#heard(response);
      if (isEvents(response)) await this.#back.events(response, answer);
      else answer.whole(statusDown(status), headersDown(response.headers), await whole(response));
      return status;
    } finally {
      this.#streams -= 1;
      this.#usedAt = Date.now();
    }
  }

  /** Never rejects. */
  async close(why: string): Promise<void> {
    this.relay.clientLeaving();
    for (const { abort } of this.#book.all()) abort.abort();
    this.relay.downstreamGone(why);
    for (const { over } of this.#book.all()) over();
    const { release, log } = this.#deps;
    await release().catch((error: unknown) => log.error({ error: String(error) }, 'the end of a session failed'));
  }

  #toServer(line: Buffer): void {
    if (this.#cancelling) return;
    const passing = this.#byLine.get(line) ?? this.#passingOf(line);
    if (passing === undefined) {
      void this.#ask(line);
      return;
    }
    passing.sent = true;
    void this.#post(passing, line === passing.line ? passing.body : asOwn(line, passing.named));
  }

  /** A call that goes up in other words than it came: the relay took its own round of questions out of it. */
  #passingOf(line: Buffer): Passing | undefined {
    const message = readClientMessage(line);
    return message.kind === 'request' ? this.#book.find(message.idKey) : undefined;
  }

  async #post(passing: Passing, body: Buffer): Promise<void> {
    const { heads, answer, named, abort } = passing;
    try {
      const { http } = this.#deps;
      const response = await plain(await http.post(body, headersUp(heads, http.ownHeaders), abort.signal).answer);
      this.#heard(response);
      if (isEvents(response)) await this.#back.events(response, answer, named);
      else if (named?.own.method === 'subscriptions/listen' && response.status === 200)
        await this.#back.lines(response, answer, named);
      else await this.#back.message(response, passing);
    } catch (error) {
      if (!abort.signal.aborted) this.#failed(passing, error);
    }
    if (named === undefined) passing.over();
    if (named !== undefined && this.#deps.sharing !== 'none' && this.#book.find(named.sent.idKey) === passing)
      this.relay.unanswered({ idKey: named.sent.idKey, why: 'The MCP server ended its answer early.', sent: true });
  }

  /** A request of the proxy's own: with the head of the newest request, but for what names that one. */
  async #ask(line: Buffer): Promise<void> {
    const heads = Object.fromEntries(Object.entries(this.#heads).filter(([name]) => !OF_ONE_REQUEST.test(name)));
    const method = heads['mcp-method'] === undefined ? {} : { 'mcp-method': ['tools/list'] };
    const given = { ...heads, ...method };
    const message = readClientMessage(line);
    if (message.kind !== 'request') return;
    const take = (text: Buffer): void => {
      const kind = readServerMessage(text);
      if (kind.kind === 'response' && kind.idKey === message.idKey) void this.relay.fromServer(text);
    };
    try {
      const { http } = this.#deps;
      const response = await http.post(line, headersUp(given, http.ownHeaders)).answer;
      this.#heard(response);
      if (isEvents(response)) for await (const text of messagesOf(response)) take(text);
      else take(asOneLine(await whole(response)));
    } catch (error) {
      this.#deps.log.warn(
        { error: String(error instanceof HttpFailure ? error.message : 'connection lost') },
        'the tools of the downstream could not be listed',
      );
    }
    this.relay.unanswered({ idKey: message.idKey, why: 'The list was not answered.', sent: true });
  }

  #heard({ status, headers }: HttpAnswer): void {
    const id = headers['mcp-session-id'];
    this.onAnswer(status, typeof id === 'string' ? id : undefined);
  }

  #failed({ answer, named }: Passing, error: unknown): void {
    this.#deps.log.warn(
      { error: String(error instanceof HttpFailure ? error.message : 'connection lost') },
      'the downstream did not answer a request',
    );
    const why = `The MCP server did not answer (${String(error instanceof HttpFailure ? error.message : 'connection lost')}).`;
    const sent = !(error instanceof HttpFailure) || error.sent;
    if (named !== undefined) this.relay.unanswered({ idKey: named.sent.idKey, why, sent });
    else answer.whole(502, {}, Buffer.alloc(0));
  }
}
