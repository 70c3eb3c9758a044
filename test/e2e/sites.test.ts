import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Finding } from '../../src/reconcile/finding.js';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { type ProxyProcess, receiptOf, sitesOf, startProxy, textOf } from '../support/proxy-process.js';
import { runBin } from '../support/raw-proxy.js';
import { verifies } from './requirements.js';

const TIMINGS = { gapMs: 2_000, completedMs: 100, stampMs: 50, listedMs: 200 };
let world: World;
let prod: Simulator;
let dr: Simulator;
let hvm: Simulator;
let proxy: ProxyProcess;

beforeAll(async () => {
  world = createWorld({
    sites: [{ name: 'prod' }, { name: 'dr' }, { name: 'hvm', type: 'HVM' }, { name: 'third' }],
    vms: [
      { name: 'app01', site: 'prod' },
      { name: 'db01', site: 'prod' },
      { name: 'dr01', site: 'dr' },
      { name: 'moving', site: 'prod' },
      { name: 'hvm01', site: 'hvm' },
      { name: 'twin', key: 'twin-1', site: 'prod' },
      { name: 'twin', key: 'twin-2', site: 'prod' },
    ],
    vpgs: [
      { name: 'app', vms: ['app01'], protectedSite: 'prod', recoverySite: 'dr', timings: TIMINGS },
      { name: 'db-dr', vms: ['db01'], protectedSite: 'prod', recoverySite: 'dr', timings: TIMINGS },
      { name: 'db-third', vms: ['db01'], protectedSite: 'prod', recoverySite: 'third', timings: TIMINGS },
      { name: 'dr-local', vms: ['dr01'], protectedSite: 'dr', timings: TIMINGS },
      { name: 'moving', vms: ['moving'], protectedSite: 'prod', recoverySite: 'dr', timings: TIMINGS },
      { name: 'hvm', vms: ['hvm01'], protectedSite: 'hvm', timings: TIMINGS },
      { name: 'twin-1', vms: ['twin-1'], protectedSite: 'prod', organization: 'tenant-1', timings: TIMINGS },
      { name: 'twin-2', vms: ['twin-2'], protectedSite: 'prod', organization: 'tenant-2', timings: TIMINGS },
    ],
  });
  prod = await startSimulator({ world, site: 'prod' });
  dr = await startSimulator({ world, site: 'dr' });
  hvm = await startSimulator({ world, site: 'hvm' });
  proxy = await startProxy({
    config: {
      zvm: sitesOf(['prod', prod], ['dr', dr], ['hvm', hvm]),
      policy: { unknown: 'refuse', unresolved: 'refuse', unprotected: 'refuse' },
      guard: { timeoutSeconds: 30, holdSeconds: 0 },
    },
  });
});
afterAll(async () => {
  await proxy.close();
  for (const zvm of [prod, dr, hvm]) await zvm.close();
  world.close();
});

const touch = (host: string) => proxy.call('ssh_execute', { host, command: `touch /srv/${host}` });
const inserts = (zvm: Simulator) =>
  zvm.requests.filter(({ method, path }) => method === 'POST' && /checkpoints$/i.test(path)).length;

test(`${verifies('R-1', 'G-1')} a VM in VPGs to two sites is pinned on both where it is protected, each once`, async () => {
  const before = [inserts(prod), inserts(dr)];
  const result = await touch('db01');
  const vpgs = receiptOf(result)?.vms[0]?.vpgs ?? [];
  expect(vpgs.map(({ name, site }) => `${name}@${site}`).sort()).toEqual(['db-dr@prod', 'db-third@prod']);
  expect([inserts(prod), inserts(dr)]).toEqual([(before[0] ?? 0) + 2, before[1]]);
});

test(`${verifies('G-5')} while one site is down, VMs of the other go on, and a host that may be there is no unknown host`, async () => {
  await dr.faults.network('down');
  try {
    expect(textOf(await touch('app01'))).toBe('ran touch /srv/app01');
    for (const host of ['dr01', 'nowhere']) {
      const text = textOf(await touch(host));
      expect(text).toMatch(new RegExp(`^ZVM_UNREACHABLE: .*"${host}".*site "dr".*not sent`, 's'));
      expect(text).not.toMatch(/unresolved|no VM/);
    }
  } finally {
    await dr.faults.network('up');
  }
  expect(textOf(await touch('dr01'))).toBe('ran touch /srv/dr01');
  expect(textOf(await touch('nowhere'))).toMatch(/^TARGET_UNRESOLVED: /);
});

test(`${verifies('R-1')} VMs of one name in two organisations stop the call, and both are named`, async () => {
  expect(textOf(await touch('twin'))).toMatch(/^TARGET_UNRESOLVED: .*tenant-1.*tenant-2.*not sent/s);
});

test(`${verifies('G-8')} a VM on HVM is refused with the reason`, async () => {
  const text = textOf(await touch('hvm01'));
  expect(text).toMatch(/^CHECKPOINT_NOT_PINNED: .*"HVM".*no checkpoint can be pinned.*not sent/s);
  expect(inserts(hvm)).toBe(0);
});

test(`${verifies('R-1')} a VM that was failed over is pinned where it is now; by its old identifier the call is told where that is`, async () => {
  const old = world.vm('moving').vmIdentifier;
  expect(receiptOf(await touch('moving'))?.vms[0]?.vpgs[0]?.site).toBe('prod');
  world.failover('moving', 500);
  expect(textOf(await touch('moving'))).toMatch(/CHECKPOINT_NOT_PINNED.*"moving" at site "dr".*DeltaSync/s);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(receiptOf(await touch('moving'))?.vms[0]?.vpgs[0]?.site).toBe('dr');
  const text = textOf(await touch(old));
  expect(text).toMatch(/^TARGET_UNRESOLVED: .*failed over or moved.*"moving \(.*site dr.*not sent/s);
  expect(text).not.toMatch(/no VM|not found/);
});

test(`${verifies('A-5')} audit reconcile: what the proxy left on both sites is what its log says; what others did in its name is not`, async () => {
  const env = { XDG_STATE_HOME: proxy.scratch };
  const config = join(proxy.scratch, 'config.json');
  const run = (...args: string[]) =>
    runBin(['--config', config, '--log-level', 'error', 'audit', 'reconcile', ...args], env);
  const told = await run('--json');
  const { ok, findings, gaps } = JSON.parse(told.stdout) as { ok: boolean; findings: Finding[]; gaps: unknown[] };
  expect({ ok, gaps, differ: findings.filter(({ status }) => !['confirmed', 'expired'].includes(status)) }).toEqual({
    ok: true,
    gaps: [],
    differ: [],
  });
  expect(findings.length).toBeGreaterThan(4);
  expect(told.code).toBe(0);
  world.tag('app', 'ai:agent | ssh run | vm=app01 | change=c_1 | 2026-11-30T00:00:03.000Z', 'elsewhere\u001b[31m');
  await vi.waitFor(() =>
    expect(
      world
        .vpg('app')
        .journal.some(({ tag }) => tag?.includes('change=c_1 '))
        .valueOf(),
    ).toBe(true),
  );
  const text = await run();
  expect(text.code).toBe(1);
  expect(text.stdout).toMatch(/\nEXTRA {2}tag "ai:agent .*\n.*VPG "app" at "prod".* by "elsewhere\\u001b\[31m"\n/);
});
