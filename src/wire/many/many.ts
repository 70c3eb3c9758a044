import { PassThrough, type Readable, Writable } from 'node:stream';
import type { Server } from '../../domain/call.js';
import type { Logger } from '../../domain/ports.js';
import { delay } from '../child-group.js';
import type { DownstreamEnd, DownstreamExit, Unanswered } from '../downstream-end.js';
import { LineSplitter } from '../lines.js';
import {
  type NotificationMessage,
  type RequestMessage,
  type ResponseMessage,
  readBatch,
  readServerMessage,
  type ServerMessage,
} from '../message.js';
import { LineWriter } from '../pipe.js';
import { idKeyOf } from '../relay-ids.js';
import { record, type ServerInfo } from '../relay-peers.js';
import type { Routed, Servers } from '../relay-servers.js';
import { MAX_TEXT } from '../scan.js';
import { LIST_NAMES, LISTS, type ListName } from './books.js';
import { CallRoutes } from './calls.js';
import type { Core } from './core.js';
import { Greeting } from './greeting.js';
import { Life } from './life.js';
import { Link, type LinkEvents, type Member } from './link.js';
import { Lists } from './lists.js';
import { Reader } from './reader.js';
import { Routes } from './routes.js';
import { ServerRequests } from './server-requests.js';
import { Subscriptions } from './subscriptions.js';
import { TaskOwners } from './tasks.js';

export interface ManyOptions {
  /** In the order of the config. */
  readonly members: readonly Member[];
  /** How the proxy names itself where it answers for all. */
  readonly self: ServerInfo;
  readonly log: Logger;
  /** Milliseconds until the first restart of a server. */
  readonly restartMs?: number | undefined;
  /** Milliseconds that initialize waits for servers once one has answered. */
  readonly patienceMs?: number | undefined;
}

const LIST_OF: ReadonlyMap<string, ListName> = new Map(LIST_NAMES.map((list) => [LISTS[list].method, list]));
/** How long the client waits for a server that does not read what it sent; the others must not wait for it for long. */
const FULL_MS = 250;

/** Starts several servers that look like one downstream. */
export function startMany(options: ManyOptions): ManyServers {
  return new ManyServers(options);
}

/** Several servers as one downstream: messages are split among them by what they name, and lines pass as they came but for ids and cursors. */
export class ManyServers implements DownstreamEnd, Servers {
  readonly input: Writable;
  readonly output: Readable;
  readonly exit: Promise<DownstreamExit>;
  readonly all: readonly Server[];
  readonly several: CallRoutes;
  readonly #core: Core;
  readonly #toClient: LineWriter;
  readonly #requests = new ServerRequests();
  readonly #tasks = new TaskOwners();
  readonly #subscriptions: Subscriptions;
  readonly #greeting: Greeting;
  readonly #lists: Lists;
  readonly #routes: Routes;
  readonly #life: Life;

