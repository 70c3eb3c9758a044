import { afterEach, describe, expect, test } from 'vitest';
import { closeAll, mounted, setup } from './harness.js';

afterEach(closeAll);

async function tagging() {
  const at = await setup();
  const path = `/v1/vpgs/${at.world.vpg('app').vpgIdentifier}/checkpoints`;
  return {
    ...at,
    path,
    insert: (checkpointName = 'tag-0123456789') => at.client.post(path, { checkpointName }),
    tags: async () => (await at.client.get(path)).json.map((row: { Tag: string | null }) => row.Tag).filter(Boolean),
  };
}

describe('insert', () => {
  test('refused once, for one VPG of several', async () => {
    const { client, world, insert, simulator } = await tagging();
    simulator.faults.insert({ kind: 'refuse', status: 500, message: 'Valid License is not provided' }, { vpg: 'db-b' });
    const other = (vpg: string) =>
      client.post(`/v1/vpgs/${world.vpg(vpg).vpgIdentifier}/checkpoints`, { checkpointName: 'a' });
    expect((await insert()).status).toBe(200);
    expect((await other('db-a')).status).toBe(200);
    expect(await other('db-b')).toMatchObject({ status: 500, json: { Message: 'Valid License is not provided' } });
    expect((await other('db-b')).status).toBe(200);
  });

  test('the task fails with a reason', async () => {
    const { client, clock, insert, simulator, tags } = await tagging();
    simulator.faults.insert({ kind: 'task_failed', reason: 'VRA is down' });
    const task = (await insert()).json;
    await clock.advance(10_000);
    expect((await client.get(`/v1/tasks/${task}`)).json).toMatchObject({
      Status: { State: 4 },
      CompleteReason: 'VRA is down',
    });
    expect((await client.get('/v1/events?eventType=12')).json).toMatchObject([{ EventCompletedSuccessfully: false }]);
    expect(await tags()).toEqual([]);
  });

  test('complete, but never listed', async () => {
    const { client, clock, insert, simulator, tags } = await tagging();
    simulator.faults.insert({ kind: 'never_listed' }, { times: Number.POSITIVE_INFINITY });
    const task = (await insert()).json;
    await insert();
    await clock.advance(600_000);
    expect((await client.get(`/v1/tasks/${task}`)).json.Status.State).toBe(6);
    expect(await tags()).toEqual([]);
    simulator.faults.clear();
    await insert('later');
    await clock.advance(5_000);
    expect(await tags()).toEqual(['later']);
  });

  test('listed with a truncated tag; slow', async () => {
    const { clock, insert, simulator, tags } = await tagging();
    simulator.faults.insert({ kind: 'truncate', length: 6 });
    simulator.faults.insert({ kind: 'slow', ms: 20_000 });
    await insert();
    await insert('slow');
    await clock.advance(4_000);
    expect(await tags()).toEqual(['tag-01']);
    await clock.advance(19_999);
    expect(await tags()).toEqual(['tag-01']);
    await clock.advance(1);
    expect(await tags()).toEqual(['tag-01', 'slow']);
  });

  test('the answer is lost, the tag is not', async () => {
    const { clock, insert, simulator, tags } = await tagging();
    simulator.faults.insert({ kind: 'drop_answer' });
    await expect(insert()).rejects.toThrow();
    await clock.advance(5_000);
    expect(await tags()).toEqual(['tag-0123456789']);
    expect(simulator.requests.filter(({ method }) => method === 'POST')).toMatchObject([
      { status: 200 },
      { status: 0, body: { checkpointName: 'tag-0123456789' } },
    ]);
  });
});

describe('endpoints', () => {
  test('a 500 once, a text that is no JSON, an empty 503', async () => {
    const { client, simulator } = await setup();
    simulator.faults.endpoint(/^get \/v1\/vms$/, { kind: 'status', status: 500, message: 'boom' });
    simulator.faults.endpoint(/localsite/, { kind: 'body', text: '<html>', contentType: 'text/html' });
    simulator.faults.endpoint(/license/, { kind: 'status', status: 503 });
    expect(await client.get('/v1/VMS')).toMatchObject({ status: 500, json: { Message: 'boom' } });
    expect((await client.get('/v1/vms')).status).toBe(200);
    expect((await client.get('/v1/localsite')).bytes.toString()).toBe('<html>');
    expect(await client.get('/v1/license')).toMatchObject({ status: 503, headers: { 'content-length': '0' } });
  });

  test('a 401 in the middle of a poll: once, and for good', async () => {
    const { client, simulator } = await tagging();
    simulator.faults.endpoint(/checkpoints$/, { kind: 'unauthorized' }, { after: 1 });
    const poll = async () =>
      (await client.get(`/v1/vpgs/${simulator.world.vpg('app').vpgIdentifier}/checkpoints`)).status;
    expect([await poll(), await poll(), await poll()]).toEqual([200, 401, 200]);
    simulator.faults.endpoint(/checkpoints$/, { kind: 'unauthorized' }, { times: Number.POSITIVE_INFINITY });
    await client.login();
    expect([await poll(), await poll()]).toEqual([401, 401]);
  });

  test('revoked tokens: a new login helps', async () => {
    const { client, simulator } = await setup();
    simulator.faults.revokeTokens();
    expect((await client.get('/v1/vms')).status).toBe(401);
    await client.login();
    expect((await client.get('/v1/vms')).status).toBe(200);
  });

  test("a slow answer waits on the world's clock; a dropped one does nothing", async () => {
    const { client, clock, simulator } = await setup();
    simulator.faults.endpoint(/vms$/, { kind: 'slow', ms: 20_000 });
    let answered = false;
    const answer = client.get('/v1/vms').then((reply) => {
      answered = true;
      return reply;
    });
    await expect.poll(() => simulator.requests.length).toBe(2);
    expect(answered).toBe(false);
    expect((await clock.drive(answer)).status).toBe(200);
    expect(clock.now() - (simulator.requests[1]?.at ?? 0)).toBeGreaterThanOrEqual(20_000);
    simulator.faults.endpoint(/checkpoints/, { kind: 'drop' });
    const vpg = simulator.world.vpg('app');
    await expect(client.post(`/v1/vpgs/${vpg.vpgIdentifier}/checkpoints`, { checkpointName: 'a' })).rejects.toThrow();
    expect(simulator.world.tasks).toEqual([]);
  });

  test('the network is down, and up again on the same port', async () => {
    const { client, simulator } = await setup();
    await simulator.faults.network('down');
    await expect(client.get('/v1/vms')).rejects.toThrow(/ECONNREFUSED|closed/);
    await simulator.faults.network('up');
    expect((await client.get('/v1/vms')).status).toBe(200);
  });
});

