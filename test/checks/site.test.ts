import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Check } from '../../src/checks/check.js';
import { siteChecks } from '../../src/checks/site.js';
import { openSites } from '../../src/checks/site-clients.js';
import { listChecks } from '../../src/checks/site-lists.js';
import type { ZvmSite, ZvmTls } from '../../src/config/config.js';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';

let world: World;
let simulator: Simulator;
const signal = new AbortController().signal;

beforeAll(async () => {
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: [{ name: 'app01' }, { name: 'lab01' }],
    vpgs: [{ name: 'app\u202e', vms: ['app01'] }],
  });
  simulator = await startSimulator({ world });
});
afterAll(async () => {
  await simulator.close();
  world.close();
});
beforeEach(() => {
  simulator.knobs.skewMs = 0;
});

async function look(
  parts: { tls?: ZvmTls; password?: string; url?: string; live?: boolean } = {},
): Promise<readonly Check[]> {
  const site: ZvmSite = {
    name: 'site-a',
    url: parts.url ?? simulator.url,
    auth: {
      grant: 'password',
      clientId: 'zerto-client',
      username: simulator.user,
      password: async () => parts.password ?? simulator.password,
    },
    tls: parts.tls ?? { kind: 'fingerprint', fingerprint256: simulator.fingerprint256 },
  };
  const { sites, close } = await openSites({ zvm: { kind: 'sites', sites: [site] }, stateDir: '/nonexistent' });
  try {
    const [first] = sites;
    if (first === undefined) throw new Error('no site');
    const checks = await siteChecks(first, signal);
    return parts.live === true ? [...checks, ...(await listChecks(first, signal))] : checks;
  } finally {
    await close();
  }
}

const shown = (checks: readonly Check[]) => checks.map(({ id, status }) => `${id} ${status}`);

test('a site in order', async () => {
  expect(shown(await look())).toEqual([
    'site.reach pass',
    'site.certificate pass',
    'site.login pass',
    'site.roles skip',
    'site.version pass',
    'site.clock pass',
  ]);
});

test('--live reads the lists; a VPG that takes no checkpoint is named with what to do; nothing is changed', async () => {
  const before = simulator.requests.length;
  world.setState('app\u202e', { subStatus: 'ReplicationPausedUserInitiated' });
  const checks = await look({ live: true });
  world.setState('app\u202e', { subStatus: 'None' });
  expect(shown(checks).slice(6)).toEqual(['site.vms pass', 'site.vpgs pass', 'site.vpg warn', 'site.mounts pass']);
  const blocked = checks.find(({ id }) => id === 'site.vpg');
  expect(blocked?.detail).toMatch(/^VPG "app\\u202e" takes no checkpoint now: .*Paused/);
  expect(blocked?.fix).toContain('resume');
  const methods = simulator.requests.slice(before).filter(({ path }) => !path.includes('openid-connect'));
  expect(new Set(methods.map(({ method }) => method))).toEqual(new Set(['GET']));
});

test('a self-signed certificate: the fingerprint that was found, and how to pin it', async () => {
  const checks = await look({ tls: { kind: 'verify' } });
  expect(shown(checks)).toEqual(['site.reach pass', 'site.certificate fail']);
  expect(checks[1]?.detail).toMatch(/^certificate not trusted \([A-Z_]+\): presented is SHA-256 /);
  expect(checks[1]?.detail).toContain(simulator.fingerprint256);
  expect(checks[1]?.fix).toContain('tls.fingerprint256');
});

test('another certificate than the pinned one: both fingerprints', async () => {
  const pinned = simulator.fingerprint256.replace(/^../, (two) => (two === '00' ? '11' : '00'));
  const checks = await look({ tls: { kind: 'fingerprint', fingerprint256: pinned } });
  expect(shown(checks)).toEqual(['site.reach pass', 'site.certificate fail']);
  expect(checks[1]?.detail).toContain(simulator.fingerprint256);
  expect(checks[1]?.detail).toContain(pinned);
});

test('"verify": false is warned about, with the fingerprint', async () => {
  const check = (await look({ tls: { kind: 'off' } })).find(({ id }) => id === 'site.certificate');
  expect(check).toMatchObject({ status: 'warn', detail: expect.stringContaining(simulator.fingerprint256) });
});

test('a wrong password: login fails, what stands before it is in order, the password is nowhere', async () => {
  const checks = await look({ password: 'wrong-pa55word' });
  expect(shown(checks)).toEqual(['site.reach pass', 'site.certificate pass', 'site.login fail']);
  expect(JSON.stringify(checks)).not.toContain('wrong-pa55word');
});

test('an appliance that does not answer', async () => {
  const checks = await look({ url: 'https://127.0.0.1:1' });
  expect(checks).toMatchObject([{ id: 'site.reach', status: 'fail', detail: expect.stringContaining('ECONNREFUSED') }]);
});

test('an appliance that takes connections and gives no answer: not its certificate is to blame', async () => {
  const { faults } = simulator;
  faults.endpoint(/./, { kind: 'drop' }, { times: Number.POSITIVE_INFINITY });
  const checks = await look().finally(() => faults.clear());
  expect(checks).toMatchObject([{ id: 'site.reach', status: 'fail', detail: expect.stringContaining('no request') }]);
});

test('a clock that is away', async () => {
  simulator.knobs.skewMs = -90_000;
  const clock = (await look()).find(({ id }) => id === 'site.clock');
  expect(clock).toMatchObject({ status: 'warn', detail: expect.stringMatching(/^(89|90|91) s behind/) });
});
