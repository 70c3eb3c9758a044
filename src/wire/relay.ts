import type { Readable, Writable } from 'node:stream';
import type { ToolCall, ToolDescription } from '../domain/call.js';
import type { Permit } from '../domain/permit.js';
import type { Ask, Downstream, DownstreamAnswer } from '../domain/ports.js';
import { type Child, type ChildExit, exitCode } from './child.js';
import { delay } from './child-group.js';
import { refusal } from './message.js';
import { LineWriter, lineBatches, OrderedLines } from './pipe.js';
import { Asker } from './relay-ask.js';
import { type CallDeps, Calls } from './relay-calls.js';
import { ClientSide } from './relay-client.js';
import { IdTable } from './relay-ids.js';
import { Lister } from './relay-lister.js';
import { CONNECTION_CLOSED, goneText } from './relay-messages.js';
import { NativeCalls, type NativeTools } from './relay-native.js';
import { Peers } from './relay-peers.js';
import { idTextOf, type Pending } from './relay-pending.js';
import { Rounds } from './relay-rounds.js';
import { ServerSide } from './relay-server.js';
import { ToolBook } from './relay-tools.js';

/** What a client that closed its end may still have answered; with the child's own end in all below 3 seconds. */
const GRACE_MS = 1000;
/** A client that starts a command which cannot run writes its first request a moment later, and gets an answer to it. */
const FIRST_REQUEST_MS = 2000;
/** A downstream that takes no more requests but lives on is ended after this, so that what waits for it gets an answer. */
const UNREACHABLE_MS = 1000;
/** How long the records of the last calls may take once nothing more can come. */
const SETTLE_MS = 1000;

export interface RelayDeps extends CallDeps {
  readonly client: { readonly input: Readable; readonly output: Writable };
  readonly child: Child;
  readonly native: NativeTools;
}

/** Joins one client and one child process. Bytes go through; a tools/call goes through `handle` and needs a permit. */
export class Relay implements Downstream {
  readonly ask: Ask;
  readonly #deps: RelayDeps;
  readonly #pending = new IdTable<Pending>();
  readonly #toClient: LineWriter;
  readonly #ordered: OrderedLines;
  readonly #toServer: LineWriter;
  readonly #asker: Asker;
  readonly #rounds: Rounds;
  readonly #peers: Peers;
  readonly #book: ToolBook;
  readonly #calls: Calls;
  readonly #nativeCalls: NativeCalls;
  readonly #clientSide: ClientSide;
  readonly #serverSide: ServerSide;

