import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { closeAll, connect, serve } from './harness.js';
import { event, events, type Received, type Respond, result } from './raw-server.js';

afterEach(closeAll);

/** A server of revision 2024-11-05: everything comes on the stream, whose first event says where to post. */
function older(
  options: { endpoint?: string; status?: number; own?: (request: Received, stream: ServerResponse) => unknown } = {},
): Respond {
  let stream: ServerResponse | undefined;
  const { endpoint = '/messages?session=1', status = 404, own = () => false } = options;
  const posted = (request: Received, to: ServerResponse): void => {
    if (own(request, to) === true) return;
    const { rpc, res } = request;
    res.writeHead(202).end('Accepted');
    if (rpc.id !== undefined) to.write(`event: message\n${event(result(rpc.id, { echo: rpc.method }))}`);
  };
  return (request) => {
    const { method, path, res } = request;
    if (method === 'GET' && path === '/mcp') {
      stream = res;
      events(res, ': hello\n\n', `event: endpoint\ndata: ${endpoint}\n\n`);
    } else if (path.startsWith('/messages') && stream !== undefined) posted(request, stream);
    else res.writeHead(status).end('Cannot POST /mcp');
  };
}

describe('the older transport', () => {
  test.each([
    ['as the config says', 'sse', 404],
    ['where the first request is turned down with 400', 'http', 400],
    ['with 404', 'http', 404],
    ['with 405', 'http', 405],
  ] as const)('is spoken %s', async (_why, transport, status) => {
    const server = await serve(older({ status }));
    const lines = connect(server.url, { transport, headers: { authorization: 'Bearer t' } });
    lines.request('init', 'initialize');
    await lines.answer('init');
    lines.notify('notifications/initialized');
    lines.request(1, 'tools/call', { name: 'x' });
    expect(await lines.answer(1)).toMatchObject({ result: { echo: 'tools/call' } });
    const posts = server.received.filter(({ path }) => path === '/messages?session=1');
    expect(posts.map(({ rpc }) => rpc.method)).toEqual(['initialize', 'notifications/initialized', 'tools/call']);
    expect(posts.every(({ headers }) => headers.authorization === 'Bearer t')).toBe(true);
    expect(server.gets()).toHaveLength(1);
  });

  test('is found by a probe for the newest one too, and the probe is answered', async () => {
    const server = await serve(
      older({
        own: ({ rpc, res }, stream) => {
          if (rpc.method !== 'server/discover') return false;
          res.writeHead(202).end();
          stream.write(event({ jsonrpc: '2.0', id: rpc.id, error: { code: -32601, message: 'no' } }));
          return true;
        },
      }),
    );
    const lines = connect(server.url);
    lines.request(1, 'server/discover', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } });
    expect((await lines.answer(1)).error?.code).toBe(-32601);
    lines.request(2, 'initialize');
    expect(await lines.answer(2)).toMatchObject({ result: { echo: 'initialize' } });
  });

  test('is not tried with a call: that is never sent twice', async () => {
    const server = await serve(older());
    const lines = connect(server.url);
    lines.request(1, 'tools/call', { name: 'x', _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } });
    expect((await lines.answer(1)).error?.message).toMatch(/HTTP 404/);
    expect(server.received).toHaveLength(1);
  });

  test('is not spoken where the server has no stream either: the first status is told', async () => {
    const server = await serve(({ res }) => res.writeHead(404).end());
    const lines = connect(server.url);
    lines.request(1, 'initialize');
    expect((await lines.answer(1)).error?.message).toMatch(/refused the request \(HTTP 404\)/);
    expect(server.received.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  test('does not post to another host', async () => {
    const other = await serve(older());
    const server = await serve(older({ endpoint: `http://127.0.0.1:${other.port}/messages` }));
    const lines = connect(server.url, { transport: 'sse', headers: { authorization: 'Bearer secret' } });
    lines.request(1, 'initialize');
    expect(await lines.gaveUp(1)).toMatchObject({
      sent: false,
      why: expect.stringMatching(/endpoint on another host/),
    });
    expect(other.received).toEqual([]);
  });

  test('ends with its stream, and what was sent has no answer', async () => {
    const server = await serve(
      older({
        own: ({ rpc, res }, stream) => {
          if (rpc.method !== 'tools/call') return false;
          res.writeHead(202).end();
          setTimeout(() => stream.destroy(), 20);
          return true;
        },
      }),
    );
    const lines = connect(server.url, { transport: 'sse' });
    lines.request('init', 'initialize');
    await lines.answer('init');
    lines.request(1, 'tools/call', { name: 'x' });
    expect(await lines.end.exit).toMatchObject({ code: 1, why: expect.stringMatching(/ended the stream/) });
    expect(server.of('tools/call')).toHaveLength(1);
  });

  test('a refused message is an error of its request', async () => {
    const server = await serve(
      older({
        own: ({ rpc, res }) => {
          if (rpc.method !== 'tools/call') return false;
          res.writeHead(403).end();
          return true;
        },
      }),
    );
    const lines = connect(server.url, { transport: 'sse' });
    lines.request('init', 'initialize');
    await lines.answer('init');
    lines.request(1, 'tools/call', { name: 'x' });
    expect((await lines.answer(1)).error?.message).toMatch(/HTTP 403/);
    expect(await lines.end.stop()).toEqual({ code: 0, signal: null });
  });
});
