import { connect } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { clientOf, closeAll, setup } from './harness.js';

afterEach(closeAll);

const TOKEN = '/auth/realms/zerto/protocol/openid-connect/token';

describe('login', () => {
  test('a password gives a token that lives a minute and can be refreshed', async () => {
    const { client, clock, simulator } = await setup({}, { knobs: {} });
    const login = await client.login();
    expect(login).toMatchObject({
      status: 200,
      json: {
        expires_in: 60,
        refresh_expires_in: 1800,
        token_type: 'Bearer',
        scope: expect.stringContaining('openid'),
      },
    });
    await clock.advance(59_999);
    expect((await client.get('/v1/localsite')).status).toBe(200);
    await clock.advance(1);
    const expired = await client.get('/v1/localsite');
    expect(expired).toMatchObject({ status: 401, headers: { 'www-authenticate': expect.stringContaining('Bearer') } });
    expect(expired.bytes).toHaveLength(0);
    expect((await client.login({ grant_type: 'refresh_token', refresh_token: login.json.refresh_token })).status).toBe(
      200,
    );
    expect((await client.get('/v1/localsite')).status).toBe(200);
    await clock.advance(1_800_000);
    expect(await client.login({ grant_type: 'refresh_token', refresh_token: login.json.refresh_token })).toMatchObject({
      status: 400,
      json: { error: 'invalid_grant' },
    });
    expect(JSON.stringify(simulator.requests)).not.toContain(simulator.password);
    expect(JSON.stringify(simulator.requests)).not.toContain(login.json.refresh_token);
  });

  test.each([
    [{ password: 'wrong' }, 401, 'invalid_grant'],
    [{ username: 'nobody' }, 401, 'invalid_grant'],
    [{ client_id: 'other' }, 401, 'invalid_client'],
    [{ grant_type: 'device_code' }, 400, 'unsupported_grant_type'],
    [{ grant_type: 'client_credentials' }, 401, 'unauthorized_client'],
    [{ grant_type: 'client_credentials', client_id: 'proxy', client_secret: 'wrong' }, 401, 'invalid_client'],
  ])('%j is refused with %i %s', async (form, status, error) => {
    const { client } = await setup({}, { clientId: 'proxy', clientSecret: 's3cret' });
    const answer = await client.login(form as Record<string, string>);
    expect(answer).toMatchObject({ status, json: { error, error_description: expect.any(String) } });
  });

  test('a client with a secret logs in without a refresh token, and its name stands in tasks', async () => {
    const { client, world } = await setup({}, { clientId: 'proxy', clientSecret: 's3cret' });
    const answer = await client.login({
      grant_type: 'client_credentials',
      client_id: 'proxy',
      client_secret: 's3cret',
    });
    expect(answer.status).toBe(200);
    expect(answer.json).not.toHaveProperty('refresh_token');
    await client.post(`/v1/vpgs/${world.vpg('app').vpgIdentifier}/checkpoints`, { checkpointName: 'a' });
    expect((await client.get('/v1/tasks')).json).toMatchObject([{ InitiatedBy: 'service-account-proxy' }]);
  });

  test('only a form is read', async () => {
    const { client, simulator } = await setup();
    const body = JSON.stringify({
      grant_type: 'password',
      client_id: 'zerto-client',
      username: simulator.user,
      password: simulator.password,
    });
    expect((await client.raw('POST', TOKEN, { body, headers: { 'content-type': 'application/json' } })).status).toBe(
      400,
    );
  });

  test('a token without scope=openid is made and rejected, unless the knob is off', async () => {
    const { client, simulator } = await setup();
    expect((await client.login({ scope: '' })).status).toBe(200);
    expect((await client.get('/v1/vms')).status).toBe(401);
    simulator.knobs.requireScope = false;
    expect((await client.get('/v1/vms')).status).toBe(200);
  });

  test.each([undefined, 'Bearer', 'Bearer x.y.z', 'Basic cmV3aW5kOng='])(
    'authorization %s does not hold',
    async (authorization) => {
      const { client } = await setup();
      expect(
        (await client.raw('GET', '/v1/vms', { headers: authorization === undefined ? {} : { authorization } })).status,
      ).toBe(401);
    },
  );

  test('a refresh token is no access token', async () => {
    const { client } = await setup();
    client.token = (await client.login()).json.refresh_token;
    expect((await client.get('/v1/vms')).status).toBe(401);
  });

  test('the legacy session and other realms are not there', async () => {
    const { client } = await setup();
    expect((await client.post('/v1/session/add', { AuthenticationMethod: 1 })).status).toBe(404);
    expect((await client.raw('POST', TOKEN.replace('zerto', 'master'), { body: '' })).status).toBe(404);
  });

  test.each([401, 403] as const)('a role that may not tag gets %i', async (deniedStatus) => {
    const { client, world } = await setup({}, { knobs: { denied: ['checkpoint', 'flr'], deniedStatus } });
    const vpg = world.vpg('app');
    expect((await client.post(`/v1/vpgs/${vpg.vpgIdentifier}/checkpoints`, { checkpointName: 'a' })).status).toBe(
      deniedStatus,
    );
    const jflr = {
      vpgIdentifier: vpg.vpgIdentifier,
      vmIdentifier: world.vm('app01').vmIdentifier,
      checkpointIdentifier: String(vpg.journal[0]?.id),
    };
    expect((await client.post('/v1/flrs', { jflr })).status).toBe(deniedStatus);
    expect((await client.get('/v1/vms')).status).toBe(200);
  });
});

describe('TLS', () => {
  test('a certificate of its own for the loopback names, whose subject says that it is simulated', async () => {
    const { simulator } = await setup();
    const other = await setup();
    expect(other.simulator.fingerprint256).not.toBe(simulator.fingerprint256);
    const { port } = new URL(simulator.url);
    const peer = await new Promise<{ fingerprint256: string; subject: { CN: string } }>((resolve, reject) => {
      const socket = connect(
        { port: Number(port), host: '127.0.0.1', ca: simulator.certificate, servername: 'localhost' },
        () => {
          const certificate = socket.getPeerCertificate();
          socket.destroy();
          resolve(certificate as never);
        },
      );
      socket.once('error', reject);
    });
    expect(peer.fingerprint256).toBe(simulator.fingerprint256);
    expect(peer.subject.CN).toBe('simulated ZVM prod');
  });

  test('a client that trusts another certificate does not connect', async () => {
    const { simulator } = await setup();
    const other = await setup();
    const client = clientOf({ ...simulator, certificate: other.simulator.certificate });
    await expect(client.get('/v1/vms')).rejects.toThrow(/certificate|signature/i);
    await client.close();
  });
});
