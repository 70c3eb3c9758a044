import type { Logger } from '../domain/ports.js';
import type { Receipt } from '../domain/receipt.js';
import { addTools, addToolsCapability, RECEIPT_KEY, setMember, setReceipt } from './edit.js';
import {
  type NotificationMessage,
  type RequestMessage,
  type ResponseMessage,
  readBatch,
  readServerMessage,
  resultIsError,
  type ServerMessage,
} from './message.js';
import type { OrderedLines } from './pipe.js';
import type { GuardedCall } from './relay-call.js';
import type { IdTable } from './relay-ids.js';
import type { Lister } from './relay-lister.js';
import { COMPLETE_LIST, errorCodeOf, METHOD_NOT_FOUND, resultLine } from './relay-messages.js';
import type { NativeTools } from './relay-native.js';
import { type Peers, record } from './relay-peers.js';
import type { Pending, PlainRequest, RetiredRequest } from './relay-pending.js';
import type { ToolBook } from './relay-tools.js';

/** Receipts of tasks whose result has not been seen; beyond this the oldest are forgotten. */
const MAX_TASKS = 1000;
const LIST_CHANGED = 'notifications/tools/list_changed';

export interface ServerSideDeps {
  readonly log: Logger;
  readonly peers: Peers;
  readonly book: ToolBook;
  readonly lister: Lister;
  readonly native: NativeTools;
  readonly pending: IdTable<Pending>;
  /** How often each id waits for an answer of the client. */
  readonly serverRequests: IdTable<number>;
  readonly toClient: OrderedLines;
}

/** What becomes of each line that the downstream sends. */
export class ServerSide {
  readonly #deps: ServerSideDeps;
  readonly #tasks = new Map<string, Receipt>();

  constructor(deps: ServerSideDeps) {
    this.#deps = deps;
  }

  line(line: Buffer): void {
    this.#message(readServerMessage(line), line.length);
  }

