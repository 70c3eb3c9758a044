/** Bytes of clients' messages that this process may hold at the same time, of all connections together. */
export class Budget {
  readonly #most: number;
  #used = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get used(): number {
    return this.#used;
  }

  lease(): Lease {
    return new Lease((bytes) => {
      if (this.#used + bytes > this.#most) return false;
      this.#used += bytes;
      return true;
    });
  }
}

/** What one message takes of the budget, until it is released; once. */
export class Lease {
  readonly #take: (bytes: number) => boolean;
  #bytes = 0;

  constructor(take: (bytes: number) => boolean) {
    this.#take = take;
  }

  /** False where there is no room for so many bytes more. */
  add(bytes: number): boolean {
    if (!this.#take(bytes)) return false;
    this.#bytes += bytes;
    return true;
  }

  readonly release = (): void => {
    this.#take(-this.#bytes);
    this.#bytes = 0;
  };
}
