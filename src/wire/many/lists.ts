import { quote } from '../../domain/text.js';
import { removeMember, setMember } from '../edit.js';
import { type RequestMessage, refusal } from '../message.js';
import { errorCodeOf, METHOD_NOT_FOUND } from '../relay-messages.js';
import { record, statelessMeta } from '../relay-peers.js';
import { LISTS, type ListKind, type ListName } from './books.js';
import { clashText, ownersOf } from './clash.js';
import { type Core, INTERNAL_ERROR, INVALID_PARAMS, lineOf } from './core.js';
import { Cursors } from './cursors.js';
import type { Link, Reply } from './link.js';
import { joinPages, type Page, readPage } from './page.js';

/** One list request of the client on its way through the servers. */
interface Run {
  readonly request: RequestMessage;
  readonly list: ListName;
  readonly stateless: boolean;
  readonly pages: Page[];
  /** What the first server answered that could not list. */
  failure?: Buffer;
}

/** One server and where its page begins: absent for its first. */
interface Step {
  readonly index: number;
  readonly link: Link;
  readonly cursor: string | undefined;
  readonly generation: number;
}

/**
 * Answers list requests out of all servers, one after the other in the order of the config. An answer goes on to the next server
 * until one has a further page, so that a client which reads only one page misses nothing that it would have seen without the proxy.
 */
export class Lists {
  readonly #core: Core;
  readonly #cursors = new Cursors();

  constructor(core: Core) {
    this.#core = core;
  }

  start(request: RequestMessage, list: ListName): void {
    const params = record(request.params);
    const run: Run = { request, list, stateless: statelessMeta(params['_meta']) !== undefined, pages: [] };
    const { cursor } = params;
    if (cursor === undefined) {
      this.#from(run, 0);
      return;
    }
    const position = this.#cursors.open(LISTS[list].method, cursor);
    const index = this.#core.links.findIndex(({ name }) => name === position?.server);
    const link = this.#core.links[index];
    if (position === undefined || link === undefined) {
      const text =
        'The cursor is none that this list gave out. The request was not sent. Read the list from its beginning.';
      this.#core.out(refusal(request.idText, INVALID_PARAMS, text));
    } else {
      this.#ask(run, { index, link, cursor: position.cursor, generation: link.books[list].generation });
    }
  }

  #from(run: Run, start: number): void {
    const { links } = this.#core;
    const index = links.findIndex((link, at) => at >= start && link.may(LISTS[run.list].capability));
    const link = links[index];
    if (link === undefined) this.#finish(run, undefined);
    else this.#ask(run, { index, link, cursor: undefined, generation: link.books[run.list].generation });
  }

  #ask(run: Run, step: Step): void {
    const { request } = run;
    const line =
      step.cursor === undefined
        ? removeMember(request.raw, ['params'], 'cursor')
        : setMember(request.raw, ['params'], 'cursor', JSON.stringify(step.cursor));
    step.link.request(line, request.idKey, (reply) => this.#replied(run, step, reply));
  }

  #replied(run: Run, { index, link, cursor, generation }: Step, reply: Reply): void {
    const kind: ListKind = LISTS[run.list];
    const response = reply.kind === 'response' && !reply.response.isError ? reply.response : undefined;
    const page = response && readPage(response, kind, run.stateless);
    if (response !== undefined && page !== undefined) {
      link.books[run.list].clientPage(cursor, response.result, generation);
      run.pages.push(page);
      if (page.next === undefined) this.#from(run, index + 1);
      else this.#finish(run, { server: link.name, cursor: page.next });
    } else if (cursor !== undefined) {
      this.#core.out(lineOf(run.request, reply));
    } else {
      const line = lineOf(run.request, reply);
      run.failure ??= line;
      if (errorCodeOf(line) !== METHOD_NOT_FOUND) {
        this.#core.log.warn({ server: link.name, method: kind.method }, 'a server could not list: the others go on');
      }
      this.#from(run, index + 1);
    }
  }

  #finish({ request, list, pages, failure }: Run, next: { server: string; cursor: string } | undefined): void {
    const { out } = this.#core;
    const kind: ListKind = LISTS[list];
    const [first, ...others] = pages;
    const clash = kind.unique === undefined ? undefined : this.#clash(list, kind.unique, pages);
    if (clash !== undefined) {
      out(refusal(request.idText, INTERNAL_ERROR, clash));
    } else if (first === undefined) {
      const text = `No MCP server behind this proxy has ${quote(kind.method)}.`;
      out(failure ?? refusal(request.idText, METHOD_NOT_FOUND, text));
    } else {
      out(joinPages([first, ...others], kind.items, next && this.#cursors.seal(kind.method, next)));
    }
  }

  #clash(list: ListName, what: string, pages: readonly Page[]): string | undefined {
    for (const name of pages.flatMap(({ names }) => names)) {
      const owners = ownersOf(this.#core.links, list, name);
      if (owners.length > 1) return clashText(what, name, owners);
    }
    return undefined;
  }
}
