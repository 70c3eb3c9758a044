import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LogHandle, OpenHandle } from '../../src/audit/file.js';
import { verify } from '../../src/audit/verify.js';
import { auditIn, FORWARD, judged, logger, logsIn, PIN, receipt, recordsIn, type Said, tempDir } from './support.js';

const POSIX = process.platform !== 'win32';
const unavailable = { code: 'AUDIT_UNAVAILABLE', message: expect.stringMatching(/not sent.*operator/) };

test('starting and closing leaves no trace', async () => {
  const dir = join(tempDir(), 'audit');
  const audit = auditIn(dir);
  await audit.close();
  expect(existsSync(dir)).toBe(false);
});

test('an intent is on disk when open resolves, the receipt when permit does, and the outcome follows', async () => {
  const dir = join(tempDir(), 'state', 'audit');
  const audit = auditIn(dir, { process: { version: '0.1.0', pid: 7, platform: 'x', config: 'abc' } });
  const entry = await audit.open(judged('call_1'), PIN);
  expect(recordsIn(dir).map((record) => record['kind'])).toEqual(['start', 'intent']);
  await entry.permit(receipt('r_1'), { by: 'alice', afterMs: 1500 });
  expect(recordsIn(dir).at(-1)).toMatchObject({
    kind: 'permit',
    call: 'call_1',
    answeredBy: 'alice',
    answeredAfterMs: 1500,
    receipt: receipt('r_1'),
  });
  await entry.close({
    kind: 'forwarded',
    result: 'ok',
    receipt: receipt('r_1', { forwardedAt: '2026-01-01T00:00:06Z' }),
  });
  await audit.close();
  const records = recordsIn(dir);
  expect(records.map((record) => record['kind'])).toEqual(['start', 'intent', 'permit', 'outcome', 'end']);
  expect(records[0]).toMatchObject({
    v: 1,
    seq: 1,
    version: '0.1.0',
    pid: 7,
    config: 'abc',
    prev: '0'.repeat(64),
    others: [],
  });
  expect(records[1]).toMatchObject({
    call: 'call_1',
    session: 's1',
    agent: 'test-agent',
    server: 'ssh',
    tool: 'run-command',
    arguments: { command: 'systemctl restart nginx', profile: 'app01' },
    digest: 'd'.repeat(64),
    effect: 'mutating',
    decision: 'pin_then_forward',
    rule: 'mutating',
    hosts: ['app01'],
    targets: [{ host: 'app01', vm: 'app01', vmIdentifier: 'guid.app01', vpgs: [{ name: 'vpg-app' }] }],
  });
  expect(records[3]).toMatchObject({
    outcome: 'forwarded',
    result: 'ok',
    receipt: { forwardedAt: '2026-01-01T00:00:06Z' },
  });
  expect(await verify(dir)).toMatchObject({ ok: true, files: [{ state: 'closed', records: 5 }] });
  if (POSIX) {
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dir, logsIn(dir)[0] ?? '')).mode & 0o777).toBe(0o600);
  }
});

test('decisions keep their words: a waiver is a forward that says by whom, a refusal carries its code', async () => {
  const dir = tempDir();
  const audit = auditIn(dir);
  await audit.open(judged('call_1'), { kind: 'waive', rule: 'exempt', by: 'exempt: lab' });
  await audit.open(judged('call_2'), {
    kind: 'refuse',
    rule: 'unresolved',
    code: 'TARGET_UNRESOLVED',
    reason: 'no such VM',
  });
  const refuse = { kind: 'refuse', rule: 'r', code: 'APPROVAL_DENIED', reason: 'no' } as const;
  await audit.open(judged('call_3'), { kind: 'ask', rule: 'unknown', question: 'q?', targets: [], otherwise: refuse });
  await audit.close();
  expect(recordsIn(dir).filter((record) => record['kind'] === 'intent')).toMatchObject([
    { decision: 'forward', waivedBy: 'exempt: lab' },
    { decision: 'refuse', code: 'TARGET_UNRESOLVED', reason: 'no such VM' },
    { decision: 'ask', otherwise: 'refuse' },
  ]);
});

