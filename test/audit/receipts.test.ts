import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openReceipts } from '../../src/audit/receipts.js';
import type { Outcome } from '../../src/domain/ports.js';
import { auditIn, judged, logger, logsIn, PIN, receipt, tempDir } from './support.js';

const at = (minute: number): string => `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;

/** One process's calls; a call without an outcome is still under way when the process ends. */
async function run(
  dir: string,
  calls: readonly [string, Outcome['kind'] | undefined][],
  parts: Parameters<typeof receipt>[1] = {},
) {
  const audit = auditIn(dir);
  for (const [id, outcome] of calls) {
    const made = receipt(id, { pinnedAt: at(Number(id.slice(2))), ...parts });
    const entry = await audit.open(judged(`call_${id}`), PIN);
    await entry.permit(made);
    const final = { ...made, forwardedAt: at(59) };
    if (outcome === 'forwarded') await entry.close({ kind: outcome, result: 'ok', receipt: final });
    else if (outcome === 'outcome_unknown') await entry.close({ kind: outcome, reason: 'gone', receipt: final });
    else if (outcome !== undefined) await entry.close({ kind: outcome, code: 'CALL_CANCELLED', reason: 'no' });
  }
  return audit;
}

test('receipts survive a restart, newest first, in their last form, with what became of the call', async () => {
  const dir = tempDir();
  const first = await run(dir, [
    ['r_1', 'forwarded'],
    ['r_3', 'not_sent'],
    ['r_5', undefined],
  ]);
  await first.close();
  const second = await run(dir, [
    ['r_2', 'outcome_unknown'],
    ['r_4', undefined],
  ]);
  const receipts = openReceipts(dir, logger(), second);
  expect((await receipts.states({})).map(({ receipt, state }) => [receipt.id, state])).toEqual([
    ['r_5', 'outcome_unknown'],
    ['r_4', 'pinned'],
    ['r_3', 'not_sent'],
    ['r_2', 'outcome_unknown'],
    ['r_1', 'forwarded'],
  ]);
  expect(await receipts.get('r_1')).toEqual(receipt('r_1', { pinnedAt: at(1), forwardedAt: at(59) }));
  expect(await receipts.get('r_9')).toBeUndefined();
  await second.close();
  expect(await openReceipts(dir, logger()).find('r_4')).toMatchObject({ state: 'outcome_unknown' });
});

test('filters', async () => {
  const dir = tempDir();
  await (
    await run(
      dir,
      [
        ['r_1', 'forwarded'],
        ['r_2', 'forwarded'],
      ],
      { agent: 'a', session: 'x' },
    )
  ).close();
  await (await run(dir, [['r_3', 'forwarded']], { change: 'CHG7' })).close();
  const receipts = openReceipts(dir, logger());
  const ids = async (filter: Parameters<typeof receipts.list>[0]) => (await receipts.list(filter)).map(({ id }) => id);
  expect(await ids({ agent: 'a' })).toEqual(['r_2', 'r_1']);
  expect(await ids({ session: 'x', limit: 1 })).toEqual(['r_2']);
  expect(await ids({ change: 'CHG7' })).toEqual(['r_3']);
  expect(await ids({ vm: 'APP01' })).toHaveLength(3);
  expect(await ids({ vm: 'guid.app01' })).toHaveLength(3);
  expect(await ids({ vm: 'app0' })).toEqual([]);
  expect(await ids({ since: at(2) })).toEqual(['r_3', 'r_2']);
  await expect(receipts.list({ since: 'yesterday' })).rejects.toThrow(RangeError);
  expect(await openReceipts(join(dir, 'none'), logger()).list({})).toEqual([]);
});

test('what is not on disk yet is seen, and what grows is read on', async () => {
  const dir = tempDir();
  const audit = auditIn(dir);
  const receipts = openReceipts(dir, logger(), audit);
  const entry = await audit.open(judged('call_1'), PIN);
  const permitted = entry.permit(receipt('r_1'));
  expect(await receipts.find('r_1')).toMatchObject({ state: 'pinned' });
  await permitted;
  expect(await receipts.states({})).toMatchObject([{ state: 'pinned' }]);
  const closed = entry.close({ kind: 'forwarded', result: 'ok', receipt: receipt('r_1') });
  expect(await receipts.states({})).toMatchObject([{ state: 'forwarded' }]);
  await closed;
  expect(await receipts.states({})).toMatchObject([{ state: 'forwarded' }]);
  for (let index = 2; index < 30; index += 1) {
    const next = await audit.open(judged(`call_${index}`), PIN);
    await Promise.all([next.permit(receipt(`r_${index}`)), receipts.list({})]);
    expect(await receipts.list({})).toHaveLength(index);
  }
  await audit.close();
});

test('damaged lines, torn tails, foreign files and look-alikes in arguments do no harm', async () => {
  const dir = tempDir();
  const audit = await run(dir, [['r_1', 'forwarded']]);
  await audit.open(
    judged('call_x', { arguments: { kind: 'permit', receipt: receipt('r_forged'), command: '"kind":"permit"' } }),
    PIN,
  );
  const path = join(dir, logsIn(dir)[0] ?? '');
  const receipts = openReceipts(dir, logger());
  expect(await receipts.list({})).toHaveLength(1);
  appendFileSync(path, '{"kind":"permit","receipt":{"id":"r_2"}}\nnot json\n{"kind":"permit","at":"","call":"t"');
  writeFileSync(join(dir, 'x.jsonl'), '\u0000\n');
  expect(await receipts.list({})).toHaveLength(1);
  rmSync(path);
  expect(await receipts.list({})).toEqual([]);
  await audit.close();
});

test('a file that was replaced by a shorter one is read anew', async () => {
  const dir = tempDir();
  await (
    await run(dir, [
      ['r_1', 'forwarded'],
      ['r_2', 'forwarded'],
    ])
  ).close();
  const path = join(dir, logsIn(dir)[0] ?? '');
  const receipts = openReceipts(dir, logger());
  expect(await receipts.list({})).toHaveLength(2);
  writeFileSync(path, readFileSync(path, 'utf8').split('\n').slice(0, 4).join('\n').concat('\n'));
  expect(await receipts.list({})).toHaveLength(1);
});

test('a line that is finished later is not missed, and an outcome on disk outweighs a permit still in memory', async () => {
  const dir = tempDir();
  await (await run(dir, [['r_1', 'forwarded']])).close();
  const name = logsIn(dir)[0] ?? '';
  const lines = readFileSync(join(dir, name), 'utf8').split('\n');
  const permit = lines.find((line) => line.includes('"kind":"permit"')) ?? '';
  writeFileSync(join(dir, name), permit.slice(0, 100));
  const receipts = openReceipts(dir, logger());
  expect(await receipts.list({})).toEqual([]);
  appendFileSync(join(dir, name), `${permit.slice(100)}\n`);
  expect(await receipts.states({})).toMatchObject([{ state: 'outcome_unknown' }]);

  writeFileSync(join(dir, name), lines.join('\n'));
  const late = { unflushed: () => ({ chain: name.slice(0, -'.jsonl'.length), bodies: [JSON.parse(permit)] }) };
  expect(await openReceipts(dir, logger(), late).states({})).toMatchObject([{ state: 'forwarded' }]);
});

test('one by one, newest first: what was removed meanwhile is left out, of equal times the later comes first', async () => {
  const dir = tempDir();
  const calls = Array.from({ length: 6 }, (_, call): [string, Outcome['kind']] => [
    `r_${call}`,
    call % 2 === 0 ? 'forwarded' : 'not_sent',
  ]);
  await (await run(dir, calls.slice(0, 3))).close();
  const [first = ''] = logsIn(dir);
  await (await run(dir, calls.slice(3))).close();
  await (
    await run(
      dir,
      [
        ['r_7', 'forwarded'],
        ['r_8', undefined],
      ],
      { pinnedAt: at(7) },
    )
  ).close();
  const receipts = openReceipts(dir, logger());
  const ids = async (...filter: Parameters<typeof receipts.each>) => {
    const found: string[] = [];
    for await (const {
      receipt: { id },
      state,
    } of receipts.each(...filter)) {
      found.push(`${id} ${state}`);
      if (id === 'r_4') rmSync(join(dir, first), { force: true });
    }
    return found;
  };
  const young = ['r_8 outcome_unknown', 'r_7 forwarded', 'r_5 not_sent', 'r_4 forwarded', 'r_3 not_sent'];
  expect(await ids({ limit: 1 })).toEqual(young);
  expect(await ids({ vm: 'App01' })).toEqual(young);
  expect(await receipts.states({ limit: 2 })).toHaveLength(2);
  expect(await receipts.states({ limit: 0 })).toEqual([]);
});
