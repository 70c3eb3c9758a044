import type { Logger } from '../domain/ports.js';
import {
  type NotificationMessage,
  type RequestMessage,
  type ResponseMessage,
  readClientMessage,
  refusal,
} from './message.js';
import type { LineSink } from './pipe.js';
import type { Asker } from './relay-ask.js';
import type { Calls } from './relay-calls.js';
import { type IdTable, idKeyOf, type TakenBack } from './relay-ids.js';
import { CONNECTION_CLOSED, INVALID_REQUEST } from './relay-messages.js';
import type { NativeCalls } from './relay-native.js';
import { type Peers, record } from './relay-peers.js';
import type { Pending, PlainRequest } from './relay-pending.js';
import type { Rounds } from './relay-rounds.js';
import type { ToolBook } from './relay-tools.js';
import { versionOf } from './stateless-request.js';

export interface ClientSideDeps {
  readonly log: Logger;
  readonly peers: Peers;
  readonly book: ToolBook;
  readonly pending: IdTable<Pending>;
  readonly retired: TakenBack<Pending>;
  /** Requests of the downstream that the client has not answered. */
  readonly serverRequests: IdTable<number>;
  readonly asker: Asker;
  readonly rounds: Rounds;
  readonly calls: Calls;
  readonly native: NativeCalls;
  readonly toClient: LineSink;
  readonly toServer: LineSink;
  /** A request could not be written, since the downstream closed its end. */
  readonly unreachable: () => void;
}

/** What becomes of each line that the client sends. */
export class ClientSide {
  readonly #deps: ClientSideDeps;
  #gone: string | undefined;
  #heard: (() => void) | undefined;
  /** Resolves with the first request. */
  readonly firstRequest: Promise<void>;

  constructor(deps: ClientSideDeps) {
    this.#deps = deps;
    this.firstRequest = new Promise((resolve) => {
      this.#heard = resolve;
    });
  }

  /** From now on each request is answered with this error: there is no downstream any more. */
  downstreamGone(why: string): void {
    this.#gone = why;
  }

  line(line: Buffer): void {
    const { log, toClient } = this.#deps;
    const message = readClientMessage(line);
    switch (message.kind) {
      case 'refused':
        log.warn({ reason: message.reason }, 'a message of the client was refused');
        toClient.write(
          refusal(message.idText, message.code, `The message was refused and not forwarded: ${message.reason}.`),
        );
        return;
      case 'request':
        this.#request(message);
        return;
      case 'notification':
        this.#notification(message);
        return;
      case 'response':
        this.#response(message);
        return;
      case 'empty':
        return;
    }
  }

  #request(request: RequestMessage): void {
    const { pending, toClient, toServer, unreachable, log } = this.#deps;
    this.#heard?.();
    if (pending.has(request.idKey)) {
      log.warn({ method: request.method }, 'a request with the id of another one was refused');
      const text = 'The message was refused and not forwarded: a request with this id is not answered yet.';
      toClient.write(refusal(request.idText, INVALID_REQUEST, text));
    } else if (this.#gone !== undefined) {
      toClient.write(refusal(request.idText, CONNECTION_CLOSED, `${this.#gone} The request was not sent.`));
    } else if (request.method === 'tools/call') {
      this.#call(request);
    } else {
      this.#remember(request);
      if (!toServer.open) unreachable();
      toServer.write(request.raw);
    }
  }

  #call(request: RequestMessage): void {
    const { rounds, native, calls } = this.#deps;
    if (rounds.resume(request)) return;
    const call = rounds.fresh(request);
    if (native.has(record(request.params)['name'])) native.start(call);
    else calls.start(call);
  }

  #remember(request: RequestMessage): void {
    const params = record(request.params);
    if (request.method === 'initialize') this.#deps.peers.clientSaid(params);
    this.#deps.pending.add(request.idKey, {
      kind: 'plain',
      idText: request.idText,
      method: request.method,
      cursor: params['cursor'],
      taskId: params['taskId'],
      generation: this.#deps.book.generation,
      stateless: versionOf(request) !== undefined,
    });
  }

  #notification(notification: NotificationMessage): void {
    if (notification.method === 'tools/call') {
      this.#deps.log.warn({}, 'a tools/call without an id was dropped');
    } else if (notification.method !== 'notifications/cancelled' || !this.#cancelled(notification)) {
      this.#deps.toServer.write(notification.raw);
    }
  }

  /** True where the cancelled request never went downstream, so that the notification must not either. */
  #cancelled(notification: NotificationMessage): boolean {
    const { pending } = this.#deps;
    const idKey = idKeyOf(notification.params?.['requestId']);
    const found = idKey === undefined ? undefined : pending.match(idKey);
    if (found === undefined || found.entry.kind === 'retired') return false;
    const { entry } = found;
    if (entry.kind === 'own') return true;
    if (entry.kind === 'plain' || (entry.kind === 'call' && !entry.cancel())) {
      const wanted = entry.kind === 'plain' ? isHello(entry) : entry.state !== 'cancelled';
      if (!wanted) this.#deps.retired.add(found.idKey, { kind: 'retired', late: 'passes' });
      return false;
    }
    pending.delete(found.idKey);
    if (entry.kind === 'native') entry.abort.abort();
    return true;
  }

  #response(response: ResponseMessage): void {
    const { asker, serverRequests, toServer, log } = this.#deps;
    if (asker.answer(response.idKey, response.isError ? undefined : response.result)) return;
    const request = serverRequests.match(response.idKey);
    if (request === undefined) {
      log.warn({}, 'a response of the client that answers no request was dropped');
      return;
    }
    // Two clients that share a server may each have been asked under one id.
    if (request.entry > 1) serverRequests.add(request.idKey, request.entry - 1);
    else serverRequests.delete(request.idKey);
    toServer.write(response.raw);
  }
}

/** Its answer is always read: the session goes by it. */
function isHello({ method }: PlainRequest): boolean {
  return method === 'initialize' || method === 'server/discover';
}
