import type { Server } from '../../domain/call.js';
import { quote } from '../../domain/text.js';
import { delay } from '../child-group.js';
import type { DownstreamEnd, DownstreamExit, Unanswered } from '../downstream-end.js';
import { setMember } from '../edit.js';
import { type RequestMessage, type ResponseMessage, readServerMessage } from '../message.js';
import { LineWriter, takeLines } from '../pipe.js';
import { ownPrefix } from '../relay-ask.js';
import { IdTable, TakenBack } from '../relay-ids.js';
import { Peers } from '../relay-peers.js';
import { MAX_RETIRED } from '../relay-pending.js';
import { Books } from './books.js';

/** A server of the config, and how to start it. `start` is called again after its end. */
export interface Member {
  readonly server: Server;
  readonly start: () => DownstreamEnd;
}

/** What became of one request to one server. `sent` is false where not a byte of it was written. */
export type Reply =
  | { readonly kind: 'response'; readonly response: ResponseMessage }
  | { readonly kind: 'gone'; readonly sent: boolean; readonly why: string };
type Done = (reply: Reply) => void;

/** up: the process runs. down: it ended and will be started again. over: it ended for good. */
export type LinkState = 'up' | 'down' | 'over';

export interface LinkEvents {
  readonly line: (link: Link, line: Buffer) => Promise<void> | undefined;
  readonly ended: (link: Link, exit: DownstreamExit) => void;
}

/** A server that takes no more requests but lives on is ended after this. */
const UNREACHABLE_MS = 1000;

/** One of several servers: its process, what waits for its answer, and what it has said of itself. */
export class Link {
  readonly server: Server;
  readonly books = new Books();
  readonly #start: () => DownstreamEnd;
  readonly #events: LinkEvents;
  readonly #pending = new IdTable<Done>();
  readonly #takenBack = new TakenBack(this.#pending, MAX_RETIRED);
  readonly #prefix = ownPrefix();
  #count = 0;
  #child: DownstreamEnd;
  #writer: LineWriter;
  #why = '';
  #known: Server;
  state: LinkState = 'up';
  /** It was sent an initialize that it has not answered: it is not part of the session yet. */
  greeting = false;
  /** It has answered something since it was started first. */
  hasAnswered = false;
  /** Milliseconds since 1970. */
  startedAt = Date.now();
  peers = new Peers();

  constructor({ server, start }: Member, events: LinkEvents) {
    this.server = server;
    this.#known = server;
    this.#start = start;
    this.#events = events;
    this.#child = start();
    this.#writer = new LineWriter(this.#child.input);
    this.#watch(this.#child);
  }

  get name(): string {
    return this.server.name;
  }

  /** The server with what it said of itself: one object as long as nothing new is heard of it. */
  get known(): Server {
    const info = this.peers.serverInfo;
    if (info !== undefined && this.#known.info !== info) this.#known = { ...this.server, info };
    return this.#known;
  }

  /** Part of the session: it runs, and its initialize is not open. */
  get isReady(): boolean {
    return this.state === 'up' && !this.greeting;
  }

  /** Why it takes no request now. */
  get why(): string {
    if (this.state === 'up') return `The MCP server ${quote(this.name)} has not started yet.`;
    return this.state === 'down' ? `${this.#why} It is being started again: wait a moment.` : this.#why;
  }

  /** False where it has said that it has no such capability. */
  may(capability: string): boolean {
    return this.isReady && this.peers.serverMayHave(capability);
  }

  write(line: Buffer): void {
    if (this.state === 'up') this.#writer.write(line);
  }

  /** Sends a request, where it is part of the session. `done` is called once: in the turn of the answer, or when the server is gone. */
  request(line: Buffer, idKey: string, done: Done): void {
    if (this.isReady) this.#send(line, idKey, done);
    else done({ kind: 'gone', sent: false, why: this.why });
  }

  #send(line: Buffer, idKey: string, done: Done): void {
    if (this.state !== 'up') {
      done({ kind: 'gone', sent: false, why: this.why });
      return;
    }
    if (!this.#writer.open) {
      void delay(UNREACHABLE_MS).then(() => this.#child.stop());
      done({ kind: 'gone', sent: false, why: `The MCP server ${quote(this.name)} takes no more requests.` });
      return;
    }
    this.#pending.add(idKey, done);
    this.#writer.write(line);
  }

  /**
   * Sends a request that other servers get too (initialize is one of them), under an id of its own: the client may have its answer from them and use its id
   * again before this server answers. `done` gets the client's id back.
   */
  copy(request: RequestMessage, done: Done): void {
    this.#count += 1;
    const id = `${this.#prefix}${this.#count}`;
    this.#send(setMember(request.raw, [], 'id', JSON.stringify(id)), `s:${id}`, (reply) => {
      const own = reply.kind === 'response' && setMember(reply.response.raw, [], 'id', request.idText);
      const message = own ? readServerMessage(own) : undefined;
      done(message?.kind === 'response' ? { kind: 'response', response: message } : reply);
    });
  }

  /** Sends a request of the proxy's own; `paramsJson` is the JSON text of its params. */
  ask(method: string, paramsJson: string, done: Done): void {
    this.#count += 1;
    const id = `${this.#prefix}${this.#count}`;
    const line = `{"jsonrpc":"2.0","id":"${id}","method":${JSON.stringify(method)},"params":${paramsJson}}`;
    this.#send(Buffer.from(line), `s:${id}`, done);
  }

  /** Takes an answer in; the key under which its request waits, or undefined where none does. */
  answered(response: ResponseMessage): (() => void) | undefined {
    const found = this.#pending.match(response.idKey);
    if (found === undefined) return undefined;
    this.hasAnswered = true;
    this.#pending.delete(found.idKey);
    return () => found.entry({ kind: 'response', response });
  }

  /** The request waits for this server's answer. */
  waitsFor(idKey: string): boolean {
    return this.#pending.match(idKey) !== undefined;
  }

  /** The client took a request back: the answer, if one comes, goes to `done`. */
  takenBack(idKey: string, done: Done): void {
    const found = this.#pending.match(idKey);
    if (found !== undefined) this.#takenBack.add(found.idKey, done);
  }

  /** Its process takes what was written; undefined where it does now. */
  ready(): Promise<void> | undefined {
    return this.#writer.ready();
  }

  /** The process ended: what waits for it has no answer. */
  gone(state: 'down' | 'over', why: string): void {
    this.state = state;
    this.#why = why;
    this.greeting = false;
    for (const [idKey, done] of this.#pending.entries()) {
      this.#pending.delete(idKey);
      done({ kind: 'gone', sent: true, why });
    }
  }

  restart(): void {
    this.state = 'up';
    this.startedAt = Date.now();
    this.#child = this.#start();
    this.#writer = new LineWriter(this.#child.input);
    this.#watch(this.#child);
  }

  stop(): Promise<DownstreamExit> {
    return this.#child.stop();
  }

  #unanswered({ idKey, why, sent }: Unanswered): void {
    const found = this.#pending.match(idKey);
    if (found === undefined) return;
    this.#pending.delete(found.idKey);
    found.entry({ kind: 'gone', sent, why });
  }

  #watch(child: DownstreamEnd): void {
    child.onUnanswered?.((unanswered) => this.#unanswered(unanswered));
    const read = takeLines(child.output, (line) => this.#events.line(this, line));
    void Promise.all([child.exit, read]).then(([exit]) => this.#events.ended(this, exit));
  }
}
