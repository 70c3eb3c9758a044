import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  type CallToolResult,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { receiptOf, sitesOf, textOf } from '../support/proxy-process.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { verifies } from './requirements.js';

const TIMINGS = { gapMs: 2_000, completedMs: 50, stampMs: 20, listedMs: 300 };
let world: World;
let simulator: Simulator;

beforeAll(async () => {
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: [{ name: 'app01' }, { name: 'slow01' }],
    vpgs: [
      { name: 'app', vms: ['app01'], timings: TIMINGS },
      { name: 'slow', vms: ['slow01'], timings: { ...TIMINGS, completedMs: 2_500 } },
    ],
  });
  simulator = await startSimulator({ world });
});
afterAll(async () => {
  await simulator?.close();
  world?.close();
});

interface Asked {
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server behind HTTP under its bare bytes: what it got, and what it answers. */
class Upstream {
  readonly asked: Asked[] = [];
  answer: (asked: Asked, response: ServerResponse) => void = (_asked, response) => response.end();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const asked = {
          method: request.method ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks).toString(),
        };
        this.asked.push(asked);
        this.answer(asked, response);
      });
    });
  }

  async url(): Promise<string> {
    if (!this.#server.listening) await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/deep/mcp?tenant=1`;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

const HEADERS = { 'X-Tenant': 'of-the-config', Authorization: 'Bearer of-the-config' };

function call(id: number, command: string, progressToken?: number): string {
  const meta = progressToken === undefined ? {} : { _meta: { progressToken } };
  const params = { name: 'ssh_execute', arguments: { host: 'app01', command }, ...meta };
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
}

/** Lists one tool, and has an empty answer to all else. */
function answering({ body }: Asked, response: ServerResponse): void {
  const { id, method } = JSON.parse(body) as { id: unknown; method: string };
  const tools = [{ name: 'ssh_execute', inputSchema: { type: 'object' } }];
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'tools/list' ? { tools } : { content: [] } }));
}

async function serveUrl(url: string, options: readonly string[] = []): Promise<ServeProcess> {
  const config = { zvm: sitesOf(['site-a', simulator]), mcpServers: { ssh: { url, headers: HEADERS, family: 'ssh' } } };
  return startServe({ config, options });
}

