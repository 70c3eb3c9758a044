/**
 * What waits for an answer in one direction, by type-sensitive id: 1 is not "1". A key is what the message readers make of an
 * id: `s:` and the string, `n:` and the number as written, or `null`.
 */
export class IdTable<T> {
  readonly #entries = new Map<string, T>();
  readonly #most: number;

  /** Beyond `most` the oldest entry is forgotten: a peer need not answer what it was asked. */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  add(idKey: string, entry: T): void {
    this.#entries.set(idKey, entry);
    if (this.#entries.size <= this.#most) return;
    for (const [oldest] of this.#entries) {
      this.#entries.delete(oldest);
      return;
    }
  }

  get(idKey: string): T | undefined {
    return this.#entries.get(idKey);
  }

  has(idKey: string): boolean {
    return this.#entries.has(idKey);
  }

  delete(idKey: string): void {
    this.#entries.delete(idKey);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** All entries now; safe against changes while they are walked. */
  entries(): readonly (readonly [string, T])[] {
    return [...this.#entries];
  }

  /**
   * The entry an answer is for, with its key. Many peers read 9007199254740993 as a double and answer with ...992: such an
   * answer belongs to the one waiting id of the same double, and to none where there are two.
   */
  match(idKey: string): { readonly idKey: string; readonly entry: T } | undefined {
    const exact = this.#entries.get(idKey);
    if (exact !== undefined) return { idKey, entry: exact };
    const value = numberOf(idKey);
    if (value === undefined || Number.isSafeInteger(value)) return undefined;
    const near = [...this.#entries].filter(([key]) => numberOf(key) === value);
    const [first] = near;
    return near.length === 1 && first !== undefined ? { idKey: first[0], entry: first[1] } : undefined;
  }
}

/**
 * Requests that were taken back: most peers never answer them. They keep their ids, so that a late answer meets no other request, until
 * there are too many; then the oldest are forgotten.
 */
export class TakenBack<T> {
  readonly #table: IdTable<T>;
  readonly #most: number;
  readonly #order = new Map<string, T>();

  constructor(table: IdTable<T>, most: number) {
    this.#table = table;
    this.#most = most;
  }

  /** From now on the id has that entry. Returns the one that is forgotten for it, if any. */
  add(idKey: string, entry: T): T | undefined {
    this.#table.add(idKey, entry);
    this.#order.delete(idKey);
    this.#order.set(idKey, entry);
    const [oldest] = this.#order;
    if (this.#order.size <= this.#most || oldest === undefined) return undefined;
    const [oldKey, old] = oldest;
    this.#order.delete(oldKey);
    // Its answer came meanwhile, or its id has another request by now.
    if (this.#table.get(oldKey) !== old) return undefined;
    this.#table.delete(oldKey);
    return old;
  }
}

/** The key of an id that was read as a plain value, as in `params.requestId`; undefined for what is no id. */
export function idKeyOf(id: unknown): string | undefined {
  if (typeof id === 'string') return `s:${id}`;
  return typeof id === 'number' ? `n:${id}` : undefined;
}

function numberOf(idKey: string): number | undefined {
  return idKey.startsWith('n:') ? Number(idKey.slice(2)) : undefined;
}
