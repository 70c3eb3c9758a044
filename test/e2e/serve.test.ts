import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  type CallToolResult,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  type Progress,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { receiptOf, sitesOf, textOf } from '../support/proxy-process.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { verifies } from './requirements.js';

const SERVER = join(import.meta.dirname, '..', 'fixtures', 'e2e', 'http-session-server.mjs');
const TIMINGS = { gapMs: 2_000, completedMs: 50, stampMs: 20, listedMs: 300 };
const harmless = (args: Readonly<Record<string, unknown>>) => ({
  roles: Object.fromEntries(Object.keys(args).map((name) => [name, 'option'])),
  effect: 'read_only',
  examples: [{ arguments: args, effect: 'read_only' }],
});
/** Tools of the server that touch no VM: what is tried with them is how messages travel. */
const HARMLESS = {
  regional: harmless({ region: 'eu' }),
  progress: harmless({ count: 1, everyMs: 1 }),
  ask: harmless({ method: 'm' }),
  hang: harmless({}),
  pid: harmless({}),
  echo_slow: harmless({ say: 'a' }),
  announce: harmless({ say: 'a' }),
  exit: harmless({ code: 1 }),
  big: harmless({ mib: 1 }),
};
let world: World;
let simulator: Simulator;
let serve: ServeProcess;

/** What reached any child, in order. */
function received(of: ServeProcess): { readonly pid: number; readonly line: string }[] {
  const file = join(of.scratch, 'received.log');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as { pid: number; line: string });
}

function start(options: readonly string[] = []): Promise<ServeProcess> {
  const ssh = (scratch: string) => ({
    command: process.execPath,
    args: [SERVER, join(scratch, 'received.log')],
    family: 'ssh',
  });
  const config = (scratch: string) => ({
    zvm: sitesOf(['site-a', simulator]),
    mcpServers: { ssh: ssh(scratch) },
    classifier: { tools: HARMLESS },
  });
  return startServe({ config, options });
}

beforeAll(async () => {
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: [{ name: 'app01' }],
    vpgs: [{ name: 'app', vms: ['app01'], timings: TIMINGS }],
  });
  simulator = await startSimulator({ world });
  serve = await start();
});
afterAll(async () => {
  await serve?.close();
  await simulator?.close();
  world?.close();
});

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw-http', version: '1' } },
};
const call = (id: number | string, name: string, args: object, meta?: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args, ...(meta && { _meta: meta }) },
});

/** A session by hand: its id. */
async function session(of: ServeProcess = serve): Promise<string> {
  const hello = await of.post(INITIALIZE);
  expect(hello.status).toBe(200);
  const id = hello.headers.get('mcp-session-id') ?? '';
  const ready = await of.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { 'mcp-session-id': id });
  expect(ready.status).toBe(202);
  // What was sent before has arrived when this is answered.
  expect((await of.post({ jsonrpc: '2.0', id: 'ping', method: 'ping' }, { 'mcp-session-id': id })).status).toBe(200);
  return id;
}

interface Event {
  readonly id?: string;
  readonly data: string;
}

/** Reads events as they come; ends where the stream ends. */
async function* events(response: Response): AsyncGenerator<Event> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const frame = text.slice(0, end);
      text = text.slice(end + 2);
      const fields = frame.split('\n').map((line) => [line.split(':', 1)[0] ?? '', line.replace(/^[a-z]*: ?/, '')]);
      const data = fields.filter(([name]) => name === 'data').map(([, value]) => value);
      const id = fields.find(([name]) => name === 'id')?.[1];
      if (data.length > 0) yield { data: data.join('\n'), ...(id === undefined ? {} : { id }) };
    }
  }
}