  constructor(deps: RelayDeps) {
    const { log, native, child, client } = deps;
    const peers = new Peers();
    const book = new ToolBook();
    const serverRequests = new IdTable<true>();
    const pending = this.#pending;
    const toClient = new LineWriter(client.output);
    const toServer = new LineWriter(child.input);
    const unreachable = () => void delay(UNREACHABLE_MS).then(() => child.stop());
    child.input.once('error', unreachable);
    const lister = new Lister(book, peers, pending, toServer);
    this.#deps = deps;
    this.#peers = peers;
    this.#book = book;
    this.#toClient = toClient;
    this.#toServer = toServer;
    this.#ordered = new OrderedLines(toClient);
    this.#asker = new Asker(peers, toClient);
    this.#rounds = new Rounds(pending, toClient, (tool, args) =>
      deps.digest(deps.session, deps.server.name, tool, args),
    );
    this.ask = (question, signal) => this.#rounds.ask(question, signal) ?? this.#asker.ask(question, signal);
    this.#calls = new Calls(deps, { peers, book, lister, rounds: this.#rounds, pending, toClient, toServer });
    this.#nativeCalls = new NativeCalls(native, pending, toClient, log, this.#rounds);
    this.#clientSide = new ClientSide({
      log,
      peers,
      pending,
      serverRequests,
      asker: this.#asker,
      rounds: this.#rounds,
      calls: this.#calls,
      native: this.#nativeCalls,
      toClient,
      toServer,
      unreachable,
    });
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

  forward(call: ToolCall, permit: Permit, signal: AbortSignal): Promise<DownstreamAnswer> {
    return this.#calls.forward(call, permit, signal);
  }

  /**
   * Passes messages until either end is gone or the signal stops it; then everything pending is answered and the child's group
   * ended. Resolves to the exit code for the proxy: the child's own (see `exitCode`), or 0 where the client's end came first.
   */
  async run(signal: AbortSignal): Promise<number> {
    const { child, client, log, server } = this.#deps;
    const fromServer = this.#readServer();
    const left = Promise.race([this.#readClient(), this.#toClient.gone]);
    const stopped = aborted(signal);
    const over = Promise.race([left, stopped]);
    const early = await Promise.race([child.exit, over.then(() => undefined)]);
    if (early === undefined) await this.#stop(stopped);
    const exit = await child.exit;
    log.info({ ...ending(exit), server: server.name }, 'the downstream ended');
    // A slow client still gets everything; one that is gone, or a signal, bounds the wait.
    const patience = over.then(() => delay(SETTLE_MS));
    await Promise.race([fromServer.then(() => this.#ordered.settled()), patience]);
    const why = goneText(server.name, exitCode(exit), exit.spawnError === undefined);
    this.#clientSide.downstreamGone(why);
    this.#answerPending(why, () => true);
    this.#closeQuestions();
    if (early !== undefined) await Promise.race([this.#clientSide.firstRequest, over, delay(FIRST_REQUEST_MS)]);
    await Promise.race([Promise.all([this.#calls.settled(), this.#nativeCalls.settled()]), delay(SETTLE_MS)]);
    await Promise.race([this.#toClient.flushed(), patience]);
    client.input.destroy();
    return early === undefined ? 0 : exitCode(exit);
  }

  /** What the wrapped server's own list says of a tool, as far as one was seen. */
  describe(tool: string): ToolDescription | undefined {
    return this.#book.find(tool);
  }

  /** The name by which a call with this `_meta` goes into tags and records. */
  agentOf(meta: unknown): string {
    return this.#deps.agentName ?? this.#peers.clientName(meta) ?? 'unknown';
  }

  #closeQuestions(): void {
    this.#asker.close();
    this.#rounds.close();
  }

  async #stop(stopped: Promise<void>): Promise<void> {
    await Promise.race([this.#idle(), stopped, delay(GRACE_MS)]);
    this.#answerPending('The proxy is ending.', (entry) => entry.kind === 'call' && entry.state === 'held');
    this.#closeQuestions();
    await this.#deps.child.stop();
  }

  /** Nothing waits for an answer. A client that closed its end after its last request still gets the answers of a moment. */
  async #idle(): Promise<void> {
    while (this.#pending.entries().some(([, entry]) => isWaiting(entry))) await delay(10);
  }

  async #readServer(): Promise<void> {
    for await (const lines of lineBatches(this.#deps.child.output)) {
      for (const line of lines) {
        this.#safely(() => this.#serverSide.line(line));
        await this.#ordered.room();
      }
    }
  }

  async #readClient(): Promise<void> {
    for await (const lines of lineBatches(this.#deps.client.input)) {
      for (const line of lines) {
        this.#safely(() => this.#clientSide.line(line));
        await this.#toServer.ready();
      }
    }
  }

  /** A fault in one message ends neither the connection nor what runs beside it; the message is not passed on. */
  #safely(pass: () => void): void {
    try {
      pass();
    } catch (error) {
      this.#deps.log.error({ error: String(error) }, 'a message was dropped by a fault of the proxy');
    }
  }

  /** Each such request gets an error that says whether it was sent; a held call is given up. */
  #answerPending(why: string, which: (entry: Pending) => boolean): void {
    for (const [idKey, entry] of this.#pending.entries()) {
      if (!which(entry)) continue;
      this.#pending.delete(idKey);
      if (entry.kind === 'own') {
        entry.settle(undefined);
        continue;
      }
      if (entry.kind === 'native') entry.abort.abort();
      const text = entry.kind === 'call' ? entry.abandon(why) : `${why} The request was sent and has no answer.`;
      if (text !== undefined) this.#toClient.write(refusal(idTextOf(entry), CONNECTION_CLOSED, text));
    }
  }
}

function isWaiting(entry: Pending): boolean {
  if (entry.kind === 'own') return false;
  return entry.kind !== 'call' || (entry.state !== 'cancelled' && entry.state !== 'closed');
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function ending(exit: ChildExit): Record<string, unknown> {
  return { code: exit.code, signal: exit.signal, error: exit.spawnError?.message };
}
