import type { Logger } from '../domain/ports.js';
import { CallBook } from './calls.js';
import type { Lease } from './lease.js';
import { readState, type Trouble, writeState } from './positions.js';
import { type Exported, exportedFrom } from './records.js';
import { reasonOf, type Sink, Undelivered } from './sink.js';
import type { Place, Spool, SpoolChain, Spooled } from './spool.js';

export interface ShipperOptions {
  /** The destination, as its files, log lines and `status` call it. */
  readonly name: string;
  /** Where positions and leases lie. */
  readonly dir: string;
  readonly spool: Spool;
  readonly lease: Lease;
  /** Opened by the process that holds the lease. */
  readonly open: () => Promise<Sink>;
  readonly log: Logger;
  readonly unique: string;
  /** The shortest time between two rounds, in milliseconds: what comes meanwhile goes together. */
  readonly pauseMs: number;
  /** Records in one batch. */
  readonly mostRecords?: number | undefined;
  readonly timings?: Timings | undefined;
}

export interface Timings {
  /** How long to wait where there is nothing to send, or another process sends. */
  readonly idleMs: number;
  /** The first wait after a failure; it doubles up to `longestMs`. */
  readonly firstMs: number;
  readonly longestMs: number;
}

const TIMINGS: Timings = { idleMs: 1000, firstMs: 1000, longestMs: 60_000 };
/** What is in memory of one destination: one batch. */
const MOST_RECORDS = 128;
const MOST_BYTES = 512 * 1024;
/** Records read in one piece of work, so that calls beside it do not wait noticeably. */
const SLICE = 16;

/**
 * Sends the audit log to one destination, at least once: it reads on from what was acknowledged, and acknowledges on disk what
 * the destination has taken. It never waits for a call, and no call waits for it.
 */
export class Shipper {
  readonly #options: ShipperOptions;
  readonly #timings: Timings;
  readonly #book = new CallBook();
  #acknowledged = new Map<string, Place>();
  #chains: readonly SpoolChain[] = [];
  #trouble: Trouble | undefined;
  #sink: Sink | undefined;
  readonly #most: number;
  #batch: number;
  /** The chains whose calls the book knows, up to the place read. */
  readonly #recalled = new Set<string>();
  #woken: (() => void) | undefined;
  #wakes = 0;

  constructor(options: ShipperOptions) {
    this.#options = options;
    this.#timings = options.timings ?? TIMINGS;
    this.#most = options.mostRecords ?? MOST_RECORDS;
    this.#batch = this.#most;
  }

  /** There may be something to send. */
  wake(): void {
    this.#wakes += 1;
    this.#woken?.();
  }

