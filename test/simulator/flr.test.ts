import { afterEach, describe, expect, test } from 'vitest';
import { startSimulator } from '../../src/simulator/index.js';
import { clientOf, closeAll, mounted, SMALL, setup, withFiles } from './harness.js';

afterEach(closeAll);

const paths = (answer: { json: { PathItems: { Path: string }[] } }) => answer.json.PathItems.map((item) => item.Path);

describe('mount', () => {
  test('in progress first, ready later; the session says what it is', async () => {
    const { client, world, clock, newest } = await withFiles();
    const vpg = world.vpg('app');
    const vm = world.vm('app01');
    const jflr = {
      VpgIdentifier: vpg.vpgIdentifier,
      vmIdentifier: vm.vmIdentifier,
      checkpointidentifier: newest('app'),
      initialDownloadPath: null,
    };
    const session = (await client.post('/v1/FLRs', { jflr, bflr: null })).json;
    expect(session).toMatch(/^[0-9a-f-]{36}\.[0-9a-f-]{36}$/);
    expect((await client.get(`/v1/flrs/${session}`)).json).toMatchObject({
      FlrSessionStatus: 'MountInProgress',
      FlrSessionType: 'jflr',
      SelectedPath: null,
    });
    expect((await client.post(`/v1/flrs/${session}/browse`, { path: '' })).status).toBe(409);
    await clock.advance(1_000);
    expect((await client.get('/v1/flrs')).json).toMatchObject([
      {
        FlrSessionIdentifier: session,
        FlrSessionStatus: 'MountCompletedSuccessfully',
        VmIdentifier: vm.vmIdentifier,
        CheckpointIdentifier: newest('app'),
        NumberOfRelatedRunningTasks: 0,
      },
    ]);
    expect((await client.get(`/v1/flrs?vmIdentifier=${world.vm('db01').vmIdentifier}`)).json).toEqual([]);
  });

  test('one session as an array, as some documents have it', async () => {
    const at = await withFiles({ knobs: { tokenSeconds: 100_000, flrSingle: 'array' } });
    const session = await mounted(at, 'app01', 'app', at.newest('app'));
    expect((await at.client.get(`/v1/flrs/${session}`)).json).toMatchObject([{ FlrSessionIdentifier: session }]);
  });

  test('refused: no such checkpoint, a hidden tag, a foreign VM, too many, disabled', async () => {
    const { client, world, simulator, newest } = await withFiles();
    const vpg = world.vpg('app');
    const mount = (checkpointIdentifier: string, vm = 'app01') =>
      client.post('/v1/flrs', {
        jflr: { vpgIdentifier: vpg.vpgIdentifier, vmIdentifier: world.vm(vm).vmIdentifier, checkpointIdentifier },
      });
    expect((await mount('1')).status).toBe(404);
    expect((await mount(String(Number(newest('app')) + 1))).status).toBe(404);
    expect((await mount(newest('app'), 'db01')).status).toBe(404);
    expect((await client.post('/v1/flrs', { bflr: {} })).status).toBe(400);
    world.blockFlr('app', 'The VM is encrypted.');
    expect(await mount(newest('app'))).toMatchObject({ status: 400, json: { Message: 'The VM is encrypted.' } });
    world.blockFlr('app');
    simulator.knobs.maxFlrSessions = 0;
    expect((await mount(newest('app'))).status).toBe(409);
    simulator.knobs.flrEnabled = false;
    expect((await mount(newest('app'))).status).toBe(400);
    expect((await client.get(`/v1/vms/${world.vm('app01').vmIdentifier}`)).json.EnabledActions).toEqual({
      IsFlrEnabled: false,
    });
  });

  test('a checkpoint that left the journal cannot be mounted; a session on it goes on', async () => {
    const at = await withFiles();
    const before = at.newest('app');
    const session = await mounted(at, 'app01', 'app', before);
    at.world.resync('app');
    expect(
      (
        await at.client.post('/v1/flrs', {
          jflr: {
            vpgIdentifier: at.world.vpg('app').vpgIdentifier,
            vmIdentifier: at.world.vm('app01').vmIdentifier,
            checkpointIdentifier: before,
          },
        })
      ).status,
    ).toBe(404);
    expect(paths(await at.client.post(`/v1/flrs/${session}/browse`, { path: '' }))).toEqual(['Volume1-Ext4']);
  });

  test('only at the recovery site', async () => {
    const { world, client, simulator } = await setup({
      ...SMALL,
      sites: [{ name: 'prod' }, { name: 'dr' }],
      vpgs: [{ name: 'app', vms: ['app01'], protectedSite: 'prod', recoverySite: 'dr' }],
    });
    const dr = await startSimulator({ world, site: 'dr', knobs: { mountMs: 0 } });
    const there = clientOf(dr);
    await there.login();
    const vpg = world.vpg('app');
    const jflr = {
      vpgIdentifier: vpg.vpgIdentifier,
      vmIdentifier: world.vm('app01').vmIdentifier,
      checkpointIdentifier: String(vpg.journal[0]?.id),
    };
    expect((await client.post('/v1/flrs', { jflr })).status).toBe(400);
    const session = await there.post('/v1/flrs', { jflr });
    expect(session.status).toBe(200);
    expect((await client.get(`/v1/flrs/${session.json}`)).status).toBe(404);
    const points = (answer: { json: { CanMount: unknown }[] }) => answer.json[0]?.CanMount;
    const path = `/v1/vms/${jflr.vmIdentifier}/pointsInTime`;
    expect(points(await client.get(path))).toMatchObject({
      IsAllowed: false,
      Reason: expect.stringContaining('recovery site'),
    });
    expect(points(await there.get(path))).toEqual({ IsAllowed: true, Reason: '' });
    expect(simulator.url).not.toBe(dr.url);
    await there.close();
    await dr.close();
  });

  test('sessions outlive the server that made them', async () => {
    const at = await withFiles();
    const session = await mounted(at, 'app01', 'app', at.newest('app'));
    const second = await startSimulator({ world: at.world });
    const client = clientOf(second);
    await client.login();
    expect((await client.get('/v1/flrs')).json).toMatchObject([{ FlrSessionIdentifier: session }]);
    await client.close();
    await second.close();
  });
});

