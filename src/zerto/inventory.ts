import type { Inventory } from '../domain/ports.js';
import type { Vm, Vpg } from '../domain/target.js';
import type { ZvmClient } from './client.js';
import { profileOf } from './profiles.js';
import type { LocalSite, UnprotectedVm, VmRow } from './shapes.js';

/** What one ZVM knows; `siteTypes` maps site identifiers to the wire's type names, as far as the ZVM says. */
export interface SiteView {
  readonly site: string;
  readonly local: LocalSite;
  readonly rows: readonly VmRow[];
  readonly unprotected: readonly UnprotectedVm[];
  readonly siteTypes: ReadonlyMap<string, string>;
}

/** The VMs of several ZVMs. Rejects where one of them does not answer: half a picture could make an ambiguous name look unique. */
export class ZvmInventory implements Inventory {
  readonly #clients: readonly ZvmClient[];

  constructor(clients: readonly ZvmClient[]) {
    this.#clients = clients;
  }

  async vms(signal: AbortSignal): Promise<readonly Vm[]> {
    return mergeViews(await Promise.all(this.#clients.map((client) => viewOf(client, signal))));
  }
}

async function viewOf(client: ZvmClient, signal: AbortSignal): Promise<SiteView> {
  const [local, rows, unprotected] = await Promise.all([
    client.localSite(signal),
    client.vms(signal),
    client.unprotectedVms(signal),
  ]);
  const siteTypes = new Map([[local.siteIdentifier, local.siteType ?? '']]);
  if (rows.some((row) => row.protectedSite !== local.siteIdentifier)) {
    for (const peer of await client.peerSites(signal)) siteTypes.set(peer.siteIdentifier, peer.siteType ?? '');
  }
  return { site: client.site, local, rows, unprotected, siteTypes };
}

/** A row is told by the ZVM of the protected site where that one is configured, else by the first that lists it. */
export function mergeViews(views: readonly SiteView[]): Vm[] {
  const told = views.flatMap((view) =>
    view.rows.map((row) => ({ view, row, own: row.protectedSite === view.local.siteIdentifier })),
  );
  const vms = new Map<string, { vm: Vm; vpgs: Map<string, Vpg> }>();
  for (const { view, row } of ownFirst(told)) {
    const vm = {
      name: row.vmName,
      vmIdentifier: row.vmIdentifier,
      site: view.site,
      addresses: row.addresses,
      vpgs: [],
    };
    const entry = vms.get(row.vmIdentifier) ?? { vm, vpgs: new Map<string, Vpg>() };
    vms.set(row.vmIdentifier, entry);
    if (!entry.vpgs.has(row.vpgIdentifier)) entry.vpgs.set(row.vpgIdentifier, vpgOf(view, row));
  }
  const guarded = [...vms.values()].map(({ vm, vpgs }) => ({ ...vm, vpgs: [...vpgs.values()] }));
  return [...guarded, ...unprotectedOf(views, vms)];
}

function vpgOf(view: SiteView, row: VmRow): Vpg {
  return {
    name: row.vpgName,
    vpgIdentifier: row.vpgIdentifier,
    site: view.site,
    profile: profileOf(row.protectedEntity, view.siteTypes.get(row.protectedSite ?? '')),
    recoverySite: row.recoverySite,
  };
}

function unprotectedOf(views: readonly SiteView[], known: ReadonlyMap<string, unknown>): Vm[] {
  const found = new Map<string, Vm>();
  const told = views.flatMap((view) =>
    view.unprotected.map((vm) => ({ view, vm, own: vm.siteIdentifier === view.local.siteIdentifier })),
  );
  for (const { view, vm } of ownFirst(told)) {
    const { vmIdentifier, vmName, addresses } = vm;
    if (known.has(vmIdentifier) || found.has(vmIdentifier)) continue;
    found.set(vmIdentifier, { name: vmName, vmIdentifier, site: view.site, addresses, vpgs: [] });
  }
  return [...found.values()];
}

function ownFirst<T extends { readonly own: boolean }>(told: readonly T[]): T[] {
  return [...told.filter(({ own }) => own), ...told.filter(({ own }) => !own)];
}
