import { generateKeyPairSync } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Keeping } from '../../src/audit/log.js';
import { headsFile } from '../../src/audit/send-heads.js';
import { auditChecks } from '../../src/checks/audit-dir.js';
import { auditIn, judged, logger, PIN, tempDir } from '../audit/support.js';

const posixOnly = test.runIf(process.platform !== 'win32');
interface Where {
  readonly keyFile?: string;
  readonly headsTo?: string;
  readonly now?: number;
}

async function checksOf(dir: string, { keyFile = join(tempDir(), 'k'), headsTo, now = Date.now() }: Where = {}) {
  return auditChecks({ dir, platform: process.platform, keyFile, headsTo: headsTo ?? null, now });
}

/** Status and detail of each check by its id, with the fix of those that have one. */
async function look(dir: string, where?: Where) {
  const checks = await checksOf(dir, where);
  return Object.fromEntries(
    checks.map(({ id, status, detail, fix }) => [id, `${status} ${detail}${fix === undefined ? '' : ` → ${fix}`}`]),
  );
}

test('a directory that is not there yet is made with the first record', async () => {
  expect((await look(join(tempDir(), 'state', 'audit')))['audit.directory']).toMatch(/^pass .*first record/);
});

test('a whole log, an open end, and one that was edited', async () => {
  const dir = join(tempDir(), 'audit');
  const audit = auditIn(dir);
  await (await audit.open(judged('call_1'), PIN)).close({ kind: 'not_sent', code: 'CALL_CANCELLED', reason: 'x' });
  await audit.open(judged('call_2'), PIN);
  expect(await look(dir)).toMatchObject({
    'audit.directory': expect.stringMatching(/^pass .*mode 0700/),
    'audit.chain': expect.stringMatching(/^pass 4 records in 1 files/),
    'audit.outcomes': expect.stringMatching(/^warn 1 calls/),
  });
  await audit.close();
  appendFileSync(join(dir, readdirSync(dir).find((name) => name.endsWith('.jsonl')) ?? ''), '{}\n');
  expect((await look(dir))['audit.chain']).toMatch(/^fail broken in ".*jsonl", line 6/);
});

posixOnly('a directory that is open to others, and a link', async () => {
  const dir = join(tempDir(), 'audit');
  mkdirSync(dir);
  chmodSync(dir, 0o755);
  expect((await look(dir))['audit.directory']).toMatch(/^fail .*mode 0755: open to others/);
  const link = join(tempDir(), 'link');
  symlinkSync(dir, link);
  expect((await look(link))['audit.directory']).toMatch(/^fail .*a link/);
});

/** A closed log whose heads this key signed. */
async function signed(keyFile: string, dir = tempDir(), keeping: Keeping = {}): Promise<string> {
  const audit = auditIn(dir, { keeping: { keyFile, ...keeping } });
  for (const call of ['call_1', 'call_2']) {
    const entry = await audit.open(judged(call), PIN);
    await entry.close({ kind: 'not_sent', code: 'CALL_CANCELLED', reason: 'x' });
  }
  await audit.close();
  return dir;
}

const logOf = (dir: string) => join(dir, readdirSync(dir).find((name) => name.endsWith('.jsonl')) ?? '');

test('the signing key: made later, in order, and what it signed', async () => {
  const keyFile = join(tempDir(), 'k');
  const none = tempDir();
  expect(await look(none, { keyFile })).toMatchObject({
    'audit.signing': expect.stringMatching(/^pass .*made with the first record/),
  });
  // Looking makes no key.
  expect(readdirSync(dirname(keyFile))).toEqual([]);
  const dir = await signed(keyFile);
  expect(await look(dir, { keyFile })).toMatchObject({
    'audit.signing': expect.stringMatching(/^pass .* signs, its public half is beside it/),
    'audit.heads': 'pass the newest log is signed by this key',
    'audit.covered': 'pass signed heads stand over the 6 records',
  });
});

