import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallRecords, readCalls } from '../../src/audit/calls.js';
import type { CallEntry } from '../../src/audit/entry.js';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { sitesOf } from '../support/proxy-process.js';
import { jsonLines, RawProxy, receiptIn, runBin, scratchDir, seeded } from '../support/raw-proxy.js';
import { verifies } from './requirements.js';

const SEED = 20_260_517;
const LANES = 6;
const RUNS_PER_LANE = process.env['REWIND_LONG'] === undefined ? 6 : 17;
/**
 * What the lives of a lane wait for in turn before their random last milliseconds: every lane dies in every part of a
 * call, however slow the machine. The first one ends after an answer, since a recovery needs an earlier life's receipt.
 */
const MOMENTS = ['answer', 'mount', 'arrival', 'insert', 'initialized', 'start'] as const;
const LAST_MS = { start: 500, initialized: 1_500, insert: 1_700, arrival: 250, mount: 300, answer: 1_700 };
const ANSWER_MS = 200;
const WITNESS = join(import.meta.dirname, '..', 'fixtures', 'e2e', 'witness-server.mjs');
const ORIGINAL = 'port = 8443\n';

let world: World;
let simulator: Simulator;
const lanes: Lane[] = [];

/** A call as the server saw it come, and what the audit log held at that moment. */
interface Arrival {
  readonly at: number;
  readonly command: string;
  readonly onDisk: { readonly intent: boolean; readonly permit: boolean };
}

interface Lane {
  readonly vm: string;
  readonly vpg: string;
  readonly scratch: string;
  readonly auditDir: string;
  readonly received: readonly Arrival[];
  readonly calls: readonly CallRecords[];
  /** Mounts on the appliance at the moments of death. */
  readonly mountsAtDeath: number;
  readonly recovered: string;
  readonly exit: number | null;
}

beforeAll(async () => {
  const names = Array.from({ length: LANES }, (_, index) => `app${index}`);
  // Listed shortly before the guard looks: who does not wait for it is caught.
  const timings = { gapMs: 2_000, completedMs: 20, stampMs: 10, listedMs: 1_200 };
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: names.map((name) => ({ name })),
    vpgs: names.map((name) => ({ name: `vpg-${name}`, vms: [name], timings })),
  });
  for (const name of names) {
    world.write(name, '/etc/app.conf', ORIGINAL);
    world.checkpoint(`vpg-${name}`);
  }
  simulator = await startSimulator({ world, knobs: { mountMs: 300, unmountMs: 100 } });
  lanes.push(...(await Promise.all(names.map((name, index) => livesOf(name, seeded(SEED + index))))));
}, 240_000);
afterAll(async () => {
  await simulator.close();
  world.close();
  for (const { scratch } of lanes) rmSync(scratch, { recursive: true, force: true });
});

/** Proxies one after another on one audit directory, each killed at a random moment; then one that ends well. */
async function livesOf(vm: string, random: () => number): Promise<Lane> {
  const scratch = scratchDir();
  const received = join(scratch, 'received.jsonl');
  const auditDir = join(scratch, 'zerto-rewind-proxy', 'audit');
  const downstream = [process.execPath, WITNESS, received, String(ANSWER_MS), auditDir];
  const start = () => new RawProxy({ scratch, downstream, config: config() });
  let receipt: string | undefined;
  let mountsAtDeath = 0;
  for (let run = 0; run < RUNS_PER_LANE; run += 1) {
    const moment = MOMENTS[run % MOMENTS.length] ?? 'start';
    const happened = watch(moment, vm, scratch);
    const proxy = start();
    const seen = new Set<string>(['start']);
    const working = work(proxy, vm, { name: `${vm}-${run}`, receipt, seen }).catch(() => undefined);
    await until(() => seen.has(moment) || (seen.has('initialized') && happened()), working);
    await pause(random() * LAST_MS[moment]);
    proxy.kill('SIGKILL');
    mountsAtDeath += mountsOf(vm).length;
    await proxy.exit;
    receipt = (await working) ?? receipt;
  }
  const last = start();
  const fresh = await work(last, vm, { name: `${vm}-last`, receipt: undefined, seen: new Set() });
  last.call('recover', 'zerto_recover_file', { receipt: fresh, path: '/etc/app.conf', confirmed: true });
  const recovered = await last.text('recover');
  last.end();
  const { code } = await last.exit;
  const calls: CallRecords[] = [];
  for await (const call of readCalls(auditDir)) calls.push(call);
  const arrivals = jsonLines<Arrival>(received);
  return { vm, vpg: `vpg-${vm}`, scratch, auditDir, received: arrivals, calls, mountsAtDeath, recovered, exit: code };
}

