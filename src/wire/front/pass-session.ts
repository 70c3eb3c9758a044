import type { Meters } from '../../domain/meters.js';
import type { Cancel, Logger } from '../../domain/ports.js';
import { setMember } from '../edit.js';
import { type RequestMessage, readClientMessage } from '../message.js';
import type { Ends, Relay } from '../relay.js';
import { idKeyOf } from '../relay-ids.js';
import { notificationLine } from '../relay-messages.js';
import { type HttpAnswer, HttpFailure } from '../remote/http.js';
import { isEvents, whole } from './http-answer.js';
import type { Sent } from './incoming.js';
import type { PassAnswer } from './pass-answer.js';
import { PassAsker } from './pass-asker.js';
import { PassBack } from './pass-back.js';
import { type Given, type Heads, PassBook, type Passing, passingOf } from './pass-book.js';
import { endStreams, LeftRequests } from './pass-left.js';
import { sinkOf } from './pass-sink.js';
import type { PassUp } from './pass-up.js';
import { timed } from './timing.js';
import { asOwn } from './unique.js';

/** A held call's answer begins as a stream after this, so that its client sees that it is being served. */
const HELD_MS = 2000;

export interface PassSessionDeps {
  readonly log: Logger;
  readonly meters?: Pick<Meters, 'operation'> | undefined;
  readonly up: PassUp;
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
  /** Milliseconds since 1970. */
  readonly begun = Date.now();
  /** Hears of each answer of the upstream: its status, and the session id where it gives one. */
  onAnswer: (status: number, id: string | undefined) => void = () => undefined;
  readonly #deps: PassSessionDeps;
  readonly #book = new PassBook();
  readonly #back: PassBack;
  readonly #left = new LeftRequests(this.#book);
  readonly #asker: PassAsker;
  readonly #byLine = new WeakMap<Uint8Array, Passing>();
  #streams = 0;
  #usedAt = Date.now();
  #cancelling = false;

