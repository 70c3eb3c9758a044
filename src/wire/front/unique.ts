import { randomBytes } from 'node:crypto';
import { setMember } from '../edit.js';
import { type RequestMessage, readClientMessage, readServerMessage } from '../message.js';
import { IdTable } from '../relay-ids.js';
import { record } from '../relay-peers.js';
import { tokenKey } from './exchange.js';

/** Given-up requests whose late answer and progress must not meet a new request. */
const MAX_RETIRED = 1000;

/** A request with the id and the progress token by which it is known while it is under way. */
export interface Named {
  /** As the client wrote it. */
  readonly own: RequestMessage;
  readonly sent: RequestMessage;
  readonly sentToken: unknown;
}

/** Keeps the requests of many clients apart: each has its own id and token, until another one under way has the same. */
export class UniqueNames {
  readonly #ids = new IdTable<true>();
  readonly #retired = new IdTable<{ readonly token: string | undefined }>();
  /** Of requests under way and of retired ones. */
  readonly #tokens = new Set<string>();
  /** Some retired request was forgotten: from now on no client's own id or token is surely free. */
  #crowded = false;
  readonly #prefix = randomBytes(12).toString('hex');
  #count = 0;

  enter(own: RequestMessage): Named {
    let raw = own.raw;
    if (this.#isTaken(own.idKey)) raw = setMember(raw, [], 'id', JSON.stringify(this.#next()));
    const token = tokenOf(own);
    const key = tokenKey(token);
    const other = key !== undefined && (this.#crowded || this.#tokens.has(key)) ? this.#next() : undefined;
    if (other !== undefined) raw = setMember(raw, ['params', '_meta'], 'progressToken', JSON.stringify(other));
    const sent = raw === own.raw ? own : readClientMessage(raw);
    if (sent.kind !== 'request') throw new Error('a request with another id is no request');
    const sentToken = other ?? token;
    const sentKey = tokenKey(sentToken);
    this.#ids.add(sent.idKey, true);
    if (sentKey !== undefined) this.#tokens.add(sentKey);
    return { own, sent, sentToken };
  }

  /** `retired`: an answer may still come, though nobody waits for it. */
  leave({ sent, sentToken }: Named, how: 'answered' | 'retired'): void {
    this.#ids.delete(sent.idKey);
    const key = tokenKey(sentToken);
    if (how === 'answered') {
      if (key !== undefined) this.#tokens.delete(key);
      return;
    }
    this.#retired.add(sent.idKey, { token: key });
    if (this.#retired.size <= MAX_RETIRED) return;
    this.#crowded = true;
    const [oldest] = this.#retired.entries();
    if (oldest !== undefined) this.settled(oldest[0]);
  }

  /** The late answer came. */
  settled(idKey: string): void {
    const found = this.#retired.match(idKey);
    if (found === undefined) return;
    this.#retired.delete(found.idKey);
    if (found.entry.token !== undefined) this.#tokens.delete(found.entry.token);
  }

  #isTaken(idKey: string): boolean {
    return this.#crowded || this.#ids.match(idKey) !== undefined || this.#retired.match(idKey) !== undefined;
  }

  #next(): string {
    this.#count += 1;
    return `rewind-${this.#prefix}-${this.#count}`;
  }
}

/** A message to the client, with the id that the client gave. */
export function withOwnId(line: Buffer, { own, sent }: Named): Buffer {
  return own.idText === sent.idText ? line : setMember(line, [], 'id', own.idText);
}

/** A progress notification, with the token that the client gave. */
export function withOwnToken(line: Buffer, { own, sentToken }: Named): Buffer {
  const token = tokenOf(own);
  return token === sentToken ? line : setMember(line, ['params'], 'progressToken', JSON.stringify(token));
}

function tokenOf(request: RequestMessage): unknown {
  return record(record(request.params)['_meta'])['progressToken'];
}

/** A line of the relay as the client would have written it. */
export function asOwn(line: Buffer, named: Named | undefined): Buffer {
  if (named === undefined) return line;
  const token = tokenOf(named.own);
  const withToken =
    token === named.sentToken ? line : setMember(line, ['params', '_meta'], 'progressToken', JSON.stringify(token));
  return withOwnId(withToken, named);
}

/** An answer of the upstream, with the id by which the relay knows the request. */
export function asSent(line: Buffer, named: Named | undefined): Buffer {
  if (named === undefined || named.own.idText === named.sent.idText) return line;
  const message = readServerMessage(line);
  const mine = message.kind === 'response' && message.idKey === named.own.idKey;
  return mine ? setMember(line, [], 'id', named.sent.idText) : line;
}