describe('a client of the first SDK', () => {
  test(`${verifies('F-2', 'G-1', 'T-4')} lists, reads, and has a change pinned before it goes out`, async () => {
    const client = await serve.client();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['ssh_execute', 'zerto_recover_file']));
    const read = (await client.callTool({
      name: 'ssh_execute',
      arguments: { host: 'app01', command: 'uptime' },
    })) as CallToolResult;
    expect(textOf(read)).toContain('ran uptime');
    expect(receiptOf(read)).toBeUndefined();
    const write = (await client.callTool({
      name: 'ssh_execute',
      arguments: { host: 'app01', command: 'touch /tmp/http' },
    })) as CallToolResult;
    expect(receiptOf(write)).toMatchObject({ permit: 'pinned', agent: 'http-agent', vms: [{ name: 'app01' }] });
    const listed = world.vpg('app').journal.some(({ tag }) => tag?.startsWith('ai:http-agent'));
    expect(listed).toBe(true);
    expect((await serve.audit()).map(({ intent }) => intent.effect)).toEqual(['read_only', 'mutating']);
    await client.close();
  });

  test(`${verifies('T-1')} gets progress, is asked, and samples`, async () => {
    const client = await serve.client('asked', { sampling: {}, elicitation: {} });
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      model: 'm',
      role: 'assistant',
      content: { type: 'text', text: 'sampled' },
    }));
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { choice: 'yes' } }));
    const told: Progress[] = [];
    const progress = (await client.callTool({ name: 'progress', arguments: { count: 3 } }, undefined, {
      onprogress: (each) => told.push(each),
    })) as CallToolResult;
    expect(textOf(progress)).toBe('done');
    expect(told.map(({ progress: at }) => at)).toEqual([1, 2, 3]);
    const ask = async (method: string) =>
      textOf((await client.callTool({ name: 'ask', arguments: { method } })) as CallToolResult);
    expect(await ask('sampling/createMessage')).toContain('sampled');
    expect(await ask('elicitation/create')).toContain('yes');
    await client.close();
  });

  test(`${verifies('G-7')} cancels a call that runs; the session goes on`, async () => {
    const client = await serve.client();
    const cancel = new AbortController();
    const hanging = client.callTool({ name: 'hang', arguments: {} }, undefined, { signal: cancel.signal });
    hanging.catch(() => undefined);
    await expect.poll(() => received(serve).some(({ line }) => line.includes('"hang"'))).toBe(true);
    cancel.abort();
    await expect(hanging).rejects.toThrow();
    await expect.poll(() => received(serve).some(({ line }) => line.includes('notifications/cancelled'))).toBe(true);
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    await client.close();
  });

  test(`${verifies('P-1', 'F-2')} a person is asked about a call that nobody understands`, async () => {
    const client = await serve.client('with-human', { elicitation: {} });
    const asked: string[] = [];
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { choice: 'run after the checkpoint' } };
    });
    const result = (await client.callTool({
      name: 'ssh_execute',
      arguments: { host: 'app01', command: './deploy.sh' },
    })) as CallToolResult;
    expect(asked).toHaveLength(1);
    expect(receiptOf(result)?.permit).toBe('pinned');
    await client.close();
  });

  test(`${verifies('F-2')} ends its session: the child goes, and its id is unknown`, async () => {
    const transport = serve.transport();
    const client = new Client({ name: 'leaves', version: '1' });
    await client.connect(transport);
    const pid = Number(textOf((await client.callTool({ name: 'pid', arguments: {} })) as CallToolResult));
    expect(isAlive(pid)).toBe(true);
    const id = transport.sessionId;
    await transport.terminateSession();
    await client.close();
    await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
    const late = await serve.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { 'mcp-session-id': id });
    expect(late.status).toBe(404);
    expect(((await late.json()) as { id: unknown }).id).toBe(1);
  });
});