  constructor(deps: PassSessionDeps) {
    this.#deps = deps;
    const { log, up } = deps;
    this.#back = new PassBack(this.#book, up, () => this.relay);
    this.#asker = new PassAsker({ log, up, relay: () => this.relay, heard: (answer) => this.#heard(answer) });
    this.relay = deps.open({
      toClient: sinkOf((line) => this.#back.toClient(line)),
      toServer: sinkOf((line) => this.#toServer(line)),
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

  /** Resolves when as much is known of the tool that a request calls as the upstream says; undefined where that is so now. */
  learn(own: RequestMessage, heads: Heads, cancel: Cancel): Promise<void> | undefined {
    this.#asker.cameWith(heads);
    return this.relay.learn(own, cancel);
  }

  /** False where a request of this client with this id is not answered yet. */
  request(own: RequestMessage, given: Given, answer: PassAnswer): boolean {
    if (this.#deps.sharing === 'none' && this.#book.find(own.idKey) !== undefined) return false;
    this.#usedAt = Date.now();
    this.#asker.cameWith(given.heads);
    const passing = this.#book.enter(own, given, answer, timed(this.#deps.meters, own));
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
    const cancelled = this.#cancelled(message);
    // What it names could be another client's; in that revision a client closes its connection instead.
    if (cancelled !== undefined && this.#deps.sharing === 'stateless') {
      given.over();
      return false;
    }
    const [only, another] = cancelled ?? [];
    if (another === undefined) this.relay.fromClient(message.raw);
    else this.#toServer(message.raw);
    if (only !== undefined && another === undefined) this.#takenBack(only);
    if (!passing.sent) given.over();
    return passing.sent;
  }

  /** What a cancellation takes back. Where several clients wait under that id nobody knows whose is meant, so no held call is given up. */
  #cancelled(message: Sent): readonly Passing[] | undefined {
    if (message.kind !== 'notification' || message.method !== 'notifications/cancelled') return undefined;
    const id = idKeyOf(message.params?.['requestId']);
    return this.#book.all().filter(({ named }) => named?.own.idKey === id);
  }

  #takenBack(passing: Passing): void {
    passing.cancelled = true;
    if (passing.answer.gone) this.#giveUp(passing);
  }

  /** Its outcome is recorded as unknown, and nobody comes back for it. */
  #giveUp(passing: Passing): void {
    passing.abort.abort();
    endStreams(passing);
    this.#book.leave(passing, 'retired');
  }

  /** The client closed its connection before the answer was whole; where it cannot resume it, it does not come back for it. */
  left(own: RequestMessage): void {
    const passing = this.#book.of(own);
    if (passing?.named === undefined) return;
    if (this.#deps.sharing !== 'stateless') {
      // No cancellation: a call that is held goes out still, and the answer is still read, since it is the outcome of the call.
      if (passing.cancelled) this.#giveUp(passing);
      else if (this.#deps.sharing === 'none') this.#left.add(passing);
      return;
    }
    const cancel = notificationLine('notifications/cancelled', { requestId: 0 });
    this.#cancelling = true;
    this.relay.fromClient(setMember(cancel, ['params'], 'requestId', passing.named.sent.idText));
    this.#cancelling = false;
    this.#giveUp(passing);
  }

  /** A stream that the client opened by GET: its messages come and go on it. */
  async listen(heads: Heads, answer: PassAnswer, abort: AbortController): Promise<number> {
    this.#streams += 1;
    try {
      const eventId = heads['last-event-id']?.[0];
      const passing = eventId === undefined ? undefined : await this.#left.takeUp(eventId);
      const status = this.#listen(heads, answer, abort.signal, passing !== undefined);
      passing?.streams.push({ answer, abort, done: status.catch(() => undefined) });
      return await status;
    } finally {
      this.#streams -= 1;
      this.#usedAt = Date.now();
    }
  }

  /** Whether a stream is read on though its client is gone: for the outcome of a call. */
  readsOn(answer: PassAnswer): boolean {
    return this.#left.readsOn(answer);
  }

  async #listen(heads: Heads, answer: PassAnswer, signal: AbortSignal, isTakenUp: boolean): Promise<number> {
    const { up, sharing } = this.#deps;
    const response = await up.get(heads, signal, isTakenUp);
    const { status } = response;
    this.#heard(response);
    if (isEvents(response)) await this.#back.events(response, answer, sharing === 'none' ? undefined : 'anyone');
    else {
      const head = up.head(response, answer.origin);
      answer.whole(head.status, head.headers, await whole(response));
    }
    return status;
  }

  /** Never rejects. */
  async close(why: string): Promise<void> {
    this.relay.clientLeaving();
    for (const { abort, streams } of this.#book.all()) for (const each of [{ abort }, ...streams]) each.abort.abort();
    this.relay.downstreamGone(why);
    for (const { over, end } of this.#book.all()) {
      end?.('no_answer');
      over();
    }
    const { release, log } = this.#deps;
    await release().catch((error: unknown) => log.error({ error: String(error) }, 'the end of a session failed'));
  }

  #toServer(line: Buffer): void {
    if (this.#cancelling) return;
    const passing = this.#byLine.get(line) ?? this.#passingOf(line);
    if (passing === undefined) {
      void this.#asker.ask(line);
      return;
    }
    passing.sent = true;
    const { answer, abort } = passing;
    const done = this.#post(passing, line === passing.line ? passing.body : asOwn(line, passing.named));
    passing.streams.push({ answer, abort, done });
  }

  /** A call that goes up in other words than it came: the relay took its own round of questions out of it. */
  #passingOf(line: Buffer): Passing | undefined {
    const message = readClientMessage(line);
    return message.kind === 'request' ? this.#book.find(message.idKey) : undefined;
  }

  async #post(passing: Passing, body: Buffer): Promise<void> {
    const { heads, answer, named, abort } = passing;
    try {
      const response = await this.#deps.up.post(body, heads, abort.signal);
      this.#heard(response);
      if (isEvents(response)) await this.#back.events(response, answer, named);
      else if (named?.own.method === 'subscriptions/listen' && response.status === 200)
        await this.#back.lines(response, answer, named);
      else await this.#back.message(response, passing);
    } catch (error) {
      if (!abort.signal.aborted) this.#failed(passing, error);
    }
    if (named === undefined) passing.over();
    // An answer that its client can fetch on another connection may still come.
    const last = this.#deps.sharing !== 'none' || !answer.resumable;
    if (named !== undefined && last && this.#book.find(named.sent.idKey) === passing)
      this.relay.unanswered({ idKey: named.sent.idKey, why: 'The MCP server ended its answer early.', sent: true });
  }

  #heard({ status, headers }: HttpAnswer): void {
    const id = headers['mcp-session-id'];
    this.onAnswer(status, typeof id === 'string' ? id : undefined);
  }

  #failed({ answer, named }: Passing, error: unknown): void {
    const what = error instanceof HttpFailure ? error.message : 'connection lost';
    this.#deps.log.warn({ error: what }, 'the downstream did not answer a request');
    const why = `The MCP server did not answer (${what}).`;
    const sent = !(error instanceof HttpFailure) || error.sent;
    if (named !== undefined) this.relay.unanswered({ idKey: named.sent.idKey, why, sent });
    else answer.whole(502, {}, Buffer.alloc(0));
  }
}
