import { appendFileSync, chmodSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { auditChecks } from '../../src/checks/audit-dir.js';
import { auditIn, judged, PIN, tempDir } from '../audit/support.js';

const posixOnly = test.runIf(process.platform !== 'win32');
const look = async (dir: string) =>
  Object.fromEntries(
    (await auditChecks(dir, process.platform)).map(({ id, status, detail }) => [id, `${status} ${detail}`]),
  );

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
