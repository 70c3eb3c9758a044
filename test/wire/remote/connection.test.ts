import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect as connectTcp, type Server } from 'node:net';
import { generate } from 'selfsigned';
import { afterEach, describe, expect, test } from 'vitest';
import { startRemote } from '../../../src/wire/remote/start.js';
import { recordingLog } from '../process/harness.js';
import { closeAll, connect, serve } from './harness.js';
import { session } from './raw-server.js';

const listening: Server[] = [];
afterEach(async () => {
  await closeAll();
  for (const server of listening.splice(0)) server.close();
});

async function portOf(server: Server): Promise<number> {
  listening.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

describe('certificates', () => {
  test('one that nobody vouches for is refused before anything is sent, and the text says what to do', async () => {
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }]);
    let asked = 0;
    const port = await portOf(
      createHttps({ cert, key }, (_request, response) => {
        asked += 1;
        response.end();
      }),
    );
    const lines = connect(`https://localhost:${port}/mcp`, {
      told: false,
      headers: { authorization: 'Bearer secret' },
    });
    lines.request(1, 'initialize');
    const { error } = await lines.answer(1);
    expect(error?.message).toMatch(
      /could not be reached \(DEPTH_ZERO_SELF_SIGNED_CERT\).*NODE_EXTRA_CA_CERTS.*not sent/,
    );
    expect(asked).toBe(0);
  });
});

describe('a proxy of the network', () => {
  /** Takes every CONNECT to that port of this machine. */
  async function tunnel(port: number): Promise<{ readonly url: string; readonly asked: string[] }> {
    const asked: string[] = [];
    const proxy = createHttp();
    proxy.on('connect', ({ url = '' }, socket) => {
      asked.push(url);
      const to = connectTcp(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        to.pipe(socket);
        socket.pipe(to);
      });
      for (const end of [to, socket]) end.on('error', () => undefined);
    });
    return { url: `http://127.0.0.1:${await portOf(proxy)}`, asked };
  }

  test('is used as the environment says', async () => {
    const server = await serve(session());
    const proxy = await tunnel(server.port);
    const lines = connect('http://far.invalid/mcp', { env: { HTTP_PROXY: proxy.url } });
    await lines.initialize();
    lines.request(1, 'ping');
    await lines.answer(1);
    expect(new Set(proxy.asked)).toEqual(new Set(['far.invalid:80']));
    expect(lines.log.some(({ message }) => /without encryption/.test(message))).toBe(true);
  });

  test.each([
    ['for this machine', (port: number) => `http://127.0.0.1:${port}/mcp`, {}, 'answer'],
    ['for what NO_PROXY names', () => 'http://far.invalid/mcp', { NO_PROXY: 'far.invalid' }, 'none'],
    ['for the other scheme', () => 'http://far.invalid/mcp', { HTTP_PROXY: undefined, HTTPS_PROXY: 'x' }, 'none'],
  ] as const)('is not used %s', async (_why, urlOf, more, expected) => {
    const server = await serve(session());
    const proxy = await tunnel(server.port);
    const env: Record<string, string | undefined> = { HTTP_PROXY: proxy.url, ...more };
    if (env['HTTPS_PROXY'] === 'x') env['HTTPS_PROXY'] = proxy.url;
    const lines = connect(urlOf(server.port), { env, told: false });
    lines.request(1, 'initialize');
    expect((await lines.answer(1)).error === undefined).toBe(expected === 'answer');
    expect(proxy.asked).toEqual([]);
  });
});

describe('what cannot be used', () => {
  const start = (url: string, headers: Record<string, string> = {}) =>
    startRemote({ server: 'far', transport: 'http', url, headers, env: {}, log: recordingLog().log });

  test.each(['', 'far.example', 'ftp://far.example', 'https://u:p@far.example/mcp'])('the URL %j', (url) => {
    expect(() => start(url)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  });

  test.each([{ 'x y': '1' }, { x: 'a\nb: secret' }, { 'Content-Length': '1' }, { Connection: 'x' }])(
    'the header %j, whose value is not told',
    (headers) => {
      expect(() => start('https://far.example/mcp', headers as Record<string, string>)).toThrow(
        expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.not.stringContaining('secret') }),
      );
    },
  );
});
