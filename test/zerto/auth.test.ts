import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ZvmClient, ZvmClientOptions } from '../../src/zerto/client.js';
import { clientOf, type FakeZvm, fakeZvm, type Got, json, LOGIN, manualClock, never } from './fake-zvm.js';

const TOKEN = 'POST /auth/realms/zerto/protocol/openid-connect/token';
let zvm: FakeZvm;
let client: ZvmClient;
let clock: ReturnType<typeof manualClock>;

beforeEach(async () => {
  zvm = await fakeZvm();
  clock = manualClock();
  zvm.routes.set('GET /v1/localsite', { SiteIdentifier: 'guid-a', SiteName: 'A' });
});
afterEach(async () => {
  await client.close();
  await zvm.close();
});

function start(options: Partial<ZvmClientOptions> = {}): void {
  client = clientOf(zvm, { clock, ...options });
}

function forms(): URLSearchParams[] {
  return zvm.got.filter((got) => got.url.startsWith('/auth')).map((got) => new URLSearchParams(got.body));
}

/** Answers logins with these members on top of a plain token, one set per login, the last one for good. */
function tokens(...sets: Record<string, unknown>[]): void {
  let count = 0;
  zvm.routes.set(TOKEN, (_got: Got, response: ServerResponse) => {
    const set = sets[Math.min(count, sets.length - 1)];
    count += 1;
    json(response, 200, { access_token: `token-${count}`, expires_in: 60, ...set });
  });
}

/** Accepts only these bearers. */
function accept(...bearers: string[]): void {
  zvm.routes.set('GET /v1/localsite', (got: Got, response: ServerResponse) => {
    const ok = bearers.some((bearer) => got.headers.authorization === `Bearer ${bearer}`);
    if (ok) json(response, 200, { SiteIdentifier: 'guid-a' });
    else response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
  });
}

