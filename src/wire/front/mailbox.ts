const MAX_LINES = 200;
const MAX_BYTES = 1 << 20;

/** Messages that nobody reads yet, in order. Bounded: beyond that the oldest are dropped. */
export class Mailbox {
  #lines: Uint8Array[] = [];
  #bytes = 0;

  /** Returns how many were dropped for it. */
  put(line: Uint8Array): number {
    this.#lines.push(line);
    this.#bytes += line.length;
    let dropped = 0;
    while (this.#lines.length > MAX_LINES || (this.#bytes > MAX_BYTES && this.#lines.length > 1)) {
      this.#bytes -= this.#lines.shift()?.length ?? 0;
      dropped += 1;
    }
    return dropped;
  }

  /** Hands everything over. */
  empty(take: (line: Uint8Array) => void): void {
    const lines = this.#lines;
    this.#lines = [];
    this.#bytes = 0;
    for (const line of lines) take(line);
  }
}
