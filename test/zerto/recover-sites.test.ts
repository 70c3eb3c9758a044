import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Vpg } from '../../src/domain/target.js';
import { startSimulator } from '../../src/simulator/index.js';
import { ZvmInventory } from '../../src/zerto/inventory.js';
import { newMountKey } from '../../src/zerto/recover-mounts.js';
import { probe } from '../../src/zerto/recover-probe.js';
import { Recovery } from '../../src/zerto/recover-sites.js';
import { verifies } from '../e2e/requirements.js';
import { clientOf, type Lab, LIMITS, lab } from './recover-support.js';

const signal = new AbortController().signal;

function recoveryOf(it: Lab, clients = new Map([['site-a', it.client]])): Recovery {
  const log = { ...it.tools.log, info: () => undefined };
  return new Recovery({ clients, mounts: it.tools.mounts, log, now: it.tools.now, limits: LIMITS });
}

async function vpgOf(it: Lab, name: string): Promise<Vpg> {
  const vms = await new ZvmInventory([it.client]).vms(signal);
  const vpg = vms.flatMap((vm) => vm.vpgs).find((each) => each.name === name);
  if (vpg === undefined) throw new Error(`no VPG ${name}`);
  return vpg;
}

async function twoSites(): Promise<Lab> {
  return lab({
    world: {
      sites: [{ name: 'site-a' }, { name: 'site-b' }],
      vpgs: [
        { name: 'local', vms: ['app01'] },
        { name: 'remote', vms: ['app01'], protectedSite: 'site-a', recoverySite: 'site-b' },
      ],
    },
  });
}

describe(`${verifies('N-3')} the recovery site`, () => {
  it('is where files are recovered, and nowhere else', async () => {
    const it = await twoSites();
    it.world.write('app01', '/f', 'x');
    const [local, remote] = [await vpgOf(it, 'local'), await vpgOf(it, 'remote')];
    const one = recoveryOf(it);
    expect(await one.recoverable(local, signal)).toEqual({ kind: 'yes' });
    expect(await one.recoverable(remote, signal)).toMatchObject({
      kind: 'no',
      why: expect.stringContaining('not configured'),
    });
    expect(await one.recoverable({ ...remote, recoverySite: undefined }, signal)).toMatchObject({ kind: 'no' });
    const point = it.pin('remote');
    const asked = { ...point, vmIdentifier: it.vmId('app01'), path: '/f', maxBytes: 9 };
    expect(await one.recover({ ...asked, vpg: remote }, signal)).toMatchObject({ kind: 'refused' });

    const b = await startSimulator({ world: it.world, site: 'site-b', knobs: { mountMs: 20, unmountMs: 10 } });
    const both = recoveryOf(
      it,
      new Map([
        ['site-a', it.client],
        ['site-b', clientOf(b)],
      ]),
    );
    expect(await both.recoverable(remote, signal)).toEqual({ kind: 'yes' });
    expect(await both.recover({ ...asked, vpg: remote }, signal)).toMatchObject({ kind: 'file', size: 1 });
    expect(it.simulator.requests.some(({ method, path }) => method === 'POST' && path.endsWith('/flrs'))).toBe(false);
    expect(it.world.sessions).toEqual([]);
    await b.close();
    expect(await both.recoverable(remote, signal)).toMatchObject({
      kind: 'no',
      why: expect.stringContaining('does not answer'),
    });
  });
});

describe('the journal of a VPG', () => {
  it('lists a checkpoint, or says that it expired or is lost', async () => {
    const it = await lab({
      world: { vpgs: [{ name: 'app', vms: ['app01'], historyMinutes: 1, firstCheckpoint: 100 }] },
    });
    const vpg = await vpgOf(it, 'app');
    const point = it.pin('app');
    const recovery = recoveryOf(it);
    expect(await recovery.checkpoint(vpg, point, signal)).toMatchObject({
      kind: 'listed',
      checkpoint: { checkpointIdentifier: point.checkpointIdentifier },
    });
    expect(await recovery.checkpoint(vpg, { checkpointIdentifier: point.checkpointIdentifier }, signal)).toMatchObject({
      kind: 'listed',
    });
    const old = new Date(Date.now() - 3_600_000).toISOString();
    expect(await recovery.checkpoint(vpg, { checkpointIdentifier: '7', timestamp: old }, signal)).toEqual({
      kind: 'expired',
    });
    expect(await recovery.checkpoint(vpg, { checkpointIdentifier: '7' }, signal)).toEqual({ kind: 'expired' });
    expect(
      await recovery.checkpoint(vpg, { checkpointIdentifier: '99999', timestamp: point.timestamp }, signal),
    ).toEqual({ kind: 'lost' });
    expect(await recovery.checkpoint({ ...vpg, vpgIdentifier: 'gone' }, point, signal)).toEqual({ kind: 'lost' });
    it.world.resync('app', 60_000);
    expect(await recovery.checkpoint(vpg, point, signal)).toEqual({ kind: 'lost' });
    await expect(recovery.checkpoint({ ...vpg, site: 'nowhere' }, point, signal)).rejects.toThrow('not configured');
    await it.simulator.faults.network('down');
    await expect(recovery.checkpoint(vpg, point, signal)).rejects.toMatchObject({ code: 'ZVM_UNREACHABLE' });
  });
});

