import { expect, test } from 'vitest';
import { quote, visible } from '../../src/domain/text.js';
import { verifies } from '../e2e/requirements.js';
import { fc } from '../support/property.js';

test.each([
  ['a new line', 'a\nb', '"a\\u000ab"'],
  ['a terminal escape', '\u001b[2Jx', '"\\u001b[2Jx"'],
  ['right-to-left override', 'a\u202eb', '"a\\u202eb"'],
  ['zero-width space', 'a\u200bb', '"a\\u200bb"'],
  ['a tag character beyond the first plane', 'a\u{e0041}b', '"a\\u{e0041}b"'],
  ['a lone surrogate', 'a\ud800b', '"a\\ud800b"'],
  ['quotes and backslashes', 'say "x\\"', '"say \\"x\\\\\\""'],
  ['a variation selector', 'a\ufe0fb', '"a\\ufe0fb"'],
])(`${verifies('P-4')} %s is made visible`, (_name, text, shown) => {
  expect(quote(text)).toBe(shown);
});

test(`${verifies('P-4')} nothing hidden survives, and it stays one line in one pair of quotes`, () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const shown = quote(text, 100);
      expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      expect(shown.slice(1, -1).replaceAll(/\\./g, '')).not.toContain('"');
    }),
  );
});

test(`${verifies('P-4')} different texts never look the same`, () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 });
  fc.assert(fc.property(text, text, (a, b) => a === b || visible(a) !== visible(b)));
});
