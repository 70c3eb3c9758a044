import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findCall } from '../../src/audit/find-call.js';
import { indexedPlaces } from '../../src/audit/place-index.js';
import { verify } from '../../src/audit/verify.js';
import { auditCommand } from '../../src/commands/audit.js';
import { auditIn, judged, logsIn, PIN, receipt, tempDir } from './support.js';

async function write(dir: string, from: number, to: number, close = true) {
  const audit = auditIn(dir, { keeping: { maxFileBytes: 20_000 } });
  for (let at = from; at < to; at += 1) {
    const entry = await audit.open(judged(`call_${at}`), PIN);
    await entry.permit(receipt(`r_${at}`));
    await entry.close({ kind: 'forwarded', result: 'ok', receipt: receipt(`r_${at}`) });
  }
  if (close) await audit.close();
  return audit;
}

const indexesIn = (dir: string) => readdirSync(dir).filter((name) => name.endsWith('.index'));
const idOf = async (dir: string, id: string) => (await findCall(dir, id))?.intent.call;

test('calls are found by call and receipt over all files, with their indexes made, missing, cut, foreign or of other bytes', async () => {
  const dir = tempDir();
  await write(dir, 0, 30);
  for (let at = 0; at < 30; at += 1) {
    expect(await idOf(dir, `r_${at}`)).toBe(`call_${at}`);
    expect(await findCall(dir, `call_${at}`)).toMatchObject({ permit: {}, outcome: { result: 'ok' } });
  }
  expect(await findCall(dir, 'r_99')).toBeUndefined();
  expect(indexesIn(dir)).toHaveLength(logsIn(dir).length);
  const [index = ''] = indexesIn(dir);
  if (process.platform !== 'win32') expect(statSync(join(dir, index)).mode & 0o777).toBe(0o600);
  expect(await verify(dir)).toMatchObject({ ok: true });
  const whole = readFileSync(join(dir, index));
  for (let cut = 0; cut < whole.length; cut += 97) {
    truncateSync(join(dir, index), cut);
    expect(await idOf(dir, 'r_29'), `cut at ${cut}`).toBe('call_29');
    expect(readFileSync(join(dir, index)).equals(whole)).toBe(true);
  }
  writeFileSync(join(dir, index), readFileSync(join(dir, indexesIn(dir)[1] ?? '')));
  expect(await idOf(dir, 'r_0')).toBe('call_0');
  rmSync(join(dir, index));
  expect(await idOf(dir, 'r_0')).toBe('call_0');
});

test('an index is a hint: a record is taken by its own bytes and id, never for where it stands', async () => {
  const dir = tempDir();
  await write(dir, 0, 3);
  await findCall(dir, 'r_1');
  const [name = ''] = logsIn(dir);
  const path = join(dir, name);
  const text = readFileSync(path, 'utf8');
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.includes('"kind":"outcome"') && line.includes('"r_1"'));
  // Of equal length, and not in the line by which the index is known: the record's own hash tells.
  const forged = lines.with(at, (lines[at] ?? '').replace('"result":"ok"', '"result":"no"'));
  writeFileSync(path, forged.join('\n'));
  expect(await findCall(dir, 'r_1')).not.toMatchObject({ outcome: { result: 'no' } });
  writeFileSync(path, text);
  const places = async (id: string) => {
    const found: number[] = [];
    for await (const place of indexedPlaces(dir, name, id)) found.push(place);
    return found;
  };
  expect(await places('r_1')).toHaveLength(2);
  expect(await places('nobody')).toEqual([]);
});

test('what a running process wrote behind the index is found; a call without outcome is told by the log itself', async () => {
  const dir = tempDir();
  const audit = auditIn(dir);
  const first = await audit.open(judged('call_a'), PIN);
  await first.permit(receipt('r_a'));
  expect(await findCall(dir, 'r_a')).toMatchObject({ intent: { call: 'call_a' } });
  await first.close({ kind: 'forwarded', result: 'ok', receipt: receipt('r_a') });
  expect(await findCall(dir, 'r_a')).toMatchObject({ outcome: { result: 'ok' } });
  const second = await audit.open(judged('call_b'), PIN);
  await second.permit(receipt('r_b'));
  const found = await findCall(dir, 'r_b');
  expect(found).toMatchObject({ intent: { call: 'call_b' } });
  expect(found).not.toHaveProperty('outcome');
});

test.skipIf(process.platform === 'win32' || process.geteuid?.() === 0)(
  'a directory that may only be read has no index, and is searched all the same',
  async () => {
    const dir = tempDir();
    await write(dir, 0, 3);
    chmodSync(dir, 0o500);
    expect(await idOf(dir, 'r_1')).toBe('call_1');
    expect(existsSync(join(dir, `${logsIn(dir)[0]}.index`))).toBe(false);
    chmodSync(dir, 0o700);
  },
);

test('list --follow prints each call when it ends, also of processes and files that come later', async () => {
  const dir = join(tempDir(), 'later');
  const stop = new AbortController();
  let stdout = '';
  const sink = {
    write: (text: string) => {
      stdout += text;
    },
  };
  const running = auditCommand(
    ['list', '--follow', '--json', '--agent', 'test-agent'],
    dir,
    { stdout: sink, stderr: sink },
    stop.signal,
  );
  const seen = () =>
    stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => (JSON.parse(line) as { call: string }).call);
  const audit = await write(dir, 0, 10, false);
  await audit.open(judged('open'), PIN);
  await expect.poll(seen, { timeout: 20_000 }).toEqual(Array.from({ length: 10 }, (_, at) => `call_${at}`));
  await write(dir, 10, 12);
  await expect.poll(seen, { timeout: 20_000 }).toEqual(Array.from({ length: 12 }, (_, at) => `call_${at}`));
  stop.abort();
  expect(await running).toBe(0);
});
