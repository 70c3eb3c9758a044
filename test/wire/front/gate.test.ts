import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asOneLine } from '../../../src/wire/front/body.js';
import { accepts, isJson } from '../../../src/wire/front/media.js';
import { givenMismatch, headerMismatch, isStateless } from '../../../src/wire/front/mirrored.js';
import { isOwnHost, isOwnOrigin, ownNames } from '../../../src/wire/front/names.js';
import { onlyCompared, paramMismatch, withoutParams } from '../../../src/wire/front/param-check.js';
import { readToken } from '../../../src/wire/front/token-file.js';
import { isLoopbackHost } from '../../../src/wire/loopback.js';
import { type RequestMessage, readClientMessage } from '../../../src/wire/message.js';
import { headerValue } from '../../../src/wire/remote/header-values.js';
import { fc } from '../../support/property.js';

describe('names of the server', () => {
  const names = ownNames('10.0.0.5', 8443, ['gw.example', 'lb.example:443']);

  test.each(['10.0.0.5:8443', 'localhost:8443', '[::1]:8443', 'GW.example', 'gw.example:8443', 'lb.example:443'])(
    '%s',
    (host) => {
      expect(isOwnHost(names, host)).toBe(true);
      expect(isOwnOrigin(names, `https://${host}`)).toBe(true);
    },
  );

  test.each([
    undefined,
    '',
    'localhost',
    'localhost:80',
    'lb.example',
    'gw.example:1',
    'gw.example.',
    'evil:8443',
    'localhost:8443, gw.example',
  ])('not %s', (host) => {
    expect(isOwnHost(names, host)).toBe(false);
  });

  test.each([
    'null',
    'gw.example',
    'https://gw.example/',
    'https://gw.example@evil',
    'ftp://gw.example',
    'https://gw.example.evil',
    '',
  ])('no Origin %s', (origin) => {
    expect(isOwnOrigin(names, origin)).toBe(false);
  });

  test('any address is no name', () => {
    for (const any of ['0.0.0.0', '::']) {
      const all = ownNames(any, 80, []);
      expect([isOwnHost(all, '0.0.0.0:80'), isOwnHost(all, '[::]:80'), isOwnHost(all, 'localhost')]).toEqual([
        false,
        false,
        true,
      ]);
    }
    expect(
      ['127.0.0.1', '127.9.9.9', '::1', 'localhost', '0.0.0.0', '10.0.0.5', '127.0.0.1.evil'].map(isLoopbackHost),
    ).toEqual([true, true, true, true, false, false, false]);
  });
});

describe('media types', () => {
  test.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    ' application/json ',
  ])('%s is JSON', (type) => expect(isJson(type)).toBe(true));
  test.each([
    undefined,
    '',
    'text/json',
    'application/json; charset=latin1',
    'application/json; charset=utf-8; x=1',
    'application/json, text/html',
    'application/jsonp',
  ])('%s is not', (type) => expect(isJson(type)).toBe(false));
  test('what a client accepts', () => {
    const both = ['application/json', 'text/event-stream'];
    for (const accept of [
      undefined,
      '*/*',
      'application/json, text/event-stream',
      'text/*;q=0.5, application/*',
      'TEXT/event-stream,application/json;q=1',
    ])
      expect(accepts(accept, both)).toBe(true);
    for (const accept of [
      'application/json',
      'text/event-stream',
      'application/json, text/event-stream;q=0',
      'text/html',
    ])
      expect(accepts(accept, both)).toBe(false);
  });
});

describe('a body as one line', () => {
  const eol = fc.constantFrom('', ' ', '\n', '\r\n', '\n\n\t');

  test('says the same, and has no line end left', () => {
    fc.assert(
      fc.property(fc.json(), fc.array(eol, { minLength: 1 }), (json, ends) => {
        let at = 0;
        const gap = () => ends[at++ % ends.length] ?? '';
        const pretty = JSON.stringify(JSON.parse(json), null, 1)?.replaceAll(/\n */g, gap) ?? json;
        const line = asOneLine(Buffer.from(`${gap()}${pretty}${gap()}`)).toString();
        expect(line).not.toMatch(/[\n\r]/);
        expect(JSON.parse(line)).toEqual(JSON.parse(json));
      }),
    );
  });

  test('keeps what stands in strings, and a CR alone', () => {
    for (const text of ['{"a":"x\ny"}', '{"a":\r1}', '{"a":"', '{"a":1}']) {
      expect(asOneLine(Buffer.from(text)).toString()).toBe(text);
    }
  });
});

