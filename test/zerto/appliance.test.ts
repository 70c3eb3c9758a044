import { text as readText } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { ZvmClient } from '../../src/zerto/client.js';
import { never } from './fake-zvm.js';
import { type Simulated, simulate, TAG } from './simulated.js';

let sim: Simulated;
afterEach(async () => {
  await sim.close();
});

const FORMS = [
  { casing: 'pascal', dates: 'iso', flrSingle: 'object', downloadUrl: 'relative' },
  { casing: 'camel', dates: 'msdate', flrSingle: 'array', downloadUrl: 'absolute' },
] as const;

describe.each(FORMS)('an appliance that answers in $casing, $dates', (knobs) => {
  it('is read at every endpoint of the client', async () => {
    sim = await simulate(undefined, knobs);
    const { client } = sim;
    const site = await client.localSite(never);
    expect(site.siteIdentifier).toMatch(/^[0-9a-f-]{36}$/);
    const rows = await client.vms(never);
    expect(rows.map((row) => [row.vmName, row.vpgName]).sort()).toEqual([
      ['app01', 'app'],
      ['db01', 'db-dr'],
      ['db01', 'db-local'],
    ]);
    const db = rows.filter((row) => row.vmName === 'db01');
    expect(new Set(db.map((row) => row.vmIdentifier)).size).toBe(1);
    expect((await client.unprotectedVms(never)).map((vm) => vm.vmName)).toEqual(['lab01']);
    const app = rows.find((row) => row.vmName === 'app01');
    if (app === undefined) throw new Error('no app01');
    expect(await client.vpg(app.vpgIdentifier, never)).toMatchObject({ vpgName: 'app', status: 1, subStatus: 0 });
    const { oldest, newest } = await client.checkpointStats(app.vpgIdentifier, never);
    expect(Number(newest?.checkpointIdentifier) - Number(oldest?.checkpointIdentifier)).toBe(2);
    const task = await client.task(await client.insertTag(app.vpgIdentifier, TAG, never), never);
    expect(task).toMatchObject({ type: 'InsertTaggedCP', state: 1 });
    await sim.time.advance(10_000);
    const since = new Date(Date.parse(newest?.timestamp ?? '') + 1000);
    const listed = await client.checkpoints(app.vpgIdentifier, { since }, never);
    expect(listed.filter(({ tag }) => tag === TAG)).toHaveLength(1);
    expect(listed.some(({ checkpointIdentifier }) => checkpointIdentifier === newest?.checkpointIdentifier)).toBe(
      false,
    );
    const points = await client.pointsInTime(app.vmIdentifier, app.vpgIdentifier, { since }, never);
    expect(points.map(({ checkpoint, canMount }) => [checkpoint.tag, canMount])).toContainEqual([TAG, true]);
    const events = await client.events(
      { vpgIdentifier: app.vpgIdentifier, since: new Date(sim.time.now() - 60_000) },
      never,
    );
    expect(events).toContainEqual(
      expect.objectContaining({ eventType: 12, userName: sim.zvm.user, vpgIdentifiers: [app.vpgIdentifier] }),
    );
    expect(Math.abs((await client.serverTime(never)).getTime() - sim.time.now())).toBeLessThan(1000);
  });

  it('mounts, browses, downloads and unmounts', async () => {
    sim = await simulate(undefined, knobs);
    const { client } = sim;
    sim.world.write('app01', '/etc/app.conf', 'port=8080\n');
    await sim.time.advance(6_000);
    const app = (await client.vms(never)).find((row) => row.vmName === 'app01');
    if (app === undefined) throw new Error('no app01');
    const { newest } = await client.checkpointStats(app.vpgIdentifier, never);
    const checkpointIdentifier = newest?.checkpointIdentifier ?? '';
    const session = await client.mount({ ...app, checkpointIdentifier }, never);
    expect(await client.session(session, never)).toMatchObject({ status: 'MountInProgress', checkpointIdentifier });
    await sim.time.advance(2_000);
    expect(await client.session(session, never)).toMatchObject({ status: 'MountCompletedSuccessfully' });
    expect(await client.sessions(app.vmIdentifier, never)).toHaveLength(1);
    const page = { number: 0, size: 50 };
    const [volume] = (await client.browse(session, '', page, never)).items;
    const { items } = await client.browse(session, `${volume?.path}/etc`, page, never);
    const file = items.find(({ path }) => path.endsWith('app.conf'));
    expect(file).toMatchObject({ type: 'File', downloadable: true, sizeInBytes: 10 });
    const download = await client.openDownload(await client.download(session, [file?.path ?? ''], never), never);
    expect(await readText(download.stream)).toBe('port=8080\n');
    await client.unmount(session, never);
    await sim.time.advance(2_000);
    expect(await client.session(session, never)).toBeUndefined();
    await client.unmount(session, never);
  });
});

describe('the login of an appliance', () => {
  it('by client_credentials outlives many tokens', async () => {
    sim = await simulate();
    await sim.zvm.close();
    const { startSimulator } = await import('../../src/simulator/index.js');
    const zvm = await startSimulator({ world: sim.world, clientId: 'rewind', clientSecret: 's3' });
    const client = new ZvmClient({
      site: 'site-a',
      url: zvm.url,
      login: { grant: 'client_credentials', clientId: 'rewind', clientSecret: async () => 's3' },
      tls: { kind: 'ca', pem: zvm.certificate },
      clock: sim.clock,
    });
    for (let i = 0; i < 5; i += 1) {
      await client.localSite(never);
      await sim.time.advance(50_000);
    }
    expect(zvm.requests.filter(({ status }) => status >= 400)).toEqual([]);
    await client.close();
    await zvm.close();
  });

  it('is refused without openid, which the client always sends', async () => {
    sim = await simulate(undefined, { requireScope: true });
    await sim.client.localSite(never);
    await sim.time.advance(40_000);
    await sim.client.localSite(never);
    const logins = sim.zvm.requests.filter(({ path }) => path.startsWith('/auth'));
    expect(logins.map(({ body }) => body)).toMatchObject([{ grant_type: 'password' }, { grant_type: 'refresh_token' }]);
    expect(sim.zvm.requests.filter(({ status }) => status >= 400)).toEqual([]);
  });

  it('after a restart that voided all tokens goes on with a new one', async () => {
    sim = await simulate();
    await sim.client.localSite(never);
    sim.zvm.faults.revokeTokens();
    await sim.client.localSite(never);
    expect(sim.zvm.requests.map(({ status }) => status)).toEqual([200, 200, 401, 400, 200, 200]);
  });
});
