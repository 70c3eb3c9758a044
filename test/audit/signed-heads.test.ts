import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GENESIS, seal } from '../../src/audit/record.js';
import { headsFile } from '../../src/audit/send-heads.js';
import { openSigner, publicKeysIn } from '../../src/audit/signing.js';
import { verify } from '../../src/audit/verify.js';
import { verifies } from '../e2e/requirements.js';
import { auditIn, FORWARD, judged, logger, logsIn, PIN, recordsIn, type Said, tempDir } from './support.js';

const POSIX = process.platform !== 'win32';

async function write(dir: string, keyFile: string, calls = 10, keeping: object = {}) {
  const audit = auditIn(dir, { keeping: { keyFile, headEvery: 4, ...keeping } });
  for (let at = 0; at < calls; at += 1) await audit.open(judged(`call_${at}`), PIN);
  await audit.close();
}

const keysOf = (keyFile: string) => publicKeysIn(readFileSync(`${keyFile}.pub`, 'utf8'));
const kinds = (dir: string) => recordsIn(dir).map((record) => record['kind']);

test(`${verifies('A-2', 'T-7')} the key comes with the first record and not before; heads stand behind every few records and at the end`, async () => {
  const state = join(tempDir(), 'state');
  const dir = join(state, 'audit');
  const keyFile = join(state, 'audit-signing.key');
  const idle = auditIn(dir, { keeping: { keyFile } });
  await idle.close();
  expect(existsSync(state)).toBe(false);
  await write(dir, keyFile);
  if (POSIX) expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  const intents = (count: number) => Array.from({ length: count }, () => 'intent');
  expect(kinds(dir)).toEqual(['start', ...intents(3), 'head', ...intents(4), 'head', ...intents(3), 'end']);
  expect(recordsIn(dir)[0]).toMatchObject({ key: [...keysOf(keyFile)][0] });
  expect(await verify(dir, { keys: keysOf(keyFile) })).toEqual({
    ok: true,
    files: [{ file: logsIn(dir)[0], state: 'closed', records: 14, signed: 14 }],
  });
  // The next process signs with the same key.
  await write(dir, keyFile, 1);
  expect(await verify(dir, { keys: keysOf(keyFile) })).toMatchObject({ ok: true });
});

test('without a key file nothing is signed, and verify with a key says so', async () => {
  const dir = tempDir();
  const audit = auditIn(dir, { keeping: { headEvery: 1 } });
  await audit.open(judged('call_1'), PIN);
  await audit.close();
  expect(kinds(dir)).toEqual(['start', 'intent', 'end']);
  const other = openSigner(join(tempDir(), 'k'), logger());
  expect(await verify(dir, { keys: new Set([other?.key ?? '']) })).toMatchObject({
    broken: { line: 1, why: expect.stringContaining('not signed') },
  });
});

test.skipIf(!POSIX)(
  'a key that is open to others, damaged or a link is not used: the log says by its missing key that nothing is signed',
  async () => {
    const parent = tempDir();
    const good = join(parent, 'good.key');
    openSigner(good, logger());
    const cases: Record<string, (path: string) => void> = {
      open: (path) => {
        cpSync(good, path);
        chmodSync(path, 0o644);
      },
      damaged: (path) => writeFileSync(path, 'x', { mode: 0o600 }),
      other: (path) =>
        writeFileSync(
          path,
          generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
          { mode: 0o600 },
        ),
      directory: (path) => mkdirSync(path),
    };
    for (const [name, make] of Object.entries(cases)) {
      const said: Said[] = [];
      const path = join(parent, `${name}.key`);
      make(path);
      const dir = tempDir();
      const audit = auditIn(dir, { keeping: { keyFile: path }, log: logger(said) });
      await audit.open(judged('call_1'), PIN);
      await audit.close();
      expect(
        said.map(({ message }) => message),
        name,
      ).toEqual([expect.stringContaining('not signed')]);
      expect(recordsIn(dir)[0], name).not.toHaveProperty('key');
      expect(await verify(dir), name).toMatchObject({ ok: true });
    }
  },
);

/** The records of a file sealed again with new hashes, some of them changed, and signed where there is a key. */
function reseal(path: string, change: (record: Record<string, unknown>) => object, keyFile?: string): void {
  const signer = keyFile === undefined ? undefined : openSigner(keyFile, logger());
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  let head = { chain: String((JSON.parse(lines[0] ?? '') as { chain: string }).chain), seq: 0, hash: GENESIS };
  const sealed = lines.map((line) => {
    const {
      v: _v,
      hash: _hash,
      prev: _prev,
      seq: _seq,
      chain: _chain,
      ...body
    } = JSON.parse(line) as Record<string, unknown>;
    if (signer !== undefined) delete body['sig'];
    const made = seal({ ...body, ...change(body) } as Parameters<typeof seal>[0], head, signer);
    head = made.head;
    return made.line;
  });
  writeFileSync(path, Buffer.concat(sealed));
}

