import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { outcomeOf, readCalls } from '../../src/audit/calls.js';
import { findCall } from '../../src/audit/find-call.js';
import { sortedParts } from '../../src/audit/names.js';
import { publicKeysIn } from '../../src/audit/signing.js';
import { verify } from '../../src/audit/verify.js';
import { verifies } from '../e2e/requirements.js';
import { seeded } from '../support/raw-proxy.js';
import { auditIn, judged, PIN, receipt, tempDir, transpiled, writer } from './support.js';

/** 500 deaths, and a cut at every byte, take minutes; the suite takes a part of each. */
const LONG = process.env['REWIND_LONG'] === '1';
const DEATHS = LONG ? 500 : 12;
const LANES = 2;
const STEP = LONG ? 1 : 23;

let code = '';
beforeAll(() => {
  code = transpiled();
});

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Processes one after another in one directory, each killed at some moment; every few, all of it is looked at. */
async function lane(number: number): Promise<{ readonly rotated: number; readonly unknown: number }> {
  const random = seeded(4_711 + number);
  const totals = { rotated: 0, unknown: 0 };
  for (let death = 0; death < DEATHS / LANES; ) {
    const state = tempDir();
    const dir = join(state, 'audit');
    const acknowledged: string[] = [];
    for (let life = 0; life < 6 && death < DEATHS / LANES; life += 1, death += 1) {
      const run = writer(code, dir, '1000000', `n${number}_${death}`, state);
      // By what it wrote, so that files rotate on a slow machine too.
      const calls = 1 + random() * 120;
      while (run.lines().length < calls && run.child.exitCode === null) await pause(2);
      await pause(random() * 10);
      run.child.kill('SIGKILL');
      await run.exited;
      acknowledged.push(...run.lines());
    }
    await lookAt(state, dir, acknowledged, totals);
  }
  return totals;
}

async function lookAt(
  state: string,
  dir: string,
  acknowledged: readonly string[],
  totals: { rotated: number; unknown: number },
) {
  const anchor = join(state, 'heads.jsonl');
  const keys = publicKeysIn(readFileSync(join(state, 'key.pub'), 'utf8'));
  const result = await verify(dir, { keys, anchor: existsSync(anchor) ? anchor : undefined });
  expect(result.broken).toBeUndefined();
  totals.rotated += result.files.filter((file) => file.state === 'rotated').length;
  const intents = new Set<string>();
  for await (const call of readCalls(dir)) {
    intents.add(call.intent.call);
    if (call.outcome !== undefined) continue;
    expect(outcomeOf(call)).toBe('outcome_unknown');
    totals.unknown += 1;
  }
  // A writer goes on with a call only once its intent is acknowledged.
  for (const call of acknowledged) expect(intents).toContain(call);
  const last = acknowledged.at(-1) ?? '';
  expect((await findCall(dir, last))?.intent.call).toBe(last);
}

test(`${verifies('A-1', 'A-4')} after ${DEATHS} deaths by SIGKILL, also while files rotate and heads are signed, all verifies, and what has no outcome is outcome_unknown`, async () => {
  const lanes = await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
  expect(lanes.reduce((sum, { unknown }) => sum + unknown, 0)).toBeGreaterThan(DEATHS);
  expect(lanes.reduce((sum, { rotated }) => sum + rotated, 0)).toBeGreaterThan(DEATHS / 4);
}, 1_200_000);

test(`${verifies('A-4')} a write that was torn at any byte of the last records, also of a rotation, leaves a log that verifies`, async () => {
  const state = tempDir();
  const dir = join(state, 'audit');
  const keyFile = join(state, 'key');
  const audit = auditIn(dir, { keeping: { keyFile, maxFileBytes: 4000 } });
  for (let at = 0; at < 4; at += 1) await (await audit.open(judged(`call_${at}`), PIN)).permit(receipt(`r_${at}`));
  await audit.close();
  const keys = publicKeysIn(readFileSync(`${keyFile}.pub`, 'utf8'));
  const files = sortedParts(readdirSync(dir)).map(({ file }) => join(dir, file));
  const [before = '', last = ''] = files.slice(-2);
  const tear = async (path: string, from: number) => {
    const whole = readFileSync(path);
    for (let size = whole.length - 1; size >= from; size -= STEP) {
      truncateSync(path, size);
      const { broken } = await verify(dir, { keys });
      expect(broken, `${size} of ${whole.length}`).toBeUndefined();
    }
    writeFileSync(path, whole);
  };
  const secondOf = (path: string) => readFileSync(path).indexOf(10) + 1;
  await tear(last, secondOf(last));
  // The rotation's own record is written while the next file has no name yet.
  renameSync(last, `${last}.new`);
  await tear(before, secondOf(before));
});

test.skipIf(process.platform === 'win32')(
  `${verifies('A-1')} a file that may grow no more stops the writer, and what is there verifies`,
  async () => {
    for (const kib of [8, 33, 64]) {
      const dir = join(tempDir(), 'audit');
      const script = `trap '' XFSZ; ulimit -f ${kib}; exec "$0" "$@"`;
      const program = [process.execPath, join(code, 'test/fixtures/audit/writer.js'), dir, '100000'];
      const { status, stdout } = spawnSync('bash', ['-c', script, ...program], { encoding: 'utf8' });
      expect(status).not.toBe(0);
      const { broken } = await verify(dir);
      expect(broken).toBeUndefined();
      const intents = new Set<string>();
      for await (const { intent } of readCalls(dir)) intents.add(intent.call);
      for (const call of stdout.split('\n').slice(0, -1)) expect(intents).toContain(call);
    }
  },
);

test.skipIf(process.platform === 'win32')(
  `${verifies('A-1', 'A-2')} a directory that was replaced by a link takes no rotation: calls stop, nothing lands behind the link`,
  async () => {
    const parent = tempDir();
    const dir = join(parent, 'audit');
    const audit = auditIn(dir, { keeping: { maxFileBytes: 1000 } });
    await audit.open(judged('call_1'), PIN);
    await audit.open(judged('call_2'), PIN);
    renameSync(dir, join(parent, 'moved'));
    mkdirSync(join(parent, 'trap'), { mode: 0o700 });
    symlinkSync(join(parent, 'trap'), dir);
    await expect(audit.open(judged('call_3'), PIN)).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
    await expect(audit.open(judged('call_4'), PIN)).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
    expect(readdirSync(join(parent, 'trap'))).toEqual([]);
  },
);
