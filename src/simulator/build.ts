import type { Clock } from './clock.js';
import type { Store } from './content.js';
import { directoryDisk, memoryDisk } from './disk.js';
import { firstNumber, guidOf } from './ids.js';
import type { SiteOptions, VmOptions, VpgOptions, WorldOptions } from './options.js';
import type { SimVm, SimVpg, Site, SiteType } from './state.js';
import { ENTITY_TYPES, MEETING_SLA } from './status.js';
import { type Profile, TIMINGS } from './timings.js';

const SITE_TYPES: Readonly<Record<Profile, SiteType>> = { vsphere: 'VCenter', azure: 'Azure', aws: 'AWS' };
const ENTITIES: Readonly<Record<Profile, (typeof ENTITY_TYPES)[number]>> = {
  vsphere: 'VCVpg',
  azure: 'Azure',
  aws: 'AWS',
};

/** The value at a key. Throws with the key where options name something that is not there. */
export function known<T>(kind: string, key: string, values: readonly T[], keyOf: (value: T) => string): T {
  const found = values.find((value) => keyOf(value) === key);
  if (found === undefined)
    throw new Error(`simulator: no ${kind} ${JSON.stringify(key)}; known: ${values.map(keyOf).join(', ')}`);
  return found;
}

export function buildSites(options: WorldOptions): Site[] {
  if (options.sites.length === 0) throw new Error('simulator: a world needs a site');
  return options.sites.map((site) => ({
    name: site.name,
    shownName: `${site.name} (simulated)`,
    siteIdentifier: site.siteIdentifier ?? guidOf('site', site.name),
    type: site.type ?? typeOf(site, options),
    utcOffsetInMinutes: site.utcOffsetInMinutes ?? 0,
  }));
}

function typeOf(site: SiteOptions, options: WorldOptions): SiteType {
  const first = options.sites[0]?.name;
  const profile = options.vpgs.find((vpg) => (vpg.protectedSite ?? first) === site.name)?.profile;
  return SITE_TYPES[profile ?? 'vsphere'];
}

/** The identifier that a VM has at a site: a failover gives it the other site's. */
export function vmIdentifierAt(site: Site, key: string): string {
  return `${guidOf('server', site.siteIdentifier)}.vm-${firstNumber('vm', site.siteIdentifier, key)}`;
}

export function buildVms(options: WorldOptions, sites: readonly Site[], clock: Clock, store: Store): SimVm[] {
  return options.vms.map((vm) => {
    const key = vm.key ?? vm.name;
    const site = vm.site === undefined ? firstOf(sites) : known('site', vm.site, sites, ({ name }) => name);
    const windows = vm.windows ?? false;
    return {
      key,
      name: vm.name,
      addresses: vm.addresses ?? [],
      guestOs: vm.guestOs ?? (windows ? 'Microsoft Windows Server 2022 (64-bit)' : 'Ubuntu Linux (64-bit)'),
      windows,
      volumes: vm.volumes ?? [{ name: windows ? 'Volume1-NTFS' : 'Volume1-Ext4', mount: '' }],
      disk: buildDisk(vm, options, clock, store),
      vmIdentifier: vm.vmIdentifier ?? vmIdentifierAt(site, key),
      site,
    };
  });
}

function buildDisk(vm: VmOptions, options: WorldOptions, clock: Clock, store: Store) {
  const writeBackMs = () => options.writeBackMs ?? 0;
  return vm.disk === undefined ? memoryDisk(store, clock, writeBackMs) : directoryDisk(vm.disk, store, writeBackMs);
}

export function buildVpg(
  vpg: VpgOptions,
  options: WorldOptions,
  sites: readonly Site[],
  vms: readonly SimVm[],
): SimVpg {
  const profile = vpg.profile ?? 'vsphere';
  const siteOf = (name: string | undefined) =>
    name === undefined ? firstOf(sites) : known('site', name, sites, (site) => site.name);
  return {
    name: vpg.name,
    vpgIdentifier: vpg.vpgIdentifier ?? guidOf('vpg', vpg.name),
    vms: vpg.vms.map((key) => known('vm', key, vms, (vm) => vm.key)),
    organization: vpg.organization ?? '',
    entity: vpg.entity ?? ENTITY_TYPES.indexOf(ENTITIES[profile]),
    historyMinutes: vpg.historyMinutes ?? 1440,
    journalLimitBytes: vpg.journalLimitBytes ?? Number.POSITIVE_INFINITY,
    timings: { ...TIMINGS[profile], ...options.timings?.[profile], ...vpg.timings },
    protectedSite: siteOf(vpg.protectedSite),
    recoverySite: siteOf(vpg.recoverySite ?? vpg.protectedSite),
    state: vpg.state ?? MEETING_SLA,
    journal: [],
    nextId: vpg.firstCheckpoint ?? firstNumber('checkpoint', vpg.name),
    epoch: 0,
    churn: 0,
    flrBlocked: vpg.flrBlocked,
    lastTest: undefined,
  };
}

function firstOf(sites: readonly Site[]): Site {
  const [site] = sites;
  if (site === undefined) throw new Error('simulator: a world needs a site');
  return site;
}