test(`${verifies('A-2')} a rewrite of all hashes without the key is found at the first signature; with another key, by the given public key`, async () => {
  const dir = tempDir();
  const keyFile = join(tempDir(), 'k');
  await write(dir, keyFile);
  const path = join(dir, logsIn(dir)[0] ?? '');
  const original = readFileSync(path);
  const lie = (record: Record<string, unknown>) => (record['call'] === 'call_1' ? { agent: 'somebody else' } : {});
  reseal(path, lie);
  expect((await verify(dir)).broken).toMatchObject({ line: 5, why: expect.stringContaining('signature') });
  const mine = join(tempDir(), 'mine');
  const forger = openSigner(mine, logger());
  reseal(path, (record) => ({ ...lie(record), ...(record['kind'] === 'start' ? { key: forger?.key } : {}) }), mine);
  expect(await verify(dir)).toMatchObject({ ok: true });
  expect((await verify(dir, { keys: keysOf(keyFile) })).broken).toMatchObject({
    line: 1,
    why: expect.stringContaining('key'),
  });
  // Taking the signatures away is no way out either.
  reseal(path, (record) => ({
    ...lie(record),
    sig: undefined,
    ...(record['kind'] === 'start' ? { key: undefined } : {}),
  }));
  expect(await verify(dir)).toMatchObject({ ok: true });
  expect((await verify(dir, { keys: keysOf(keyFile) })).broken).toMatchObject({ line: 1 });
  writeFileSync(path, original);
  expect(await verify(dir, { keys: keysOf(keyFile) })).toMatchObject({ ok: true });
});

test(`${verifies('A-2')} what a directory cannot show, an anchor does: a cut tail, a chain that is gone, a rewrite with the key`, async () => {
  const dir = tempDir();
  const place = tempDir();
  const keyFile = join(place, 'k');
  const anchor = join(place, 'heads.jsonl');
  await write(dir, keyFile, 10, { heads: headsFile(anchor, logger()) });
  const name = logsIn(dir)[0] ?? '';
  const path = join(dir, name);
  const original = readFileSync(path, 'utf8');
  const lines = original.trimEnd().split('\n');
  const keys = keysOf(keyFile);
  const anchored = readFileSync(anchor, 'utf8').trimEnd().split('\n');
  expect(anchored.at(-1)).toBe(lines.at(-1));
  for (const line of anchored) expect(lines).toContain(line);
  expect(await verify(dir, { keys, anchor })).toMatchObject({ ok: true });

  for (const cut of [lines.length - 1, 5, 1]) {
    writeFileSync(path, `${lines.slice(0, cut).join('\n')}\n`);
    expect(await verify(dir, { keys })).toMatchObject({ ok: true });
    expect((await verify(dir, { keys, anchor })).broken).toMatchObject({ file: name, line: cut + 1 });
  }
  writeFileSync(path, original);
  reseal(path, (record) => (record['call'] === 'call_1' ? { agent: 'somebody else' } : {}), keyFile);
  expect(await verify(dir, { keys })).toMatchObject({ ok: true });
  const first = (JSON.parse(anchored[0] ?? '') as { seq: number }).seq;
  expect((await verify(dir, { keys, anchor })).broken).toMatchObject({
    line: first,
    why: expect.stringContaining('anchor'),
  });
  rmSync(path);
  expect(await verify(dir, { keys })).toEqual({ ok: true, files: [] });
  expect((await verify(dir, { keys, anchor })).broken).toMatchObject({ file: name, line: 0 });
});

test('an anchor of other lines, other bytes or another key is refused; half a line is left out', async () => {
  const dir = tempDir();
  const place = tempDir();
  const keyFile = join(place, 'k');
  const anchor = join(place, 'heads.jsonl');
  await write(dir, keyFile, 5, { heads: headsFile(anchor, logger()) });
  const text = readFileSync(anchor, 'utf8');
  const keys = keysOf(keyFile);
  for (const bad of [text.replace('"kind"', ' "kind"'), text.replace(/"at":"2/, '"at":"3'), '{}\n', `${text}[]}\n`]) {
    writeFileSync(anchor, bad);
    await expect(verify(dir, { keys, anchor }), bad.slice(0, 60)).rejects.toThrow(/line \d+: not a record/);
  }
  writeFileSync(anchor, `${text.slice(0, 40)}\n${text}${text.slice(0, 50)}`);
  expect(await verify(dir, { keys, anchor })).toMatchObject({ ok: true });
  const other = openSigner(join(place, 'other'), logger());
  await expect(verify(dir, { keys: new Set([other?.key ?? '']), anchor })).rejects.toThrow(/none of the given keys/);
  expect(() => publicKeysIn('no key')).toThrow(TypeError);
});

test('heads that cannot be copied hold up nothing; the newest is there as soon as the place is', async () => {
  const dir = tempDir();
  const place = join(tempDir(), 'mount');
  const anchor = join(place, 'heads.jsonl');
  const said: Said[] = [];
  const audit = auditIn(dir, {
    keeping: { keyFile: join(tempDir(), 'k'), headEvery: 1, heads: headsFile(anchor, logger(said)) },
  });
  for (let at = 0; at < 5; at += 1) await audit.open(judged(`call_${at}`), PIN);
  await expect.poll(() => said.length).toBe(1);
  mkdirSync(place);
  writeFileSync(anchor, '{"cut');
  await audit.open(judged('read', {}, 'read_only'), FORWARD);
  await audit.close();
  expect(said).toHaveLength(1);
  const copied = readFileSync(anchor, 'utf8').trimEnd().split('\n');
  expect(copied[0]).toBe('{"cut');
  expect(copied.at(-1)).toBe(
    readFileSync(join(dir, logsIn(dir)[0] ?? ''), 'utf8')
      .trimEnd()
      .split('\n')
      .at(-1),
  );
  expect(await verify(dir, { anchor })).toMatchObject({ ok: true });
});
