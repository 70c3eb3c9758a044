import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { findCall } from '../../src/audit/find-call.js';
import { openReceipts } from '../../src/audit/receipts.js';
import { verifies } from '../e2e/requirements.js';
import { auditIn, judged, logger, logsIn, PIN, receipt, tempDir } from './support.js';

const CALLS = 2;

/** A closed log of one file; its odd calls were pinned and then not sent, so that only the permit names the receipt. */
async function written(): Promise<string> {
  const dir = tempDir();
  const audit = auditIn(dir);
  for (let at = 0; at < CALLS; at += 1) {
    const entry = await audit.open(judged(`call_${at}`), PIN);
    await entry.permit(receipt(`r_${at}`));
    if (at % 2 === 0) await entry.close({ kind: 'forwarded', result: 'ok', receipt: receipt(`r_${at}`) });
    else await entry.close({ kind: 'not_sent', code: 'CALL_CANCELLED', reason: 'no' });
  }
  await audit.close();
  return dir;
}

let dir = '';
let log = '';
let index = '';
let whole: Buffer;
beforeAll(async () => {
  dir = await written();
  log = join(dir, logsIn(dir)[0] ?? '');
  index = `${log}.index`;
  await findCall(dir, 'r_0');
  whole = readFileSync(index);
});

/** Every call and receipt is found with all its records, by `audit show` and by the running proxy. */
async function expectAll(where: string, at = dir): Promise<void> {
  const receipts = openReceipts(at, logger());
  for (let call = 0; call < CALLS; call += 1) {
    for (const id of [`call_${call}`, `r_${call}`]) {
      const outcome = call % 2 === 0 ? 'forwarded' : 'not_sent';
      expect(await findCall(at, id), `${where}: ${id}`).toMatchObject({
        intent: { call: `call_${call}` },
        permit: { receipt: { id: `r_${call}` } },
        outcome: { outcome },
      });
      const known = await receipts.find(id);
      if (id.startsWith('r_')) expect(known, `${where}: ${id}`).toMatchObject({ receipt: { id }, state: outcome });
      else expect(known).toBeUndefined();
    }
  }
  expect(await findCall(at, 'r_99')).toBeUndefined();
}

/** An index whose checksums are right, with these entries. */
function forge(entries: readonly bigint[], head: object = {}): void {
  const bytes = Buffer.from(BigUint64Array.from(entries).buffer);
  const said = JSON.parse(whole.toString('utf8', 0, whole.indexOf(10))) as object;
  const sum = createHash('sha256').update(bytes).digest('hex');
  writeFileSync(index, Buffer.concat([Buffer.from(`${JSON.stringify({ ...said, sum, ...head })}\n`), bytes]));
}

function entriesOf(bytes: Buffer): bigint[] {
  const entries = bytes.subarray(bytes.indexOf(10) + 1);
  return Array.from({ length: entries.length / 8 }, (_, at) => entries.readBigUInt64LE(at * 8));
}

test(`${verifies('A-4')} an index that leaves records out, leads elsewhere or says too much hides nothing`, async () => {
  const entries = entriesOf(whole);
  expect(entries).toHaveLength(3 * CALLS + CALLS + CALLS / 2);
  for (let without = 0; without < entries.length; without += 1) {
    forge(entries.toSpliced(without, 1));
    await expectAll(`without entry ${without}`);
  }
  forge([]);
  await expectAll('empty');
  forge(entries.map((entry) => entry + 3n));
  await expectAll('between lines');
  forge(entries.map((entry) => entry | 0xffffffffn));
  await expectAll('behind the end');
  forge(entries.toReversed());
  await expectAll('out of order');
  for (const head of [
    { covered: 2 ** 52, last: 0 },
    { covered: 2 ** 31, last: 0 },
    { covered: -1, last: -2 },
    { last: 1e9 },
    { last: -1 },
    { covered: 1.5 },
    { covered: null },
  ]) {
    forge(entries, head);
    await expectAll(JSON.stringify(head));
  }
});

