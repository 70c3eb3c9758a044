import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger, ReceiptFilter, Receipts } from '../domain/ports.js';
import type { Receipt } from '../domain/receipt.js';
import { findRecords } from './find-call.js';
import type { AuditFile } from './log.js';
import { byChain, type Part } from './names.js';
import { lineAt, logFiles, parseRecord, readBlocks } from './read.js';
import { matches, type Row, Rows } from './receipt-rows.js';
import { CALL_RECORD, type CallRecord } from './schema.js';

/**
 * `pinned`: the permit is on disk and this process still works on the call, which may have gone out. `forwarded`: it was
 * answered. `not_sent`: it never went out. `outcome_unknown`: it may have run; also where its process ended or is another.
 */
export interface ReceiptState {
  readonly receipt: Receipt;
  readonly state: 'pinned' | 'forwarded' | 'not_sent' | 'outcome_unknown';
}

/** How far one file was read. Logs only grow, so the next look starts at `offset`. */
interface Cached {
  readonly inode: bigint;
  offset: number;
}

/** What was read of one chain so far. */
interface CachedChain {
  readonly files: Map<string, Cached>;
  readonly rows: Rows;
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
  readonly #named = new Map<string, Row['named']>();
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
    const unflushed = this.#unflushed();
    const fold = (records: readonly (CallRecord | undefined)[], own: boolean) => {
      const rows = new Rows();
      for (const record of records) rows.take(record);
      for (const { receipt, outcome } of rows.values()) {
        if ('id' in receipt && receipt.id === id) return { receipt, state: stateOf(outcome, own) };
      }
      return undefined;
    };
    const found = await findRecords(this.#dir, id, ({ chain, records }) => {
      const written = records.map(({ record }) => record);
      const own = chain === this.#own?.unflushed().chain;
      return fold(own ? [...written, ...unflushed] : written, own);
    });
    return found ?? fold(unflushed, true);
  }

  #unflushed(): readonly (CallRecord | undefined)[] {
    return (this.#own?.unflushed().bodies ?? []).map((body) => CALL_RECORD.safeParse(body).data);
  }

  /** Newest first. */
  async states(filter: ReceiptFilter): Promise<readonly ReceiptState[]> {
    const all: ReceiptState[] = [];
    if (filter.limit !== undefined && filter.limit <= 0) return all;
    for await (const state of this.each(filter)) if (all.push(state) === filter.limit) break;
    return all;
  }

  /** The same one by one, whatever the filter's limit: each is read when it is asked for. */
  async *each(filter: ReceiptFilter): AsyncGenerator<ReceiptState> {
    const since = filter.since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(filter.since);
    if (Number.isNaN(since)) throw new RangeError('since is no date');
    // One reader at a time: they share the offsets.
    const turn = this.#last.then(() => this.#read((row) => matches(row, filter, since)));
    this.#last = turn.catch(() => undefined);
    for (const { row, own } of await turn) {
      const receipt = await this.#receiptOf(row);
      if (receipt !== undefined) yield { receipt, state: stateOf(row.outcome, own) };
    }
  }

  /** Nothing where its file was removed or replaced meanwhile. */
  async #receiptOf({ receipt }: Row): Promise<Receipt | undefined> {
    if ('id' in receipt) return receipt;
    const bytes = await lineAt(this.#dir, receipt.file, receipt.offset).catch(() => undefined);
    const { data } = CALL_RECORD.safeParse(bytes && parseRecord(bytes));
    return data === undefined || data.kind === 'intent' ? undefined : data.receipt;
  }

  async #read(wanted: (row: Row) => boolean): Promise<readonly Listed[]> {
    // Taken before the files are read: a record may be in both, none in neither.
    const unflushed = this.#unflushed();
    const chains = byChain(await logFiles(this.#dir));
    for (const chain of this.#chains.keys()) if (!chains.has(chain)) this.#chains.delete(chain);
    for (const [chain, parts] of chains) {
      await this.#catchUp(chain, parts).catch((error: unknown) =>
        this.#log.warn({ chain, error: String(error) }, 'audit file not read'),
      );
    }
    const own = this.#own?.unflushed().chain;
    const mine = (own === undefined ? undefined : this.#chains.get(own)?.rows.copy()) ?? new Rows();
    for (const record of unflushed) mine.take(record);
    const others = [...this.#chains].filter(([chain]) => chain !== own);
    const listed = [
      ...others.flatMap(([, { rows }]) => listedIn(rows, false, wanted)),
      ...listedIn(mine, true, wanted),
    ];
    // Of equal times the later record comes first.
    return listed.reverse().sort((a, b) => b.row.pinnedAt - a.row.pinnedAt);
  }

  async #catchUp(chain: string, parts: readonly Part[]): Promise<void> {
    const found = await Promise.all(
      parts.map(async ({ file }) => ({ file, ...(await lstat(join(this.#dir, file), { bigint: true })) })),
    );
    const seen = this.#chains.get(chain);
    const kept =
      seen !== undefined && isContinued(seen, found) ? seen : { files: new Map(), rows: new Rows(this.#named) };
    this.#chains.set(chain, kept);
    for (const { file, ino, size } of found) {
      const cached: Cached = kept.files.get(file) ?? { inode: ino, offset: 0 };
      kept.files.set(file, cached);
      if (size > BigInt(cached.offset)) await this.#readOn(file, cached, kept.rows);
    }
  }

  async #readOn(file: string, cached: Cached, rows: Rows): Promise<void> {
    for await (const lines of readBlocks(this.#dir, file, cached.offset)) {
      for (const { bytes, end, torn } of lines) {
        if (torn) return;
        const place = { file, offset: cached.offset };
        if (mayConcern(bytes)) rows.take(CALL_RECORD.safeParse(parseRecord(bytes)).data, place);
        cached.offset = end;
      }
    }
  }
}

/** A row, and whether it is of this process. */
interface Listed {
  readonly row: Row;
  readonly own: boolean;
}

function listedIn(rows: Rows, own: boolean, wanted: (row: Row) => boolean): readonly Listed[] {
  const listed: Listed[] = [];
  for (const row of rows.values()) if (wanted(row)) listed.push({ row, own });
  return listed;
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

function stateOf(outcome: Row['outcome'], own: boolean): ReceiptState['state'] {
  return outcome ?? (own ? 'pinned' : 'outcome_unknown');
}
