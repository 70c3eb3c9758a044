import { describe, expect, test } from 'vitest';
import type { Settled } from '../../src/domain/decision.js';
import { ProxyError } from '../../src/domain/errors.js';
import type { Checkpoints } from '../../src/domain/ports.js';
import type { Checkpoint } from '../../src/domain/receipt.js';
import { NO_AIM, type Target, type Vpg } from '../../src/domain/target.js';
import type { GrantRequest, GuardOptions, Guard as GuardType } from '../../src/proxy/guard.js';
import { verifies } from '../e2e/requirements.js';
import { target, toolCall, vpg } from '../support/calls.js';

const { Guard } = await import('../../src/proxy/guard.js');

const START = Date.parse('2026-01-01T00:00:00Z');
const iso = (ms: number) => new Date(ms).toISOString().replace('.000', '');

/** An appliance of one line per rule: journals by VPG, a clock that only moves when somebody sleeps. */
function appliance(
  options: { stampAfterMs?: number; journal?: 'empty' | 'one'; failing?: string; blocked?: string } = {},
) {
  const log: string[] = [];
  let now = START;
  let count = 100;
  const earlier: Checkpoint = { checkpointIdentifier: '99', timestamp: iso(START - 5000) };
  const clock = {
    now: () => now,
    sleep: async (ms: number, signal: AbortSignal) => {
      signal.throwIfAborted();
      log.push(`sleep ${ms}`);
      now += ms;
    },
  };
  const refuse = (of: Vpg) => new ProxyError('CHECKPOINT_NOT_PINNED', `VPG ${of.name} takes no tag.`);
  const checkpoints: Checkpoints = {
    before: async (of) => {
      log.push(`before ${of.name}`);
      if (options.blocked === of.name) throw refuse(of);
      return options.journal === 'empty' ? {} : { newest: earlier };
    },
    pin: async (of, tag, _before, signal) => {
      log.push(`pin ${of.name}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
      signal.throwIfAborted();
      if (options.failing === of.name) throw refuse(of);
      count += 1;
      return { checkpointIdentifier: String(count), timestamp: iso(START + (options.stampAfterMs ?? 0)), tag };
    },
    now: async () => new Date(now),
  };
  return { log, clock, checkpoints, advance: (ms: number) => (now += ms) };
}

function guardOn(world: ReturnType<typeof appliance>, options: Partial<GuardOptions> = {}) {
  let id = 0;
  return new Guard({
    checkpoints: world.checkpoints,
    clock: world.clock,
    newId: (prefix) => `${prefix}_${++id}`,
    hold: { seconds: 5, trustCloudTags: false },
    reuseSeconds: 0,
    maxTagsPerVpgPerHour: 120,
    simulated: () => false,
    mode: 'enforce',
    log: { info: () => undefined },
    ...options,
  });
}

const pinOf = (...targets: [Target, ...Target[]]): Settled & { kind: 'pin_then_forward' } => ({
  kind: 'pin_then_forward',
  rule: 'test',
  targets,
});
const app = target('app01', vpg('app'));

function grant(guard: GuardType, parts: Partial<GrantRequest> & { targets?: [Target, ...Target[]] } = {}) {
  const targets = parts.targets ?? [app];
  const call = parts.call ?? toolCall();
  return guard.grant({
    call,
    place: guard.arrive(call),
    settled: pinOf(...targets),
    aim: { targets, problems: [] },
    covers: 'vm',
    aimAgain: async () => ({ targets, problems: [] }),
    signal: new AbortController().signal,
    ...parts,
  });
}
const receiptOf = ({ permit }: Awaited<ReturnType<typeof grant>>) => {
  if (permit.grounds.kind === 'read_only') throw new Error('a read-only call has no receipt');
  return permit.grounds.receipt;
};

describe('what the receipt says', () => {
  test('names the tag, the earlier checkpoint is not needed once the stamp is a second old', async () => {
    const world = appliance({ stampAfterMs: 0 });
    const receipt = receiptOf(await grant(guardOn(world)));
    expect(receipt).toMatchObject({
      id: 'r_1',
      change: 'c_2',
      permit: 'pinned',
      consistency: 'crash',
      covers: 'vm',
      vms: [{ name: 'app01', vpgs: [{ name: 'app', tag: { checkpointIdentifier: '101' } }] }],
    });
    expect(receipt.vms[0]?.vpgs[0]?.recoverFrom).toMatchObject({ checkpointIdentifier: '101' });
    expect(receipt.vms[0]?.vpgs[0]?.tag.name).toMatch(
      /^ai:test-agent \| ssh run-command \| vm=app01 \| change=c_2 \| 2026-01-01T00:00:00\.000Z$/,
    );
    expect(world.log).toEqual(['before app', 'pin app', 'sleep 1000']);
  });

  test.each([
    ['a stamp too far ahead for the hold', { stampAfterMs: 30_000 }, 'vsphere', false, '99'],
    ['a cloud, which stamps late', { stampAfterMs: 0 }, 'azure', false, '99'],
    ['a cloud whose tags the operator trusts', { stampAfterMs: 0 }, 'aws', true, '101'],
  ] as const)('%s', async (_name, fault, profile, trustCloudTags, expected) => {
    const targets: [Target] = [target('app01', vpg('app', { profile }))];
    const guard = guardOn(appliance(fault), { hold: { seconds: 5, trustCloudTags } });
    const receipt = receiptOf(await grant(guard, { targets }));
    expect(receipt.vms[0]?.vpgs[0]?.recoverFrom.checkpointIdentifier).toBe(expected);
  });

  test('no sure point at all is a stop', async () => {
    const guard = guardOn(appliance({ stampAfterMs: 30_000, journal: 'empty' }));
    await expect(grant(guard)).rejects.toMatchObject({ code: 'CHECKPOINT_NOT_PINNED' });
  });

  test('a waived call has a receipt without VMs, which names who waived it', async () => {
    const guard = guardOn(appliance());
    const settled: Settled = { kind: 'waive', rule: 'exempt', by: 'operator: lab' };
    const receipt = receiptOf(await grant(guard, { settled: settled as never, aim: NO_AIM }));
    expect(receipt).toMatchObject({ permit: 'waived', waivedBy: 'operator: lab', vms: [] });
  });

  test('simulated checkpoints say so', async () => {
    const receipt = receiptOf(await grant(guardOn(appliance(), { simulated: () => true })));
    expect(receipt.simulated).toBe(true);
  });
});

describe('many VPGs', () => {
  const two: [Target] = [target('db01', vpg('db-local'), vpg('db-dr'))];

  test(`${verifies('R-3')} every VPG is looked at before the first insert`, async () => {
    const world = appliance({ blocked: 'db-dr' });
    await expect(grant(guardOn(world), { targets: two })).rejects.toThrow(/"db-dr"/);
    expect(world.log.filter((line) => line.startsWith('pin'))).toEqual([]);
  });

  test('one failing pin means no permit, and the tag left behind is named', async () => {
    const world = appliance({ failing: 'db-dr' });
    await expect(grant(guardOn(world), { targets: two })).rejects.toThrow(/"db-dr".*Tags left behind.*vm=db01/);
  });

  test('the receipt has one entry per VPG of one VM', async () => {
    const receipt = receiptOf(await grant(guardOn(appliance()), { targets: two }));
    expect(receipt.vms[0]?.vpgs.map((of) => of.name)).toEqual(['db-local', 'db-dr']);
  });
});

describe('sharing', () => {
  test('forty calls at once need at most three tags, and each is forwarded after its own', async () => {
    const world = appliance();
    const guard = guardOn(world);
    const receipts = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const granted = await grant(guard, { call: toolCall({ id: `call_${index}` }) });
        granted.sent();
        granted.done();
        return receiptOf(granted);
      }),
    );
    const tags = new Set(receipts.map((receipt) => receipt.vms[0]?.vpgs[0]?.tag.name));
    expect(tags.size).toBeLessThanOrEqual(3);
    expect(world.log.filter((line) => line === 'pin app')).toHaveLength(tags.size);
    expect(Math.max(...receipts.map((receipt) => receipt.sharedWith?.length ?? 0))).toBeGreaterThan(10);
  });

  test('calls still running on the VM are named', async () => {
    const guard = guardOn(appliance());
    const first = await grant(guard);
    first.sent();
    const second = await grant(guard);
    second.done();
    expect(receiptOf(second).inFlight).toEqual([receiptOf(first).id]);
    first.done();
    expect(receiptOf(await grant(guard)).inFlight).toBeUndefined();
  });

  test('a waived call counts as a change: the next call gets a tag of its own', async () => {
    const world = appliance();
    const guard = guardOn(world);
    const waived = await grant(guard, { settled: { kind: 'waive', rule: 'x', by: 'operator' } as never });
    waived.sent();
    expect(receiptOf(await grant(guard)).inFlight).toEqual([receiptOf(waived).id]);
  });

  test('reuseSeconds lets a tag serve later calls, and recovery then starts from the newest checkpoint', async () => {
    const world = appliance();
    const guard = guardOn(world, { reuseSeconds: 60 });
    const first = await grant(guard);
    first.sent();
    first.done();
    world.advance(30_000);
    const second = receiptOf(await grant(guard));
    expect(second.vms[0]?.vpgs[0]).toMatchObject({
      tag: { checkpointIdentifier: '101' },
      recoverFrom: { checkpointIdentifier: '99' },
    });
    world.advance(60_000);
    expect(receiptOf(await grant(guard)).vms[0]?.vpgs[0]?.tag.checkpointIdentifier).toBe('102');
  });

  test('a VPG takes no more tags in an hour than the operator allows', async () => {
    const world = appliance();
    const guard = guardOn(world, { maxTagsPerVpgPerHour: 2 });
    for (const _ of [1, 2]) {
      const granted = await grant(guard);
      granted.sent();
      granted.done();
    }
    await expect(grant(guard)).rejects.toThrow(/as many tags as it may.*not sent.*min/);
    world.advance(3_600_001);
    await expect(grant(guard)).resolves.toBeDefined();
  });
});

describe('what stops a permit', () => {
  test('the target means another VM after the pin', async () => {
    const elsewhere = { targets: [target('app02', vpg('app'))], problems: [] };
    await expect(grant(guardOn(appliance()), { aimAgain: async () => elsewhere })).rejects.toMatchObject({
      code: 'TARGET_UNRESOLVED',
    });
  });

  test('the VM gained a VPG after the pin', async () => {
    const wider = { targets: [target('app01', vpg('app'), vpg('app-dr'))], problems: [] };
    await expect(grant(guardOn(appliance()), { aimAgain: async () => wider })).rejects.toMatchObject({
      code: 'TARGET_UNRESOLVED',
    });
  });

  test('a cancelled call gets no permit', async () => {
    const cancel = new AbortController();
    const granting = grant(guardOn(appliance()), { signal: cancel.signal });
    cancel.abort(new Error('cancelled'));
    await expect(granting).rejects.toThrow('cancelled');
  });

  test('a client that gives up early: no permit, but its repeat joins the pin that went on', async () => {
    const world = appliance();
    const guard = guardOn(world);
    const early = new AbortController();
    const first = grant(guard, { patience: early.signal });
    await new Promise((resolve) => setImmediate(resolve));
    early.abort(new ProxyError('CHECKPOINT_NOT_PINNED', 'not sent yet'));
    await expect(first).rejects.toThrow('not sent yet');
    const repeat = receiptOf(await grant(guard));
    expect(world.log.filter((line) => line === 'pin app')).toHaveLength(1);
    expect(repeat.vms[0]?.vpgs[0]?.tag.checkpointIdentifier).toBe('101');
  });
});

test('a tag that was started while a human read bears the change of the receipt', async () => {
  const guard = guardOn(appliance());
  const call = toolCall();
  guard.warm(call, [app]);
  const { change, sharedWith, vms } = receiptOf(await grant(guard, { call }));
  expect(vms[0]?.vpgs[0]?.tag.name).toContain(`change=${change} `);
  expect(sharedWith).toBeUndefined();
});

test('a permit serves its own call once', async () => {
  const { permit } = await grant(guardOn(appliance()), { call: toolCall({ id: 'a' }) });
  expect(() => permit.take(toolCall({ id: 'b' }))).toThrow('no permit');
  const call = toolCall();
  const second = await grant(guardOn(appliance()), { call });
  second.permit.take(call);
  expect(() => second.permit.take(call)).toThrow('no permit');
});
