import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { canonical, GENESIS, recordHash, seal } from '../../src/audit/record.js';
import { verify } from '../../src/audit/verify.js';
import { fc } from '../support/property.js';
import { auditIn, judged, logsIn, PIN, receipt, recordsIn, tempDir, transpiled, writer } from './support.js';

/** A closed log of `calls` calls: the directory, the file's name and its lines. */
async function written(calls: number) {
  const dir = tempDir();
  const audit = auditIn(dir);
  for (let at = 0; at < calls; at += 1) {
    const entry = await audit.open(judged(`call_${at}`), PIN);
    await entry.permit(receipt(`r_${at}`));
    await entry.close({ kind: 'forwarded', result: 'ok', receipt: receipt(`r_${at}`) });
  }
  await audit.close();
  const name = logsIn(dir)[0] ?? '';
  return { dir, name, lines: readFileSync(join(dir, name), 'utf8').split('\n').slice(0, -1) };
}

let log: Awaited<ReturnType<typeof written>>;
beforeAll(async () => {
  log = await written(3);
});

/** What verify says of the log with these lines instead. */
async function verifyWith(lines: readonly string[], end = '\n') {
  const dir = mkdtempSync(join(tmpdir(), 'audit-'));
  writeFileSync(join(dir, log.name), lines.length === 0 ? '' : lines.join('\n') + end);
  const result = await verify(dir);
  rmSync(dir, { recursive: true });
  return result;
}

test('an untouched log verifies, also as a copy elsewhere, open to everyone', async () => {
  expect(await verify(log.dir)).toEqual({ ok: true, files: [{ file: log.name, state: 'closed', records: 11 }] });
  const copy = join(tempDir(), 'copy');
  cpSync(log.dir, copy, { recursive: true });
  writeFileSync(join(copy, 'notes.txt'), 'of the auditor');
  expect(await verify(copy)).toMatchObject({ ok: true });
  expect(await verify(join(copy, 'nowhere'))).toEqual({ ok: true, files: [] });
});

test('the chain is what its description says', () => {
  let prev = GENESIS;
  for (const line of log.lines) {
    const record = JSON.parse(line) as Record<string, unknown>;
    expect(line).toBe(canonical(record));
    expect(record['prev']).toBe(prev);
    expect(recordHash(record, prev)).toBe(record['hash']);
    prev = String(record['hash']);
  }
});

test('any byte that is changed in any record is found in its line', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), async (line, position, mask) => {
      const at = line % log.lines.length;
      const bytes = Buffer.from(log.lines[at] ?? '');
      const offset = position % bytes.length;
      bytes[offset] = (bytes[offset] ?? 0) ^ mask;
      const dir = mkdtempSync(join(tmpdir(), 'audit-'));
      const rest = [
        log.lines
          .slice(0, at)
          .map((text) => `${text}\n`)
          .join(''),
        bytes,
        '\n',
        log.lines
          .slice(at + 1)
          .map((text) => `${text}\n`)
          .join(''),
      ];
      writeFileSync(join(dir, log.name), Buffer.concat(rest.map((part) => Buffer.from(part))));
      const { ok, broken } = await verify(dir);
      rmSync(dir, { recursive: true });
      expect(ok).toBe(false);
      expect(broken).toMatchObject({ file: log.name, line: at + 1, seq: at + 1, why: expect.any(String) });
    }),
    { numRuns: 300 },
  );
});

test('every record that is removed is named, but for a cut tail', async () => {
  for (let at = 0; at < log.lines.length; at += 1) {
    const result = await verifyWith(log.lines.toSpliced(at, 1));
    if (at === log.lines.length - 1) expect(result).toMatchObject({ ok: true, files: [{ state: 'open' }] });
    else expect(result, `line ${at + 1}`).toMatchObject({ ok: false, broken: { file: log.name, line: at + 1 } });
  }
});

test('every record that is moved or doubled is named', async () => {
  for (let from = 0; from < log.lines.length; from += 1) {
    for (let to = 0; to < log.lines.length; to += 1) {
      const line = log.lines[from] ?? '';
      const moved = log.lines.toSpliced(from, 1).toSpliced(to, 0, line);
      if (from !== to) expect((await verifyWith(moved)).broken?.line, `${from} to ${to}`).toBe(Math.min(from, to) + 1);
      expect((await verifyWith(log.lines.toSpliced(to, 0, line))).broken?.line).toBe(from === to ? to + 2 : to + 1);
    }
  }
});

test('a forged record in the middle breaks the chain where it stands or right after', async () => {
  for (let at = 1; at < log.lines.length; at += 1) {
    const before = JSON.parse(log.lines[at - 1] ?? '') as { chain: string; seq: number; hash: string };
    const forged = seal({ kind: 'note', at: '2026-01-01T00:00:00Z', note: 'nothing happened' }, before)
      .line.toString()
      .trimEnd();
    expect((await verifyWith(log.lines.toSpliced(at, 0, forged))).broken).toMatchObject({ line: at + 2 });
    if (at === log.lines.length - 1) continue;
    expect((await verifyWith(log.lines.with(at, forged))).broken).toMatchObject({ line: at + 2 });
  }
});

