import type { ToolCall, ToolDescription } from '../domain/call.js';
import type { Permit } from '../domain/permit.js';
import type { Ask, Cancel, Downstream, DownstreamAnswer } from '../domain/ports.js';
import type { Unanswered } from './downstream-end.js';
import { type RequestMessage, refusal } from './message.js';
import { type LineSink, OrderedLines } from './pipe.js';
import { Asker } from './relay-ask.js';
import { type CallDeps, Calls } from './relay-calls.js';
import { ClientSide } from './relay-client.js';
import { IdTable, TakenBack } from './relay-ids.js';
import { Lister } from './relay-lister.js';
import { CONNECTION_CLOSED } from './relay-messages.js';
import { NativeCalls, type NativeTools } from './relay-native.js';
import { Peers } from './relay-peers.js';
import { idTextOf, MAX_RETIRED, type Pending } from './relay-pending.js';
import { Rounds } from './relay-rounds.js';
import { ServerSide } from './relay-server.js';
import { ToolBook } from './relay-tools.js';

/** A server may ask without end, and a client need not answer: the oldest requests are forgotten then. */
const MAX_SERVER_REQUESTS = 10_000;

/** What carries a session's messages. */
export interface Ends {
  readonly toClient: LineSink;
  readonly toServer: LineSink;
  /** A request could not be written, since the downstream closed its end. */
  readonly unreachable: () => void;
}

export interface RelayDeps extends CallDeps, Ends {
  readonly native: NativeTools;
  /** How long a question waits for the call's next round. */
  readonly openMs: number;
}

/**
 * One session between a client and a downstream, whatever carries their messages. Bytes go through; a tools/call goes through
 * `handle` and needs a permit. What carries them gives each message in by `fromClient` or `fromServer`, and says when an end is gone.
 */
export class Relay implements Downstream {
  readonly ask: Ask;
  /** Resolves with the client's first request. */
  readonly firstRequest: Promise<void>;
  readonly #deps: RelayDeps;
  readonly #pending = new IdTable<Pending>();
  readonly #ordered: OrderedLines;
  readonly #asker: Asker;
  readonly #rounds: Rounds;
  readonly #peers = new Peers();
  readonly #book = new ToolBook();
  readonly #calls: Calls;
  readonly #nativeCalls: NativeCalls;
  readonly #clientSide: ClientSide;
  readonly #serverSide: ServerSide;