  constructor({ members, self, log, restartMs, patienceMs }: ManyOptions) {
    const output = new PassThrough();
    const toClient = new LineWriter(output);
    const events = {
      line: (link: Link, line: Buffer) => this.#fromServer(link, line),
      ended: (link: Link, exit: DownstreamExit) => this.#life.ended(link, exit),
    };
    const links = startAll(members, events);
    const core = { links, log, out: (line: Buffer) => void toClient.write(line) };
    const reader = new Reader();
    this.#core = core;
    this.#toClient = toClient;
    this.all = members.map(({ server }) => server);
    this.#subscriptions = new Subscriptions(core);
    this.#greeting = new Greeting(core, self, patienceMs);
    this.#lists = new Lists(core);
    this.several = new CallRoutes(core, reader, this.#tasks);
    this.#routes = new Routes(core, reader, this.#tasks, this.#subscriptions);
    this.#life = new Life(core, this.#greeting, this.#requests, this.#subscriptions, restartMs);
    this.output = output;
    this.input = this.#open();
    this.exit = this.#life.over.then((exit) => {
      output.end();
      return exit;
    });
  }

  serverOf(tool: string): Routed {
    return this.several.serverOf(tool);
  }

  onUnanswered(take: (unanswered: Unanswered) => void): void {
    this.several.onUnanswered(take);
  }

  stop(): Promise<DownstreamExit> {
    return this.#life.stop();
  }

  #open(): Writable {
    const splitter = new LineSplitter();
    return new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        for (const line of splitter.push(chunk)) this.#fromClient(line);
        const full = this.#core.links.flatMap((link) => link.ready() ?? []);
        if (full.length === 0) done();
        else void Promise.race([Promise.all(full), delay(FULL_MS)]).then(() => done());
      },
    });
  }

  #fromClient(line: Buffer): void {
    // The relay has read it strictly, or made it itself.
    const message = readServerMessage(line);
    if (message.kind === 'request') this.#request(message);
    else if (message.kind === 'notification') this.#told(message);
    else if (message.kind === 'response') this.#answer(message);
  }

  #request(request: RequestMessage): void {
    const list = LIST_OF.get(request.method);
    if (request.method === 'tools/call') this.several.send(request);
    else if (request.method === 'initialize' || request.method === 'server/discover') this.#greeting.start(request);
    else if (list !== undefined) this.#lists.start(request, list);
    else this.#routes.start(request);
  }

  #told(notification: NotificationMessage): void {
    const { links } = this.#core;
    const { method, raw } = notification;
    if (method === 'notifications/initialized') {
      this.#greeting.clientIsReady(raw);
      return;
    }
    if (method === 'notifications/cancelled') {
      this.#cancelled(notification);
      return;
    }
    const progress = method === 'notifications/progress' ? this.#requests.progress(notification) : undefined;
    if (progress !== undefined) {
      progress.link.write(progress.line);
      return;
    }
    for (const link of links) if (link.isReady) link.write(raw);
  }

  /** To the servers that have the request; what they still answer goes to the client, and no other server is asked. */
  #cancelled(notification: NotificationMessage): void {
    const idKey = idKeyOf(record(notification.params)['requestId']);
    if (idKey === undefined) return;
    this.#subscriptions.cancelled(idKey);
    for (const link of this.#core.links.filter((each) => each.waitsFor(idKey))) {
      link.takenBack(idKey, (reply) => {
        if (reply.kind === 'response') this.#core.out(reply.response.raw);
      });
      link.write(notification.raw);
    }
  }

  #answer(response: ResponseMessage): void {
    const answer = this.#requests.answer(response);
    if (answer === undefined) this.#core.log.warn({}, 'an answer of the client for a server that is gone was dropped');
    else answer.link.write(answer.line);
  }

  #fromServer(link: Link, line: Buffer): Promise<void> | undefined {
    try {
      this.#message(link, readServerMessage(line), line);
    } catch (error) {
      this.#core.log.error(
        { server: link.name, error: String(error) },
        'a message was dropped by a fault of the proxy',
      );
    }
    return this.#toClient.ready();
  }

  #message(link: Link, message: ServerMessage, line: Buffer): void {
    const { log, out } = this.#core;
    switch (message.kind) {
      case 'junk':
        log.warn(
          { server: link.name, bytes: line.length, why: message.why },
          'a line of a server is no message: dropped',
        );
        return;
      case 'empty':
        return;
      case 'response':
        this.#response(link, message);
        return;
      case 'request':
        out(this.#requests.fromServer(link, message));
        return;
      case 'notification':
        this.#notification(link, message);
        return;
      case 'other':
        this.#other(link, message.raw);
        return;
    }
  }

  /** An answer to what this server was not asked could be meant for another server's request: it reaches nobody. */
  #response(link: Link, response: ResponseMessage): void {
    const settle = link.answered(response);
    if (settle === undefined) {
      this.#core.log.warn({ server: link.name }, 'a server answered what it was not asked: dropped');
    } else {
      settle();
    }
  }

  #notification(link: Link, notification: NotificationMessage): void {
    const { log, out } = this.#core;
    link.books.note(notification.method);
    this.#tasks.notification(link, notification);
    if (notification.method !== 'notifications/cancelled') {
      out(notification.raw);
      return;
    }
    const line = this.#requests.cancelled(link, notification);
    if (line === undefined)
      log.warn({ server: link.name }, 'a server took back a request that it has not made: dropped');
    else out(line);
  }

  /** The messages of a batch one by one. JSON that is no message names no server, so that it could pass for another's. */
  #other(link: Link, raw: Buffer): void {
    const batch = readBatch(raw);
    for (const message of batch) this.#message(link, message, raw);
    if (batch.length === 0) this.#opaque(link, raw);
  }

  #opaque(link: Link, raw: Buffer): void {
    if (raw.length > MAX_TEXT) this.#core.out(raw);
    else this.#core.log.warn({ server: link.name }, 'JSON of a server that is no message was dropped');
  }
}

/** Where one of them cannot be, those before it are ended again. */
function startAll(members: readonly Member[], events: LinkEvents): readonly Link[] {
  const links: Link[] = [];
  try {
    for (const member of members) links.push(new Link(member, events));
  } catch (error) {
    for (const link of links) void link.stop();
    throw error;
  }
  return links;
}