test('numbers and start records are checked also where all hashes fit', async () => {
  const chain = log.name.slice(0, -'.jsonl'.length);
  const forge = (records: readonly (readonly [number, 'start' | 'note'])[]) => {
    let hash = GENESIS;
    return records.map(([seq, kind]) => {
      const sealed = seal({ kind, at: '' }, { chain, seq: seq - 1, hash });
      hash = sealed.head.hash;
      return sealed.line.toString().trimEnd();
    });
  };
  expect(
    await verifyWith(
      forge([
        [1, 'start'],
        [2, 'note'],
      ]),
    ),
  ).toMatchObject({ ok: true });
  expect(
    (
      await verifyWith(
        forge([
          [1, 'start'],
          [3, 'note'],
        ]),
      )
    ).broken,
  ).toMatchObject({ line: 2, why: expect.stringContaining('record 3 stands where 2') });
  expect(
    (
      await verifyWith(
        forge([
          [1, 'note'],
          [2, 'note'],
        ]),
      )
    ).broken,
  ).toMatchObject({ line: 1, why: expect.stringContaining('start') });
  expect(
    (
      await verifyWith(
        forge([
          [1, 'start'],
          [2, 'start'],
        ]),
      )
    ).broken,
  ).toMatchObject({ line: 2, why: expect.stringContaining('start') });
});

test('a cut inside a line is torn and passes; whatever stands after the end record does not', async () => {
  for (let at = 0; at < log.lines.length; at += 1) {
    const cut = (log.lines[at] ?? '').slice(0, 50);
    expect(await verifyWith([...log.lines.slice(0, at), cut], '')).toMatchObject({
      ok: true,
      files: [{ state: 'torn', records: at }],
    });
  }
  expect(await verifyWith(log.lines, '')).toMatchObject({ ok: true, files: [{ state: 'torn', records: 10 }] });
  expect(await verifyWith([...log.lines, '{"v":1'], '')).toMatchObject({
    ok: false,
    broken: { line: 12, why: expect.stringContaining('after the end') },
  });
  expect(await verifyWith([])).toMatchObject({ ok: false, broken: { line: 0, why: expect.stringContaining('empty') } });
});

test('the same record in other bytes is an edit: blanks, CR, key order, a BOM, doubled keys', async () => {
  const line = log.lines[2] ?? '';
  for (const other of [
    `${line} `,
    `${line}\r`,
    `\ufeff${line}`,
    JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(line) as object).reverse())),
    line.replace('{', '{"v":1,'),
    line.replace('"call"', '"\\u0063all"'),
    `[${line}]`,
    'null',
    '[['.repeat(100_000),
    '',
  ]) {
    expect((await verifyWith(log.lines.with(2, other))).broken, other.slice(0, 40)).toMatchObject({ line: 3 });
  }
});

test('a renamed file, a link and a foreign file are named', async () => {
  const dir = tempDir();
  const other = '20200101T000000Z-1-0000000000000000.jsonl';
  writeFileSync(join(dir, other), `${log.lines.join('\n')}\n`);
  expect((await verify(dir)).broken).toMatchObject({
    file: other,
    line: 1,
    why: expect.stringContaining('another file'),
  });
  rmSync(join(dir, other));
  writeFileSync(join(dir, 'x.jsonl'), '{}\n');
  expect((await verify(dir)).broken).toMatchObject({ file: 'x.jsonl', line: 1 });
  rmSync(join(dir, 'x.jsonl'));
  mkdirSync(join(dir, 'y.jsonl'));
  expect((await verify(dir)).broken).toMatchObject({ file: 'y.jsonl', line: 0 });
});

test.skipIf(process.platform === 'win32')('a link is not followed', async () => {
  const dir = tempDir();
  symlinkSync(join(log.dir, log.name), join(dir, log.name));
  expect((await verify(dir)).broken).toMatchObject({ file: log.name, line: 0, why: expect.stringContaining('link') });
});

test('a process that starts later sees removed files and cut tails of earlier ones', async () => {
  const dir = tempDir();
  for (let at = 0; at < 3; at += 1) {
    const audit = auditIn(dir);
    await audit.open(judged(`call_${at}`), PIN);
    await audit.close();
  }
  expect(await verify(dir)).toMatchObject({ ok: true });
  const starts = recordsIn(dir).filter((record) => record['kind'] === 'start');
  const seen = (count: number) => starts.find((record) => (record['others'] as unknown[]).length === count)?.['chain'];
  expect(seen(2)).toBeDefined();
  const victim = `${seen(1)}.jsonl`;

  const path = join(dir, victim);
  const whole = readFileSync(path);
  const lines = whole.toString().split('\n');
  writeFileSync(path, `${lines.slice(0, 2).join('\n')}\n`);
  expect((await verify(dir)).broken).toMatchObject({
    file: victim,
    line: 3,
    why: expect.stringMatching(/cut off.*saw record 3/),
  });
  renameSync(path, join(dir, 'hidden'));
  expect((await verify(dir)).broken).toMatchObject({ file: victim, line: 0, why: expect.stringContaining('removed') });
  rmSync(join(dir, 'hidden'));

  // Rewritten as a whole, with hashes that fit each other: still not what the later file saw.
  const records = lines
    .slice(0, 3)
    .map((line) => JSON.parse(line) as { kind: 'start' | 'intent' | 'end'; at: string; agent?: string });
  let head = { chain: victim.slice(0, -6), seq: 0, hash: GENESIS };
  const forged = records.map(({ kind, at }) => {
    const sealed = seal({ kind, at, agent: 'someone else' }, head);
    head = sealed.head;
    return sealed.line;
  });
  writeFileSync(path, Buffer.concat(forged));
  expect((await verify(dir)).broken).toMatchObject({
    file: victim,
    line: 3,
    why: expect.stringContaining('saw another record'),
  });
});

