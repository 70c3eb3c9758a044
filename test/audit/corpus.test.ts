import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { canonical } from '../../src/audit/record.js';
import { redactArguments, redactText } from '../../src/audit/redact.js';
import { verifies } from '../e2e/requirements.js';
import { fc } from '../support/property.js';
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

/** Texts that fill `length` with one unit: what a rule must read once, and not once for each unit. */
const UNITS = [
  ' -p',
  'mysql -p',
  '"\'',
  '\\"',
  "'\\''",
  'a:b@',
  'eyJ.',
  'password ',
  'set password for ',
  'net user a ',
  'name: a\n',
  '  value: ',
  'password: |\n ',
  '<a>',
  '<password>',
  '(echo a; ',
  'echo a | ',
  '| passwd ',
  '<<EOF\n',
  'chpasswd <<EOF\n',
  '%3D',
  'a%3D',
  'QUJD',
  'AAAA',
  'config a ',
  'npm config a ',
  'secret --from-literal=',
  'kubectl secret ',
  '/v a /d ',
  'sp_addlogin ',
  'send ',
  'assword;',
  '<(echo ',
  'read a ',
  '-Name a -Value ',
  '"name":"a","value":',
  '[redacted:',
  '$ANSIBLE_VAULT;1.1;AES ',
  '{SSHA}',
  '/bot1',
  '-----BEGIN PRIVATE KEY-----',
  'sshpass -v ',
  'openssl passwd -1 ',
  'mkpasswd -m a ',
  'aws a ssm ',
  'mc alias set a ',
  '/setcredentials a ',
  'convertto-securestring -force ',
  'NetworkCredential(',
  "SetPassword('a',",
  'user a bcde\nftp ',
  'x=',
  'key=',
  '\n',
  ' ',
  '\t',
  '…',
  '{{',
  '$(',
  '`',
];

/** How often the slowest of a few runs of the double length takes the time of the single one. */
function growth(unit: string, length: number): number {
  const [single, double] = [length, 2 * length].map((size) => {
    const text = unit.repeat(size / unit.length);
    return Math.min(...[0, 1, 2].map(() => timeOf(() => redactArguments({ command: text }, {}, mark))));
  });
  return (double ?? 0) / Math.max(single ?? 0, 2);
}

function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

test.runIf(process.env['REWIND_LONG'] === '1')(
  'twice the text costs about twice the time, whatever it repeats',
  () => {
    const grown = UNITS.map((unit) => [unit, growth(unit, 200_000)] as const).filter(([, factor]) => factor > 3.2);
    expect(grown).toEqual([]);
  },
  600_000,
);

for (const unit of UNITS) {
  test(`hostile repetition ends: ${JSON.stringify(unit)}`, () => {
    // Not a measure of speed: a quadratic rule would take minutes here, and the test's own limit ends it.
    redactArguments(
      { command: unit.repeat(300_000 / unit.length), list: [unit.repeat(60_000 / unit.length), unit] },
      {},
      mark,
    );
  });
}

test('a secret without one character of ASCII is taken out like any other', () => {
  const secret = '\u{1f511}\u{1f512}\u{1f513}\u{1f50f}';
  const out = redactArguments({ command: `mysql -p${secret} shop`, other: `it is ${secret}\ud83d` }, {}, mark);
  expect(out).toEqual({ command: `mysql -p${mark(secret)} shop`, other: `it is ${mark(secret)}\\ud83d` });
});

test('any text and any arguments are redacted without an error, and the record can be written', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...UNITS,
      ...CORPUS.slice(0, 80).flatMap(({ args }) => Object.values(args).filter((a) => typeof a === 'string')),
    ),
    fc.string({ unit: 'binary', maxLength: 20 }),
  );
  const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(fc.dictionary(text, fc.oneof(text, fc.array(text, { maxLength: 4 }), fc.jsonValue())), (args) => {
      canonical(redactArguments(args, {}, mark));
    }),
    { numRuns: 150 },
  );
});
