import type { IncomingMessage, ServerResponse } from 'node:http';

/** What stands behind `/mcp`. */
export interface Service {
  /** Open sessions. */
  readonly size: number;
  /** Requests that wait for an answer. */
  readonly pending: number;
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Tells clients how to log in at the server behind; absent where they do not. */
  discover?(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** The clients' standalone streams end. */
  endListening(): void;
  /** Resolves when no request waits for an answer. */
  settled(): Promise<void>;
  /** Everything ends: what waits is answered, each downstream is let go. */
  endAll(): Promise<void>;
}
