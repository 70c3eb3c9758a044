import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EndpointFault } from '../faults.js';
import type { Auth } from './auth.js';
import { type Appliance, type Exchange, no, Refusal, type Reply } from './exchange.js';
import { route } from './routes.js';
import { send } from './send.js';

/** A request as it came in, in order of arrival. `status` is 0 until it is answered, and where the connection was cut. No secret is kept. */
export interface LoggedRequest {
  /** World time, ms. */
  readonly at: number;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  status: number;
  readonly body?: unknown;
}

const TOKEN_PATH = /^\/auth\/realms\/([^/]+)\/protocol\/openid-connect\/token\/?$/i;
const MAX_BODY = 8 * 1024 * 1024;

/** A request, read to its end. */
export interface Incoming {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly authorization?: string | undefined;
  readonly contentType?: string | undefined;
  readonly text: string;
}

/** Answers requests of one appliance, whatever brought them; the entry of the log is told the status by whoever sends the reply. */
export type Answering = (incoming: Incoming) => Promise<{ readonly reply: Reply; readonly entry: LoggedRequest }>;

export function answering(appliance: Appliance, auth: Auth, log: (entry: LoggedRequest) => void): Answering {
  return async (incoming) => {
    const target = new URL(incoming.path, 'https://simulated');
    const entry: LoggedRequest = {
      at: appliance.world.clock.now(),
      method: incoming.method,
      path: target.pathname + target.search,
      status: 0,
      ...shown(target.pathname, incoming.text),
    };
    log(entry);
    const fault = appliance.faults.take('endpoint', `${incoming.method} ${target.pathname}`.toLowerCase());
    if (fault?.kind === 'slow') await pause(appliance, fault.ms);
    return { reply: faulty(fault) ?? answer(appliance, auth, incoming, target), entry };
  };
}

/** The request listener of one appliance. */
export function listener(appliance: Appliance, answers: Answering) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    serve(appliance, answers, request, response).catch(() => response.destroy());
  };
}

async function serve(
  appliance: Appliance,
  answers: Answering,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { authorization, 'content-type': contentType } = request.headers;
  const text = await readBody(request);
  const { method = 'GET', url: path = '/' } = request;
  const { reply, entry } = await answers({ method, path, authorization, contentType, text });
  entry.status = send(appliance, response, reply);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new Error('the request is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const PUBLIC_FIELDS = ['grant_type', 'client_id', 'scope'];

/** The body for the log: of a login only what is no secret. */
function shown(path: string, text: string): { body?: unknown } {
  if (text === '') return {};
  if (/^\/auth\//i.test(path)) {
    return {
      body: Object.fromEntries([...new URLSearchParams(text)].filter(([name]) => PUBLIC_FIELDS.includes(name))),
    };
  }
  return { body: parse(text) ?? '(no JSON)' };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function pause({ world }: Appliance, ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    world.clock.setTimer(world.clock.now() + ms, resolve);
  });
}

function faulty(fault: EndpointFault | undefined): Reply | undefined {
  switch (fault?.kind) {
    case 'status':
      return fault.message === undefined ? { kind: 'empty', status: fault.status } : no(fault.status, fault.message);
    case 'unauthorized':
      return UNAUTHORIZED;
    case 'drop':
      return { kind: 'drop' };
    case 'body':
      return { kind: 'text', text: fault.text, contentType: fault.contentType ?? 'application/json' };
    default:
      return undefined;
  }
}

const UNAUTHORIZED: Reply = {
  kind: 'empty',
  status: 401,
  headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
};

function answer(appliance: Appliance, auth: Auth, incoming: Incoming, target: URL): Reply {
  const { text, method } = incoming;
  const realm = TOKEN_PATH.exec(target.pathname)?.[1];
  if (realm !== undefined) return login(auth, realm, incoming);
  if (!/^\/v1\//i.test(target.pathname)) return { kind: 'empty', status: 404 };
  const found = route(method, target.pathname);
  if (found.kind === 'unknown') return no(404, 'The resource was not found.');
  const user = auth.check(incoming.authorization);
  if (user === undefined) return UNAUTHORIZED;
  if (found.kind === 'wrong_method') return no(405, `The requested resource does not support http method '${method}'.`);
  const body = text === '' ? undefined : parse(text);
  if (text !== '' && body === undefined) return no(400, 'The request body is not valid JSON.');
  const exchange: Exchange = {
    ...appliance,
    user,
    now: appliance.world.clock.now(),
    params: found.params,
    query: queryOf(target),
    body,
  };
  try {
    return found.handler(exchange);
  } catch (error) {
    if (error instanceof Refusal) return no(error.status, error.message);
    return no(500, 'An internal error occurred.');
  }
}

function login(auth: Auth, realm: string, { contentType = '', text, method }: Incoming): Reply {
  if (realm !== 'zerto')
    return { kind: 'text', text: '{"error":"Realm does not exist"}', contentType: 'application/json', status: 404 };
  if (method !== 'POST') return { kind: 'empty', status: 405 };
  const { status, value } = auth.login(contentType, text);
  return { kind: 'text', text: JSON.stringify(value), contentType: 'application/json', status };
}

function queryOf(target: URL): Exchange['query'] {
  const values = new Map([...target.searchParams].map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => values.get(name.toLowerCase());
}
