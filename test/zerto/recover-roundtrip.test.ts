import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { treeOf } from '../../src/commands/recover-tree.js';
import { Destination } from '../../src/commands/recover-write.js';
import type { Receipt } from '../../src/domain/receipt.js';
import type { Target } from '../../src/domain/target.js';
import type { MountView } from '../../src/zerto/recover.js';
import { fileMountJournal } from '../../src/zerto/recover-mounts.js';
import { Recovery } from '../../src/zerto/recover-sites.js';
import { toolCall } from '../support/calls.js';
import { fc } from '../support/property.js';
import { never } from './fake-zvm.js';
import { type Simulated, simulate, worldOf } from './simulated.js';

const { Guard } = await import('../../src/proxy/guard.js');

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const MIB = 1_048_576;
/** The suite takes a part of what `REWIND_LONG=1` takes: the same kinds of names and contents, fewer of each. */
const LONG = process.env['REWIND_LONG'] === '1';
const FILES = LONG ? 1_000 : 200;
const ROUNDS = LONG ? 6 : 4;
const TOUCHED = FILES / 7;

/** Reproducible: a failure names its seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const ODD = [
  'plain',
  'with space',
  ' leading',
  'trailing ',
  'käse-ñ',
  'ünï\u0301code',
  '日本語',
  'emoji-😀',
  'line\nbreak',
  'tab\there',
  'quote\'"',
  '-rf',
  '$(x)`y`',
  'per%41cent',
  'dot.',
  '.hidden',
  'a;b|c&d',
  '~1',
];

function nameOf(index: number, random: (below: number) => number): string {
  const stem = `${ODD[index % ODD.length]}-${index}`;
  if (index % 50 !== 0) return stem;
  const room = 255 - Buffer.byteLength(stem);
  return random(2) === 0 ? stem + 'x'.repeat(room) : `${stem}${'ü'.repeat(Math.floor(room / 2))}`;
}

function contentOf(kind: number, random: (below: number) => number): Buffer {
  switch (kind % 12) {
    case 0:
      return Buffer.alloc(0);
    case 1:
      return randomBytes(1 + random(4_000));
    case 2:
      return Buffer.from(`\ufeffwide ${random(1_000)}\r\n`, 'utf16le');
    case 3:
      return Buffer.from(`a\r\nb ${random(1_000)}\r\n`);
    case 4:
      return Buffer.from(`\ufeffwith mark ${random(1_000)}\n`);
    case 5:
      return Buffer.from([0, 1, random(256), 0]);
    default:
      return Buffer.from(`key = ${random(1_000_000)}\n`.repeat(1 + random(20)));
  }
}

/** What the guest wrote, when: the truth beside the appliance's images. */
class Guest {
  readonly #log: { readonly at: number; readonly path: string; readonly bytes: Buffer | undefined }[] = [];
  readonly #sim: Simulated;

  constructor(sim: Simulated) {
    this.#sim = sim;
  }

  write(path: string, bytes: Buffer): void {
    this.#sim.world.write('app01', path, bytes);
    this.#log.push({ at: this.#sim.time.now(), path, bytes });
  }

  remove(path: string): void {
    this.#sim.world.remove('app01', path);
    this.#log.push({ at: this.#sim.time.now(), path, bytes: undefined });
  }

  /** Every file that stood there at a moment. */
  at(moment: number): Map<string, Buffer> {
    const files = new Map<string, Buffer>();
    for (const { at, path, bytes } of this.#log) {
      if (at > moment) break;
      if (bytes === undefined) files.delete(path);
      else files.set(path, bytes);
    }
    return files;
  }
}

interface Change {
  readonly receipt: Receipt;
  /** When it was let out, in world time. */
  readonly sentAt: number;
  /** The files that the change touches, as they were when it was let out. */
  readonly before: ReadonlyMap<string, Buffer | undefined>;
}

