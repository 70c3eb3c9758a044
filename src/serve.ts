import { quote } from './domain/text.js';
import type { Started } from './downstream.js';
import type { Parts } from './parts.js';
import { createSession } from './session.js';
import { delay } from './wire/child-group.js';
import { Bridge } from './wire/front/bridge.js';
import { Endpoint } from './wire/front/endpoint.js';
import { isLoopback } from './wire/front/names.js';
import { listen } from './wire/front/server.js';
import { Sessions } from './wire/front/sessions.js';
import type { LineSink } from './wire/pipe.js';

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  /** What clients have to show as a bearer token; undefined: nothing. */
  readonly token: string | undefined;
  /** Further names by which clients may address the server. */
  readonly names: readonly string[];
  readonly maxSessions: number;
  readonly idleMs: number;
  /** How long running calls may go on once the server is told to stop. */
  readonly drainMs: number;
  readonly maxBody: number;
  /** Called with the port once it is listened on. */
  readonly listening: (port: number) => void;
}

/** How many connections there may be for each session. */
const CONNECTIONS_PER_SESSION = 32;
const CLOSE_MS = 500;

/** Serves a downstream to many clients until the signal; each stateful one has a child of its own, which `start` gives. */
export async function serve(
  parts: Parts,
  start: () => Started,
  options: ServeOptions,
  signal: AbortSignal,
): Promise<number> {
  const { log, audit } = parts;
  const connect = (toClient: LineSink): Bridge => {
    const { child, servers, name } = start();
    const session = createSession(parts, servers);
    return new Bridge({ child, server: name, log, open: session.open, toClient, release: session.close });
  };
  const sessions = new Sessions({ ...options, log, connect });
  const endpoint = new Endpoint({ sessions, maxBody: options.maxBody, draining: () => signal.aborted });
  const front = await listen({
    ...options,
    log,
    maxConnections: options.maxSessions * CONNECTIONS_PER_SESSION,
    mcp: (request, response) => endpoint.handle(request, response),
    ready: () => !signal.aborted && audit.writable,
  });
  if (!isLoopback(options.host)) {
    const text = 'messages and the token can be read on the network: put TLS in front, or listen on 127.0.0.1';
    log.warn({ host: quote(options.host) }, text);
  }
  options.listening(front.port);
  await aborted(signal);
  log.info({ sessions: sessions.size, pending: sessions.pending }, 'the server is going down');
  sessions.endListening();
  await Promise.race([sessions.settled(), delay(options.drainMs)]);
  await sessions.endAll();
  await front.close(CLOSE_MS);
  return 0;
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
