import type { Vm, Vpg } from '../domain/target.js';
import { profileOf } from './profiles.js';
import type { LocalSite, UnprotectedVm, VmRow } from './shapes.js';
import { readiness } from './vpg-state.js';

/** What one ZVM knows; `siteTypes` maps site identifiers to the wire's type names, as far as the ZVM says. */
export interface SiteView {
  readonly site: string;
  readonly local: LocalSite;
  readonly rows: readonly VmRow[];
  readonly unprotected: readonly UnprotectedVm[];
  readonly siteTypes: ReadonlyMap<string, string>;
}

/** A row is told by the ZVM of the protected site where that one is configured, else by the first that lists it. */
export function mergeViews(views: readonly SiteView[]): Vm[] {
  const told = views.flatMap((view) =>
    view.rows.map((row) => ({ view, row, own: row.protectedSite === view.local.siteIdentifier })),
  );
  const vms = new Map<string, { vm: Vm; vpgs: Map<string, Vpg> }>();
  for (const { view, row } of ownFirst(told)) {
    const entry = vms.get(row.vmIdentifier) ?? { vm: vmOf(view, row), vpgs: new Map<string, Vpg>() };
    vms.set(row.vmIdentifier, entry);
    if (!entry.vpgs.has(row.vpgIdentifier)) entry.vpgs.set(row.vpgIdentifier, vpgOf(view, row));
  }
  const guarded = [...vms.values()].map(({ vm, vpgs }) => ({ ...vm, vpgs: [...vpgs.values()] }));
  return [...guarded, ...unprotectedOf(views, vms)];
}

function vmOf(view: SiteView, { vmName, vmIdentifier, addresses, organization }: VmRow): Vm {
  const vm = { name: vmName, vmIdentifier, site: view.site, addresses, vpgs: [] };
  return organization === undefined ? vm : { ...vm, organization };
}

function vpgOf(view: SiteView, row: VmRow): Vpg {
  const siteType = view.siteTypes.get(row.protectedSite ?? '');
  const profile = profileOf(row.protectedEntity, siteType);
  const unsupported = profile === undefined ? platformOf(row.protectedEntity, siteType) : undefined;
  const ready = row.status === undefined || row.subStatus === undefined ? undefined : readiness(row);
  return {
    name: row.vpgName,
    vpgIdentifier: row.vpgIdentifier,
    site: view.site,
    profile: profile ?? 'vsphere',
    recoverySite: row.recoverySite,
    ...(unsupported !== undefined && { unsupported }),
    ...(ready?.kind === 'blocked' && { blocked: ready.state }),
  };
}

function platformOf(entity: number | undefined, siteType: string | undefined): string {
  if (siteType !== undefined && siteType !== '' && profileOf(undefined, siteType) === undefined) return siteType;
  return entity === 4 ? 'Hyper-V' : `entity type ${entity}`;
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
