import type { Meters, Metrics } from './domain/meters.js';
import { quote } from './domain/text.js';
import type { DownstreamStart, Downstreams, Started } from './downstream.js';
import type { Parts } from './parts.js';
import { createSession } from './session.js';
import { delay } from './wire/child-group.js';
import { Bridge } from './wire/front/bridge.js';
import { Budget } from './wire/front/budget.js';
import { Endpoint } from './wire/front/endpoint.js';
import type { Room } from './wire/front/incoming.js';
import { PassEndpoint } from './wire/front/pass-endpoint.js';
import { PassLogin } from './wire/front/pass-login.js';
import { PassUp } from './wire/front/pass-up.js';
import { listen } from './wire/front/server.js';
import type { Service } from './wire/front/service.js';
import { Sessions } from './wire/front/sessions.js';
import { isLoopbackHost } from './wire/loopback.js';
import type { LineSink } from './wire/pipe.js';
import { oneServer } from './wire/relay-servers.js';
import { aborted } from './wire/relay-stdio.js';
import { openRemote } from './wire/remote/start.js';

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  /** What clients have to show as a bearer token; undefined: nothing. */
  readonly token: string | undefined;
  /** The same for /metrics alone. */
  readonly metricsToken: string | undefined;
  /** The text of /metrics. */
  readonly metricsText: () => Promise<string>;
  /** Further names by which clients may address the server. */
  readonly names: readonly string[];
  readonly maxSessions: number;
  readonly idleMs: number;
  /** How long running calls may go on once the server is told to stop. */
  readonly drainMs: number;
  readonly maxBody: number;
  /** Bytes of clients' messages that may be held at the same time. */
  readonly maxBuffer: number;
  /** Called with the port once it is listened on. */
  readonly listening: (port: number) => void;
}

type RemoteStart = DownstreamStart & { readonly kind: 'url' };

/** How many connections there may be for each session. */
const CONNECTIONS_PER_SESSION = 32;
const CLOSE_MS = 500;

/**
 * Serves a downstream to many clients until the signal: each stateful one has a child of its own, which `start` gives; a
 * single server that speaks Streamable HTTP itself is passed through.
 */
export async function serve(
  parts: Parts,
  downstreams: Downstreams,
  start: () => Started,
  metrics: Metrics,
  options: ServeOptions,
  signal: AbortSignal,
): Promise<number> {
  const { log, auditFile } = parts;
  const [only, another] = downstreams;
  const room = roomOf(options);
  const serving = { ...options, ...room, log, meters: metrics, draining: () => signal.aborted };
  const service =
    another === undefined && only.kind === 'url' && only.transport === 'http'
      ? passThrough(parts, only, serving)
      : bridged(parts, start, serving);
  const front = await listen({
    ...options,
    log,
    maxConnections: options.maxSessions * CONNECTIONS_PER_SESSION,
    mcp: (request, response) => service.handle(request, response),
    discovery: service.discover?.bind(service),
    ready: () => !signal.aborted && auditFile.writable,
    metrics: { token: options.metricsToken, text: options.metricsText },
  });
  metrics.watch(() => ({
    sessions: service.size,
    pending: service.pending,
    bufferedRequests: room.budget.used,
    bufferedAnswers: front.buffered,
    auditQueue: auditFile.queued,
    auditWritable: auditFile.writable,
  }));
  if (!isLoopbackHost(options.host)) {
    const text = 'messages and the token can be read on the network: put TLS in front, or listen on 127.0.0.1';
    log.warn({ host: quote(options.host) }, text);
  }
  options.listening(front.port);
  await aborted(signal);
  log.info({ sessions: service.size, pending: service.pending }, 'the server is going down');
  service.endListening();
  await Promise.race([service.settled(), delay(options.drainMs)]);
  await service.endAll();
  await front.close(CLOSE_MS);
  return 0;
}

type Serving = ServeOptions & Room & Pick<Parts, 'log'> & { readonly meters: Meters; readonly draining: () => boolean };

function bridged(parts: Parts, start: () => Started, serving: Serving): Service {
  const { log } = serving;
  const connect = (toClient: LineSink, clients: 'one' | 'many'): Bridge => {
    const { child, servers, name } = start();
    const session = createSession(parts, servers, clients);
    return new Bridge({ child, server: name, log, open: session.open, toClient, release: session.close });
  };
  return new Endpoint({ ...serving, sessions: new Sessions({ ...serving, connect }) });
}

function passThrough(parts: Parts, remote: RemoteStart, serving: Serving): Service {
  const session = (clients: 'one' | 'many') => {
    const { open, close } = createSession(parts, oneServer(remote.server), clients);
    return { open, release: close };
  };
  const http = openRemote({ ...remote, server: remote.server.name, log: serving.log });
  // A token of the proxy's own goes no further, and neither does a login beside the one that the config gives.
  const logsIn = serving.token === undefined && !http.ownHeaders.includes('authorization');
  return new PassEndpoint({ ...serving, up: new PassUp(http, logsIn ? new PassLogin(http) : undefined), session });
}

/** One message always has room where nothing else is held. */
function roomOf({ maxBody, maxBuffer }: ServeOptions): Room {
  return { maxBody, budget: new Budget(Math.max(maxBody, maxBuffer)) };
}
