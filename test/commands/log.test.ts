import { expect, test } from 'vitest';
import { operatorRedaction } from '../../src/audit/redact/config.js';
import { withoutSecrets } from '../../src/commands/log.js';
import { verifies } from '../e2e/requirements.js';

const OWN = operatorRedaction({ arguments: ['pin_code'], words: ['ACME-*'] });
const SECRET = 'K4Xz9mQw2Lp7';

interface Line {
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

function said({ fields = {}, message = 'said' }: Line): string {
  return JSON.stringify(withoutSecrets(fields, message, OWN));
}

test.each<readonly [string, Line]>([
  ['a field by its name', { fields: { password: SECRET } }],
  [
    'a nested field by its name',
    { fields: { request: { headers: { 'X-Api-Key': SECRET }, auth: { token: SECRET } } } },
  ],
  ['a pair of name and value', { fields: { variables: [{ name: 'DB_PASSWORD', value: SECRET }] } }],
  ['an argument that the operator names', { fields: { given: { pin_code: SECRET } } }],
  ['a word that the operator names', { fields: { told: `it is ACME-${SECRET} now` } }],
  ['a text under any name', { fields: { what: `ran mysql -uroot -p${SECRET} shop` } }],
  ['a vector of words', { fields: { argv: ['sshpass', '-p', SECRET, 'ssh', 'app01'] } }],
  ['the name of a member', { fields: { [`TOKEN=${SECRET}`]: 1 } }],
  ['a login before a host', { fields: { at: `bob:${SECRET}@app01` } }],
  ['an error', { fields: { error: new Error(`connect postgres://app:${SECRET}@db01/shop failed`) } }],
  ['the cause of an error', { fields: { error: new Error('failed', { cause: new Error(`--token ${SECRET}`) }) } }],
  [
    'the details of an error',
    {
      fields: { error: Object.assign(new Error('failed'), { details: { why: `password=${SECRET}`, apiKey: SECRET } }) },
    },
  ],
  ['what another field gives away', { fields: { password: SECRET, told: `it was ${SECRET}` } }],
  [
    'what a field gives away, in the message',
    { fields: { command: `deploy --password ${SECRET}` }, message: `cannot run ${SECRET}` },
  ],
  ['the message itself', { message: `cannot run deploy --password ${SECRET}` }],
  ['base64', { fields: { body: Buffer.from(`deploy --password ${SECRET}`).toString('base64') } }],
])(`${verifies('A-3')} a log line holds no secret: %s`, (_, given) => {
  const line = said(given);
  expect(line).toContain('[redacted');
  for (const form of [SECRET, Buffer.from(SECRET).toString('base64').slice(2, -2)]) expect(line).not.toContain(form);
});

test('what holds no secret is logged as it is', () => {
  const fields = {
    path: '/srv/a',
    count: 3,
    gone: false,
    none: null,
    at: new Date(0),
    hosts: ['app01', 'app02'],
    tokenFile: '/srv/token',
    error: new TypeError('not a number'),
  };
  expect(withoutSecrets(fields, 'what happened', OWN)).toEqual([
    { ...fields, at: '1970-01-01T00:00:00.000Z', error: { name: 'TypeError', message: 'not a number' } },
    'what happened',
  ]);
});

test('fields that no JSON can carry, that are too deep or too long, do not stop the log', () => {
  let deep: unknown = SECRET;
  for (let at = 0; at < 200; at += 1) deep = { deep };
  const cyclic: Record<string, unknown> = { password: SECRET };
  cyclic['self'] = cyclic;
  const long = `${'x'.repeat(2_000_000)} --password ${SECRET}`;
  const line = said({ fields: { deep, cyclic, long, big: 1n, nan: Number.NaN, undefined } });
  expect(line).not.toContain(SECRET);
  expect(line.length).toBeLessThan(100_000);
});
