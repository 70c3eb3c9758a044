import { afterEach, describe, expect, it } from 'vitest';
import type { Vm } from '../../src/domain/target.js';
import type { WorldOptions } from '../../src/simulator/index.js';
import { describeVm, findVm } from '../../src/targets/find-vm.js';
import { ZvmInventory } from '../../src/zerto/inventory.js';
import { mergeViews, type SiteView } from '../../src/zerto/merge-views.js';
import { Moves } from '../../src/zerto/moves.js';
import type { VmRow } from '../../src/zerto/shapes.js';
import { never } from './fake-zvm.js';
import { type Simulated, simulate } from './simulated.js';

let sim: Simulated | undefined;
afterEach(async () => {
  await sim?.close();
  sim = undefined;
});

const TWO_SITES: WorldOptions = {
  sites: [{ name: 'prod' }, { name: 'dr' }, { name: 'cloud', type: 'Azure' }],
  vms: [
    { name: 'app01', site: 'prod', addresses: ['10.0.0.5'] },
    { name: 'db01', site: 'prod' },
    { name: 'az01', site: 'cloud' },
    { name: 'twin', key: 'twin-a', site: 'prod' },
    { name: 'twin', key: 'twin-b', site: 'dr' },
    { name: 'lab01', site: 'prod' },
  ],
  vpgs: [
    { name: 'app', vms: ['app01'], protectedSite: 'prod', recoverySite: 'dr' },
    { name: 'db-local', vms: ['db01'], protectedSite: 'prod' },
    { name: 'db-dr', vms: ['db01', 'app01'], protectedSite: 'prod', recoverySite: 'dr' },
    { name: 'azure', vms: ['az01'], protectedSite: 'cloud', recoverySite: 'dr', profile: 'azure' },
    { name: 'twin', vms: ['twin-a'], protectedSite: 'prod', recoverySite: 'dr' },
  ],
};

function row(vm: string, vpg: string, protectedSite: string, more: Partial<VmRow> = {}): VmRow {
  return { vmIdentifier: vm, vmName: vm, vpgIdentifier: vpg, vpgName: vpg, protectedSite, addresses: [], ...more };
}

function view(site: string, rows: readonly VmRow[], more: Partial<SiteView> = {}): SiteView {
  const local = { siteIdentifier: `id-${site}`, siteName: site };
  return { site, local, rows, unprotected: [], siteTypes: new Map(), ...more };
}

describe('the VMs of several ZVMs', () => {
  it('each appear once with all VPGs, told by the protected site, whatever the order of the sites', async () => {
    sim = await simulate(TWO_SITES);
    for (const clients of [sim.clients, sim.clients.toReversed()]) {
      const vms = await new ZvmInventory(clients).vms(never);
      const shown = vms.map((vm) => `${vm.name}@${vm.site}: ${vm.vpgs.map((vpg) => `${vpg.name}@${vpg.site}`).sort()}`);
      expect(shown.sort()).toEqual([
        'app01@prod: app@prod,db-dr@prod',
        'az01@cloud: azure@cloud',
        'db01@prod: db-dr@prod,db-local@prod',
        'lab01@prod: ',
        'twin@dr: ',
        'twin@prod: twin@prod',
      ]);
      expect(new Set(vms.map((vm) => vm.vmIdentifier)).size).toBe(vms.length);
    }
  });

  it('carry addresses, the profile and the recovery site’s identifier', async () => {
    sim = await simulate(TWO_SITES);
    const vms = await new ZvmInventory(sim.clients).vms(never);
    const dr = (await sim.clients[1]?.localSite(never))?.siteIdentifier;
    const app = vms.find((vm) => vm.name === 'app01');
    expect(app).toMatchObject({ addresses: ['10.0.0.5'], vpgs: [{ profile: 'vsphere', recoverySite: dr }, {}] });
    expect(vms.find((vm) => vm.name === 'az01')?.vpgs[0]).toMatchObject({ profile: 'azure' });
  });

  it('are told by the recovery site where the protected one is not configured, with the protected site’s profile', async () => {
    sim = await simulate(TWO_SITES);
    const vms = await new ZvmInventory(sim.clients.slice(1, 2)).vms(never);
    expect(vms.find((vm) => vm.name === 'app01')?.vpgs.map((vpg) => vpg.site)).toEqual(['dr', 'dr']);
    expect(vms.find((vm) => vm.name === 'az01')?.vpgs[0]).toMatchObject({ profile: 'azure', site: 'dr' });
  });

  it('are not told at all where all are wanted and one ZVM does not answer', async () => {
    sim = await simulate(TWO_SITES);
    await sim.zvms[1]?.close();
    await expect(new ZvmInventory(sim.clients).vms(never)).rejects.toMatchObject({ code: 'ZVM_UNREACHABLE' });
  });

  it('keep every VPG that any site knows, and prefer protection to its absence', () => {
    const vms = mergeViews([
      view('a', [row('vm-1', 'g1', 'id-b'), row('vm-1', 'g2', 'id-a')], {
        unprotected: [{ siteIdentifier: 'id-a', vmIdentifier: 'vm-2', vmName: 'vm-2', addresses: [] }],
      }),
      view('b', [row('vm-1', 'g1', 'id-b'), row('vm-2', 'g3', 'id-b')], {
        unprotected: [{ siteIdentifier: 'id-b', vmIdentifier: 'vm-1', vmName: 'vm-1', addresses: [] }],
      }),
    ]);
    const shown = vms.map((vm) => [vm.name, vm.vpgs.map((vpg) => `${vpg.name}@${vpg.site}`).sort()]);
    expect(shown).toEqual([
      ['vm-1', ['g1@b', 'g2@a']],
      ['vm-2', ['g3@b']],
    ]);
  });

  it('count a VPG of one site that replicates to itself once', () => {
    const both = [row('vm-1', 'g1', 'id-a'), row('vm-1', 'g1', 'id-a')];
    expect(mergeViews([view('a', both)])[0]?.vpgs).toHaveLength(1);
  });

  it('take the profile from the entity, else from the protected site', () => {
    const siteTypes = new Map([['id-c', 'AWS']]);
    const rows = [
      row('1', 'a', 'id-c', { protectedEntity: 5 }),
      row('2', 'b', 'id-c', { protectedEntity: 0 }),
      row('3', 'c', 'id-x'),
    ];
    expect(mergeViews([view('a', rows, { siteTypes })]).map((vm) => vm.vpgs[0]?.profile)).toEqual([
      'azure',
      'aws',
      'vsphere',
    ]);
  });
});

