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

/** The request listener of one appliance. */
export function listener(appliance: Appliance, auth: Auth, log: (entry: LoggedRequest) => void) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    serve(appliance, auth, log, request, response).catch(() => response.destroy());
  };
}

async function serve(
  appliance: Appliance,
  auth: Auth,
  log: (entry: LoggedRequest) => void,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const method = request.method ?? 'GET';
  const target = new URL(request.url ?? '/', 'https://simulated');
  const text = await readBody(request);
  const entry: LoggedRequest = {
    at: appliance.world.clock.now(),
    method,
    path: target.pathname + target.search,
    status: 0,
    ...shown(target.pathname, text),
  };
  log(entry);
  const fault = appliance.faults.take('endpoint', `${method} ${target.pathname}`.toLowerCase());
  if (fault?.kind === 'slow') await pause(appliance, fault.ms);
  const reply = faulty(fault) ?? answer(appliance, auth, { request, target, text, method });
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

interface Incoming {
  readonly request: IncomingMessage;
  readonly target: URL;
  readonly text: string;
  readonly method: string;
}

function answer(appliance: Appliance, auth: Auth, incoming: Incoming): Reply {
  const { target, request, text, method } = incoming;
  const realm = TOKEN_PATH.exec(target.pathname)?.[1];
  if (realm !== undefined) return login(auth, realm, request, text, method);
  if (!/^\/v1\//i.test(target.pathname)) return { kind: 'empty', status: 404 };
  const found = route(method, target.pathname);
  if (found.kind === 'unknown') return no(404, 'The resource was not found.');
  const user = auth.check(request.headers.authorization);
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

function login(auth: Auth, realm: string, request: IncomingMessage, text: string, method: string): Reply {
  if (realm !== 'zerto')
    return { kind: 'text', text: '{"error":"Realm does not exist"}', contentType: 'application/json', status: 404 };
  if (method !== 'POST') return { kind: 'empty', status: 405 };
  const { status, value } = auth.login(request.headers['content-type'] ?? '', text);
  return { kind: 'text', text: JSON.stringify(value), contentType: 'application/json', status };
}

function queryOf(target: URL): Exchange['query'] {
  const values = new Map([...target.searchParams].map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => values.get(name.toLowerCase());
}
