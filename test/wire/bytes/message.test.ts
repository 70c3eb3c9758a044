import { describe, expect, it } from 'vitest';
import {
  type ClientMessage,
  readClientMessage,
  readServerMessage,
  refusal,
  resultIsError,
} from '../../../src/wire/message.js';
import { ROWS } from './hostile.js';

const read = (line: string) => readClientMessage(Buffer.from(line));

describe('readClientMessage on hostile lines', () => {
  it.each(ROWS.map((row, i) => [i, row.why, row.line.toString(), row] as const))('%i %s: %s', (_, __, ___, row) => {
    const line = Buffer.isBuffer(row.line) ? row.line : Buffer.from(row.line);
    const before = Buffer.from(line);
    const message = readClientMessage(line);
    if (typeof row.expect === 'string') expect(message).toMatchObject({ kind: row.expect });
    else expect(message).toMatchObject({ kind: 'refused', code: row.expect.code, idText: row.expect.id });
    if ('raw' in message) expect(message.raw).toBe(line);
    expect(line).toEqual(before);
  });

  it('says why, with names quoted', () => {
    const refused = read('{"id":1,"method":"x","\\u202ea\\n":1,"\\u202ea\\n":2}');
    expect(refused).toMatchObject({ reason: 'the member "\\u202ea\\u000a" is there twice' });
    expect(read('{"method":"\t"}')).toMatchObject({ reason: expect.stringContaining('raw control character') });
    expect(read('\ufeff{"method":"x"}')).toMatchObject({ reason: expect.stringContaining('byte order mark') });
    expect(read('[]')).toMatchObject({ reason: 'a batch (array) is not accepted' });
  });
});

describe('readClientMessage on large lines', () => {
  const wrap = (value: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":${value}}}}`;

  it('reads 20 MB', () => {
    const message = read(wrap(`"${'x\\n\\"'.repeat(4 * 1024 * 1024)}"`));
    expect(message.kind).toBe('request');
  });

  it.each([
    ['arrays', '[', ']'],
    ['objects', '{"a":', '}'],
    ['both', '[{"a":', '}]'],
  ])('reads a depth of 100,000: %s', (_, open, close) => {
    const text = (inner: string) => wrap(`${open.repeat(100_000)}${inner}${close.repeat(100_000)}`);
    expect(read(text('1')).kind).toBe('request');
    expect(read(text('{"b":1,"\\u0062":1}'))).toMatchObject({
      kind: 'refused',
      reason: 'the member "b" is there twice',
    });
    expect(read(text('')).kind).toBe(open === '[' ? 'request' : 'refused');
    expect(read('['.repeat(100_000))).toMatchObject({ code: -32700 });
  });

  it('reads an object of 100,000 members, and finds the one that is there twice', () => {
    const members = Array.from({ length: 100_000 }, (_, i) => `"k${i}":${i}`).join(',');
    expect(read(wrap(`{${members}}`)).kind).toBe('request');
    expect(read(wrap(`{${members},"k5\\u0030000":1}`)).kind).toBe('refused');
  });

  it('keeps a number of 100,000 digits as the id', () => {
    const digits = `1${'0'.repeat(100_000)}`;
    expect(read(`{"jsonrpc":"2.0","id":${digits},"method":"x"}`)).toMatchObject({
      idKey: `n:${digits}`,
      idText: digits,
    });
  });
});

describe('ids', () => {
  const idOf = (id: string) => read(`{"id": ${id} ,"method":"x"}`) as ClientMessage & { kind: 'request' };

  it.each([
    ['1', 1, 'n:1'],
    ['"1"', '1', 's:1'],
    ['null', null, 'null'],
    ['"null"', 'null', 's:null'],
    ['"n:1"', 'n:1', 's:n:1'],
    ['9007199254740993', Number('9007199254740993'), 'n:9007199254740993'],
    ['9007199254740992', 9007199254740992, 'n:9007199254740992'],
    ['1.0', 1, 'n:1'],
    ['1e0', 1, 'n:1'],
    ['-0', -0, 'n:0'],
    ['-5', -5, 'n:-5'],
    ['"\\u0061\u00e9"', 'a\u00e9', 's:a\u00e9'],
  ])('%s', (text, id, idKey) => {
    expect(idOf(text)).toMatchObject({ id, idKey, idText: text });
  });
});

describe('messages of a client', () => {
  it('carries params and result', () => {
    expect(read('{"id":1,"method":"x","params":{"__proto__x":[1.0]}}')).toMatchObject({ params: { __proto__x: [1] } });
    expect(read('{"method":"x","params":[]}')).toMatchObject({ kind: 'notification', params: undefined });
    expect(read('{"id":1,"result":{"action":"accept"}}')).toMatchObject({
      idKey: 'n:1',
      isError: false,
      result: { action: 'accept' },
    });
    expect(read('{"id":"1","error":{"code":1}}')).toMatchObject({ idKey: 's:1', isError: true, result: undefined });
    expect(read('{"result":1}')).toMatchObject({ idKey: 'null' });
  });

  it('does not mix __proto__ with a prototype', () => {
    const message = read(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"__proto__":{"command":"rm"}}}}',
    );
    const args = message.kind === 'request' ? (message.params?.['arguments'] as Record<string, unknown>) : {};
    expect(Object.getPrototypeOf(args)).toBe(Object.prototype);
    expect(args['command']).toBeUndefined();
    expect(Object.keys(args)).toEqual(['__proto__']);
  });

  it('takes no member from a prototype', () => {
    expect(read('{"constructor":1,"toString":2}')).toMatchObject({ kind: 'refused' });
    expect(read('{"id":1,"method":"toString"}')).toMatchObject({ kind: 'request', params: undefined });
  });
});

