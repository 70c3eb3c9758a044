import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { auditSpool } from '../../src/audit-spool.js';
import { heldFiles, lagOf } from '../../src/export/lag.js';
import { Lease } from '../../src/export/lease.js';
import { Undelivered } from '../../src/export/sink.js';
import { logsIn, recordsIn } from '../audit/support.js';
import { auditIn, keeping, ship, stateDir, writeCalls } from './support.js';

const idsIn = (dir: string) => recordsIn(dir).map(({ chain, seq }) => `${chain}:${seq}`);

test('every record goes once, in order, as it was written, with what its call is about', async () => {
  const dirs = stateDir();
  const audit = auditIn(dirs.audit);
  const kept = keeping();
  const running = ship(dirs, { open: async () => kept.sink });
  await writeCalls(audit, ['a', 'b']);
  await expect.poll(() => kept.taken.length).toBe(7);
  await audit.close();
  await running.stop();
  expect(kept.taken.map(({ id }) => id)).toEqual(idsIn(dirs.audit));
  const [file = ''] = logsIn(dirs.audit);
  expect(kept.taken.map(({ text }) => `${text}\n`).join('')).toBe(readFileSync(join(dirs.audit, file), 'utf8'));
  expect(kept.taken.map(({ kind }) => kind)).toEqual([
    'start',
    ...['intent', 'permit', 'outcome', 'intent', 'permit', 'outcome'],
    'end',
  ]);
  const outcome = kept.taken[3];
  expect(outcome?.call).toMatchObject({ id: 'a', tool: 'run-command', server: 'ssh', transport: 'pipe' });
  expect(outcome?.call?.permittedAt).toBeDefined();
});

test('a process that begins anew goes on behind what was acknowledged, and still knows the calls that are not over', async () => {
  const dirs = stateDir();
  const audit = auditIn(dirs.audit);
  const before = keeping();
  const first = ship(dirs, { open: async () => before.sink });
  await writeCalls(audit, ['a']);
  const { judged, PIN, receipt } = await import('../audit/support.js');
  const entry = await audit.open(judged('open'), PIN);
  await expect.poll(() => before.taken.length).toBe(5);
  await first.stop();
  await entry.permit(receipt('r_open'));
  await entry.close({ kind: 'forwarded', result: 'ok', receipt: receipt('r_open') });
  const after = keeping();
  const second = ship(dirs, { open: async () => after.sink });
  await expect.poll(() => after.taken.length).toBe(2);
  await second.stop();
  expect([...before.taken, ...after.taken].map(({ id }) => id)).toEqual(idsIn(dirs.audit));
  expect(after.taken.map(({ kind, call }) => [kind, call?.tool])).toEqual([
    ['permit', 'run-command'],
    ['outcome', 'run-command'],
  ]);
});

test('what was sent and not acknowledged goes again with the same ids; nothing is left out', async () => {
  const dirs = stateDir();
  const audit = auditIn(dirs.audit);
  await writeCalls(audit, ['a', 'b', 'c']);
  const lost = keeping();
  // It took the batch, and the answer did not arrive.
  lost.fail.with = (batch) => {
    lost.taken.push(...batch);
    return new Undelivered('cut');
  };
  const first = ship(dirs, { open: async () => lost.sink, mostRecords: 4 });
  await expect.poll(() => lost.taken.length).toBeGreaterThanOrEqual(4);
  await first.abandon();
  const kept = keeping();
  const second = ship(dirs, { open: async () => kept.sink, mostRecords: 4 });
  await expect.poll(() => kept.taken.length).toBe(10);
  await second.stop();
  expect(kept.taken.map(({ id }) => id)).toEqual(idsIn(dirs.audit));
  expect(kept.taken.map(({ id }) => id).slice(0, 4)).toEqual(lost.taken.map(({ id }) => id).slice(0, 4));
});

