import { afterEach, describe, expect, test } from 'vitest';
import { startSimulator } from '../../src/simulator/index.js';
import { clientOf, closeAll, SMALL, setup } from './harness.js';

afterEach(closeAll);

const names = (answer: { json: { VmName: string }[] }) => answer.json.map((row) => row.VmName);

describe('VMs', () => {
  test('one row for each VM in each VPG; a link never is the identifier', async () => {
    const { client, world } = await setup();
    const rows = (await client.get(`/v1/vms?VMIDENTIFIER=${world.vm('db01').vmIdentifier.toUpperCase()}`)).json;
    expect(rows.map((row: { VpgName: string }) => row.VpgName)).toEqual(['db-a', 'db-b']);
    expect(rows[0]).toMatchObject({
      VmIdentifier: expect.stringMatching(/^[0-9a-f-]{36}\.vm-\d+$/),
      Link: { identifier: expect.stringContaining('?VpgIdentifier='), type: 'VmApi' },
      ProtectedSite: { type: 'LocalSiteApi', identifier: world.site('prod').siteIdentifier },
      EnabledActions: { IsFlrEnabled: true },
    });
    expect(
      (await client.get('/v1/vms?vmName=app01')).json[0].VmNetworkInformation.NetworkAdapters[0].IpAddresses,
    ).toEqual(['10.0.0.1']);
  });

  test('one VM in several VPGs has to be asked for with the VPG', async () => {
    const { client, world } = await setup();
    const path = `/v1/vms/${world.vm('db01').vmIdentifier}`;
    expect(await client.get(path)).toMatchObject({
      status: 400,
      json: { Message: expect.stringContaining('more than one VPG') },
    });
    expect((await client.get(`${path}?VpgIdentifier=${world.vpg('db-b').vpgIdentifier}`)).json.VpgName).toBe('db-b');
    expect((await client.get(`${path}?vpgIdentifier=${world.vpg('app').vpgIdentifier}`)).status).toBe(404);
    expect((await client.get(`/v1/vms/${world.vm('app01').vmIdentifier}`)).json.VpgName).toBe('app');
    expect((await client.get('/v1/vms/none.vm-1')).status).toBe(404);
  });

  test('filters; a part of a name is enough unless the knob says otherwise', async () => {
    const { client, world, simulator } = await setup();
    expect(names(await client.get('/v1/vms?vmName=01&vpgName=DB'))).toEqual(['db01', 'db01']);
    simulator.knobs.nameFilter = 'exact';
    expect(names(await client.get('/v1/vms?vmName=01'))).toEqual([]);
    expect(names(await client.get('/v1/vms?vmName=APP01'))).toEqual(['app01']);
    world.setState('app', { status: 'NotMeetingSLA', subStatus: 'DeltaSync' });
    expect(names(await client.get('/v1/vms?status=notmeetingsla'))).toEqual(['app01']);
    expect(names(await client.get('/v1/vms?subStatus=6'))).toEqual(['app01']);
    expect(names(await client.get('/v1/vms?protectedSiteIdentifier=x'))).toEqual([]);
    expect(names(await client.get('/v1/vms?protectedSiteType=VCVpg'))).toHaveLength(4);
  });

  test('unprotected ones stand with their virtualization site alone', async () => {
    const { client, world } = await setup();
    const id = world.site('prod').siteIdentifier;
    expect(names(await client.get('/v1/vms'))).not.toContain('lab01');
    expect(names(await client.get(`/v1/virtualizationsites/${id}/vms`))).toEqual(['lab01']);
    expect((await client.get('/v1/virtualizationsites')).json).toEqual([
      { SiteIdentifier: id, VirtualizationSiteName: 'prod (simulated)' },
    ]);
    expect((await client.get('/v1/virtualizationsites/none/vms')).status).toBe(404);
  });

  test('two VMs may share a name', async () => {
    const vms = [{ name: 'twin' }, { name: 'twin', key: 'twin-2' }];
    const { client } = await setup({
      vms,
      vpgs: [
        { name: 'a', vms: ['twin'] },
        { name: 'b', vms: ['twin-2'] },
      ],
    });
    const rows = (await client.get('/v1/vms?vmName=twin')).json;
    expect(new Set(rows.map((row: { VmIdentifier: string }) => row.VmIdentifier)).size).toBe(2);
  });

  test('identifiers are the same in each run, checkpoint numbers differ between VPGs', async () => {
    const [one, two] = [await setup(), await setup()];
    expect(two.world.vms.map((vm) => vm.vmIdentifier)).toEqual(one.world.vms.map((vm) => vm.vmIdentifier));
    expect(new Set(one.world.vpgs.map((vpg) => vpg.journal[0]?.id)).size).toBe(4);
  });
});

