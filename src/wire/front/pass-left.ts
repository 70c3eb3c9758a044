import { createHash } from 'node:crypto';
import type { PassAnswer } from './pass-answer.js';
import type { PassBook, Passing } from './pass-book.js';

/** Beyond this the connections of the oldest end: their clients can still take the streams up again. */
const MAX_LEFT = 100;
const MAX_MISSED = 100;
const MAX_MISSED_BYTES = 4 << 20;

/**
 * Requests of one session whose clients closed the connection, though they could take up the stream again. It is read on meanwhile,
 * since the answer is the outcome of a call, whether its client comes back for it or not.
 */
export class LeftRequests {
  readonly #book: PassBook;
  readonly #left = new Set<Passing>();

  constructor(book: PassBook) {
    this.#book = book;
  }

  add(passing: Passing): void {
    for (const each of this.#left) if (!this.#isOpen(each)) this.#left.delete(each);
    this.#left.delete(passing);
    this.#left.add(passing);
    const [oldest] = this.#left;
    if (this.#left.size <= MAX_LEFT || oldest === undefined) return;
    this.#left.delete(oldest);
    endStreams(oldest);
  }

  /** The request that the stream of this event belongs to, where its client comes back for it; an upstream gives a stream to one connection at a time. */
  async takeUp(eventId: string): Promise<Passing | undefined> {
    const passing = this.#book.all().find(({ streams }) => streams.some(({ answer }) => answer.sent(eventId)));
    if (passing === undefined) return undefined;
    this.#left.delete(passing);
    // Also one that this machine takes for open still: its client has come back by another.
    for (const { abort } of passing.streams) abort.abort();
    await Promise.all(passing.streams.map(({ done }) => done));
    return passing;
  }

  /** Whether this answer is still wanted though its client is gone. */
  readsOn(answer: PassAnswer): boolean {
    const passing = this.#book.all().find(({ streams }) => streams.some((stream) => stream.answer === answer));
    if (passing === undefined || passing.cancelled) return false;
    if (answer.gone) this.add(passing);
    return true;
  }

  #isOpen({ named }: Passing): boolean {
    return named !== undefined && this.#book.find(named.sent.idKey)?.named === named;
  }
}

/** Ends the connections whose client is gone. */
export function endStreams({ streams }: Passing): void {
  for (const { answer, abort } of streams) if (answer.gone) abort.abort();
}

/** Answers that nobody read, as the relay had edited them: an upstream gives them again to a client that comes back. */
export class MissedAnswers {
  readonly #edited = new Map<string, Buffer>();
  #bytes = 0;

  keep(answer: Uint8Array, edited: Uint8Array): void {
    if (edited.length > MAX_MISSED_BYTES) return;
    this.#edited.set(digestOf(answer), Buffer.from(edited));
    this.#bytes += edited.length;
    for (const [key, { length }] of this.#edited) {
      if (this.#edited.size <= MAX_MISSED && this.#bytes <= MAX_MISSED_BYTES) return;
      this.#edited.delete(key);
      this.#bytes -= length;
    }
  }

  /** Only for the very same bytes. */
  of(answer: Uint8Array): Buffer | undefined {
    return this.#edited.size === 0 ? undefined : this.#edited.get(digestOf(answer));
  }
}

function digestOf(answer: Uint8Array): string {
  return createHash('sha256').update(answer).digest('base64');
}
