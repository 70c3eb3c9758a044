import type { RequestMessage } from './message.js';
import type { GuardedCall } from './relay-call.js';

/** A request that was forwarded as it came. The rest is kept because the answer's edits need it; `generation` is the tool list's when it was sent. */
export interface PlainRequest {
  readonly kind: 'plain';
  readonly idText: string;
  readonly method: string;
  readonly cursor: unknown;
  readonly taskId: unknown;
  readonly generation: number;
  /** Of a revision in which a result says that it is complete. */
  readonly stateless: boolean;
}

/** A call of a native tool: answered in this process, unknown to the downstream. */
export class NativeCall {
  readonly kind = 'native';
  readonly abort = new AbortController();
  request: RequestMessage;
  waiting = true;

  constructor(request: RequestMessage) {
    this.request = request;
  }

  get wire(): Buffer {
    return this.request.raw;
  }

  suspend(): void {
    this.waiting = false;
  }

  resume(request: RequestMessage): void {
    this.request = request;
    this.waiting = true;
  }
}

/** A request of the proxy's own; its answer never reaches the client. `settle` gets undefined for an error. */
export interface OwnRequest {
  readonly kind: 'own';
  settle(result: unknown): void;
}

/** A request that was sent and for whose answer nobody waits: taken back by the client (its answer passes), or answered by the proxy (it is dropped). */
export interface RetiredRequest {
  readonly kind: 'retired';
  readonly late: 'passes' | 'dropped';
}

/** How many of those are remembered. */
export const MAX_RETIRED = 10_000;

/** Everything that waits for an answer to a client-to-server id. */
export type Pending = PlainRequest | NativeCall | OwnRequest | GuardedCall | RetiredRequest;

export function idTextOf(pending: PlainRequest | NativeCall | GuardedCall): string {
  return pending.kind === 'plain' ? pending.idText : pending.request.idText;
}
