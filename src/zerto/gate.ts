import { abortable } from './clock.js';

/** Lets at most `size` runs through at a time; the rest wait in the order in which they came. */
export class Gate {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(size: number) {
    this.#free = size;
  }

  /** Rejects with the signal's reason while it waits; a run that has begun is left to its own signal. */
  async through<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#enter(signal);
    try {
      return await run();
    } finally {
      this.#leave();
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const entered = new Promise<void>((resolve) => this.#waiting.push(resolve));
    await abortable(entered, signal).catch((error: unknown) => {
      // Its turn will come all the same, and goes on to the next.
      void entered.then(() => this.#leave());
      throw error;
    });
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
