import type { Body } from './record.js';

/** Where groups go. `write` rejects when nothing of a group may be taken as written; `stop` then says whether for good. */
export interface Sink {
  write(bodies: readonly Body[]): Promise<void>;
  /** Told of each failed group: how many records are lost that nobody waits for. */
  failed(error: unknown, lost: number): void;
}

interface Item {
  readonly body: Body;
  readonly done?: { resolve(): void; reject(error: unknown): void };
}

/** The longest time that a record nobody waits for stays in memory, in milliseconds. */
const LATEST = 100;
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

  /** Resolves when the record is on disk. */
  durable(body: Body): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ body, done: { resolve, reject } });
      void this.#start();
    });
  }

  /** Queues a record of about so many bytes for the next group; waits only while the queue is long, and never fails. */
  async later(body: Body, bytes: number): Promise<void> {
    this.#queue.push({ body });
    this.#bytes += bytes;
    if (this.#queue.length > MOST_RECORDS || this.#bytes > MOST_BYTES) return this.flush();
    this.#timer ??= setTimeout(() => void this.#start(), LATEST);
  }

  /** What is not on disk yet, oldest first. */
  pending(): readonly Body[] {
    return [...this.#writing, ...this.#queue].map((item) => item.body);
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
      if (this.#queue.some((item) => item.done !== undefined)) void this.#start();
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
      await this.#sink.write(group.map((item) => item.body));
      for (const item of group) item.done?.resolve();
    } catch (error) {
      this.#sink.failed(error, group.filter((item) => item.done === undefined).length);
      for (const item of group) item.done?.reject(error);
    } finally {
      this.#writing = [];
    }
  }
}
