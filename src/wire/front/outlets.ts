import type { ServerResponse } from 'node:http';
import type { LineSink } from '../pipe.js';

/** What may wait in this process for slow readers of one session before its downstream is not read on. */
const MAX_WAITING = 8 << 20;
/** A reader that took nothing for so long, while others wait for it, is disconnected. */
const STALLED_MS = 60_000;

/** The open HTTP answers of one session, as the one place where its messages go. */
export abstract class Outlets implements LineSink {
  readonly gone: Promise<void>;
  readonly #responses = new Set<ServerResponse>();
  #open = true;
  #leave: () => void = () => undefined;
  #changed: (() => void)[] = [];
  #room: Promise<void> | undefined;

  constructor() {
    this.gone = new Promise((resolve) => {
      this.#leave = resolve;
    });
  }

  get open(): boolean {
    return this.#open;
  }

  abstract write(line: Uint8Array): boolean;

  /** An answer is open from now on. */
  track(response: ServerResponse): void {
    this.#responses.add(response);
    response.on('drain', () => this.#wake());
    response.once('close', () => {
      this.#responses.delete(response);
      this.#wake();
    });
  }

  ready(): Promise<void> | undefined {
    if (this.#waiting() <= MAX_WAITING) return undefined;
    this.#room ??= this.#until(() => this.#waiting() <= MAX_WAITING).finally(() => {
      this.#room = undefined;
    });
    return this.#room;
  }

  flushed(): Promise<void> {
    return this.#until(() => [...this.#responses].every((response) => response.writableLength === 0));
  }

  /** Nothing can be written from now on. */
  protected leave(): void {
    this.#open = false;
    this.#leave();
    this.#wake();
  }

  #waiting(): number {
    let bytes = 0;
    for (const response of this.#responses) bytes += response.writableLength;
    return bytes;
  }

  async #until(reached: () => boolean): Promise<void> {
    while (this.#open && !reached()) {
      const stalled = setTimeout(() => this.#disconnectSlowest(), STALLED_MS);
      await new Promise<void>((resolve) => this.#changed.push(resolve));
      clearTimeout(stalled);
    }
  }

  #disconnectSlowest(): void {
    const [slowest] = [...this.#responses].sort((a, b) => b.writableLength - a.writableLength);
    slowest?.destroy();
  }

  #wake(): void {
    const waiting = this.#changed;
    this.#changed = [];
    for (const resume of waiting) resume();
  }
}
