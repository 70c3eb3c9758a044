import { record } from './relay-peers.js';

/** What a list says of one thing; tools and prompts go by name, resources by URI. */
interface Listed {
  readonly name: string;
}

/** One listing in progress: pages are gathered until the one without `nextCursor`. */
class Listing<Entry extends Listed> {
  readonly #book: ListBook<Entry>;
  readonly #generation: number;
  readonly #entries = new Map<string, Entry | undefined>();

  constructor(book: ListBook<Entry>, generation: number) {
    this.#book = book;
    this.#generation = generation;
  }

  /** Takes one result in; returns the cursor of the next page, if there is one. */
  page(result: unknown): string | undefined {
    for (const entry of this.#book.entriesOf(result)) {
      // Two of one name: nobody can tell which the server will use, so neither describes it.
      this.#entries.set(entry.name, this.#entries.has(entry.name) ? undefined : entry);
    }
    const next = nextCursor(result);
    if (next === undefined) this.#book.complete(this.#entries, this.#generation);
    return next;
  }

  get(name: string): Entry | undefined {
    return this.#entries.get(name);
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  keys(): Iterable<string> {
    return this.#entries.keys();
  }
}

/** What the newest list of a server said, read by the client or by the proxy. */
export class ListBook<Entry extends Listed> {
  readonly entriesOf: (result: unknown) => readonly Entry[];
  #generation = 0;
  #known: { readonly entries: ReadonlyMap<string, Entry | undefined>; readonly generation: number } | undefined;
  #clientListing: Listing<Entry> | undefined;
  /** The cursor of the page by which the client's listing goes on. */
  #clientNext: string | undefined;

  constructor(entriesOf: (result: unknown) => readonly Entry[]) {
    this.entriesOf = entriesOf;
  }

  /** Counts the changes of the list. An answer is as old as its request: the change may have been told in between. */
  get generation(): number {
    return this.#generation;
  }

  /** Begins a listing; its result counts only if the list does not change meanwhile. */
  begin(generation: number = this.#generation): Listing<Entry> {
    return new Listing(this, generation);
  }

  /**
   * A page that the client asked for when the list had that generation; `cursor` is absent for the first. Only pages in a row make a
   * list: a client that leaves one out, or several that read at the same time, must not hide what stands on it.
   */
  clientPage(cursor: unknown, result: unknown, generation: number): void {
    if (cursor === undefined) this.#clientListing = generation < this.#generation ? undefined : this.begin(generation);
    else if (cursor !== this.#clientNext) this.#clientListing = undefined;
    this.#clientNext = this.#clientListing?.page(result);
    if (this.#clientNext === undefined) this.#clientListing = undefined;
  }

  complete(entries: ReadonlyMap<string, Entry | undefined>, generation: number): void {
    if (generation >= (this.#known?.generation ?? 0)) this.#known = { entries, generation };
  }

  /** The server says that its list has changed. */
  changed(): void {
    this.#generation += 1;
    this.#clientListing = undefined;
  }

  /** Whether a whole list is known that is still the newest; what is missing from it has no description. */
  get current(): boolean {
    return this.#known?.generation === this.#generation;
  }

  find(name: string): Entry | undefined {
    if (this.current) return this.#known?.entries.get(name);
    return this.#clientListing?.get(name);
  }

  /** Whether the name was listed: in the newest list, else in as much of it as was read, or in the one before. */
  lists(name: string): boolean {
    const known = this.#known?.entries.has(name) ?? false;
    return known || (!this.current && (this.#clientListing?.has(name) ?? false));
  }

  /** Every name that `lists` is true for. */
  names(): readonly string[] {
    return [...new Set([...(this.#known?.entries.keys() ?? []), ...(this.#clientListing?.keys() ?? [])])];
  }
}

/** The cursor of the next page; undefined on the last. */
function nextCursor(result: unknown): string | undefined {
  const cursor = record(result)['nextCursor'];
  return typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
}
