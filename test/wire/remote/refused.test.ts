import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { exitCode } from '../../../src/wire/child.js';
import { verifies } from '../../e2e/requirements.js';
import { until } from '../process/harness.js';
import { closeAll, connect, serve } from './harness.js';
import { event, events, json, type Received, result, session } from './raw-server.js';

afterEach(closeAll);

/** A session whose calls are answered that way. */
const calls = (answer: (request: Received) => unknown) =>
  session((request) => {
    if (request.rpc.method !== 'tools/call') return false;
    answer(request);
    return true;
  });

async function callOf(answer: (request: Received) => unknown, headers: Record<string, string> = {}) {
  const server = await serve(calls(answer));
  const lines = connect(server.url, { headers });
  await lines.initialize();
  lines.request(9, 'tools/call', { name: 'x' });
  return { server, lines };
}

describe('a refusal by HTTP', () => {
  test.each([
    [400, /refused the request \(HTTP 400\)\. The request was turned down and not carried out/],
    [413, /HTTP 413/],
    [429, /HTTP 429/],
  ])('%i is an error of that request, and the connection goes on', async (status, says) => {
    const { server, lines } = await callOf(({ res }) => res.writeHead(status).end('<html>no</html>'));
    expect((await lines.answer(9)).error).toMatchObject({ code: -32000, message: expect.stringMatching(says) });
    lines.request(10, 'ping');
    expect(await lines.answer(10)).toMatchObject({ result: { echo: 'ping' } });
    expect(server.of('tools/call')).toHaveLength(1);
  });

  test.each([401, 403])('%i names the header to configure, and no value', async (status) => {
    const { lines } = await callOf(({ res }) => res.writeHead(status, { 'www-authenticate': 'Bearer x="y"' }).end(), {
      'X-Api-Key': 'secret-value',
    });
    const message = (await lines.answer(9)).error?.message ?? '';
    expect(message).toMatch(/the header "Authorization" in mcpServers\.far\.headersEnv \(it is sent "x-api-key"\)/);
    expect(message + JSON.stringify(lines.log)).not.toContain('secret-value');
  });

  test.each([500, 502, 504, 408])(
    '%i says nothing of whether it ran: it was sent, and has no answer',
    async (status) => {
      const { lines } = await callOf(({ res }) => res.writeHead(status).end('bad gateway'));
      expect(await lines.gaveUp(9)).toMatchObject({ sent: true, why: expect.stringContaining(`HTTP ${status}`) });
    },
  );

  test('a JSON-RPC error in it passes as it is', async () => {
    const text = '{"jsonrpc":"2.0","id":9,"error":{"code":-32020,"message":"m","data":{"n":1.50}}}';
    const { lines } = await callOf(({ res }) => json(res, text, 400));
    expect(await lines.line('"id":9')).toBe(text);
  });

  test('a JSON-RPC error without an id gets that of the request', async () => {
    const text = '{"jsonrpc":"2.0","error":{"code":-32000,"message":"m", "x":1.0},"id":null}';
    const { lines } = await callOf(({ res }) => json(res, text, 400));
    expect(await lines.line('"id":9')).toBe('{"jsonrpc":"2.0","error":{"code":-32000,"message":"m", "x":1.0},"id":9}');
  });

  test('a notification that is refused is logged, and nothing comes of it', async () => {
    const server = await serve(
      session(({ rpc, res }) => {
        if (rpc.method !== 'notifications/x') return false;
        json(res, { jsonrpc: '2.0', error: { code: -1, message: 'no' }, id: null }, 400);
        return true;
      }),
    );
    const lines = connect(server.url);
    await lines.initialize();
    lines.notify('notifications/x');
    lines.request(1, 'ping');
    await lines.answer(1);
    await expect.poll(() => lines.log.some(({ fields }) => fields['what'] === 'notifications/x')).toBe(true);
    expect(lines.received).toEqual([]);
  });
});

