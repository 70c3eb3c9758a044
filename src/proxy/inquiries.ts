import type { Ask, Question } from '../domain/ports.js';

type Reply = Awaited<ReturnType<Ask>>;

interface Inquiry {
  readonly answer: Promise<Reply>;
  readonly since: number;
  readonly withdraw: () => void;
}

export interface InquiriesOptions {
  readonly ask: Ask;
  /** Milliseconds, never set back. */
  readonly now: () => number;
  /** How long after it was asked an answer counts. */
  readonly openMs: number;
}

/**
 * `afterMs`: since the human was first asked. `waiting`: the call's patience ended first; its repeat finds the answer. `expired`: nobody
 * answered in time.
 */
export type Inquired = (Reply & { readonly afterMs: number }) | { readonly kind: 'waiting' | 'expired' };

/**
 * Questions to the human behind the client, each for one call. One that outlasts its call's patience stays open, and the next
 * call of the same key takes it over; a call that its client gives up takes its question with it.
 */
export class Inquiries {
  readonly #options: InquiriesOptions;
  readonly #left = new Map<string, { readonly inquiry: Inquiry; readonly timer: NodeJS.Timeout }>();

  constructor(options: InquiriesOptions) {
    this.#options = options;
  }

  /** Whether a question of that key was left open, or answered and not heard yet. */
  isOpen(key: string): boolean {
    return this.#left.has(key);
  }

  async ask(key: string, question: Question, signal: AbortSignal, patience?: AbortSignal): Promise<Inquired> {
    const inquiry = this.#take(key) ?? this.#open(question);
    signal.addEventListener('abort', inquiry.withdraw, { once: true });
    if (signal.aborted) inquiry.withdraw();
    const expiry = new AbortController();
    const timer = setTimeout(() => expiry.abort(), this.#remaining(inquiry));
    timer.unref();
    const reply = await Promise.race([inquiry.answer, ended(patience), ended(expiry.signal)]);
    clearTimeout(timer);
    signal.removeEventListener('abort', inquiry.withdraw);
    if (reply !== undefined) return { ...reply, afterMs: this.#options.now() - inquiry.since };
    if (expiry.signal.aborted) {
      inquiry.withdraw();
      return { kind: 'expired' };
    }
    this.#leave(key, inquiry);
    return { kind: 'waiting' };
  }

  #remaining({ since }: Inquiry): number {
    return Math.max(0, since + this.#options.openMs - this.#options.now());
  }

  #open(question: Question): Inquiry {
    const { ask, now } = this.#options;
    const withdrawn = new AbortController();
    return { answer: ask(question, withdrawn.signal), since: now(), withdraw: () => withdrawn.abort() };
  }

  #leave(key: string, inquiry: Inquiry): void {
    const timer = setTimeout(() => {
      this.#left.delete(key);
      inquiry.withdraw();
    }, this.#remaining(inquiry));
    timer.unref();
    this.#left.set(key, { inquiry, timer });
    // A client that closes the question together with its call has not answered it: the repeat asks again.
    void inquiry.answer.then((reply) => {
      const isClosed = reply.kind === 'unavailable' || (reply.kind === 'declined' && reply.dismissed === true);
      if (isClosed && this.#left.get(key)?.inquiry === inquiry) this.#take(key);
    });
  }

  #take(key: string): Inquiry | undefined {
    const left = this.#left.get(key);
    clearTimeout(left?.timer);
    this.#left.delete(key);
    return left?.inquiry;
  }
}

function ended(patience: AbortSignal | undefined): Promise<undefined> {
  return new Promise((resolve) => {
    if (patience?.aborted === true) resolve(undefined);
    else patience?.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