describe('two sessions at once', () => {
  test(`${verifies('F-2')} never see each other's messages, though they use the same ids and tokens`, async () => {
    const [one, two] = await Promise.all([session(), session()]);
    expect(one).toMatch(/^[\w-]{22,}$/);
    expect(two).not.toBe(one);
    // An id may begin with a dash, and a value that does is judged as an option of its own.
    const asks = [one, two].map(async (id) => {
      const response = await serve.post(call(7, 'echo_slow', { say: `of ${id}` }, { progressToken: 7 }), {
        'mcp-session-id': id,
      });
      return response.text();
    });
    const streams = [one, two].map(async (id) => {
      const response = await serve.send('GET', { 'mcp-session-id': id });
      await serve.post(call(8, 'announce', { say: `of ${id}` }), { 'mcp-session-id': id });
      for await (const { data } of events(response)) if (data.includes('announced')) return data;
      return '';
    });
    const [[first = '', second = ''], [heard = '', other = '']] = [await Promise.all(asks), await Promise.all(streams)];
    for (const [text, own, foreign] of [
      [first, one, two],
      [second, two, one],
      [heard, one, two],
      [other, two, one],
    ] as const) {
      expect(text).toContain(own);
      expect(text).not.toContain(foreign);
    }
    const pids = received(serve).filter(({ line }) => line.includes(one) || line.includes(two));
    expect(new Set(pids.map(({ pid }) => pid)).size).toBe(2);
  });

  test('a second standalone stream is a conflict, and an id in use is refused', async () => {
    const id = await session();
    const stop = new AbortController();
    const first = await serve.send('GET', { 'mcp-session-id': id }, { signal: stop.signal });
    expect(first.headers.get('content-type')).toBe('text/event-stream');
    expect(first.headers.get('x-accel-buffering')).toBe('no');
    expect((await serve.send('GET', { 'mcp-session-id': id })).status).toBe(409);
    const hung = () => received(serve).filter(({ line }) => line.includes('"hang"')).length;
    const before = hung();
    const hanging = serve.post(call(1, 'hang', {}), { 'mcp-session-id': id }, { signal: stop.signal });
    hanging.catch(() => undefined);
    await expect.poll(hung).toBeGreaterThan(before);
    const twin = await serve.post(call(1, 'pid', {}), { 'mcp-session-id': id });
    expect(twin.status).toBe(400);
    stop.abort();
  });
});