test('read_only calls do not wait; they go with the next group, and level guarded leaves them out', async () => {
  const dir = join(tempDir(), 'a');
  const audit = auditIn(dir);
  const entry = await audit.open(judged('call_1', {}, 'read_only'), FORWARD);
  await entry.close({ kind: 'forwarded', result: 'ok' });
  expect(existsSync(dir)).toBe(false);
  await audit.open(judged('call_2'), PIN);
  expect(recordsIn(dir).map((record) => record['call'])).toEqual([undefined, 'call_1', 'call_1', 'call_2']);
  await audit.close();

  const guarded = join(tempDir(), 'b');
  const other = auditIn(guarded, { level: 'guarded' });
  const unrecorded = await other.open(judged('call_1', {}, 'read_only'), FORWARD);
  await unrecorded.close({ kind: 'forwarded', result: 'ok' });
  await expect(unrecorded.permit(receipt('r'))).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
  await other.close();
  expect(existsSync(guarded)).toBe(false);
});

test('a queued read_only record reaches the disk by itself, and close writes what is queued', async () => {
  const dir = tempDir();
  const audit = auditIn(dir);
  await audit.open(judged('call_1', {}, 'read_only'), FORWARD);
  await expect.poll(() => recordsIn(dir).length, { timeout: 5000 }).toBe(2);
  for (let at = 0; at < 10_000; at += 1) await audit.open(judged(`more_${at}`, {}, 'read_only'), FORWARD);
  await audit.close();
  expect(recordsIn(dir)).toHaveLength(10_003);
  expect(await verify(dir)).toMatchObject({ ok: true });
});

test('close writes also what was queued before there was a file', async () => {
  const dir = join(tempDir(), 'audit');
  const audit = auditIn(dir);
  await audit.open(judged('call_1', {}, 'read_only'), FORWARD);
  await audit.close();
  await audit.close();
  expect(recordsIn(dir).map((record) => record['kind'])).toEqual(['start', 'intent', 'end']);
  await expect(audit.open(judged('call_2'), PIN)).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
  await audit.open(judged('call_3', {}, 'read_only'), FORWARD);
  expect(recordsIn(dir)).toHaveLength(3);
});

test.skipIf(!POSIX)('a file that was away stays dead when it comes back', async () => {
  const dir = tempDir();
  const audit = auditIn(dir);
  await audit.open(judged('call_1'), PIN);
  const path = join(dir, logsIn(dir)[0] ?? '');
  renameSync(path, `${path}.old`);
  await expect(audit.open(judged('call_2'), PIN)).rejects.toMatchObject(unavailable);
  renameSync(`${path}.old`, path);
  await expect(audit.open(judged('call_3'), PIN)).rejects.toMatchObject(unavailable);
});

interface Counted {
  syncs: number;
  writes: number;
}

/** A real file whose calls are counted, and which can be made to fail. */
function counting(
  counted: Counted,
  fail: { write?: () => Promise<{ bytesWritten: number }>; sync?: () => Promise<void> } = {},
): OpenHandle {
  return async (path, flags, mode) => {
    const file: FileHandle = await open(path, flags, mode);
    const handle: LogHandle = {
      stat: (options) => file.stat(options),
      close: () => file.close(),
      write: async (bytes) => {
        counted.writes += 1;
        return fail.write === undefined ? file.write(bytes) : fail.write();
      },
      datasync: async () => {
        counted.syncs += 1;
        return fail.sync === undefined ? file.datasync() : fail.sync();
      },
    };
    return handle;
  };
}

test('a hundred calls at once share their syncs', async () => {
  const dir = tempDir();
  const counted = { syncs: 0, writes: 0 };
  const audit = auditIn(dir, { openFile: counting(counted) });
  await audit.open(judged('first'), PIN);
  const before = { ...counted };
  const entries = await Promise.all(Array.from({ length: 100 }, (_, at) => audit.open(judged(`call_${at}`), PIN)));
  expect(counted.syncs - before.syncs).toBe(1);
  await Promise.all(entries.map((entry) => entry.close({ kind: 'forwarded', result: 'ok' })));
  expect(counted.syncs - before.syncs).toBe(2);
  expect(recordsIn(dir)).toHaveLength(2 + 200);
  await audit.close();
  expect(await verify(dir)).toMatchObject({ ok: true });
});

test('a write that takes only a part is finished', async () => {
  const dir = tempDir();
  const openShort: OpenHandle = async (path, flags, mode) => {
    const file = await open(path, flags, mode);
    return {
      stat: (options) => file.stat(options),
      close: () => file.close(),
      datasync: () => file.datasync(),
      write: (bytes) => file.write(bytes.subarray(0, Math.max(1, Math.floor(bytes.length / 2)))),
    };
  };
  const audit = auditIn(dir, { openFile: openShort });
  await audit.open(judged('call_1'), PIN);
  await audit.close();
  expect(await verify(dir)).toMatchObject({ ok: true, files: [{ records: 3, state: 'closed' }] });
});

