import { afterEach, describe, expect, it } from 'vitest';
import type { WorldOptions } from '../../src/simulator/index.js';
import { mergeViews, type SiteView, ZvmInventory } from '../../src/zerto/inventory.js';
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

  it('are not told at all where one ZVM does not answer', async () => {
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