describe('VPGs', () => {
  test('state, history and nulls', async () => {
    const { client, world, clock } = await setup();
    await clock.advance(120_000);
    const path = `/v1/vpgs/${world.vpg('app').vpgIdentifier}`;
    expect((await client.get(path)).json).toMatchObject({
      VpgName: 'app',
      Status: 1,
      SubStatus: 0,
      ActualRPO: 0,
      VmsCount: 1,
      FailSafeHistory: null,
      LastTest: null,
      ServiceProfile: null,
      ActiveProcessesApi: { RunningFailOverTestApi: null },
      HistoryStatusApi: {
        ActualHistoryInMinutes: 2,
        ConfiguredHistoryInMinutes: 1440,
        EarliestCheckpoint: { Tag: null },
      },
    });
    world.setState('app', { subStatus: 41, testStage: 'InTest' });
    expect((await client.get(path)).json).toMatchObject({
      SubStatus: 41,
      SubStatusDescription: null,
      ActiveProcessesApi: { RunningFailOverTestApi: { Stage: 'InTest' } },
    });
    expect((await client.get('/v1/vpgs?name=db')).json).toHaveLength(2);
    expect((await client.get('/v1/vpgs/none')).status).toBe(404);
    expect((await client.get('/v1/vpgs/statuses')).json[3]).toBe('RpoNotMeetingSLA');
    expect((await client.get('/v1/vpgs/substatuses')).json[25]).toBe('ReplicationPausedUserInitiated');
  });

  test('pause, resume, forced sync, failover test', async () => {
    const { client, world, clock } = await setup();
    const path = `/v1/vpgs/${world.vpg('app').vpgIdentifier}`;
    const sub = async () => (await client.get(path)).json.SubStatus;
    expect((await client.post(`${path}/Pause`)).status).toBe(200);
    expect(await sub()).toBe(25);
    expect((await client.post(`${path}/resume`)).status).toBe(200);
    expect((await client.post(`${path}/resume`)).status).toBe(409);
    const held = world.vpg('app').journal.length;
    await client.post(`${path}/forcesync`);
    expect(await sub()).toBe(6);
    await clock.advance(10_000);
    expect(await sub()).toBe(0);
    expect(world.vpg('app').journal.length).toBeGreaterThanOrEqual(held);
    const checkpointIdentifier = String(world.vpg('app').journal[0]?.id);
    expect((await client.post(`${path}/FailoverTest`, { checkpointIdentifier: '1' })).status).toBe(409);
    expect((await client.post(`${path}/FailoverTest`, { checkpointIdentifier })).status).toBe(200);
    expect((await client.post(`${path}/checkpoints`, { checkpointName: 'during' })).status).toBe(200);
    expect((await client.post(`${path}/FailoverTestStop`, { failoverTestSuccess: true })).status).toBe(200);
    expect((await client.get(path)).json.LastTest).not.toBeNull();
  });

  test('a failover gives the VMs new identifiers at the other site', async () => {
    const { client, world } = await setup({
      ...SMALL,
      sites: [{ name: 'prod' }, { name: 'dr' }],
      vpgs: [{ name: 'app', vms: ['app01'], protectedSite: 'prod', recoverySite: 'dr' }],
    });
    const before = (await client.get('/v1/vms')).json[0];
    world.failover('app');
    const after = (await client.get('/v1/vms')).json[0];
    expect(after.VmName).toBe(before.VmName);
    expect(after.VmIdentifier.split('.')[0]).not.toBe(before.VmIdentifier.split('.')[0]);
    expect(after).toMatchObject({
      SourceSite: 'dr (simulated)',
      TargetSite: 'prod (simulated)',
      VpgIdentifier: before.VpgIdentifier,
    });
    expect((await client.get(`/v1/vms/${before.VmIdentifier}`)).status).toBe(404);
  });
});