for (const [what, tamper] of [
  ['is removed', (path: string) => rmSync(path)],
  ['is renamed', (path: string) => renameSync(path, `${path}.old`)],
  [
    'is replaced by a copy',
    (path: string) => {
      const bytes = readFileSync(path);
      rmSync(path);
      writeFileSync(path, bytes, { mode: 0o600 });
    },
  ],
  [
    'is replaced by a link to itself',
    (path: string) => {
      renameSync(path, `${path}.old`);
      symlinkSync(`${path}.old`, path);
    },
  ],
  ['is cut', (path: string) => truncateSync(path, 10)],
  ['grows by another hand', (path: string) => writeFileSync(path, 'x', { flag: 'a' })],
  [
    'moves with its directory',
    (path: string) => {
      const dir = join(path, '..');
      renameSync(dir, `${dir}.old`);
      mkdirSync(dir, { mode: 0o700 });
      linkSync(join(`${dir}.old`, path.slice(dir.length + 1)), path);
    },
  ],
] as const) {
  test.skipIf(!POSIX)(`when the file ${what}, calls that may change something stop; reading goes on`, async () => {
    const dir = join(tempDir(), 'audit');
    const said: Said[] = [];
    const audit = auditIn(dir, { log: logger(said) });
    const entry = await audit.open(judged('call_1'), PIN);
    const path = join(dir, logsIn(dir)[0] ?? '');
    tamper(path);
    await expect(audit.open(judged('call_2'), PIN)).rejects.toMatchObject(unavailable);
    await expect(audit.open(judged('call_3'), PIN)).rejects.toMatchObject({ ...unavailable, details: { path } });
    await expect(entry.permit(receipt('r_1'))).rejects.toMatchObject(unavailable);
    await expect(entry.close({ kind: 'forwarded', result: 'ok' })).rejects.toMatchObject({
      code: 'AUDIT_UNAVAILABLE',
      message: expect.not.stringContaining('not sent'),
    });
    const reading = await audit.open(judged('call_4', {}, 'read_only'), FORWARD);
    await reading.close({ kind: 'forwarded', result: 'ok' });
    await audit.close();
    expect(said.map(({ message }) => message)).toContain('the audit log cannot be written');
  });
}

test('a failed sync kills the file: nothing more is written to it', async () => {
  const dir = tempDir();
  const counted = { syncs: 0, writes: 0 };
  const fail: { sync?: () => Promise<void> } = {};
  const audit = auditIn(dir, { openFile: counting(counted, fail) });
  await audit.open(judged('call_1'), PIN);
  fail.sync = () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
  await expect(audit.open(judged('call_2'), PIN)).rejects.toMatchObject({ ...unavailable, details: { errno: 'EIO' } });
  delete fail.sync;
  const { writes } = counted;
  await expect(audit.open(judged('call_3'), PIN)).rejects.toMatchObject(unavailable);
  await audit.open(judged('call_4', {}, 'read_only'), FORWARD);
  await audit.close();
  expect(counted.writes).toBe(writes);
});

test.skipIf(!existsSync('/dev/full'))('a full disk stops calls that may change something', async () => {
  const dir = tempDir();
  const full = await open('/dev/full', 'w');
  const fail: { write?: () => Promise<{ bytesWritten: number }> } = {};
  const audit = auditIn(dir, { openFile: counting({ syncs: 0, writes: 0 }, fail) });
  await audit.open(judged('call_1'), PIN);
  fail.write = () => full.write(Buffer.from('x'));
  await expect(audit.open(judged('call_2'), PIN)).rejects.toMatchObject({
    ...unavailable,
    details: { errno: 'ENOSPC' },
  });
  await expect(audit.open(judged('call_3'), PIN)).rejects.toMatchObject(unavailable);
  await audit.close();
  await full.close();
  expect(await verify(dir)).toMatchObject({ ok: true, files: [{ state: 'open', records: 2 }] });
});

test('degrade stops the next call that may change something, and a permit under way', async () => {
  const audit = auditIn(tempDir());
  const entry = await audit.open(judged('call_1'), PIN);
  audit.degrade(new Error('lost'));
  await expect(audit.open(judged('call_2'), PIN)).rejects.toMatchObject(unavailable);
  await expect(entry.permit(receipt('r'))).rejects.toMatchObject(unavailable);
  await audit.open(judged('call_3', {}, 'read_only'), FORWARD);
  await audit.close();
});

