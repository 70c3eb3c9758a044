import { ProxyError } from '../domain/errors.js';
import type { Logger } from '../domain/ports.js';
import type { RequestMessage } from './message.js';
import type { LineSink } from './pipe.js';
import type { IdTable } from './relay-ids.js';
import { ownResultLine, refusalResult } from './relay-messages.js';
import { record } from './relay-peers.js';
import { NativeCall, type Pending } from './relay-pending.js';
import type { Rounds } from './relay-rounds.js';

/** The proxy's own tools: `json` is one entry of a tools/list result; `call` gives a CallToolResult. */
export interface NativeTools {
  tools(): readonly { readonly name: string; readonly json: string }[];
  call(name: string, args: Readonly<Record<string, unknown>>, meta: unknown, signal: AbortSignal): Promise<object>;
}

/** Runs calls of native tools beside the downstream, which never hears of them. */
export class NativeCalls {
  readonly #native: NativeTools;
  readonly #pending: IdTable<Pending>;
  readonly #toClient: LineSink;
  readonly #log: Logger;
  readonly #rounds: Rounds;
  readonly #running = new Set<Promise<void>>();

  constructor(native: NativeTools, pending: IdTable<Pending>, toClient: LineSink, log: Logger, rounds: Rounds) {
    this.#native = native;
    this.#pending = pending;
    this.#toClient = toClient;
    this.#log = log;
    this.#rounds = rounds;
  }

  has(tool: unknown): boolean {
    return this.#native.tools().some(({ name }) => name === tool);
  }

  start(request: RequestMessage): void {
    const call = new NativeCall(request);
    this.#pending.add(request.idKey, call);
    const running = this.#run(call).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #run(call: NativeCall): Promise<void> {
    const result = await this.#rounds.within(call, () => this.#result(call.request, call.abort.signal));
    // Cancelled, answered with an error since the proxy ends, or suspended and never resumed.
    if (call.abort.signal.aborted || !call.waiting) return;
    this.#pending.delete(call.request.idKey);
    this.#toClient.write(ownResultLine(call.request, result));
  }

  async #result(request: RequestMessage, signal: AbortSignal): Promise<object> {
    const params = record(request.params);
    const name = String(params['name']);
    try {
      return await this.#native.call(name, record(params['arguments']), params['_meta'], signal);
    } catch (error) {
      this.#log.error({ tool: name, error: String(error) }, 'a native tool failed');
      return refusalResult(
        error instanceof ProxyError ? error.message : `${name} failed. The proxy's log on stderr says why.`,
      );
    }
  }
}
