import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { Claims } from '../../src/audit/claims.js';
import { type Part, sortedParts } from '../../src/audit/names.js';
import { seal } from '../../src/audit/record.js';
import { headsFile } from '../../src/audit/send-heads.js';
import { publicKeysIn } from '../../src/audit/signing.js';
import { verify } from '../../src/audit/verify.js';
import { newPlace, verifyFile } from '../../src/audit/verify-chain.js';
import type { Place } from '../../src/audit/verify-record.js';
import { verifies } from '../e2e/requirements.js';
import { runBin } from '../support/raw-proxy.js';
import { auditIn, FORWARD, judged, logger, tempDir } from './support.js';

/** All kinds of changes at each record take most of a minute; the suite tries one kind at each, in turn. */
const LONG = process.env['REWIND_LONG'] === '1';
const KINDS = 7;
const CALLS = 1000;

interface Whole {
  readonly part: Part;
  readonly next: Part | undefined;
  readonly lines: readonly string[];
  /** Where the chain stands before it. */
  readonly before: Place;
}

const state = tempDir();
const dir = join(state, 'zerto-rewind-proxy', 'audit');
const keyFile = join(state, 'key');
const anchor = join(state, 'heads.jsonl');
const files: Whole[] = [];

beforeAll(async () => {
  const keeping = { keyFile, maxFileBytes: 24_000, heads: headsFile(anchor, logger()) };
  const audit = auditIn(dir, { keeping });
  for (let at = 0; at < CALLS; at += 25) {
    const ids = Array.from({ length: 25 }, (_, index) => `call_${at + index}`);
    const args = { arguments: { command: 'ls' } };
    const entries = await Promise.all(ids.map((id) => audit.open(judged(id, args, 'mutating'), FORWARD)));
    await Promise.all(entries.map((entry) => entry.close({ kind: 'forwarded', result: 'ok' })));
  }
  await audit.close();
  const parts = sortedParts(readdirSync(dir));
  const place = newPlace(parts[0]?.chain ?? '');
  for (const [index, part] of parts.entries()) {
    Object.assign(place, { part: part.part, taken: 0, over: undefined });
    const lines = readFileSync(join(dir, part.file), 'utf8').split('\n').slice(0, -1);
    files.push({ part, next: parts[index + 1], lines, before: { ...place } });
    await verifyFile(part, parts[index + 1], place, checking(dir));
  }
});

const checking = (where: string, claims = new Claims()) => ({ dir: where, claims, seen: () => undefined });
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

interface Change {
  readonly what: string;
  readonly bytes: string | Buffer;
  /** The line of the first broken record; 0: the file as a whole. */
  readonly line: number;
  /** Only what lies elsewhere shows it. */
  readonly needsAnchor?: boolean;
}

/** One of each of the KINDS of change at the record of line `at` (from 0). */
function* changesAt({ lines, next, before }: Whole, at: number): Generator<Change> {
  const line = lines[at] ?? '';
  const rest = (from: number) => lines.slice(from);
  const edited = Buffer.from(line);
  const offset = ((at + 1) * 7919) % edited.length;
  edited[offset] = (edited[offset] ?? 0) ^ (1 + (at % 127));
  const around = [Buffer.from(text(lines.slice(0, at))), edited, Buffer.from(`\n${text(rest(at + 1))}`)];
  yield { what: 'edited', bytes: Buffer.concat(around), line: at + 1 };
  const isTail = next === undefined && at === lines.length - 1;
  const removed = { what: 'removed', bytes: text(lines.toSpliced(at, 1)), needsAnchor: isTail };
  yield { ...removed, line: lines.length === 1 ? 0 : at + 1 };
  yield { what: 'doubled', bytes: text(lines.toSpliced(at, 0, line)), line: at + 2 };
  const previous = at === 0 ? undefined : (JSON.parse(lines[at - 1] ?? '') as { hash: string });
  const head = { chain: before.chain, seq: before.seq + at, hash: previous?.hash ?? before.hash };
  const forged = seal({ kind: 'note', at: '2026-01-01T00:00:00Z' }, head).line.toString().trimEnd();
  // What is inserted first in a file is no start record; elsewhere the record behind it does not follow.
  yield { what: 'inserted', bytes: text(lines.toSpliced(at, 0, forged)), line: at === 0 ? 1 : at + 2 };
  const other = at + 1 < lines.length ? at + 1 : at - 1;
  const swapped = lines.with(at, lines[other] ?? '').with(other, line);
  yield { what: 'swapped', bytes: text(swapped), line: Math.min(at, other) + 1 };
  const needsAnchor = next === undefined;
  yield {
    what: 'cut off',
    bytes: text(lines.slice(0, at)),
    line: at === 0 ? 0 : at + 1,
    needsAnchor: needsAnchor && at > 0,
  };
  yield { what: 'torn', bytes: text(lines.slice(0, at)) + line.slice(0, 30), line: at + 1, needsAnchor };
}

