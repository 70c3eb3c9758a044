import type { ServerResponse } from 'node:http';
import type { LineSink } from '../pipe.js';

/** What may wait in this process for slow readers of one session before its downstream is not read on. */
const MAX_WAITING = 8 << 20;
/** A reader that took nothing for so long, while others wait for it, is disconnected. */
const STALLED_MS = 60_000;

/** The open HTTP answers of one session, as the one place where its messages go. */
export abstract class Outlets implements LineSink {
  readonly gone: Promise<void>;
  /** When each had last taken everything; milliseconds since 1970. */
  readonly #responses = new Map<ServerResponse, number>();
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
    this.#responses.set(response, Date.now());
    response.on('drain', () => {
      this.#responses.set(response, Date.now());
      this.#wake();
    });
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
    return this.#until(() => [...this.#responses.keys()].every((response) => response.writableLength === 0));
  }

  /** Nothing can be written from now on. */
  protected leave(): void {
    this.#open = false;
    this.#leave();
    this.#wake();
  }

  #waiting(): number {
    let bytes = 0;
    for (const response of this.#responses.keys()) bytes += response.writableLength;
    return bytes;
  }

  async #until(reached: () => boolean): Promise<void> {
    const begun = Date.now();
    while (this.#open && !reached()) {
      // What others read or end must not give a stuck reader more time.
      const stalled = setTimeout(() => this.#disconnectStalled(begun), this.#patience(this.#slowest(), begun));
      await new Promise<void>((resolve) => this.#changed.push(resolve));
      clearTimeout(stalled);
    }
  }

  #disconnectStalled(begun: number): void {
    const slowest = this.#slowest();
    if (slowest !== undefined && this.#patience(slowest, begun) === 0) slowest.destroy();
    this.#wake();
  }

  #slowest(): ServerResponse | undefined {
    const open = [...this.#responses.keys()].filter(({ destroyed }) => !destroyed);
    return open.sort((a, b) => b.writableLength - a.writableLength)[0];
  }

  /** How long that one may still take nothing, in milliseconds. */
  #patience(slowest: ServerResponse | undefined, begun: number): number {
    const tookAt = (slowest && this.#responses.get(slowest)) ?? Date.now();
    return Math.max(0, Math.max(tookAt, begun) + STALLED_MS - Date.now());
  }

  #wake(): void {
    const waiting = this.#changed;
    this.#changed = [];
    for (const resume of waiting) resume();
  }
}