describe('recovery', () => {
  async function recovering() {
    const at = await setup();
    at.world.write('app01', '/a', 'content of a');
    at.world.write('app01', '/b', 'content of b');
    await at.clock.advance(5_000);
    const checkpoint = String(at.world.vpg('app').journal.at(-1)?.id);
    return { ...at, checkpoint };
  }

  test('mount refused, failed, hanging, lost', async () => {
    const at = await recovering();
    const { faults } = at.simulator;
    const jflr = {
      vpgIdentifier: at.world.vpg('app').vpgIdentifier,
      vmIdentifier: at.world.vm('app01').vmIdentifier,
      checkpointIdentifier: at.checkpoint,
    };
    faults.mount({ kind: 'refuse', status: 500, message: 'no' });
    expect((await at.client.post('/v1/flrs', { jflr })).status).toBe(500);
    faults.mount({ kind: 'fail' }, { vm: 'app01' });
    faults.mount({ kind: 'hang' });
    const failed = await mounted(at, 'app01', 'app', at.checkpoint);
    const hanging = await mounted(at, 'app01', 'app', at.checkpoint);
    await at.clock.advance(600_000);
    expect((await at.client.get(`/v1/flrs/${failed}`)).json.FlrSessionStatus).toBe('MountFailed');
    expect((await at.client.get(`/v1/flrs/${hanging}`)).json.FlrSessionStatus).toBe('MountInProgress');
    faults.mount({ kind: 'drop_answer' });
    await expect(at.client.post('/v1/flrs', { jflr })).rejects.toThrow();
    expect((await at.client.get('/v1/flrs')).json).toHaveLength(3);
  });

  test('a browse answer that is not whole', async () => {
    const at = await recovering();
    const session = await mounted(at, 'app01', 'app', at.checkpoint);
    at.simulator.faults.browse({ kind: 'partial', items: 1 });
    expect((await at.client.post(`/v1/flrs/${session}/browse`, { path: 'Volume1-Ext4' })).json.PathItems).toHaveLength(
      1,
    );
    expect((await at.client.post(`/v1/flrs/${session}/browse`, { path: 'Volume1-Ext4' })).json.PathItems).toHaveLength(
      2,
    );
  });

  test('downloads that are cut, short, wrong, zipped or elsewhere', async () => {
    const at = await recovering();
    const session = await mounted(at, 'app01', 'app', at.checkpoint);
    const { faults } = at.simulator;
    const link = async () =>
      (await at.client.post(`/v1/flrs/${session}/download`, { pathList: ['Volume1-Ext4/a'] })).json;
    faults.download({ kind: 'cut', bytes: 4 });
    await expect(at.client.get(`/${await link()}`)).rejects.toThrow();
    faults.download({ kind: 'short', bytes: 4 });
    expect((await at.client.get(`/${await link()}`)).bytes.toString()).toBe('cont');
    faults.download({ kind: 'wrong_content' });
    expect((await at.client.get(`/${await link()}`)).bytes.toString()).toBe('XXXXXXXXXXXX');
    faults.download({ kind: 'zip' });
    expect((await at.client.get(`/${await link()}`)).bytes.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
    faults.download({ kind: 'url', url: 'https://elsewhere.example/v1/downloads/x' });
    expect(await link()).toBe('https://elsewhere.example/v1/downloads/x');
    expect((await at.client.get(`/${await link()}`)).bytes.toString()).toBe('content of a');
    await expect.poll(() => at.world.sessions[0]?.runningTasks).toBe(0);
  });

  test('unmount refused, then hanging', async () => {
    const at = await recovering();
    const session = await mounted(at, 'app01', 'app', at.checkpoint);
    at.simulator.faults.unmount({ kind: 'refuse', status: 500, message: 'busy' });
    at.simulator.faults.unmount({ kind: 'hang' });
    expect((await at.client.del(`/v1/flrs/${session}`)).status).toBe(500);
    expect((await at.client.get(`/v1/flrs/${session}`)).json.FlrSessionStatus).toBe('MountCompletedSuccessfully');
    expect((await at.client.del(`/v1/flrs/${session}`)).status).toBe(200);
    await at.clock.advance(600_000);
    expect((await at.client.get(`/v1/flrs/${session}`)).json.FlrSessionStatus).toBe('UnmountInProgress');
  });
});