describe('sessions', () => {
  it('are listed as own, in use or foreign, and ended one by one', async () => {
    const it = await lab();
    it.world.write('app01', '/f', 'x');
    const point = it.pin('app');
    const what = { ...point, vmIdentifier: it.vmId('app01') };
    const [orphan, foreign] = [await it.client.mount(what, signal), await it.client.mount(what, signal)];
    const pid = spawnSync(process.execPath, ['-e', '']).pid;
    const { vpgIdentifier, vmIdentifier, checkpointIdentifier } = what;
    await it.tools.mounts.add({
      key: newMountKey(),
      site: 'site-a',
      vpgIdentifier,
      vmIdentifier,
      checkpointIdentifier,
      session: orphan,
      before: [],
      startedAt: new Date().toISOString(),
      pid,
    });
    const recovery = recoveryOf(it);
    const listed = await recovery.sessions(undefined, signal);
    expect(listed.map(({ session, own, inUse }) => ({ session, own, inUse }))).toEqual([
      { session: orphan, own: true, inUse: false },
      { session: foreign, own: false, inUse: false },
    ]);
    expect(await recovery.sessions('other-vm', signal)).toEqual([]);
    expect(await recovery.end(foreign, signal)).toBe(true);
    expect(await recovery.end(orphan, signal)).toBe(true);
    expect(it.world.sessions).toEqual([]);
    expect(await it.tools.mounts.list()).toEqual([]);
    expect(await recovery.end('not-there', signal)).toBe(true);
  });

  it('of a recovery that runs are in use, at most two at a time, and the first recovery ends orphans', async () => {
    const it = await lab({ knobs: { mountMs: 60 } });
    it.world.write('app01', '/f', 'x');
    const point = it.pin('app');
    const vpg = await vpgOf(it, 'app');
    const what = { ...point, vmIdentifier: it.vmId('app01') };
    const orphan = await it.client.mount(what, signal);
    const pid = spawnSync(process.execPath, ['-e', '']).pid;
    await it.tools.mounts.add({
      key: newMountKey(),
      site: 'site-a',
      ...what,
      session: orphan,
      before: [],
      startedAt: new Date().toISOString(),
      pid,
    });
    const recovery = recoveryOf(it);
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, it.world.sessions.filter(({ flrSessionIdentifier: id }) => id !== orphan).length);
    }, 3);
    const all = Promise.all(
      [1, 2, 3, 4, 5].map(() => recovery.recover({ ...what, vpg, path: '/f', maxBytes: 9 }, signal)),
    );
    await expect
      .poll(async () => (await recovery.sessions(undefined, signal)).filter(({ inUse }) => inUse).length)
      .toBeGreaterThan(0);
    for (const result of await all) expect(result.kind).toBe('file');
    clearInterval(watch);
    await recovery.close();
    expect(most).toBe(2);
    expect(it.world.sessions).toEqual([]);
    expect(await it.tools.mounts.list()).toEqual([]);
  });

  it('a call that was cancelled while it waited for its turn mounts nothing and gives the turn on', async () => {
    const it = await lab({ knobs: { mountMs: 300 } });
    it.world.write('app01', '/f', 'x');
    const point = it.pin('app');
    const vpg = await vpgOf(it, 'app');
    const recovery = recoveryOf(it);
    const run = (own: AbortSignal) =>
      recovery.recover({ ...point, vmIdentifier: it.vmId('app01'), vpg, path: '/f', maxBytes: 9 }, own);
    const controller = new AbortController();
    const [first, second, third, fourth] = [run(signal), run(signal), run(controller.signal), run(signal)];
    await expect.poll(() => it.world.sessions.length).toBe(2);
    controller.abort(new Error('gone'));
    await expect(third).rejects.toThrow('gone');
    expect((await Promise.all([first, second, fourth])).map(({ kind }) => kind)).toEqual(['file', 'file', 'file']);
    const mounts = it.simulator.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/flrs'));
    expect(mounts).toHaveLength(3);
  });
});

describe('before a mount', () => {
  it('the checkpoint is looked at as the VM sees it at the recovery site', async () => {
    const it = await lab();
    const vpg = await vpgOf(it, 'app');
    const point = it.pin('app');
    const recovery = recoveryOf(it);
    const look = () => recovery.mountable(vpg, it.vmId('app01'), point, signal);
    expect(await look()).toMatchObject({
      kind: 'yes',
      checkpoint: { checkpointIdentifier: point.checkpointIdentifier },
    });
    it.world.blockFlr('app', 'The VPG is being moved');
    expect(await look()).toEqual({ kind: 'no', why: 'The VPG is being moved' });
    it.world.blockFlr('app');
    it.simulator.faults.endpoint(/pointsintime/, { kind: 'status', status: 404, message: 'unknown' });
    expect(await look()).toMatchObject({ kind: 'yes' });
    expect(await recovery.mountable({ ...vpg, recoverySite: 'x' }, it.vmId('app01'), point, signal)).toMatchObject({
      kind: 'no',
      why: expect.stringContaining('not configured'),
    });
    it.world.resync('app', 60_000);
    expect(await look()).toEqual({ kind: 'lost' });
    expect(it.simulator.requests.some(({ path }) => path.includes('/flrs'))).toBe(false);
  });

  it('a probe mounts, lists and unmounts', async () => {
    const it = await twoSites();
    it.world.write('app01', '/f', 'x');
    const vpgs = [await vpgOf(it, 'remote'), await vpgOf(it, 'local')];
    const vm = { vmIdentifier: it.vmId('app01'), vpgs };
    const recovery = recoveryOf(it);
    expect(await probe(recovery, vm, signal)).toMatchObject({ kind: 'ok', vpg: 'local', volumes: ['Volume1-Ext4'] });
    expect(it.world.sessions).toEqual([]);
    expect(await it.tools.mounts.list()).toEqual([]);
    it.world.blockFlr('local', 'no');
    expect(await probe(recovery, vm, signal)).toEqual({
      kind: 'no',
      why: expect.stringMatching(/^"remote": .*not configured.*; "local": no$/),
    });
    expect(await probe(recovery, { ...vm, vpgs: [] }, signal)).toEqual({ kind: 'no', why: 'no VPG protects it' });
  });
});
