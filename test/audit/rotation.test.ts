import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCalls } from '../../src/audit/calls.js';
import type { OpenHandle } from '../../src/audit/file.js';
import { fileOf, partOf, sortedParts } from '../../src/audit/names.js';
import { openReceipts } from '../../src/audit/receipts.js';
import { verify } from '../../src/audit/verify.js';
import { verifies } from '../e2e/requirements.js';
import { auditIn, judged, logger, logsIn, PIN, receipt, recordsIn, type Said, tempDir } from './support.js';

const SMALL = { maxFileBytes: 8_000 };
const filesIn = (dir: string) => sortedParts(readdirSync(dir)).map(({ file }) => file);

/** A closed chain of some ten files. */
async function rotated(dir = tempDir(), calls = 20): Promise<string> {
  const audit = auditIn(dir, { keeping: SMALL });
  for (let at = 0; at < calls; at += 1) {
    const entry = await audit.open(judged(`call_${at}`), PIN);
    await entry.permit(receipt(`r_${at}`));
    await entry.close({ kind: 'forwarded', result: 'ok', receipt: receipt(`r_${at}`) });
  }
  await audit.close();
  return dir;
}

test(`${verifies('A-2')} a full file is followed by the next of the same chain, which names where it goes on`, async () => {
  const dir = await rotated();
  const files = filesIn(dir);
  expect(files.length).toBeGreaterThan(4);
  const { chain } = partOf(files[0] ?? '');
  expect(files).toEqual(files.map((_, index) => fileOf(chain, index + 1)));
  for (const file of files) {
    expect(statSync(join(dir, file)).size).toBeLessThan(SMALL.maxFileBytes + 4000);
    if (process.platform !== 'win32') expect(statSync(join(dir, file)).mode & 0o777).toBe(0o600);
  }
  const records = files.map((file) => readFileSync(join(dir, file), 'utf8').trimEnd().split('\n'));
  expect(records.flat().map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(
    records.flat().map((_, index) => index + 1),
  );
  for (const [index, lines] of records.entries()) {
    const [first, last] = [lines[0], lines.at(-1)].map((line) => JSON.parse(line ?? '') as Record<string, unknown>);
    expect(first).toMatchObject({ kind: 'start', chain, ...(index === 0 ? {} : { part: index + 1 }) });
    expect(last).toMatchObject(index < files.length - 1 ? { kind: 'rotate', next: index + 2 } : { kind: 'end' });
  }
  const result = await verify(dir);
  expect(result.ok).toBe(true);
  expect(result.files.map(({ file, state }) => [file, state])).toEqual(
    files.map((file, index) => [file, index < files.length - 1 ? 'rotated' : 'closed']),
  );
});

test('a call whose records lie in several files is one call, and its receipt is found', async () => {
  const dir = tempDir();
  const audit = auditIn(dir, { keeping: { maxFileBytes: 1000 } });
  const early = await audit.open(judged('early'), PIN);
  await (await audit.open(judged('beside'), PIN)).permit(receipt('r_beside'));
  await early.permit(receipt('r_early'));
  const receipts = openReceipts(dir, logger(), audit);
  expect(await receipts.find('r_early')).toMatchObject({ state: 'pinned' });
  await (await audit.open(judged('between'), PIN)).close({ kind: 'not_sent', code: 'CALL_CANCELLED', reason: 'no' });
  await early.close({ kind: 'not_sent', code: 'CALL_CANCELLED', reason: 'no' });
  expect(await receipts.find('r_early')).toMatchObject({ state: 'not_sent' });
  await audit.close();
  expect(filesIn(dir).length).toBeGreaterThan(3);
  const calls = [];
  for await (const { intent, permit, outcome, complete } of readCalls(dir)) {
    calls.push([intent.call, permit?.receipt.id, outcome?.outcome, complete]);
  }
  expect(calls).toEqual([
    ['between', undefined, 'not_sent', false],
    ['early', 'r_early', 'not_sent', false],
    ['beside', 'r_beside', undefined, true],
  ]);
  expect(await openReceipts(dir, logger()).states({})).toHaveLength(2);
});

test(`${verifies('A-2')} a missing, swapped, doubled or foreign file of a chain is named`, async () => {
  const dir = await rotated();
  const files = filesIn(dir);
  const keep = (file: string) => readFileSync(join(dir, file));
  for (const [index, file] of files.entries()) {
    const bytes = keep(file);
    rmSync(join(dir, file));
    const { broken } = await verify(dir);
    expect(broken, file).toMatchObject({ file, line: 0, why: expect.stringContaining('removed') });
    const next = files[index + 1];
    if (next !== undefined) {
      const other = keep(next);
      writeFileSync(join(dir, file), other);
      expect((await verify(dir)).broken, `${file} replaced`).toMatchObject({ file, line: 1 });
      writeFileSync(join(dir, next), bytes);
      expect((await verify(dir)).broken, `${file} swapped`).toMatchObject({ file, line: 1 });
      writeFileSync(join(dir, next), other);
    }
    writeFileSync(join(dir, file), bytes);
  }
  expect(await verify(dir)).toMatchObject({ ok: true });
  const elsewhere = filesIn(await rotated()).at(1) ?? '';
  const one = join(await rotated(), '');
  copyFileSync(join(one, filesIn(one).at(1) ?? elsewhere), join(dir, files[1] ?? ''));
  expect((await verify(dir)).broken).toMatchObject({ file: files[1], line: 1 });
});

test('a part whose end was cut is named also where the next file is there', async () => {
  const dir = await rotated();
  const [first = ''] = filesIn(dir);
  const text = readFileSync(join(dir, first), 'utf8');
  const lines = text.trimEnd().split('\n');
  for (const [cut, line] of [
    [`${lines.slice(0, -1).join('\n')}\n`, lines.length],
    [text.slice(0, -4), lines.length],
    [`${lines[0]}\n`, 2],
    ['', 0],
  ] as const) {
    writeFileSync(join(dir, first), cut);
    expect((await verify(dir)).broken).toMatchObject({ file: first, line });
  }
});

test('a crash at any step of a rotation leaves a log that verifies', async () => {
  const dir = await rotated();
  const files = filesIn(dir);
  const last = files.at(-1) ?? '';
  const before = files.at(-2) ?? '';
  // Between the rotation's record and the new name.
  renameSync(join(dir, last), join(dir, `${last}.new`));
  expect(await verify(dir)).toMatchObject({ ok: true });
  // While the next file was written, before the record.
  const lines = readFileSync(join(dir, before), 'utf8').trimEnd().split('\n');
  writeFileSync(join(dir, before), `${lines.slice(0, -1).join('\n')}\n`);
  expect(await verify(dir)).toMatchObject({ ok: true });
  writeFileSync(join(dir, `${last}.new`), '');
  expect(await verify(dir)).toMatchObject({ ok: true });
  // A next file that belongs to something else is no crash.
  writeFileSync(join(dir, before), `${lines.join('\n')}\n`);
  expect((await verify(dir)).broken).toMatchObject({ file: last, line: 0 });
});

test('where the next file cannot be made, the full one goes on and nothing is lost', async () => {
  const dir = tempDir();
  const said: Said[] = [];
  let made = 0;
  const openFile: OpenHandle = (path, flags, mode) => {
    made += 1;
    return made === 2 ? Promise.reject(Object.assign(new Error('no'), { code: 'EMFILE' })) : open(path, flags, mode);
  };
  const audit = auditIn(dir, { keeping: { maxFileBytes: 2000 }, openFile, log: logger(said) });
  for (let at = 0; at < 10; at += 1) await audit.open(judged(`call_${at}`), PIN);
  await audit.close();
  expect(made).toBeGreaterThan(2);
  expect(said.map(({ message }) => message)).toEqual([expect.stringContaining('goes on in its full file')]);
  expect(recordsIn(dir).filter(({ kind }) => kind === 'intent')).toHaveLength(10);
  expect(await verify(dir)).toMatchObject({ ok: true });
});

test('a next file whose name is taken is not put in the place of what is there', async () => {
  const dir = tempDir();
  const said: Said[] = [];
  const audit = auditIn(dir, { keeping: { maxFileBytes: 2000 }, log: logger(said) });
  await audit.open(judged('call_0'), PIN);
  const taken = join(dir, fileOf(audit.unflushed().chain ?? '', 2));
  writeFileSync(taken, 'mine\n');
  for (let at = 1; at < 10; at += 1) await audit.open(judged(`call_${at}`), PIN);
  expect(readFileSync(taken, 'utf8')).toBe('mine\n');
  expect(said[0]).toMatchObject({
    message: expect.stringContaining('goes on in its full file'),
    fields: { path: taken, why: expect.stringContaining('another file has the name') },
  });
  rmSync(taken);
  for (let at = 10; at < 13; at += 1) await audit.open(judged(`call_${at}`), PIN);
  await audit.close();
  expect(recordsIn(dir).filter(({ kind }) => kind === 'intent')).toHaveLength(13);
  expect(logsIn(dir).length).toBeGreaterThan(1);
  expect(await verify(dir)).toMatchObject({ ok: true });
});

test('a disk that is full in a rotation stops the log, and what is there verifies', async () => {
  // Each write of the second and later files and of the record before them, in turn.
  for (let full = 2; full < 9; full += 1) {
    const dir = tempDir();
    let writes = 0;
    const openFile: OpenHandle = async (path, flags, mode) => {
      const handle = await open(path, flags, mode);
      return {
        write: async (bytes) => {
          writes += 1;
          if (writes < full) return handle.write(bytes);
          if (writes === full) return handle.write(bytes.subarray(0, 40));
          throw Object.assign(new Error('full'), { code: 'ENOSPC' });
        },
        datasync: () => handle.datasync(),
        stat: (options) => handle.stat(options),
        close: () => handle.close(),
      };
    };
    const audit = auditIn(dir, { keeping: { maxFileBytes: 1500 }, openFile });
    const sent: string[] = [];
    for (let at = 0; at < 8; at += 1) {
      const done = await Promise.resolve(audit.open(judged(`call_${at}`), PIN)).then(
        () => true,
        (error: unknown) => {
          expect(error).toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
          return false;
        },
      );
      if (done) sent.push(`call_${at}`);
    }
    await audit.close();
    expect(sent.length, `full at ${full}`).toBeLessThan(8);
    expect(await verify(dir), `full at ${full}`).toMatchObject({ ok: true });
    const found: string[] = [];
    for await (const { intent } of readCalls(dir)) found.push(intent.call);
    expect(found, `full at ${full}`).toEqual(sent);
  }
});

test('a clock that jumps by days while files rotate changes no order, and removes nothing young', async () => {
  const dir = tempDir();
  let time = Date.UTC(2026, 0, 10);
  const audit = auditIn(dir, { now: () => new Date(time), keeping: { ...SMALL, retentionDays: 1 } });
  const days = [0, -3, 5, -20, 19, 2, -1];
  for (let at = 0; at < 28; at += 1) {
    time += (days[at % days.length] ?? 0) * 86_400_000;
    const entry = await audit.open(judged(`call_${at}`), PIN);
    await entry.permit(receipt(`r_${at}`));
    await entry.close({ kind: 'forwarded', result: 'ok', receipt: receipt(`r_${at}`) });
  }
  await audit.close();
  const files = filesIn(dir);
  expect(files.length).toBeGreaterThan(4);
  expect(files).toEqual(files.map((_, index) => fileOf(partOf(files[0] ?? '').chain, index + 1)));
  expect(await verify(dir)).toMatchObject({ ok: true });
  const calls = [];
  for await (const { intent } of readCalls(dir)) calls.push(intent.call);
  expect(calls).toEqual(Array.from({ length: 28 }, (_, at) => `call_${at}`));
  expect(await openReceipts(dir, logger()).find('r_0')).toMatchObject({ state: 'forwarded' });
});

test('with retention a file ends after a day, whatever its size; a clock that is set back ends none', async () => {
  const dir = tempDir();
  let time = Date.UTC(2026, 0, 10);
  const audit = auditIn(dir, { now: () => new Date(time), keeping: { retentionDays: 400 } });
  for (const hours of [0, 23, -100, 200, 1]) {
    time += hours * 3_600_000;
    await audit.open(judged(`call_${time}`), PIN);
  }
  await audit.close();
  expect(logsIn(dir)).toHaveLength(2);
  expect(await verify(dir)).toMatchObject({ ok: true });
  const order = [];
  for await (const { seq } of readCalls(dir)) order.push(seq);
  expect(order).toEqual([...order].sort((a, b) => a - b));
});

test('two processes that rotate at once in one directory keep their chains apart, and see each other', async () => {
  const dir = tempDir();
  await Promise.all([rotated(dir), rotated(dir), rotated(dir)]);
  const chains = new Set(filesIn(dir).map((file) => partOf(file).chain));
  expect(chains.size).toBe(3);
  expect(await verify(dir)).toMatchObject({ ok: true });
  const later = recordsIn(dir).filter((record) => record['part'] === 4);
  const seen = later.flatMap((record) => record['others'] as { chain: string }[]);
  expect(seen.length).toBeGreaterThan(0);
  for (const record of later) {
    expect((record['others'] as { chain: string }[]).map(({ chain }) => chain)).not.toContain(record['chain']);
  }
});
