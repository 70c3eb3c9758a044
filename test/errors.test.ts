import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ERROR_CODES, MAY_HAVE_RUN, NOT_SENT } from '../src/domain/errors.js';

const page = readFileSync('docs/errors.md', 'utf8');
const [, notSent = '', mayHaveRun = ''] = page.split(/^## .*$/m);
const codes = (section: string) => [...section.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, code]) => code);

test('docs/errors.md lists the codes of the code, each under what it says of the command', () => {
  expect(codes(notSent)).toEqual([...NOT_SENT]);
  expect(codes(mayHaveRun)).toEqual([...MAY_HAVE_RUN]);
  expect(new Set(ERROR_CODES).size).toBe(ERROR_CODES.length);
});
