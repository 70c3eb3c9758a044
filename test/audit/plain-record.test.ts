import { expect, test } from 'vitest';
import { readPlain } from '../../src/audit/plain-record.js';
import { canonical, GENESIS, recordHash, seal, sha256 } from '../../src/audit/record.js';
import { fc } from '../support/property.js';

const HEAD = { chain: '20260101T000000Z-1-00000000000000aa', seq: 6, hash: GENESIS };
const lineOf = (body: object, kind: 'intent' | 'head' = 'intent') =>
  seal({ kind, at: '2026-01-01T00:00:00Z', ...body }, HEAD)
    .line.toString()
    .trimEnd();

/** Whatever is taken for plain is canonical, and what is told of it is what the general way would. */
function expectProved(line: string): boolean {
  const plain = readPlain(Buffer.from(line));
  if (plain === undefined) return false;
  const record = JSON.parse(line) as Record<string, unknown>;
  expect(canonical(record)).toBe(line);
  expect(record).toMatchObject(plain.record);
  expect(sha256(GENESIS + plain.unhashed)).toBe(recordHash(record, GENESIS));
  return true;
}

test('a call’s record in plain JSON is read without being parsed', () => {
  const body = {
    arguments: { command: 'echo "a\\b"\n\t{}[],:', empty: {}, list: [], nested: [[{ hash: 'x' }], null, true, false] },
    count: 12,
    negative: -7,
    none: 0,
    long: 999_999_999_999_999,
    zz: { hash: 'y', '': 1 },
  };
  const line = lineOf(body);
  expect(expectProved(line)).toBe(true);
  expect(readPlain(Buffer.from(line))?.record).toEqual({
    v: 1,
    seq: 7,
    chain: HEAD.chain,
    prev: GENESIS,
    kind: 'intent',
    hash: (JSON.parse(line) as { hash: string }).hash,
  });
});

test('everything else is left to the general way', () => {
  const line = lineOf({ zz: 'x', yy: 1, ww: [1, 2], uu: { a: 1, b: 2 } });
  expect(expectProved(line)).toBe(true);
  const others = [
    lineOf({ key: 'x' }, 'head'),
    lineOf({ zz: 'ü' }),
    lineOf({ zz: '\u0001' }),
    lineOf({ zz: 0.5 }),
    lineOf({ zz: 1e21 }),
    lineOf({ ü: 1 }),
    lineOf({ zz: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) as object }),
    line.replace('"yy":1', '"yy":-0'),
    line.replace('"yy":1', '"yy":01'),
    line.replace('"yy":1', '"yy":1.0'),
    line.replace('"yy":1', '"yy":1e3'),
    line.replace('"yy":1', '"yy":-'),
    line.replace('"yy":1', '"yy":9999999999999999'),
    line.replace('"yy":1', '"yy":True'),
    line.replace('"yy":1', '"yy":1,"yy":1'),
    line.replace('"yy":1', '"yy": 1'),
    line.replace('"yy":1', '"y\\"y":1'),
    line.replace('"zz":"x"', '"zz":"\\u0078"'),
    line.replace('"zz":"x"', '"zz":"\\/"'),
    line.replace('"zz":"x"', '"zz":"\t"'),
    line.replace('"zz":"x"', '"zz":"x'),
    line.replace('"zz":"x"', '"zz":"x\\'),
    line.replace('"a":1,"b":2', '"b":2,"a":1'),
    line.replace('"a":1,"b":2', '"a":1,"a":2'),
    line.replace('[1,2]', '[1,2,]'),
    line.replace('[1,2]', '[1 ,2]'),
    line.replace('[1,2]', '[1,2'),
    line.replace('[1,2]', '[,]'),
    line.replace('"v":1', '"v":"1"'),
    line.replace('"seq":7', '"seq":{}'),
    line.replace('"kind":"intent"', '"kind":["intent"]'),
    line.replace('"kind":"intent"', '"kind":"in\\tent"'),
    `${line} `,
    `${line}\r`,
    `${line}${line}`,
    `[${line}]`,
    ` ${line}`,
    `\ufeff${line}`,
    '{}',
    '{',
    '',
    '{"hash":"x","kind":"intent"}',
  ];
  for (const other of others) expect(readPlain(Buffer.from(other)), other.slice(-120)).toBeUndefined();
});

const words = fc.oneof(fc.string({ unit: 'binary-ascii' }), fc.string({ unit: 'grapheme' }), fc.constant('__proto__'));
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    words,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(null, true, false, 0, -0, ''),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(words, tie('value'), { maxKeys: 4 }),
  ),
})).value;

test('whatever is taken for plain is canonical: records of any content, with any piece replaced', () => {
  let proved = 0;
  const piece = fc.constantFrom(
    '"',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '0',
    '1',
    '-',
    '.',
    'e',
    ' ',
    '\t',
    'a',
    '"a":1,',
    'null',
    '\\u0061',
    'é',
    '',
  );
  fc.assert(
    fc.property(
      fc.dictionary(words, values, { maxKeys: 3 }),
      fc.nat(),
      fc.nat(3),
      piece,
      (body, position, length, put) => {
        const { v: _v, chain: _c, seq: _s, prev: _p, hash: _h, kind: _k, at: _a, ...rest } = body;
        const line = lineOf({ more: rest });
        if (expectProved(line)) proved += 1;
        const at = position % line.length;
        expectProved(line.slice(0, at) + put + line.slice(at + length));
      },
    ),
    { numRuns: 1500 },
  );
  expect(proved).toBeGreaterThan(100);
});