test('an index of another version is made anew, whichever side comes next', async () => {
  for (const v of [1, 3, '2', undefined]) {
    forge([], { v });
    await expectAll(`version ${v}`);
    expect(readFileSync(index).equals(whole), `version ${v}`).toBe(true);
  }
});

test('whatever else has the index its name is neither followed nor waited for', async () => {
  const elsewhere = join(tempDir(), 'elsewhere');
  writeFileSync(elsewhere, 'mine');
  const cases: Record<string, () => void> = {
    directory: () => mkdirSync(join(index, 'full'), { recursive: true }),
    'sparse file': () => {
      writeFileSync(index, whole);
      truncateSync(index, 2 ** 40);
    },
    text: () => writeFileSync(index, 'not json\n'),
    'no line': () => writeFileSync(index, Buffer.alloc(4096)),
    ...(process.platform === 'win32'
      ? {}
      : {
          link: () => symlinkSync(elsewhere, index),
          fifo: () => execFileSync('mkfifo', [index]),
        }),
  };
  for (const [name, make] of Object.entries(cases)) {
    rmSync(index, { recursive: true, force: true });
    make();
    await expectAll(name);
    expect(
      readdirSync(dir).filter((file) => file.includes('.index.')),
      name,
    ).toEqual([]);
  }
  expect(readFileSync(elsewhere, 'utf8')).toBe('mine');
  rmSync(index, { recursive: true, force: true });
});

test('many who make the index at once leave one that is whole, and nothing else', async () => {
  rmSync(index, { force: true });
  await Promise.all(Array.from({ length: 5 }, (_, at) => expectAll(`maker ${at}`)));
  expect(readFileSync(index).equals(whole)).toBe(true);
  expect(readdirSync(dir).sort()).toEqual([log, index].map((path) => path.slice(dir.length + 1)).sort());
});

test.skipIf(process.platform === 'win32')('nothing is put into a directory behind a link', async () => {
  const copy = tempDir();
  copyFileSync(log, join(copy, logsIn(dir)[0] ?? ''));
  const link = join(tempDir(), 'link');
  symlinkSync(copy, link);
  await expectAll('behind a link', link);
  expect(readdirSync(copy)).toEqual(logsIn(copy));
});

test('an index is continued where its file grew much, and ids in what callers wrote do no harm', async () => {
  const growing = tempDir();
  const audit = auditIn(growing, { keeping: { maxFileBytes: 1e9 } });
  const look = (at: number) => findCall(growing, `call_${at}`);
  const filler = 'y'.repeat(150 * 1024);
  for (let at = 0; at < 24; at += 1) {
    const more = {
      ...{ command: filler, other: filler, third: filler },
      id: `call_${at - 1}`,
      nested: [{ call: `call_${at}` }, { id: '' }],
    };
    const entry = await audit.open(judged(`call_${at}`, { arguments: at % 2 === 0 ? more : { command: 'ls' } }), PIN);
    await entry.close({ kind: 'forwarded', result: 'ok' });
    for (const before of [0, at - 1, at].filter((call) => call >= 0)) {
      expect(await look(before)).toMatchObject({
        intent: { call: `call_${before}` },
        outcome: { outcome: 'forwarded' },
      });
    }
  }
  await audit.close();
  const made = join(growing, `${logsIn(growing)[0]}.index`);
  const before = readFileSync(made);
  rmSync(made);
  await look(0);
  const again = readFileSync(made);
  const covered = (JSON.parse(before.toString('utf8', 0, before.indexOf(10))) as { covered: number }).covered;
  expect(covered).toBeGreaterThan(4 * 1024 * 1024);
  expect(entriesOf(before)).toEqual(entriesOf(again).filter((entry) => Number(entry & 0xffffffffn) < covered));
  appendFileSync(join(growing, logsIn(growing)[0] ?? ''), '{"call":"call_24');
  expect(await look(23)).toMatchObject({ outcome: { outcome: 'forwarded' } });
});
