import type { RequestMessage } from '../message.js';
import { refusal } from '../message.js';
import { METHOD_NOT_FOUND } from '../relay-messages.js';
import { record } from '../relay-peers.js';
import { type Core, lineOf } from './core.js';
import type { Link, Reply } from './link.js';

/** A subscriptions/listen of revision 2026-07-28 that no server has ended for good. */
interface Listen {
  readonly request: RequestMessage;
  readonly at: Set<Link>;
  last: Reply | undefined;
}

/** What the client has asked the servers to tell it, so that a server which comes back is asked again. */
export class Subscriptions {
  readonly #core: Core;
  readonly #resources = new Map<string, Link>();
  readonly #listens = new Set<Listen>();
  #level: string | undefined;

  constructor(core: Core) {
    this.#core = core;
  }

  level(request: RequestMessage): void {
    this.#level = JSON.stringify(record(request.params)['level']);
  }

  /** The server at which this resource was subscribed to. */
  ownerOf(uri: unknown): Link | undefined {
    return typeof uri === 'string' ? this.#resources.get(uri) : undefined;
  }

  /** A server granted the request. */
  note(request: RequestMessage, link: Link): void {
    const { uri } = record(request.params);
    if (typeof uri !== 'string') return;
    if (request.method === 'resources/subscribe') this.#resources.set(uri, link);
    if (request.method === 'resources/unsubscribe') this.#resources.delete(uri);
  }

  /** To all; the client gets the answer that comes last, since each ends only its own server's part. */
  listen(request: RequestMessage): void {
    const links = this.#core.links.filter((link) => link.isReady);
    const listen: Listen = { request, at: new Set(links), last: undefined };
    if (links.length === 0) {
      const text = 'No MCP server behind this proxy takes this request. It was not sent.';
      this.#core.out(refusal(request.idText, METHOD_NOT_FOUND, text));
      return;
    }
    this.#listens.add(listen);
    for (const link of links) this.#listenAt(link, listen);
  }

  /** The client takes the request back. */
  cancelled(idKey: string): void {
    for (const listen of this.#listens) if (listen.request.idKey === idKey) this.#listens.delete(listen);
  }

  /** A server that came back is asked for all this again. */
  renew(link: Link): void {
    const ignore = () => {};
    if (this.#level !== undefined && link.may('logging'))
      link.ask('logging/setLevel', `{"level":${this.#level}}`, ignore);
    for (const [uri, owner] of this.#resources) {
      if (owner === link) link.ask('resources/subscribe', JSON.stringify({ uri }), ignore);
    }
    for (const listen of this.#listens) {
      if (listen.at.has(link)) continue;
      listen.at.add(link);
      this.#listenAt(link, listen);
    }
  }

  #listenAt(link: Link, listen: Listen): void {
    link.request(listen.request.raw, listen.request.idKey, (reply) => {
      listen.at.delete(link);
      // An answer counts more than a server that is gone: it may come back.
      if (listen.last === undefined || reply.kind === 'response') listen.last = reply;
      if (listen.at.size > 0 || !this.#listens.delete(listen)) return;
      this.#core.out(lineOf(listen.request, listen.last));
    });
  }
}
