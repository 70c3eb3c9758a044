import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger, ReceiptFilter, Receipts } from '../domain/ports.js';
import type { Receipt } from '../domain/receipt.js';
import { findRecords } from './find-call.js';
import type { AuditFile } from './log.js';
import { byChain, type Part } from './names.js';
import { logFiles, parseRecord, readLines } from './read.js';
import { CALL_RECORD, type CallRecord } from './schema.js';

/**
 * `pinned`: the permit is on disk and this process still works on the call, which may have gone out. `forwarded`: it was
 * answered. `not_sent`: it never went out. `outcome_unknown`: it may have run; also where its process ended or is another.
 */
export interface ReceiptState {
  readonly receipt: Receipt;
  readonly state: 'pinned' | 'forwarded' | 'not_sent' | 'outcome_unknown';
}

interface Known {
  receipt: Receipt;
  outcome?: 'forwarded' | 'not_sent' | 'outcome_unknown';
}

/** How far one file was read. Logs only grow, so the next look starts at `offset`. */
interface Cached {
  readonly inode: bigint;
  offset: number;
}

/** What was read of one chain so far, by call. */
interface CachedChain {
  readonly files: Map<string, Cached>;
  readonly calls: Map<string, Known>;
}

/** This process's log, as far as receipts need it. */
type Unflushed = Pick<AuditFile, 'unflushed'>;

/** Receipts of all files in the directory and of what `own` has not written yet. */
export function openReceipts(dir: string, log: Logger, own?: Unflushed): AuditReceipts {
  return new AuditReceipts(dir, log, own);
}

/** The Receipts port, and what became of each receipt's call. */
export class AuditReceipts implements Receipts {
  readonly #dir: string;
  readonly #log: Logger;
  readonly #own: Unflushed | undefined;
  readonly #chains = new Map<string, CachedChain>();
  #last: Promise<unknown> = Promise.resolve();
  /** One at a time: the first makes the indexes that the next use. */
  #lastFind: Promise<unknown> = Promise.resolve();

  constructor(dir: string, log: Logger, own: Unflushed | undefined) {
    this.#dir = dir;
    this.#log = log;
    this.#own = own;
  }

  async get(id: string): Promise<Receipt | undefined> {
    return (await this.find(id))?.receipt;
  }

  async list(filter: ReceiptFilter): Promise<readonly Receipt[]> {
    return (await this.states(filter)).map(({ receipt }) => receipt);
  }

  /** A receipt with what became of its call; the log's indexes lead to it. */
  async find(id: string): Promise<ReceiptState | undefined> {
    const turn = this.#lastFind.then(() => this.#find(id));
    this.#lastFind = turn.catch(() => undefined);
    return turn;
  }