describe('login at a ZVM', () => {
  it('sends the password grant as a form with scope openid', async () => {
    start();
    await client.localSite(never);
    expect(zvm.got[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(forms()[0] ?? [])).toEqual({
      grant_type: 'password',
      client_id: 'zerto-client',
      username: 'rewind',
      password: 's3cret&=+',
      scope: 'openid',
    });
    expect(zvm.got[1]?.headers.authorization).toBe('Bearer token-1');
  });

  it('sends client_credentials with the secret', async () => {
    start({ login: { grant: 'client_credentials', clientId: 'rewind', clientSecret: async () => 'topsecret' } });
    await client.localSite(never);
    expect(Object.fromEntries(forms()[0] ?? [])).toEqual({
      grant_type: 'client_credentials',
      client_id: 'rewind',
      client_secret: 'topsecret',
      scope: 'openid',
    });
  });

  it('renews at half of the lifetime, not before', async () => {
    start();
    await client.localSite(never);
    clock.pass(29_999);
    await client.localSite(never);
    expect(forms()).toHaveLength(1);
    clock.pass(1);
    await client.localSite(never);
    expect(forms()).toHaveLength(2);
  });

  it('uses the refresh token, and logs in where it is refused or over', async () => {
    tokens({ refresh_token: 'r1', refresh_expires_in: 100 });
    start();
    await client.localSite(never);
    clock.pass(40_000);
    await client.localSite(never);
    expect(forms()[1]?.get('grant_type')).toBe('refresh_token');
    expect(forms()[1]?.get('refresh_token')).toBe('r1');
    clock.pass(100_000);
    await client.localSite(never);
    expect(forms()[2]?.get('grant_type')).toBe('password');
    zvm.routes.set(TOKEN, (got: Got, response: ServerResponse) => {
      const refresh = got.body.includes('grant_type=refresh_token');
      json(response, refresh ? 400 : 200, refresh ? { error: 'invalid_grant' } : { access_token: 'fresh' });
    });
    clock.pass(40_000);
    await client.localSite(never);
    expect(
      forms()
        .slice(3)
        .map((form) => form.get('grant_type')),
    ).toEqual(['refresh_token', 'password']);
  });

  it('logs in once for many calls at a time', async () => {
    start();
    await Promise.all(Array.from({ length: 20 }, () => client.localSite(never)));
    expect(forms()).toHaveLength(1);
    expect(zvm.got).toHaveLength(21);
  });

  it('fetches one new token for many 401s, and repeats each call once', async () => {
    accept('token-2');
    start();
    await Promise.all(Array.from({ length: 5 }, () => client.localSite(never)));
    expect(forms()).toHaveLength(2);
    expect(zvm.got.filter((got) => got.url === '/v1/localsite')).toHaveLength(10);
  });

  it('gives up after the second 401', async () => {
    accept('nobody');
    start();
    await expect(client.localSite(never)).rejects.toMatchObject({ code: 'ZVM_REJECTED', details: { status: 401 } });
    expect(zvm.got.filter((got) => got.url === '/v1/localsite')).toHaveLength(2);
    expect(forms()).toHaveLength(2);
  });

  it('tells a refused login in the words of the appliance, without the secret', async () => {
    zvm.routes.set(TOKEN, (_got: Got, response: ServerResponse) =>
      json(response, 401, { error: 'invalid_grant', error_description: 'Invalid user\u202e credentials' }),
    );
    start();
    const error = await client.localSite(never).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'ZVM_REJECTED', details: { status: 401 } });
    expect(String(error)).toContain('"Invalid user\\u202e credentials"');
    expect(JSON.stringify([error, { ...(error as object) }, String(error)])).not.toContain('s3cret');
    expect(zvm.got.some((got) => got.url === '/v1/localsite')).toBe(false);
  });

  it('does not try a refused password again before a time that grows, and says so', async () => {
    let password = 'wrong';
    zvm.routes.set(TOKEN, (got: Got, response: ServerResponse) => {
      const right = new URLSearchParams(got.body).get('password') === 'right';
      json(response, right ? 200 : 401, right ? { access_token: 'good' } : { error: 'invalid_grant' });
    });
    start({ login: { ...LOGIN, grant: 'password', username: 'rewind', password: async () => password } });
    const refused = async () => String(await client.localSite(never).catch((caught: unknown) => caught));
    expect(await refused()).toMatch(/401.*not tried again for 30 s.*not locked/);
    for (let call = 0; call < 20; call += 1) expect(await refused()).toContain('not tried again for 30 s');
    expect(forms()).toHaveLength(1);
    clock.pass(30_000);
    expect(await refused()).toContain('not tried again for 60 s');
    clock.pass(59_999);
    await refused();
    expect(forms()).toHaveLength(2);
    for (let hour = 0; hour < 8; hour += 1) {
      clock.pass(3_600_000);
      await refused();
    }
    expect(await refused()).toContain('not tried again for 900 s');
    expect(forms()).toHaveLength(10);
    // A corrected password is tried at once.
    password = 'right';
    await expect(client.localSite(never)).resolves.toMatchObject({ siteIdentifier: 'guid-a' });
    expect(forms()).toHaveLength(11);
  });

  it('tries a login again at once that failed for another reason', async () => {
    zvm.routes.set(TOKEN, (_got: Got, response: ServerResponse) => json(response, 503, {}));
    start();
    for (let call = 0; call < 3; call += 1) await expect(client.localSite(never)).rejects.toThrow('503');
    expect(forms()).toHaveLength(3);
  });

  it('keeps a token that still holds when the early renewal fails', async () => {
    start();
    await client.localSite(never);
    zvm.routes.set(TOKEN, (_got: Got, response: ServerResponse) => json(response, 503, {}));
    clock.pass(45_000);
    await client.localSite(never);
    clock.pass(15_000);
    await expect(client.localSite(never)).rejects.toMatchObject({ code: 'ZVM_REJECTED', details: { status: 503 } });
  });

  it.each([
    ['no token', {}],
    ['an empty token', { access_token: '' }],
    ['a list', []],
  ])('rejects a login answer with %s', async (_name, answer) => {
    zvm.routes.set(TOKEN, answer);
    start();
    await expect(client.localSite(never)).rejects.toMatchObject({ code: 'ZVM_REJECTED' });
  });

  it('rejects an empty secret before anything is sent', async () => {
    start({ login: { ...LOGIN, grant: 'password', username: 'rewind', password: async () => '' } });
    await expect(client.localSite(never)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect(zvm.got).toHaveLength(0);
  });

  it('lets one caller leave without ending the login of the others', async () => {
    zvm.routes.set(TOKEN, (_got: Got, response: ServerResponse) => {
      setTimeout(() => json(response, 200, { access_token: 'late', expires_in: 60 }), 50);
    });
    start();
    const leaving = new AbortController();
    const first = client.localSite(leaving.signal);
    const second = client.localSite(never);
    leaving.abort(new Error('left'));
    await expect(first).rejects.toThrow('left');
    await expect(second).resolves.toMatchObject({ siteIdentifier: 'guid-a' });
    expect(forms()).toHaveLength(1);
  });
});
