import type { Body } from './record.js';
import { inSlices } from './slices.js';

/** Where groups go. `write` rejects when nothing of a group may be taken as written; `stop` then says whether for good. */
export interface Sink {
  write(bodies: readonly Body[]): Promise<void>;
  /** Loads what making a record needs; undefined where it is there already. */
  ready?(): Promise<void> | undefined;
  /** Told of each failed group, and of a record that could not be made: how many are lost that nobody waits for. */
  failed(error: unknown, lost: number): void;
}

interface Item {
  readonly build: () => Body;
  readonly done?: { resolve(): void; reject(error: unknown): void };
}

/** The longest time that a record nobody waits for stays in memory, in milliseconds. */
const LATEST = 100;
/** So many queued records are not kept any longer: a large group would hold up the calls beside it. */
const MANY_RECORDS = 256;
/** Above this many queued records or bytes, also those who need not wait do. */
const MOST_RECORDS = 4096;
const MOST_BYTES = 16 * 1024 * 1024;

/** One flusher: what comes while a group is written makes the next group, so many writers share one sync. */
export class GroupCommit {
  readonly #sink: Sink;
  #queue: Item[] = [];
  #bytes = 0;
  #writing: readonly Item[] = [];
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** Records that are not on disk yet. */
  get size(): number {
    return this.#queue.length + this.#writing.length;
  }

  /** Resolves when the record is on disk. */
  durable(body: Body): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ build: () => body, done: { resolve, reject } });
      void this.#start();
    });
  }

  /**
   * Queues a record of about so many bytes, which is made when its group is written. Where the queue is long, the promise says
   * when it is short again; it never rejects.
   */
  later(build: () => Body, bytes: number): Promise<void> | undefined {
    this.#queue.push({ build });
    this.#bytes += bytes;
    if (this.#queue.length > MOST_RECORDS || this.#bytes > MOST_BYTES) return this.flush();
    if (this.#queue.length === MANY_RECORDS) void this.#start();
    else this.#timer ??= setTimeout(() => void this.#start(), LATEST);
    return undefined;
  }

  /** What is not on disk yet, oldest first; without what cannot be made. */
  pending(): readonly Body[] {
    return [...this.#writing, ...this.#queue].flatMap((item) => made(item, () => undefined));
  }

  /** Resolves when everything queued so far was written or failed. */
  async flush(): Promise<void> {
    const last = this.#queue.at(-1);
    while (last !== undefined && (this.#queue.includes(last) || this.#writing.includes(last))) await this.#start();
    await this.#running;
  }

  #start(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      const pressing = this.#queue.length >= MANY_RECORDS || this.#queue.some((item) => item.done !== undefined);
      if (pressing) void this.#start();
      else if (this.#queue.length > 0) this.#timer ??= setTimeout(() => void this.#start(), LATEST);
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    // What else is opened in this turn of the event loop joins the group.
    await new Promise((resolve) => setImmediate(resolve));
    const group = this.#queue;
    this.#queue = [];
    this.#bytes = 0;
    this.#writing = group;
    try {
      await this.#sink.ready?.();
      await this.#sink.write(await inSlices(group, (item) => made(item, (error) => this.#sink.failed(error, 1))));
      for (const item of group) item.done?.resolve();
    } catch (error) {
      this.#sink.failed(error, group.filter((item) => item.done === undefined).length);
      for (const item of group) item.done?.reject(error);
    } finally {
      this.#writing = [];
    }
  }
}

function made(item: Item, failed: (error: unknown) => void): readonly Body[] {
  try {
    return [item.build()];
  } catch (error) {
    failed(error);
    return [];
  }
}