  #message(message: ServerMessage, bytes: number): void {
    const { log, toClient } = this.#deps;
    switch (message.kind) {
      case 'junk':
        log.warn({ bytes, why: message.why }, 'a line on the stdout of the downstream is no message: dropped');
        return;
      case 'empty':
        return;
      case 'response':
        this.#response(message);
        return;
      case 'request':
        this.#asked(message);
        toClient.push(message.raw);
        return;
      case 'notification':
        this.#notification(message);
        return;
      case 'other':
        this.#other(message.raw);
    }
  }

  #asked({ idKey }: RequestMessage): void {
    const { serverRequests } = this.#deps;
    serverRequests.add(idKey, (serverRequests.get(idKey) ?? 0) + 1);
  }

  #notification(notification: NotificationMessage): void {
    if (notification.method === LIST_CHANGED) this.#deps.book.changed();
    this.#deps.toClient.push(notification.raw);
  }

  #response(response: ResponseMessage): void {
    const { pending, lister, log, toClient } = this.#deps;
    const found = pending.match(response.idKey);
    if (found === undefined) {
      if (!lister.owns(response.idKey)) toClient.push(setReceipt(response.raw, undefined));
      return;
    }
    const { entry } = found;
    if (entry.kind === 'native' || (entry.kind === 'call' && entry.state === 'held')) {
      log.warn({}, 'the downstream answered a call that was not sent to it: dropped');
      return;
    }
    pending.delete(found.idKey);
    if (entry.kind === 'own') entry.settle(response.isError ? undefined : response.result);
    else if (entry.kind === 'retired') this.#late(response, entry);
    else if (entry.kind === 'plain') toClient.push(this.#edited(response, entry));
    else this.#callAnswered(response, entry);
  }

  #callAnswered(response: ResponseMessage, call: GuardedCall): void {
    const { toClient, log } = this.#deps;
    if (call.state === 'sent') {
      const isError = response.isError || resultIsError(response.raw);
      const line = call.answered(response.raw, isError);
      toClient.push(line instanceof Uint8Array ? line : line.finally(() => this.#rememberTask(response, call)));
    } else {
      log.warn({}, 'an answer came after the client had been given one: dropped');
    }
  }

  #late({ raw }: ResponseMessage, { late }: RetiredRequest): void {
    if (late === 'passes') this.#deps.toClient.push(setReceipt(raw, undefined));
    else this.#deps.log.warn({}, 'an answer came after the client had been given one: dropped');
  }

  #edited(response: ResponseMessage, request: PlainRequest): Buffer {
    const { raw } = response;
    if (request.method === 'tools/list') return this.#toolList(response, request);
    if (response.isError) return raw;
    if (request.method === 'initialize' || request.method === 'server/discover') return this.#hello(response, request);
    const ofTask = request.method === 'tasks/result' || request.method === 'tasks/get';
    return setReceipt(raw, ofTask ? this.#tasks.get(String(request.taskId)) : undefined);
  }

  #hello(response: ResponseMessage, request: PlainRequest): Buffer {
    const { peers, native } = this.#deps;
    peers.serverSaid(response.result, request.method === 'initialize');
    const raw = setReceipt(response.raw, undefined);
    return native.tools().length === 0 ? raw : addToolsCapability(raw);
  }

  #toolList(response: ResponseMessage, request: PlainRequest): Buffer {
    const { native, book, log } = this.#deps;
    const tools = native.tools();
    if (response.isError) return this.#errorForTools(response.raw, request);
    book.clientPage(request.cursor, response.result, request.generation);
    const clean = setReceipt(response.raw, undefined);
    if (tools.length === 0) return clean;
    const { raw, dropped } = addTools(clean, tools);
    for (const tool of dropped) log.warn({ tool }, 'a downstream tool with the name of a native tool was dropped');
    return raw;
  }

  /** A downstream that has no tools, not one that failed to list them: the proxy's own are the whole list then. */
  #errorForTools(raw: Buffer, { idText, stateless }: PlainRequest): Buffer {
    const { native, peers } = this.#deps;
    const tools = native.tools();
    const code = errorCodeOf(raw);
    if (tools.length === 0 || (code !== METHOD_NOT_FOUND && peers.serverMayHave('tools'))) return raw;
    const list = resultLine(idText, `{"tools":[${tools.map(({ json }) => json).join(',')}]}`);
    const added = stateless ? Object.entries(COMPLETE_LIST) : [];
    return added.reduce((line, [name, value]) => setMember(line, ['result'], name, JSON.stringify(value)), list);
  }

  /** A call that became a task: the receipt belongs to the result that comes later. */
  #rememberTask(response: ResponseMessage, call: GuardedCall): void {
    if (call.receipt === undefined || response.isError || !response.raw.includes('taskId')) return;
    const result = record(response.result);
    const taskId = record(result['task'])['taskId'] ?? result['taskId'];
    if (typeof taskId !== 'string') return;
    this.#tasks.set(taskId, call.receipt);
    const [oldest] = this.#tasks.keys();
    if (this.#tasks.size > MAX_TASKS && oldest !== undefined) this.#tasks.delete(oldest);
  }

  /** JSON that is no single message passes as it is, unless it claims a receipt; a batch, unless it holds an answer that is waited for. */
  #other(raw: Buffer): void {
    const batch = readBatch(raw);
    if (batch.some((message) => this.#waitedFor(message))) {
      for (const message of batch) {
        if (message.kind === 'other') this.#opaque(message.raw);
        else this.#message(message, 0);
      }
    } else {
      this.#note(batch);
      this.#opaque(raw);
    }
  }

  /** What a batch that passes as it is means for later messages. */
  #note(batch: readonly ServerMessage[]): void {
    for (const message of batch) {
      if (message.kind === 'request') this.#asked(message);
      if (message.kind === 'notification' && message.method === LIST_CHANGED) this.#deps.book.changed();
    }
  }

  #waitedFor(message: ServerMessage): boolean {
    if (message.kind !== 'response') return false;
    return this.#deps.pending.match(message.idKey) !== undefined || this.#deps.lister.owns(message.idKey);
  }

  #opaque(raw: Buffer): void {
    if (claimsReceipt(raw)) this.#deps.log.warn({}, 'a message of the downstream with a forged receipt was dropped');
    else this.#deps.toClient.push(raw);
  }
}

/** True where the text holds the name of a receipt, as it is or in escapes, or cannot be read for it. */
export function claimsReceipt(raw: Buffer): boolean {
  if (raw.includes(RECEIPT_KEY)) return true;
  if (!raw.includes('\\')) return false;
  try {
    return JSON.stringify(JSON.parse(raw.toString('utf8'))).includes(RECEIPT_KEY);
  } catch {
    return true;
  }
}
