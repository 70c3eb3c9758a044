import { afterEach, describe, expect, it } from 'vitest';
import { ProxyError } from '../../src/domain/errors.js';
import type { Checkpoint } from '../../src/domain/receipt.js';
import type { Vpg } from '../../src/domain/target.js';
import { type Clock, systemClock } from '../../src/zerto/clock.js';
import { Gate } from '../../src/zerto/gate.js';
import { ZvmCheckpoints } from '../../src/zerto/pin.js';
import { never } from './fake-zvm.js';
import { type Simulated, simulate, TAG, worldOf } from './simulated.js';

let sim: Simulated;
afterEach(async () => {
  await sim.close();
});

/** Before and pin, as the guard does it. */
async function pin(name = 'app', signal = never): Promise<Checkpoint> {
  const vpg = await sim.vpg(name);
  sim.zvm.requests.length = 0;
  const before = await sim.checkpoints.before(vpg, signal);
  return sim.checkpoints.pin(vpg, TAG, before, signal);
}

async function failure(promise: Promise<unknown>): Promise<ProxyError> {
  const error = await promise.then(
    (value) => value,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(ProxyError);
  return error as ProxyError;
}

function inserts(): number {
  return sim.zvm.requests.filter(({ method, path }) => method === 'POST' && path.includes('/checkpoints')).length;
}

describe('a pin', () => {
  it('answers the tagged checkpoint, after reading the newest one and inserting once', async () => {
    sim = await simulate();
    const vpg = await sim.vpg('app');
    const before = await sim.checkpoints.before(vpg, never);
    const started = sim.time.now();
    const pinned = await sim.checkpoints.pin(vpg, TAG, before, never);
    expect(pinned.tag).toBe(TAG);
    expect(BigInt(pinned.checkpointIdentifier)).toBeGreaterThan(BigInt(before.newest?.checkpointIdentifier ?? '-1'));
    expect(sim.time.now() - started).toBeLessThanOrEqual(4_000 * 1.05 + 300);
    expect(sim.tags('app')).toEqual([TAG]);
  });

  it('on vSphere takes at most 12 requests, with login and the reading of the clock', async () => {
    sim = await simulate();
    const vpg = await sim.vpg('app');
    sim.zvm.requests.length = 0;
    await sim.time.advance(31_000);
    const before = await sim.checkpoints.before(vpg, never);
    await sim.checkpoints.pin(vpg, TAG, before, never);
    await sim.checkpoints.now('site-a', never);
    const paths = sim.zvm.requests.map(({ path }) => path.split('?')[0]);
    expect(paths.length, paths.join('\n')).toBeLessThanOrEqual(12);
    expect(paths.some((path) => path?.startsWith('/auth'))).toBe(true);
  });

  it.each([
    ['vsphere', 4_000, 12],
    ['azure', 34_000, 22],
    ['aws', 128_000, 32],
  ] as const)('on %s ends soon after the listing, with tokens of 60 s', async (profile, listedMs, most) => {
    sim = await simulate(worldOf(profile));
    const started = sim.time.now();
    await pin();
    const took = sim.time.now() - started;
    expect(took).toBeGreaterThanOrEqual(listedMs);
    expect(took).toBeLessThanOrEqual(listedMs * 1.05 + 300);
    expect(sim.zvm.requests.length).toBeLessThanOrEqual(most);
    expect(sim.zvm.requests.filter(({ status }) => status >= 400)).toEqual([]);
  });

  it.each([1_000, 2_500, 3_100, 5_000, 9_000, 20_000, 55_000])('meets a listing after %i ms', async (listedMs) => {
    sim = await simulate(worldOf('vsphere', { completedMs: 800, stampMs: 500, listedMs }));
    const started = sim.time.now();
    await pin();
    expect(sim.time.now() - started).toBeLessThanOrEqual(Math.max(3_000, listedMs * 1.05 + 300));
  });

  it('never asks for a list without a start, and for a short one', async () => {
    sim = await simulate();
    await sim.time.advance(3_600_000);
    await pin();
    const lists = sim.zvm.requests.filter(({ path, method }) => method === 'GET' && /checkpoints(\?|$)/.test(path));
    expect(lists.length).toBeGreaterThan(0);
    for (const { path } of lists) {
      const start = new URL(path, 'https://x').searchParams.get('startDate');
      expect(sim.time.now() - Date.parse(start ?? '')).toBeLessThan(30_000);
    }
  });

  it('works in camelCase with ms dates, a clock that is hours off, and truncated tags', async () => {
    sim = await simulate(undefined, {
      casing: 'camel',
      dates: 'msdate',
      skewMs: -7_200_000,
      maxTagLength: { length: 40, mode: 'truncate' },
    });
    const pinned = await pin();
    expect(pinned.tag).toBe(TAG.slice(0, 40));
    const now = await sim.checkpoints.now('site-a', never);
    expect(Math.abs(now.getTime() + 7_200_000 - sim.time.now())).toBeLessThan(1_000);
  });

  it('is not taken in by an older tag with the same beginning', async () => {
    sim = await simulate(undefined, { maxTagLength: { length: 40, mode: 'truncate' } });
    sim.world.tag('app', TAG.slice(0, 40));
    await sim.time.advance(20_000);
    const vpg = await sim.vpg('app');
    const before = await sim.checkpoints.before(vpg, never);
    const pinned = await sim.checkpoints.pin(vpg, TAG, before, never);
    expect(BigInt(pinned.checkpointIdentifier)).toBeGreaterThan(BigInt(before.newest?.checkpointIdentifier ?? ''));
    expect(sim.tags('app')).toHaveLength(2);
  });

  it('reads the appliance’s clock where the journal is empty', async () => {
    sim = await simulate();
    const vpg = await sim.vpg('app');
    sim.zvm.requests.length = 0;
    const pinned = await sim.checkpoints.pin(vpg, TAG, {}, never);
    expect(pinned.tag).toBe(TAG);
    expect(sim.zvm.requests.some(({ path }) => /serverDateTimeUtc/i.test(path))).toBe(true);
  });

  it('pins one of several VPGs of a VM at a time', async () => {
    sim = await simulate();
    sim.zvm.faults.insert({ kind: 'task_failed', reason: 'No space' }, { vpg: 'db-dr' });
    await pin('db-local');
    const error = await failure(pin('db-dr'));
    expect(error.message).toContain('"db-dr"');
    expect(error.message).toContain('"No space"');
    expect(sim.tags('db-local')).toEqual([TAG]);
    expect(sim.tags('db-dr')).toEqual([]);
  });

  it('rejects a site that is not configured', async () => {
    sim = await simulate();
    const vpg = { ...(await sim.vpg('app')), site: 'elsewhere' };
    await expect(sim.checkpoints.before(vpg, never)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });
});

describe('a VPG that takes no tag', () => {
  it('is one in any sub-status but None, also one that no list names', async () => {
    sim = await simulate();
    const vpg = await sim.vpg('app');
    for (let subStatus = 1; subStatus <= 42; subStatus += 1) {
      sim.world.setState('app', { subStatus });
      const error = await failure(sim.checkpoints.before(vpg, never));
      expect(error).toMatchObject({ code: 'CHECKPOINT_NOT_PINNED', details: { subStatus, vpg: 'app' } });
      expect(error.message).toContain('VPG "app"');
      expect(error.message).toContain(`(${subStatus})`);
    }
    expect(sim.zvm.requests.some(({ method, path }) => method === 'POST' && path.includes('checkpoints'))).toBe(false);
  });

  it('is told by its state also where its journal cannot be read', async () => {
    sim = await simulate();
    const vpg = await sim.vpg('app');
    sim.world.setState('app', { subStatus: 'NeedsConfiguration' });
    sim.zvm.faults.endpoint(/stats$/, { kind: 'status', status: 404 });
    expect((await failure(sim.checkpoints.before(vpg, never))).code).toBe('CHECKPOINT_NOT_PINNED');
  });

  it.each(['NotMeetingSLA', 'RpoNotMeetingSLA', 'HistoryNotMeetingSLA'] as const)(
    'is not one that is %s',
    async (status) => {
      sim = await simulate();
      sim.world.setState('app', { status });
      expect((await pin()).tag).toBe(TAG);
    },
  );

  it.each(['FailingOver', 'Moving', 'Deleting', 'Recovered'] as const)('is one that is %s', async (status) => {
    sim = await simulate();
    const vpg = await sim.vpg('app');
    sim.world.setState('app', { status });
    expect((await failure(sim.checkpoints.before(vpg, never))).code).toBe('CHECKPOINT_NOT_PINNED');
  });

  it.each(['http', 'task'] as const)(
    'after the look is refused by %s, in the words of the appliance',
    async (refusal) => {
      sim = await simulate(undefined, { refusal });
      const vpg = await sim.vpg('app');
      const before = await sim.checkpoints.before(vpg, never);
      sim.world.setState('app', { subStatus: 'DeltaSync' });
      const started = sim.time.now();
      const error = await failure(sim.checkpoints.pin(vpg, TAG, before, never));
      expect(error.code).toBe('CHECKPOINT_NOT_PINNED');
      expect(error.message).toContain('"The operation is not allowed while the VPG is in sub-status DeltaSync."');
      expect(sim.time.now() - started).toBeLessThanOrEqual(4_000);
    },
  );
});

describe('a VPG that would list no tag in time, or keep none', () => {
  it('lies further behind its VMs than a tag is waited for: answered at once, nothing is inserted', async () => {
    sim = await simulate();
    const vpg = await sim.vpg('app');
    sim.world.setState('app', { rpoSeconds: 300 });
    const started = sim.time.now();
    const error = await failure(sim.checkpoints.before(vpg, never));
    expect(error).toMatchObject({ code: 'CHECKPOINT_NOT_PINNED', details: { rpoSeconds: 300 } });
    expect(error.message).toMatch(/300 s behind.*60 s/);
    expect(sim.time.now()).toBe(started);
    for (const rpoSeconds of [-1, 0, 59]) {
      sim.world.setState('app', { rpoSeconds });
      expect((await sim.checkpoints.before(vpg, never)).newest).toBeDefined();
    }
  });

  it('is not one whose platform makes checkpoints more rarely', async () => {
    sim = await simulate(worldOf('aws'));
    sim.world.setState('app', { rpoSeconds: 1_500 });
    expect((await pin()).tag).toBe(TAG);
  });

  it.each([
    ['is set up for few minutes', { historyMinutes: 5 }, 'MeetingSLA', 5],
    ['keeps few minutes although it is set up for more', {}, 'HistoryNotMeetingSLA', 20],
    ['is young and meets its SLA', {}, 'MeetingSLA', undefined],
  ] as const)('a journal that %s', async (_name, more, status, kept) => {
    sim = await simulate({ ...worldOf('vsphere'), vpgs: [{ name: 'app', vms: ['app01'], ...more }] });
    await sim.time.advance(20 * 60_000);
    sim.world.setState('app', { status });
    const { keptMinutes, oldest, newest } = await sim.checkpoints.before(await sim.vpg('app'), never);
    expect(keptMinutes).toBe(kept);
    expect(Date.parse(oldest?.timestamp ?? '')).toBeLessThan(Date.parse(newest?.timestamp ?? ''));
  });

  it('is on a platform that is not supported', async () => {
    sim = await simulate({ ...worldOf('vsphere'), sites: [{ name: 'site-a', type: 'HVM' }] });
    const vpg = await sim.vpg('app');
    sim.zvm.requests.length = 0;
    const error = await failure(sim.checkpoints.before(vpg, never));
    expect(error).toMatchObject({ code: 'CHECKPOINT_NOT_PINNED', details: { platform: 'HVM' } });
    expect(error.message).toMatch(/"HVM".*vSphere, Azure and AWS/);
    expect(sim.zvm.requests).toEqual([]);
  });

  it('is gone since it was looked up', async () => {
    sim = await simulate();
    const vpg = { ...(await sim.vpg('app')), vpgIdentifier: 'gone' };
    expect((await failure(sim.checkpoints.before(vpg, never))).message).toMatch(
      /failed over or moved.*Send the call again/,
    );
  });

  it('runs a failover test meanwhile: the tag is taken', async () => {
    sim = await simulate();
    sim.world.setState('app', { testStage: 'InTest' });
    expect((await pin()).tag).toBe(TAG);
  });
});

describe('clocks that are off', () => {
  it.each([600_000, -600_000])('by %i ms: the tag is found, and the appliance’s own clock is told', async (skewMs) => {
    sim = await simulate(undefined, { skewMs });
    const pinned = await pin();
    expect(pinned.tag).toBe(TAG);
    expect(Math.abs((await sim.checkpoints.now('site-a', never)).getTime() - sim.time.now() - skewMs)).toBeLessThan(
      1_000,
    );
    expect(Math.abs(Date.parse(pinned.timestamp) - sim.time.now() - skewMs)).toBeLessThan(10_000);
  });

  it.each([
    ['late', 3_900],
    ['before the request', -15_000],
  ])('a stamp that lies %s', async (_name, stampMs) => {
    sim = await simulate({ ...worldOf('vsphere', { stampMs }), vms: [{ name: 'app01' }] });
    expect((await pin()).tag).toBe(TAG);
  });
});

describe('an appliance that is quicker than its platform', () => {
  it.each([
    ['at once', { completedMs: 20, stampMs: 10, listedMs: 200 }],
    ['half a second after the task', { completedMs: 200, stampMs: 10, listedMs: 700 }],
    ['within the second look', { completedMs: 1_200, stampMs: 500, listedMs: 1_450 }],
  ])('lists the tag %s', async (_name, timings) => {
    sim = await simulate(worldOf('vsphere', timings));
    const started = sim.time.now();
    await pin();
    expect(sim.time.now() - started).toBeLessThanOrEqual(timings.listedMs * 1.05 + 300);
  });
});

describe('an appliance that hangs', () => {
  it.each([
    ['list', /^get .*checkpoints$/],
    ['task', /^get .*tasks/],
    ['insert', /^post .*checkpoints/],
    ['state', /^get \/v1\/vpgs\/[^/]+$/],
    ['journal', /stats$/],
  ])('at its %s does not hold the pin beyond its own time', async (_name, path) => {
    sim = await simulate();
    const vpg = await sim.vpg('app');
    const checkpoints = new ZvmCheckpoints({ clients: sim.clients, clock: systemClock, timeoutSeconds: 1 });
    sim.zvm.faults.endpoint(path, { kind: 'slow', ms: 3_600_000 }, { times: Number.POSITIVE_INFINITY });
    const started = Date.now();
    const error = await failure(
      checkpoints.before(vpg, never).then((before) => checkpoints.pin(vpg, TAG, before, never)),
    );
    expect(error.code).toBe('CHECKPOINT_NOT_PINNED');
    expect(error.message).toContain('within 1 s');
    // One look before and one pin, of one second each; without a bound it would be 20 s and more.
    expect(Date.now() - started).toBeLessThan(9_000);
  });
});

describe('many VPGs at once', () => {
  it('are looked at, and sent their inserts, eight at a time; their tags are awaited all together', async () => {
    const count = 24;
    const names = Array.from({ length: count }, (_, index) => `vpg-${index}`);
    sim = await simulate({
      sites: [{ name: 'site-a' }],
      vms: names.map((name) => ({ name })),
      vpgs: names.map((name) => ({ name, vms: [name] })),
    });
    const vpgs = await Promise.all(names.map((name) => sim.vpg(name)));
    let open = 0;
    let most = 0;
    const client = new Proxy(sim.client, {
      get: (of, key) => {
        const value = Reflect.get(of, key, of) as unknown;
        if (typeof value !== 'function') return value;
        return async (...args: unknown[]) => {
          const counts = key === 'insertTag' || key === 'vpg';
          if (counts) most = Math.max(most, ++open);
          try {
            return await (value.apply(of, args) as Promise<unknown>);
          } finally {
            if (counts) open -= 1;
          }
        };
      },
    });
    const waits: Clock = {
      now: () => sim.time.now(),
      sleep: (ms) => new Promise((resolve) => void sim.time.setTimer(sim.time.now() + ms, resolve)),
    };
    const checkpoints = new ZvmCheckpoints({ clients: [client], clock: waits });
    const started = sim.time.now();
    const one = async (vpg: Vpg) => checkpoints.pin(vpg, TAG, await checkpoints.before(vpg, never), never);
    const pinned = await sim.time.drive(Promise.all(vpgs.map(one)), { stepMs: 50 });
    expect(pinned.map(({ tag }) => tag)).toEqual(vpgs.map(() => TAG));
    expect(most).toBe(8);
    expect(sim.time.now() - started).toBeLessThan(3 * 4_000);
  });

  it('one that is cancelled while it waits gives its turn on', async () => {
    const gate = new Gate(1);
    const cancel = new AbortController();
    let end: () => void = () => undefined;
    const first = gate.through(
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
      never,
    );
    const second = gate.through(async () => 'second', cancel.signal);
    const third = gate.through(async () => 'third', never);
    cancel.abort(new Error('cancelled'));
    await expect(second).rejects.toThrow('cancelled');
    end();
    await first;
    expect(await third).toBe('third');
    expect(await gate.through(async () => 'fourth', never)).toBe('fourth');
  });
});

describe('trouble on the way', () => {
  it.each([400, 404, 409, 500])('an insert refused with %i fails at once', async (status) => {
    sim = await simulate();
    sim.zvm.faults.insert({ kind: 'refuse', status, message: 'Not\u0007 now' });
    const started = sim.time.now();
    const error = await failure(pin());
    expect(error).toMatchObject({ code: 'CHECKPOINT_NOT_PINNED', details: { status, vpg: 'app' } });
    expect(error.message).toContain('"Not\\u0007 now"');
    expect([inserts(), sim.time.now() - started]).toEqual([1, 0]);
  });

  it.each([401, 403] as const)('a login that may not tag (%i) is ZVM_REJECTED', async (deniedStatus) => {
    sim = await simulate(undefined, { denied: ['checkpoint'], deniedStatus });
    expect(await failure(pin())).toMatchObject({ code: 'ZVM_REJECTED', details: { status: deniedStatus } });
    expect(sim.tags('app')).toEqual([]);
  });

  it('a tag that is never listed fails by the time of the profile, or the one given', async () => {
    sim = await simulate();
    sim.zvm.faults.insert({ kind: 'never_listed' });
    let started = sim.time.now();
    const error = await failure(pin());
    expect(error).toMatchObject({ code: 'CHECKPOINT_NOT_PINNED', details: { task: 'done' } });
    expect(error.message).toContain('within 60 s');
    expect(sim.time.now() - started).toBe(60_000);
    await sim.close();

    sim = await simulate(undefined, {}, 7);
    sim.zvm.faults.insert({ kind: 'never_listed' });
    started = sim.time.now();
    expect((await failure(pin())).message).toContain('within 7 s');
    expect(sim.time.now() - started).toBe(7_000);
  });

  it.each([21, 60, TAG.length - 1])('a tag cut at %i characters is found', async (length) => {
    sim = await simulate();
    sim.zvm.faults.insert({ kind: 'truncate', length });
    expect((await pin()).tag).toBe(TAG.slice(0, length));
  });

  it('a tag cut below 20 characters is no proof', async () => {
    sim = await simulate(undefined, {}, 10);
    sim.zvm.faults.insert({ kind: 'truncate', length: 15 });
    expect((await failure(pin())).code).toBe('CHECKPOINT_NOT_PINNED');
  });

  it.each(['vsphere', 'aws'] as const)(
    'a lost answer on %s leaves exactly one tag, and the pin succeeds',
    async (profile) => {
      sim = await simulate(worldOf(profile));
      sim.zvm.faults.insert({ kind: 'drop_answer' });
      expect((await pin()).tag).toBe(TAG);
      expect(inserts()).toBe(1);
      await sim.time.advance(600_000);
      expect(sim.tags('app')).toEqual([TAG]);
    },
  );

  it('an insert lost on its way is searched, not repeated', async () => {
    sim = await simulate();
    sim.zvm.faults.endpoint(/^post .*checkpoints/, { kind: 'drop' });
    const error = await failure(pin());
    expect(error.code).toBe('CHECKPOINT_NOT_PINNED');
    expect(error.message).toContain('answer to its insert was lost');
    expect([inserts(), sim.tags('app')]).toEqual([1, []]);
  });

  it.each([
    ['an empty 500', { kind: 'status', status: 500 }],
    ['a gateway’s 502', { kind: 'status', status: 502 }],
    ['no JSON', { kind: 'body', text: '<html>', contentType: 'text/html' }],
    ['an object', { kind: 'body', text: '{"a":1}' }],
  ] as const)('an insert answered with %s is searched, not repeated', async (_name, fault) => {
    sim = await simulate(undefined, {}, 5);
    sim.zvm.faults.endpoint(/^post .*checkpoints/, fault);
    const started = sim.time.now();
    const error = await failure(pin());
    expect(error.code).toBe('CHECKPOINT_NOT_PINNED');
    expect(error.message).toContain('answer to its insert was lost');
    expect([inserts(), sim.time.now() - started]).toEqual([1, 5_000]);
  });

  it.each([
    ['list', /^get .*checkpoints$/],
    ['task', /^get .*tasks/],
    ['newest checkpoint', /stats$/],
    ['VPG', /^get \/v1\/vpgs\/[^/]+$/],
  ])('one 500, drop or 401 at the %s does no harm', async (_name, path) => {
    sim = await simulate();
    for (const kind of ['unauthorized', 'drop'] as const) {
      sim.zvm.faults.endpoint(path, { kind });
      expect((await pin()).tag).toBe(TAG);
    }
    sim.zvm.faults.endpoint(path, { kind: 'status', status: 500 });
    expect((await pin()).tag).toBe(TAG);
    expect(sim.tags('app')).toHaveLength(3);
  });

  it('a list in trouble for a while delays the pin, and for good fails it', async () => {
    sim = await simulate();
    sim.zvm.faults.endpoint(/^get .*checkpoints$/, { kind: 'status', status: 503 }, { times: 8 });
    expect((await pin()).tag).toBe(TAG);
    sim.zvm.faults.endpoint(
      /^get .*checkpoints$/,
      { kind: 'status', status: 503 },
      { times: Number.POSITIVE_INFINITY },
    );
    const error = await failure(pin());
    expect(error).toMatchObject({
      code: 'CHECKPOINT_NOT_PINNED',
      details: { trouble: expect.stringContaining('503') },
    });
  });

  it('a list that is refused or not understood fails at once', async () => {
    sim = await simulate();
    for (const fault of [{ kind: 'status', status: 404 } as const, { kind: 'body', text: '{}' } as const]) {
      sim.zvm.faults.endpoint(/^get .*checkpoints$/, fault);
      const started = sim.time.now();
      expect((await failure(pin())).code).toBe('ZVM_REJECTED');
      expect(sim.time.now() - started).toBeLessThan(5_000);
    }
  });

  it('a task that the appliance has forgotten leaves the list to decide', async () => {
    sim = await simulate();
    sim.zvm.faults.endpoint(/^get .*tasks/, { kind: 'status', status: 404 }, { times: Number.POSITIVE_INFINITY });
    expect((await pin()).tag).toBe(TAG);
  });

  it('tokens revoked while it waits are renewed; a login refused for good is ZVM_REJECTED', async () => {
    sim = await simulate(worldOf('azure'));
    sim.world.clock.setTimer(sim.time.now() + 20_000, () => sim.zvm.faults.revokeTokens());
    expect((await pin()).tag).toBe(TAG);
    expect(sim.zvm.requests.some(({ status }) => status === 401)).toBe(true);
    sim.zvm.faults.endpoint(
      /^get .*(tasks|checkpoints)/,
      { kind: 'unauthorized' },
      { after: 4, times: Number.POSITIVE_INFINITY },
    );
    const started = sim.time.now();
    expect(await failure(pin())).toMatchObject({ code: 'ZVM_REJECTED', details: { status: 401 } });
    expect(sim.time.now() - started).toBeLessThan(34_000);
  });

  it('a slow answer to the insert and slow looks are waited for, and several pins share the appliance', async () => {
    sim = await simulate();
    const waits: Clock = {
      now: () => sim.time.now(),
      sleep: (ms) =>
        new Promise((resolve) => {
          sim.time.setTimer(sim.time.now() + ms, resolve);
        }),
    };
    const checkpoints = new ZvmCheckpoints({ clients: sim.clients, clock: waits });
    const vpg = await sim.vpg('app');
    sim.zvm.faults.endpoint(/^post .*checkpoints/, { kind: 'slow', ms: 8_000 });
    sim.zvm.faults.endpoint(/^get .*checkpoints$/, { kind: 'slow', ms: 3_000 }, { times: 3 });
    const before = await checkpoints.before(vpg, never);
    const tags = ['chg_1', 'chg_2', 'chg_3'].map((change) => TAG.replace('chg_0k2v9x7abc', change));
    const pinned = await sim.time.drive(Promise.all(tags.map((tag) => checkpoints.pin(vpg, tag, before, never))));
    expect(pinned.map(({ tag }) => tag)).toEqual(tags);
    expect(sim.tags('app').sort()).toEqual(tags);
  });

  it('a slow task is waited for', async () => {
    sim = await simulate();
    sim.zvm.faults.insert({ kind: 'slow', ms: 30_000 });
    const started = sim.time.now();
    expect((await pin()).tag).toBe(TAG);
    expect(sim.time.now() - started).toBeLessThanOrEqual(34_000 * 1.05 + 300);
  });

  it('a ZVM that is down is ZVM_UNREACHABLE before the insert, and passes while the tag is awaited', async () => {
    sim = await simulate();
    const vpg = await sim.vpg('app');
    await sim.zvm.faults.network('down');
    expect((await failure(sim.checkpoints.before(vpg, never))).code).toBe('ZVM_UNREACHABLE');
    const start = { newest: { checkpointIdentifier: '1', timestamp: '2026-11-29T23:59:00Z' } };
    expect((await failure(sim.checkpoints.pin(vpg, TAG, start, never))).code).toBe('ZVM_UNREACHABLE');
    await sim.zvm.faults.network('up');
    let gone: Promise<void> | undefined;
    sim.world.clock.setTimer(sim.time.now() + 1_000, () => {
      gone = sim.zvm.faults.network('down');
    });
    sim.world.clock.setTimer(sim.time.now() + 5_000, () => {
      gone = gone?.then(() => sim.zvm.faults.network('up'));
    });
    expect((await pin()).tag).toBe(TAG);
    expect(sim.tags('app')).toEqual([TAG]);
  });

  it('a caller who cancels ends the wait with the reason; the insert is not undone', async () => {
    sim = await simulate();
    const controller = new AbortController();
    sim.world.clock.setTimer(sim.time.now() + 2_000, () => controller.abort(new Error('cancelled')));
    await expect(pin('app', controller.signal)).rejects.toThrow('cancelled');
    expect(sim.tags('app')).toEqual([TAG]);
    const vpg = await sim.vpg('app');
    sim.zvm.requests.length = 0;
    await expect(sim.checkpoints.before(vpg, controller.signal)).rejects.toThrow('cancelled');
    await expect(sim.checkpoints.pin(vpg, TAG, {}, controller.signal)).rejects.toThrow('cancelled');
    expect(sim.zvm.requests).toEqual([]);
  });

  it('a caller who cancels does not wait for the next look', async () => {
    sim = await simulate();
    const controller = new AbortController();
    const clock: Clock = {
      now: () => sim.time.now(),
      sleep: (_ms, signal) => {
        setTimeout(() => controller.abort(new Error('cancelled')), 5);
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      },
    };
    const vpg = await sim.vpg('app');
    const checkpoints = new ZvmCheckpoints({ clients: sim.clients, clock });
    await expect(checkpoints.pin(vpg, TAG, {}, controller.signal)).rejects.toThrow('cancelled');
  });
});
