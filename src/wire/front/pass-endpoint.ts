import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../../domain/ports.js';
import { delay } from '../child-group.js';
import type { Ends, Relay } from '../relay.js';
import { INVALID_REQUEST, METHOD_NOT_FOUND } from '../relay-messages.js';
import type { RemoteHttp } from '../remote/http.js';
import { whole } from './http-answer.js';
import { busy, headerOf, type Incoming, readMessage } from './incoming.js';
import { givenMismatch, HEADER_MISMATCH, headerMismatch, isStateless, statelessVersion } from './mirrored.js';
import { PassAnswer } from './pass-answer.js';
import { headersDown, headersUp, statusDown } from './pass-headers.js';
import { PassSession } from './pass-session.js';
import { type Refused, refuse } from './reply.js';
import type { Service } from './service.js';

export interface PassEndpointDeps {
  readonly log: Logger;
  readonly http: RemoteHttp;
  readonly maxBody: number;
  readonly maxSessions: number;
  readonly idleMs: number;
  readonly draining: () => boolean;
  /** What the path of a call needs for one session; `release` ends it. */
  readonly session: () => { readonly open: (ends: Ends) => Relay; readonly release: () => Promise<void> };
}

const ENDED = 'The session was ended.';

/** `/mcp` in front of a server that speaks Streamable HTTP itself: sessions, ids and streams are that server's own. */
export class PassEndpoint implements Service {
  readonly #deps: PassEndpointDeps;
  readonly #sessions = new Map<string, PassSession>();
  readonly #nameless = new Set<PassSession>();
  readonly #listening = new Set<AbortController>();
  readonly #sweeper: NodeJS.Timeout;
  #shared: PassSession | undefined;

  constructor(deps: PassEndpointDeps) {
    this.#deps = deps;
    this.#sweeper = setInterval(() => this.#endIdle(), Math.min(30_000, Math.max(50, deps.idleMs / 4)));
    this.#sweeper.unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  get pending(): number {
    return this.#all().reduce((sum, { pending }) => sum + pending, 0);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refused = await this.#refusal(request, response);
    if (refused !== undefined) refuse(request, response, refused);
  }

  endListening(): void {
    for (const stream of this.#listening) stream.abort();
  }

  async settled(): Promise<void> {
    while (this.pending > 0) await delay(20);
  }

  async endAll(): Promise<void> {
    clearInterval(this.#sweeper);
    const all = this.#all();
    this.#sessions.clear();
    this.#nameless.clear();
    this.#shared = undefined;
    await Promise.all(all.map((session) => session.close('The proxy is ending.')));
    await this.#deps.http.destroy();
  }

  #refusal(request: IncomingMessage, response: ServerResponse): Promise<Refused | undefined> {
    if (request.method === 'POST') return this.#post(request, response);
    if (request.method === 'GET') return this.#get(request, response);
    if (request.method === 'DELETE') return this.#delete(request, response);
    return Promise.resolve({ status: 405, message: 'Method not allowed.', headers: { allow: 'POST, GET, DELETE' } });
  }

  async #post(request: IncomingMessage, response: ServerResponse): Promise<Refused | undefined> {
    const incoming = await readMessage(request, this.#deps.maxBody);
    if (incoming === undefined || 'status' in incoming) return incoming;
    const { message } = incoming;
    const asked = message.kind === 'request' ? message : undefined;
    if (this.#deps.draining() && asked !== undefined) return busy('The server is going down.', asked);
    const twice = twiceGiven(request);
    if (twice !== undefined) return { ...twice, idText: asked?.idText };
    const stateless = isStatelessMessage(incoming, request);
    const wrong = stateless ? statelessProblem(incoming, request) : mirroredProblem(incoming, request);
    if (wrong !== undefined) return wrong;
    const id = stateless ? undefined : headerOf(request, 'mcp-session-id');
    const session = stateless ? this.#stateless() : this.#sessionOf(id);
    if (session === undefined) return busy('There are as many sessions as this server takes.', asked);
    return this.#forward(session, id, incoming, request, response);
  }

  #forward(
    session: PassSession,
    id: string | undefined,
    { message, body }: Incoming,
    request: IncomingMessage,
    response: ServerResponse,
  ): Refused | undefined {
    const answer = new PassAnswer(response);
    response.once('close', () => {
      if (message.kind === 'request' && !response.writableFinished) session.left(message, !this.#nameless.has(session));
      if (response.statusCode === 404 && id !== undefined) this.#end(id, session);
      this.#nameless.delete(session);
    });
    if (message.kind === 'request') {
      if (session.request(message, body, request.headersDistinct, answer)) return undefined;
      const text = 'The message was refused and not forwarded: a request with this id is not answered yet.';
      return { status: 400, code: INVALID_REQUEST, idText: message.idText, message: text };
    }
    if (!session.tell(message.raw, body, request.headersDistinct, answer)) answer.whole(202, {}, Buffer.alloc(0));
    return undefined;
  }

  async #get(request: IncomingMessage, response: ServerResponse): Promise<Refused | undefined> {
    const twice = twiceGiven(request);
    if (twice !== undefined) return twice;
    if (this.#deps.draining()) return busy('The server is going down.');
    const id = headerOf(request, 'mcp-session-id');
    const session = this.#sessionOf(id);
    if (session === undefined) return busy('There are as many sessions as this server takes.');
    const stream = new AbortController();
    this.#listening.add(stream);
    response.once('close', () => stream.abort());
    try {
      const status = await session.listen(request.headersDistinct, new PassAnswer(response), stream.signal);
      if (status === 404 && id !== undefined) this.#end(id, session);
      return undefined;
    } catch {
      if (!response.headersSent && !stream.signal.aborted)
        return { status: 502, message: 'The MCP server behind this one did not answer.' };
      response.end();
      return undefined;
    } finally {
      this.#listening.delete(stream);
      this.#nameless.delete(session);
    }
  }

  async #delete(request: IncomingMessage, response: ServerResponse): Promise<Refused | undefined> {
    const twice = twiceGiven(request);
    if (twice !== undefined) return twice;
    const { http } = this.#deps;
    const id = headerOf(request, 'mcp-session-id');
    const session = id === undefined ? undefined : this.#sessions.get(id);
    try {
      const answer = await http.delete(headersUp(request.headersDistinct, http.ownHeaders));
      const body = await whole(answer);
      const { status } = answer;
      if (id !== undefined && session !== undefined && status < 300) this.#end(id, session);
      new PassAnswer(response).whole(statusDown(status), headersDown(answer.headers), body);
      return undefined;
    } catch {
      return { status: 502, message: 'The MCP server behind this one did not answer.' };
    }
  }

  /** The one of that id, which may be older than this process; without an id one for this request alone, until it gets one. */
  #sessionOf(id: string | undefined): PassSession | undefined {
    const known = id === undefined ? undefined : this.#sessions.get(id);
    if (known !== undefined) return known;
    if (this.#sessions.size + this.#nameless.size >= this.#deps.maxSessions) return undefined;
    const session = this.#begin(false);
    if (id !== undefined) this.#sessions.set(id, session);
    else this.#nameless.add(session);
    session.onSessionId = (given) => {
      if (!this.#sessions.has(given)) this.#sessions.set(given, session);
      this.#nameless.delete(session);
    };
    return session;
  }

  #stateless(): PassSession {
    this.#shared ??= this.#begin(true);
    return this.#shared;
  }

  #begin(stateless: boolean): PassSession {
    const { log, http, session } = this.#deps;
    return new PassSession({ log, http, stateless, ...session() });
  }

