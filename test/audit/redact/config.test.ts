import { expect, test } from 'vitest';
import { NO_RULES, operatorRedaction } from '../../../src/audit/redact/config.js';
import { KnownSecrets } from '../../../src/audit/redact/known.js';
import { redactAbout, redactArguments } from '../../../src/audit/redact/redact.js';
import { loadSecretRules, withoutRuleSecrets } from '../../../src/audit/redact/secret-rules.js';
import { matchesWildcards } from '../../../src/domain/wildcard.js';
import { verifies } from '../../e2e/requirements.js';
import { auditIn, judged, logger, PIN, receipt, recordsIn, tempDir } from '../support.js';

const mark = () => '[redacted]';
const OWN = operatorRedaction({ arguments: ['pin_code', '*_lizenz', 'x?y'], words: ['ACME-*', '*-geheim-??'] });

function redacted(args: Readonly<Record<string, unknown>>, rules = OWN): unknown {
  return redactArguments(args, {}, mark, new KnownSecrets(mark), rules);
}

test(`${verifies('A-3')} audit.redact.arguments: a name hides its value in any case, any depth and whatever it holds`, () => {
  const given = {
    pin_code: '1234',
    PIN_CODE: 'abc',
    nested: [{ deep: { Windows_Lizenz: 'value', other: 'kept' } }],
    pairs: [{ name: 'pin_code', value: 'v' }],
    x1y: { list: ['a', 7, true, null], text: 'b' },
    pin_codes: 'kept',
    xy: 'kept',
  };
  expect(redacted(given)).toEqual({
    pin_code: '[redacted]',
    PIN_CODE: '[redacted]',
    nested: [{ deep: { Windows_Lizenz: '[redacted]', other: 'kept' } }],
    pairs: [{ name: 'pin_code', value: '[redacted]' }],
    x1y: { list: ['[redacted]', '[redacted]', true, null], text: '[redacted]' },
    pin_codes: 'kept',
    xy: 'kept',
  });
  expect(redacted(given, NO_RULES)).toEqual(given);
});

test(`${verifies('A-3')} audit.redact.words: a word is a secret wherever it stands`, () => {
  const given = {
    command: 'run ACME-1 "ACME-2",(ACME-3)=ACME-4; echo x-geheim-12 | y',
    list: ['ACME-5', 'kept'],
    host: 'ACME-6',
    'ACME-7': 1,
    longer: 'y-geheim-345 acme-8 NOACME-9',
  };
  expect(redacted(given)).toEqual({
    command: 'run [redacted] "[redacted]",([redacted])=[redacted]; echo [redacted] | y',
    list: ['[redacted]', 'kept'],
    host: '[redacted]',
    '[redacted]': 1,
    longer: given.longer,
  });
  expect(redactAbout({ arguments: given }, OWN)('run "ACME-1"?')).toBe('run "[redacted]"?');
});

test('what the operator names is in no record, whichever part of it repeats it', async () => {
  const dir = tempDir();
  const audit = auditIn(dir, { redaction: OWN });
  const call = judged('call_1', {
    arguments: { pin_code: 'LongEnoughPin', command: 'run ACME-1 LongEnoughPin', host: 'ACME-2' },
  });
  const entry = await audit.open(call, { kind: 'refuse', rule: 'r', code: 'TARGET_UNRESOLVED', reason: 'no ACME-3' });
  await entry.permit(receipt('r_1'), { by: 'by ACME-4' });
  await entry.close({ kind: 'not_sent', code: 'CALL_CANCELLED', reason: 'failed: ACME-5 LongEnoughPin' });
  await audit.close();
  expect(JSON.stringify(recordsIn(dir))).not.toMatch(/ACME-\d|LongEnoughPin/);
});

test('a pattern of many wildcards costs no more than text times pattern', () => {
  const pattern = '*a*a*a*a*a*a*a*a*a*a*a*a*b';
  const text = 'a'.repeat(5000);
  let reads = 0;
  const counted = new Proxy<ArrayLike<string>>([...text], {
    get: (_, key) => {
      reads += 1;
      return key === 'length' ? text.length : text[Number(String(key))];
    },
  });
  expect(matchesWildcards(counted, pattern)).toBe(false);
  expect(reads).toBeGreaterThan(text.length);
  expect(reads).toBeLessThan(4 * text.length * pattern.length);
  const rules = operatorRedaction({ arguments: [], words: Array.from({ length: 100 }, (_, at) => `${pattern}${at}`) });
  expect(redacted({ command: `run ${text}` }, rules)).toEqual({ command: `run ${text}` });
});

const FOUND = [
  `npm_${'A1b2C3d4E5f6'.repeat(3)}`,
  `shppa_${'3a18f6d4b2907e5c'.repeat(2)}`,
  `github_pat_${'A1b2C3d4E5f'.repeat(2)}_${'Z9y8X7w6V5u4'.repeat(4)}Z9y8X7w6V5u`,
];

test('the rules of secretlint look over a value once more: texts, members in any depth, and their names', async () => {
  await loadSecretRules(logger([]));
  for (const secret of FOUND) {
    const value = { a: [{ b: `see ${secret} twice ${secret}` }], [secret]: 1, c: 'kept', d: 2, e: null };
    expect(withoutRuleSecrets(value, mark)).toEqual({
      a: [{ b: 'see [redacted] twice [redacted]' }],
      '[redacted]': 1,
      c: 'kept',
      d: 2,
      e: null,
    });
  }
  const plain = { a: ['kept', { b: 1 }] };
  expect(withoutRuleSecrets(plain, mark)).toBe(plain);
});

test('a record goes through that second look also where the own rules do not look', async () => {
  const dir = tempDir();
  const [secret = ''] = FOUND;
  const call = judged('call_1');
  const audit = auditIn(dir);
  await audit.open({ ...call, reading: { ...call.reading, interceptor: secret } }, PIN);
  await audit.close();
  expect(JSON.stringify(recordsIn(dir))).not.toContain(secret);
  expect(recordsIn(dir)[1]?.['interceptor']).toMatch(/^\[redacted:[0-9a-f]{8}\]$/);
});
