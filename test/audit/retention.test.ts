import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileOf, partOf, sortedParts } from '../../src/audit/names.js';
import { GENESIS, seal } from '../../src/audit/record.js';
import { headsFile } from '../../src/audit/send-heads.js';
import { verify } from '../../src/audit/verify.js';
import { verifies } from '../e2e/requirements.js';
import { auditIn, FORWARD, judged, logger, logsIn, PIN, receipt, recordsIn, tempDir } from './support.js';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 5, 1);
const filesIn = (dir: string) => sortedParts(readdirSync(dir)).map(({ file }) => file);
const parse = (line: string | undefined) => JSON.parse(line ?? '') as Record<string, unknown>;

interface Process {
  readonly age: number;
  readonly pinned?: boolean;
  readonly end?: boolean;
  readonly keeping?: object;
  readonly calls?: number;
}

/** A process that wrote so many days ago, and what its files are called. */
async function wrote(dir: string, { age, pinned = false, end = true, keeping = {}, calls = 1 }: Process) {
  const at = new Date(NOW - age * DAY);
  const audit = auditIn(dir, { now: () => at, keeping });
  const before = new Set(readdirSync(dir));
  for (let call = 0; call < calls; call += 1) {
    if (pinned) await (await audit.open(judged(`c_${call}`), PIN)).permit(receipt(`r_${call}`));
    else await audit.open(judged(`c_${call}`, {}, 'mutating'), FORWARD);
  }
  if (end) await audit.close();
  const files = filesIn(dir).filter((file) => !before.has(file));
  for (const file of files) utimesSync(join(dir, file), at, at);
  return { files, audit };
}

/** A process of today with this retention; resolves when it has looked for old files. */
async function today(dir: string, retentionDays: number, expected: number) {
  const audit = auditIn(dir, { now: () => new Date(NOW), keeping: { retentionDays } });
  await audit.open(judged('today'), PIN);
  await expect.poll(() => filesIn(dir).length).toBe(expected);
  await audit.close();
}

test(`${verifies('A-2')} only whole files that ended and are older go, and a record says from where it goes on`, async () => {
  const dir = tempDir();
  const old = await wrote(dir, { age: 50, pinned: true });
  const young = await wrote(dir, { age: 5 });
  const open = await wrote(dir, { age: 60, end: false });
  const reads = await wrote(dir, { age: 12 });
  const pinned = await wrote(dir, { age: 12, pinned: true });
  await today(dir, 10, 4);
  for (const { files } of [old, reads]) for (const file of files) expect(filesIn(dir)).not.toContain(file);
  for (const { files } of [young, open, pinned]) for (const file of files) expect(filesIn(dir)).toContain(file);
  const result = await verify(dir);
  expect(result).toMatchObject({ ok: true });
  expect(result.removed?.map(({ file }) => file).sort()).toEqual([...old.files, ...reads.files].sort());
  const [record] = recordsIn(dir).filter(({ kind }) => kind === 'retention');
  expect(record).toMatchObject({ days: 10, before: new Date(NOW - 10 * DAY).toISOString() });
  await open.audit.close();
});

test('the beginning of a chain goes file by file; what is left verifies from where the record says, and nothing else', async () => {
  const dir = tempDir();
  const { files } = await wrote(dir, { age: 50, calls: 45, keeping: { maxFileBytes: 8000 } });
  expect(files.length).toBeGreaterThan(4);
  // The third was written to later.
  const at = new Date(NOW);
  utimesSync(join(dir, files[2] ?? ''), at, at);
  await today(dir, 10, files.length - 2 + 1);
  expect(filesIn(dir).slice(0, 2)).toEqual(files.slice(2, 4));
  expect(await verify(dir)).toMatchObject({
    ok: true,
    removed: [{ file: files[1], chain: partOf(files[0] ?? '').chain }],
  });
  // One more that policy did not remove.
  const third = readFileSync(join(dir, files[2] ?? ''));
  rmSync(join(dir, files[2] ?? ''));
  expect((await verify(dir)).broken).toMatchObject({
    file: files[0],
    why: expect.stringContaining('no retention record'),
  });
  writeFileSync(join(dir, files[2] ?? ''), third);
  // The first record left, replaced by one that follows something else.
  const lines = third.toString().trimEnd().split('\n');
  const { hash: _h, prev: _p, v: _v, seq, chain, ...body } = parse(lines[0]);
  const forged = seal(body as Parameters<typeof seal>[0], {
    chain: String(chain),
    seq: Number(seq) - 1,
    hash: GENESIS,
  });
  writeFileSync(join(dir, files[2] ?? ''), Buffer.concat([forged.line, Buffer.from(`${lines.slice(1).join('\n')}\n`)]));
  expect(await verify(dir)).toMatchObject({ ok: false });
});