  constructor(deps: RelayDeps) {
    const { log, native, toClient, toServer, unreachable } = deps;
    const peers = this.#peers;
    const book = this.#book;
    const serverRequests = new IdTable<number>(MAX_SERVER_REQUESTS);
    const pending = this.#pending;
    const retired = new TakenBack(pending, MAX_RETIRED);
    const lister = new Lister(book, peers, pending, toServer);
    this.#deps = deps;
    this.#ordered = new OrderedLines(toClient);
    const asker = new Asker(peers, toClient);
    const digest = (tool: string, args: Readonly<Record<string, unknown>>) => {
      const routed = deps.servers.serverOf(tool);
      return deps.digest(deps.session, routed.kind === 'server' ? routed.server.name : '', tool, args);
    };
    const rounds = new Rounds(pending, toClient, digest, deps.openMs);
    this.#asker = asker;
    this.#rounds = rounds;
    this.ask = (question, signal) => rounds.ask(question, signal) ?? asker.ask(question, signal);
    const calls = new Calls(deps, { peers, book, lister, rounds, pending, retired, toClient, toServer });
    const nativeCalls = new NativeCalls(native, pending, toClient, log, rounds);
    this.#calls = calls;
    this.#nativeCalls = nativeCalls;
    this.#clientSide = new ClientSide({
      log,
      peers,
      book,
      pending,
      retired,
      serverRequests,
      asker,
      rounds,
      calls,
      native: nativeCalls,
      toClient,
      toServer,
      unreachable,
    });
    this.firstRequest = this.#clientSide.firstRequest;
    this.#serverSide = new ServerSide({
      log,
      peers,
      book,
      lister,
      native,
      pending,
      serverRequests,
      toClient: this.#ordered,
    });
  }

  /** One message of the client, without its line end. */
  fromClient(line: Buffer): void {
    this.#safely(this.#clientSide, line);
  }

  /** One message of the downstream. Resolves when the client keeps up; undefined where it does now. */
  fromServer(line: Buffer): Promise<void> | undefined {
    this.#safely(this.#serverSide, line);
    return this.#ordered.room();
  }

  forward(call: ToolCall, permit: Permit): Promise<DownstreamAnswer> {
    return this.#calls.forward(call, permit);
  }

  /** What the wrapped server's own list says of a tool, as far as one was seen. */
  describe(tool: string): ToolDescription | undefined {
    const { several } = this.#deps.servers;
    return several === undefined ? this.#book.find(tool) : several.describe(tool);
  }

  /** Whether a question about the call that is handled here is answered by the call's next round, so that nobody waits. */
  get asksInRounds(): boolean {
    return this.#rounds.here;
  }

  /** Resolves when as much is known of the tool that a request calls as the servers say; undefined where that is so now. */
  learn(request: RequestMessage, cancel: Cancel): Promise<void> | undefined {
    return this.#calls.learn(request, cancel);
  }

  /** The name by which a call with this `_meta` goes into tags and records. */
  agentOf(meta: unknown): string {
    return this.#deps.agentName ?? this.#peers.clientName(meta) ?? 'unknown';
  }

  /** Nothing waits for an answer. */
  get idle(): boolean {
    return !this.#pending.entries().some(([, entry]) => isWaiting(entry));
  }

  /** Resolves when every answer that the downstream gave was written. */
  delivered(): Promise<void> {
    return this.#ordered.settled();
  }

  /** The session is older than this relay: its tools can be listed without an initialize. */
  joined(): void {
    this.#peers.joined();
  }

  /** The client is leaving: held calls are given up, and no question stays open. */
  clientLeaving(): void {
    this.#answerPending('The proxy is ending.', (entry) => entry.kind === 'call' && entry.state === 'held');
    this.#closeQuestions();
  }

  /** The downstream takes nothing more, though its last answers may still come: each later request gets this error. */
  downstreamClosed(why: string): void {
    this.#clientSide.downstreamGone(why);
  }

  /** There is no downstream any more: what waits for it, and each later request, gets an error that says whether it was sent. */
  downstreamGone(why: string): void {
    this.#clientSide.downstreamGone(why);
    this.#answerPending(why, () => true);
    this.#closeQuestions();
  }

  /** The downstream lives, but this request gets no answer from it. */
  unanswered({ idKey, why, sent }: Unanswered): void {
    const found = this.#pending.match(idKey);
    if (found !== undefined) this.#abandon(found.idKey, found.entry, why, sent);
  }

  /** Resolves when no call is being handled any more. */
  async settled(): Promise<void> {
    await Promise.all([this.#calls.settled(), this.#nativeCalls.settled()]);
  }

  #closeQuestions(): void {
    this.#asker.close();
    this.#rounds.close();
  }

  /** A fault in one message ends neither the connection nor what runs beside it; the message is not passed on. */
  #safely(side: ClientSide | ServerSide, line: Buffer): void {
    try {
      side.line(line);
    } catch (error) {
      this.#deps.log.error({ error: String(error) }, 'a message was dropped by a fault of the proxy');
    }
  }

  /** Each such request gets an error that says whether it was sent; a held call is given up. */
  #answerPending(why: string, which: (entry: Pending) => boolean): void {
    for (const [idKey, entry] of this.#pending.entries()) {
      if (which(entry)) this.#abandon(idKey, entry, why, true);
    }
  }

  #abandon(idKey: string, entry: Pending, why: string, sent: boolean): void {
    this.#pending.delete(idKey);
    if (entry.kind === 'own') entry.settle(undefined);
    if (entry.kind === 'own' || entry.kind === 'retired') return;
    if (entry.kind === 'native') entry.abort.abort();
    const plain = sent ? 'The request was sent and has no answer.' : 'The request was not sent.';
    const text = entry.kind === 'call' ? entry.abandon(why, sent) : `${why} ${plain}`;
    if (text !== undefined) this.#deps.toClient.write(refusal(idTextOf(entry), CONNECTION_CLOSED, text));
  }
}

function isWaiting(entry: Pending): boolean {
  if (entry.kind === 'own' || entry.kind === 'retired') return false;
  return entry.kind !== 'call' || (entry.state !== 'cancelled' && entry.state !== 'closed');
}
