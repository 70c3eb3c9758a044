import { describe, expect, it } from 'vitest';
import { decodeString, lastNamed, latin1, readContainer, skipSpace, valueEnd } from '../../../src/wire/scan.js';
import { fc } from '../../support/property.js';
import { compact, jsonText, objectText, readAst } from './support.js';

function scanned(text: string): boolean {
  const bytes = latin1(Buffer.from(text));
  const end = valueEnd(bytes, 0);
  return end >= 0 && skipSpace(bytes, end) === bytes.length;
}

function parsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('valueEnd', () => {
  it('accepts every JSON text', () => {
    fc.assert(
      fc.property(jsonText, (text) => scanned(text) && parsed(text)),
      { numRuns: 500 },
    );
  });

  it('agrees with JSON.parse on text that was cut, doubled or broken outside of strings', () => {
    const broken = fc.tuple(
      jsonText,
      fc.nat(),
      fc.constantFrom('', ',', ':', '}', ']', '{', '[', '1', '-', '.', 'e', 'true', 'x', '\f', '0'),
    );
    fc.assert(
      fc.property(broken, fc.nat(2), ([text, seed, insert], cut) => {
        const at = seed % (text.length + 1);
        const other = text.slice(0, at) + insert + text.slice(at + cut);
        // The scanner does not look into strings; JSON.parse does.
        if (/\\|[^ -~]/.test(other)) return;
        expect(scanned(other), other).toBe(parsed(other));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    '01',
    '-',
    '1.',
    '.5',
    '1e',
    '1e+',
    '+1',
    'tru',
    'nul',
    'NaN',
    '"',
    '"\\"',
    '[1,]',
    '{"a":1,}',
    '{a:1}',
    '{"a" 1}',
    '[',
    '{',
    '{"a"',
    '{"a":',
    '',
    ']',
  ])('refuses %j', (text) => {
    expect(scanned(text)).toBe(false);
  });

  it('has no limit of depth', () => {
    const deep = '[{"a":'.repeat(100_000);
    expect(scanned(`${deep}1${'}]'.repeat(100_000)}`)).toBe(true);
    expect(scanned(deep)).toBe(false);
  });
});

describe('readContainer', () => {
  it('gives the members with the text of their values, in bytes', () => {
    fc.assert(
      fc.property(objectText, (text) => {
        const raw = Buffer.from(text);
        const items = readContainer(latin1(raw), 0)?.items ?? [];
        const ast = readAst(text);
        const members = ast.kind === 'object' ? ast.members : [];
        expect(
          items.map((item) => [item.name, compact(readAst(raw.toString('utf8', item.valueStart, item.end)))]),
        ).toEqual(members.map(([name, value]) => [JSON.parse(name), compact(value)]));
      }),
      { numRuns: 500 },
    );
  });

  it('finds the member that JavaScript reads', () => {
    const text = '{"a":1,"\\u0061":2,"b":3}';
    const item = lastNamed(readContainer(text, 0), 'a');
    expect(item && text.slice(item.valueStart, item.end)).toBe('2');
  });

  it('takes a name with a broken escape as it stands', () => {
    expect(decodeString('"a\\x"', 0, 5)).toBe('a\\x');
  });
});
