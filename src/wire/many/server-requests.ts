import { setMember } from '../edit.js';
import { objectAt } from '../json-splice.js';
import type { NotificationMessage, RequestMessage, ResponseMessage } from '../message.js';
import { IdTable, idKeyOf } from '../relay-ids.js';
import { record } from '../relay-peers.js';
import { lastNamed, latin1, utf8 } from '../scan.js';
import { uniqueJson } from './core.js';
import type { Link } from './link.js';

/** A request of a server that the client has not answered. The texts are JSON: as the server wrote them, and as the client sees them. */
interface Open {
  readonly link: Link;
  readonly serverKey: string;
  readonly serverIdText: string;
  readonly clientKey: string;
  readonly clientIdText: string;
  readonly tokenKey: string | undefined;
}

/** Beyond this the oldest are forgotten: a client need not answer. */
const MAX_OPEN = 10_000;

/** A message for one server. */
export interface Addressed {
  readonly link: Link;
  readonly line: Buffer;
}

/**
 * Requests from servers to the client. Two servers may use the same id, or the same progress token: the one that comes second gets
 * another for the client, and its own back with the answer.
 */
export class ServerRequests {
  readonly #open = new IdTable<Open>(MAX_OPEN);
  readonly #tokens = new Map<string, { readonly link: Link; readonly tokenText: string }>();

  /** The request as the client gets it. */
  fromServer(link: Link, request: RequestMessage): Buffer {
    const isFree = !this.#open.has(request.idKey);
    const clientIdText = isFree ? request.idText : uniqueJson();
    const clientKey = isFree ? request.idKey : `s:${JSON.parse(clientIdText)}`;
    const { raw, tokenKey } = this.#token(link, request);
    this.#open.add(clientKey, {
      link,
      serverKey: request.idKey,
      serverIdText: request.idText,
      clientKey,
      clientIdText,
      tokenKey,
    });
    return isFree ? raw : setMember(raw, [], 'id', clientIdText);
  }

  /** The client's answer as its server gets it; undefined where no request waits for it. */
  answer(response: ResponseMessage): Addressed | undefined {
    const open = this.#open.match(response.idKey)?.entry;
    if (open === undefined) return undefined;
    this.#forget(open);
    const isSame = response.idKey === open.serverKey;
    return { link: open.link, line: isSame ? response.raw : setMember(response.raw, [], 'id', open.serverIdText) };
  }

  /** A server takes its request back; undefined where it has none of that id. */
  cancelled(link: Link, notification: NotificationMessage): Buffer | undefined {
    const serverKey = idKeyOf(record(notification.params)['requestId']);
    const open = this.#of(link).find((each) => each.serverKey === serverKey);
    if (open === undefined) return undefined;
    const isSame = open.clientKey === open.serverKey;
    return isSame ? notification.raw : setMember(notification.raw, ['params'], 'requestId', open.clientIdText);
  }

  /** The client's progress on a request, as its server gets it; undefined where no open request has the token. */
  progress(notification: NotificationMessage): Addressed | undefined {
    const token = idKeyOf(record(notification.params)['progressToken']);
    const found = token === undefined ? undefined : this.#tokens.get(token);
    if (found === undefined) return undefined;
    const { raw } = notification;
    const isSame = tokenText(raw, ['params']) === found.tokenText;
    return { link: found.link, line: isSame ? raw : setMember(raw, ['params'], 'progressToken', found.tokenText) };
  }

  /** The server is gone: the ids, as the client knows them, that nobody waits for any more. */
  gone(link: Link): readonly string[] {
    return this.#of(link).map((open) => {
      this.#forget(open);
      return open.clientIdText;
    });
  }

  #of(link: Link): readonly Open[] {
    return this.#open.entries().flatMap(([, open]) => (open.link === link ? [open] : []));
  }

  #forget(open: Open): void {
    this.#open.delete(open.clientKey);
    if (open.tokenKey !== undefined) this.#tokens.delete(open.tokenKey);
  }

  #token(link: Link, request: RequestMessage): { readonly raw: Buffer; readonly tokenKey: string | undefined } {
    if (!request.raw.includes('progressToken')) return { raw: request.raw, tokenKey: undefined };
    const path = ['params', '_meta'];
    const own = idKeyOf(record(record(request.params)['_meta'])['progressToken']);
    const text = tokenText(request.raw, path);
    if (own === undefined || text === undefined) return { raw: request.raw, tokenKey: undefined };
    const isFree = !this.#tokens.has(own);
    const json = isFree ? text : uniqueJson();
    const tokenKey = isFree ? own : `s:${JSON.parse(json)}`;
    this.#tokens.set(tokenKey, { link, tokenText: text });
    const [oldest] = this.#tokens.keys();
    if (this.#tokens.size > MAX_OPEN && oldest !== undefined) this.#tokens.delete(oldest);
    return { raw: isFree ? request.raw : setMember(request.raw, path, 'progressToken', json), tokenKey };
  }
}

function tokenText(raw: Buffer, path: readonly string[]): string | undefined {
  const text = latin1(raw);
  const item = lastNamed(objectAt(text, path), 'progressToken');
  return item && utf8(text.slice(item.valueStart, item.end));
}