describe('readServerMessage', () => {
  const from = (line: string | Buffer) => readServerMessage(Buffer.isBuffer(line) ? line : Buffer.from(line));

  it.each([
    [
      'a response',
      '{"id":1,"result":{"a":[1.0]}}',
      { kind: 'response', idKey: 'n:1', isError: false, result: { a: [1] } },
    ],
    ['an error', '{"id":"1","error":{"code":1}}', { kind: 'response', idKey: 's:1', isError: true, result: undefined }],
    ['an error without id', '{"error":{"code":1}}', { kind: 'response', idKey: 'null', isError: true }],
    [
      '"error":null beside a result',
      '{"id":1,"error":null,"result":2}',
      { kind: 'response', isError: false, result: 2 },
    ],
    ['both', '{"id":1,"error":{},"result":2}', { kind: 'response', isError: true, result: undefined }],
    [
      'a request',
      '{"id":0,"method":"ping","params":{"a":1}}',
      { kind: 'request', id: 0, idKey: 'n:0', method: 'ping', params: { a: 1 } },
    ],
    ['a notification', '{"method":"n/x","params":{"a":1}}', { kind: 'notification', method: 'n/x', params: { a: 1 } }],
    ['params that are no object', '{"method":"x","params":[1]}', { kind: 'notification', params: undefined }],
    [
      'the last of equal names',
      '{"id":1,"method":"a","\\u006dethod":"b","id":2}',
      { kind: 'request', idKey: 'n:2', method: 'b' },
    ],
    ['line ends inside', '\r\n{"id":1,\r"result":1}\n', { kind: 'response', result: 1 }],
    ['an unknown member', '{"jsonrpc":"9","x":1,"id":1,"result":1}', { kind: 'response' }],
    ['an array', '[{"id":1,"result":1}]', { kind: 'other' }],
    ['a number', '42', { kind: 'other' }],
    ['an empty object', '{}', { kind: 'other' }],
    ['an id alone', '{"id":1}', { kind: 'other' }],
    ['method and result', '{"id":1,"method":"a","result":1}', { kind: 'other' }],
    ['a method that is no string', '{"id":1,"method":["a"]}', { kind: 'other' }],
    ['an id that is no id', '{"id":{},"result":1}', { kind: 'other' }],
    ['whitespace', ' \r', { kind: 'empty' }],
    ['nothing', '', { kind: 'empty' }],
    ['a wrong separator', '{"id":1;"result":1}', { kind: 'junk' }],
    ['a log line', 'Server running on stdio', { kind: 'junk' }],
    ['a log line in brackets', '[info] listening', { kind: 'junk' }],
    ['a log line in braces', '{level: info}', { kind: 'junk' }],
    ['half a message', '{"id":1,"result":{"a":', { kind: 'junk' }],
    ['two values', '{"id":1,"result":1}{"id":2,"result":1}', { kind: 'junk' }],
    ['a byte order mark', '\ufeff{"id":1,"result":1}', { kind: 'junk' }],
    ['a NUL', '{"id":1,"result":1}\0', { kind: 'junk' }],
  ])('%s', (_, line, expected) => {
    const raw = Buffer.from(line);
    const message = readServerMessage(raw);
    expect(message).toMatchObject(expected);
    if ('raw' in message) expect(message.raw).toBe(raw);
  });

  it('passes bytes that are no UTF-8, and a result that only a lenient parser reads', () => {
    expect(from(Buffer.from('{"id":"\xff","result":{"a":"\xc0"}}', 'latin1'))).toMatchObject({
      kind: 'response',
      result: { a: '\ufffd' },
    });
    expect(from('{"id":1,"result":{"a":"\t"}}')).toMatchObject({ kind: 'response', isError: false, result: undefined });
  });

  it('reads a result of 64 MiB and of a depth of 100,000', () => {
    const raw = Buffer.concat([
      Buffer.from('{"id":1,"result":{"isError":true,"a":"'),
      Buffer.alloc(64 * 1024 * 1024, 'a'),
      Buffer.from('"}}'),
    ]);
    expect(from(raw).kind).toBe('response');
    expect(resultIsError(raw)).toBe(true);
    const deep = `{"id":1,"result":${'{"a":['.repeat(100_000)}1${']}'.repeat(100_000)}}`;
    expect(from(deep).kind).toBe('response');
    expect(from(deep.slice(0, -1)).kind).toBe('junk');
  });
});

describe('resultIsError', () => {
  it.each([
    ['{"result":{"isError":true}}', true],
    ['{"result":{"isError" : true , "content":[]}}', true],
    ['{"result":{"is\\u0045rror":true}}', true],
    ['{"result":{"isError":false}}', false],
    ['{"result":{"isError":"true"}}', false],
    ['{"result":{"isError":1}}', false],
    ['{"result":{"a":{"isError":true}}}', false],
    ['{"isError":true,"result":{}}', false],
    ['{"result":{"isError":true,"isError":false}}', false],
    ['{"result":{"isError":true},"result":{}}', false],
    ['{"error":{"isError":true}}', false],
    ['{"result":[{"isError":true}]}', false],
    ['{"result":"isError"}', false],
    ['nothing', false],
    ['', false],
  ])('%s: %s', (line, expected) => {
    expect(resultIsError(Buffer.from(line))).toBe(expected);
  });
});

describe('refusal', () => {
  it('is one JSON-RPC error on one line, with the id as written', () => {
    const line = refusal('9007199254740993', -32600, 'a "batch"\r\nis not accepted\u2028').toString();
    expect(line).not.toMatch(/[\r\n]/);
    expect(line).toContain('"id":9007199254740993,');
    expect(JSON.parse(line).error).toEqual({ code: -32600, message: 'a "batch"\r\nis not accepted\u2028' });
  });
});
