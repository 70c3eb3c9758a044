import type { Exported } from './records.js';

/** Where records go. */
export interface Sink {
  /** Resolves when the destination has taken all of them; rejects with Undelivered where that is not known. */
  send(batch: readonly Exported[], signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** The destination did not say that it has the records: they are sent again. `refused`: it would not have them as they are. */
export class Undelivered extends Error {
  readonly refused: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(why: string, options: { refused?: boolean; retryAfterMs?: number | undefined; cause?: unknown } = {}) {
    super(why, { cause: options.cause });
    this.refused = options.refused ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** What a failure says of itself, in one line, for the operator. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return error.message === '' ? (code ?? error.name) : error.message;
}