  #end(id: string, session: PassSession): void {
    if (this.#sessions.get(id) === session) this.#sessions.delete(id);
    void session.close(ENDED);
  }

  #endIdle(): void {
    const now = Date.now();
    for (const [id, session] of [...this.#sessions]) {
      if (session.idleFor(now) >= this.#deps.idleMs) this.#end(id, session);
    }
  }

  #all(): PassSession[] {
    return [...this.#sessions.values(), ...this.#nameless, ...(this.#shared === undefined ? [] : [this.#shared])];
  }
}

function isStatelessMessage({ message }: Incoming, request: IncomingMessage): boolean {
  if (message.kind !== 'response' && statelessVersion(message) !== undefined) return true;
  const version = headerOf(request, 'mcp-protocol-version');
  return version !== undefined && isStateless(version) && request.headers['mcp-session-id'] === undefined;
}

function statelessProblem({ message }: Incoming, request: IncomingMessage): Refused | undefined {
  if (message.kind === 'response')
    return { status: 400, code: INVALID_REQUEST, message: 'A stateless client has no requests to answer.' };
  if (message.kind === 'notification') return undefined;
  const { idText } = message;
  const mismatch = headerMismatch((name) => headerOf(request, name), message);
  if (mismatch !== undefined)
    return { status: 400, code: HEADER_MISMATCH, idText, message: `${mismatch}. The request was not forwarded.` };
  if (message.method !== 'initialize') return undefined;
  return { status: 404, code: METHOD_NOT_FOUND, idText, message: 'This revision has no initialize.' };
}

/** A request of a session needs no such headers; where it has them, the server behind may go by them. */
function mirroredProblem({ message }: Incoming, request: IncomingMessage): Refused | undefined {
  if (message.kind !== 'request') return undefined;
  const mismatch = givenMismatch((name) => headerOf(request, name), message);
  if (mismatch === undefined) return undefined;
  const { idText } = message;
  return { status: 400, code: HEADER_MISMATCH, idText, message: `${mismatch}. The request was not forwarded.` };
}

/** A header that decides where a message goes must say one thing. */
function twiceGiven(request: IncomingMessage): Refused | undefined {
  const names = ['mcp-session-id', 'mcp-protocol-version', 'last-event-id', 'mcp-method', 'mcp-name'];
  const twice = names.find((name) => (request.headersDistinct[name]?.length ?? 0) > 1);
  return twice === undefined ? undefined : { status: 400, message: `The header ${twice} was given twice.` };
}
