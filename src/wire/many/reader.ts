import type { Cancel } from '../../domain/ports.js';
import { statelessMeta } from '../relay-peers.js';
import { LISTS, type ListName } from './books.js';
import type { Link } from './link.js';

/** Nobody waits longer than this for a list; what is not known by then is not there. */
const PATIENCE_MS = 10_000;
const MAX_PAGES = 1000;

/** Reads lists of the servers where the client has not, so that a name can be followed to its server. */
export class Reader {
  readonly #running = new Map<string, Promise<void>>();
  readonly #slow = new Set<string>();
  /** The generation of a list that could not be read: it is not asked for again. */
  readonly #failed = new Map<string, number>();

  /** Resolves when each of these lists was read, or could not be, or takes too long; undefined where there is nothing to read. */
  read(links: readonly Link[], list: ListName, meta: unknown, cancel?: Cancel): Promise<void> | undefined {
    const missing = links.filter((link) => this.#isMissing(link, list, meta));
    if (missing.length === 0) return undefined;
    return patiently(
      missing.map((link) => this.#start(link, list, meta)),
      cancel?.signal,
      () => {
        for (const link of missing) if (this.#running.has(keyOf(link, list))) this.#slow.add(keyOf(link, list));
      },
    );
  }

  #isMissing(link: Link, list: ListName, meta: unknown): boolean {
    const book = link.books[list];
    const key = keyOf(link, list);
    if (book.current || this.#slow.has(key) || this.#failed.get(key) === book.generation) return false;
    return link.may(LISTS[list].capability) && (link.peers.initialized || statelessMeta(meta) !== undefined);
  }

  #start(link: Link, list: ListName, meta: unknown): Promise<void> {
    const key = keyOf(link, list);
    const running =
      this.#running.get(key) ??
      this.#pages(link, list, statelessMeta(meta)).finally(() => {
        this.#running.delete(key);
        this.#slow.delete(key);
      });
    this.#running.set(key, running);
    return running;
  }

  async #pages(link: Link, list: ListName, meta: object | undefined): Promise<void> {
    const book = link.books[list];
    const { generation } = book;
    const listing = book.begin();
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const params = { ...(cursor === undefined ? {} : { cursor }), ...(meta ? { _meta: meta } : {}) };
      const result = await ask(link, LISTS[list].method, JSON.stringify(params));
      if (result === undefined) break;
      cursor = listing.page(result);
      if (cursor === undefined) return;
    }
    this.#failed.set(keyOf(link, list), generation);
  }
}

/** The result, or undefined where there is none. */
function ask(link: Link, method: string, paramsJson: string): Promise<unknown> {
  return new Promise((resolve) => {
    link.ask(method, paramsJson, (reply) => {
      resolve(reply.kind === 'response' && !reply.response.isError ? reply.response.result : undefined);
    });
  });
}

function keyOf(link: Link, list: ListName): string {
  return `${list} ${link.name}`;
}

function patiently(
  running: readonly Promise<void>[],
  signal: AbortSignal | undefined,
  late: () => void,
): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      resolve();
    };
    const timer = setTimeout(() => {
      late();
      stop();
    }, PATIENCE_MS);
    signal?.addEventListener('abort', stop);
    void Promise.all(running).then(stop);
  });
}
