import { appendFileSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileOf, LOG_NAME, partOf, sortedParts } from '../../src/audit/names.js';
import { GENESIS, seal } from '../../src/audit/record.js';
import { type Position, readRecords } from '../../src/audit/records.js';
import { auditIn, judged, logsIn, PIN, receipt, recordsIn, tempDir } from './support.js';

const CHAIN = '20260101T000000Z-7-00000000000000aa';
const OTHER = '20260102T000000Z-7-00000000000000bb';

/** A chain of numbered notes over several files, sealed by hand: how many records each file holds. */
function chainOf(dir: string, chain: string, counts: readonly number[]): void {
  let head = { chain, seq: 0, hash: GENESIS };
  for (const [index, count] of counts.entries()) {
    const lines = Array.from({ length: count }, () => {
      const sealed = seal({ kind: 'note', at: '2026-01-01T00:00:00Z' }, head);
      head = sealed.head;
      return sealed.line;
    });
    writeFileSync(join(dir, fileOf(chain, index + 1)), Buffer.concat(lines));
  }
}

async function read(dir: string, after: Record<string, Position> = {}) {
  const seen: string[] = [];
  const positions = { ...after };
  for await (const { position, record, bytes } of readRecords(dir, after)) {
    expect(JSON.parse(bytes.toString())).toEqual(record);
    expect(record).toMatchObject({ chain: position.chain, seq: position.seq, hash: position.hash });
    seen.push(`${position.chain.slice(-2)}${position.seq}`);
    positions[position.chain] = position;
  }
  return { seen, positions };
}

test('names of parts lead there and back, and sort by chain and part', () => {
  for (const part of [1, 2, 10, 999_999]) expect(partOf(fileOf(CHAIN, part))).toMatchObject({ chain: CHAIN, part });
  for (const name of [`${CHAIN}.000000.jsonl`, `${CHAIN}.000001.jsonl`, `${CHAIN}.2.jsonl`, `x${CHAIN}.jsonl`]) {
    expect(LOG_NAME.test(name), name).toBe(false);
    expect(partOf(name)).toEqual({ file: name, chain: name.slice(0, -6), part: 1 });
  }
  const names = [fileOf(OTHER, 1), fileOf(CHAIN, 10), 'notes.txt', fileOf(CHAIN, 2), fileOf(CHAIN, 1)];
  expect(sortedParts(names).map(({ file }) => file)).toEqual([
    fileOf(CHAIN, 1),
    fileOf(CHAIN, 2),
    fileOf(CHAIN, 10),
    fileOf(OTHER, 1),
  ]);
});

test('records come chain by chain in order, over all files of a chain, and from a position on', async () => {
  const dir = tempDir();
  expect(await read(join(dir, 'none'))).toEqual({ seen: [], positions: {} });
  chainOf(dir, CHAIN, [2, 1, 2]);
  chainOf(dir, OTHER, [1]);
  const all = await read(dir);
  expect(all.seen).toEqual(['aa1', 'aa2', 'aa3', 'aa4', 'aa5', 'bb1']);
  expect((await read(dir, all.positions)).seen).toEqual([]);
  for await (const { position } of readRecords(dir)) {
    const rest = all.seen.filter((name) => name.startsWith('bb') || Number(name.slice(2)) > position.seq);
    if (position.chain === CHAIN) expect((await read(dir, { [CHAIN]: position })).seen).toEqual(rest);
  }
});

test('a reader that comes back finds what grew, was rotated or is new, and misses nothing where old files are gone', async () => {
  const dir = tempDir();
  chainOf(dir, CHAIN, [2]);
  const first = await read(dir);
  chainOf(dir, CHAIN, [3, 2, 2]);
  const second = await read(dir, first.positions);
  expect(second.seen).toEqual(['aa3', 'aa4', 'aa5', 'aa6', 'aa7']);
  rmSync(join(dir, fileOf(CHAIN, 1)));
  expect((await read(dir, first.positions)).seen).toEqual(['aa4', 'aa5', 'aa6', 'aa7']);
  expect((await read(dir, second.positions)).seen).toEqual([]);
});

test('an unfinished line waits for the next time; lines that are no records are passed over; no link is followed', async () => {
  const dir = tempDir();
  chainOf(dir, CHAIN, [3]);
  const path = join(dir, fileOf(CHAIN, 1));
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.slice(0, -5));
  const first = await read(dir);
  expect(first.seen).toEqual(['aa1', 'aa2']);
  appendFileSync(path, `${text.slice(-5)}not json\n[1]\n`);
  expect((await read(dir, first.positions)).seen).toEqual(['aa3']);
  renameSync(path, join(dir, 'elsewhere'));
  symlinkSync(join(dir, 'elsewhere'), path);
  expect((await read(dir)).seen).toEqual([]);
});

test('what a log writes is what the iterator reads', async () => {
  const dir = tempDir();
  const audit = auditIn(dir);
  const entry = await audit.open(judged('call_1'), PIN);
  await entry.permit(receipt('r_1'));
  await audit.close();
  const records: unknown[] = [];
  for await (const { record, position } of readRecords(dir)) {
    records.push(record);
    expect(position.file).toBe(logsIn(dir)[0]);
  }
  expect(records).toEqual(recordsIn(dir));
});
