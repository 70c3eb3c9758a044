import type { ServerResponse } from 'node:http';
import type { LineSink } from '../pipe.js';

/** What may wait in this process for the readers of one session, and how long one of them may hold it up. */
export interface Limits {
  /** Bytes for one reader to whom more is still to come. */
  readonly each: number;
  /** Bytes for all of them. */
  readonly all: number;
  /** How long a reader that does not catch up may keep the downstream from being read, in milliseconds; then it is disconnected. */
  readonly patienceMs: number;
}

/** One client: it holds up nobody but itself. */
export const OF_ONE_CLIENT: Limits = { each: Number.POSITIVE_INFINITY, all: 8 << 20, patienceMs: 60_000 };
/** Many clients: the rest of a long answer may wait for its reader, but none may hold up the others for longer than a moment. */
export const OF_MANY_CLIENTS: Limits = { each: 8 << 20, all: 256 << 20, patienceMs: 1000 };

interface Reader {
  /** When it had last taken everything; milliseconds since 1970. */
  emptyAt: number;
  /** How long it has kept the downstream waiting since then. */
  heldMs: number;
}

/** The open HTTP answers of one session, as the one place where its messages go. */
export abstract class Outlets implements LineSink {
  readonly gone: Promise<void>;
  readonly #limits: Limits;
  readonly #readers = new Map<ServerResponse, Reader>();
  #open = true;
  #leave: () => void = () => undefined;
  #changed: (() => void)[] = [];
  #room: Promise<void> | undefined;

  constructor(limits: Limits) {
    this.#limits = limits;
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
    this.#readers.set(response, { emptyAt: Date.now(), heldMs: 0 });
    response.on('drain', () => {
      this.#caughtUp(response);
      this.#wake();
    });
    response.once('close', () => {
      this.#readers.delete(response);
      this.#wake();
    });
  }

  ready(): Promise<void> | undefined {
    if (this.#culprit() === undefined) return undefined;
    this.#room ??= this.#hold().finally(() => {
      this.#room = undefined;
    });
    return this.#room;
  }

  async flushed(): Promise<void> {
    while (this.#open && this.#waiting() > 0) await this.#change();
  }

  /** Nothing can be written from now on. */
  protected leave(): void {
    this.#open = false;
    this.#leave();
    this.#wake();
  }

  /** Waits for the reader for whom too much waits, each time anew, and no longer than its patience lasts. */
  async #hold(): Promise<void> {
    for (let culprit = this.#culprit(); this.#open && culprit !== undefined; culprit = this.#culprit()) {
      const [response, { heldMs }] = culprit;
      const left = this.#limits.patienceMs - heldMs;
      if (left <= 0) {
        response.destroy();
        this.#readers.delete(response);
        continue;
      }
      const begun = Date.now();
      const timer = setTimeout(() => this.#wake(), left);
      await this.#change();
      clearTimeout(timer);
      this.#held(Date.now() - begun);
    }
  }

  /** It counts for each that is behind: a hundred slow readers hold up the others no longer than one. */
  #held(ms: number): void {
    for (const [response, reader] of this.#readers) if (response.writableLength > 0) reader.heldMs += ms;
  }

  /** The reader that keeps the downstream from being read: one that is too far behind, else the one that has been behind longest. */
  #culprit(): readonly [ServerResponse, Reader] | undefined {
    let bytes = 0;
    const behind: (readonly [ServerResponse, Reader])[] = [];
    for (const [response, reader] of this.#readers) {
      bytes += response.writableLength;
      if (response.writableLength === 0) this.#caughtUp(response);
      else if (response.writableLength > this.#limits.each && !response.writableEnded) return [response, reader];
      else behind.push([response, reader]);
    }
    if (bytes <= this.#limits.all) return undefined;
    return behind.sort(([a, x], [b, y]) => x.emptyAt - y.emptyAt || b.writableLength - a.writableLength)[0];
  }

  #caughtUp(response: ServerResponse): void {
    const reader = this.#readers.get(response);
    if (reader === undefined) return;
    reader.emptyAt = Date.now();
    reader.heldMs = 0;
  }

  #waiting(): number {
    let bytes = 0;
    for (const response of this.#readers.keys()) bytes += response.writableLength;
    return bytes;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#changed.push(resolve));
  }

  #wake(): void {
    const waiting = this.#changed;
    this.#changed = [];
    for (const resume of waiting) resume();
  }
}