test('a signing key that is gone, replaced or without its public half', async () => {
  const keyFile = join(tempDir(), 'k');
  const dir = await signed(keyFile);
  rmSync(`${keyFile}.pub`);
  expect((await look(dir, { keyFile }))['audit.signing']).toMatch(/^warn .*k\.pub" is missing .*→ .*openssl pkey -in/);
  writeFileSync(`${keyFile}.pub`, 'no key');
  expect((await look(dir, { keyFile }))['audit.signing']).toMatch(/^warn .*k\.pub" is missing or of another key/);
  const other = join(tempDir(), 'other');
  await signed(other);
  copyFileSync(`${other}.pub`, `${keyFile}.pub`);
  expect((await look(dir, { keyFile }))['audit.signing']).toMatch(/^warn .*of another key/);
  expect(await look(dir, { keyFile: other })).toMatchObject({
    'audit.signing': expect.stringMatching(/^pass /),
    'audit.heads': expect.stringMatching(/^warn .*signed by another key .*→ .*keep both public keys/),
  });
  rmSync(keyFile);
  const gone = await look(dir, { keyFile });
  expect(gone['audit.signing']).toMatch(/^warn .* is gone, and the newest log was signed.*→ Find out who removed it/);
  expect(gone).not.toHaveProperty('audit.heads');
});

test('a signing key that cannot be used', async () => {
  const keyFile = join(tempDir(), 'k');
  const dir = await signed(keyFile);
  const pem = readFileSync(keyFile);
  writeFileSync(keyFile, 'no key');
  expect((await look(dir, { keyFile }))['audit.signing']).toMatch(
    /^fail .* cannot be used, so .* not signed.*→ Move it away/,
  );
  const { privateKey } = generateKeyPairSync('x25519');
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  expect((await look(dir, { keyFile }))['audit.signing']).toMatch(/^fail .*not an Ed25519 key/);
  rmSync(keyFile);
  mkdirSync(keyFile);
  expect((await look(dir, { keyFile }))['audit.signing']).toMatch(/^fail .*a link or no file/);
  rmSync(keyFile, { recursive: true });
  writeFileSync(keyFile, pem, { mode: 0o600 });
  expect((await look(dir, { keyFile }))['audit.signing']).toMatch(/^pass /);
});

posixOnly('a signing key that others can read, and one behind a link', async () => {
  const keyFile = join(tempDir(), 'k');
  const dir = await signed(keyFile);
  chmodSync(keyFile, 0o640);
  expect((await look(dir, { keyFile }))['audit.signing']).toMatch(
    /^fail .*mode 0640, is open to others.*→ .*chmod 600 .*k;/,
  );
  chmodSync(keyFile, 0o600);
  const link = join(tempDir(), 'link');
  symlinkSync(keyFile, link);
  expect((await look(dir, { keyFile: link }))['audit.signing']).toMatch(/^fail .*a link or no file/);
});

test('what no signature vouches for: a log without a key, the rest of a killed process, files of a newer version', async () => {
  const keyFile = join(tempDir(), 'k');
  const dir = await signed(keyFile);
  const path = logOf(dir);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  writeFileSync(path, `${lines.slice(0, -1).join('\n')}\n`);
  const soon = Date.now();
  expect((await look(dir, { keyFile, now: soon }))['audit.covered']).toMatch(/^pass /);
  expect((await look(dir, { keyFile, now: soon + 3_600_000 }))['audit.covered']).toMatch(
    /^warn 5 records stand behind the last head of processes that were killed \(".*jsonl"\) → .*Compare them/,
  );
  writeFileSync(path, `${lines.join('\n')}\n`);
  const unsigned = auditIn(dir);
  await (await unsigned.open(judged('call_3'), PIN)).close({ kind: 'not_sent', code: 'CALL_CANCELLED', reason: 'x' });
  await unsigned.close();
  utimesSync(path, 1, 1);
  expect(await look(dir, { keyFile })).toMatchObject({
    'audit.heads': expect.stringMatching(/^warn the newest log is not signed/),
    'audit.covered': expect.stringMatching(/^warn 1 files are not signed at all/),
  });
  writeFileSync(join(dir, '20990101T000000Z-1-00000000000000ff.jsonl'), '{"v":7,"kind":"begin"}\n');
  expect((await look(dir, { keyFile }))['audit.versions']).toMatch(
    /^warn 1 files of a newer version .*ff\.jsonl"\) → /,
  );
});

test('copied heads are compared with the log: a cut tail shows, and so does a file that holds something else', async () => {
  const keyFile = join(tempDir(), 'k');
  const headsTo = join(tempDir(), 'heads.jsonl');
  const dir = await signed(keyFile, tempDir(), { heads: headsFile(headsTo, logger()) });
  expect((await look(dir, { keyFile, headsTo }))['audit.chain']).toMatch(/^pass .*has every head in ".*heads\.jsonl"/);
  expect((await look(dir, { keyFile, headsTo: `${headsTo}.none` }))['audit.chain']).toMatch(/^pass .*whole$/);
  const path = logOf(dir);
  writeFileSync(path, `${readFileSync(path, 'utf8').trimEnd().split('\n').slice(0, 3).join('\n')}\n`);
  expect((await look(dir, { keyFile, headsTo }))['audit.chain']).toMatch(/^fail .*cut off: the anchor/);
  writeFileSync(headsTo, '{}\n');
  expect((await look(dir, { keyFile, headsTo }))['audit.chain']).toMatch(
    /^fail broken in ".*heads\.jsonl".*line 1: not a record/,
  );
});
