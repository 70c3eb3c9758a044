import type { RequestMessage, ServerMessage } from '../message.js';
import { IdTable } from '../relay-ids.js';
import { tokenKey } from './exchange.js';
import type { PassAnswer } from './pass-answer.js';
import type { End } from './timing.js';
import { type Named, UniqueNames } from './unique.js';

/** A request's headers by lower-case name. */
export type Heads = NodeJS.Dict<string[]>;

/** One POST on its way: what came, and where its answer goes. `named` is absent for notifications and responses. */
export interface Passing {
  readonly body: Buffer;
  readonly line: Buffer;
  readonly heads: Heads;
  readonly answer: PassAnswer;
  readonly named?: Named | undefined;
  readonly abort: AbortController;
  /** Called when its bytes are held no more; once or several times. */
  readonly over: () => void;
  /** The connections on which its answer may come: its own, and those by which its client took it up again. */
  readonly streams: Stream[];
  /** To be told how the request ended. */
  readonly end?: End | undefined;
  sent: boolean;
  /** The client took it back. */
  cancelled: boolean;
}

/** A connection to the upstream and the answer of the client's that it feeds. */
export interface Stream {
  readonly answer: PassAnswer;
  readonly abort: AbortController;
  /** Resolves when it is over. */
  readonly done: Promise<unknown>;
}

/** What a client sent: the bytes, the head, and who is told when the bytes are held no more. */
export interface Given {
  readonly body: Buffer;
  readonly heads: Heads;
  readonly over: () => void;
}

export function passingOf(given: Given, line: Buffer, answer: PassAnswer, named?: Named): Passing {
  return { ...given, line, answer, named, abort: new AbortController(), streams: [], sent: false, cancelled: false };
}

/** The requests of one session that wait for an answer, by the names under which its relay knows them. */
export class PassBook {
  readonly #names = new UniqueNames();
  readonly #byId = new IdTable<Passing>();
  readonly #byToken = new Map<string, Passing>();

  enter(own: RequestMessage, given: Given, answer: PassAnswer, end: End): Passing & { readonly named: Named } {
    const named = this.#names.enter(own);
    const passing = { ...passingOf(given, named.sent.raw, answer), named, end };
    this.#byId.add(named.sent.idKey, passing);
    const token = tokenKey(named.sentToken);
    if (token !== undefined) this.#byToken.set(token, passing);
    return passing;
  }

  /** `retired`: an answer may still come, though nobody waits for it. `answer`: the message that it was. */
  leave(passing: Passing, how: 'answered' | 'retired', answer?: ServerMessage): void {
    const { named } = passing;
    if (named === undefined || this.find(named.sent.idKey) !== passing) return;
    passing.over();
    if (how === 'retired') passing.end?.('cancelled');
    else passing.end?.(answer?.kind === 'response' ? answer : 'no_answer');
    this.#names.leave(named, how);
    this.#byId.delete(named.sent.idKey);
    const token = tokenKey(named.sentToken);
    if (token !== undefined) this.#byToken.delete(token);
  }

  find(idKey: string): Passing | undefined {
    return this.#byId.match(idKey)?.entry;
  }

  byToken(key: string): Passing | undefined {
    return this.#byToken.get(key);
  }

  of(own: RequestMessage): Passing | undefined {
    return this.all().find(({ named }) => named?.own === own);
  }

  /** The call that a question of the proxy's own is about. */
  newestHeld(): Passing | undefined {
    return this.all().findLast(({ sent, answer }) => !sent && !answer.gone);
  }

  all(): readonly Passing[] {
    return this.#byId.entries().map(([, passing]) => passing);
  }
}
