import { X509Certificate } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';
import type { ZvmLogin } from '../../src/zerto/auth.js';
import { ZvmClient, type ZvmClientOptions } from '../../src/zerto/client.js';
import type { Clock } from '../../src/zerto/clock.js';

/** What a test's ZVM got. */
export interface Got {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A value is answered as JSON; a function may answer anything. */
export type Route = unknown | ((got: Got, response: ServerResponse) => void);

export interface FakeZvm {
  readonly url: string;
  readonly certificate: string;
  readonly fingerprint256: string;
  readonly got: Got[];
  /** Keys: method, space and path without query. */
  readonly routes: Map<string, Route>;
  close(): Promise<void>;
}

/** An HTTPS server on the loopback with a certificate of its own, and a login that gives `token-1`, `token-2` … */
export async function fakeZvm(names: readonly string[] = ['localhost', '127.0.0.1']): Promise<FakeZvm> {
  const made = await generate([{ name: 'commonName', value: 'fake' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      {
        name: 'subjectAltName',
        altNames: names.map((name) => (/^[\d.]+$/.test(name) ? { type: 7, ip: name } : { type: 2, value: name })),
      },
    ],
  });
  const got: Got[] = [];
  const routes = new Map<string, Route>();
  let logins = 0;
  const tokenRoute = 'POST /auth/realms/zerto/protocol/openid-connect/token';
  routes.set(tokenRoute, (_got: Got, response: ServerResponse) => {
    logins += 1;
    json(response, 200, { access_token: `token-${logins}`, expires_in: 60, token_type: 'Bearer' });
  });
  const server = createServer({ key: made.private, cert: made.cert }, (request, response) => {
    void readBody(request).then((body) => {
      const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      got.push(one);
      const key = `${one.method} ${one.url.split('?')[0]}`;
      if (!routes.has(key)) return json(response, 404, { Message: `no ${key}` });
      const route = routes.get(key);
      if (typeof route === 'function') route(one, response);
      else json(response, 200, route);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    certificate: made.cert,
    fingerprint256: new X509Certificate(made.cert).fingerprint256,
    got,
    routes,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

export const LOGIN: ZvmLogin = {
  grant: 'password',
  clientId: 'zerto-client',
  username: 'rewind',
  password: async () => 's3cret&=+',
};

/** A client for a fake, pinned to its certificate unless told otherwise. */
export function clientOf(zvm: FakeZvm, options: Partial<ZvmClientOptions> = {}): ZvmClient {
  return new ZvmClient({
    site: 'site-a',
    url: zvm.url,
    login: LOGIN,
    tls: { kind: 'fingerprint', fingerprint256: zvm.fingerprint256 },
    ...options,
  });
}

/** A clock that only `sleep` and `pass` move. */
export interface ManualClock extends Clock {
  pass(ms: number): void;
  readonly slept: number[];
}

export function manualClock(start = Date.parse('2026-11-30T00:00:00Z')): ManualClock {
  let now = start;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    pass(ms) {
      now += ms;
    },
    async sleep(ms, signal) {
      signal.throwIfAborted();
      slept.push(ms);
      now += ms;
    },
  };
}

export const never = new AbortController().signal;