describe('sites', () => {
  test('both ends list a VPG, each from its side; the third does not', async () => {
    const { client, world } = await setup({
      ...SMALL,
      sites: [{ name: 'prod' }, { name: 'dr' }, { name: 'azure' }],
      vpgs: [{ name: 'app', vms: ['app01'], protectedSite: 'prod', recoverySite: 'dr' }],
    });
    const [dr, azure] = await Promise.all(['dr', 'azure'].map((site) => startSimulator({ world, site })));
    if (dr === undefined || azure === undefined) throw new Error('not started');
    const [there, third] = [clientOf(dr), clientOf(azure)];
    await there.login();
    await third.login();
    expect((await client.get('/v1/vms')).json).toMatchObject([
      { RecoverySite: { type: 'PeerSiteApi' }, EnabledActions: { IsFlrEnabled: false } },
    ]);
    expect((await there.get('/v1/vms')).json).toMatchObject([
      { RecoverySite: { type: 'LocalSiteApi' }, EnabledActions: { IsFlrEnabled: true } },
    ]);
    expect((await third.get('/v1/vms')).json).toEqual([]);
    expect((await third.get(`/v1/vpgs/${world.vpg('app').vpgIdentifier}`)).status).toBe(404);
    expect((await client.get('/v1/peersites')).json.map((row: { PeerSiteName: string }) => row.PeerSiteName)).toEqual([
      'dr (simulated)',
      'azure (simulated)',
    ]);
    expect((await client.get(`/v1/peersites/${world.site('dr').siteIdentifier}`)).json.PairingStatus).toBe(0);
    const task = (
      await there.post(`/v1/vpgs/${world.vpg('app').vpgIdentifier}/checkpoints`, { checkpointName: 'from dr' })
    ).json;
    expect(task.endsWith(`.${world.site('dr').siteIdentifier}`)).toBe(true);
    expect((await client.get(`/v1/tasks/${task}`)).status).toBe(404);
    await Promise.all([there.close(), third.close(), dr.close(), azure.close()]);
  });

  test.each([
    ['azure', 'Azure', 5],
    ['aws', 'AWS', 3],
    ['vsphere', 'VCenter', 0],
  ] as const)('%s shows in site type and entity type', async (profile, type, entity) => {
    const { client } = await setup({ vpgs: [{ name: 'app', vms: ['app01'], profile }] });
    expect((await client.get('/v1/localsite')).json).toMatchObject({
      SiteType: type,
      SiteName: expect.stringContaining('simulated'),
      Version: expect.stringContaining('simulated'),
      IsReplicationToSelfEnabled: true,
    });
    expect((await client.get('/v1/vms')).json[0].Entities).toMatchObject({ Protected: entity, Recovery: entity });
  });

  test('the clock of the appliance has a skew and a zone of its own', async () => {
    const { client, world } = await setup(
      { sites: [{ name: 'prod', utcOffsetInMinutes: -210 }] },
      { knobs: { tokenSeconds: 60, skewMs: 90_000 } },
    );
    expect((await client.get('/v1/serverDateTime/serverDateTimeUtc')).json).toBe('2026-11-30T12:01:30.000Z');
    expect((await client.get('/v1/serverDateTime/serverDateTimeLocal')).json).toBe('2026-11-30T08:31:30.000-03:30');
    expect((await client.get('/v1/serverDateTime/dateTimeArgument?dateTime=2026-11-30T08:31:30')).json).toBe(
      '2026-11-30T12:01:30.000Z',
    );
    const path = `/v1/vpgs/${world.vpg('app').vpgIdentifier}/checkpoints`;
    expect((await client.get(`${path}/stats`)).json.Latest.TimeStamp).toBe('2026-11-30T12:01:30Z');
    expect((await client.get(`${path}?startDate=2026-11-30T12:01:30Z`)).json).toHaveLength(1);
    expect((await client.get(`${path}?endDate=2026-11-30T12:01:29.999Z`)).json).toHaveLength(2);
  });

  test('license, alerts', async () => {
    const { client, world } = await setup();
    expect((await client.get('/v1/license')).json).toMatchObject({ Usage: { TotalVmsCount: 3 } });
    world.raiseAlert('app', { level: 'Error', helpIdentifier: 'FLR0001', description: 'x' });
    expect((await client.get('/v1/alerts?level=error')).json).toMatchObject([
      { HelpIdentifier: 'FLR0001', IsDismissed: false },
    ]);
    expect((await client.get('/v1/alerts?level=warning')).json).toEqual([]);
    expect((await client.get(`/v1/vpgs/${world.vpg('app').vpgIdentifier}`)).json.AlertStatus).toBe(1);
  });
});
