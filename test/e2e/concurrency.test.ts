import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Receipt } from '../../src/domain/receipt.js';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { sitesOf } from '../support/proxy-process.js';
import { type Message, RawProxy, runBin, seeded } from '../support/raw-proxy.js';
import { until } from '../wire/process/harness.js';
import { verifies } from './requirements.js';

/** Listed shortly before the guard looks: who does not wait for it is caught. */
const TIMINGS = { gapMs: 2_000, completedMs: 20, stampMs: 10, listedMs: 1_200 };
const VPGS_OF: Readonly<Record<string, readonly string[]>> = {
  app01: ['app'],
  app02: ['app'],
  web01: ['web'],
  both: ['app', 'web'],
  also: ['web', 'app'],
};

let world: World;
let simulator: Simulator;
let proxy: RawProxy;

beforeAll(async () => {
  const named = (vpg: string) => Object.keys(VPGS_OF).filter((vm) => VPGS_OF[vm]?.includes(vpg));
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: Object.keys(VPGS_OF).map((name) => ({ name })),
    vpgs: ['app', 'web'].map((name) => ({ name, vms: named(name), timings: TIMINGS })),
  });
  simulator = await startSimulator({ world });
});
afterEach(async () => {
  simulator.faults.clear();
  proxy.end();
  expect((await proxy.exit).code).toBe(0);
  const { code } = await runBin(['--config', `${proxy.scratch}/config.json`, 'audit', 'verify'], {
    XDG_STATE_HOME: proxy.scratch,
  });
  expect(code).toBe(0);
  rmSync(proxy.scratch, { recursive: true, force: true });
});
afterAll(async () => {
  await simulator.close();
  world.close();
});

interface Call {
  readonly host: string;
  readonly command: string;
}

/** Starts a proxy and sends all calls in one breath. Their ids are their places. */
async function send(calls: readonly Call[], options: { readonly delayMs?: number; readonly reuse?: number } = {}) {
  const guard = { timeoutSeconds: 30, holdSeconds: 0, reuseSeconds: options.reuse ?? 0 };
  proxy = new RawProxy({ config: { zvm: sitesOf(['site-a', simulator]), guard }, delayMs: options.delayMs ?? 0 });
  await proxy.initialize();
  const from = inserts().length;
  request(calls);
  return { insertsSince: () => inserts().slice(from) };
}

/** When the client sent a call, by its command. */
const sentAt = new Map<string, number>();

function request(calls: readonly Call[], firstId = 0): void {
  for (const [index, { host, command }] of calls.entries()) {
    sentAt.set(command, Date.now());
    proxy.call(firstId + index, 'ssh_execute', { host, command });
  }
}

const inserts = () => world.tasks.filter(({ type }) => type === 'InsertTaggedCP');
const changes = (hosts: readonly string[]): Call[] =>
  hosts.map((host, index) => ({ host, command: `touch /srv/${host}-${index}` }));

interface Done extends Call {
  readonly at: number;
  readonly receipt: Receipt;
}

/** Every answer, checked to be this call's own; with the time at which the call reached the server. */
async function finish(calls: readonly Call[]): Promise<Done[]> {
  const answers = await Promise.all(calls.map((_, id) => proxy.answer(id)));
  const arrived = new Map(proxy.received().map(({ command, at }) => [command, at]));
  expect(proxy.received()).toHaveLength(calls.length);
  return calls.map((call, id) => {
    const answer = answers[id] as Message;
    expect(answer.result?.content).toEqual([{ type: 'text', text: `ran ${call.command}` }]);
    const receipt = answer.result?._meta?.['zerto-rewind/receipt'] as Receipt;
    return { ...call, at: arrived.get(call.command) ?? Number.NaN, receipt };
  });
}

const tagsOf = ({ receipt }: Done) =>
  receipt.vms.flatMap(({ vpgs }) => vpgs.map((vpg) => [vpg.name, vpg.tag.name] as const));

/** When the proxy wrote the call; the server may take it from the pipe a little later. */
const forwarded = ({ receipt }: Done) => Date.parse(receipt.forwardedAt ?? '');

/**
 * Each call came after its own tags were listed, on each VPG that protects its VM. It was there when they were asked for, so
 * they hold what earlier calls changed; what was forwarded to its VM meanwhile shares them.
 */
function expectGuarded(done: readonly Done[]): void {
  const asked = inserts();
  for (const call of done) {
    expect(
      tagsOf(call)
        .map(([vpg]) => vpg)
        .sort(),
    ).toEqual([...(VPGS_OF[call.host] ?? [])].sort());
    for (const [vpg, tag] of tagsOf(call)) {
      expect(world.vpg(vpg).journal.find((point) => point.tag === tag)?.listedAt).toBeLessThanOrEqual(call.at);
      const insertedAt = asked.find(({ detail }) => detail === tag)?.started ?? 0;
      expect(insertedAt).toBeGreaterThanOrEqual(sentAt.get(call.command) ?? Number.POSITIVE_INFINITY);
      const between = done.filter(
        (other) => other.host === call.host && forwarded(other) > insertedAt && forwarded(other) < forwarded(call),
      );
      for (const other of between) expect(tagsOf(other)).toContainEqual([vpg, tag]);
    }
  }
}

/** Receipts of one tag name each other, and only each other. */
function expectShared(done: readonly Done[]): void {
  for (const call of done) {
    const mine = new Set(tagsOf(call).map(([, tag]) => tag));
    const others = done.filter((other) => other !== call && tagsOf(other).some(([, tag]) => mine.has(tag)));
    expect([...(call.receipt.sharedWith ?? [])].sort()).toEqual(others.map(({ receipt }) => receipt.id).sort());
  }
}