test('a destination that is down loses nothing and holds one batch; that it is down is said once, and that it is back', async () => {
  const dirs = stateDir();
  const audit = auditIn(dirs.audit);
  const kept = keeping();
  let tries = 0;
  let largest = 0;
  kept.fail.with = (batch) => {
    tries += 1;
    largest = Math.max(largest, batch.length);
    return new Undelivered('collector.example answered 503');
  };
  const running = ship(dirs, { open: async () => kept.sink, mostRecords: 5 });
  await writeCalls(audit, ['a', 'b', 'c', 'd', 'e', 'f']);
  await expect.poll(() => tries).toBeGreaterThan(3);
  expect(largest).toBeLessThanOrEqual(5);
  const [lag] = await lagOf(dirs.export, auditSpool(dirs.audit), [{ name: 'kept', where: 'x' }]);
  expect(lag).toMatchObject({ records: 19, trouble: { why: 'collector.example answered 503' } });
  expect(Date.parse(lag?.oldest ?? '')).toBeGreaterThan(Date.now() - 60_000);
  expect(await heldFiles(dirs.export, auditSpool(dirs.audit), ['kept'])).toEqual(new Set(logsIn(dirs.audit)));
  kept.fail.with = undefined;
  await expect.poll(() => kept.taken.length).toBe(19);
  await audit.close();
  await running.stop();
  expect(new Set(kept.taken.map(({ id }) => id))).toEqual(new Set(idsIn(dirs.audit)));
  expect(running.said.map(({ message }) => message)).toEqual([
    'the audit log is not exported: it is kept and sent later',
    'the audit log is exported again',
  ]);
  expect(await lagOf(dirs.export, auditSpool(dirs.audit), [{ name: 'kept', where: 'x' }])).toMatchObject([
    { records: 0, bytes: 0, trouble: undefined },
  ]);
  expect(await heldFiles(dirs.export, auditSpool(dirs.audit), ['kept'])).toEqual(new Set());
  expect(await heldFiles(dirs.export, auditSpool(dirs.audit), ['kept', 'other'])).toEqual(new Set(logsIn(dirs.audit)));
});

test('a batch that is refused as a whole goes in smaller parts', async () => {
  const dirs = stateDir();
  const audit = auditIn(dirs.audit);
  await writeCalls(audit, ['a', 'b', 'c', 'd']);
  const kept = keeping();
  kept.fail.with = (batch) => (batch.length > 2 ? new Undelivered('answered 413', { refused: true }) : undefined);
  const running = ship(dirs, { open: async () => kept.sink });
  await expect.poll(() => kept.taken.length).toBe(13);
  await running.stop();
  expect(kept.taken.map(({ id }) => id)).toEqual(idsIn(dirs.audit));
});

test('of two processes one sends; the other takes over when it goes', async () => {
  const dirs = stateDir();
  const audit = auditIn(dirs.audit);
  const one = keeping();
  const other = keeping();
  const first = ship(dirs, { open: async () => one.sink });
  await writeCalls(audit, ['a']);
  await expect.poll(() => one.taken.length).toBe(4);
  const second = ship(dirs, { open: async () => other.sink });
  await writeCalls(audit, ['b']);
  await expect.poll(() => one.taken.length).toBe(7);
  expect(other.taken).toEqual([]);
  await first.stop();
  await writeCalls(audit, ['c']);
  await expect.poll(() => other.taken.length).toBe(3);
  await second.stop();
  expect([...one.taken, ...other.taken].map(({ id }) => id)).toEqual(idsIn(dirs.audit));
});

test('a lease of a dead process is inherited by one of those that wait; one of a living process is not', async () => {
  const { export: dir } = stateDir();
  const dead = new Lease(dir, 'x', { host: 'here', pid: 41, unique: 'dead' });
  expect(await dead.take()).toBe(true);
  const living = (pid: number) => pid !== 41;
  const waiting = [50, 51, 52, 53].map((pid) => new Lease(dir, 'x', { host: 'here', pid, unique: `w${pid}` }, living));
  const taken = await Promise.all(waiting.map((lease) => lease.take()));
  expect(taken.filter((each) => each).length).toBe(1);
  const elsewhere = new Lease(dir, 'x', { host: 'there', pid: 41, unique: 'far' }, () => false);
  expect(await elsewhere.take()).toBe(false);
  for (const lease of waiting) await lease.release();
  expect(await elsewhere.take()).toBe(true);
  await elsewhere.release();
});

test.skipIf(process.platform === 'win32')(
  'positions are for this user alone, and what is none counts as nothing acknowledged',
  async () => {
    const dirs = stateDir();
    const audit = auditIn(dirs.audit);
    await writeCalls(audit, ['a']);
    const kept = keeping();
    const first = ship(dirs, { open: async () => kept.sink });
    await expect.poll(() => kept.taken.length).toBe(4);
    await first.stop();
    const file = join(dirs.export, 'kept.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirs.export).mode & 0o777).toBe(0o700);
    for (const text of ['', '{', '{"v":1,"chains":{"x":[1]}}', '{"v":2,"chains":{}}', 'null']) {
      writeFileSync(file, text);
      const again = keeping();
      const running = ship(dirs, { open: async () => again.sink });
      await expect.poll(() => again.taken.length).toBe(4);
      await running.stop();
    }
  },
);