test('the log is what the others change: about two thousand records over many files', async () => {
  expect(files.length).toBeGreaterThan(20);
  expect(files.reduce((sum, { lines }) => sum + lines.length, 0)).toBeGreaterThan(2000);
  expect(await verify(dir, { keys: publicKeysIn(readFileSync(`${keyFile}.pub`, 'utf8')), anchor })).toMatchObject({
    ok: true,
  });
});

test(`${verifies('A-2')} every record of 2,000, edited, removed, doubled, inserted before, swapped, cut off and torn: the first broken one is named`, async () => {
  const scratch = tempDir();
  const { part, lines } = files.at(-1) as Whole;
  const { hash, seq } = JSON.parse(lines.at(-1) ?? '') as { hash: string; seq: number };
  const anchored = new Claims();
  anchored.add({ chain: part.chain, seq, hash }, 'the anchor');
  const tries = async (whole: Whole, at: number, { what, bytes, line, needsAnchor = false }: Change) => {
    writeFileSync(join(scratch, whole.part.file), bytes);
    const check = (claims?: Claims) =>
      verifyFile(whole.part, whole.next, { ...whole.before }, checking(scratch, claims));
    const name = `${what}: ${whole.part.file} line ${at + 1}`;
    if (needsAnchor) expect(await check(), name).not.toHaveProperty('broken');
    const { broken } = await check(needsAnchor ? anchored : undefined);
    expect(broken, name).toMatchObject({ file: whole.part.file, line, why: expect.any(String) });
  };
  let tried = 0;
  for (const whole of files) {
    for (let at = 0; at < whole.lines.length; at += 1) {
      const changes = [...changesAt(whole, at)];
      const some = LONG ? changes : [changes[tried % KINDS] as Change];
      for (const change of some) await tries(whole, at, change);
      tried += some.length;
    }
  }
  expect(tried).toBeGreaterThan(LONG ? 2000 * KINDS : 2000);
});

/** The directory with one change, on another record each time. */
function changedCopy(round: number): {
  readonly copy: string;
  readonly file: string;
  readonly line: number;
  readonly state: string;
} {
  const base = tempDir();
  const copy = join(base, 'zerto-rewind-proxy', 'audit');
  const whole = files[(round * 5) % (files.length - 1)] as Whole;
  const changes = [...changesAt(whole, (round * 13) % whole.lines.length)];
  const { bytes, line } = changes[round % changes.length] as Change;
  copyDirectory(dir, copy);
  writeFileSync(join(copy, whole.part.file), bytes);
  return { copy, file: whole.part.file, line, state: base };
}

function copyDirectory(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) copyFileSync(join(from, name), join(to, name));
}

test('the whole directory says the same: the changed file is the first that is broken', async () => {
  for (let round = 0; round < (LONG ? 40 : 10); round += 1) {
    const { copy, file, line } = changedCopy(round);
    expect((await verify(copy)).broken, `round ${round}`).toMatchObject({ file, line });
  }
});

test('so does the program, by its exit code and its last line', async () => {
  for (let round = 0; round < (LONG ? 14 : 3); round += 1) {
    const { state: home, file, line } = changedCopy(100 + round);
    const { code, stdout } = await runBin(['audit', 'verify'], { XDG_STATE_HOME: home, XDG_CONFIG_HOME: home });
    expect(code).toBe(1);
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(new RegExp(`^broken: first in "${file}", line ${line}: `));
  }
  const whole = await runBin(['audit', 'verify', '--public-key', `${keyFile}.pub`, '--anchor', anchor], {
    XDG_STATE_HOME: state,
    XDG_CONFIG_HOME: state,
  });
  expect(whole).toMatchObject({ code: 0, stdout: expect.stringMatching(/closed .* under a signed head\nok\n$/) });
});
