import type { Answer, Server, ToolCall } from '../domain/call.js';
import { ProxyError } from '../domain/errors.js';
import { Permit } from '../domain/permit.js';
import type { Cancel, Downstream, DownstreamAnswer, Logger } from '../domain/ports.js';
import type { RequestMessage } from './message.js';
import type { LineSink } from './pipe.js';
import { GuardedCall } from './relay-call.js';
import type { IdTable, TakenBack } from './relay-ids.js';
import type { Lister } from './relay-lister.js';
import { notificationLine } from './relay-messages.js';
import { type Peers, record, type ServerInfo } from './relay-peers.js';
import type { Pending } from './relay-pending.js';
import type { Rounds } from './relay-rounds.js';
import type { Servers } from './relay-servers.js';
import type { ToolBook } from './relay-tools.js';
import { traceContext } from './trace-context.js';

const PROGRESS_MS = 5000;
/** So small that the downstream's own progress, which counts from 0 or 1, still rises after it. */
const PROGRESS_STEP = 1e-6;

export interface CallDeps {
  readonly servers: Servers;
  readonly session: string;
  readonly agentName?: string | undefined;
  readonly log: Logger;
  readonly handle: (call: ToolCall, cancel: Cancel) => Promise<Answer>;
  readonly digest: (session: string, server: string, tool: string, args: Readonly<Record<string, unknown>>) => string;
  readonly newCallId: () => string;
  /** Calls `tick` every `ms` milliseconds until the returned function is called. Default: setInterval. */
  readonly every?: ((ms: number, tick: () => void) => () => void) | undefined;
}

export interface CallEnds {
  readonly peers: Peers;
  readonly book: ToolBook;
  readonly lister: Lister;
  readonly rounds: Rounds;
  readonly pending: IdTable<Pending>;
  readonly retired: TakenBack<Pending>;
  readonly toClient: LineSink;
  readonly toServer: LineSink;
}

/** The tools/call requests on their way: each goes to the handler, and downstream only by `forward`. */
export class Calls implements Downstream {
  readonly #deps: CallDeps;
  readonly #ends: CallEnds;
  readonly #byCall = new Map<ToolCall, GuardedCall>();
  #server: Server | undefined;
  #running = 0;
  #settled: (() => void) | undefined;

  constructor(deps: CallDeps, ends: CallEnds) {
    this.#deps = deps;
    this.#ends = ends;
  }

  start(request: RequestMessage): void {
    const guarded = new GuardedCall(request);
    this.#ends.pending.add(request.idKey, guarded);
    void this.#run(guarded);
  }

  /** Throws, without a promise, where nothing was written: who calls it says that a call went out only after that. */
  forward(call: ToolCall, permit: Permit): Promise<DownstreamAnswer> {
    // Not permit.take: an object that only looks like a permit brings a `take` of its own.
    Permit.prototype.take.call(permit, call);
    const guarded = this.#byCall.get(call);
    if (guarded?.state !== 'held') {
      throw new ProxyError('CALL_CANCELLED', 'Nobody waits for this call any more: the command was not sent.');
    }
    if (!this.#ends.toServer.open) {
      throw new ProxyError('DOWNSTREAM_UNAVAILABLE', 'The MCP server takes no more calls: the command was not sent.');
    }
    this.#deps.servers.several?.assign(guarded.request.idKey, call.server.name);
    // The bytes of the call; after a round of questions those of its retry, whose id the client waits for.
    this.#ends.toServer.write(guarded.wire);
    return guarded.sent(permit.grounds.kind === 'read_only' ? 'no receipt' : 'receipt');
  }

  /** Resolves when no call is being handled any more. */
  async settled(): Promise<void> {
    while (this.#running > 0) {
      await new Promise<void>((resolve) => {
        this.#settled = resolve;
      });
    }
  }

  async #run(guarded: GuardedCall): Promise<void> {
    const meta = record(guarded.request.params)['_meta'];
    const stopProgress = this.#progress(guarded);
    this.#running += 1;
    try {
      const described = this.learn(guarded.request, guarded);
      if (described !== undefined) await described;
      if (guarded.state === 'held') this.#finish(guarded, await this.#handle(guarded, meta));
    } finally {
      stopProgress?.();
      this.#running -= 1;
      if (this.#running === 0) this.#settled?.();
    }
  }