describe('browse', () => {
  test('volumes, folders, files and links', async () => {
    const at = await withFiles();
    const session = await mounted(at, 'app01', 'app', at.newest('app'));
    const browse = (path: string, more = {}) => at.client.post(`/v1/flrs/${session}/browse`, { path, ...more });
    expect((await browse('')).json).toMatchObject({
      MainPathItem: { Path: '', Type: 'Partition' },
      PathItems: [{ Path: 'Volume1-Ext4', Type: 'Partition', IsBrowsable: true }],
    });
    expect(paths(await browse('Volume1-Ext4'))).toEqual(['Volume1-Ext4/empty', 'Volume1-Ext4/etc']);
    expect((await browse('Volume1-Ext4/etc/')).json.PathItems).toMatchObject([
      { Path: 'Volume1-Ext4/etc/cron.d', Type: 'Folder', SizeInBytes: null },
      {
        Path: 'Volume1-Ext4/etc/hosts',
        Type: 'File',
        SizeInBytes: 10,
        IsBrowsable: false,
        DownloadInformation: { IsDownloadable: true },
      },
      {
        Path: 'Volume1-Ext4/etc/localtime',
        DownloadInformation: { IsDownloadable: false, AdditionalInformation: expect.stringContaining('Links') },
      },
    ]);
    expect((await browse('Volume1-Ext4/etc/hosts')).json.MainPathItem).toMatchObject({ Type: 'File', SizeInBytes: 10 });
    for (const [path, status] of [
      ['Volume1-Ext4\\etc', 400],
      ['/Volume1-Ext4', 400],
      ['Volume1-Ext4/../x', 400],
      ['Volume1-Ext4/none', 404],
      ['Volume1-Ext4/etc/localtime/x', 404],
      ['etc/hosts', 404],
    ] as const) {
      expect((await browse(path)).status, path).toBe(status);
    }
  });

  test('pages', async () => {
    const at = await setup();
    for (let index = 0; index < 25; index += 1) at.world.write('app01', `/d/f${String(index).padStart(2, '0')}`, 'x');
    await at.clock.advance(5_000);
    const session = await mounted(at, 'app01', 'app', String(at.world.vpg('app').journal.at(-1)?.id));
    const page = async (pageNumber: number) =>
      paths(await at.client.post(`/v1/flrs/${session}/browse`, { path: 'Volume1-Ext4/d', pageNumber, pageSize: 10 }));
    expect((await page(1)).length).toBe(10);
    expect(await page(3)).toEqual([
      'Volume1-Ext4/d/f20',
      'Volume1-Ext4/d/f21',
      'Volume1-Ext4/d/f22',
      'Volume1-Ext4/d/f23',
      'Volume1-Ext4/d/f24',
    ]);
    expect(await page(4)).toEqual([]);
    expect(
      paths(
        await at.client.post(`/v1/flrs/${session}/browse`, {
          path: 'Volume1-Ext4/d',
          pageNumber: null,
          pageSize: null,
        }),
      ),
    ).toHaveLength(25);
  });

  test('a Windows guest shows its drive as a volume', async () => {
    const at = await withFiles();
    const session = await mounted(at, 'win01', 'windows', at.newest('windows'));
    expect(paths(await at.client.post(`/v1/flrs/${session}/browse`, { path: 'Volume1-NTFS/inetpub' }))).toEqual([
      'Volume1-NTFS/inetpub/web.config',
    ]);
  });

  test('a second volume is a root of its own, and an empty folder in the first', async () => {
    const volumes = [
      { name: 'Volume1-Ext4', mount: '' },
      { name: 'Volume2-XFS', mount: 'data' },
    ];
    const at = await setup({ vms: [{ name: 'app01', volumes }], vpgs: [{ name: 'app', vms: ['app01'] }] });
    at.world.write('app01', '/data/base/table', 'rows');
    at.world.write('app01', '/etc/hosts', 'x');
    await at.clock.advance(5_000);
    const session = await mounted(at, 'app01', 'app', String(at.world.vpg('app').journal.at(-1)?.id));
    const browse = async (path: string) => paths(await at.client.post(`/v1/flrs/${session}/browse`, { path }));
    expect(await browse('')).toEqual(['Volume1-Ext4', 'Volume2-XFS']);
    expect(await browse('Volume1-Ext4/data')).toEqual([]);
    expect(await browse('Volume2-XFS/base')).toEqual(['Volume2-XFS/base/table']);
  });
});