describe('a client that loses its connection', () => {
  test(`${verifies('T-2')} fetches the rest of a stream by the id of the last event`, async () => {
    const id = await session();
    const stop = new AbortController();
    const broken = await serve.post(
      call(3, 'progress', { count: 4, everyMs: 300 }, { progressToken: 't' }),
      { 'mcp-session-id': id },
      { signal: stop.signal },
    );
    let last = '';
    try {
      for await (const event of events(broken)) {
        last = event.id ?? '';
        if (event.data.includes('"progress":2')) stop.abort();
      }
    } catch {
      // It broke, as it was meant to.
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
    const rest: string[] = [];
    for await (const { data } of events(await serve.send('GET', { 'mcp-session-id': id, 'last-event-id': last })))
      rest.push(data);
    expect(rest.map((data) => JSON.parse(data)).map((message) => message.params?.progress ?? message.id)).toEqual([
      3, 4, 3,
    ]);
    expect(
      received(serve).some(({ line }) => line.includes('notifications/cancelled') && line.includes('"requestId":3')),
    ).toBe(false);
  });

  test('messages that nobody reads yet wait for the next stream', async () => {
    const id = await session();
    await serve.post({ jsonrpc: '2.0', method: 'notifications/x-announce' }, { 'mcp-session-id': id });
    await new Promise((resolve) => setTimeout(resolve, 200));
    for await (const { data } of events(await serve.send('GET', { 'mcp-session-id': id }))) {
      if (data === '') continue;
      expect(data).toContain('notifications/x-announced');
      break;
    }
  });
});

describe('revision 2026-07-28', () => {
  const META = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'stateless-agent', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const headers = (method: string, name?: string) => ({
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
  });

  test(`${verifies('T-2', 'F-2')} requests need no session; equal ids and tokens of two clients stay apart`, async () => {
    const asks = ['a', 'b', 'c'].map(async (say) => {
      const body = call(0, 'echo_slow', { say }, { ...META, progressToken: 0 });
      const response = await serve.post(body, headers('tools/call', 'echo_slow'));
      expect(response.status).toBe(200);
      expect(response.headers.get('mcp-session-id')).toBeNull();
      const told: string[] = [];
      for await (const { data } of events(response)) told.push(data);
      return told.map((data) => JSON.parse(data));
    });
    const answers = await Promise.all(asks);
    for (const [index, say] of ['a', 'b', 'c'].entries()) {
      const [progress, answer] = answers[index] ?? [];
      expect(progress).toMatchObject({ method: 'notifications/progress', params: { progressToken: 0, message: say } });
      expect(answer).toMatchObject({ id: 0, result: { content: [{ text: `said ${say}` }] } });
      expect(answers[index]).toHaveLength(2);
    }
    const mine = received(serve).filter(({ line }) => /"say":"[abc]"/.test(line));
    expect(new Set(mine.map(({ pid }) => pid)).size).toBe(1);
    expect(new Set(mine.map(({ line }) => String(JSON.parse(line).id))).size).toBe(3);
  });

  test(`${verifies('F-2')} a header that disagrees with the body is refused, and nothing is forwarded`, async () => {
    const before = received(serve).length;
    const body = call(1, 'ssh_execute', { host: 'app01', command: 'uptime' }, META);
    const wrong = [
      headers('tools/list', 'ssh_execute'),
      headers('tools/call', 'read_only_tool'),
      headers('tools/call'),
      { ...headers('tools/call', 'ssh_execute'), 'mcp-protocol-version': '2025-11-25' },
      { 'mcp-method': 'tools/call', 'mcp-name': 'ssh_execute' },
      headers('tools/call', '=?base64?c3NoX2V4ZWN1dA==?='),
    ];
    for (const given of wrong) {
      const response = await serve.post(body, given);
      expect([response.status, ((await response.json()) as { error: { code: number } }).error.code]).toEqual([
        400, -32020,
      ]);
    }
    expect(received(serve)).toHaveLength(before);
    const encoded = headers('tools/call', `=?base64?${Buffer.from('ssh_execute').toString('base64')}?=`);
    expect((await serve.post(body, encoded)).status).toBe(200);
  });

  test(`${verifies('F-2')} a header that repeats an argument agrees with it, from the first call on`, async () => {
    const fresh = await start();
    try {
      const ask = async (region: string | undefined, header: Readonly<Record<string, string>>) => {
        const body = call(1, 'regional', region === undefined ? {} : { region }, META);
        const response = await fresh.post(body, { ...headers('tools/call', 'regional'), ...header });
        return [response.status, await response.text()];
      };
      const refused = [400, expect.stringContaining('-32020')];
      expect(await ask('eu', { 'mcp-param-region': 'us' })).toEqual(refused);
      expect(await ask('eu', {})).toEqual(refused);
      expect(await ask(undefined, { 'mcp-param-region': 'eu' })).toEqual(refused);
      expect(received(fresh).some(({ line }) => line.includes('tools/call'))).toBe(false);
      expect(await ask('eu', { 'mcp-param-region': 'eu', 'mcp-param-x': 'y' })).toEqual([
        200,
        expect.stringContaining('in eu'),
      ]);
    } finally {
      await fresh.close();
    }
  });

  test(`${verifies('G-7', 'T-2')} a connection that is closed cancels its request`, async () => {
    const stop = new AbortController();
    const asked = serve.post(call('gone', 'hang', {}, META), headers('tools/call', 'hang'), { signal: stop.signal });
    asked.catch(() => undefined);
    await expect.poll(() => received(serve).some(({ line }) => line.includes('"gone"'))).toBe(true);
    stop.abort();
    await expect
      .poll(() =>
        received(serve).some(({ line }) => line.includes('notifications/cancelled') && line.includes('"gone"')),
      )
      .toBe(true);
  });

  test(`${verifies('P-2', 'G-1')} a question is a round of the call; the next round goes on with it, and only once`, async () => {
    const meta = { ...META, 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
    const args = { host: 'app01', command: './deploy.sh --stateless' };
    const ask = async (id: number, round: object) => {
      const body = call(id, 'ssh_execute', args, meta);
      const response = await serve.post(
        { ...body, params: { ...body.params, ...round } },
        headers('tools/call', 'ssh_execute'),
      );
      const text = await response.text();
      const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
      return (JSON.parse(data) as { result: Record<string, unknown> }).result;
    };
    const first = await ask(1, {});
    expect(first).toMatchObject({ resultType: 'input_required' });
    const [key = ''] = Object.keys(first['inputRequests'] as object);
    // What holds for a session would hold for all stateless clients.
    expect(first['inputRequests']).toMatchObject({
      [key]: {
        params: { requestedSchema: { properties: { choice: { enum: ['run after the checkpoint', 'do not run'] } } } },
      },
    });
    const answer = { [key]: { action: 'accept', content: { choice: 'run after the checkpoint' } } };
    const second = await ask(2, { requestState: first['requestState'], inputResponses: answer });
    expect(textOf(second as unknown as CallToolResult)).toContain('ran ./deploy.sh --stateless');
    expect(receiptOf(second as unknown as CallToolResult)?.permit).toBe('pinned');
    const sent = received(serve).filter(({ line }) => line.includes('deploy.sh --stateless'));
    expect(sent).toHaveLength(1);
    expect(sent[0]?.line).not.toContain('requestState');
    expect(await ask(3, { requestState: first['requestState'], inputResponses: answer })).toMatchObject({
      resultType: 'input_required',
    });
  });

  test('a subscription is one long answer, and its notifications carry the id of its own request', async () => {
    const stop = new AbortController();
    const listen = () =>
      serve.post(
        { jsonrpc: '2.0', id: 5, method: 'subscriptions/listen', params: { notifications: {}, _meta: META } },
        headers('subscriptions/listen'),
        { signal: stop.signal },
      );
    for (const response of await Promise.all([listen(), listen()])) {
      for await (const { data } of events(response)) {
        expect(JSON.parse(data).params._meta['io.modelcontextprotocol/subscriptionId']).toBe(5);
        break;
      }
    }
    stop.abort();
  });

  test('an unknown method is 404, an unknown revision what the server says to it', async () => {
    const unknown = { jsonrpc: '2.0', id: 1, method: 'x/unknown', params: { _meta: META } };
    const response = await serve.post(unknown, headers('x/unknown'));
    expect([response.status, ((await response.json()) as { error: { code: number } }).error.code]).toEqual([
      404, -32601,
    ]);
    const later = { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const discover = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: later } };
    const refused = await serve.post(discover, { ...headers('server/discover'), 'mcp-protocol-version': '2099-01-01' });
    expect(refused.status).toBe(400);
  });

  test.each(['auto', 'legacy', 'pinned'] as const)(
    `${verifies('T-2')} a client of the second SDK (%s)`,
    async (mode) => {
      const client = new ClientV2(
        { name: `second-${mode}`, version: '2' },
        { versionNegotiation: { mode: mode === 'pinned' ? { pin: '2026-07-28' } : mode } },
      );
      await client.connect(
        new HttpV2(serve.url, { requestInit: { headers: { authorization: `Bearer ${serve.token}` } } }),
      );
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['ssh_execute', 'zerto_check_tool']));
      const result = (await client.callTool({
        name: 'ssh_execute',
        arguments: { host: 'app01', command: `touch /tmp/${mode}` },
      })) as CallToolResult;
      expect(receiptOf(result)).toMatchObject({ permit: 'pinned', agent: `second-${mode}` });
      await client.close();
    },
  );
});

