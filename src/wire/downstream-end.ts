import type { Readable, Writable } from 'node:stream';

/** How a downstream ended. A process has a code or a signal; `why` says it in words where there was no process. */
export interface DownstreamExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** It could not be started (not found, not executable, bad working directory) or never be reached. */
  readonly spawnError?: Error | undefined;
  readonly why?: string | undefined;
}

/** A request that no line will answer; `idKey` is as the message readers make it. `sent` is false only where surely nothing of it went out. */
export interface Unanswered {
  readonly idKey: string;
  readonly why: string;
  readonly sent: boolean;
}

/** A downstream as the relay needs it, whatever it is: lines in, lines out, and its end. */
export interface DownstreamEnd {
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves when it is gone and `output` was read to its end. Never rejects. */
  readonly exit: Promise<DownstreamExit>;
  /**
   * Says who wants to know of single requests that get no answer while the downstream lives on. A process has none; where nobody
   * asks, such a request gets an error line.
   */
  readonly onUnanswered?: (take: (unanswered: Unanswered) => void) => void;
  /** Ends it within 3 seconds; further calls wait for the same end. */
  stop(): Promise<DownstreamExit>;
}