  /** Sends until `stop`, then what is left until `abort`. Never rejects. */
  async run(stop: AbortSignal, abort: AbortSignal): Promise<void> {
    const ended = () => this.#woken?.();
    for (const signal of [stop, abort]) signal.addEventListener('abort', ended);
    try {
      while (!abort.aborted) {
        const last = stop.aborted;
        const wakes = this.#wakes;
        if (!(await this.#round(abort)) && last) break;
        if (last) continue;
        await this.#sleep(this.#options.pauseMs, stop);
        if (this.#wakes === wakes) await this.#sleep(this.#timings.idleMs, stop, true);
      }
    } finally {
      for (const signal of [stop, abort]) signal.removeEventListener('abort', ended);
      await this.#sink?.close().catch(() => undefined);
      await this.#options.lease.release().catch(() => undefined);
    }
  }

  /** Sends what is there; whether there was anything. */
  async #round(abort: AbortSignal): Promise<boolean> {
    try {
      if (!(await this.#begin())) return false;
      return await this.#pass(abort);
    } catch (error) {
      if (!abort.aborted)
        this.#options.log.error({ export: this.#options.name, why: reasonOf(error) }, 'export failed');
      this.#forget();
      return false;
    }
  }

  async #begin(): Promise<boolean> {
    const { lease, dir, name, open } = this.#options;
    if (lease.held && this.#sink !== undefined) return true;
    this.#forget();
    if (!(await lease.take())) return false;
    const { acknowledged, trouble } = await readState(dir, name);
    this.#acknowledged = new Map(acknowledged);
    this.#trouble = trouble;
    this.#sink ??= await open();
    return true;
  }

  async #pass(abort: AbortSignal): Promise<boolean> {
    const { spool } = this.#options;
    this.#chains = await spool.chains();
    let found = false;
    for (const chain of this.#chains) {
      const place = this.#acknowledged.get(chain.name);
      if (await spool.hasMore(chain, place)) found = (await this.#send(chain, place, abort)) || found;
    }
    return found;
  }

  async #send(chain: SpoolChain, from: Place | undefined, abort: AbortSignal): Promise<boolean> {
    await this.#recall(chain, from);
    let batch: Spooled[] = [];
    let bytes = 0;
    let sent = false;
    for await (const spooled of this.#options.spool.read(chain, from)) {
      batch.push(spooled);
      bytes += spooled.text.length;
      if (batch.length % SLICE === 0) await turn();
      if (batch.length < this.#most && bytes < MOST_BYTES) continue;
      await this.#deliver(chain.name, batch, abort);
      [batch, bytes, sent] = [[], 0, true];
    }
    if (batch.length === 0) return sent;
    await this.#deliver(chain.name, batch, abort);
    return true;
  }

  /** What the acknowledged part of a chain says of calls that are not over. */
  async #recall(chain: SpoolChain, upTo: Place | undefined): Promise<void> {
    if (this.#recalled.has(chain.name)) return;
    this.#recalled.add(chain.name);
    if (upTo === undefined) return;
    let count = 0;
    for await (const { record, place } of this.#options.spool.read(chain)) {
      if (place.seq > upTo.seq) break;
      this.#book.take(chain.name, record);
      count += 1;
      if (count % SLICE === 0) await turn();
    }
  }

  async #deliver(chain: string, spooled: readonly Spooled[], abort: AbortSignal): Promise<void> {
    const records = spooled.map((each) => exportedFrom(chain, each, this.#book.take(chain, each.record)));
    let wait = this.#timings.firstMs;
    for (let from = 0; from < records.length; ) {
      const part = records.slice(from, from + this.#batch);
      if (!(await this.#taken(part, wait, abort))) {
        wait = Math.min(this.#timings.longestMs, wait * 2);
        continue;
      }
      wait = this.#timings.firstMs;
      from += part.length;
      const last = spooled[from - 1];
      if (last !== undefined) await this.#acknowledge(chain, last.place);
    }
    this.#batch = Math.min(this.#most, this.#batch * 2);
  }

  /** Whether the destination has taken them; else after the time to wait before they are sent again. Nothing is ever left out. */
  async #taken(part: readonly Exported[], wait: number, abort: AbortSignal): Promise<boolean> {
    if (!this.#options.lease.held) throw new Error('another process sends now');
    try {
      await this.#sink?.send(part, abort);
    } catch (error) {
      abort.throwIfAborted();
      const known = error instanceof Undelivered ? error : undefined;
      // One that is too large, or one record that is not liked, must not hold up those beside it.
      if (known?.refused === true) this.#batch = Math.max(1, Math.floor(part.length / 2));
      await this.#failed(error);
      await this.#sleep(Math.max(wait, known?.retryAfterMs ?? 0), abort);
      abort.throwIfAborted();
      return false;
    }
    this.#recovered();
    return true;
  }

  async #acknowledge(chain: string, place: Place): Promise<void> {
    this.#acknowledged.set(chain, place);
    await this.#write();
  }

  async #failed(error: unknown): Promise<void> {
    const { name, log } = this.#options;
    const why = reasonOf(error);
    if (this.#trouble?.why === why) return;
    log.warn({ export: name, why }, 'the audit log is not exported: it is kept and sent later');
    this.#trouble = { since: this.#trouble?.since ?? new Date().toISOString(), why };
    await this.#write().catch(() => undefined);
  }

  #recovered(): void {
    const { name, log } = this.#options;
    if (this.#trouble === undefined) return;
    log.info({ export: name, since: this.#trouble.since }, 'the audit log is exported again');
    this.#trouble = undefined;
  }

  async #write(): Promise<void> {
    const { dir, name, unique } = this.#options;
    const state = { acknowledged: this.#acknowledged, trouble: this.#trouble };
    await writeState(dir, name, state, this.#chains, unique);
  }

  #forget(): void {
    this.#book.forget();
    this.#recalled.clear();
  }

  /** Also a wake ends it where `wakes`. */
  async #sleep(ms: number, signal: AbortSignal, wakes = false): Promise<void> {
    if (signal.aborted || ms <= 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      this.#woken = () => {
        if (!wakes && !signal.aborted) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.#woken = undefined;
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