describe('headers of a stateless request', () => {
  const read = (method: string, params: object): RequestMessage => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const message = readClientMessage(
      Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } })),
    );
    if (message.kind !== 'request') throw new Error(message.kind);
    return message;
  };
  const check = (method: string, params: object, name?: string, version = '2026-07-28') => {
    const given = new Map([
      ['mcp-protocol-version', version],
      ['mcp-method', method],
      ...(name === undefined ? [] : [['mcp-name', name] as const]),
    ]);
    return headerMismatch((each) => given.get(each), read(method, params));
  };
  const encoded = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;

  test('agree, also encoded', () => {
    expect(check('tools/call', { name: 'a b' }, 'a b')).toBeUndefined();
    expect(check('tools/call', { name: 'wörld\n' }, encoded('wörld\n'))).toBeUndefined();
    expect(check('resources/read', { uri: 'x://y' }, 'x://y')).toBeUndefined();
    expect(check('tools/list', {})).toBeUndefined();
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(check('prompts/get', { name }, encoded(name))).toBeUndefined();
      }),
    );
  });

  test('disagree', () => {
    for (const wrong of ['b', undefined, encoded('b'), '=?base64?YQ=?=', '=?base64?!?=', '=?BASE64?YQ==?=', 'ä'])
      expect(check('tools/call', { name: 'a' }, wrong)).toMatch(/Mcp-Name/);
    expect(check('tools/call', { name: 'a' }, 'a', '2025-11-25')).toMatch(/MCP-Protocol-Version/);
    expect(headerMismatch(() => undefined, read('tools/list', {}))).toMatch(/MCP-Protocol-Version/);
    const silent = { ...read('tools/list', {}), params: {} };
    expect(headerMismatch(() => 'tools/list', silent)).toBeUndefined();
    expect(headerMismatch(() => undefined, silent)).toMatch(/Mcp-Method/);
  });

  test('revisions with sessions', () => {
    expect(
      ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28', '2099-01-01', 'x'].map(isStateless),
    ).toEqual([false, false, false, false, true, true, true]);
  });
});

describe.skipIf(process.platform === 'win32')('the token file', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'rewind-token-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  test('is made once, for its owner alone', () => {
    const path = join(dir, 'deep', 'serve.token');
    const token = readToken(path);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(readToken(path)).toBe(token);
    expect(readFileSync(path, 'utf8')).toBe(`${token}\n`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('is refused where it is open to others, a link, or no token', () => {
    const path = join(dir, 'token');
    writeFileSync(path, 'a-good-long-token-0123456789\n', { mode: 0o600 });
    expect(readToken(path)).toBe('a-good-long-token-0123456789');
    symlinkSync(path, join(dir, 'link'));
    expect(() => readToken(join(dir, 'link'))).toThrow(/Nothing was started/);
    chmodSync(path, 0o640);
    expect(() => readToken(path)).toThrow(/open to others/);
    for (const text of ['', 'short', 'two lines of words\n', 'ä'.repeat(40)]) {
      writeFileSync(join(dir, 'bad'), text, { mode: 0o600 });
      expect(() => readToken(join(dir, 'bad'))).toThrow(/holds no token/);
    }
  });
});

describe('headers that repeat arguments', () => {
  const schema = {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
      deep: { type: 'object', properties: { n: { type: 'integer', 'x-mcp-header': 'N' } } },
      bad: { type: 'string', 'x-mcp-header': 'a b' },
      plain: { type: 'string' },
    },
  };
  const check = (args: unknown, heads: Readonly<Record<string, string[]>>) => paramMismatch(heads, args, schema);
  const region = (...values: string[]) => ({ 'mcp-param-region': values });

  test('agree', () => {
    expect(check({}, {})).toBeUndefined();
    expect(
      check({ region: 'eu', dry: false, plain: 'x', bad: 'y' }, { ...region('eu'), 'mcp-param-dry': ['false'] }),
    ).toBeUndefined();
    expect(check({ deep: { n: 42 } }, { 'mcp-param-n': ['42.0'] })).toBeUndefined();
    expect(check({ region: null }, {})).toBeUndefined();
    expect(paramMismatch(region('anything'), { region: 'eu' }, undefined)).toBeUndefined();
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
        const [same, another] = [one, other].map((text) => Buffer.from(text).toString());
        expect(check({ region: same }, region(headerValue(same ?? '')))).toBeUndefined();
        if (same !== another) expect(check({ region: same }, region(headerValue(another ?? '')))).toBeDefined();
      }),
    );
  });

  test.each([
    ['another value', { region: 'eu' }, region('us')],
    ['no header', { region: 'eu' }, {}],
    ['two headers', { region: 'eu' }, region('eu', 'eu')],
    ['no such argument', {}, region('eu')],
    ['an argument that is null', { region: null }, region('')],
    ['an argument that is no plain value', { region: ['eu'] }, region('eu')],
    ['another letter case', { region: 'eu' }, region('EU')],
    ['a broken encoding', { region: 'eu' }, region('=?base64?ZX?=')],
    ['another number', { deep: { n: 42 } }, { 'mcp-param-n': ['43'] }],
    ['a number in other words', { deep: { n: 42 } }, { 'mcp-param-n': ['0x2a'] }],
    ['arguments that are no object', 7, region('eu')],
  ])('differ: %s', (_what, args, heads) => expect(check(args, heads)).toMatch(/^Header mismatch: mcp-param-/));

  test('go up only where the schema names them', () => {
    const heads = { ...region('eu'), 'mcp-param-other': ['x'], 'mcp-method': ['tools/call'] };
    expect(onlyCompared(heads, schema)).toEqual({ ...region('eu'), 'mcp-method': ['tools/call'] });
    expect(withoutParams(heads)).toEqual({ 'mcp-method': ['tools/call'] });
  });
});

test('a request of a session needs no mirrored headers, but those that it has agree with its body', () => {
  const message = readClientMessage(
    Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"safe","arguments":{}}}'),
  ) as RequestMessage;
  const told = (headers: Readonly<Record<string, string>>) => givenMismatch((name) => headers[name], message);
  expect(told({})).toBeUndefined();
  expect(told({ 'mcp-name': 'safe', 'mcp-method': 'tools/call' })).toBeUndefined();
  expect(told({ 'mcp-name': 'other' })).toContain('"other"');
  expect(told({ 'mcp-method': 'tools/list' })).toContain('"tools/list"');
});
