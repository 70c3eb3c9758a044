import type { IncomingMessage, ServerResponse } from 'node:http';
import { setMember } from '../edit.js';
import { record } from '../relay-peers.js';
import type { HttpAnswer, RemoteHttp } from '../remote/http.js';
import { whole } from './http-answer.js';
import { type Head, headDown, headersDown } from './pass-headers.js';
import { refuse, sendJson } from './reply.js';

/** Where clients look for what a server says of its logins (RFC 9728): with the path of the resource, or without. */
const DISCOVERY = '/.well-known/oauth-protected-resource';
const OWN_PATH = '/mcp';

/**
 * The login of clients at the upstream itself (OAuth), where the proxy asks for none: their `Authorization` goes up, a 401 comes down with
 * its challenge, and what the upstream says of its logins can be read here. Clients compare what it names as its resource with the
 * address that they use, so the proxy's own stands in its place.
 */
export class PassLogin {
  readonly #http: RemoteHttp;
  /** The place that the upstream's newest challenge named. */
  #metadata: URL | undefined;

  constructor(http: RemoteHttp) {
    this.#http = http;
  }

  /** `origin` is the proxy's own, as the client writes it. */
  head(answer: HttpAnswer, origin: string): Head {
    const challenge = answer.headers['www-authenticate'];
    if (challenge === undefined || (answer.status !== 401 && answer.status !== 403)) return headDown(answer);
    const headers = { ...headersDown(answer.headers), 'www-authenticate': this.#challenge(String(challenge), origin) };
    return { status: answer.status, headers };
  }

  async discover(request: IncomingMessage, response: ServerResponse, origin: string): Promise<void> {
    if (request.method !== 'GET') {
      refuse(request, response, { status: 405, message: 'Method not allowed.', headers: { allow: 'GET' } });
      return;
    }
    try {
      const answer = await this.#read();
      const { status, headers } = headDown(answer);
      const body = this.#asOwn(await whole(answer), origin);
      if (status < 200 || status > 299) refuse(request, response, { status, message: 'The MCP server says nothing.' });
      else sendJson(response, status, body, { 'cache-control': headers['cache-control'] ?? 'no-store' });
    } catch {
      refuse(request, response, { status: 502, message: 'The MCP server behind this one did not answer.' });
    }
  }

  /** Only places of the upstream's own origin are read, and none that a client names. */
  async #read(): Promise<HttpAnswer> {
    const { path } = this.#http;
    const named = this.#metadata ?? this.#http.resolve(`${DISCOVERY}${path === '/' ? '' : path}`);
    const accept = { accept: 'application/json' };
    const answer = await this.#http.get(accept, undefined, named);
    if (answer.status !== 404 || this.#metadata !== undefined) return answer;
    await answer.body.dump();
    return this.#http.get(accept, undefined, this.#http.resolve(DISCOVERY));
  }

  #challenge(challenge: string, origin: string): string {
    return challenge.replace(/\bresource_metadata="([^"]*)"/gi, (whole, place: string) => {
      const metadata = this.#http.resolve(place);
      if (metadata === undefined) return whole;
      this.#metadata = metadata;
      return `resource_metadata="${origin}${DISCOVERY}${OWN_PATH}"`;
    });
  }

  #asOwn(body: Buffer, origin: string): Buffer {
    const { resource } = record(parsed(body));
    if (typeof resource !== 'string' || this.#http.resolve(resource) === undefined) return body;
    return setMember(body, [], 'resource', JSON.stringify(`${origin}${OWN_PATH}`));
  }
}

/** Whether a path is one at which clients look for what the server says of its logins. */
export function isDiscovery(path: string | undefined): boolean {
  return path === DISCOVERY || path === `${DISCOVERY}${OWN_PATH}`;
}

/** The proxy's origin as this client writes it: Host was compared with the proxy's names before. */
export function originOf({ headers, headersDistinct }: IncomingMessage): string {
  const [scheme, another] = headersDistinct['x-forwarded-proto'] ?? [];
  return `${scheme === 'https' && another === undefined ? 'https' : 'http'}://${headers.host ?? ''}`;
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
