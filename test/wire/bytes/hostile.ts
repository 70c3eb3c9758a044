import { escaped } from './support.js';

/** A line of a client, and what must come of it: `pass` with its kind, or a refusal with the id that goes back. */
export interface Row {
  readonly why: string;
  readonly line: string | Buffer;
  readonly expect:
    | 'request'
    | 'notification'
    | 'response'
    | 'empty'
    | { readonly code: -32600 | -32700; readonly id: string };
}

const bad = (id = '7'): Row['expect'] => ({ code: -32600, id });
const noJson: Row['expect'] = { code: -32700, id: 'null' };
const call = (params: string, head = '"jsonrpc":"2.0","id":7') => `{${head},"method":"tools/call","params":${params}}`;
const ping = (rest: string, id = '7') => `{"jsonrpc":"2.0","id":${id},"method":"ping"${rest}}`;
const CALL = call('{"name":"exec","arguments":{"command":"rm -rf /"}}');
const latin = (text: string) => Buffer.from(text, 'latin1');
const rows = (why: string, expect: Row['expect'], lines: readonly (string | Buffer)[]): Row[] =>
  lines.map((line) => ({ why, line, expect }));

const KINDS: readonly Row[] = [
  ...rows('a call', 'request', [
    CALL,
    `${CALL}\r`,
    ` \t${CALL} `,
    call('{"name":"exec"}'),
    call('{"name":"exec","arguments":{}}'),
  ]),
  ...rows('a call with a string id', 'request', [
    call('{"name":"x"}', '"jsonrpc":"2.0","id":""'),
    call('{"name":"x"}', '"jsonrpc":"2.0","id":"1"'),
  ]),
  ...rows('an unknown method or member', 'request', [
    ping(',"x":{"Method":1,"Name":2}'),
    ping(',"params":null'),
    ping(',"params":[1]'),
    ping(',"Ids":1,"meta":2'),
  ]),
  ...rows('ids that only a tools/call may not have', 'request', [
    ping('', 'null'),
    ping('', '1.5'),
    ping('', '-0'),
    ping('', '1e400'),
  ]),
  ...rows('no jsonrpc, or another, without tools/call', 'request', [
    '{"id":1,"method":"ping"}',
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
  ]),
  ...rows('names that only look reserved elsewhere', 'request', [
    call('{"name":"x","arguments":{"Name":1,"METHOD":2,"arguments":3,"__proto__":{"a":1},"":0,"\\u0000":1}}'),
    call('{"name":"x","meta":{"Name":1},"_meta":{"NAME":1,"name":2},"Names":1}'),
    ping(',"params":{"deep":{"name":1,"Name":2},"Method":"x","Params":{}}'),
  ]),
  ...rows('strings may hold anything', 'request', [
    call('{"name":"x","arguments":{"a":"\\ud800","b":"\u2028\u2029\\u0000\\r\\n","c":"}{\\"method\\":\\"ping\\"}"}}'),
    call('{"name":"x","arguments":{"a":"\u00e9\ud83d\ude00\ufeff"}}'),
    call('{"name":"x","arguments":{"n":[9007199254740993,1.0,1e400,-0]}}'),
  ]),
  ...rows('a notification', 'notification', [
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"method":"x","params":{"a":[]}}',
  ]),
  ...rows('a response', 'response', [
    '{"jsonrpc":"2.0","id":1,"result":null}',
    '{"id":"a","error":{"code":1}}',
    '{"result":{}}',
    '{"id":null,"error":{}}',
  ]),
  ...rows('whitespace', 'empty', ['', '\r', ' ', '\t \r', '\r\r']),
];

