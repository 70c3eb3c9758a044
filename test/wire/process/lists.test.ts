import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { RelayDeps } from '../../../src/wire/relay.js';
import { ToolBook } from '../../../src/wire/relay-tools.js';
import { Harness, type RelayOptions, until } from './harness.js';

const open: Harness[] = [];
function start(options: RelayOptions = {}): Harness {
  const harness = new Harness(options);
  open.push(harness);
  return harness;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((harness) => harness.abort()));
});

const ZERTO = '{"name":"zerto_x","inputSchema":{"type":"object"}}';
const native: RelayDeps['native'] = {
  tools: () => [{ name: 'zerto_x', json: ZERTO }],
  call: (name, args, meta, signal) =>
    args['wait'] === true
      ? new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
      : args['fail'] === true
        ? Promise.reject(new Error('internal detail'))
        : Promise.resolve({ content: [{ type: 'text', text: JSON.stringify([name, args, meta]) }] }),
};

describe('the list of tools', () => {
  const list = (id: number, cursor?: string) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/list',
    params: cursor ? { cursor } : {},
  });

  it('gains the native tools on the last page only, the rest is the text of the downstream', async () => {
    const harness = start({ native });
    await harness.initialize();
    harness.send(list(1));
    expect(await harness.next()).toBe(
      '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"echo","title":"Echo","inputSchema":{"type":"object","properties":{"n":{"type":"number"}}},"annotations":{"destructiveHint":true,"x":1.50}}],"nextCursor":"p2"}}',
    );
    harness.send(list(2, 'p2'));
    expect(await harness.next()).toBe(
      `{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"other","inputSchema":{"type":"object"},"icons":[{"src":"data:,"}]},${ZERTO}],"ttlMs":9007199254740993}}`,
    );
  });

  it('loses a downstream tool with the name of a native one, on any page', async () => {
    const shadow = '{"tools":[{"name":"zerto_x","description":"mine"},{"name":"a"}],"nextCursor":"p2"}';
    const harness = start({ native, server: { pages: [shadow, '{"tools":[{"name":"zerto_x"}]}'] } });
    await harness.initialize();
    harness.send(list(1));
    expect((await harness.answer(1)).result?.tools?.map(({ name }) => name)).toEqual(['a']);
    harness.send(list(2, 'p2'));
    expect((await harness.answer(2)).result?.tools).toEqual([JSON.parse(ZERTO)]);
    expect(harness.log.filter((entry) => entry.message.includes('name of a native tool'))).toHaveLength(2);
  });

  it('comes from the proxy where the downstream has no tools, and so does the capability', async () => {
    const initialize = '{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"r","version":"1"}}';
    const harness = start({ native, server: { initialize, noList: true } });
    expect(await harness.initialize()).toContain('"capabilities":{"tools":{}}');
    harness.send(list(1));
    expect(await harness.next()).toBe(`{"jsonrpc":"2.0","id":1,"result":{"tools":[${ZERTO}]}}`);
    harness.call(2, 'zerto_x');
    await harness.text(2);
  });

  it.each([
    ['the list', '"method":"tools/list","params":{', { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }],
    ['a native result', '"method":"tools/call","params":{"name":"zerto_x",', { resultType: 'complete' }],
  ])('%s says in revision 2026-07-28 that it is complete', async (_what, request, says) => {
    const harness = start({ native, server: { noList: true } });
    harness.send(
      `{"jsonrpc":"2.0","id":1,${request}"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
    );
    expect((await harness.answer(1)).result).toMatchObject(says);
  });

  it('adds the capability to server/discover too, and nothing where there are no native tools', async () => {
    const discover = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: {} };
    const harness = start({ native });
    harness.send(discover);
    expect((await harness.answer(1)).result?.['capabilities']).toEqual({ tools: {} });
    const bare = start();
    bare.send(discover);
    expect((await bare.answer(1)).result?.['capabilities']).toEqual({});
  });
});

describe('native tools', () => {
  it('are answered here, with the id as written; the downstream never hears of them', async () => {
    const harness = start({ native });
    await harness.initialize();
    harness.send(
      '{"jsonrpc":"2.0","id":1234567890123456789,"method":"tools/call","params":{"name":"zerto_x","arguments":{"a":1},"_meta":{"m":2}}}',
    );
    expect(await harness.next()).toBe(
      `{"jsonrpc":"2.0","id":1234567890123456789,"result":{"content":[{"type":"text","text":${JSON.stringify('["zerto_x",{"a":1},{"m":2}]')}}]}}`,
    );
    expect(harness.calls).toEqual([]);
  });

  it('fail without a word of what went on inside, and can be cancelled', async () => {
    const harness = start({ native });
    harness.call(1, 'zerto_x', { fail: true });
    const { result } = await harness.answer(1);
    expect(result?.isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain('internal detail');
    harness.call(2, 'zerto_x', { wait: true });
    harness.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}');
    harness.send('{"jsonrpc":"2.0","method":"notifications/last"}');
    expect(await harness.next()).toContain('notifications/last');
    expect(harness.received).toEqual([]);
  });
});

describe('the description of a tool', () => {
  it('is asked for by the proxy before the first call, once, over all pages; the client sees none of it', async () => {
    const harness = start();
    await harness.initialize();
    harness.call(1, 'echo');
    harness.call(2, 'other');
    harness.call(3, 'lists');
    expect(await harness.text(3)).toBe('2');
    await harness.text(1);
    await harness.text(2);
    harness.call(4, 'lists');
    expect(await harness.text(4)).toBe('2');
    expect(harness.received).toEqual([]);
    expect(harness.calls.map((call) => call.description?.name)).toEqual(['echo', 'other', undefined, undefined]);
    expect(harness.calls[0]?.description).toEqual({
      name: 'echo',
      inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
      annotations: { destructiveHint: true },
    });
  });

  it('is learned from the lists of the client', async () => {
    const harness = start();
    await harness.initialize();
    harness.send('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
    await harness.answer(1);
    harness.call(2, 'echo');
    await harness.text(2);
    harness.call(3, 'lists');
    expect(harness.calls[0]?.description?.name).toBe('echo');
    // `lists` was on no page that the client read: 1 of the client and 2 of the proxy.
    expect(await harness.text(3)).toBe('3');
  });

  it('is asked for again after list_changed', async () => {
    const harness = start();
    await harness.initialize();
    harness.call(1, 'lists');
    expect(await harness.text(1)).toBe('2');
    harness.call(2, 'forge', { line: '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}' });
    await harness.next((line) => line.includes('list_changed'));
    harness.call(3, 'lists');
    expect(await harness.text(3)).toBe('4');
  });

  it('is as old as its request: a change that is told before the answer counts', () => {
    const book = new ToolBook();
    const asked = book.generation;
    book.changed();
    book.clientPage(undefined, { tools: [{ name: 'old', inputSchema: {} }] }, asked);
    expect(book.current).toBe(false);
    expect(book.find('old')).toBeUndefined();
    book.clientPage(undefined, { tools: [{ name: 'new', inputSchema: {} }] }, book.generation);
    expect(book.find('new')?.name).toBe('new');
  });

  it('stays unknown where two tools share the name, or where the downstream lists none', async () => {
    const twice = '{"tools":[{"name":"lists","annotations":{"destructiveHint":false}},{"name":"lists"}]}';
    const harness = start({ server: { pages: [twice] } });
    await harness.initialize();
    harness.call(1, 'lists');
    expect(await harness.text(1)).toBe('1');
    expect(harness.calls[0]?.description).toBeUndefined();
    const none = start({ server: { noList: true } });
    await none.initialize();
    none.call(1, 'echo');
    await none.text(1);
    expect(none.calls[0]?.description).toBeUndefined();
  });

  it('is asked for from a stateless server with the `_meta` that it needs', async () => {
    const harness = start();
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
      progressToken: 1,
    };
    harness.call(1, 'lists', {}, meta);
    expect(await harness.text(1)).toBe('2');
  });
});

describe('questions to the human behind the client', () => {
  const question = { message: 'Run it?', choices: ['run', 'do not run'] as const };
  const asked = async (harness: Harness) =>
    JSON.parse(await harness.next((line) => line.includes('elicitation/create')));

  it('go out as a form with an id nobody can guess, and come back as the choice', async () => {
    const harness = start();
    await harness.initialize({ elicitation: {} });
    const answer = harness.relay.ask(question, new AbortController().signal);
    const request = await asked(harness);
    expect(request.id).toMatch(/^zerto-[0-9a-f]{24}-1$/);
    expect(request.params).toEqual({
      message: 'Run it?',
      requestedSchema: {
        type: 'object',
        properties: { choice: { type: 'string', title: 'Decision', enum: ['run', 'do not run'] } },
        required: ['choice'],
      },
    });
    harness.send({ jsonrpc: '2.0', id: request.id, result: { action: 'accept', content: { choice: 'run' } } });
    expect(await answer).toEqual({ kind: 'answered', choice: 'run', by: 'client' });
    // The answer was the proxy's, and a second one is nobody's.
    harness.send({ jsonrpc: '2.0', id: request.id, result: {} });
    await until(() => harness.logged('answers no request'));
    expect(harness.received).toEqual([]);
  });

  it.each([
    ['declined', { result: { action: 'decline' } }, { kind: 'declined' }],
    ['cancelled', { result: { action: 'cancel' } }, { kind: 'declined', dismissed: true }],
    [
      'a choice that was not offered',
      { result: { action: 'accept', content: { choice: 'sudo' } } },
      { kind: 'declined' },
    ],
    ['no content', { result: { action: 'accept' } }, { kind: 'declined' }],
    ['an error', { error: { code: -32601, message: 'no' } }, { kind: 'unavailable' }],
  ])('take %s for no answer', async (_name, reply, expected) => {
    const harness = start();
    await harness.initialize({ elicitation: { form: {} } });
    const answer = harness.relay.ask(question, new AbortController().signal);
    harness.send({ jsonrpc: '2.0', id: (await asked(harness)).id, ...reply });
    expect(await answer).toEqual(expected);
  });

  it('are withdrawn when the signal aborts', async () => {
    const harness = start();
    await harness.initialize({ elicitation: {} });
    const abort = new AbortController();
    const answer = harness.relay.ask(question, abort.signal);
    const { id } = await asked(harness);
    abort.abort();
    expect(await answer).toEqual({ kind: 'unavailable' });
    expect(JSON.parse(await harness.next())).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: id },
    });
  });

  it.each([
    ['no capability', {}],
    ['only the url mode', { elicitation: { url: {} } }],
  ])('cannot be put to a client with %s', async (_name, capabilities) => {
    const harness = start();
    await harness.initialize(capabilities);
    expect(await harness.relay.ask(question, new AbortController().signal)).toEqual({ kind: 'unavailable' });
    expect(harness.received).toEqual([]);
  });

  it('stay unanswered when the client goes', async () => {
    const harness = start();
    await harness.initialize({ elicitation: {} });
    const answer = harness.relay.ask(question, new AbortController().signal);
    await harness.close();
    expect(await answer).toEqual({ kind: 'unavailable' });
  });
});

describe('a real server', () => {
  it('shows the tools of ssh-mcp byte for byte: names, descriptions, schemas, annotations', async () => {
    const home = mkdtempSync(join(tmpdir(), 'wire-'));
    const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, APPDATA: home };
    const direct = await ask(spawn(process.execPath, [SSH_MCP], { env, stdio: ['pipe', 'pipe', 'ignore'] }));
    for (const tools of [[], native.tools()]) {
      const harness = start({ args: [SSH_MCP], env, native: { ...native, tools: () => tools } });
      for (const line of LISTING) harness.send(line);
      const hello = await harness.next((line) => line.includes('"id":1'));
      const list = await harness.next((line) => line.includes('"id":2'));
      expect([hello, list.replace(`,${ZERTO}`, '')]).toEqual(direct);
      expect(list.includes(ZERTO)).toBe(tools.length === 1);
    }
    rmSync(home, { recursive: true, force: true });
  });
});

const SSH_MCP = fileURLToPath(new URL('../../../node_modules/ssh-mcp/build/index.js', import.meta.url));
const LISTING = [
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}',
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  '{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
];

async function ask(server: ChildProcessByStdio<Writable, Readable, null>): Promise<string[]> {
  server.stdin.write(LISTING.map((line) => `${line}\n`).join(''));
  const lines: string[] = [];
  for await (const line of createInterface(server.stdout)) {
    lines.push(line);
    if (lines.length === 2) break;
  }
  server.kill();
  return lines;
}
