import type { IncomingMessage, ServerResponse } from 'node:http';
import { delay } from '../child-group.js';
import { INVALID_REQUEST, METHOD_NOT_FOUND } from '../relay-messages.js';
import { record } from '../relay-peers.js';
import { whole } from './http-answer.js';
import { busy, headerOf, type Incoming, type Room, readMessage } from './incoming.js';
import { givenMismatch, HEADER_MISMATCH, headerMismatch, isStateless, statelessVersion } from './mirrored.js';
import { onlyCompared, paramMismatch, withoutParams } from './param-check.js';
import { PassAnswer } from './pass-answer.js';
import type { Heads } from './pass-book.js';
import { originOf } from './pass-login.js';
import type { PassSession } from './pass-session.js';
import { PassSessions, type PassSessionsDeps } from './pass-sessions.js';
import { closing, type Refused, refuse } from './reply.js';
import type { Service } from './service.js';

export interface PassEndpointDeps extends PassSessionsDeps, Room {
  readonly draining: () => boolean;
}

/** `/mcp` in front of a server that speaks Streamable HTTP itself: sessions, ids and streams are that server's own. */
export class PassEndpoint implements Service {
  readonly #deps: PassEndpointDeps;
  readonly #sessions: PassSessions;
  readonly #listening = new Map<AbortController, () => boolean>();

  constructor(deps: PassEndpointDeps) {
    this.#deps = deps;
    this.#sessions = new PassSessions(deps);
  }

  get size(): number {
    return this.#sessions.size;
  }

  get pending(): number {
    return this.#sessions.all().reduce((sum, { pending }) => sum + pending, 0);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refused = await this.#refusal(request, response);
    if (refused !== undefined) refuse(request, response, refused);
  }

  /** Without a login there is nothing to say. */
  async discover(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { login } = this.#deps.up;
    if (login === undefined) refuse(request, response, { status: 404, message: 'Only /mcp is served here.' });
    else await login.discover(request, response, originOf(request));
  }

  endListening(): void {
    for (const [stream, isNeeded] of this.#listening) if (!isNeeded()) stream.abort();
  }

  async settled(): Promise<void> {
    while (this.pending > 0) await delay(20);
  }

  async endAll(): Promise<void> {
    await this.#sessions.endAll();
    await this.#deps.up.destroy();
  }

  #refusal(request: IncomingMessage, response: ServerResponse): Promise<Refused | undefined> {
    if (request.method === 'POST') return this.#post(request, response);
    if (request.method === 'GET') return this.#get(request, response);
    if (request.method === 'DELETE') return this.#delete(request, response);
    return Promise.resolve({ status: 405, message: 'Method not allowed.', headers: { allow: 'POST, GET, DELETE' } });
  }

  async #post(request: IncomingMessage, response: ServerResponse): Promise<Refused | undefined> {
    const incoming = await readMessage(request, this.#deps);
    if (incoming === undefined || 'status' in incoming) return incoming;
    const refused = await this.#take(incoming, request, response);
    if (refused !== undefined) incoming.release();
    return refused;
  }

  async #take(incoming: Incoming, request: IncomingMessage, response: ServerResponse): Promise<Refused | undefined> {
    const { message } = incoming;
    const asked = message.kind === 'request' ? message : undefined;
    if (this.#deps.draining() && asked !== undefined) return busy('The server is going down.', asked);
    const twice = twiceGiven(request);
    if (twice !== undefined) return { ...twice, idText: asked?.idText };
    const stateless = isStatelessMessage(incoming, request);
    const wrong = stateless ? statelessProblem(incoming, request) : mirroredProblem(incoming, request);
    if (wrong !== undefined) return wrong;
    const id = stateless ? undefined : headerOf(request, 'mcp-session-id');
    const session = stateless ? this.#sessions.stateless() : this.#sessionFor(id, asked?.method);
    if (session === undefined) return busy('There are as many sessions as this server takes.', asked);
    const compared = await comparedHeads(session, stateless, incoming, response);
    if ('status' in compared) return compared;
    if (!response.destroyed) return this.#forward(session, id, incoming, compared.heads, response);
    incoming.release();
    this.#sessions.release(session);
    return undefined;
  }