  /** Resolves when as much is known of the tool that a request calls as the servers say; undefined where that is so now. */
  learn(request: RequestMessage, cancel: Cancel): Promise<void> | undefined {
    const { several } = this.#deps.servers;
    const { lister } = this.#ends;
    const tool = nameOf(request);
    const meta = record(request.params)['_meta'];
    if (several !== undefined) return several.locate(tool, meta, cancel);
    return lister.wanted(tool, meta) ? lister.refresh(meta, cancel.signal) : undefined;
  }

  async #handle(guarded: GuardedCall, meta: unknown): Promise<Answer> {
    let call: ToolCall | undefined;
    try {
      call = this.#toolCall(guarded.request, meta);
      this.#byCall.set(call, guarded);
      const known = call;
      return await this.#ends.rounds.within(guarded, () => this.#deps.handle(known, guarded));
    } catch (error) {
      this.#logFailed(guarded, error);
      return guarded.failed(error);
    } finally {
      if (call !== undefined) this.#byCall.delete(call);
    }
  }

  /** That a client took a call back, or that a server is away, is no fault of the proxy. */
  #logFailed({ request, state }: GuardedCall, error: unknown): void {
    const fields = { tool: nameOf(request), error: String(error) };
    const isFault = !(error instanceof ProxyError) || error.cause !== undefined;
    if (isFault) this.#deps.log.error(fields, 'a call could not be handled');
    else if (state === 'cancelled') this.#deps.log.info(fields, 'a call was cancelled after it was sent');
    else this.#deps.log.warn(fields, 'a call has no answer of its server');
  }

  #finish(guarded: GuardedCall, answer: Answer): void {
    const sent = guarded.state === 'sent';
    const line = guarded.finish(answer);
    if (line === undefined) return;
    // A sent call keeps its id until the downstream's late answer, which the client must not get as a second one.
    if (sent) this.#ends.retired.add(guarded.request.idKey, { kind: 'retired', late: 'dropped' });
    else this.#ends.pending.delete(guarded.request.idKey);
    this.#ends.toClient.write(line);
  }

  #toolCall(request: RequestMessage, meta: unknown): ToolCall {
    const { servers, session, agentName, digest, newCallId } = this.#deps;
    const { peers, book } = this.#ends;
    const tool = nameOf(request);
    const args = record(record(request.params)['arguments']);
    const routed = servers.serverOf(tool);
    if (routed.kind === 'none') throw new ProxyError(routed.code, routed.why);
    const { server } = routed;
    const isAlone = servers.several === undefined;
    return {
      id: newCallId(),
      session,
      agent: agentName ?? peers.clientName(meta) ?? 'unknown',
      server: isAlone && peers.serverInfo !== undefined ? this.#known(server, peers.serverInfo) : server,
      tool,
      arguments: args,
      digest: digest(session, server.name, tool, args),
      raw: request.raw,
      progress: isToken(record(meta)['progressToken']),
      trace: traceContext(meta),
      description: isAlone ? book.find(tool) : servers.several?.describe(tool),
    };
  }

  /** One object as long as nothing new is heard of the server: what is found out about it can be kept by it. */
  #known(server: Server, info: ServerInfo): Server {
    if (this.#server?.info !== info) this.#server = { ...server, info };
    return this.#server;
  }

  #progress(guarded: GuardedCall): (() => void) | undefined {
    if (tokenOf(guarded.request) === undefined) return undefined;
    let ticks = 0;
    let message = 'The call is held until it may be sent.';
    const tick = (): void => {
      const progressToken = tokenOf(guarded.request);
      if (guarded.state !== 'held' || progressToken === undefined) return;
      ticks += 1;
      const progress = ticks * PROGRESS_STEP;
      this.#ends.toClient.write(notificationLine('notifications/progress', { progressToken, progress, message }));
    };
    guarded.onTold((progress) => {
      message = progress;
      tick();
    });
    const every = this.#deps.every ?? interval;
    return every(PROGRESS_MS, tick);
  }
}

function tokenOf(request: RequestMessage): string | number | undefined {
  const token = record(record(request.params)['_meta'])['progressToken'];
  return typeof token === 'string' || (typeof token === 'number' && Number.isSafeInteger(token)) ? token : undefined;
}

function nameOf(request: RequestMessage): string {
  return String(record(request.params)['name']);
}

function interval(ms: number, tick: () => void): () => void {
  const timer = setInterval(tick, ms);
  return () => clearInterval(timer);
}

function isToken(token: unknown): boolean {
  return typeof token === 'string' || Number.isSafeInteger(token);
}
