import type { RequestMessage, ResponseMessage } from '../message.js';
import { IdTable, idKeyOf, TakenBack } from '../relay-ids.js';

/** Requests that the client took back and whose answers may still come; beyond that their connections end. */
const MAX_TAKEN_BACK = 32;

/** A request of the client that has no answer yet. */
export class InFlight {
  readonly request: RequestMessage;
  /** Revision 2026-07-28: the end of its response stream is what cancels it. */
  readonly stateless: boolean;
  readonly abort = new AbortController();
  /** Resolves when it was answered, or given up. */
  readonly over: Promise<void>;
  #cancelled = false;
  readonly #learn: ((answer: ResponseMessage) => void) | undefined;
  #open = true;
  #end: (() => void) | undefined;

  constructor(request: RequestMessage, stateless: boolean, learn: ((answer: ResponseMessage) => void) | undefined) {
    this.request = request;
    this.stateless = stateless;
    this.#learn = learn;
    this.over = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** The client took it back. */
  get cancelled(): boolean {
    return this.#cancelled;
  }

  cancel(): void {
    this.#cancelled = true;
  }

  get open(): boolean {
    return this.#open;
  }

  answered(answer: ResponseMessage): void {
    this.#learn?.(answer);
    this.close();
  }

  close(): void {
    this.#open = false;
    this.#end?.();
  }
}

/** The requests that wait for an answer, on whatever stream it comes. */
export class Requests {
  readonly #table = new IdTable<InFlight>();
  readonly #takenBack = new TakenBack(this.#table, MAX_TAKEN_BACK);

  add(request: RequestMessage, stateless: boolean, learn?: (answer: ResponseMessage) => void): InFlight {
    const entry = new InFlight(request, stateless, learn);
    this.#table.add(request.idKey, entry);
    return entry;
  }

  /** The request with this id, as `notifications/cancelled` names it. */
  find(requestId: unknown): InFlight | undefined {
    const idKey = idKeyOf(requestId);
    return idKey === undefined ? undefined : this.#table.match(idKey)?.entry;
  }

  /** The client takes it back: many servers then neither answer it nor end its stream. */
  takenBack(entry: InFlight): void {
    entry.cancel();
    const forgotten = this.#takenBack.add(entry.request.idKey, entry);
    forgotten?.close();
    forgotten?.abort.abort();
  }

  /** What an answer that came is for. */
  answered(response: ResponseMessage): void {
    const found = this.#table.match(response.idKey);
    if (found === undefined) return;
    this.#table.delete(found.idKey);
    found.entry.answered(response);
  }

  drop(entry: InFlight): void {
    const { idKey } = entry.request;
    if (this.#table.match(idKey)?.entry === entry) this.#table.delete(idKey);
    entry.close();
  }

  get all(): readonly InFlight[] {
    return this.#table.entries().map(([, entry]) => entry);
  }
}
