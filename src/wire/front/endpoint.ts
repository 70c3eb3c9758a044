import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestMessage } from '../message.js';
import { INVALID_REQUEST, METHOD_NOT_FOUND } from '../relay-messages.js';
import { record } from '../relay-peers.js';
import { versionOf } from '../stateless-request.js';
import { busy, headerOf, type Incoming, type Room, readMessage } from './incoming.js';
import { accepts } from './media.js';
import { HEADER_MISMATCH, headerMismatch, isStateless, statelessVersion } from './mirrored.js';
import { paramMismatch } from './param-check.js';
import { closing, type Refused, refuse } from './reply.js';
import type { Service } from './service.js';
import type { HttpSession } from './session.js';
import type { Sessions } from './sessions.js';

const INVALID_PARAMS = -32602;
const KNOWN_VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

export interface EndpointDeps extends Room {
  readonly sessions: Sessions;
  /** No new work is taken any more; answers to open questions still are. */
  readonly draining: () => boolean;
}

/** `/mcp`, for requests that were let in: each POST is one message, GET the stream of a session, DELETE its end. */
export class Endpoint implements Service {
  readonly #deps: EndpointDeps;

  constructor(deps: EndpointDeps) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#deps.sessions.size;
  }

  get pending(): number {
    return this.#deps.sessions.pending;
  }

  endListening(): void {
    this.#deps.sessions.endListening();
  }

  settled(): Promise<void> {
    return this.#deps.sessions.settled();
  }

  endAll(): Promise<void> {
    return this.#deps.sessions.endAll();
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refused = await this.#refusal(request, response);
    if (refused !== undefined) refuse(request, response, refused);
  }

  #refusal(request: IncomingMessage, response: ServerResponse): Promise<Refused | undefined> {
    switch (request.method) {
      case 'POST':
        return this.#post(request, response);
      case 'GET':
        return Promise.resolve(this.#get(request, response));
      case 'DELETE':
        return this.#delete(request, response);
      default:
        return Promise.resolve({
          status: 405,
          message: 'Method not allowed.',
          headers: { allow: 'POST, GET, DELETE' },
        });
    }
  }

  async #post(request: IncomingMessage, response: ServerResponse): Promise<Refused | undefined> {
    const incoming = await readMessage(request, this.#deps);
    if (incoming === undefined || 'status' in incoming) return incoming;
    const refused = await this.#message(incoming, request, response);
    if (refused !== undefined) incoming.release();
    return refused;
  }

  #message(incoming: Incoming, request: IncomingMessage, response: ServerResponse): Promise<Refused | undefined> {
    const { message } = incoming;
    if (this.#deps.draining() && message.kind === 'request')
      return Promise.resolve(busy('The server is going down.', message));
    const stateless =
      (message.kind !== 'response' && statelessVersion(message) !== undefined) ||
      (isStateless(headerOf(request, 'mcp-protocol-version') ?? KNOWN_VERSIONS[0] ?? '') &&
        request.headers['mcp-session-id'] === undefined);
    if (stateless) return this.#stateless(incoming, request, response);
    return this.#stateful(incoming, request, response);
  }

  async #stateless(
    { message, release }: Incoming,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Refused | undefined> {
    if (message.kind === 'response')
      return { status: 400, code: INVALID_REQUEST, message: 'A stateless client has no requests to answer.' };
    if (message.kind === 'notification') {
      // What it could name is another client's; a client of this revision closes its connection instead.
      if (message.method !== 'notifications/cancelled') this.#deps.sessions.shared().tell(message, release);
      else release();
      accepted(response);
      return undefined;
    }
    const { idText } = message;
    const mismatch = headerMismatch((name) => headerOf(request, name), message);
    if (mismatch !== undefined)
      return { status: 400, code: HEADER_MISMATCH, idText, message: `${mismatch}. The request was not forwarded.` };
    if (versionOf(message) === undefined) {
      const text =
        'Invalid params: _meta names no io.modelcontextprotocol/protocolVersion. The request was not forwarded.';
      return { status: 400, code: INVALID_PARAMS, idText, message: text };
    }
    if (message.method === 'initialize')
      return { status: 404, code: METHOD_NOT_FOUND, idText, message: 'This revision has no initialize.' };
    const differs = message.method === 'tools/call' ? await this.#differs(message, request, response) : undefined;
    if (differs !== undefined)
      return { status: 400, code: HEADER_MISMATCH, idText, message: `${differs}. The request was not forwarded.` };
    if (response.destroyed) release();
    else this.#deps.sessions.shared().request(message, response, release);
    return undefined;
  }

  /** How the headers that repeat arguments differ from these: what the tool wants repeated is in its description. */
  async #differs(
    call: RequestMessage,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<string | undefined> {
    const { relay } = this.#deps.sessions.shared().bridge;
    const learning = relay.learn(call, { signal: closing(response) });
    if (learning !== undefined) await learning;
    const { name, arguments: args } = record(call.params);
    return paramMismatch(request.headersDistinct, args, relay.describe(String(name))?.inputSchema);
  }

  async #stateful(
    { message, release }: Incoming,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Refused | undefined> {
    const idText = message.kind === 'request' ? message.idText : undefined;
    const begins = message.kind === 'request' && message.method === 'initialize';
    if (begins && request.headers['mcp-session-id'] === undefined) return this.#begin(message, response, release);
    const session = this.#session(request);
    if ('status' in session) return { ...session, idText };
    if (message.kind !== 'request') {
      await session.tell(message);
      release();
      accepted(response);
      return undefined;
    }
    if (session.request(message, response, release, headerOf(request, 'mcp-protocol-version'))) return undefined;
    const text = 'The message was refused and not forwarded: a request with this id is not answered yet.';
    return { status: 400, code: INVALID_REQUEST, idText, message: text };
  }

  #begin(message: RequestMessage, response: ServerResponse, release: () => void): Refused | undefined {
    const { sessions } = this.#deps;
    const session = sessions.begin();
    if (session === undefined) return busy('There are as many sessions as this server takes.', message);
    session.request(message, response, release);
    // A hello that was not accepted, or whose answer nobody waited for, leaves no session: the client has no id for one.
    response.once('close', () => {
      const isNameless = !response.headersSent || (!session.established && session.pending === 0);
      if (isNameless) void sessions.end(session);
    });
    return undefined;
  }

  #get(request: IncomingMessage, response: ServerResponse): Refused | undefined {
    if (!accepts(request.headers.accept, ['text/event-stream']))
      return { status: 406, message: 'The answer is text/event-stream: name it in Accept.' };
    const session = this.#session(request);
    if ('status' in session) return session;
    if (this.#deps.draining()) return busy('The server is going down.');
    const lastEventId = headerOf(request, 'last-event-id');
    if (lastEventId !== undefined) {
      if (session.resume(response, lastEventId)) return undefined;
      return { status: 400, message: 'Nothing is known of the event in Last-Event-ID: its stream cannot be resumed.' };
    }
    if (session.listen(response)) return undefined;
    return { status: 409, message: 'This session has a standalone stream already.' };
  }

  async #delete(request: IncomingMessage, response: ServerResponse): Promise<Refused | undefined> {
    const session = this.#session(request);
    if ('status' in session) return session;
    await this.#deps.sessions.end(session);
    response.writeHead(200, { 'content-length': '0' });
    response.end();
    return undefined;
  }

  #session(request: IncomingMessage): HttpSession | Refused {
    const id = headerOf(request, 'mcp-session-id');
    if (id === undefined)
      return { status: 400, message: 'Mcp-Session-Id is missing. Begin with initialize. Nothing was forwarded.' };
    const session = this.#deps.sessions.find(id);
    if (session === undefined)
      return { status: 404, message: 'There is no such session (any more). Begin a new one with initialize.' };
    const version = headerOf(request, 'mcp-protocol-version');
    if (version === undefined || version === session.version || KNOWN_VERSIONS.includes(version)) return session;
    return { status: 400, message: 'Bad Request: MCP-Protocol-Version is none that this session speaks.' };
  }
}

function accepted(response: ServerResponse): void {
  if (response.destroyed) return;
  response.writeHead(202, { 'content-length': '0' });
  response.end();
}