test('what a newer version wrote is not checked, and not called broken; an edited version number is', async () => {
  const dir = tempDir();
  const newer = log.lines.map((line) => line.replace('"v":1', '"v":7').replace('"kind":"start"', '"kind":"begin"'));
  const chain = '20990101T000000Z-1-00000000000000ff';
  writeFileSync(join(dir, `${chain}.jsonl`), `${newer.join('\n')}\n{"v":7,"torn`);
  writeFileSync(join(dir, log.name), `${log.lines.join('\n')}\n`);
  expect(await verify(dir)).toEqual({
    ok: true,
    unchecked: 1,
    files: [
      { file: log.name, state: 'closed', records: 11 },
      { file: `${chain}.jsonl`, state: 'unchecked', records: 0, version: 7 },
    ],
  });
  for (let at = 0; at < log.lines.length; at += 1) {
    const edited = (log.lines[at] ?? '').replace('"v":1', '"v":2');
    expect((await verifyWith(log.lines.with(at, edited))).broken, `line ${at + 1}`).toMatchObject({ line: at + 1 });
  }
  expect((await verifyWith([(log.lines[0] ?? '').replace('"v":1', '"v":2')])).broken).toMatchObject({ line: 1 });
});

let code = '';
beforeAll(() => {
  code = transpiled();
});

test('after kill -9 in the middle of writing, every intent that was acknowledged is there and the log verifies', async () => {
  for (let round = 0; round < 4; round += 1) {
    const dir = tempDir();
    const run = writer(code, dir, '1000000');
    await expect.poll(() => run.lines().length, { timeout: 20_000, interval: 5 }).toBeGreaterThan(50 + round * 97);
    run.child.kill('SIGKILL');
    await run.exited;
    const result = await verify(dir);
    expect(result).toMatchObject({ ok: true, files: [{ state: expect.stringMatching(/^(?:open|torn)$/) }] });
    const name = logsIn(dir)[0] ?? '';
    const text = readFileSync(join(dir, name), 'utf8');
    const intents = new Set(
      text
        .slice(0, text.lastIndexOf('\n'))
        .split('\n')
        .map((line) => (JSON.parse(line) as { call?: string }).call),
    );
    for (const call of run.lines()) expect(intents).toContain(call);
    truncateSync(join(dir, name), Buffer.byteLength(text) - 1);
    expect(await verify(dir)).toMatchObject({ ok: true, files: [{ state: 'torn' }] });
  }
});

test('two processes write into one directory at the same time, each its own chain', async () => {
  const dir = join(tempDir(), 'new');
  const runs = [writer(code, dir, '300', 'a'), writer(code, dir, '300', 'b')];
  await Promise.all(runs.map((run) => run.exited));
  expect(runs.map((run) => run.child.exitCode)).toEqual([0, 0]);
  expect(await verify(dir)).toMatchObject({
    ok: true,
    files: [
      { state: 'closed', records: 602 },
      { state: 'closed', records: 602 },
    ],
  });
});

test('a last record longer than a read is still what the next file names', async () => {
  const dir = tempDir();
  const first = auditIn(dir);
  await first.open(judged('call_1', { arguments: { command: 'y'.repeat(900_000) } }), PIN);
  const next = auditIn(dir);
  await next.open(judged('call_2'), PIN);
  const [long] = recordsIn(dir).filter((record) => record['call'] === 'call_1');
  const starts = recordsIn(dir).filter((record) => record['kind'] === 'start');
  expect(starts.flatMap((record) => record['others'])).toEqual([
    { chain: long?.['chain'], seq: 2, hash: long?.['hash'] },
  ]);
});

test('a new file names at most sixteen others', async () => {
  const dir = tempDir();
  for (let at = 0; at < 18; at += 1) {
    const audit = auditIn(dir);
    await audit.open(judged(`call_${at}`), PIN);
    await audit.close();
  }
  const counts = recordsIn(dir).flatMap((record) =>
    record['kind'] === 'start' ? (record['others'] as unknown[]).length : [],
  );
  expect(Math.max(...counts)).toBe(16);
  expect(await verify(dir)).toMatchObject({ ok: true });
});