/** Whether, from now on, such a thing has happened to this VM; what only the client sees is left to `seen`. */
function watch(moment: (typeof MOMENTS)[number], vm: string, scratch: string): () => boolean {
  const inserts = () =>
    world.tasks.filter(({ type, vpg }) => type === 'InsertTaggedCP' && vpg.name === `vpg-${vm}`).length;
  const file = join(scratch, 'received.jsonl');
  const arrivals = () => (existsSync(file) ? readFileSync(file, 'utf8').split('touch').length : 0);
  const before = { inserts: inserts(), arrivals: arrivals() };
  if (moment === 'insert') return () => inserts() > before.inserts;
  if (moment === 'arrival') return () => arrivals() > before.arrivals;
  if (moment === 'mount') return () => mountsOf(vm).length > 0;
  return () => false;
}

const pause = (ms: number) => new Promise<false>((resolve) => setTimeout(resolve, ms, false));

async function until(condition: () => boolean, over: Promise<unknown>): Promise<void> {
  const ended = over.then(() => true);
  while (!condition() && !(await Promise.race([ended, pause(5)])));
}

const config = () => ({
  zvm: sitesOf(['site-a', simulator]),
  guard: { timeoutSeconds: 20, holdSeconds: 0 },
  recovery: { confirm: 'flag' },
});

interface Work {
  readonly name: string;
  /** Of an earlier life, to recover under. */
  readonly receipt: string | undefined;
  /** The moments that the client has seen. */
  readonly seen: Set<string>;
}

/** Two changes one after the other, a read beside them, and a recovery. Answers the last receipt. */
async function work(proxy: RawProxy, vm: string, { name, receipt, seen }: Work): Promise<string | undefined> {
  await proxy.initialize();
  seen.add('initialized');
  proxy.call('a', 'ssh_execute', { host: vm, command: `touch /srv/${name}-a` });
  proxy.call('read', 'ssh_execute', { host: vm, command: `cat /srv/${name}` });
  if (receipt !== undefined)
    proxy.call('recover', 'zerto_recover_file', { receipt, path: '/etc/app.conf', confirmed: true });
  const first = receiptIn(await proxy.answer('a'));
  seen.add('answer');
  proxy.call('b', 'ssh_execute', { host: vm, command: `touch /srv/${name}-b` });
  return receiptIn(await proxy.answer('b').catch(() => ({}))) ?? first;
}

function mountsOf(vm: string): World['sessions'] {
  return world.sessions.filter((session) => session.vmIdentifier === world.vm(vm).vmIdentifier);
}

const each = (look: (lane: Lane) => void | Promise<void>) => async (): Promise<void> => {
  for (const lane of lanes) await look(lane);
};
const isChange = (command: unknown): boolean => String(command).startsWith('touch ');
const commandOf = ({ intent }: CallRecords) => String(intent.arguments['command']);
const changes = (lane: Lane) => lane.calls.filter((call) => isChange(commandOf(call)));