  #forward(
    session: PassSession,
    id: string | undefined,
    { message, body, release }: Incoming,
    heads: Heads,
    response: ServerResponse,
  ): Refused | undefined {
    const answer = new PassAnswer(response, originOf(response.req));
    const given = { body, heads, over: release };
    response.once('close', () => {
      if (message.kind === 'request' && !response.writableFinished) session.left(message);
      if (response.statusCode === 404 && id !== undefined) this.#sessions.end(id);
      this.#sessions.release(session);
    });
    if (message.kind === 'request') {
      if (session.request(message, given, answer)) return undefined;
      const text = 'The message was refused and not forwarded: a request with this id is not answered yet.';
      return { status: 400, code: INVALID_REQUEST, idText: message.idText, message: text };
    }
    if (!session.tell(message, given, answer)) answer.whole(202, {}, Buffer.alloc(0));
    return undefined;
  }

  async #get(request: IncomingMessage, response: ServerResponse): Promise<Refused | undefined> {
    const twice = twiceGiven(request);
    if (twice !== undefined) return twice;
    if (this.#deps.draining()) return busy('The server is going down.');
    const id = headerOf(request, 'mcp-session-id');
    const session = id === undefined ? this.#sessions.nameless() : this.#sessions.of(id);
    if (session === undefined) return busy('There are as many sessions as this server takes.');
    const stream = new AbortController();
    const answer = new PassAnswer(response, originOf(request));
    const isNeeded = () => session.readsOn(answer);
    this.#listening.set(stream, isNeeded);
    response.once('close', () => {
      if (!isNeeded()) stream.abort();
    });
    try {
      const status = await session.listen(withoutParams(request.headersDistinct), answer, stream);
      if (status === 404 && id !== undefined) this.#sessions.end(id);
      return undefined;
    } catch {
      if (!response.headersSent && !stream.signal.aborted)
        return { status: 502, message: 'The MCP server behind this one did not answer.' };
      response.end();
      return undefined;
    } finally {
      this.#listening.delete(stream);
      this.#sessions.release(session);
    }
  }

  async #delete(request: IncomingMessage, response: ServerResponse): Promise<Refused | undefined> {
    const twice = twiceGiven(request);
    if (twice !== undefined) return twice;
    const { up } = this.#deps;
    const id = headerOf(request, 'mcp-session-id');
    try {
      const answer = await up.delete(request.headersDistinct);
      const body = await whole(answer);
      if (id !== undefined && answer.status < 300) this.#sessions.end(id);
      const origin = originOf(request);
      const { status, headers } = up.head(answer, origin);
      new PassAnswer(response, origin).whole(status, headers, body);
      return undefined;
    } catch {
      return { status: 502, message: 'The MCP server behind this one did not answer.' };
    }
  }

  /** Only the answer to initialize can give a session its id. */
  #sessionFor(id: string | undefined, method: string | undefined): PassSession | undefined {
    if (id !== undefined) return this.#sessions.of(id);
    return method === 'initialize' ? this.#sessions.beginning() : this.#sessions.nameless();
  }
}

/** The head that goes up. What repeats arguments goes only where it was compared with them, by the description of the tool. */
async function comparedHeads(
  session: PassSession,
  stateless: boolean,
  { message }: Incoming,
  response: ServerResponse,
): Promise<{ readonly heads: Heads } | Refused> {
  const { headersDistinct } = response.req;
  const heads = withoutParams(headersDistinct);
  if (!stateless || message.kind !== 'request' || message.method !== 'tools/call') return { heads };
  const learning = session.learn(message, heads, { signal: closing(response) });
  if (learning !== undefined) await learning;
  const { name, arguments: args } = record(message.params);
  const schema = session.relay.describe(String(name))?.inputSchema;
  const mismatch = paramMismatch(headersDistinct, args, schema);
  if (mismatch === undefined) return { heads: onlyCompared(headersDistinct, schema) };
  const { idText } = message;
  return { status: 400, code: HEADER_MISMATCH, idText, message: `${mismatch}. The request was not forwarded.` };
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
