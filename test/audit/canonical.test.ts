import canonicalize from 'canonicalize';
import { expect, test } from 'vitest';
import { canonicalMembers } from '../../src/audit/canonical.js';
import { canonical, recordHash, seal } from '../../src/audit/record.js';
import { fc } from '../support/property.js';

const json = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' }), {
  noNullPrototype: true,
});

test('an object of any JSON has the text that the general implementation gives it', () => {
  fc.assert(
    fc.property(json, (object) => {
      expect(`{${canonicalMembers(object)}}`).toBe(canonicalize(object));
    }),
  );
});

test('numbers, names that look like numbers and members without a value', () => {
  const object = {
    10: 1e21,
    9: -0,
    b: 1e-7,
    a: [0.1, { z: null, y: undefined }],
    '\u{1f600}': 1,
    '\ufb33': 2,
    u: undefined,
  };
  expect(`{${canonicalMembers(object)}}`).toBe(canonicalize(object));
});

test.each([
  ['NaN', Number.NaN],
  ['an infinite number', Number.POSITIVE_INFINITY],
  ['half a surrogate pair', 'x\ud800'],
  ['a name with half a pair', { '\udc00': 1 }],
  ['a bigint', 1n],
  ['a function', () => 1],
])('%s is no JSON value', (_, value) => {
  expect(() => canonicalMembers({ value })).toThrow(TypeError);
});

test('a sealed line is the canonical text of its record, and its hash the one that verify computes', () => {
  fc.assert(
    fc.property(json, fc.integer({ min: 0, max: 9 }), (members, seq) => {
      const prev = 'a'.repeat(64);
      const { line, head } = seal({ ...members, kind: 'note', at: 'now' }, { chain: 'c', seq, hash: prev });
      const record = JSON.parse(line.toString());
      expect(line.toString()).toBe(`${canonical(record)}\n`);
      expect(record).toMatchObject({ kind: 'note', at: 'now', v: 1, chain: 'c', seq: seq + 1, prev, hash: head.hash });
      expect(recordHash(record, prev)).toBe(head.hash);
    }),
  );
});
