import { afterEach, describe, expect, test } from 'vitest';
import { fc } from '../support/property.js';
import { closeAll, START, setup } from './harness.js';

afterEach(closeAll);

describe('tasks and events', () => {
  test('filters, relations, unknown ones', async () => {
    const { client, world, clock } = await setup();
    const task = world.tag('app', 'by hand', 'alice');
    await client.post(`/v1/vpgs/${world.vpg('db-a').vpgIdentifier}/checkpoints`, { checkpointName: 'by proxy' });
    const count = async (query: string) => (await client.get(`/v1/tasks?${query}`)).json.length;
    expect(await count('status=InProgress')).toBe(2);
    expect((await client.get('/v1/events')).json).toEqual([]);
    await clock.advance(2_000);
    expect(await count('status=6&type=insertTAGGEDcp')).toBe(2);
    expect(await count('type=FailOverTest')).toBe(0);
    expect(await count(`startedAfterDate=${START + 1}`)).toBe(0);
    expect(
      await count(`completedAfterDate=${new Date(START + 2_000).toISOString()}&completedBeforeDate=${START + 2_000}`),
    ).toBe(2);
    expect(await count(`completedBeforeDate=${START}`)).toBe(0);
    expect((await client.get(`/v1/tasks/${task.taskIdentifier}`)).json).toMatchObject({
      Type: 'InsertTaggedCP',
      InitiatedBy: 'alice',
      CompleteReason: '',
      RelatedEntities: { Vpgs: [{ identifier: world.vpg('app').vpgIdentifier }] },
    });
    expect((await client.get('/v1/tasks/none')).status).toBe(404);
    expect((await client.get('/v1/events?userName=ALICE&eventType=InsertTaggedCP')).json).toMatchObject([
      {
        EventType: 12,
        UserName: 'alice',
        Description: expect.stringContaining('by hand'),
        OccurredOn: new Date(START + 2_000).toISOString(),
      },
    ]);
    const [event] = (await client.get(`/v1/events?vpgIdentifier=${world.vpg('db-a').vpgIdentifier}`)).json;
    expect((await client.get(`/v1/events/${event.EventIdentifier}`)).json.Description).toContain('by proxy');
    expect((await client.get(`/v1/events?endDate=${START}`)).json).toEqual([]);
  });
});

describe('forms of the wire', () => {
  test('camel case and /Date(ms)/', async () => {
    const { client, world, simulator } = await setup();
    simulator.knobs.casing = 'camel';
    simulator.knobs.dates = 'msdate';
    const row = (await client.get('/v1/vms?vmName=app01')).json[0];
    expect(row).toMatchObject({
      vmIdentifier: world.vm('app01').vmIdentifier,
      ioPs: 0,
      actualRPO: 0,
      protectedSite: { identifier: expect.any(String) },
      outgoingBandWidthInMbps: 0,
    });
    expect(
      (await client.get(`/v1/vpgs/${world.vpg('app').vpgIdentifier}/checkpoints/stats`)).json.latest.timeStamp,
    ).toBe(`/Date(${START})/`);
  });

  test('paths in any case, with a last slash; wrong methods and paths', async () => {
    const { client, world } = await setup();
    expect((await client.get(`/V1/Vpgs/${world.vpg('app').vpgIdentifier.toUpperCase()}/Checkpoints/`)).status).toBe(
      200,
    );
    expect((await client.post('/v1/localsite')).status).toBe(405);
    expect((await client.get('/v1/none')).status).toBe(404);
    expect((await client.get('/none')).status).toBe(404);
    expect(
      (await client.raw('POST', '/v1/flrs', { body: '{', headers: { authorization: `Bearer ${client.token}` } }))
        .status,
    ).toBe(400);
  });

  test('requests are logged in order of arrival', async () => {
    const { client, simulator, clock } = await setup();
    await client.get('/v1/vms?vmName=a');
    await clock.advance(5);
    await client.post('/v1/flrs', { jflr: null });
    expect(simulator.requests.slice(1)).toEqual([
      { at: START, method: 'GET', path: '/v1/vms?vmName=a', status: 200 },
      { at: START + 5, method: 'POST', path: '/v1/flrs', status: 400, body: { jflr: null } },
    ]);
    expect(simulator.requests[0]?.body).toEqual({ grant_type: 'password', client_id: 'zerto-client', scope: 'openid' });
  });
});

test('no request body makes it fail inside', async () => {
  const { client, world, clock } = await setup();
  const { vpgIdentifier, journal } = world.vpg('app');
  const jflr = {
    vpgIdentifier,
    vmIdentifier: world.vm('app01').vmIdentifier,
    checkpointIdentifier: String(journal[0]?.id),
  };
  const session = (await client.post('/v1/flrs', { jflr })).json;
  await clock.advance(1_000);
  const paths = [
    `/v1/vpgs/${vpgIdentifier}/checkpoints`,
    '/v1/flrs',
    `/v1/flrs/${session}/browse`,
    `/v1/flrs/${session}/download`,
  ];
  const keys = fc.constantFrom(
    'jflr',
    'checkpointName',
    'path',
    'pathList',
    'pageNumber',
    'pageSize',
    'vmIdentifier',
    'vpgIdentifier',
    '__proto__',
  );
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('Volume1-Ext4', '..', '\\\\', '/'));
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      text,
      fc.double(),
      fc.constant(null),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(keys, tie('any'), { maxKeys: 4 }),
    ),
  })).any;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), value, async (path, body) => {
      expect((await client.post(path, body)).status).toBeLessThan(500);
    }),
    { numRuns: 300 },
  );
});
