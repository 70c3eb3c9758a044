import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { verifies } from './requirements.js';

/** An MCP server that wants a bearer token, and the authorization server that gives it, on one origin. */
class Guarded {
  readonly tokens = new Set<string>();
  /** What came to the MCP endpoint. */
  readonly asked: { readonly method: string; readonly authorization: string | undefined }[] = [];
  readonly #codes = new Set<string>();
  readonly #transports = new Map<string, StreamableHTTPServerTransport>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => void this.#handle(request, response));
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.origin);
    const json = (value: object, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    switch (pathname) {
      case '/deep/mcp':
        return this.#mcp(request, response);
      case '/.well-known/custom-metadata':
        json({ resource: `${this.origin}/deep/mcp`, authorization_servers: [this.origin], 'x-kept': 1 });
        return;
      case '/.well-known/oauth-authorization-server':
        json({
          issuer: this.origin,
          authorization_endpoint: `${this.origin}/authorize`,
          token_endpoint: `${this.origin}/token`,
          registration_endpoint: `${this.origin}/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
        });
        return;
      case '/register':
        json({ ...(await bodyOf(request)), client_id: 'the-client' }, 201);
        return;
      case '/authorize': {
        const code = randomUUID();
        this.#codes.add(code);
        const back = new URL(searchParams.get('redirect_uri') ?? '');
        back.searchParams.set('code', code);
        response.writeHead(302, { location: back.href }).end();
        return;
      }
      case '/token': {
        const { code } = await bodyOf(request);
        if (!this.#codes.delete(String(code))) return void json({ error: 'invalid_grant' }, 400);
        const token = randomUUID();
        this.tokens.add(token);
        json({ access_token: token, token_type: 'Bearer', expires_in: 3600 });
        return;
      }
      default:
        response.writeHead(404).end();
    }
  }

  async #mcp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization } = request.headers;
    this.asked.push({ method: request.method ?? '', authorization });
    if (!this.tokens.has(authorization?.replace('Bearer ', '') ?? '')) {
      const challenge = `Bearer error="invalid_token", resource_metadata="${this.origin}/.well-known/custom-metadata"`;
      response.writeHead(401, { 'www-authenticate': challenge, 'content-type': 'text/plain' }).end('log in first');
      return;
    }
    const id = request.headers['mcp-session-id'];
    let transport = typeof id === 'string' ? this.#transports.get(id) : undefined;
    if (transport === undefined) {
      const made = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (session) => void this.#transports.set(session, made),
      });
      const server = new McpServer({ name: 'guarded', version: '1' });
      server.registerTool('uptime', { description: 'x' }, () => ({ content: [{ type: 'text', text: 'up' }] }));
      await server.connect(made as Parameters<McpServer['connect']>[0]);
      transport = made;
    }
    await transport.handleRequest(request, response);
  }
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text.startsWith('{') ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
}

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
let guarded: Guarded;
const open: ServeProcess[] = [];

beforeAll(async () => {
  guarded = new Guarded();
  await guarded.start();
});
afterAll(async () => {
  await Promise.all(open.map((serve) => serve.close()));
  guarded?.close();
});

async function start(options: readonly string[], entry: object = {}): Promise<ServeProcess> {
  const serve = await startServe({
    config: { mode: 'observe', mcpServers: { far: { url: `${guarded.origin}/deep/mcp`, ...entry } } },
    options,
  });
  open.push(serve);
  return serve;
}

describe('a server that wants an OAuth login', () => {
  test(`${verifies('F-2')} gets that of the client where the proxy asks for none: it finds out where, logs in, and calls`, async () => {
    const serve = await start(['--no-token']);
    let place = new URL('http://localhost/none');
    let tokens: { access_token: string; token_type: string } | undefined;
    let information: { client_id: string; redirect_uris: string[] } | undefined;
    let verifier = '';
    const authProvider = {
      redirectUrl: 'http://localhost:1/callback',
      clientMetadata: { redirect_uris: ['http://localhost:1/callback'], client_name: 'test' },
      clientInformation: () => information,
      saveClientInformation: (given: { client_id: string }) => {
        information = { redirect_uris: [], ...given };
      },
      tokens: () => tokens,
      saveTokens: (given: { access_token: string; token_type: string }) => {
        tokens = given;
      },
      redirectToAuthorization: (url: URL) => {
        place = url;
      },
      saveCodeVerifier: (given: string) => {
        verifier = given;
      },
      codeVerifier: () => verifier,
    };
    const transport = () => new StreamableHTTPClientTransport(serve.url, { authProvider });
    const first = transport();
    const client = new Client({ name: 'logs-in', version: '1' });
    await expect(client.connect(first)).rejects.toThrow(UnauthorizedError);
    expect(place.origin).toBe(guarded.origin);
    const granted = await fetch(place, { redirect: 'manual' });
    await first.finishAuth(new URL(granted.headers.get('location') ?? '').searchParams.get('code') ?? '');
    const second = new Client({ name: 'logs-in', version: '1' });
    await second.connect(transport());
    expect((await second.callTool({ name: 'uptime', arguments: {} })).content).toEqual([{ type: 'text', text: 'up' }]);
    await second.close();
    const [token = ''] = guarded.tokens;
    expect(serve.stderr()).not.toContain(token);
    expect(JSON.stringify(await serve.audit())).not.toContain(token);
  });

  test(`${verifies('F-2')} is asked about its logins at its own places alone, in the words that its clients compare`, async () => {
    const serve = await start(['--no-token']);
    const unknown = await serve.send('GET', {}, {}).then(({ status }) => status);
    expect(unknown).toBe(401);
    const challenge = (await serve.post(PING)).headers.get('www-authenticate') ?? '';
    const metadata = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '';
    expect(metadata).toBe(`${serve.url.origin}/.well-known/oauth-protected-resource/mcp`);
    expect(challenge).toContain('error="invalid_token"');
    for (const place of [metadata, `${serve.url.origin}/.well-known/oauth-protected-resource`]) {
      const said = await (await fetch(place)).json();
      expect(said).toEqual({ resource: serve.url.href, authorization_servers: [guarded.origin], 'x-kept': 1 });
    }
    const secure = await fetch(metadata, { headers: { 'x-forwarded-proto': 'https' } });
    expect(((await secure.json()) as { resource: string }).resource).toBe(`https://${serve.url.host}/mcp`);
    for (const path of ['', '/deep/mcp', '/../token', '?x=y/../../token', '/mcp/..%2f..%2ftoken'])
      expect([200, 404]).toContain(
        (await fetch(`${serve.url.origin}/.well-known/oauth-protected-resource${path}`)).status,
      );
    expect((await fetch(metadata, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${serve.url.origin}/.well-known/oauth-authorization-server`)).status).toBe(404);
  });

  test(`${verifies('F-2')} never gets the proxy's own token, nor that of a client beside the one of the config`, async () => {
    guarded.tokens.add('of-the-client').add('of-the-config');
    const cases = [
      { serve: await start([]), status: 502, sent: undefined },
      {
        serve: await start(['--no-token'], { headers: { Authorization: 'Bearer wrong' } }),
        status: 502,
        sent: 'Bearer wrong',
      },
      {
        serve: await start(['--no-token'], { headers: { Authorization: 'Bearer of-the-config' } }),
        status: 400,
        sent: 'Bearer of-the-config',
      },
      { serve: await start(['--no-token']), status: 400, sent: 'Bearer of-the-client' },
    ];
    for (const { serve, status, sent } of cases) {
      const authorization = serve.token === '' ? 'Bearer of-the-client' : `Bearer ${serve.token}`;
      const answer = await serve.post(PING, { authorization, 'mcp-session-id': randomUUID() });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([status, null]);
      expect(guarded.asked.at(-1)?.authorization).toBe(sent);
      const discovery = await fetch(`${serve.url.origin}/.well-known/oauth-protected-resource`);
      if (sent !== 'Bearer of-the-client') expect(discovery.status).toBe(404);
    }
  });
});