describe('a site that is silent', () => {
  const names = (vms: readonly Vm[]) => vms.map((vm) => vm.name).sort();

  it('leaves the VMs of the others, with what may be there by the word of the others set apart', async () => {
    sim = await simulate(TWO_SITES);
    await sim.zvms[0]?.close();
    const { vms, unsure, silent } = await new ZvmInventory(sim.clients, { clock: sim.clock }).listing(never);
    expect(names(vms)).toEqual(['az01', 'twin']);
    expect(vms.find((vm) => vm.name === 'twin')?.site).toBe('dr');
    expect(names(unsure)).toEqual(['app01', 'db01', 'lab01', 'twin']);
    expect(silent).toMatchObject([{ site: 'prod', error: { code: 'ZVM_UNREACHABLE' } }]);
  });

  it('is remembered as it was: what it protects to itself may be there too', async () => {
    sim = await simulate({
      ...TWO_SITES,
      vms: [...TWO_SITES.vms, { name: 'dr01', site: 'dr' }],
      vpgs: [...TWO_SITES.vpgs, { name: 'dr-local', vms: ['dr01'], protectedSite: 'dr' }],
    });
    const inventory = new ZvmInventory(sim.clients, { clock: sim.clock });
    await inventory.listing(never);
    await sim.zvms[1]?.faults.network('down');
    const { vms, unsure } = await inventory.listing(never);
    expect(names(vms)).toEqual(['app01', 'az01', 'db01', 'lab01', 'twin']);
    expect(names(unsure)).toEqual(['dr01', 'twin']);
  });

  it('is asked again each time, and waited for only a moment once it was silent', async () => {
    sim = await simulate(TWO_SITES);
    const lines: string[] = [];
    const line = (_fields: unknown, message: string) => void lines.push(message);
    let sleep = sim.clock.sleep;
    const clock = { now: sim.clock.now, sleep: (ms: number, signal: AbortSignal) => sleep(ms, signal) };
    const inventory = new ZvmInventory(sim.clients, { clock, log: { info: line, warn: line } });
    await sim.zvms[1]?.faults.network('down');
    await inventory.listing(never);
    await inventory.listing(never);
    await sim.zvms[1]?.faults.network('up');
    sleep = () => new Promise(() => undefined);
    expect((await inventory.listing(never)).silent).toEqual([]);
    expect((await inventory.vms(never)).length).toBe(6);
    expect(lines).toEqual(['the ZVM cannot be asked for its VMs', 'the ZVM answers again']);
  });

  it('hanging does not hold up the others once it was silent', async () => {
    sim = await simulate(TWO_SITES);
    const inventory = new ZvmInventory(sim.clients, { clock: sim.clock });
    await sim.zvms[1]?.faults.network('down');
    await inventory.listing(never);
    await sim.zvms[1]?.faults.network('up');
    sim.zvms[1]?.faults.endpoint(/./, { kind: 'slow', ms: 3_600_000 }, { times: 99 });
    expect((await inventory.listing(never)).silent.map(({ site }) => site)).toEqual(['dr']);
  });

  it('that is the only one, or one of many, all silent, fails with its own reason', async () => {
    sim = await simulate(TWO_SITES);
    for (const zvm of sim.zvms) await zvm.faults.network('down');
    await expect(new ZvmInventory(sim.clients).listing(never)).rejects.toMatchObject({ code: 'ZVM_UNREACHABLE' });
  });

  it('by a login that is refused counts like one that does not answer', async () => {
    sim = await simulate(TWO_SITES);
    sim.zvms[1]?.faults.endpoint(/\/v1\//, { kind: 'unauthorized' }, { times: Number.POSITIVE_INFINITY });
    const { silent } = await new ZvmInventory(sim.clients).listing(never);
    expect(silent).toMatchObject([{ site: 'dr', error: { code: 'ZVM_REJECTED' } }]);
  });
});

describe('what a VM is told with', () => {
  it('its organisation, which tells VMs of one name apart', async () => {
    sim = await simulate({
      sites: [{ name: 'a' }],
      vms: [
        { name: 'app01', key: 'one' },
        { name: 'app01', key: 'two' },
      ],
      vpgs: [
        { name: 'one', vms: ['one'], organization: 'tenant-1' },
        { name: 'two', vms: ['two'], organization: 'tenant-2' },
      ],
    });
    const vms = await new ZvmInventory(sim.clients).vms(never);
    expect(vms.map((vm) => vm.organization)).toEqual(['tenant-1', 'tenant-2']);
    expect(findVm('app01', vms)).toMatchObject({ kind: 'many' });
    expect(vms.map(describeVm)).toEqual([expect.stringContaining('tenant-1'), expect.stringContaining('tenant-2')]);
  });

  it('a platform that nothing can be pinned on', async () => {
    sim = await simulate({
      sites: [{ name: 'hvm', type: 'HVM' }, { name: 'b' }],
      vms: [
        { name: 'hvm01', site: 'hvm' },
        { name: 'hv01', site: 'b' },
        { name: 'app01', site: 'b' },
      ],
      vpgs: [
        { name: 'hvm', vms: ['hvm01'], protectedSite: 'hvm' },
        { name: 'hyper', vms: ['hv01'], protectedSite: 'b', entity: 4 },
        { name: 'app', vms: ['app01'], protectedSite: 'b' },
      ],
    });
    const vms = await new ZvmInventory(sim.clients).vms(never);
    expect(vms.map((vm) => vm.vpgs[0]?.unsupported)).toEqual(['HVM', 'Hyper-V', undefined]);
  });

  it('the state of a VPG that takes no tag', async () => {
    sim = await simulate(TWO_SITES);
    sim.world.setState('app', { subStatus: 'DeltaSync' });
    const vms = await new ZvmInventory(sim.clients).vms(never);
    const vpgs = vms.flatMap((vm) => vm.vpgs);
    expect(vpgs.filter((vpg) => vpg.blocked !== undefined).map((vpg) => [vpg.name, vpg.blocked])).toEqual([
      ['app', 'sub-status "DeltaSync" (6)'],
    ]);
  });
});

describe('a VM that was failed over', () => {
  it('is told with the identifier that it had before, at the site where it is now, and after another move with both', async () => {
    sim = await simulate(TWO_SITES);
    const inventory = new ZvmInventory(sim.clients);
    const idOf = () => sim?.world.vm('twin-a').vmIdentifier;
    const first = idOf();
    await inventory.vms(never);
    sim.world.failover('twin');
    const moved = (await inventory.vms(never)).find((vm) => vm.vmIdentifier === idOf());
    // Two of this name are there now; the one that came is the one that went.
    expect(moved).toMatchObject({ name: 'twin', site: 'dr', formerly: [first], vpgs: [{ name: 'twin', site: 'dr' }] });
    const second = idOf();
    sim.world.failover('twin');
    expect((await inventory.vms(never)).find((vm) => vm.vmIdentifier === idOf())?.formerly).toEqual([second, first]);
  });

  it('is not taken for another that came at the same time under its name', () => {
    const moves = new Moves();
    const vm = (vmIdentifier: string, name = 'app01') => ({ name, vmIdentifier, site: 'a', addresses: [], vpgs: [] });
    moves.follow([vm('1')]);
    expect(moves.follow([vm('2'), vm('3')]).some(({ formerly }) => formerly !== undefined)).toBe(false);
    expect(moves.follow([vm('2'), vm('3'), vm('4', 'web01')]).some(({ formerly }) => formerly !== undefined)).toBe(
      false,
    );
  });
});