describe('an answer that is none', () => {
  test.each<[string, (request: Received) => unknown, RegExp]>([
    [
      'of another type',
      ({ res }) => res.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
      /without a message/,
    ],
    ['without a body', ({ res }) => res.writeHead(202).end(), /without a message \(HTTP 202\)/],
    ['that is no JSON', ({ res }) => json(res, 'oops'), /a body that is no JSON/],
    ['with a line end in a string', ({ res }) => json(res, '{"jsonrpc":"2.0","id":9,"result":"a\nb"}'), /no JSON/],
    ['that is empty', ({ res }) => json(res, ''), /no JSON/],
    ['to another request', ({ res }) => json(res, result(77)), /no answer to the request/],
    [
      'JSON under the name of a stream',
      ({ res, rpc }) => res.writeHead(200, { 'content-type': 'text/event-stream' }).end(JSON.stringify(result(rpc.id))),
      /ended before the answer/,
    ],
    ['a stream under the name of JSON', ({ res, rpc }) => json(res, event(result(rpc.id))), /no JSON/],
    [
      'cut off',
      ({ res }) => {
        res.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"jsonrpc"');
        setTimeout(() => res.destroy(), 20);
      },
      /broke/,
    ],
  ])('%s: it was sent, and has no answer', async (_name, answer, why) => {
    const { server, lines } = await callOf(answer);
    expect(await lines.gaveUp(9)).toMatchObject({ sent: true, why: expect.stringMatching(why) });
    expect(server.of('tools/call')).toHaveLength(1);
  });
});

describe('an answer in another shape', () => {
  test('JSON over many lines, with a byte order mark', async () => {
    const { lines } = await callOf(({ res, rpc }) =>
      json(res, `\ufeff{\r\n  "jsonrpc": "2.0",\n\t"id": ${rpc.id},\n  "result": {"n": 1.0, "s": "a\\nb"}\r\n}\r\n`),
    );
    expect(await lines.line('"n"')).toBe('{    "jsonrpc": "2.0", \t"id": 9,   "result": {"n": 1.0, "s": "a\\nb"}  }');
  });

  test('a batch answers each of its requests', async () => {
    const { lines } = await callOf(({ res, rpc }) => json(res, `[${JSON.stringify(result(rpc.id))}]`));
    expect(await lines.line('[')).toBe('[{"jsonrpc":"2.0","id":9,"result":{}}]');
    lines.request(10, 'ping');
    await lines.answer(10);
    expect(lines.unanswered).toEqual([]);
  });

  test('an id that the server read as a double', async () => {
    const server = await serve(calls(({ res }) => json(res, '{"jsonrpc":"2.0","id":9007199254740992,"result":{}}')));
    const lines = connect(server.url);
    await lines.initialize();
    lines.send('{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"x"}}');
    expect(await lines.line('9007199254740992')).toContain('"result"');
    expect(lines.unanswered).toEqual([]);
  });

  test('events of other kinds, empty ones and comments are no messages', async () => {
    const { lines } = await callOf(({ res, rpc }) => {
      events(
        res,
        ': ping\n\n',
        'data:\n\n',
        'event: other\ndata: {"a":1}\n\n',
        `event: message\r\ndata: {"jsonrpc":"2.0",\r\n`,
      );
      res.end(`data: "id":${rpc.id},"result":{}}\r\n\r\n`);
    });
    expect(await lines.line('"id":9')).toBe('{"jsonrpc":"2.0", "id":9,"result":{}}');
    expect(lines.received).toEqual([]);
  });
});

describe('a redirect', () => {
  test('on the same origin is followed with the same bytes, and remembered', async () => {
    const server = await serve(
      session(({ path, res }) => {
        if (path === '/mcp/') return false;
        res.writeHead(307, { location: '/mcp/' }).end();
        return true;
      }),
    );
    const lines = connect(server.url);
    await lines.initialize();
    lines.request(1, 'ping');
    await lines.answer(1);
    expect(server.received.map(({ method, path, rpc }) => `${path} ${rpc.method ?? method}`).slice(0, 4)).toEqual([
      '/mcp initialize',
      '/mcp/ initialize',
      '/mcp/ notifications/initialized',
      '/mcp/ GET',
    ]);
  });

  test.each([307, 308, 301, 302])(
    '%i to another origin is an error that names it, and no login goes there',
    async (status) => {
      const other = await serve(session());
      const { lines } = await callOf(
        ({ res }) => res.writeHead(status, { location: `${other.url}?key=secret` }).end(),
        { authorization: 'Bearer secret' },
      );
      const message = (await lines.answer(9)).error?.message ?? '';
      expect(message).toContain(`to "http://127.0.0.1:${other.port}"`);
      expect(message).not.toContain('secret');
      expect(other.received).toEqual([]);
    },
  );

  test('in a circle ends', async () => {
    const { server, lines } = await callOf(({ res }) => res.writeHead(307, { location: '/mcp' }).end());
    expect((await lines.answer(9)).error?.message).toMatch(/HTTP 307/);
    expect(server.of('tools/call')).toHaveLength(4);
  });
});

