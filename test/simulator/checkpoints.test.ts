import { afterEach, describe, expect, test } from 'vitest';
import { closeAll, mounted, setup } from './harness.js';

afterEach(closeAll);

describe('automatic checkpoints', () => {
  test.each([
    ['vsphere', 5_000],
    ['azure', 60_000],
    ['aws', 630_000],
  ] as const)('%s takes one each %i ms, numbered one by one, stamped in whole seconds', async (profile, gap) => {
    const { clock, client, world } = await setup({
      vpgs: [{ name: 'app', vms: ['app01'], profile, firstCheckpoint: 786 }],
    });
    const path = `/v1/vpgs/${world.vpg('app').vpgIdentifier}/checkpoints`;
    await clock.advance(gap * 2);
    const list = (await client.get(path)).json;
    expect(list.map((row: { CheckpointIdentifier: string }) => row.CheckpointIdentifier)).toEqual([
      '786',
      '787',
      '788',
      '789',
      '790',
    ]);
    const times = list.map((row: { TimeStamp: string }) => Date.parse(row.TimeStamp));
    expect(new Set(times.slice(1).map((time: number, index: number) => time - times[index]))).toEqual(new Set([gap]));
    expect(list[0].TimeStamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(list[4]).toEqual({
      CheckpointIdentifier: '790',
      TimeStamp: new Date(clock.now()).toISOString().replace('.000', ''),
      Tag: null,
      Type: 0,
    });
  });

  test('a paused or syncing VPG takes none', async () => {
    const { clock, world } = await setup();
    const before = world.vpg('app').journal.length;
    world.setState('app', { subStatus: 'ReplicationPausedUserInitiated' });
    await clock.advance(60_000);
    expect(world.vpg('app').journal).toHaveLength(before);
    expect(world.vpg('db-a').journal.length).toBeGreaterThan(before);
    world.setState('app', { subStatus: 'None' });
    await clock.advance(5_000);
    expect(world.vpg('app').journal).toHaveLength(before + 1);
  });

  test('history limits the journal', async () => {
    const { clock, world } = await setup({ vpgs: [{ name: 'app', vms: ['app01'], historyMinutes: 1 }] });
    await clock.advance(600_000);
    expect(world.vpg('app').journal).toHaveLength(13);
  });

  test('so does the volume written, and an alert says so', async () => {
    const { clock, world, client } = await setup({ vpgs: [{ name: 'app', vms: ['app01'], journalLimitBytes: 1_000 }] });
    await clock.advance(60_000);
    const before = world.vpg('app').journal.length;
    world.write('app01', '/var/big', 'x'.repeat(900));
    await clock.advance(5_000);
    expect(world.vpg('app').journal).toHaveLength(before + 1);
    world.churn('app', 200);
    await clock.advance(5_000);
    expect(world.vpg('app').journal.length).toBeLessThan(3);
    expect((await client.get('/v1/alerts')).json).toMatchObject([
      { Level: 'Warning', AffectedVpgs: [{ identifier: world.vpg('app').vpgIdentifier }] },
    ]);
  });

  test('a resync drops tags too, and the VPG is back after it', async () => {
    const { clock, world, client } = await setup();
    const path = `/v1/vpgs/${world.vpg('app').vpgIdentifier}`;
    world.tag('app', 'kept?');
    await clock.advance(10_000);
    expect((await client.get(`${path}/checkpoints`)).json.some((row: { Tag: string }) => row.Tag === 'kept?')).toBe(
      true,
    );
    world.resync('app', 29_000);
    expect((await client.get(`${path}/checkpoints`)).json).toEqual([]);
    expect((await client.get(`${path}/checkpoints/stats`)).json).toEqual({ Earliest: null, Latest: null });
    expect((await client.get(path)).json).toMatchObject({ SubStatus: 6, ActualRPO: -1 });
    await clock.advance(29_000);
    expect((await client.get(`${path}/checkpoints`)).json).toHaveLength(1);
    expect((await client.get(path)).json).toMatchObject({ Status: 1, SubStatus: 0 });
  });
});

describe('insert', () => {
  test.each([
    ['vsphere', 1_000, 2_000, 4_000],
    ['azure', 30_000, 10_000, 34_000],
    ['aws', 30_000, 20_000, 128_000],
  ] as const)('%s: stamped after %i ms, task done after %i, listed after %i', async (profile, stamp, done, shown) => {
    const { clock, client, world } = await setup({ vpgs: [{ name: 'app', vms: ['app01'], profile }] });
    const path = `/v1/vpgs/${world.vpg('app').vpgIdentifier}/checkpoints`;
    const start = clock.now();
    const task = (await client.post(path, { checkpointName: 'ai:me | x' })).json;
    expect(task).toMatch(/^[0-9a-f-]{36}\.[0-9a-f-]{36}$/);
    const state = async () => (await client.get(`/v1/tasks/${task}`)).json.Status.State;
    const found = async () => (await client.get(path)).json.find((row: { Tag: string }) => row.Tag === 'ai:me | x');
    expect(await state()).toBe(1);
    await clock.advance(done - 1);
    expect(await state()).toBe(1);
    await clock.advance(1);
    expect(await state()).toBe(6);
    await clock.advance(shown - done - 1);
    expect(await found()).toBeUndefined();
    await clock.advance(1);
    expect(Date.parse((await found()).TimeStamp)).toBe(start + stamp);
  });

  test('the tag holds the content of its moment, the checkpoint before it that of its own', async () => {
    const at = await setup({ vpgs: [{ name: 'app', vms: ['app01'], profile: 'azure' }] });
    const { world, clock, client } = at;
    const path = `/v1/vpgs/${world.vpg('app').vpgIdentifier}/checkpoints`;
    world.write('app01', '/etc/app.conf', 'before');
    await clock.advance(60_000);
    const latest = (await client.get(`${path}/stats`)).json.Latest.CheckpointIdentifier;
    await client.post(path, { CheckpointName: 'tag' });
    await clock.advance(10_000);
    world.write('app01', '/etc/app.conf', 'after');
    await clock.advance(24_000);
    const tag = (await client.get(path)).json.find((row: { Tag: string }) => row.Tag === 'tag').CheckpointIdentifier;
    const contents = [];
    for (const checkpoint of [latest, tag]) {
      const session = await mounted(at, 'app01', 'app', checkpoint);
      const link = (await client.post(`/v1/flrs/${session}/download`, { pathList: ['Volume1-Ext4/etc/app.conf'] }))
        .json;
      contents.push((await client.get(`/${link}`)).bytes.toString());
    }
    expect(contents).toEqual(['before', 'after']);
  });

  test.each(['InitialSync', 'DeltaSync', 'ReplicationPausedUserInitiated', 'NeedsConfiguration', 41] as const)(
    'sub-status %s refuses at once, or by its task',
    async (subStatus) => {
      const { clock, client, world, simulator } = await setup();
      const path = `/v1/vpgs/${world.vpg('app').vpgIdentifier}/checkpoints`;
      world.setState('app', { subStatus });
      expect(await client.post(path, { checkpointName: 'a' })).toMatchObject({
        status: 409,
        json: { Message: expect.stringContaining(String(subStatus)) },
      });
      simulator.knobs.refusal = 'task';
      const task = (await client.post(path, { checkpointName: 'a' })).json;
      await clock.advance(10_000);
      expect((await client.get(`/v1/tasks/${task}`)).json).toMatchObject({
        Status: { State: 4 },
        CompleteReason: expect.stringContaining(String(subStatus)),
      });
      expect((await client.get(path)).json.filter((row: { Tag: unknown }) => row.Tag)).toEqual([]);
    },
  );

  test.each(['NotMeetingSLA', 'RpoNotMeetingSLA', 'HistoryNotMeetingSLA'] as const)(
    'status %s alone refuses nothing',
    async (status) => {
      const { client, world } = await setup();
      world.setState('app', { status });
      expect(
        (await client.post(`/v1/vpgs/${world.vpg('app').vpgIdentifier}/checkpoints`, { checkpointname: 'a' })).status,
      ).toBe(200);
    },
  );

  test('a resync between the answer and the moment of the tag fails the task', async () => {
    const { clock, client, world } = await setup();
    const path = `/v1/vpgs/${world.vpg('app').vpgIdentifier}/checkpoints`;
    const task = (await client.post(path, { checkpointName: 'lost' })).json;
    world.resync('app');
    await clock.advance(10_000);
    expect((await client.get(`/v1/tasks/${task}`)).json.Status.State).toBe(4);
    expect((await client.get(path)).json.some((row: { Tag: string }) => row.Tag === 'lost')).toBe(false);
  });

  test('no name is refused; a long one is cut or refused as the knob says', async () => {
    const { clock, client, world, simulator } = await setup();
    const path = `/v1/vpgs/${world.vpg('app').vpgIdentifier}/checkpoints`;
    expect((await client.post(path, {})).status).toBe(400);
    simulator.knobs.maxTagLength = { length: 3, mode: 'reject' };
    expect((await client.post(path, { checkpointName: 'abcd' })).status).toBe(400);
    simulator.knobs.maxTagLength = { length: 3, mode: 'truncate' };
    expect((await client.post(path, { checkpointName: 'abcd' })).status).toBe(200);
    await clock.advance(5_000);
    expect((await client.get(path)).json.map((row: { Tag: string }) => row.Tag)).toContain('abc');
  });
});

describe('date filters', () => {
  test.each([
    ['2026-11-30T12:00:05.000Z', '2026-11-30T12:00:10Z', 2],
    ['2026-11-30T12:00:05Z', undefined, 4],
    ['2026-11-30T12:00Z', '2026-11-30T12:00:00Z', 1],
    ['2026-11-30', undefined, 7],
    ['2026-12', undefined, 0],
    ['2026', undefined, 7],
    [String(Date.UTC(2026, 10, 30, 12, 0, 20)), undefined, 1],
    ['11/30/2026', undefined, 7],
    ['2026-11-30T14:00:20', undefined, 1],
  ])('startDate %s, endDate %s', async (start, end, count) => {
    const { clock, client, world } = await setup({ sites: [{ name: 'prod', utcOffsetInMinutes: 120 }] });
    await clock.advance(20_000);
    const query = new URLSearchParams({ startDate: start, ...(end === undefined ? {} : { EndDate: end }) });
    const all = (await client.get(`/v1/vpgs/${world.vpg('app').vpgIdentifier}/checkpoints?${query}`)).json;
    expect(all).toHaveLength(count);
  });

  test('what is no date is refused', async () => {
    const { client, world } = await setup();
    expect((await client.get(`/v1/vpgs/${world.vpg('app').vpgIdentifier}/checkpoints?startDate=soon`)).status).toBe(
      400,
    );
  });
});
