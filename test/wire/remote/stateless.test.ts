import { afterEach, describe, expect, test } from 'vitest';
import { headerValue, isHeaderSafe } from '../../../src/wire/remote/header-values.js';
import { fc } from '../../support/property.js';
import { until } from '../process/harness.js';
import { closeAll, connect, serve } from './harness.js';
import { event, events, json, type Received, result } from './raw-server.js';

afterEach(closeAll);

const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
const mcp = ({ headers }: Received) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('mcp-')));

const TOOLS = {
  tools: [
    {
      name: 'run',
      inputSchema: {
        type: 'object',
        properties: {
          region: { type: 'string', 'x-mcp-header': 'Region' },
          dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
          deep: { type: 'object', properties: { n: { type: 'integer', 'x-mcp-header': 'N' } } },
          float: { type: 'number', 'x-mcp-header': 'Float' },
          again: { type: 'string', 'x-mcp-header': 'REGION' },
          bad: { type: 'string', 'x-mcp-header': 'a b' },
          plain: { type: 'string' },
        },
      },
    },
  ],
};

describe('requests without a session', () => {
  test('say in headers what they say in their body', async () => {
    const server = await serve(({ rpc, res }) => json(res, result(rpc.id, rpc.method === 'tools/list' ? TOOLS : {})));
    const lines = connect(server.url);
    const sent: [string, object, object][] = [
      ['server/discover', {}, {}],
      ['tools/list', {}, {}],
      ['prompts/get', { name: 'größe' }, { 'mcp-name': '=?base64?Z3LDtsOfZQ==?=' }],
      ['resources/read', { uri: 'file:///a b' }, { 'mcp-name': 'file:///a b' }],
      ['tools/call', { name: 'other', arguments: { region: 'x' } }, { 'mcp-name': 'other' }],
      [
        'tools/call',
        {
          name: 'run',
          arguments: { region: ' padded', dry: false, deep: { n: 42 }, float: 1, again: 'x', bad: 'x', plain: 'x' },
        },
        {
          'mcp-name': 'run',
          'mcp-param-region': '=?base64?IHBhZGRlZA==?=',
          'mcp-param-dry': 'false',
          'mcp-param-n': '42',
        },
      ],
      ['tools/call', { name: 'run', arguments: { region: null, deep: 7 } }, { 'mcp-name': 'run' }],
    ];
    for (const [id, [method, params, headers]] of sent.entries()) {
      lines.request(id, method, { ...params, _meta: META });
      await lines.answer(id);
      expect(mcp(server.received.at(-1) as Received)).toEqual({
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...headers,
      });
    }
    expect(server.gets()).toEqual([]);
    expect(lines.log.filter(({ level }) => level === 'warn')).toHaveLength(3);
    await lines.end.stop();
    expect(server.received.every(({ method }) => method === 'POST')).toBe(true);
  });

  test('are cancelled by the end of their stream, and no message says so', async () => {
    const server = await serve(({ rpc, res }) => {
      if (rpc.method === 'ping') json(res, result(rpc.id));
      else events(res, event({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged' }));
    });
    const lines = connect(server.url);
    lines.request('sub', 'subscriptions/listen', { _meta: META });
    await lines.line('acknowledged');
    lines.notify('notifications/cancelled', { requestId: 'sub' });
    await until(() => server.received[0]?.closed === true);
    lines.request(2, 'ping', { _meta: META });
    await lines.answer(2);
    expect(server.received.map(({ rpc }) => rpc.method)).toEqual(['subscriptions/listen', 'ping']);
    expect(lines.unanswered).toEqual([]);
  });

  test('whose stream breaks are not taken up again', async () => {
    const server = await serve(({ res }) => {
      events(res, 'id: 1\nretry: 1\ndata:\n\n');
      res.end();
    });
    const lines = connect(server.url);
    lines.request(1, 'tools/call', { name: 'x', _meta: META });
    expect(await lines.gaveUp(1)).toMatchObject({ sent: true });
    expect(server.received).toHaveLength(1);
  });

  test('whose revision cannot stand in a header are not sent', async () => {
    const server = await serve(({ rpc, res }) => json(res, result(rpc.id)));
    const lines = connect(server.url);
    lines.request(1, 'ping', { _meta: { 'io.modelcontextprotocol/protocolVersion': 'a\r\nx: y' } });
    expect(await lines.gaveUp(1)).toMatchObject({ sent: false });
    expect(server.received).toEqual([]);
  });

  test('a method that the server does not have is the error that it gave, not the end of a session', async () => {
    const server = await serve(({ rpc, res }) =>
      json(res, { jsonrpc: '2.0', id: rpc.id, error: { code: -32601, message: 'Method not found' } }, 404),
    );
    const lines = connect(server.url);
    lines.request(1, 'server/discover', { _meta: META });
    expect((await lines.answer(1)).error).toMatchObject({ code: -32601 });
    expect(server.received).toHaveLength(1);
  });
});

test('any text comes out of a header as it went in', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.string().map((text) => `=?base64?${text}?=`),
      ),
      (text) => {
        const value = headerValue(text);
        expect(isHeaderSafe(value)).toBe(true);
        const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(value) ?? [];
        const decoded = encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
        expect(decoded).toBe(Buffer.from(text).toString('utf8'));
      },
    ),
  );
});