test('what later files and an anchor saw of removed chains is accounted for, also when the first retention record is removed itself', async () => {
  const dir = tempDir();
  const anchor = join(tempDir(), 'heads.jsonl');
  const keyFile = join(tempDir(), 'k');
  const keeping = () => ({ keyFile, heads: headsFile(anchor, logger()) });
  await wrote(dir, { age: 100, keeping: keeping() });
  const witness = await wrote(dir, { age: 90, end: false, keeping: keeping() });
  const [seen] = recordsIn(dir).flatMap(({ others }) => (Array.isArray(others) ? others : []));
  expect(seen).toMatchObject({ chain: expect.any(String) });
  const remover = await wrote(dir, { age: 80, end: false, keeping: { ...keeping(), retentionDays: 5 } });
  await expect.poll(() => filesIn(dir).length).toBe(2);
  await remover.audit.close();
  expect(await verify(dir, { anchor })).toMatchObject({ ok: true });
  const first = filesIn(dir).find((file) => !witness.files.includes(file)) ?? '';
  utimesSync(join(dir, first), new Date(NOW - 80 * DAY), new Date(NOW - 80 * DAY));
  await today(dir, 10, 2);
  expect(existsSync(join(dir, first))).toBe(false);
  expect(await verify(dir, { anchor })).toMatchObject({ ok: true });
  // A younger chain that the anchor knows is missed.
  const young = await wrote(dir, { age: 1, keeping: keeping() });
  rmSync(join(dir, young.files[0] ?? ''));
  expect((await verify(dir, { anchor })).broken).toMatchObject({ file: young.files[0] });
  await witness.audit.close();
});

test('a file without an end goes where its process is known to be dead, and stays where that is not known', async () => {
  const dir = tempDir();
  const dead = Number(execFileSync(process.execPath, ['-e', 'console.log(process.pid)']));
  const at = new Date(NOW - 50 * DAY);
  const of = async (pid: number) => {
    const audit = auditIn(dir, { now: () => at, process: { version: '0', pid, platform: 'x' } });
    await audit.open(judged('c'), FORWARD);
    const file = fileOf(audit.unflushed().chain ?? '', 1);
    utimesSync(join(dir, file), at, at);
    return file;
  };
  const [gone, running] = [await of(dead), await of(process.pid)];
  const foreign = await of(dead);
  const text = readFileSync(join(dir, foreign), 'utf8');
  writeFileSync(join(dir, foreign), text.replace(/"host":"[^"]*"/, '"host":"elsewhere"'));
  utimesSync(join(dir, foreign), at, at);
  await today(dir, 10, 3);
  expect(filesIn(dir)).not.toContain(gone);
  expect(filesIn(dir)).toEqual(expect.arrayContaining([running, foreign]));
});

test('without retentionDays nothing is ever removed; what a newer version wrote is left alone', async () => {
  const dir = tempDir();
  const { files } = await wrote(dir, { age: 1000 });
  const audit = auditIn(dir, { now: () => new Date(NOW) });
  await audit.open(judged('today'), PIN);
  await audit.close();
  expect(logsIn(dir)).toHaveLength(2);
  const [file = ''] = files;
  writeFileSync(join(dir, file), readFileSync(join(dir, file), 'utf8').replaceAll('"v":1', '"v":2'));
  utimesSync(join(dir, file), new Date(NOW - 1000 * DAY), new Date(NOW - 1000 * DAY));
  await wrote(dir, { age: 900 });
  await today(dir, 10, 3);
  expect(filesIn(dir)).toContain(file);
});
