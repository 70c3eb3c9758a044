import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../process/harness.js';
import { closeAll, connect, serve } from './harness.js';
import { event, events, json, result, session } from './raw-server.js';

afterEach(closeAll);

describe('a session', () => {
  test('the very bytes are posted, with the headers of the session, and the answer comes as it was', async () => {
    const server = await serve(
      session(({ rpc, res }) => {
        if (rpc.method !== 'x/odd') return false;
        json(res, '{"result":{"n":9007199254740993, "e":1.0e5},"jsonrpc":"2.0","id":7}');
        return true;
      }),
    );
    const lines = connect(server.url, { headers: { Authorization: 'Bearer t' } });
    await lines.initialize();
    const odd = '{"method":"x/odd" ,"id":7,"params":{"n":1.50,"u":"\\u00fc ü"},"jsonrpc":"2.0"}';
    lines.send(odd);
    expect(await lines.line('"id":7')).toBe('{"result":{"n":9007199254740993, "e":1.0e5},"jsonrpc":"2.0","id":7}');
    const [first] = server.of('initialize');
    const [last] = server.of('x/odd');
    expect(last?.body).toBe(odd);
    expect(first?.headers['mcp-session-id']).toBeUndefined();
    expect(first?.headers['mcp-protocol-version']).toBeUndefined();
    expect(last?.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: 'Bearer t',
      'mcp-session-id': 'session-1',
      'mcp-protocol-version': '2025-11-25',
    });
  });

  test('nothing is sent before initialize was answered, nor before the stream of the server is there', async () => {
    let greet = (): void => undefined;
    let stream = (): void => undefined;
    const server = await serve(
      session(({ method, rpc, res }) => {
        if (method === 'GET') {
          stream = () => events(res, event({ jsonrpc: '2.0', method: 'x/early' }));
          return true;
        }
        if (rpc.method === 'initialize') {
          greet = () => json(res, result(rpc.id, { protocolVersion: '2025-06-18' }), 200, { 'mcp-session-id': 's' });
          return true;
        }
        return false;
      }),
    );
    const lines = connect(server.url);
    lines.request(1, 'initialize');
    lines.notify('notifications/initialized');
    lines.request(2, 'tools/list');
    await until(() => server.received.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(server.received).toHaveLength(1);
    greet();
    await until(() => server.gets().length === 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(server.of('tools/list')).toHaveLength(0);
    stream();
    await lines.line('x/early');
    await lines.line('"id":2');
    expect(server.received.map(({ method, rpc }) => rpc.method ?? method)).toEqual([
      'initialize',
      'notifications/initialized',
      'GET',
      'tools/list',
    ]);
    expect(server.gets()[0]?.headers).toMatchObject({
      accept: 'text/event-stream',
      'mcp-session-id': 's',
      'mcp-protocol-version': '2025-06-18',
    });
  });

  test('an initialize that is answered by a slow stream is waited for to its answer', async () => {
    const server = await serve(
      session(({ rpc, res }) => {
        if (rpc.method !== 'initialize') return false;
        res.setHeader('mcp-session-id', 's');
        res.setHeader('content-type', 'text/event-stream');
        events(res.writeHead(200), ': wait\n\n');
        setTimeout(() => res.end(event(result(rpc.id, { protocolVersion: '2025-06-18' }))), 80);
        return true;
      }),
    );
    const lines = connect(server.url);
    lines.request(1, 'initialize');
    lines.request(2, 'ping');
    await lines.answer(2);
    expect(server.of('ping')[0]?.headers).toMatchObject({
      'mcp-session-id': 's',
      'mcp-protocol-version': '2025-06-18',
    });
  });

  test('requests run side by side and leave in their order', async () => {
    const waiting: (() => void)[] = [];
    const server = await serve(
      session(({ rpc, res }) => {
        if (rpc.method !== 'tools/call') return false;
        waiting.push(() => json(res, result(rpc.id)));
        return true;
      }),
    );
    const lines = connect(server.url);
    await lines.initialize();
    const ids = Array.from({ length: 20 }, (_, index) => index);
    for (const id of ids) lines.request(id, 'tools/call', { name: 'x' });
    await until(() => waiting.length === 20);
    expect(server.of('tools/call').map(({ rpc }) => rpc.id)).toEqual(ids);
    for (const answer of waiting.reverse()) answer();
    for (const id of ids) await lines.answer(id);
  });

  test('what the server asks and tells comes on the stream of the request and on its own, and is answered', async () => {
    const server = await serve(
      session(({ method, rpc, res }) => {
        if (method === 'GET') {
          events(res, event({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }));
          return true;
        }
        if (rpc.method === 'tools/call') {
          events(res, ': hi\n\n', event({ jsonrpc: '2.0', id: 'ask', method: 'elicitation/create', params: {} }));
          void until(() => server.received.some((each) => each.rpc.id === 'ask')).then(() =>
            res.end(event(result(rpc.id, { ok: 1 }))),
          );
          return true;
        }
        return false;
      }),
    );
    const lines = connect(server.url);
    await lines.initialize();
    await lines.line('list_changed');
    lines.request(5, 'tools/call', { name: 'x' });
    await lines.line('elicitation/create');
    lines.send('{"jsonrpc":"2.0","id":"ask","result":{"action":"accept"}}');
    expect(await lines.answer(5)).toMatchObject({ result: { ok: 1 } });
  });

  test('the session is deleted at the end, and a server that does not allow it is no trouble', async () => {
    const server = await serve(
      session(({ method, res }) => {
        if (method !== 'DELETE') return false;
        res.writeHead(405).end();
        return true;
      }),
    );
    const lines = connect(server.url);
    await lines.initialize();
    expect(await lines.end.stop()).toEqual({ code: 0, signal: null });
    expect(server.received.at(-1)).toMatchObject({ method: 'DELETE', headers: { 'mcp-session-id': 'session-1' } });
    expect(lines.log.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  test('nothing is sent before the first line', async () => {
    const server = await serve(session());
    const lines = connect(server.url);
    expect(await lines.end.stop()).toEqual({ code: 0, signal: null });
    expect(server.received).toEqual([]);
  });
});

test('a server that neither answers what was taken back nor ends its streams keeps a bounded number of them', async () => {
  const server = await serve(
    session(({ rpc, res }) => {
      if (rpc.method !== 'x/never') return false;
      events(res, ': open\n\n');
      return true;
    }),
  );
  const lines = connect(server.url);
  await lines.initialize();
  for (let id = 0; id < 33; id += 1) {
    lines.request(id, 'x/never');
    lines.notify('notifications/cancelled', { requestId: id });
  }
  await until(() => server.of('x/never').length === 33 && server.of('x/never')[0]?.closed === true);
  expect(server.of('x/never').filter(({ closed }) => closed)).toHaveLength(1);
  lines.request('after', 'ping');
  await lines.answer('after');
  expect(lines.unanswered).toEqual([]);
});

describe('a stream that breaks', () => {
  const told = (n: number) => ({ jsonrpc: '2.0', method: 'notifications/message', params: { n } });

  test("the server's own is opened again from its last event, after the time that the server says", async () => {
    const server = await serve(
      session(({ method, headers, res }) => {
        if (method !== 'GET') return false;
        if (headers['last-event-id'] === undefined) events(res, 'retry: 10\n', event(told(1), 'e-1'));
        else events(res, event(told(2), 'e-2'));
        if (headers['last-event-id'] === undefined) setTimeout(() => res.destroy(), 30);
        return true;
      }),
    );
    const lines = connect(server.url);
    await lines.initialize();
    await lines.line('"n":1');
    await lines.line('"n":2');
    expect(server.gets().map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'e-1']);
  });

  test('an event with an id and no data is one to go on from', async () => {
    const server = await serve(
      session(({ method, headers, rpc, res }) => {
        if (rpc.method === 'tools/call') events(res, 'id: p-0\nretry: 10\n\n');
        else if (method === 'GET' && headers['last-event-id'] === 'p-0') events(res, event(result(9, { late: true })));
        else return false;
        res.end();
        return true;
      }),
    );
    const lines = connect(server.url);
    await lines.initialize();
    lines.request(9, 'tools/call', { name: 'x' });
    expect(await lines.answer(9)).toMatchObject({ result: { late: true } });
    expect(server.of('tools/call')).toHaveLength(1);
  });

  test("a request's is taken up by a GET, and the request is not sent again", async () => {
    const server = await serve(
      session(({ method, headers, rpc, res }) => {
        if (rpc.method === 'tools/call') {
          events(res, 'id: p-0\nretry: 20\ndata: \n\n', event(told(1), 'p-1'));
          res.end();
          return true;
        }
        if (method === 'GET' && headers['last-event-id'] === 'p-1') {
          events(res, event(told(2), 'p-2'));
          setTimeout(() => res.destroy(), 30);
          return true;
        }
        if (method === 'GET' && headers['last-event-id'] === 'p-2') {
          events(res, event(result(9, { late: true }), 'p-3'));
          res.end();
          return true;
        }
        return false;
      }),
    );
    const lines = connect(server.url);
    await lines.initialize();
    lines.request(9, 'tools/call', { name: 'x' });
    expect(await lines.answer(9)).toMatchObject({ result: { late: true } });
    expect(server.of('tools/call')).toHaveLength(1);
    expect(lines.received.map((line) => JSON.parse(line).params.n)).toEqual([1, 2]);
  });

  test.each([
    ['by its end', (res: { end(): void }) => res.end()],
    ['by its connection', (res: { destroy(): void }) => res.destroy()],
  ])("a request's without ids, %s: it was sent, and has no answer", async (_how, cut) => {
    const server = await serve(
      session(({ rpc, res }) => {
        if (rpc.method !== 'tools/call') return false;
        events(res, event(told(1)));
        setTimeout(() => cut(res), 20);
        return true;
      }),
    );
    const lines = connect(server.url);
    await lines.initialize();
    lines.request(9, 'tools/call', { name: 'x' });
    expect(await lines.gaveUp(9)).toMatchObject({ sent: true, why: expect.stringMatching(/ended before the answer/) });
    lines.request(10, 'ping');
    expect(await lines.answer(10)).toMatchObject({ result: { echo: 'ping' } });
    expect(server.of('tools/call')).toHaveLength(1);
  });

  test('a server that does not know the event any more: it was sent, and has no answer', async () => {
    const server = await serve(
      session(({ method, headers, rpc, res }) => {
        if (rpc.method === 'tools/call') events(res, 'retry: 10\n', event(told(1), 'gone'));
        else if (method !== 'GET' || headers['last-event-id'] === undefined) return false;
        res.headersSent ? res.end() : res.writeHead(400).end();
        return true;
      }),
    );
    const lines = connect(server.url);
    await lines.initialize();
    lines.request(9, 'tools/call', { name: 'x' });
    expect(await lines.gaveUp(9)).toMatchObject({ sent: true });
  });

  test('before any answer: it was sent, and nobody sends it again', async () => {
    const server = await serve(
      session(({ rpc, res }) => {
        if (rpc.method !== 'tools/call') return false;
        res.destroy();
        return true;
      }),
    );
    const lines = connect(server.url);
    await lines.initialize();
    lines.request(9, 'tools/call', { name: 'x' });
    expect(await lines.gaveUp(9)).toMatchObject({ sent: true, why: expect.stringMatching(/connection to .* broke/) });
    expect(server.of('tools/call')).toHaveLength(1);
  });

  test('where nobody asks to be told, an error line says it', async () => {
    const server = await serve(
      session(({ rpc, res }) => {
        if (rpc.method !== 'tools/call') return false;
        res.destroy();
        return true;
      }),
    );
    const lines = connect(server.url, { told: false });
    await lines.initialize();
    lines.request(9, 'tools/call', { name: 'x' });
    expect((await lines.answer(9)).error).toMatchObject({
      code: -32000,
      message: expect.stringMatching(/was sent and/),
    });
  });
});

describe('a session that the server has forgotten', () => {
  test('the request is not sent again, others get errors, and the connection ends with a code', async () => {
    let known = true;
    let late = (): void => undefined;
    const server = await serve(
      session(({ method, rpc, res }) => {
        if (rpc.method === 'slow') {
          late = () => json(res, result(rpc.id, { late: true }));
          return true;
        }
        if (known || method === 'DELETE') return false;
        json(res, { jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null }, 404);
        return true;
      }),
    );
    const lines = connect(server.url);
    await lines.initialize();
    lines.request('slow', 'slow');
    await until(() => server.of('slow').length === 1);
    known = false;
    lines.request(9, 'tools/call', { name: 'x' });
    const { error } = await lines.answer(9);
    expect(error?.message).toMatch(/has forgotten the session \(HTTP 404\).*not carried out/);
    lines.request(10, 'tools/call', { name: 'x' });
    expect(await lines.gaveUp(10)).toMatchObject({ sent: false });
    late();
    expect(await lines.answer('slow')).toMatchObject({ result: { late: true } });
    expect(await lines.end.exit).toMatchObject({ code: 1, why: expect.stringMatching(/forgotten the session/) });
    expect(server.of('tools/call')).toHaveLength(1);
    expect(server.of('initialize')).toHaveLength(1);
  });
});