test('the agent is told neither path nor error number', async () => {
  const dir = join(tempDir(), 'file', 'audit');
  writeFileSync(join(dir, '..'), '');
  const audit = auditIn(dir);
  const error = await Promise.resolve(audit.open(judged('call_1'), PIN)).catch((caught: unknown) => caught as Error);
  expect(error).toMatchObject({ ...unavailable, details: { path: dir, errno: expect.any(String) } });
  expect((error as Error).message).not.toMatch(/audit-|EN|EE/);
});

test('creating the file is tried again, and the log says what was lost', async () => {
  const parent = tempDir();
  const dir = join(parent, 'blocked', 'audit');
  writeFileSync(join(parent, 'blocked'), '');
  const audit = auditIn(dir);
  await audit.open(judged('call_1', {}, 'read_only'), FORWARD);
  await expect(audit.open(judged('call_2'), PIN)).rejects.toMatchObject(unavailable);
  rmSync(join(parent, 'blocked'));
  await audit.open(judged('call_3'), PIN);
  await audit.close();
  expect(recordsIn(dir).map((record) => [record['kind'], record['call'] ?? record['count']])).toEqual([
    ['start', undefined],
    ['note', 1],
    ['intent', 'call_3'],
    ['end', undefined],
  ]);
});

test.skipIf(!POSIX)('a directory that others can write, a link, or one of another user is refused', async () => {
  const parent = tempDir();
  mkdirSync(join(parent, 'real'), { mode: 0o700 });
  symlinkSync(join(parent, 'real'), join(parent, 'link'));
  mkdirSync(join(parent, 'open'));
  chmodSync(join(parent, 'open'), 0o770);
  mkdirSync(join(parent, 'home'));
  chmodSync(join(parent, 'home'), 0o755);
  writeFileSync(join(parent, 'home', 'letter.txt'), '');
  writeFileSync(join(parent, 'file'), '');
  const places = ['link', 'open', 'home', 'file'];
  if (process.geteuid?.() === 0) {
    mkdirSync(join(parent, 'foreign'), { mode: 0o700 });
    chownSync(join(parent, 'foreign'), 65534, 65534);
    places.push('foreign');
  }
  for (const name of places) {
    await expect(auditIn(join(parent, name)).open(judged('c'), PIN), name).rejects.toMatchObject(unavailable);
  }
  expect(statSync(join(parent, 'home')).mode & 0o777).toBe(0o755);
});

test.skipIf(!POSIX)('a directory of its own that others can read is closed to them', async () => {
  const dir = tempDir();
  chmodSync(dir, 0o755);
  const audit = auditIn(dir);
  await audit.open(judged('call_1'), PIN);
  await audit.close();
  expect(statSync(dir).mode & 0o777).toBe(0o700);
});

test.skipIf(!POSIX)('a directory that cannot be written stops calls that may change something', async () => {
  const parent = tempDir();
  const dir = join(parent, 'audit');
  mkdirSync(dir);
  chmodSync(parent, 0o711);
  const root = process.geteuid?.() === 0;
  if (root) chownSync(dir, 65534, 65534);
  chmodSync(dir, 0o500);
  if (root) process.seteuid?.(65534);
  try {
    await expect(auditIn(dir).open(judged('c'), PIN)).rejects.toMatchObject({
      ...unavailable,
      details: { errno: 'EACCES' },
    });
  } finally {
    if (root) process.seteuid?.(0);
  }
});

test('hostile arguments are recorded, whatever they hold', async () => {
  const dir = tempDir();
  const audit = auditIn(dir);
  let deep: unknown = 'x';
  for (let at = 0; at < 20_000; at += 1) deep = [deep];
  const args = JSON.parse('{"__proto__":{"a":1},"toJSON":"x","n":1e400,"s":"\\ud800","\\udfff":-0}') as Record<
    string,
    unknown
  >;
  await audit.open(judged('call_1', { arguments: { ...args, deep, long: 'y'.repeat(3_000_000) } }), PIN);
  await audit.close();
  expect(await verify(dir)).toMatchObject({ ok: true });
  expect(recordsIn(dir)[1]).toMatchObject({ arguments: { n: 'Infinity', s: '\\ud800', '\\udfff': 0, toJSON: 'x' } });
});
