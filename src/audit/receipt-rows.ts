import type { ReceiptFilter } from '../domain/ports.js';
import type { Receipt } from '../domain/receipt.js';
import type { CallRecord } from './schema.js';

/** Where a record begins that has a receipt. */
export interface Place {
  readonly file: string;
  readonly offset: number;
}

/** Whom a receipt is of; many receipts share one. */
interface Named {
  readonly agent: string;
  readonly session: string;
  /** Names and identifiers of its VMs in lower case. */
  readonly vms: readonly string[];
}

/** What a list needs to choose a receipt; a log of 1 GB has hundreds of thousands, so the receipt itself stays in its file. */
export interface Row {
  readonly receipt: Receipt | Place;
  readonly pinnedAt: number;
  readonly change: string;
  readonly named: Named;
  readonly outcome?: 'forwarded' | 'not_sent' | 'outcome_unknown' | undefined;
}

/** The receipts of some calls, by call. */
export class Rows {
  readonly #calls = new Map<string, Row>();
  readonly #named: Map<string, Named>;

  constructor(named: Map<string, Named> = new Map()) {
    this.#named = named;
  }

  /** The same rows, to which more can be added without changing these. */
  copy(): Rows {
    const rows = new Rows(this.#named);
    for (const [call, row] of this.#calls) rows.#calls.set(call, row);
    return rows;
  }

  values(): Iterable<Row> {
    return this.#calls.values();
  }

  /** Adds what a record says; an outcome stands, whatever order records are taken in. */
  take(record: CallRecord | undefined, place?: Place): void {
    if (record === undefined || record.kind === 'intent') return;
    const known = this.#calls.get(record.call);
    if (record.kind === 'permit') {
      if (known?.outcome === undefined) this.#calls.set(record.call, this.#rowOf(record.receipt, place));
      return;
    }
    const row = record.receipt === undefined ? known : this.#rowOf(record.receipt, place);
    if (row === undefined) return;
    this.#calls.set(record.call, { ...row, outcome: record.outcome === 'refused' ? 'not_sent' : record.outcome });
  }

  #rowOf(receipt: Receipt, place: Place | undefined): Row {
    const { agent, session, change, pinnedAt } = receipt;
    const vms = receipt.vms.flatMap(({ name, vmIdentifier }) => [name.toLowerCase(), vmIdentifier.toLowerCase()]);
    const key = JSON.stringify([agent, session, vms]);
    const named = this.#named.get(key) ?? { agent, session, vms };
    this.#named.set(key, named);
    return { receipt: place ?? receipt, pinnedAt: Date.parse(pinnedAt), change, named };
  }
}

/** Whether a row is one that was asked for; `since` is the filter's in milliseconds. */
export function matches({ named, change, pinnedAt }: Row, filter: ReceiptFilter, since: number): boolean {
  return (
    (filter.vm === undefined || named.vms.includes(filter.vm.toLowerCase())) &&
    (filter.agent === undefined || named.agent === filter.agent) &&
    (filter.session === undefined || named.session === filter.session) &&
    (filter.change === undefined || change === filter.change) &&
    pinnedAt >= since
  );
}
