import { expect, test } from 'vitest';
import { isSecretName, NAME_CORE } from '../../../src/audit/redact/names.js';
import { redactText } from '../../../src/audit/redact/redact.js';
import { verify } from '../../../src/audit/verify.js';
import { fc } from '../../support/property.js';
import { auditIn, FORWARD, judged, logger, PIN, recordsIn, type Said, tempDir } from '../support.js';

const readOnly = (id: string, args: Record<string, unknown> = { command: 'uptime' }) =>
  judged(id, { arguments: args }, 'read_only');

test('records of calls that only read say when their call came, not when they were written', async () => {
  const dir = tempDir();
  let time = 0;
  const audit = auditIn(dir, { now: () => new Date(time++ * 1000) });
  await (await audit.open(readOnly('c1'), FORWARD)).close({ kind: 'forwarded', result: 'ok' });
  await audit.open(judged('c2'), PIN);
  const at = recordsIn(dir).map(({ kind, call, at }) => [kind, call, at]);
  expect(at.slice(1)).toEqual([
    ['intent', 'c1', '1970-01-01T00:00:00.000Z'],
    ['outcome', 'c1', '1970-01-01T00:00:01.000Z'],
    ['intent', 'c2', '1970-01-01T00:00:02.000Z'],
  ]);
});

test('many records are not kept until the time is up, and all are written in order', async () => {
  const dir = tempDir();
  const audit = auditIn(dir);
  const ids = Array.from({ length: 3000 }, (_, index) => `c${index}`);
  for (const id of ids) await audit.open(readOnly(id), FORWARD);
  await audit.close();
  expect(recordsIn(dir).flatMap(({ kind, call }) => (kind === 'intent' ? [call] : []))).toEqual(ids);
  expect(await verify(dir)).toMatchObject({ ok: true });
});

test('a record that cannot be made is counted as lost; those beside it are written', async () => {
  const dir = tempDir();
  const said: Said[] = [];
  const audit = auditIn(dir, { log: logger(said) });
  const broken = readOnly('broken');
  Object.defineProperty(broken.reading, 'roles', {
    get: () => {
      throw new Error('planted');
    },
  });
  await audit.open(readOnly('before'), FORWARD);
  await expect(Promise.resolve(audit.open(broken, FORWARD))).resolves.toBeDefined();
  await audit.open(readOnly('after'), FORWARD);
  await audit.close();
  expect(recordsIn(dir).flatMap(({ kind, call }) => (kind === 'intent' ? [call] : []))).toEqual(['before', 'after']);
  expect(said).toContainEqual(expect.objectContaining({ fields: expect.objectContaining({ lost: 1 }) }));
  expect(await verify(dir)).toMatchObject({ ok: true });
});

const part = fc.oneof(
  fc.constantFrom(
    'ls',
    '-la',
    '/var/log',
    '|',
    'grep',
    '-p',
    '-u',
    ' ',
    '=',
    ':',
    '"',
    "'",
    '\n',
    '&&',
    'a@b',
    '$X',
    'x1',
    ';',
  ),
  fc.constantFrom(
    'mysql',
    'curl',
    'chpasswd',
    'echo',
    'pw',
    'my-pat',
    'path',
    'auth',
    'token',
    'Pwd',
    'plain:',
    '--key',
    'BEARER',
  ),
  fc.constantFrom(
    'ghp_',
    'eyJ',
    'AKIA',
    'sk-',
    'A'.repeat(20),
    'hvs.',
    '$6$',
    '://',
    '<<',
    'EOF',
    'identified by ',
    'hf_',
  ),
  fc.string({ maxLength: 4 }),
);

test('the quick search for anything secret-like gives the same text as the whole search', () => {
  // A line that says "key" sends any text behind it through all passes, and is not changed itself.
  const line = 'a key\n';
  expect(redactText(`${line}ls`)).toBe(`${line}ls`);
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), fc.constantFrom('', ' '), (parts, between) => {
      const text = parts.join(between);
      const quick = redactText(text);
      if (quick === text) expect(redactText(line + text)).toBe(line + text);
    }),
    { numRuns: 3000 },
  );
});

test('every name of a secret holds what the quick search looks for', () => {
  const word = fc.constantFrom(
    'db',
    'PASSWD',
    'passcode',
    'api',
    'Key',
    'client',
    'pwd',
    'pat',
    'otp',
    'topt',
    'jwt',
    'PSK',
    'pw',
    'connection',
    'string',
    'cookie',
    'set',
    'pgpass',
    'bearer',
    'a',
    'apikey',
  );
  const separator = fc.constantFrom('', '_', '-', '.');
  let secrets = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(separator, word), { minLength: 1, maxLength: 3 }), (words) => {
      const name = words.map((pair) => pair.join('')).join('');
      if (!isSecretName(name)) return;
      secrets += 1;
      expect(`${name}=`).toMatch(NAME_CORE);
    }),
    { numRuns: 2000 },
  );
  expect(secrets).toBeGreaterThan(200);
});