describe('who is not let in', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE.params };

  test(`${verifies('F-2')} a token is needed, and is in a file that only its owner reads`, async () => {
    const file = join(serve.scratch, 'zerto-rewind-proxy', 'serve.token');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(serve.stderr()).toContain(file);
    expect(serve.stderr()).not.toContain(serve.token);
    for (const authorization of [
      undefined,
      'Bearer ',
      'Bearer wrong',
      `Basic ${serve.token}`,
      `Bearer ${serve.token}x`,
    ]) {
      const response = await serve.post(ping, { authorization });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test(`${verifies('F-2')} Host and Origin are its own`, async () => {
    const port = serve.url.port;
    for (const host of [
      `evil.example:${port}`,
      `localhost:${Number(port) + 1}`,
      'localhost',
      `127.0.0.1.evil.example:${port}`,
    ])
      expect(await rawStatus(serve, { host })).toBe(403);
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`])
      expect(await rawStatus(serve, { host })).toBe(200);
    for (const origin of [
      'http://evil.example',
      'null',
      'http://localhost',
      `http://localhost:${port}@evil.example`,
      `file://localhost:${port}`,
    ])
      expect(await rawStatus(serve, { origin })).toBe(403);
    expect(await rawStatus(serve, { origin: `http://localhost:${port}` })).toBe(200);
  });

  test(`${verifies('F-2')} content types other than JSON in UTF-8 are refused`, async () => {
    for (const type of [
      'text/plain',
      'application/json-seq',
      'application/json; charset=utf-16',
      'application/jsonx',
      'text/html, application/json',
    ])
      expect((await serve.post(ping, { 'content-type': type })).status).toBe(415);
    for (const type of ['Application/JSON', 'application/json;charset=UTF-8', 'application/json; charset="utf-8"'])
      expect((await serve.post(ping, { 'content-type': type })).status).toBe(200);
    expect((await serve.post(ping, { accept: 'application/json' })).status).toBe(406);
  });

  test('health says nothing and needs no token', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const response = await fetch(new URL(path, serve.url));
      expect([response.status, await response.text()]).toEqual([200, '']);
    }
  });
});