describe(`${verifies('G-4', 'G-1')} forty changes at once`, () => {
  test('on one VM: at most three tags, each call after its own tag was listed', async () => {
    const calls = changes(Array.from({ length: 40 }, () => 'app01'));
    const { insertsSince } = await send(calls);
    const done = await finish(calls);
    expect(insertsSince().length).toBeLessThanOrEqual(3);
    expectGuarded(done);
    expectShared(done);
    expect(done.some(({ receipt }) => (receipt.sharedWith?.length ?? 0) >= 10)).toBe(true);
    expect(proxy.received().map(({ command }) => command)).toEqual(calls.map(({ command }) => command));
  });

  test('on two VMs of one VPG: they share its tags', async () => {
    const calls = changes(Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? 'app01' : 'app02')));
    const { insertsSince } = await send(calls);
    const done = await finish(calls);
    expect(insertsSince().length).toBeLessThanOrEqual(3);
    expectGuarded(done);
    expectShared(done);
    const hosts = (tag: string | undefined) =>
      done.filter((call) => tagsOf(call)[0]?.[1] === tag).map(({ host }) => host);
    expect(done.some((call) => new Set(hosts(tagsOf(call)[0]?.[1])).size === 2)).toBe(true);
  });

  test('while earlier ones still run: receipts name them as in flight, and nobody rides on an older tag', async () => {
    const calls = changes(Array.from({ length: 10 }, () => 'app01'));
    await send(calls.slice(0, 5), { delayMs: 6_000 });
    await until(() => proxy.received().length === 5);
    request(calls.slice(5), 5);
    const done = await finish(calls);
    const early = done.slice(0, 5).map(({ receipt }) => receipt.id);
    for (const { receipt } of done.slice(5)) expect(receipt.inFlight).toEqual(expect.arrayContaining(early));
    expectGuarded(done);
  });
});

test(`${verifies('G-4')} a VM in two VPGs among VMs in one each: all come through, in every order`, async () => {
  const random = seeded(7);
  const hosts = Object.keys(VPGS_OF);
  const calls = changes(Array.from({ length: 60 }, () => hosts[Math.floor(random() * hosts.length)] ?? 'both'));
  const { insertsSince } = await send(calls.slice(0, 20));
  for (const [index, { host, command }] of calls.slice(20).entries()) {
    await new Promise((resolve) => setTimeout(resolve, random() * 120));
    request([{ host, command }], 20 + index);
  }
  const done = await finish(calls);
  expectGuarded(done);
  expect(insertsSince().length).toBeLessThan(2 * calls.length);
});

test(`${verifies('G-4')} with reuse allowed, recoverFrom is still a point before the call`, async () => {
  const calls = changes(['app01', 'app01', 'app01']);
  const { insertsSince } = await send(calls.slice(0, 1), { reuse: 60 });
  await proxy.next((line) => line.includes('"result"'));
  request(calls.slice(1), 1);
  const answers = await Promise.all([proxy.answer(1), proxy.answer(2)]);
  expect(insertsSince()).toHaveLength(1);
  for (const [index, { result }] of answers.entries()) {
    const receipt = result?._meta?.['zerto-rewind/receipt'] as Receipt;
    const point = receipt.vms[0]?.vpgs[0]?.recoverFrom.checkpointIdentifier;
    const { at } = proxy.received()[1 + index] as { at: number };
    expect(world.vpg('app').journal.find(({ id }) => String(id) === point)?.at).toBeLessThanOrEqual(at);
  }
});

describe('reads beside changes', () => {
  test(`${verifies('T-1', 'G-1')} no read waits for a pin: all are answered while the tag of the changes is not even listed`, async () => {
    simulator.faults.insert({ kind: 'slow', ms: 4_000 }, { times: 1 });
    const calls = Array.from({ length: 40 }, (_, index): Call => {
      if (index % 2 === 0) return { host: 'app01', command: `touch /srv/mixed-${index}` };
      return { host: 'app01', command: `cat /srv/mixed-${index}` };
    });
    const { insertsSince } = await send(calls);
    const reads = calls.flatMap(({ command }, id) => (command.startsWith('cat') ? [id] : []));
    const texts = await Promise.all(reads.map((id) => proxy.text(id)));
    const listed = world.vpg('app').journal.filter(({ listedAt }) => listedAt <= Date.now());
    const tags = insertsSince().map(({ detail }) => detail);
    expect(listed.filter(({ tag }) => tag !== undefined && tags.includes(tag))).toEqual([]);
    expect(texts).toEqual(reads.map((id) => `ran ${calls[id]?.command}`));
    expect(proxy.received().every(({ command }) => command.startsWith('cat'))).toBe(true);
    await Promise.all(calls.map((_, id) => (reads.includes(id) ? undefined : proxy.answer(id))));
    expect(proxy.received()).toHaveLength(40);
  });

  test(`${verifies('T-1')} answers keep the order in which the server gave them, and reads the order in which they were sent`, async () => {
    const calls = Array.from({ length: 60 }, (_, index): Call => {
      const change = index % 3 === 0;
      return { host: index % 2 === 0 ? 'app01' : 'app02', command: `${change ? 'touch' : 'cat'} /srv/order-${index}` };
    });
    await send(calls);
    await until(() => proxy.lines.length >= 60);
    const answered = proxy.lines.map((line) => calls[(JSON.parse(line.toString()) as { id: number }).id]?.command);
    const received = proxy.received().map(({ command }) => command);
    expect(answered).toEqual(received);
    const reads = (commands: readonly (string | undefined)[]) =>
      commands.filter((command) => command?.startsWith('cat'));
    expect(reads(received)).toEqual(reads(calls.map(({ command }) => command)));
  });
});