const BYTES: readonly Row[] = [
  ...rows('a byte order mark', bad(), [`\ufeff${CALL}`, `\ufeff\ufeff${CALL}`]),
  ...rows('a raw NUL', bad(), [
    `${CALL}\0`,
    `\0${CALL}`,
    CALL.replace('rm', 'r\0m'),
    CALL.replace('"method"', '"method\0"'),
  ]),
  ...rows('UTF-16', bad(), [Buffer.from(`\ufeff${CALL}`, 'utf16le'), Buffer.from(CALL, 'utf16le')]),
  ...rows('invalid UTF-8', bad(), [
    latin(CALL.replace('rm', '\xff')),
    latin(CALL.replace('rm', '\xc0\xaf')),
    latin(CALL.replace('rm', '\xed\xa0\x80')),
    latin(CALL.replace('"method"', '"m\xe9thod"')),
  ]),
  ...rows('a bare CR', bad(), [`\r${CALL}`, `${CALL}\r\r`, CALL.replace(',', ',\r'), ping(`,"params":\r${CALL}\r`)]),
  ...rows('a bare LF', bad(), [CALL.replace(',', ',\n'), `${CALL}\n`]),
  ...rows('two values on one line', bad('null'), [
    `${CALL}${CALL}`,
    `${ping('')} ${CALL}`,
    `${ping('')},${CALL}`,
    `${CALL} x`,
    `[]${CALL}`,
    '1 2',
    '"a" {}',
    `null\r${CALL}`,
  ]),
  ...rows('a string that only a lenient parser reads', bad(), [
    CALL.replace('rm', 'r\tm'),
    CALL.replace('rm', 'r\\xm'),
    CALL.replace('method', 'm\\ethod'),
  ]),
  ...rows('no JSON', noJson, [
    'hello',
    '{',
    '{"id":7',
    `x${CALL}`,
    `/*c*/${CALL}`,
    CALL.replaceAll('"', "'"),
    `${CALL.slice(0, -1)},}`,
    '12:30 ready',
    '\f',
    '\u00a0',
    '\ufeff',
    '\0',
    latin('\xff\xfe'),
    `)]}',${CALL}`,
  ]),
];

const SHAPES: readonly Row[] = [
  ...rows('a batch', bad('null'), ['[]', `[${CALL}]`, `[${ping('')},${CALL}]`, ` [[${CALL}]]`]),
  ...rows('no object', bad('null'), ['null', 'true', '42', '"tools/call"', '1e400']),
  ...rows('neither method nor answer', bad(), ['{"id":7}', '{"jsonrpc":"2.0","id":7,"params":{}}']),
  ...rows('nothing at all', bad('null'), ['{}', '{"id":{}}']),
  ...rows('a method together with an answer', bad(), [
    ping(',"result":{}'),
    ping(',"error":{}'),
    `{"result":null,${CALL.slice(1)}`,
    '{"id":7,"method":null,"result":1}',
  ]),
  ...rows('result and error together', bad(), ['{"id":7,"result":1,"error":{}}']),
  ...rows('a method with half a surrogate pair', bad(), ['{"jsonrpc":"2.0","id":7,"method":"x\\ud800"}']),
  ...rows(
    'a method that is no string',
    bad(),
    ['["tools/call"]', '{"a":1}', '1', 'null', 'true'].map((method) => `{"jsonrpc":"2.0","id":7,"method":${method}}`),
  ),
  ...rows(
    'an id that JSON-RPC does not allow',
    bad('null'),
    ['{}', '[7]', 'true', 'false'].map((id) => ping('', id)),
  ),
  ...rows('an id that is half a surrogate pair', bad('null'), [ping('', '"\\ud800"'), ping('', '"a\\udc00"')]),
];

const TOOLS_CALL: readonly Row[] = [
  ...rows(
    'params that are no object',
    bad(),
    ['[]', 'null', '"x"', '["exec",{}]', '1'].map((params) => call(params)),
  ),
  ...rows('no params', bad(), ['{"jsonrpc":"2.0","id":7,"method":"tools/call"}']),
  ...rows(
    'a name that is no string',
    bad(),
    ['{}', '{"name":null}', '{"name":["x"]}', '{"name":{}}', '{"name":1}', '{"arguments":{}}'].map((params) =>
      call(params),
    ),
  ),
  ...rows('a name with half a surrogate pair', bad(), [call('{"name":"x\\ud83d"}')]),
  ...rows(
    'arguments that are no object',
    bad(),
    ['null', '[]', '"{}"', '1', 'true'].map((args) => call(`{"name":"x","arguments":${args}}`)),
  ),
  ...rows('a notification', bad('null'), [call('{"name":"x"}', '"jsonrpc":"2.0"')]),
  ...rows(
    'an odd id without an answer',
    bad('null'),
    ['null', '{}', '[7]', 'true'].map((id) => call('{"name":"x"}', `"jsonrpc":"2.0","id":${id}`)),
  ),
  ...['1.0', '1.5', '1e3', '-0', '1e400'].flatMap((id) =>
    rows('a number that is no integer as written', bad(id), [call('{"name":"x"}', `"jsonrpc":"2.0","id":${id}`)]),
  ),
  ...rows(
    'no jsonrpc 2.0',
    bad(),
    [
      '"id":7',
      '"jsonrpc":2.0,"id":7',
      '"jsonrpc":"2.0 ","id":7',
      '"jsonrpc":"1.0","id":7',
      '"jsonrpc":null,"id":7',
    ].map((head) => call('{"name":"x"}', head)),
  ),
  ...rows(
    'a method that another reader takes for tools/call',
    bad(),
    [
      'tools/call ',
      ' tools/call',
      'Tools/Call',
      'TOOLS/CALL',
      'tool\u017f/call',
      'tools\uff0fcall',
      '\uff54ools/call',
      'tools/call\\u0000',
      'tools/call\\u0000/x',
      'tools/call\\n',
      'tools/ca\u200bll',
      'tools/call\ufeff',
      '\u00a0tools/call',
    ].map((method) => CALL.replace('tools/call', method)),
  ),
];

