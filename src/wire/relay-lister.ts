import type { LineSink } from './pipe.js';
import { ownPrefix } from './relay-ask.js';
import type { IdTable } from './relay-ids.js';
import { requestLine } from './relay-messages.js';
import { type Peers, statelessMeta } from './relay-peers.js';
import type { Pending } from './relay-pending.js';
import type { ToolBook } from './relay-tools.js';

/** A call is not held longer than this for its description; without one it is judged with less. */
const PATIENCE_MS = 10_000;
const MAX_PAGES = 1000;

/** Asks the downstream itself for its tools where the client has not: the proxy's only requests to it. */
export class Lister {
  readonly #book: ToolBook;
  readonly #peers: Peers;
  readonly #pending: IdTable<Pending>;
  readonly #toServer: LineSink;
  readonly #prefix = ownPrefix();
  #count = 0;
  #running: Promise<void> | undefined;
  #slow = false;

  constructor(book: ToolBook, peers: Peers, pending: IdTable<Pending>, toServer: LineSink) {
    this.#book = book;
    this.#peers = peers;
    this.#pending = pending;
    this.#toServer = toServer;
  }

  /** Whether a description of this tool is missing that the downstream could still give. */
  wanted(tool: string, meta: unknown): boolean {
    if (this.#book.current || this.#book.find(tool) !== undefined) return false;
    return (this.#peers.underWay && this.#peers.serverMayHave('tools')) || statelessMeta(meta) !== undefined;
  }

  /** Resolves when the list was read, or could not be, or takes too long. */
  async refresh(meta: unknown, signal: AbortSignal): Promise<void> {
    this.#running ??= this.#read(statelessMeta(meta)).finally(() => {
      this.#running = undefined;
      this.#slow = false;
    });
    if (this.#slow || signal.aborted) return;
    await this.#patiently(this.#running, signal);
  }

  /** An id of the proxy's own, also one that was answered already. */
  owns(idKey: string): boolean {
    return idKey.startsWith(`s:${this.#prefix}`);
  }

  async #patiently(running: Promise<void>, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const stop = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#slow = true;
        stop();
      }, PATIENCE_MS);
      signal.addEventListener('abort', stop);
      void running.then(stop);
    });
  }

  async #read(meta: Readonly<Record<string, unknown>> | undefined): Promise<void> {
    const listing = this.#book.begin();
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const result = await this.#request({
        ...(cursor === undefined ? {} : { cursor }),
        ...(meta ? { _meta: meta } : {}),
      });
      if (result === undefined) return;
      cursor = listing.page(result);
      if (cursor === undefined) return;
    }
  }

  #request(params: unknown): Promise<unknown> {
    this.#count += 1;
    const id = `${this.#prefix}${this.#count}`;
    return new Promise((settle) => {
      this.#pending.add(`s:${id}`, { kind: 'own', settle });
      this.#toServer.write(requestLine(id, 'tools/list', params));
    });
  }
}