async function changes(sim: Simulated, guest: Guest, trustCloudTags: boolean, random: (below: number) => number) {
  const names = Array.from({ length: FILES }, (_, index) => `/srv/d${index % 10}/${nameOf(index, random)}`);
  for (const [index, path] of names.entries()) guest.write(path, contentOf(index, random));
  guest.write('/srv/edge/below', randomBytes(MIB - 1));
  guest.write('/srv/edge/exact', randomBytes(MIB));
  guest.write('/srv/edge/above', randomBytes(MIB + 1));
  await sim.time.advance(700_000);
  const vpg = await sim.vpg('app');
  const vm = { name: 'app01', vmIdentifier: sim.world.vm('app01').vmIdentifier, site: 'site-a', addresses: [] };
  const target: Target = { host: 'app01', vm: { ...vm, vpgs: [vpg] } };
  let ids = 0;
  const guard = new Guard({
    checkpoints: sim.checkpoints,
    clock: sim.clock,
    newId: (prefix) => `${prefix}_${++ids}`,
    hold: { seconds: 5, trustCloudTags },
    reuseSeconds: 0,
    maxTagsPerVpgPerHour: 120,
    simulated: () => true,
    mode: 'enforce',
    log: { info: () => undefined, warn: () => undefined },
  });
  const made: Change[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const call = toolCall({ id: `call_${round}` });
    const grant = await guard.grant({
      call,
      place: guard.arrive(call),
      settled: { kind: 'pin_then_forward', rule: 'test', targets: [target] },
      aim: { targets: [target], problems: [] },
      covers: 'vm',
      aimAgain: async () => ({ targets: [target], problems: [] }),
      signal: never,
    });
    if (grant.permit.grounds.kind === 'read_only') throw new Error('no receipt');
    const { receipt } = grant.permit.grounds;
    grant.sent();
    const sentAt = sim.time.now();
    const now = guest.at(sim.time.now());
    const touched = Array.from({ length: TOUCHED }, () => names[random(names.length)] ?? '');
    const before = new Map(touched.map((path) => [path, now.get(path)]));
    // The change itself takes its time, and ends while a tag that is stamped late is not stamped yet.
    await sim.time.advance(1);
    for (const path of touched) {
      if (random(4) === 0) guest.remove(path);
      else guest.write(path, contentOf(random(12), random));
    }
    grant.done();
    made.push({ receipt, sentAt, before });
    await sim.time.advance(1_000 + random(90_000));
  }
  return { made, vpg, vmIdentifier: vm.vmIdentifier };
}

function moment(sim: Simulated, checkpointIdentifier: string): number {
  const found = sim.world.vpg('app').journal.find(({ id }) => String(id) === checkpointIdentifier);
  if (found === undefined) throw new Error(`checkpoint ${checkpointIdentifier} is gone`);
  return found.at;
}

function filesBelow(dir: string, under = ''): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (const entry of readdirSync(join(dir, under), { withFileTypes: true })) {
    const path = `${under}/${entry.name}`;
    if (entry.isDirectory()) for (const [name, bytes] of filesBelow(dir, path)) found.set(name, bytes);
    else found.set(path, readFileSync(join(dir, path)));
  }
  return found;
}

function same(found: ReadonlyMap<string, Buffer>, expected: ReadonlyMap<string, Buffer>): void {
  expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
  const wrong = [...expected].filter(([path, bytes]) => found.get(path)?.equals(bytes) !== true);
  expect(wrong.map(([path]) => path)).toEqual([]);
}

function recoveryOf(sim: Simulated): Recovery {
  const dir = mkdtempSync(join(tmpdir(), 'roundtrip-'));
  open.push(() => rmSync(dir, { recursive: true, force: true }));
  return new Recovery({
    clients: new Map([['site-a', sim.client]]),
    mounts: fileMountJournal(join(dir, 'mounts')),
    log: { warn: () => undefined, info: () => undefined },
    now: () => new Date(sim.time.now()),
    limits: { poll: 1 },
  });
}

function pointOf(receipt: Receipt): { readonly checkpointIdentifier: string } {
  const point = receipt.vms[0]?.vpgs[0]?.recoverFrom;
  if (point === undefined) throw new Error('no point');
  return point;
}

function tagOf(receipt: Receipt): string | undefined {
  return receipt.vms[0]?.vpgs[0]?.tag.checkpointIdentifier;
}

function sameBefore(before: Change['before'], stood: ReadonlyMap<string, Buffer>): void {
  for (const [path, bytes] of before) expect(stood.get(path), path).toEqual(bytes);
}

type Source = Parameters<Recovery['within']>[0];

/** Everything below a folder, by its path in the VM, written to a directory as the command does it, and read back. */
async function wholeTree(recovery: Recovery, source: Source, base = '/srv'): Promise<Map<string, Buffer>> {
  const dir = mkdtempSync(join(tmpdir(), 'tree-'));
  open.push(() => rmSync(dir, { recursive: true, force: true }));
  const done = await recovery.within(source, never, (view) => writeTree(view, base, new Destination(dir, false)));
  expect(done.kind).toBe('done');
  return filesBelow(dir);
}

