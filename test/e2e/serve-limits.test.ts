import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { verifies } from './requirements.js';

const SERVER = join(import.meta.dirname, '..', 'fixtures', 'e2e', 'http-session-server.mjs');
const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

const hello = (padding: number) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x'.repeat(padding), version: '1' } },
});

function call(name: string, args: object, meta: object): object {
  return {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args, _meta: { ...META, ...meta } },
  };
}

const headers = (name: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': name,
});

describe('a server that does not read', () => {
  test(`${verifies('F-2')} uses up no more than a bounded memory; then there is 503 until some is free again`, async () => {
    const deaf = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] };
    const serve = await startServe({
      config: { mcpServers: { deaf } },
      options: ['--max-body', '800000', '--max-buffer', '1000000'],
    });
    try {
      const stop = new AbortController();
      const first = serve.post(hello(700_000), {}, { signal: stop.signal });
      first.catch(() => undefined);
      const busy = async () => {
        const probe = AbortSignal.timeout(1500);
        const second = await serve.post(hello(700_000), {}, { signal: probe }).catch(() => undefined);
        return second && [second.status, second.headers.get('retry-after'), await second.text()];
      };
      await expect
        .poll(busy, { timeout: 15_000 })
        .toEqual([503, '5', expect.stringContaining('The request was not forwarded.')]);
      expect((await fetch(new URL('/readyz', serve.url))).status).toBe(200);
      // A small message has room still.
      expect((await serve.post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(400);
      stop.abort();
      // Its client left before there was a session: its server is ended, and what it had not read is gone with it.
      const third = async () => (await busy())?.[0];
      await expect.poll(third, { timeout: 15_000 }).toBeUndefined();
    } finally {
      await serve.close();
    }
  });
});

describe('a client that does not read', () => {
  let serve: ServeProcess;
  beforeAll(async () => {
    const ssh = (scratch: string) => ({ command: process.execPath, args: [SERVER, join(scratch, 'received.log')] });
    serve = await startServe({
      config: (scratch) => ({ mode: 'observe', mcpServers: { ssh: ssh(scratch) } }),
    });
  });
  afterAll(() => serve?.close());

  test(`${verifies('T-8', 'F-2')} harms only itself: it is cut off, and the others are answered meanwhile`, async () => {
    const flood = await serve.post(call('flood', { mib: 200 }, { progressToken: 't' }), headers('flood'));
    expect(flood.headers.get('content-type')).toBe('text/event-stream');
    const began = Date.now();
    for (let n = 0; n < 20; n += 1) {
      const answer = await serve.post(call('pid', {}, {}), headers('pid'));
      expect(await answer.text()).toMatch(/"text":"\d+"/);
    }
    // A minute is what one reader of a session may hold up that session alone.
    expect(Date.now() - began).toBeLessThan(30_000);
    await expect(flood.text()).rejects.toThrow();
  });

  test(`${verifies('T-8')} an answer of 64 MiB, and a flood of events that is read, pass whole`, async () => {
    const big = await serve.post(call('big', { mib: 64 }, {}), headers('big'));
    expect((await big.text()).length).toBeGreaterThan(64 << 20);
    const flood = await serve.post(call('flood', { mib: 40 }, { progressToken: 't' }), headers('flood'));
    let bytes = 0;
    for await (const chunk of flood.body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length;
    expect(bytes).toBeGreaterThan(40 << 20);
  });
});
