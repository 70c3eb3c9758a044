import { quote } from '../../domain/text.js';
import { objectAt } from '../json-splice.js';
import { type RequestMessage, refusal } from '../message.js';
import { CONNECTION_CLOSED, notificationLine } from '../relay-messages.js';
import { isRecord, record, type ServerInfo } from '../relay-peers.js';
import { lastNamed, latin1, utf8 } from '../scan.js';
import { LIST_NAMES, LISTS } from './books.js';
import { type Core, INTERNAL_ERROR } from './core.js';
import { type Hello, joinHellos } from './hello-line.js';
import type { Link, Reply } from './link.js';

/** Servers that have not answered by then join later, as long as one has. */
const PATIENCE_MS = 20_000;

/** A reply with a result. */
type Greeted = Reply & { readonly kind: 'response'; readonly response: { readonly isError: false } };

/** One initialize or server/discover on its way to all servers. */
interface Round {
  readonly request: RequestMessage;
  readonly stateful: boolean;
  readonly hellos: Map<Link, Hello>;
  failure: Buffer | undefined;
  open: number;
  isPatient: boolean;
  isOver: boolean;
}

/** How the servers and the client get to know each other, at the beginning and when a server comes back. */
export class Greeting {
  readonly #core: Core;
  readonly #self: ServerInfo;
  readonly #patienceMs: number;
  #paramsJson: string | undefined;
  #initialized: Buffer | undefined;
  #announced: Readonly<Record<string, unknown>> = {};
  #untold: string[] = [];

  constructor(core: Core, self: ServerInfo, patienceMs = PATIENCE_MS) {
    this.#core = core;
    this.#self = self;
    this.#patienceMs = patienceMs;
  }

  /** Sends the request to every server that runs, and answers it once. */
  start(request: RequestMessage): void {
    const links = this.#core.links.filter(({ state }) => state === 'up');
    const stateful = request.method === 'initialize';
    const round: Round = {
      request,
      stateful,
      hellos: new Map(),
      failure: undefined,
      open: links.length,
      isPatient: true,
      isOver: false,
    };
    if (stateful) this.#paramsJson = paramsOf(request);
    if (links.length === 0) {
      this.#finish(round);
      return;
    }
    for (const link of links) {
      if (stateful) link.greeting = true;
      link.copy(request, (reply) => this.#replied(round, link, reply));
    }
    setTimeout(() => {
      round.isPatient = false;
      this.#maybeFinish(round);
    }, this.#patienceMs).unref();
  }

  /** The client is ready: servers that join later are told then. */
  clientIsReady(line: Buffer): void {
    this.#initialized = line;
    for (const link of this.#core.links) if (link.isReady) link.write(line);
    for (const text of this.#untold.splice(0)) this.tell(text);
  }

  /** Says something of the servers to the log, and to a client that takes log messages. */
  tell(text: string): void {
    if (this.#initialized === undefined) {
      this.#untold.push(text);
    } else if (Object.hasOwn(this.#announced, 'logging')) {
      const params = { level: 'error', logger: this.#self.name, data: text };
      this.#core.out(notificationLine('notifications/message', params));
    }
  }

  /** A server was started again: `done` says whether it is part of the session. */
  again(link: Link, done: (isBack: boolean) => void): void {
    if (this.#paramsJson === undefined) {
      done(true);
      return;
    }
    link.greeting = true;
    link.ask('initialize', this.#paramsJson, (reply) => {
      const isBack = succeeded(reply);
      if (isBack) this.#join(link, reply);
      done(isBack);
    });
  }

  /** Tells the client which lists are others now that the server came or went. */
  listsChanged(link: Link): void {
    if (this.#initialized === undefined) return;
    const lists = LIST_NAMES.map((list) => LISTS[list]).filter(
      ({ capability }) => Object.hasOwn(this.#announced, capability) && link.peers.serverMayHave(capability),
    );
    const methods = new Set(lists.flatMap(({ changed }) => changed ?? []));
    for (const method of methods) this.#core.out(notificationLine(method, undefined));
  }

  #replied(round: Round, link: Link, reply: Reply): void {
    round.open -= 1;
    link.greeting = false;
    if (succeeded(reply)) {
      if (round.isOver) {
        this.#late(round, link, reply);
        return;
      }
      link.peers.serverSaid(reply.response.result, round.stateful);
      round.hellos.set(link, { server: link.name, response: reply.response });
    } else {
      round.failure ??= reply.kind === 'response' ? reply.response.raw : undefined;
      if (round.stateful) this.#refused(link, reply);
    }
    this.#maybeFinish(round);
  }

  /** A server that runs but takes no part is ended, and not started again. */
  #refused(link: Link, reply: Reply): void {
    if (reply.kind === 'gone') return;
    const text = `The MCP server ${quote(link.name)} did not accept the client's initialize.`;
    this.#core.log.error({ server: link.name }, 'a server refused initialize: the others go on');
    this.tell(text);
    link.gone('over', text);
    void link.stop();
  }

  #maybeFinish(round: Round): void {
    if (round.isOver) return;
    if (round.open === 0 || (!round.isPatient && round.hellos.size > 0)) this.#finish(round);
  }

  #finish(round: Round): void {
    round.isOver = true;
    const { request, stateful } = round;
    const hellos = this.#core.links.flatMap((link) => round.hellos.get(link) ?? []);
    // A server that does not speak the stateless revision: the client goes on with initialize, which all may know.
    const isMixed = !stateful && round.failure !== undefined;
    const why = this.#core.links.map((link) => link.why).join(' ');
    const nobody = refusal(request.idText, CONNECTION_CLOSED, `${why} No server is left to answer.`);
    if (hellos.length === 0 || isMixed) {
      this.#core.out(round.failure ?? nobody);
      return;
    }
    const wanted = stateful ? String(record(request.params)['protocolVersion'] ?? '') : undefined;
    const joined = joinHellos(request.idText, hellos, this.#self, wanted);
    if (joined.kind === 'apart') {
      const text = 'The MCP servers behind this proxy have no version of the protocol in common. Wrap them one by one.';
      this.#core.out(refusal(request.idText, INTERNAL_ERROR, text));
      return;
    }
    this.#announced = record(joined.result['capabilities']);
    this.#core.out(joined.line);
  }

  #late(round: Round, link: Link, reply: Greeted): void {
    this.#core.log.warn({ server: link.name }, 'a server answered after the others had been announced');
    if (round.stateful) this.#join(link, reply);
  }

  #join(link: Link, reply: Greeted): void {
    link.greeting = false;
    link.peers.serverSaid(reply.response.result, true);
    if (this.#initialized !== undefined) link.write(this.#initialized);
    this.listsChanged(link);
  }
}

function succeeded(reply: Reply): reply is Greeted {
  return reply.kind === 'response' && !reply.response.isError && isRecord(reply.response.result);
}

function paramsOf(request: RequestMessage): string {
  const text = latin1(request.raw);
  const item = lastNamed(objectAt(text, []), 'params');
  return item === undefined ? '{}' : utf8(text.slice(item.valueStart, item.end));
}
