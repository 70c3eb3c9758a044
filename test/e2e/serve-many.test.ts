import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textOf } from '../support/proxy-process.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { json, RawServer, result, session } from '../wire/remote/raw-server.js';
import { verifies } from './requirements.js';

const RAW = fileURLToPath(new URL('../fixtures/wire/server.mjs', import.meta.url));

function raw(name: string): object {
  const tools = ['echo', 'calls', 'seen'].map((tool) => ({ name: `${name}_${tool}`, inputSchema: { type: 'object' } }));
  const initialize = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name, version: '1' } };
  const options = { initialize: JSON.stringify(initialize), pages: [JSON.stringify({ tools })], prefix: `${name}_` };
  return { command: process.execPath, args: [RAW, JSON.stringify(options)] };
}

let far: RawServer;
let serve: ServeProcess;
beforeAll(async () => {
  far = await RawServer.start(
    session(({ rpc, res }) => {
      if (rpc.method === 'tools/list')
        json(res, result(rpc.id, { tools: [{ name: 'far_echo', inputSchema: { type: 'object' } }] }));
      else if (rpc.method === 'tools/call')
        json(res, result(rpc.id, { content: [{ type: 'text', text: 'from afar' }] }));
      else return false;
      return true;
    }),
  );
  serve = await startServe({
    config: { mode: 'observe', mcpServers: { a: raw('a'), b: raw('b'), far: { url: far.url } } },
  });
});
afterAll(async () => {
  await serve?.close();
  await far?.close();
});

describe('several servers behind serve, one of them behind HTTP itself', () => {
  test(`${verifies('F-2', 'T-4')} are one to each client, and each client's own`, async () => {
    const [one, two] = await Promise.all([serve.client('one'), serve.client('two')]);
    const names = (await one.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['a_echo', 'b_echo', 'far_echo', 'zerto_check_tool']));
    const text = async (of: typeof one, name: string) =>
      textOf((await of.callTool({ name, arguments: {} })) as CallToolResult);
    expect([await text(one, 'a_calls'), await text(one, 'a_calls'), await text(one, 'b_calls')]).toEqual([
      '1',
      '2',
      '1',
    ]);
    expect(await text(two, 'a_calls')).toBe('1');
    expect([await text(one, 'far_echo'), await text(two, 'far_echo')]).toEqual(['from afar', 'from afar']);
    expect(far.of('initialize')).toHaveLength(2);
    expect(far.received.every(({ headers }) => headers.authorization === undefined)).toBe(true);
    const servers = (await serve.audit()).map(({ intent }) => JSON.stringify(intent));
    expect(servers.filter((record) => record.includes('far_echo') && record.includes('"far"'))).toHaveLength(2);
    await Promise.all([one.close(), two.close()]);
  });
});

describe('requests that two readers could take for two things', () => {
  const CALL = '"method":"tools/call","params":{"name":"a_echo","arguments":{}}';

  test(`${verifies('T-6', 'F-2')} are refused on the wire, reach no server, and end nothing`, async () => {
    const hello = await serve.post({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    });
    const id = hello.headers.get('mcp-session-id') ?? '';
    await serve.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { 'mcp-session-id': id });
    const head = (lines: readonly string[], path = '/mcp') =>
      [
        `POST ${path} HTTP/1.1`,
        `Host: ${serve.url.host}`,
        `Authorization: Bearer ${serve.token}`,
        'Accept: application/json, text/event-stream',
        `Mcp-Session-Id: ${id}`,
        ...lines,
        '',
        '',
      ].join('\r\n');
    const body = `{"jsonrpc":"2.0","id":1,${CALL}}`;
    const typed = (type: string) => head([`Content-Type: ${type}`, `Content-Length: ${body.length}`]) + body;
    const twice = (one: number, other: number) =>
      head(['Content-Type: application/json', `Content-Length: ${one}`, `Content-Length: ${other}`]) + body;
    const chunked = (encoding: string, more: string) =>
      `${head(['Content-Type: application/json', `Transfer-Encoding: ${encoding}`])}${more}`;
    const refused: [string, RegExp][] = [
      [typed('text/plain'), / 415 /],
      [typed('application/json; charset=utf-16'), / 415 /],
      [typed('application/json\r\nContent-Type: text/plain'), / 415 /],
      [typed('multipart/form-data; boundary=x'), / 415 /],
      [typed('application/x-www-form-urlencoded'), / 415 /],
      [typed('application/json\r\nContent-Encoding: gzip'), / 415 /],
      [twice(body.length, 2), / 400 /],
      [twice(body.length, body.length), / 400 /],
      [head(['Content-Type: application/json', 'Content-Length: -1']) + body, / 400 /],
      [chunked('gzip, chunked', `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`), / (?:400|501) /],
      [chunked('chunked\r\nContent-Length: 5', `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`), / 400 /],
      [chunked('chunked', `zz\r\n${body}\r\n0\r\n\r\n`), / 400 /],
      [chunked('chunked', `2\r\n[]\r\n0\r\nMcp-Method: tools/call\r\n\r\n`), / 400 /],
      [head(['Content-Type: application/json', ' folded: x', `Content-Length: ${body.length}`]) + body, / 400 /],
      [
        head([`Host: evil.example`, 'Content-Type: application/json', `Content-Length: ${body.length}`]) + body,
        / (?:400|403) /,
      ],
    ];
    for (const [text, status] of refused)
      expect([text, await answerOf(text)]).toEqual([text, expect.stringMatching(status)]);
    const bodies = [
      `[${body}]`,
      `\ufeff${body}`,
      body.replace('"id":1', '"id":1,"ID":2'),
      body.replace('"name":', '"Name":"b_echo","name":'),
    ];
    for (const each of bodies) expect((await serve.post(each, { 'mcp-session-id': id })).status).toBe(400);
    const counted = await serve.post(
      { jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'a_calls', arguments: {} } },
      { 'mcp-session-id': id },
    );
    // The first call that any of these brought to the server.
    expect(await counted.text()).toContain('"text":"1"');
    // A trailer is no header: what it says counts for nothing.
    const trailed = chunked('chunked', `${body.length.toString(16)}\r\n${body}\r\n0\r\nMcp-Session-Id: other\r\n\r\n`);
    expect(await answerOf(trailed)).toMatch(/ 200 /);
  });
});

/** The status line of the first answer on a connection of its own. */
async function answerOf(text: string): Promise<string> {
  const socket = connect(Number(serve.url.port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(text);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return answer.toString().split('\r\n', 1)[0] ?? '';
}
