import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { canonical } from '../../src/audit/record.js';
import { redactArguments, redactText } from '../../src/audit/redact.js';
import { verifies } from '../e2e/requirements.js';
import { CORPUS, formsOf } from './corpus/index.js';
import { ORDINARY_LINES } from './corpus/ordinary-lines.js';

const mark = (secret: string): string => `[redacted:${createHash('sha256').update(secret).digest('hex').slice(0, 8)}]`;

test('the corpus is as large as it says', () => {
  expect(CORPUS.length).toBeGreaterThanOrEqual(200);
  expect(ORDINARY_LINES.length).toBeGreaterThanOrEqual(150);
});

test(`${verifies('A-3')} no secret of the corpus survives in any form, and what else was said stays`, () => {
  const survived: string[] = [];
  for (const { title, args, secret, keep } of CORPUS) {
    const record = canonical(redactArguments(args, {}, mark));
    const found = formsOf(secret).filter((form) => record.includes(form));
    if (found.length > 0) survived.push(`SURVIVES ${title} (${found[0]}): ${record}`);
    else if (![keep, JSON.stringify(keep).slice(1, -1)].some((part) => record.includes(part)))
      survived.push(`LOST ${keep} of ${title}: ${record}`);
  }
  expect(survived).toEqual([]);
});

test('a text that is redacted again stays as it is', () => {
  for (const { args } of CORPUS) {
    if (typeof args['command'] !== 'string') continue;
    const once = redactText(args['command'], mark);
    expect(redactText(once, mark)).toBe(once);
  }
});

test('ordinary lines are recorded as they are', () => {
  const touched = ORDINARY_LINES.map((line) => [line, redactText(line, mark)]).filter(([line, out]) => line !== out);
  expect(touched).toEqual([]);
});
