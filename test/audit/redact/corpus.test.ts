import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { canonical } from '../../../src/audit/record.js';
import { redactArguments, redactText } from '../../../src/audit/redact/redact.js';
import { verifies } from '../../e2e/requirements.js';
import { fc } from '../../support/property.js';
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
  'net use ',
  'htpasswd -b ',
  'isql -v ',
  'encrypt_string --name a ',
  'reg add /d a ',
  '.Change(a,',
  "PDO('a','b',",
  "DirectoryEntry('a',",
  'auth=(',
  "'a'.ToCharArray(",
  'env:A',
  'sp a A ',
  'conn a/',
  'curl user=a:',
  '6379 AUTH ',
  'docker login ',
  'az secret set ',
  'vault kv put a=',
  'a=$a ',
  'a="b" $a %a%',
  'a"b"',
  "''a",
  '`a',
  '^a',
  '\\u0061',
  '\\x61',
  '\u0430',
  '\uff50',
  '\u200b',
  '\ud83d',
  '" + "',
  "','",
  '%3A%3A',
  '6162636465666768',
  `${'QUJD'.repeat(19)}\n`,
  `${'QUJD'.repeat(16)}\n`,
  'SG.aaaaaaaaaaaaaaaaaaaa',
  '<add key="password" value="x"/>',
  'password: x\n',
  'https://a:b@c/ ',
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

/** How often the longer text takes the time of one a quarter as long, in the processor's time of this process: the best of a few. */
function growth(unit: string): number {
  const [short, long] = [64 * 1024, 256 * 1024].map((size) => {
    const text = unit.repeat(size / unit.length);
    return Math.min(...[0, 1, 2].map(() => timeOf(() => redactText(text, mark))));
  });
  return (long ?? 0) / Math.max(short ?? 0, 2000);
}

/** Microseconds. */
function timeOf(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

test.runIf(process.env['REWIND_LONG'] === '1')(
  'four times the text costs about four times the time, whatever it repeats',
  () => {
    const grown = UNITS.map((unit) => [unit, growth(unit)] as const).sort(([, a], [, b]) => b - a);
    process.stderr.write(`time at 4n over time at n, highest first: ${JSON.stringify(grown.slice(0, 8))}\n`);
    expect(grown.filter(([, factor]) => factor > 8)).toEqual([]);
  },
  600_000,
);

for (const unit of UNITS) {
  test(`hostile repetition ends: ${JSON.stringify(unit)}`, () => {
    // Not a measure of speed: a quadratic rule would take minutes here, and the test's own limit ends it.
    redactArguments(
      { command: unit.repeat(120_000 / unit.length), list: [unit.repeat(30_000 / unit.length), unit] },
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
