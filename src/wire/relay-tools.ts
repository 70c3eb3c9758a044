import type { ToolDescription } from '../domain/call.js';
import { isRecord, record } from './relay-peers.js';

/** One listing in progress: pages are gathered until the one without `nextCursor`. */
export class Listing {
  readonly #book: ToolBook;
  readonly #generation: number;
  readonly #tools = new Map<string, ToolDescription | undefined>();

  constructor(book: ToolBook, generation: number) {
    this.#book = book;
    this.#generation = generation;
  }

  /** Takes one `tools/list` result in; returns the cursor of the next page, if there is one. */
  page(result: unknown): string | undefined {
    for (const tool of toolsOf(result)) {
      // Two tools of one name: nobody can tell which the server will run, so neither describes it.
      this.#tools.set(tool.name, this.#tools.has(tool.name) ? undefined : tool);
    }
    const next = nextCursor(result);
    if (next === undefined) this.#book.complete(this.#tools, this.#generation);
    return next;
  }

  get(name: string): ToolDescription | undefined {
    return this.#tools.get(name);
  }
}

/** What the downstream's newest `tools/list` said of each tool. */
export class ToolBook {
  #generation = 0;
  #known: { readonly tools: ReadonlyMap<string, ToolDescription | undefined>; readonly generation: number } | undefined;
  #clientListing: Listing | undefined;

  /** Counts the changes of the list. An answer is as old as its request: the change may have been told in between. */
  get generation(): number {
    return this.#generation;
  }

  /** Begins a listing; its result counts only if the list does not change meanwhile. */
  begin(generation: number = this.#generation): Listing {
    return new Listing(this, generation);
  }

  /** A page that the client asked for when the list had that generation; `cursor` is absent for the first. */
  clientPage(cursor: unknown, result: unknown, generation: number): void {
    if (cursor === undefined) this.#clientListing = generation < this.#generation ? undefined : this.begin(generation);
    this.#clientListing?.page(result);
  }

  complete(tools: ReadonlyMap<string, ToolDescription | undefined>, generation: number): void {
    if (generation >= (this.#known?.generation ?? 0)) this.#known = { tools, generation };
  }

  /** notifications/tools/list_changed. */
  changed(): void {
    this.#generation += 1;
    this.#clientListing = undefined;
  }

  /** Whether a whole list is known that is still the newest; a tool missing from it has no description. */
  get current(): boolean {
    return this.#known?.generation === this.#generation;
  }

  find(name: string): ToolDescription | undefined {
    if (this.current) return this.#known?.tools.get(name);
    return this.#clientListing?.get(name);
  }
}

/** The cursor of the next page; undefined on the last. */
function nextCursor(result: unknown): string | undefined {
  const cursor = record(result)['nextCursor'];
  return typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
}

function toolsOf(result: unknown): readonly ToolDescription[] {
  const tools = record(result)['tools'];
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown) => {
    if (!isRecord(tool) || typeof tool['name'] !== 'string') return [];
    return [{ name: tool['name'], inputSchema: tool['inputSchema'], annotations: annotationsOf(tool['annotations']) }];
  });
}

function annotationsOf(annotations: unknown): ToolDescription['annotations'] {
  const hint = record(annotations)['destructiveHint'];
  return typeof hint === 'boolean' ? { destructiveHint: hint } : undefined;
}
