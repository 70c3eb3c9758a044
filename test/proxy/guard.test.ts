import { describe, expect, test } from 'vitest';
import type { Settled } from '../../src/domain/decision.js';
import { ProxyError } from '../../src/domain/errors.js';
import type { Before, Checkpoints } from '../../src/domain/ports.js';
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
  options: {
    stampAfterMs?: number;
    journal?: 'empty' | 'one';
    failing?: string;
    blocked?: string;
    keptMinutes?: number;
    /** Of the checkpoint that is there before. */
    ageMs?: number;
  } = {},
) {
  const log: string[] = [];
  let now = START;
  let count = 100;
  const earlier: Checkpoint = { checkpointIdentifier: '99', timestamp: iso(START - (options.ageMs ?? 5000)) };
  let journal: Before = options.journal === 'empty' ? {} : { newest: earlier, oldest: earlier };
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
      return { ...journal, ...(options.keptMinutes !== undefined && { keptMinutes: options.keptMinutes }) };
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
  return {
    log,
    clock,
    checkpoints,
    options,
    earlier,
    advance: (ms: number) => (now += ms),
    /** What the journal holds from now on. */
    holds: (held: Before) => {
      journal = held;
    },
    stamped: (id: number, ms: number): Checkpoint => ({ checkpointIdentifier: String(id), timestamp: iso(START + ms) }),
  };
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
    log: { info: () => undefined, warn: () => undefined },
    ...options,
  });
}

