import { type RequestMessage, type ResponseMessage, refusal } from '../message.js';
import { errorCodeOf, METHOD_NOT_FOUND } from '../relay-messages.js';
import { record } from '../relay-peers.js';
import type { ListName } from './books.js';
import { clashText, ownersOf } from './clash.js';
import { type Core, INTERNAL_ERROR, INVALID_PARAMS, lineOf } from './core.js';
import type { Link, Reply } from './link.js';
import type { Reader } from './reader.js';
import type { Subscriptions } from './subscriptions.js';
import type { TaskOwners } from './tasks.js';
import { matchesTemplate } from './template.js';

/** Where requests go that are neither calls nor lists nor greetings. */
export class Routes {
  readonly #core: Core;
  readonly #reader: Reader;
  readonly #tasks: TaskOwners;
  readonly #subscriptions: Subscriptions;

  constructor(core: Core, reader: Reader, tasks: TaskOwners, subscriptions: Subscriptions) {
    this.#core = core;
    this.#reader = reader;
    this.#tasks = tasks;
    this.#subscriptions = subscriptions;
  }

  start(request: RequestMessage): void {
    const params = record(request.params);
    switch (request.method) {
      case 'ping':
        this.#first(request);
        return;
      case 'logging/setLevel':
        this.#level(request);
        return;
      case 'prompts/get':
        this.#prompt(request, params['name']);
        return;
      case 'resources/read':
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        this.#resource(request, params['uri']);
        return;
      case 'completion/complete':
        this.#completion(request, record(params['ref']));
        return;
      case 'subscriptions/listen':
        this.#subscriptions.listen(request);
        return;
      default:
        if (request.method.startsWith('tasks/')) {
          this.#task(request, params['taskId']);
          return;
        }
        this.#inOrder(request, this.#ready(), isUnknownMethod);
        return;
    }
  }

  #ready(): readonly Link[] {
    return this.#core.links.filter((link) => link.isReady);
  }

  #with(capability: string): readonly Link[] {
    return this.#core.links.filter((link) => link.may(capability));
  }

  /** To all; the first answer is the client's. */
  #first(request: RequestMessage): void {
    let isOpen = true;
    const links = this.#ready();
    if (links.length === 0) {
      this.#inOrder(request, links, isUnknownMethod);
      return;
    }
    for (const link of links) {
      link.copy(request, (reply) => {
        if (isOpen) this.#core.out(lineOf(request, reply));
        isOpen = false;
      });
    }
  }

  #level(request: RequestMessage): void {
    const links = this.#with('logging');
    if (links.length === 0) {
      this.#inOrder(request, links, isUnknownMethod);
      return;
    }
    this.#subscriptions.level(request);
    const replies: Reply[] = [];
    for (const link of links) {
      link.request(request.raw, request.idKey, (reply) => {
        replies.push(reply);
        if (replies.length < links.length) return;
        const good = replies.find((each) => each.kind === 'response' && !each.response.isError);
        this.#core.out(lineOf(request, good ?? reply));
      });
    }
  }

  #prompt(request: RequestMessage, name: unknown): void {
    this.#located(request, 'prompts', name, () => {
      const owners = ownersOf(this.#core.links, 'prompts', String(name));
      const [link, second] = owners;
      if (second !== undefined) {
        const text = `${clashText('prompt', String(name), owners)} The request was not sent.`;
        this.#core.out(refusal(request.idText, INTERNAL_ERROR, text));
      } else {
        this.#inOrder(request, link === undefined ? this.#with('prompts') : [link], (answer) => answer.isError);
      }
    });
  }

  #resource(request: RequestMessage, uri: unknown): void {
    const subscribed = this.#subscriptions.ownerOf(uri);
    if (request.method === 'resources/unsubscribe' && subscribed !== undefined) {
      this.#inOrder(request, [subscribed], isUnknownMethod);
      return;
    }
    this.#located(request, 'resources', uri, () =>
      this.#located(request, 'templates', undefined, () => {
        this.#inOrder(request, this.#resourceLinks(String(uri)), (answer) => answer.isError);
      }),
    );
  }

  /** The one that lists the URI, else the one with a template for it, else all in turn. */
  #resourceLinks(uri: string): readonly Link[] {
    const { links, log } = this.#core;
    const [listed, second] = ownersOf(links, 'resources', uri);
    if (second !== undefined)
      log.warn({ servers: [listed?.name, second.name] }, 'two servers list one resource: the first serves it');
    const by = listed ?? links.find((link) => link.books.templates.names().some((name) => matchesTemplate(name, uri)));
    return by === undefined ? this.#with('resources') : [by];
  }

  #completion(request: RequestMessage, ref: Readonly<Record<string, unknown>>): void {
    const { links } = this.#core;
    const goesOn = (answer: ResponseMessage) => answer.isError;
    if (ref['type'] === 'ref/prompt') {
      this.#located(request, 'prompts', ref['name'], () => {
        const [link] = ownersOf(links, 'prompts', String(ref['name']));
        this.#inOrder(request, link === undefined ? this.#with('completions') : [link], goesOn);
      });
    } else {
      const uri = String(ref['uri']);
      this.#located(request, 'templates', uri, () => {
        const [link] = [...ownersOf(links, 'templates', uri), ...ownersOf(links, 'resources', uri)];
        this.#inOrder(request, link === undefined ? this.#with('completions') : [link], goesOn);
      });
    }
  }

  #task(request: RequestMessage, taskId: unknown): void {
    const [link, second] = this.#tasks.of(taskId);
    if (second !== undefined) {
      const text = 'Two MCP servers behind this proxy gave this id to a task. The request was not sent.';
      this.#core.out(refusal(request.idText, INVALID_PARAMS, text));
      return;
    }
    this.#inOrder(request, link === undefined ? this.#ready() : [link], (answer) => answer.isError);
  }

  /** Goes on once it is known which servers list that name, or all of them where none is asked for. */
  #located(request: RequestMessage, list: ListName, name: unknown, then: () => void): void {
    const { links } = this.#core;
    const isKnown = typeof name === 'string' && ownersOf(links, list, name).length > 0;
    const reading = isKnown ? undefined : this.#reader.read(links, list, record(request.params)['_meta']);
    if (reading === undefined) then();
    else void reading.then(then);
  }

  /** One after the other while `goesOn` is true of the answer. A server that is gone ends the turn: it may have acted. */
  #inOrder(request: RequestMessage, links: readonly Link[], goesOn: (answer: ResponseMessage) => boolean): void {
    const [link, ...rest] = links;
    if (link === undefined) {
      const text = 'No MCP server behind this proxy takes this request. It was not sent.';
      this.#core.out(refusal(request.idText, METHOD_NOT_FOUND, text));
      return;
    }
    link.request(request.raw, request.idKey, (reply) => {
      const next = reply.kind === 'response' && reply.response.isError && goesOn(reply.response);
      if (next && rest.length > 0) return this.#inOrder(request, rest, goesOn);
      if (reply.kind === 'response') this.#answered(request, link, reply.response);
      this.#core.out(lineOf(request, reply));
    });
  }

  #answered(request: RequestMessage, link: Link, response: ResponseMessage): void {
    this.#tasks.note(link, response);
    if (!response.isError) this.#subscriptions.note(request, link);
  }
}

function isUnknownMethod(answer: ResponseMessage): boolean {
  return errorCodeOf(answer.raw) === METHOD_NOT_FOUND;
}
