import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assess } from '../../../src/domain/assessment.js';
import type { Judged } from '../../../src/domain/ports.js';
import { auditIn, FORWARD, judged, logger, PIN, receipt, recordsIn, type Said, tempDir } from '../support.js';

const SECRET = 'planted-S3cret';
const all = (dir: string): string =>
  readdirSync(dir)
    .map((name) => readFileSync(join(dir, name), 'utf8'))
    .join('\n');

/** A call whose argument `password` has the role `secret`, and which repeats it wherever it can. */
function leaky(id: string): Judged {
  const base = judged(id, {
    arguments: { password: SECRET, host: `root:${SECRET}@db1`, command: `mysql -p${SECRET}` },
    agent: 'a',
  });
  return {
    ...base,
    reading: {
      ...base.reading,
      roles: { password: 'secret', host: 'host', command: 'command' },
      hosts: [{ value: `root:${SECRET}@db1`, argument: 'host' }],
    },
    assessment: assess([{ effect: 'mutating', subject: `echo ${SECRET} > /tmp/x`, why: `writes ${SECRET}` }]),
    aim: {
      targets: [],
      problems: [{ host: `root:${SECRET}@db1`, kind: 'unresolved', why: `no ${SECRET}`, found: [SECRET] }],
    },
  };
}

test('a secret is in no record, wherever it is repeated', async () => {
  const dir = tempDir();
  const audit = auditIn(dir);
  const entry = await audit.open(leaky('call_1'), {
    kind: 'refuse',
    rule: 'r',
    code: 'TARGET_UNRESOLVED',
    reason: `no ${SECRET} here`,
  });
  await entry.permit(receipt('r_1'), { by: `by ${SECRET}` });
  await entry.close({ kind: 'not_sent', code: 'CALL_CANCELLED', reason: `failed: ${SECRET}` });
  await audit.close();
  expect(all(dir)).not.toContain(SECRET);
  const [, intent] = recordsIn(dir) as [
    unknown,
    { arguments: Record<string, string>; findings: { subject: string }[]; hosts: string[] },
  ];
  const mark = intent.arguments['password'] ?? '';
  expect(mark).toMatch(/^\[redacted:[0-9a-f]{8}\]$/);
  expect(intent.arguments).toEqual({ password: mark, host: `root:${mark}@db1`, command: `mysql -p${mark}` });
  expect(intent.findings[0]?.subject).toBe(`echo ${mark} > /tmp/x`);
  expect(intent.hosts).toEqual([`root:${mark}@db1`]);
});

test('the agent gets no secret back in an error, nor does the log line', async () => {
  const said: Said[] = [];
  const dir = join(tempDir(), 'file');
  writeFileSync(dir, '');
  const opening = auditIn(dir, { log: logger(said) }).open(leaky('call_1'), PIN);
  const error = await Promise.resolve(opening).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
  expect(JSON.stringify([error, said, String(error)])).not.toContain(SECRET);
});

test('receipts stay as they are: tags and names must be found again by their exact text', async () => {
  const dir = tempDir();
  const audit = auditIn(dir);
  const odd = receipt('r_1', { agent: 'x', waivedBy: 'password=none', change: 'token: CHG1 secret=2' });
  const entry = await audit.open(judged('call_1'), PIN);
  await entry.permit(odd);
  expect(recordsIn(dir).at(-1)).toMatchObject({ receipt: odd });
});

test('equal secrets have equal marks in all processes of a directory, and other marks in another directory', async () => {
  const marks: unknown[] = [];
  const dir = tempDir();
  for (const place of [dir, dir, tempDir()]) {
    const audit = auditIn(place);
    await audit.open(leaky('call_1'), PIN);
    await audit.close();
    marks.push(
      ...recordsIn(place)
        .filter(({ kind }) => kind === 'intent')
        .map((record) => (record['arguments'] as Record<string, unknown>)['password']),
    );
  }
  expect(new Set(marks.slice(0, 3)).size).toBe(1);
  expect(new Set(marks).size).toBe(2);
  if (process.platform !== 'win32') expect(statSync(join(dir, 'redaction.key')).mode & 0o777).toBe(0o600);
  expect(readdirSync(dir).filter((name) => name.startsWith('redaction.key'))).toEqual(['redaction.key']);
});

test('without a secret no key is made', async () => {
  const dir = tempDir();
  await auditIn(dir).open(judged('call_1'), PIN);
  expect(existsSync(join(dir, 'redaction.key'))).toBe(false);
});

test.skipIf(process.platform === 'win32')(
  'a key that is damaged, open to others or a link is not used, and said so',
  async () => {
    const known = 'a'.repeat(64);
    for (const plant of [
      (path: string) => writeFileSync(path, 'short', { mode: 0o600 }),
      (path: string) => {
        writeFileSync(path, known);
        chmodSync(path, 0o644);
      },
      (path: string) => {
        writeFileSync(`${path}.other`, known, { mode: 0o600 });
        symlinkSync(`${path}.other`, path);
      },
    ]) {
      const dir = tempDir();
      plant(join(dir, 'redaction.key'));
      const said: Said[] = [];
      const audit = auditIn(dir, { log: logger(said) });
      await audit.open(leaky('call_1'), PIN);
      expect(said.map(({ message }) => message)).toEqual([expect.stringContaining('redaction key')]);
      expect(all(dir)).not.toContain(SECRET);
    }
  },
);

test('a read_only call is redacted like any other, and a large one waits for room', async () => {
  const dir = tempDir();
  const audit = auditIn(dir);
  const big = {
    arguments: { command: `ls ${'x'.repeat(900_000)} --password ${SECRET}` },
    raw: Buffer.alloc(6_000_000),
  };
  for (let at = 0; at < 3; at += 1) await audit.open(judged(`call_${at}`, big, 'read_only'), FORWARD);
  expect(recordsIn(dir)).toHaveLength(4);
  await audit.close();
  expect(all(dir)).not.toContain(SECRET);
});