const pinOf = (...targets: [Target, ...Target[]]): Settled & { kind: 'pin_then_forward' } => ({
  kind: 'pin_then_forward',
  rule: 'test',
  targets,
});
const app = target('app01', vpg('app'));
/** Whatever goes on by itself has ended by then. */
const later = () => new Promise((resolve) => setTimeout(resolve, 30));

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
    expect(world.log).toEqual(['before app', 'pin app', 'sleep 1000', 'before app']);
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

  test('a call that is pinned in part says who let the rest through', async () => {
    const settled: Settled = { ...pinOf(app), waivedBy: 'human (test)' };
    const receipt = receiptOf(await grant(guardOn(appliance()), { settled }));
    expect(receipt).toMatchObject({ permit: 'pinned', waivedBy: 'human (test)', vms: [{ name: 'app01' }] });
    expect(receiptOf(await grant(guardOn(appliance())))).not.toHaveProperty('waivedBy');
  });

  test(`${verifies('G-9')} a journal of few minutes is a warning in the receipt and the log`, async () => {
    const lines: unknown[] = [];
    const log = { info: () => undefined, warn: (fields: unknown) => void lines.push(fields) };
    const receipt = receiptOf(await grant(guardOn(appliance({ keptMinutes: 5 }), { log })));
    expect(receipt.warnings).toEqual([expect.stringMatching(/"app" keeps checkpoints for 5 min/)]);
    expect(lines).toMatchObject([{ vpg: 'app', keptMinutes: 5 }]);
    expect(receiptOf(await grant(guardOn(appliance())))).not.toHaveProperty('warnings');
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

describe(`${verifies('R-3')} many hosts`, () => {
  const web = ['web01', 'web02', 'web07'].map((name) => target(name, vpg(`vpg-${name}`)));
  const three = web as unknown as [Target, ...Target[]];

  test('a blocked one is named with the reason and with what would pass, before anything is tagged', async () => {
    const world = appliance({ blocked: 'vpg-web07' });
    const error = await grant(guardOn(world), { targets: three, pattern: 'web' }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'CHECKPOINT_NOT_PINNED' });
    const { message } = error as Error;
    expect(message).toMatch(/Host "web07": VPG "vpg-web07": VPG vpg-web07 takes no tag\./);
    expect(message).toMatch(/would pass for "web01", "web02" alone \(ansible: --limit 'web:!web07'\)/);
    expect(message).not.toMatch(/Host "web01"/);
    expect(world.log.some((line) => line.startsWith('pin'))).toBe(false);
  });

  test('one whose hosts are all blocked has none that would pass', async () => {
    const two: [Target] = [target('db01', vpg('db-local'), vpg('db-dr'))];
    const granting = grant(guardOn(appliance({ blocked: 'db-dr' })), { targets: two, pattern: 'db' });
    await expect(granting).rejects.toThrow(/Host "db01": VPG "db-dr".*no host of the call is left/);
  });

  test('the hosts of one VPG are named together, by the caller’s word where it is another', async () => {
    const shared = vpg('web');
    const ip = { ...target('web01', shared), host: '10.0.0.21' };
    const targets: [Target, ...Target[]] = [ip, target('web02', shared), target('app01', vpg('app'))];
    const granting = grant(guardOn(appliance({ blocked: 'web' })), { targets });
    await expect(granting).rejects.toThrow(
      /Host "10\.0\.0\.21" \(VM "web01"\), "web02": VPG "web".*pass for "app01" alone: send/,
    );
  });

  test('of very many, some are named and the rest counted', async () => {
    const targets = Array.from({ length: 40 }, (_, index) =>
      target(`vm${index}`, vpg(index % 2 === 0 ? `down${index}` : `up${index}`)),
    );
    const world = appliance();
    const looks = world.checkpoints.before;
    const checkpoints: Checkpoints = {
      ...world.checkpoints,
      before: async (of, signal) => {
        if (of.name.startsWith('down')) throw new ProxyError('CHECKPOINT_NOT_PINNED', 'No.');
        return looks(of, signal);
      },
    };
    const error = await grant(guardOn(world, { checkpoints }), { targets: targets as unknown as [Target] }).catch(
      (caught: Error) => caught,
    );
    const { message } = error as Error;
    expect(message).toMatch(/8 more VPGs failed.*and 8 more alone/);
    expect(message.length).toBeLessThan(4_000);
  });

  test('each VPG is looked at once, and that look is what was there before its insert', async () => {
    const world = appliance();
    await grant(guardOn(world), { targets: three });
    const slept = world.log.findIndex((line) => line.startsWith('sleep'));
    const before = world.log.slice(0, slept).filter((line) => line.startsWith('before'));
    expect(before.sort()).toEqual(['before vpg-web01', 'before vpg-web02', 'before vpg-web07']);
  });

  test('a look that is stale by the time of the insert is repeated', async () => {
    const world = appliance();
    const looks = world.checkpoints.before;
    const checkpoints: Checkpoints = {
      ...world.checkpoints,
      before: async (of, signal) => {
        const found = await looks(of, signal);
        if (of.name === 'vpg-web07') world.advance(3_000);
        return found;
      },
    };
    await grant(guardOn(world, { checkpoints }), { targets: three });
    const slept = world.log.findIndex((line) => line.startsWith('sleep'));
    expect(
      world.log.slice(0, slept === -1 ? undefined : slept).filter((line) => line === 'before vpg-web01').length,
    ).toBeGreaterThan(1);
  });

  test('tags that a failed call left behind serve the next call of the session: only what failed is pinned again', async () => {
    const world = appliance({ failing: 'vpg-web07' });
    const guard = guardOn(world);
    await expect(grant(guard, { targets: three, pattern: 'web' })).rejects.toThrow(
      /Host "web07".*Tags left behind.*vm=web01.*your next call.*--limit 'web:!web07'/,
    );
    world.options.failing = '';
    const pinned = () => world.log.filter((line) => line.startsWith('pin')).length;
    expect(pinned()).toBe(3);
    const receipt = receiptOf(await grant(guard, { targets: three }));
    expect(pinned()).toBe(4);
    expect(receipt.vms.map(({ vpgs }) => vpgs[0]?.tag.checkpointIdentifier)).toEqual(['101', '102', '103']);
  });

  test('a tag that was left is older than a change to any of the VMs it would serve', async () => {
    const world = appliance();
    const guard = guardOn(world);
    const shared = vpg('web');
    const both: [Target, ...Target[]] = [target('web01', shared), target('web02', shared)];
    await expect(grant(guard, { targets: both, aimAgain: async () => NO_AIM })).rejects.toThrow('came to mean another');
    const other = await grant(guard, { call: toolCall({ session: 's2' }), targets: [target('web02', shared)] });
    other.sent();
    other.done();
    const receipt = receiptOf(await grant(guard, { targets: both }));
    expect(receipt.vms[0]?.vpgs[0]?.tag.checkpointIdentifier).toBe('103');
  });

  test('the client is told which VPG is done', async () => {
    const told: string[] = [];
    await grant(guardOn(appliance()), { targets: three, tell: (progress) => told.push(progress) });
    expect(told).toHaveLength(3);
    expect(told[0]).toMatch(/VPG "vpg-web01" is taken \(1 of 3\)/);
    expect(told.at(-1)).toMatch(/\(3 of 3\)/);
    const alone: string[] = [];
    await grant(guardOn(appliance()), { tell: (progress) => alone.push(progress) });
    expect(alone).toEqual([]);
  });

  test('a call that a human is asked about inserts nothing where one of its VPGs takes no tag', async () => {
    const world = appliance({ blocked: 'vpg-web07' });
    const guard = guardOn(world);
    const call = toolCall();
    guard.warm(call, three);
    await expect(grant(guard, { call, targets: three })).rejects.toThrow(/"web07"/);
    await later();
    expect(world.log.some((line) => line.startsWith('pin'))).toBe(false);
  });

  test('the answer may come before the looks have ended: each VPG is tagged once all the same', async () => {
    const world = appliance();
    const looks = world.checkpoints.before;
    let slow = 3;
    const checkpoints: Checkpoints = {
      ...world.checkpoints,
      before: async (of, signal) => {
        if (slow-- > 0) await later();
        return looks(of, signal);
      },
    };
    const guard = guardOn(world, { checkpoints });
    const call = toolCall();
    guard.warm(call, three);
    const granted = await grant(guard, { call, targets: three });
    granted.sent();
    granted.done();
    const receipt = receiptOf(granted);
    await later();
    await later();
    expect(world.log.filter((line) => line.startsWith('pin'))).toHaveLength(3);
    expect(receipt.vms.every(({ vpgs }) => vpgs[0]?.tag.name.includes(`change=${receipt.change} `))).toBe(true);
  });
});

describe(`${verifies('G-3')} a point that is still there, and young enough`, () => {
  const cloud: [Target] = [target('app01', vpg('app', { profile: 'azure' }))];

  test('a journal that was dropped while the call waited for its stamp is a stop', async () => {
    const world = appliance();
    const sleep = world.clock.sleep;
    const clock = {
      ...world.clock,
      sleep: async (ms: number, signal: AbortSignal) => {
        await sleep(ms, signal);
        const first = world.stamped(300, 10_000);
        world.holds({ newest: first, oldest: first });
      },
    };
    await expect(grant(guardOn(world, { clock }))).rejects.toMatchObject({ code: 'CHECKPOINT_NOT_PINNED' });
  });

  test('on a cloud the earlier checkpoint may be gone by the time its tag is listed', async () => {
    const world = appliance();
    const { pin } = world.checkpoints;
    const checkpoints: Checkpoints = {
      ...world.checkpoints,
      pin: async (...args) => {
        const tag = await pin(...args);
        world.holds({ newest: tag, oldest: tag });
        return tag;
      },
    };
    await expect(grant(guardOn(world, { checkpoints }), { targets: cloud })).rejects.toThrow(
      /no checkpoint that surely precedes/,
    );
  });

  test('an earlier checkpoint that is too old is no point to recover from', async () => {
    const world = appliance({ ageMs: 3_600_000 });
    await expect(grant(guardOn(world), { targets: cloud })).rejects.toThrow(
      /60 min old.*replication stands still.*not sent/,
    );
    expect(
      receiptOf(await grant(guardOn(appliance({ ageMs: 300_000 })), { targets: cloud })).vms[0]?.vpgs[0]?.recoverFrom
        .checkpointIdentifier,
    ).toBe('99');
    // The tag itself is young: on vSphere nothing hangs on what came before.
    expect(
      receiptOf(await grant(guardOn(appliance({ ageMs: 3_600_000 })))).vms[0]?.vpgs[0]?.recoverFrom
        .checkpointIdentifier,
    ).toBe('101');
  });

  test('a VPG that left its state after the tag was listed is a stop', async () => {
    const again = { targets: [target('app01', vpg('app', { blocked: 'sub-status "DeltaSync" (6)' }))], problems: [] };
    await expect(grant(guardOn(appliance()), { aimAgain: async () => again })).rejects.toThrow(
      /After its checkpoint was listed, VPG "app".*DeltaSync.*not sent/,
    );
  });

  describe('a tag that was not made for the call', () => {
    /** A tag that a first call left unused. */
    const spare = async (world: ReturnType<typeof appliance>, targets: [Target]) => {
      const guard = guardOn(world);
      await expect(grant(guard, { targets, aimAgain: async () => NO_AIM })).rejects.toThrow('came to mean another');
      return () => grant(guard, { targets });
    };

    test('serves with the newest checkpoint of now, which is surely earlier', async () => {
      const world = appliance();
      const next = await spare(world, [app]);
      world.advance(60_000);
      world.holds({ oldest: world.earlier, newest: world.stamped(112, 55_000) });
      const point = receiptOf(await next()).vms[0]?.vpgs[0];
      expect(point).toMatchObject({
        tag: { checkpointIdentifier: '101' },
        recoverFrom: { checkpointIdentifier: '112' },
      });
    });

    test('waits for a newest checkpoint that is stamped this very second', async () => {
      const world = appliance();
      const next = await spare(world, [app]);
      world.advance(60_000);
      const from = world.log.length;
      world.holds({ oldest: world.earlier, newest: world.stamped(112, 61_500) });
      expect(receiptOf(await next()).vms[0]?.vpgs[0]?.recoverFrom.checkpointIdentifier).toBe('112');
      expect(world.log.slice(from).some((line) => line.startsWith('sleep'))).toBe(true);
    });

    test('on a cloud, where the newest is the late-stamped tag itself, falls back to what was there before it', async () => {
      const world = appliance();
      const next = await spare(world, cloud);
      world.advance(60_000);
      world.holds({ oldest: world.earlier, newest: { ...world.stamped(101, 30_000), tag: 'ai:x' } });
      expect(receiptOf(await next()).vms[0]?.vpgs[0]?.recoverFrom.checkpointIdentifier).toBe('99');
    });

    test('that the journal has lost is a stop, and the call after it gets one of its own', async () => {
      const world = appliance();
      const next = await spare(world, [app]);
      world.advance(60_000);
      const first = world.stamped(300, 58_000);
      world.holds({ oldest: first, newest: first });
      await expect(next()).rejects.toThrow(/no checkpoint that surely precedes/);
    });

    test('also where the operator allows reuse: a lost tag is not offered again', async () => {
      const world = appliance();
      const guard = guardOn(world, { reuseSeconds: 600 });
      const first = await grant(guard);
      first.sent();
      first.done();
      world.advance(60_000);
      const reset = world.stamped(100, 58_000);
      world.holds({
        oldest: { ...reset, checkpointIdentifier: '300' },
        newest: { ...reset, checkpointIdentifier: '301' },
      });
      await expect(grant(guard)).rejects.toThrow(/no checkpoint/);
      world.holds({ oldest: world.earlier, newest: world.earlier });
      expect(receiptOf(await grant(guard)).vms[0]?.vpgs[0]?.tag.checkpointIdentifier).toBe('102');
    });
  });
});

test(`${verifies('R-1')} a VPG that was failed over is pinned at its new site`, async () => {
  const world = appliance();
  const sites: string[] = [];
  const checkpoints: Checkpoints = {
    ...world.checkpoints,
    pin: (of, ...more) => {
      sites.push(of.site);
      return world.checkpoints.pin(of, ...more);
    },
  };
  const guard = guardOn(world, { checkpoints });
  for (const site of ['prod', 'dr']) {
    const granted = await grant(guard, { targets: [target('app01', vpg('app', { site }))] });
    granted.sent();
    granted.done();
    expect(receiptOf(granted).vms[0]?.vpgs[0]?.site).toBe(site);
  }
  expect(sites).toEqual(['prod', 'dr']);
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

  test('calls that share a tag ask once for the point to recover from; one that is cancelled meanwhile spoils it for none', async () => {
    const world = appliance();
    const guard = guardOn(world);
    const cancel = new AbortController();
    let asked = 0;
    const now = world.checkpoints.now;
    world.checkpoints.now = async (...args) => {
      asked += 1;
      if (asked === 1) cancel.abort(new Error('cancelled'));
      return now(...args);
    };
    const first = grant(guard, { call: toolCall({ id: 'first' }), signal: cancel.signal });
    const others = Array.from({ length: 20 }, async (_, index) => {
      const granted = await grant(guard, { call: toolCall({ id: `call_${index}` }) });
      granted.sent();
      granted.done();
      return receiptOf(granted);
    });
    await expect(first).rejects.toThrow('cancelled');
    const receipts = await Promise.all(others);
    expect(receipts.map(({ vms }) => vms[0]?.vpgs[0]?.recoverFrom.checkpointIdentifier)).toEqual(
      receipts.map(() => '101'),
    );
    expect(asked).toBeLessThan(5);
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