describe('hostile bodies', () => {
  test(`${verifies('T-6', 'F-2')} are answered with 400 and reach no downstream; the server goes on`, async () => {
    const id = await session();
    const before = received(serve).length;
    const exec =
      '"method":"tools/call","params":{"name":"ssh_execute","arguments":{"host":"app01","command":"reboot"}}';
    const bodies: [string | Buffer, number][] = [
      [`[{"jsonrpc":"2.0","id":1,${exec}}]`, -32600],
      ['[]', -32600],
      [`{"jsonrpc":"2.0","id":1,"method":"ping",${exec}}`, -32600],
      [`{"jsonrpc":"2.0","id":1,"method":"ping","\\u006dethod":"tools/call"}`, -32600],
      [`{"jsonrpc":"2.0","id":1,"Method":"tools/call",${exec}}`, -32600],
      [`\ufeff{"jsonrpc":"2.0","id":1,${exec}}`, -32600],
      [`{"jsonrpc":"2.0","id":1,${exec}}\n{"jsonrpc":"2.0","id":2,${exec}}`, -32600],
      [`{"a":\r{"jsonrpc":"2.0","id":1,${exec}}\r}`, -32600],
      [`{"jsonrpc":"2.0","id":1,"method":" tools/call","params":{"name":"x"}}`, -32600],
      [`{"jsonrpc":"2.0",${exec}}`, -32600],
      [
        Buffer.concat([
          Buffer.from(`{"jsonrpc":"2.0","id":1,"x":"`),
          Buffer.from([0xff, 0xfe]),
          Buffer.from(`",${exec}}`),
        ]),
        -32600,
      ],
      ['not json', -32700],
      ['', -32700],
      [`{"jsonrpc":"2.0","id":1,${exec}`, -32700],
    ];
    for (const [body, code] of bodies) {
      const response = await serve.post(body, { 'mcp-session-id': id });
      const { error } = (await response.json()) as { error: { code: number } };
      expect([String(body).slice(0, 60), response.status, error.code]).toEqual([String(body).slice(0, 60), 400, code]);
    }
    expect(received(serve)).toHaveLength(before);
    const pretty = JSON.stringify(call(1, 'pid', {}), null, 2).replaceAll('\n', '\r\n');
    expect((await serve.post(pretty, { 'mcp-session-id': id })).status).toBe(200);
  });

  test(`${verifies('F-2')} fuzzed bytes, oversize and broken connections stop nothing`, async () => {
    const small = await start(['--max-body', '4096']);
    try {
      const id = await session(small);
      const before = received(small).length;
      const valid = Buffer.from(JSON.stringify(call(1, 'ssh_execute', { host: 'app01', command: 'reboot' })));
      for (let i = 0; i < 150; i += 1) {
        const body = Buffer.from(valid);
        // Quotes and brackets alone: what stays valid JSON would be a call like any other.
        body[(i * 7) % body.length] = (i * 31) % 32;
        const response = await small.post(body, { 'mcp-session-id': id });
        expect(response.status).toBe(400);
      }
      const large = await small.post(JSON.stringify(call(1, 'pid', { x: 'x'.repeat(5000) })), { 'mcp-session-id': id });
      expect(large.status).toBe(413);
      expect(await chunkedStatus(small, 64 << 10)).toBe(413);
      for (const text of ['POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Le', 'GARBAGE\r\n\r\n', '\0\0\0\0']) {
        const socket = connect(Number(small.url.port), '127.0.0.1');
        await once(socket, 'connect');
        socket.on('error', () => undefined);
        socket.write(text);
        socket.destroy();
      }
      const smuggled = `POST /mcp HTTP/1.1\r\nHost: ${small.url.host}\r\nAuthorization: Bearer ${small.token}\r\nContent-Type: application/json\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
      expect(await rawAnswer(small, smuggled)).toMatch(/^HTTP\/1\.1 400/);
      expect(received(small)).toHaveLength(before);
      expect((await small.post(call(2, 'pid', {}), { 'mcp-session-id': id })).status).toBe(200);
    } finally {
      await small.close();
    }
  });
});

describe('limits and ends', () => {
  test(`${verifies('F-2')} sessions have a number and an age`, async () => {
    const two = await start(['--max-sessions', '2', '--idle', '1']);
    try {
      const id = await session(two);
      await session(two);
      const third = await two.post(INITIALIZE);
      expect(third.status).toBe(503);
      expect(((await third.json()) as { error: { message: string } }).error.message).toMatch(/as many sessions/);
      await expect.poll(async () => (await two.post(INITIALIZE)).status, { timeout: 8_000, interval: 300 }).toBe(200);
      expect((await two.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { 'mcp-session-id': id })).status).toBe(404);
    } finally {
      await two.close();
    }
  });

  test('a server that ends answers what waits for it, and its session is over', async () => {
    const id = await session();
    const response = await serve.post(call(1, 'exit', { code: 3 }), { 'mcp-session-id': id });
    expect(await response.text()).toContain('exit code 3');
    await expect
      .poll(async () => (await serve.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { 'mcp-session-id': id })).status)
      .toBe(404);
  });

  test('a server that cannot be started leaves an error and no session', async () => {
    const none = await startServe({ config: { mcpServers: { x: { command: '/nonexistent/server' } } } });
    try {
      const response = await none.post(INITIALIZE);
      expect(response.headers.get('mcp-session-id')).toBeNull();
      expect(await response.text()).toContain('could not be started');
    } finally {
      await none.close();
    }
  });

  test(`${verifies('T-8')} a result of 64 MiB passes whole`, async () => {
    const id = await session();
    const response = await serve.post(call(1, 'big', { mib: 64 }), { 'mcp-session-id': id });
    expect((await response.text()).length).toBeGreaterThan(64 << 20);
  });

  test(`${verifies('T-7', 'F-2')} after SIGTERM running calls finish, nothing new begins, and the children go`, async () => {
    const own = await start(['--drain', '5']);
    const id = await session(own);
    const pid = Number(
      (
        (await (await own.post(call(1, 'pid', {}), { 'mcp-session-id': id })).json()) as { result: CallToolResult }
      ).result.content
        .map((part) => ('text' in part ? part.text : ''))
        .join(''),
    );
    const running = own.post(call(2, 'echo_slow', { say: 'finished' }), { 'mcp-session-id': id });
    await expect.poll(() => received(own).some(({ line }) => line.includes('finished'))).toBe(true);
    own.child.kill('SIGTERM');
    await expect.poll(async () => (await fetch(new URL('/readyz', own.url))).status, { interval: 20 }).toBe(503);
    expect((await own.post(call(3, 'pid', {}), { 'mcp-session-id': id })).status).toBe(503);
    expect(await (await running).text()).toContain('said finished');
    expect(await own.exit).toBe(0);
    expect(isAlive(pid)).toBe(false);
    await own.close();
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The status of an initialize with a header that fetch would not let through. */
function rawStatus(of: ServeProcess, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(of.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${of.token}`, 'content-type': 'application/json', ...headers },
    });
    request.once('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.once('error', reject);
    request.end(JSON.stringify(INITIALIZE));
  });
}

function chunkedStatus(of: ServeProcess, bytes: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(of.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${of.token}`, 'content-type': 'application/json' },
    });
    request.once('response', (response) => resolve(response.statusCode ?? 0));
    request.once('error', reject);
    request.write('x'.repeat(bytes));
    request.end();
  });
}

async function rawAnswer(of: ServeProcess, text: string): Promise<string> {
  const socket = connect(Number(of.url.port), '127.0.0.1');
  socket.write(text);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return answer.toString();
}