  async #find(id: string): Promise<ReceiptState | undefined> {
    // Taken before the files are read: a record may be in both, none in neither.
    const bodies = this.#own?.unflushed().bodies ?? [];
    const fold = (records: readonly (CallRecord | undefined)[]) => {
      const calls = new Map<string, Known>();
      for (const record of records) take(calls, record);
      return [...calls.values()].find(({ receipt }) => receipt.id === id);
    };
    const unflushed = bodies.map((body) => CALL_RECORD.safeParse(body).data);
    const found = await findRecords(this.#dir, id, ({ chain, records }) => {
      const written = records.map(({ record }) => record);
      const own = chain === this.#own?.unflushed().chain;
      const known = fold(own ? [...written, ...unflushed] : written);
      return known && stateOf(known, own);
    });
    if (found !== undefined) return found;
    const known = fold(unflushed);
    return known && stateOf(known, true);
  }

  /** Newest first. */
  async states(filter: ReceiptFilter): Promise<readonly ReceiptState[]> {
    const since = filter.since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(filter.since);
    if (Number.isNaN(since)) throw new RangeError('since is no date');
    const matching = (await this.#all()).filter(({ receipt }) => matches(receipt, filter, since));
    return filter.limit === undefined ? matching : matching.slice(0, Math.max(0, filter.limit));
  }

  async #all(): Promise<readonly ReceiptState[]> {
    // One reader at a time: they share the offsets.
    const turn = this.#last.then(() => this.#read());
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #read(): Promise<readonly ReceiptState[]> {
    // Taken before the files are read: a record may be in both, none in neither.
    const unflushed = this.#own?.unflushed();
    const chains = byChain(await logFiles(this.#dir));
    for (const chain of this.#chains.keys()) if (!chains.has(chain)) this.#chains.delete(chain);
    for (const [chain, parts] of chains) {
      await this.#catchUp(chain, parts).catch((error: unknown) =>
        this.#log.warn({ chain, error: String(error) }, 'audit file not read'),
      );
    }
    const own = this.#own?.unflushed().chain;
    const known = [...this.#chains].flatMap(([chain, { calls }]) =>
      chain === own ? [] : [...calls.values()].map((call) => stateOf(call, false)),
    );
    const mine = new Map(own === undefined ? [] : this.#chains.get(own)?.calls);
    for (const body of unflushed?.bodies ?? []) take(mine, CALL_RECORD.safeParse(body).data);
    return [...known, ...[...mine.values()].map((call) => stateOf(call, true))].sort(newestFirst);
  }

  async #catchUp(chain: string, parts: readonly Part[]): Promise<void> {
    const found = await Promise.all(
      parts.map(async ({ file }) => ({ file, ...(await lstat(join(this.#dir, file), { bigint: true })) })),
    );
    const seen = this.#chains.get(chain);
    const kept = seen !== undefined && isContinued(seen, found) ? seen : { files: new Map(), calls: new Map() };
    this.#chains.set(chain, kept);
    for (const { file, ino, size } of found) {
      const cached: Cached = kept.files.get(file) ?? { inode: ino, offset: 0 };
      kept.files.set(file, cached);
      if (size > BigInt(cached.offset)) await this.#readOn(file, cached, kept.calls);
    }
  }

  async #readOn(file: string, cached: Cached, calls: Map<string, Known>): Promise<void> {
    for await (const line of readLines(this.#dir, file, cached.offset)) {
      if (line.torn) return;
      cached.offset = line.end;
      if (mayConcern(line.bytes)) take(calls, CALL_RECORD.safeParse(parseRecord(line.bytes)).data);
    }
  }
}

/** Whether each file that was read is still that file, and no shorter. */
function isContinued(
  { files }: CachedChain,
  found: readonly { readonly file: string; readonly ino: bigint; readonly size: bigint }[],
): boolean {
  return [...files].every(([name, { inode, offset }]) =>
    found.some(({ file, ino, size }) => file === name && ino === inode && size >= offset),
  );
}

/** Intents are most of a log's bytes and say nothing of receipts; quotes inside a JSON text are escaped. */
function mayConcern(bytes: Buffer): boolean {
  return bytes.includes('"kind":"permit"') || bytes.includes('"kind":"outcome"');
}

/** An outcome stands, whatever order records are taken in. */
function take(calls: Map<string, Known>, record: CallRecord | undefined): void {
  if (record === undefined || record.kind === 'intent') return;
  const known = calls.get(record.call);
  if (record.kind === 'permit') {
    if (known?.outcome === undefined) calls.set(record.call, { receipt: record.receipt });
    return;
  }
  const receipt = record.receipt ?? known?.receipt;
  if (receipt === undefined) return;
  calls.set(record.call, { receipt, outcome: record.outcome === 'refused' ? 'not_sent' : record.outcome });
}

function stateOf({ receipt, outcome }: Known, own: boolean): ReceiptState {
  return { receipt, state: outcome ?? (own ? 'pinned' : 'outcome_unknown') };
}

function newestFirst(a: ReceiptState, b: ReceiptState): number {
  return Date.parse(b.receipt.pinnedAt) - Date.parse(a.receipt.pinnedAt) || (a.receipt.id < b.receipt.id ? 1 : -1);
}

function matches(receipt: Receipt, filter: ReceiptFilter, since: number): boolean {
  const vm = filter.vm?.toLowerCase();
  const named = receipt.vms.some(
    ({ name, vmIdentifier }) => name.toLowerCase() === vm || vmIdentifier.toLowerCase() === vm,
  );
  return (
    (vm === undefined || named) &&
    (filter.agent === undefined || receipt.agent === filter.agent) &&
    (filter.session === undefined || receipt.session === filter.session) &&
    (filter.change === undefined || receipt.change === filter.change) &&
    Date.parse(receipt.pinnedAt) >= since
  );
}