const NAMES: readonly Row[] = [
  ...rows('a name twice', bad(), [
    ping(',"method":"tools/call"'),
    ping(',"m\\u0065thod":"tools/call"'),
    ping(`,${escaped('method')}:"tools/call"`),
    ping(',"a":1,"a":1'),
    call('{"name":"ls","name":"rm"}'),
    call('{"name":"ls","n\\u0061me":"rm"}'),
    call('{"name":"x","arguments":{"command":"ls","command":"rm"}}'),
    call('{"name":"x","arguments":{"a":[[{"b":1,"\\u0062":2}]]}}'),
    call('{"name":"x","arguments":{"":1,"":2}}'),
    call('{"name":"x","arguments":{"\u00e9":1,"\\u00e9":2}}'),
    call('{"name":"x","arguments":{"\ud83d\ude00":1,"\\ud83d\\ude00":2}}'),
    call('{"name":"x","arguments":{"a\\/b":1,"a/b":2}}'),
    call('{"name":"x","arguments":{"__proto__":1,"__proto__":2}}'),
    call('{"name":"x","params":{},"params":{}}'),
    '{"id":7,"result":{"a":{"b":1,"b":2}}}',
  ]),
  ...rows('the id twice', bad('null'), [ping(',"id":8'), ping(',"\\u0069d":8')]),
  ...[
    'Method',
    'METHOD',
    'method ',
    '\uff4dethod',
    'me\u200bthod',
    'method\\u0000',
    'method\\u0000x',
    'ID',
    '\u0130d',
    '\u0131d',
    'i\uff44',
    'Params',
    'param\u017f',
    'PARAM\u017f',
    'JsonRpc',
    'j\u017fonrpc',
    '__proto__',
  ].flatMap((name) => rows('a reserved name of the message, folded', bad(), [ping(`,"${name}":{}`)])),
  ...[
    'Name',
    'NAME',
    'na\\u004de',
    '\uff2eame',
    'Arguments',
    'argument\u017f',
    '_Meta',
    '_META',
    '\uff3fmeta',
    'Task',
    'tas\u212a',
    'TAS\u212a',
    'URI',
    'Uri',
    'ur\u0131',
    '__proto__',
  ].flatMap((name) => rows('a reserved name of the params, folded', bad(), [call(`{"name":"x","${name}":{}}`)])),
  ...rows('a reserved name, folded, in other messages', bad(), [
    ping(',"params":{"Name":"x"}'),
    '{"id":7,"RESULT":1,"Method":"x","result":1}',
    '{"Id":1,"id":7,"method":"x"}',
  ]),
  ...rows('a folded id instead of an id', bad('null'), [
    '{"jsonrpc":"2.0","ID":7,"method":"ping"}',
    '{"Method":"tools/call"}',
  ]),
  ...rows('half a surrogate pair in a name', bad(), [
    call('{"name":"x","arguments":{"\\ud800":1,"\\ud801":2}}'),
    ping(',"\\udc00":1'),
    ping(',"params":{"\\ud800":1}'),
  ]),
];

export const ROWS: readonly Row[] = [...KINDS, ...BYTES, ...SHAPES, ...TOOLS_CALL, ...NAMES];