describe(`${LANES * RUNS_PER_LANE} deaths of the proxy by SIGKILL at random moments`, () => {
  test('death struck before and after the permit, after the answer, and during recoveries', () => {
    const all = lanes.flatMap(changes);
    const count = (matches: (call: CallRecords) => boolean) => all.filter(matches).length;
    expect(count(({ permit }) => permit === undefined)).toBeGreaterThan(5);
    expect(count(({ permit, outcome }) => permit !== undefined && outcome === undefined)).toBeGreaterThan(2);
    expect(count(({ outcome }) => outcome !== undefined)).toBeGreaterThan(12);
    expect(lanes.reduce((sum, { mountsAtDeath }) => sum + mountsAtDeath, 0)).toBeGreaterThan(2);
  });

  test(
    `${verifies('A-1', 'G-1', 'G-4')} no change reached the server without intent and permit on disk and its tag listed before`,
    each((lane) => {
      const arrived = lane.received.filter(({ command }) => isChange(command));
      expect(new Set(arrived.map(({ command }) => command)).size).toBe(arrived.length);
      for (const { command, at, onDisk } of arrived) {
        expect(onDisk).toEqual({ intent: true, permit: true });
        const records = lane.calls.filter((call) => commandOf(call) === command);
        expect(records).toHaveLength(1);
        const { intent, permit } = records[0] as CallRecords;
        expect(permit?.receipt.permit).toBe('pinned');
        expect(Date.parse(intent.at)).toBeLessThanOrEqual(at);
        expect(Date.parse(permit?.at ?? '')).toBeLessThanOrEqual(at);
        const points = permit?.receipt.vms.flatMap(({ vpgs }) => vpgs) ?? [];
        expect(points.map(({ name }) => name)).toEqual([lane.vpg]);
        const listed = world.vpg(lane.vpg).journal.find(({ tag }) => tag === points[0]?.tag.name);
        expect(listed?.listedAt).toBeLessThanOrEqual(at);
      }
    }),
  );

  test(
    `${verifies('A-2', 'A-4')} every chain verifies with the program itself`,
    each(async ({ scratch, auditDir }) => {
      const { code, stdout } = await runBin(['--config', join(scratch, 'config.json'), 'audit', 'verify', '--json'], {
        XDG_STATE_HOME: scratch,
      });
      const { ok, files } = JSON.parse(stdout) as { ok: boolean; files: { state: string }[] };
      expect({ code, ok }).toEqual({ code: 0, ok: true });
      expect(files.filter(({ state }) => state === 'broken')).toEqual([]);
      expect(files.filter(({ state }) => state === 'closed')).toHaveLength(1);
      expect(files).toHaveLength(readdirSync(auditDir).filter((name) => name.endsWith('.jsonl')).length);
    }),
  );

  test(
    `${verifies('A-4')} what has no outcome is listed as outcome_unknown, and what arrived never as not sent`,
    each(async (lane) => {
      const { code, stdout } = await list(lane.scratch);
      const entries = new Map((JSON.parse(stdout) as CallEntry[]).map((entry) => [entry.call, entry]));
      expect(code).toBe(0);
      expect(entries.size).toBe(lane.calls.length);
      const arrived = new Set(lane.received.map(({ command }) => command));
      for (const call of lane.calls) {
        const outcome = entries.get(call.intent.call)?.outcome;
        if (call.outcome === undefined) expect(outcome).toBe('outcome_unknown');
        if (arrived.has(commandOf(call))) expect(['forwarded', 'outcome_unknown']).toContain(outcome);
      }
    }),
  );

  test(
    `${verifies('N-4', 'A-4')} the next life recovers the file under its receipt, and leaves no mount of any life`,
    each((lane) => {
      expect(lane.recovered).toContain(ORIGINAL.trim());
      expect(lane.exit).toBe(0);
      expect(mountsOf(lane.vm)).toEqual([]);
      const journal = readdirSync(join(lane.scratch, 'zerto-rewind-proxy', 'mounts'));
      expect(journal.filter((name) => name.endsWith('.json'))).toEqual([]);
    }),
  );

  test(`${verifies('A-4')} an unfinished last line is torn and no fault; a changed record is one`, async () => {
    const copy = mkdtempSync(join(tmpdir(), 'rewind-torn-'));
    try {
      const from = lanes[0] as Lane;
      const target = join(copy, 'zerto-rewind-proxy', 'audit');
      cpSync(from.auditDir, target, { recursive: true });
      const newest = join(
        target,
        readdirSync(target)
          .filter((name) => name.endsWith('.jsonl'))
          .sort()
          .at(-1) ?? '',
      );
      const bytes = readFileSync(newest);
      truncateSync(newest, bytes.length - 9);
      const torn = await verify(copy);
      expect(torn).toMatchObject({ code: 0 });
      expect(torn.stdout).toMatch(/torn/);
      const second = bytes.indexOf('\n') + 1;
      writeFileSync(
        newest,
        `${bytes.toString('utf8', 0, second)}${bytes.toString('utf8', second).replace('touch', 'nudge')}`,
      );
      const edited = await verify(copy);
      expect(edited.code).toBe(1);
      expect(edited.stdout).toMatch(/edited/);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });
});

const list = (scratch: string) =>
  runBin(['audit', 'list', '--json'], { XDG_STATE_HOME: scratch, XDG_CONFIG_HOME: scratch });
const verify = (scratch: string) => runBin(['audit', 'verify'], { XDG_STATE_HOME: scratch, XDG_CONFIG_HOME: scratch });