async function writeTree(view: MountView, base: string, to: Destination): Promise<void> {
  const found = await view.find(base);
  if (found.kind !== 'item') throw new Error(found.kind);
  for await (const entry of treeOf(view, found.item, base, 'linux')) {
    if (entry.kind === 'file')
      await to.file(entry.names, () => view.bytes({ path: entry.item.path, size: entry.size }));
  }
}

/** Some files one by one, as the tool does it. */
async function singles(
  recovery: Recovery,
  source: Source,
  paths: readonly string[],
  stood: ReadonlyMap<string, Buffer>,
): Promise<void> {
  const asked = paths.filter((path) => !/\p{Cc}/u.test(path)).slice(0, 12);
  for (const path of [...asked, '/srv/edge/exact', '/srv/edge/above']) {
    const result = await recovery.recover({ ...source, path, maxBytes: MIB }, never);
    const expected = stood.get(path);
    if (expected === undefined) expect(result.kind, path).toBe('not_found');
    else if (expected.length > MIB) expect(result).toMatchObject({ kind: 'too_large', size: MIB + 1 });
    else expect(result.kind === 'file' && result.bytes.equals(expected), path).toBe(true);
  }
}

describe.each([
  ['vsphere', false],
  ['azure', false],
  ['aws', false],
  // Tags stamped 30 s after the change, and trusted: the guard must still see that they do not precede it.
  ['azure', true],
] as const)('on %s, cloud tags trusted: %s', (profile, trust) => {
  it(`${FILES} files changed in ${ROUNDS} rounds come back exactly as they stood at the recovery point`, {
    timeout: 240_000,
  }, async () => {
    const sim = await simulate(worldOf(profile), { mountMs: 0, unmountMs: 0, tokenSeconds: 1e9 });
    open.push(() => sim.close());
    const random = numbers(profile.length * 7 + Number(trust));
    const guest = new Guest(sim);
    const { made, vpg, vmIdentifier } = await changes(sim, guest, trust, random);
    const recovery = recoveryOf(sim);
    for (const [index, { receipt, sentAt, before }] of made.entries()) {
      const { checkpointIdentifier } = pointOf(receipt);
      const taken = moment(sim, checkpointIdentifier);
      const stood = guest.at(taken);
      expect(taken).toBeLessThanOrEqual(sentAt);
      // The tag holds everything up to the change; an earlier checkpoint may lack other changes.
      if (checkpointIdentifier === tagOf(receipt)) sameBefore(before, stood);
      const source = { vpg, vmIdentifier, checkpointIdentifier };
      if (index === 2) same(await wholeTree(recovery, source), stood);
      else await singles(recovery, source, [...before.keys()], stood);
    }
    expect(sim.world.sessions).toEqual([]);
    await recovery.close();
  });
});

it('any tree of names comes back whole', { timeout: 120_000 }, async () => {
  const name = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 40 })
    .filter((text) => !/[/\\\0\p{Cs}]/u.test(text) && text !== '.' && text !== '..' && text.trim() !== '');
  const tree = fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b/c', 'b/d'), name, fc.uint8Array({ maxLength: 50 })), {
    maxLength: 15,
    selector: ([folder, file]) => `${folder}/${file}`,
  });
  const sim = await simulate(worldOf('vsphere'), { mountMs: 0, unmountMs: 0, tokenSeconds: 1e9 });
  open.push(() => sim.close());
  const recovery = recoveryOf(sim);
  const vpg = await sim.vpg('app');
  const { vmIdentifier } = sim.world.vm('app01');
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(tree, async (files) => {
      runs += 1;
      const base = `/run${runs}`;
      const expected = new Map(files.map(([folder, file, bytes]) => [`${base}/${folder}/${file}`, Buffer.from(bytes)]));
      sim.world.write('app01', `${base}/keep`, '');
      for (const [path, bytes] of expected) sim.world.write('app01', path, bytes);
      sim.world.checkpoint('app');
      const checkpointIdentifier = String(sim.world.vpg('app').journal.at(-1)?.id);
      const got = await wholeTree(recovery, { vpg, vmIdentifier, checkpointIdentifier }, base);
      got.delete(`${base}/keep`);
      same(got, expected);
    }),
    { numRuns: 40 },
  );
});