describe('a server behind HTTP, byte by byte', () => {
  let upstream: Upstream;
  let serve: ServeProcess;

  beforeAll(async () => {
    upstream = new Upstream();
    serve = await serveUrl(await upstream.url());
  });
  afterAll(async () => {
    await serve?.close();
    await upstream?.close();
  });

  const inSession = {
    'mcp-session-id': 'of-the-upstream',
    'mcp-protocol-version': '2025-11-25',
    'mcp-x-vendor': 'kept',
  };

  test(`${verifies('T-1', 'F-2')} request and JSON answer pass as they are, with status and head; the login stays here`, async () => {
    const body =
      '{ "jsonrpc":"2.0",\r\n  "id": 9007199254740993, "method":"x/vendor", "params":{"n":1.0,"big":1e400} }';
    const answered = '{ "result":{"n":1.0e0,\n"y":[1e400]}, "id":9007199254740993,"jsonrpc":"2.0","x":1 }';
    upstream.answer = (_asked, response) => {
      response.writeHead(201, {
        'content-type': 'application/json; charset=utf-8',
        'x-custom': 'back',
        'set-cookie': 'a=b',
      });
      response.end(answered);
    };
    const response = await serve.post(body, { ...inSession, cookie: 'c=d', 'x-tenant': 'of-the-client' });
    expect([response.status, await response.text()]).toEqual([201, answered]);
    expect(response.headers.get('x-custom')).toBe('back');
    expect(response.headers.get('set-cookie')).toBeNull();
    const { headers, body: got } = upstream.asked.at(-1) ?? { headers: {}, body: '' };
    expect(got).toBe(body);
    expect(headers).toMatchObject({
      'x-tenant': 'of-the-config',
      authorization: 'Bearer of-the-config',
      'mcp-session-id': 'of-the-upstream',
      'mcp-x-vendor': 'kept',
      accept: 'application/json, text/event-stream',
    });
    expect(headers.cookie).toBeUndefined();
    expect(headers.host).toBe(new URL(await upstream.url()).host);
    expect(JSON.stringify(upstream.asked)).not.toContain(serve.token);
  });

  test(`${verifies('T-1', 'T-4')} a stream passes frame by frame as it is written; only edited messages differ`, async () => {
    const frames = [
      ': hello\r\n\r\n',
      'retry: 1500\r\nid: e0\r\ndata:\r\n\r\n',
      'event: message\nid: e1\ndata:{"jsonrpc":"2.0","method":"notifications/x","params":{"n":1.0}}\n\n',
      'id: e2\ndata: {"jsonrpc":"2.0",\ndata: "method":"notifications/y"}\n\n',
      'event: other\ndata: not json\n\n',
      'id: e3\ndata: {"jsonrpc":"2.0","id":"s1","method":"sampling/createMessage","params":{}}\n\n',
      'id: e4\nevent: message\ndata: {"jsonrpc":"2.0","id":3,"result":{"tools":[ {"name":"a","inputSchema":{"type":"object"}} ],"n":1.0}}\n\n',
    ];
    let step: () => void = () => undefined;
    upstream.answer = (_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-seen': 'yes' });
      const [first = '', ...rest] = frames;
      response.write(first);
      step = () => {
        const next = rest.shift();
        if (next === undefined) response.end();
        else response.write(next);
      };
    };
    const response = await serve.post('{"jsonrpc":"2.0","id":3,"method":"tools/list"}', inSession);
    expect([response.headers.get('content-type'), response.headers.get('x-seen')]).toEqual([
      'text/event-stream',
      'yes',
    ]);
    const got: string[] = [];
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      got.push(Buffer.from(chunk).toString());
      step();
    }
    expect(got.slice(0, 6)).toEqual(frames.slice(0, 6));
    const last = got.slice(6).join('');
    expect(last).toMatch(
      /^id: e4\nevent: message\ndata: \{"jsonrpc":"2\.0","id":3,"result":\{"tools":\[ \{"name":"a","inputSchema":\{"type":"object"\}\},\{"name":"zerto_/,
    );
    expect(last.endsWith('"n":1.0}}\n\n')).toBe(true);
  });

  test(`${verifies('T-6', 'F-2')} what could be read in two ways, and headers given twice, never go up`, async () => {
    const before = upstream.asked.length;
    const exec = '"method":"tools/call","params":{"name":"ssh_execute","arguments":{"command":"reboot"}}';
    for (const body of [
      `[{"jsonrpc":"2.0","id":1,${exec}}]`,
      `{"jsonrpc":"2.0","id":1,"method":"ping",${exec}}`,
      `{"jsonrpc":"2.0",${exec}}`,
      'x',
    ])
      expect((await serve.post(body, inSession)).status).toBe(400);
    expect(
      (await serve.post(`{"jsonrpc":"2.0","id":1,${exec}}`, { ...inSession, 'content-type': 'text/plain' })).status,
    ).toBe(415);
    expect((await serve.send('GET', { authorization: undefined })).status).toBe(401);
    const modern = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const mismatch = await serve.post(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a', _meta: modern } },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'b' },
    );
    expect([mismatch.status, await mismatch.text()]).toEqual([400, expect.stringContaining('-32020')]);
    const answer = await serve.post({ jsonrpc: '2.0', id: 99, result: {} }, inSession);
    expect(answer.status).toBe(202);
    expect(upstream.asked).toHaveLength(before);
  });

  test(`${verifies('T-1')} errors, an unknown session and DELETE are the upstream's own`, async () => {
    const replies: [number, string][] = [
      [404, '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}'],
      [500, 'oops'],
      [202, ''],
    ];
    for (const [status, text] of replies) {
      upstream.answer = (_asked, response) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(text);
      };
      const response = await serve.post('{"jsonrpc":"2.0","id":4,"method":"ping"}', {
        ...inSession,
        'mcp-session-id': `s${status}`,
      });
      expect([response.status, await response.text()]).toEqual([status, text]);
      const gone = await serve.send('DELETE', { ...inSession, 'mcp-session-id': `d${status}` });
      expect([gone.status, await gone.text()]).toEqual([status, text]);
      const stream = await serve.send('GET', { ...inSession, 'mcp-session-id': `g${status}`, 'last-event-id': 'e7' });
      expect([stream.status, await stream.text()]).toEqual([status, text]);
      expect(upstream.asked.at(-1)?.headers['last-event-id']).toBe('e7');
    }
  });

  test(`${verifies('F-2')} that the upstream wants another login or address is no business of the client`, async () => {
    for (const status of [401, 302]) {
      upstream.answer = (_asked, response) => {
        response.writeHead(status, { 'www-authenticate': 'Bearer realm="up"', location: 'http://evil.example/' });
        response.end();
      };
      const ping = await serve.post('{"jsonrpc":"2.0","id":4,"method":"ping"}', {
        ...inSession,
        'mcp-session-id': 'x',
      });
      const stream = await serve.send('GET', { ...inSession, 'mcp-session-id': 'x' });
      expect([ping.status, stream.status]).toEqual([502, 502]);
      expect(ping.headers.get('www-authenticate')).toBeNull();
    }
  });

  test(`${verifies('G-1', 'T-4')} a change is pinned before it goes up; its answer gains a receipt and nothing else`, async () => {
    upstream.answer = ({ body }, response) => {
      const { id, method } = JSON.parse(body) as { id: unknown; method: string };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (method === 'tools/list')
        return response.end(`data: {"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"tools":[]}}\n\n`);
      const listed = world.vpg('app').journal.some(({ tag }) => tag?.includes('vm=app01'));
      return response.end(
        `id: 9\ndata: {"jsonrpc":"2.0","id":5,"result":{"content":[],"pinned":${listed},"n":1.0}}\n\n`,
      );
    };
    const body =
      '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"ssh_execute","arguments":{"host":"app01","command":"touch /x"}}}';
    const response = await serve.post(body, inSession);
    const text = await response.text();
    expect(text).toMatch(
      /^id: 9\ndata: \{"jsonrpc":"2\.0","id":5,"result":\{"content":\[\],"pinned":true,"n":1\.0,"_meta":\{"zerto-rewind\/receipt":/,
    );
    expect(upstream.asked.filter((asked) => asked.body === body)).toHaveLength(1);
    const [record] = (await serve.audit()).slice(-1);
    expect(record?.outcome?.outcome).toBe('forwarded');
  });

  test(`${verifies('T-1')} a broken upstream gives an error that says whether the call may have run`, async () => {
    upstream.answer = (_asked, response) => response.destroy();
    const broken = await serve.post('{"jsonrpc":"2.0","id":6,"method":"x/y"}', inSession);
    expect(await broken.text()).toMatch(/"id":6,"error":\{"code":-32000,"message":"The MCP server did not answer/);
    upstream.answer = (_asked, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"jsonrpc":"2.0","id":7,"result":{}}');
    };
    expect((await serve.post('{"jsonrpc":"2.0","id":7,"method":"x/y"}', inSession)).status).toBe(200);
  });

  test(`${verifies('T-2', 'G-7')} stateless requests with one id stay apart, and one that is closed is cancelled upstream`, async () => {
    const closed: string[] = [];
    upstream.answer = ({ body }, response) => {
      const { id, params } = JSON.parse(body) as { id: number; params: { say?: string } };
      response.once('close', () => !response.writableFinished && closed.push(params.say ?? ''));
      if (params.say === 'hang') return;
      setTimeout(() => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(`{"jsonrpc":"2.0", "id":${id},"result":{"said":"${params.say}"}}`);
      }, 200);
    };
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const heads = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'x/say' };
    const say = (word: string, init: RequestInit = {}) =>
      serve.post({ jsonrpc: '2.0', id: 0, method: 'x/say', params: { say: word, _meta: meta } }, heads, init);
    const words = ['a', 'b', 'c'];
    const answers = await Promise.all(words.map(async (word) => (await say(word)).text()));
    expect(answers).toEqual(words.map((word) => `{"jsonrpc":"2.0", "id":0,"result":{"said":"${word}"}}`));
    expect(new Set(upstream.asked.slice(-3).map(({ body }) => (JSON.parse(body) as { id: number }).id))).toEqual(
      new Set([0]),
    );
    const stop = new AbortController();
    const hanging = say('hang', { signal: stop.signal });
    hanging.catch(() => undefined);
    await expect.poll(() => upstream.asked.at(-1)?.body.includes('hang')).toBe(true);
    stop.abort();
    await expect.poll(() => closed).toEqual(['hang']);
    expect(await (await say('d')).text()).toContain('"said":"d"');
  });

  test(`${verifies('F-2')} headers that repeat arguments go up only where they agree with the tool's description`, async () => {
    const own = await serveUrl(await upstream.url());
    try {
      const schema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
      upstream.answer = ({ body }, response) => {
        const { id, method } = JSON.parse(body) as { id: unknown; method: string };
        const result = method === 'tools/list' ? { tools: [{ name: 'x', inputSchema: schema }] } : { content: [] };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      };
      const before = upstream.asked.length;
      const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
      const params = { name: 'x', arguments: { region: 'eu' }, _meta };
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const heads = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'x' };
      const mismatch = await own.post(body, { ...heads, 'mcp-param-region': 'us' });
      expect([mismatch.status, await mismatch.text()]).toEqual([400, expect.stringContaining('-32020')]);
      await own.post(body, { ...heads, 'mcp-param-region': 'eu', 'mcp-param-other': 'x' });
      await own.post(call(2, 'uptime'), { ...inSession, 'mcp-session-id': 'params', 'mcp-param-region': 'us' });
      const asked = upstream.asked.slice(before);
      const params_ = asked.map(({ headers }) => Object.keys(headers).filter((name) => name.startsWith('mcp-param')));
      expect(asked.map(({ body: text }) => JSON.parse(text).method)).toEqual([
        'tools/list',
        'tools/list',
        'tools/call',
      ]);
      expect(params_).toEqual([[], [], []]);
    } finally {
      await own.close();
    }
  });

  test(`${verifies('T-4')} a receipt that the server made up passes neither behind a BOM nor in an event without an end`, async () => {
    const forged =
      '{"jsonrpc":"2.0","id":8,"result":{"content":[],"_meta":{"zerto-rewind/receipt":{"permit":"pinned"}}}}';
    for (const stream of [`\ufeffdata: ${forged}\n\n`, `id: 1\ndata: ${forged}\n`, `data: ${forged}`]) {
      upstream.answer = (_asked, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(stream);
      };
      const text = Buffer.from(
        await (await serve.post('{"jsonrpc":"2.0","id":8,"method":"x/y"}', inSession)).arrayBuffer(),
      ).toString();
      expect(text).toContain('"content":[]');
      expect(text).not.toContain('receipt');
    }
  });

  test(`${verifies('G-1')} a session older than the proxy lists the tools before its first call`, async () => {
    const before = upstream.asked.length;
    upstream.answer = answering;
    const old = { ...inSession, 'mcp-session-id': 'older' };
    await serve.post(call(1, 'uptime'), old);
    const asked = upstream.asked.slice(before);
    expect(asked.map(({ body }) => (JSON.parse(body) as { method: string }).method)).toEqual([
      'tools/list',
      'tools/call',
    ]);
    expect(asked[0]?.headers).toMatchObject({ 'mcp-session-id': 'older', 'mcp-protocol-version': '2025-11-25' });
  });

  test(`${verifies('A-1')} the answer of a call whose client left is read to its end, and recorded`, async () => {
    let finish: () => void = () => undefined;
    let closed = false;
    upstream.answer = (asked, response) => {
      if (!asked.body.includes('tools/call')) return answering(asked, response);
      response.once('close', () => {
        closed = !response.writableFinished;
      });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': running\n\n');
      finish = () => response.end(`data: {"jsonrpc":"2.0","id":77,"result":{"content":[],"isError":true}}\n\n`);
    };
    const stop = new AbortController();
    const response = await serve.post(call(77, 'touch /left'), inSession, { signal: stop.signal });
    expect(response.status).toBe(200);
    stop.abort();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(closed).toBe(false);
    finish();
    const last = async () => (await serve.audit()).findLast(({ intent }) => JSON.stringify(intent).includes('/left'));
    await expect.poll(async () => (await last())?.outcome?.outcome, { timeout: 5000 }).toBeDefined();
  });

  test(`${verifies('A-1', 'G-9')} the outcome of a call on a stream that nobody takes up again is recorded when its answer comes; who comes back later gets it with its receipt`, async () => {
    const answered = 'id: e2\ndata: {"jsonrpc":"2.0","id":79,"result":{"content":[]}}\n\n';
    let finish: () => void = () => undefined;
    upstream.answer = (asked, response) => {
      if (asked.method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(asked.headers['last-event-id'] === 'e1' ? answered : '');
        return;
      }
      if (!asked.body.includes('tools/call')) return answering(asked, response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('id: e1\ndata:\n\n');
      finish = () => response.end(answered);
      return undefined;
    };
    const stop = new AbortController();
    const resumable = { ...inSession, 'mcp-session-id': 'resumable' };
    const asked = serve.post(call(79, 'touch /resumable'), resumable, { signal: stop.signal });
    expect((await asked).status).toBe(200);
    stop.abort();
    await new Promise((resolve) => setTimeout(resolve, 200));
    finish();
    const last = async () =>
      (await serve.audit()).findLast(({ intent }) => JSON.stringify(intent).includes('/resumable'));
    await expect.poll(async () => (await last())?.outcome?.outcome, { timeout: 5_000 }).toBe('forwarded');
    const rest = await serve.send('GET', { ...resumable, 'last-event-id': 'e1' });
    expect(await rest.text()).toMatch(/^id: e2\ndata: \{"jsonrpc":"2\.0","id":79,.*"zerto-rewind\/receipt"/);
  });

  test(`${verifies('A-1', 'T-2')} a client that comes back while its call runs has the only connection to its stream, and leaving again loses nothing`, async () => {
    const open: { readonly method: string; closed: boolean; readonly response: ServerResponse }[] = [];
    upstream.answer = (asked, response) => {
      if (asked.method === 'POST' && !asked.body.includes('tools/call')) return answering(asked, response);
      // As the SDK does: a stream that somebody reads is given to nobody else.
      if (open.some(({ closed }) => !closed)) return response.writeHead(409).end();
      const stream = { method: asked.method, closed: false, response };
      open.push(stream);
      response.once('close', () => {
        stream.closed = true;
      });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return response.write(`id: p${open.length}\ndata:\n\n`);
    };
    const heads = { ...inSession, 'mcp-session-id': 'comes-back' };
    const leave = async (asked: (signal: AbortSignal) => Promise<Response>): Promise<void> => {
      const stop = new AbortController();
      const response = await asked(stop.signal);
      expect(response.status).toBe(200);
      await response.body?.getReader().read();
      stop.abort();
      await new Promise((resolve) => setTimeout(resolve, 200));
    };
    await leave((signal) => serve.post(call(80, 'touch /back'), heads, { signal }));
    expect(open.map(({ closed }) => closed)).toEqual([false]);
    await leave((signal) => serve.send('GET', { ...heads, 'last-event-id': 'p1' }, { signal }));
    expect(open.map(({ method, closed }) => [method, closed])).toEqual([
      ['POST', true],
      ['GET', false],
    ]);
    open[1]?.response.end('id: p9\ndata: {"jsonrpc":"2.0","id":80,"result":{"content":[]}}\n\n');
    const last = async () => (await serve.audit()).findLast(({ intent }) => JSON.stringify(intent).includes('/back'));
    await expect.poll(async () => (await last())?.outcome?.outcome, { timeout: 5_000 }).toBe('forwarded');
  });

  test(`${verifies('G-7')} a call that was taken back is not read on once its client left, and no client takes back another's`, async () => {
    const closed: string[] = [];
    upstream.answer = (asked, response) => {
      if (asked.body.includes('notifications/')) return response.writeHead(202).end();
      if (!asked.body.includes('tools/call')) return answering(asked, response);
      response.once('close', () => closed.push(JSON.parse(asked.body).params.arguments.command));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return response.write('id: c1\ndata:\n\n');
    };
    const heads = { ...inSession, 'mcp-session-id': 'takes-back' };
    const stop = new AbortController();
    await serve.post(call(81, 'touch /taken-back'), heads, { signal: stop.signal });
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 81 } };
    expect((await serve.post(cancel, heads)).status).toBe(202);
    expect(closed).toEqual([]);
    stop.abort();
    await expect.poll(() => closed).toEqual(['touch /taken-back']);

    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const stateless = (method: string) => ({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method });
    upstream.answer = answering;
    const body = JSON.parse(call(82, 'touch /others')) as { params: object };
    const held = serve.post(
      { ...body, params: { ...body.params, _meta: meta } },
      { ...stateless('tools/call'), 'mcp-name': 'ssh_execute' },
    );
    const foreign = { ...cancel, params: { requestId: 82, _meta: meta } };
    expect((await serve.post(foreign, stateless('notifications/cancelled'))).status).toBe(202);
    expect(await (await held).text()).toContain('"permit":"pinned"');
    expect(upstream.asked.some(({ body: text }) => text.includes('"requestId":82'))).toBe(false);
  });

  test(`${verifies('A-1')} a session in which an answer is read for a client that left is not ended as idle`, async () => {
    const idle = await serveUrl(await upstream.url(), ['--idle', '1']);
    try {
      let finish: () => void = () => undefined;
      upstream.answer = (asked, response) => {
        if (!asked.body.includes('tools/call')) return answering(asked, response);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': running\n\n');
        finish = () => response.end('data: {"jsonrpc":"2.0","id":78,"result":{"content":[]}}\n\n');
        return undefined;
      };
      const stop = new AbortController();
      await idle.post(call(78, 'touch /idle'), inSession, { signal: stop.signal });
      stop.abort();
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      const last = async () => (await idle.audit()).findLast(({ intent }) => JSON.stringify(intent).includes('/idle'));
      expect((await last())?.outcome).toBeUndefined();
      finish();
      await expect.poll(async () => (await last())?.outcome?.outcome, { timeout: 5_000 }).toBe('forwarded');
    } finally {
      await idle.close();
    }
  });
});

describe('a server behind HTTP that gives no session ids', () => {
  let upstream: Upstream;
  let serve: ServeProcess;

  beforeAll(async () => {
    upstream = new Upstream();
    upstream.answer = answering;
    serve = await serveUrl(await upstream.url(), ['--max-sessions', '2']);
  });
  afterAll(async () => {
    await serve?.close();
    await upstream?.close();
  });

  const version = { 'mcp-protocol-version': '2025-11-25' };

  test(`${verifies('G-1', 'T-2')} its tools are listed once for all; equal ids and tokens of two clients stay apart`, async () => {
    const before = upstream.asked.length;
    const waiting: (() => void)[] = [];
    upstream.answer = (asked, response) => {
      if (!asked.body.includes('tools/call')) return answering(asked, response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const { params } = JSON.parse(asked.body) as { params: { arguments: { command: string } } };
      response.write(
        'data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}\n\n',
      );
      waiting.push(() =>
        response.end(`data: {"jsonrpc":"2.0","id":1,"result":{"content":[],"said":"${params.arguments.command}"}}\n\n`),
      );
      return undefined;
    };
    const bodies = ['uptime', 'hostname'].map((command) => call(1, command, 1));
    const answers = Promise.all(bodies.map(async (body) => (await serve.post(body, version)).text()));
    await expect.poll(() => waiting.length).toBe(2);
    for (const go of waiting.reverse()) go();
    const texts = await answers;
    for (const [index, command] of ['uptime', 'hostname'].entries()) {
      expect(texts[index]).toContain('"progressToken":1,');
      expect(texts[index]).toContain(`"id":1,"result":{"content":[],"said":"${command}"`);
    }
    const asked = upstream.asked.slice(before).map(({ body }) => body);
    expect(asked.filter((body) => body.includes('tools/list'))).toHaveLength(1);
    expect(asked.filter((body) => body.includes('tools/call')).sort()).toEqual([...bodies].sort());
  });

  test(`${verifies('G-6')} a call that was told to come again joins its pin`, async () => {
    upstream.answer = answering;
    const slow = await startServe({
      config: {
        zvm: sitesOf(['site-a', simulator]),
        guard: { answerWithinSeconds: 1 },
        mcpServers: { ssh: { url: await upstream.url(), family: 'ssh' } },
      },
    });
    try {
      const texts: string[] = [];
      for (let id = 1; id <= 8; id += 1) {
        const body = call(id, 'touch /again').replace('app01', 'slow01');
        texts.push(await (await slow.post(body, version)).text());
        if (texts.at(-1)?.includes('"permit":"pinned"')) break;
      }
      expect(texts[0]).toContain('not sent yet');
      expect(texts.at(-1)).toContain('"permit":"pinned"');
      expect(world.vpg('slow').journal.filter(({ tag }) => tag?.includes('vm=slow01'))).toHaveLength(1);
    } finally {
      await slow.close();
    }
  });

  test(`${verifies('G-7')} a call that is cancelled while its tag is awaited never goes up`, async () => {
    upstream.answer = answering;
    const stop = new AbortController();
    const held = serve.post(call(71, 'touch /cancelled').replace('app01', 'slow01'), version, { signal: stop.signal });
    held.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":71}}';
    expect((await serve.post(cancel, version)).status).toBe(202);
    await expect.poll(async () => (await serve.audit()).at(-1)?.outcome?.outcome).toBe('not_sent');
    stop.abort();
    expect(upstream.asked.some(({ body }) => body.includes('/cancelled'))).toBe(false);
  });

  test(`${verifies('T-1')} what the server asks on a stream without a session is answered by those it asked, each by itself`, async () => {
    const before = upstream.asked.length;
    const streams: ServerResponse[] = [];
    upstream.answer = (asked, response) => {
      if (asked.method === 'GET') {
        streams.push(response);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: {"jsonrpc":"2.0","id":0,"method":"sampling/createMessage","params":{}}\n\n');
        return response.write('data: {"jsonrpc":"2.0","id":72,"result":{"_meta":{"zerto-rewind/receipt":{}}}}\n\n');
      }
      return asked.body.includes('"result"') ? response.writeHead(202).end() : answering(asked, response);
    };
    // More than there may be sessions: a stream takes no place of one.
    const answers = await Promise.all([0, 1, 2].map(() => serve.send('GET', version)));
    for (const answer of answers) {
      const reader = answer.body?.getReader();
      let text = '';
      while (!text.includes('"id":72')) text += Buffer.from((await reader?.read())?.value ?? []).toString();
      expect(text).toContain('sampling/createMessage');
      expect(text).not.toContain('receipt');
    }
    for (const n of [0, 1, 2]) {
      const response = await serve.post(`{"jsonrpc":"2.0","id":0,"result":{"n":${n}}}`, version);
      expect(response.status).toBe(202);
    }
    expect((await serve.post('{"jsonrpc":"2.0","id":0,"result":{"n":3}}', version)).status).toBe(202);
    const told = upstream.asked.slice(before).filter(({ body }) => body.includes('"result"'));
    expect(told.map(({ body }) => JSON.parse(body).result.n)).toEqual([0, 1, 2]);
    for (const stream of streams) stream.end();
  });

  test(`${verifies('F-2')} session ids that the upstream does not know take nobody's place`, async () => {
    upstream.answer = (_asked, response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end('{}');
    };
    for (const id of ['a', 'b', 'c', 'd'])
      expect(
        (await serve.post('{"jsonrpc":"2.0","id":1,"method":"ping"}', { ...version, 'mcp-session-id': id })).status,
      ).toBe(400);
    upstream.answer = answering;
    const known = await serve.post('{"jsonrpc":"2.0","id":1,"method":"ping"}', { ...version, 'mcp-session-id': 'e' });
    expect(known.status).toBe(200);
  });
});

describe('a server on the official SDK behind HTTP', () => {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  let http: Server;
  let serve: ServeProcess;

  function mcp(): McpServer {
    const server = new McpServer({ name: 'sdk-http', version: '1' }, { capabilities: { logging: {} } });
    server.registerTool('ssh_execute', { description: 'Runs a command on a host.' }, () => ({
      content: [{ type: 'text', text: 'ran' }],
    }));
    server.registerTool('uptime', { description: 'x' }, async (extra) => {
      const progressToken = extra._meta?.progressToken;
      if (progressToken !== undefined)
        for (const progress of [1, 2])
          await extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress } });
      const sampled = await server.server.createMessage({ messages: [], maxTokens: 1 });
      return { content: [{ type: 'text', text: JSON.stringify(sampled.content) }] };
    });
    return server;
  }

  beforeAll(async () => {
    http = createServer(async (request, response) => {
      const id = request.headers['mcp-session-id'];
      let transport = typeof id === 'string' ? transports.get(id) : undefined;
      if (transport === undefined) {
        const made = new StreamableHTTPServerTransport({
          sessionIdGenerator: () => crypto.randomUUID(),
          onsessioninitialized: (session) => void transports.set(session, made),
        });
        await mcp().connect(made as Parameters<McpServer['connect']>[0]);
        transport = made;
      }
      await transport.handleRequest(request, response);
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    serve = await serveUrl(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
  });
  afterAll(async () => {
    await serve?.close();
    http?.closeAllConnections();
    http?.close();
  });

  test(`${verifies('T-1', 'P-1', 'G-1')} lists, samples, tells progress, asks its human, and pins`, async () => {
    const client = await serve.client('through', { sampling: {}, elicitation: {} });
    const asked: string[] = [];
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      model: 'm',
      role: 'assistant',
      content: { type: 'text', text: 'sampled' },
    }));
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { choice: 'run after the checkpoint' } };
    });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['ssh_execute', 'zerto_check_tool']));
    const run = async (command: string) =>
      (await client.callTool({ name: 'ssh_execute', arguments: { host: 'app01', command } })) as CallToolResult;
    expect(receiptOf(await run('uptime'))).toBeUndefined();
    expect(receiptOf(await run('touch /tmp/through'))).toMatchObject({
      permit: 'pinned',
      agent: 'through',
      vms: [{ name: 'app01' }],
    });
    expect(receiptOf(await run('./deploy.sh'))?.permit).toBe('pinned');
    expect(asked).toHaveLength(1);
    const checked = (await client.callTool({
      name: 'zerto_check_tool',
      arguments: { command: 'reboot', shell: 'bash' },
    })) as CallToolResult;
    expect(textOf(checked)).toContain('mutating');
    await client.close();
  });
});