describe('a server that is not there', () => {
  test('at the start is as a command that cannot be started', async () => {
    const server = await serve(session());
    const { url } = server;
    await server.close();
    const lines = connect(url, { told: false });
    lines.request(1, 'initialize');
    const { error } = await lines.answer(1);
    expect(error?.message).toMatch(
      /"far" at 127\.0\.0\.1:\d+ could not be reached \(ECONNREFUSED\)\. The request was not/,
    );
    const exit = await lines.end.exit;
    expect(exit.spawnError).toBeInstanceOf(Error);
    expect(exitCode(exit)).toBe(127);
  });

  test('later: a call was surely not sent, and the connection goes on', async () => {
    const server = await serve(session());
    const lines = connect(server.url);
    await lines.initialize();
    lines.request(1, 'ping');
    await lines.answer(1);
    await server.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    lines.request(9, 'tools/call', { name: 'x' });
    expect(await lines.gaveUp(9)).toMatchObject({ sent: false, why: expect.stringContaining('ECONNREFUSED') });
    const [ended] = await Promise.race([
      lines.end.exit.then(() => ['ended']),
      new Promise<string[]>((resolve) => setTimeout(() => resolve(['goes on']), 50)),
    ]);
    expect(ended).toBe('goes on');
  });
});

describe('large messages', () => {
  test(`${verifies('T-8')} 64 MiB pass as JSON and as an event, 16 MiB to the server`, async () => {
    const big = 'x'.repeat(64 << 20);
    const server = await serve(
      calls(({ rpc, res, body }) => {
        const text = `{"jsonrpc":"2.0","id":${rpc.id},"result":{"size":${body.length},"big":"${big}"}}`;
        if (rpc.id === 1) json(res, text);
        else events(res, `data: ${text}\n\n`);
        res.end();
      }),
    );
    const lines = connect(server.url);
    await lines.initialize();
    for (const id of [1, 2]) {
      lines.request(id, 'tools/call', { name: 'x', arguments: { big: id === 1 ? '' : big.slice(0, 16 << 20) } });
      const lost = lines.gaveUp(id).then(({ why }) => why);
      const answer = await Promise.race([lines.line(`"id":${id}`), lost]);
      expect(answer.length, answer.slice(0, 200)).toBeGreaterThan(64 << 20);
      if (id === 2) expect(answer.slice(0, 80)).toMatch(/"size":167\d{5}/);
    }
  }, 120_000);

  test(`${verifies('T-8')} a reader that does not read stops the stream at the server`, async () => {
    const block = event({ jsonrpc: '2.0', method: 'notifications/x', params: { x: 'x'.repeat(1 << 20) } });
    let written = 0;
    const flood = async (res: ServerResponse): Promise<void> => {
      for (; written < 64 && !res.destroyed; written += 1) {
        if (!res.write(block)) await until(() => res.destroyed || !res.writableNeedDrain);
      }
    };
    const server = await serve(
      session(async ({ rpc, res }) => {
        if (rpc.method !== 'tools/call') return false;
        events(res);
        await flood(res);
        res.end(event(result(rpc.id)));
        return true;
      }),
    );
    const lines = connect(server.url, { reads: false });
    lines.request('init', 'initialize');
    lines.request(9, 'tools/call', { name: 'x' });
    let before = -1;
    await expect
      .poll(
        () => {
          const still = written > 0 && written === before;
          before = written;
          return still;
        },
        { interval: 300, timeout: 10_000 },
      )
      .toBe(true);
    expect(written).toBeLessThan(32);
    lines.read();
    await lines.answer(9);
    expect(written).toBe(64);
  }, 30_000);
});
