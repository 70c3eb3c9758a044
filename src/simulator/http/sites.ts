import type { SimVm, Site } from '../state.js';
import { parseDate } from './dates.js';
import { type Exchange, type Handler, localVpgs, no, ok, Refusal } from './exchange.js';
import { siteLink } from './links.js';
import { Moment } from './render.js';
import { guest } from './vms.js';

const VERSION = '10.0.60 (simulated)';

export const localSite: Handler = (exchange) => {
  const { site, world } = exchange;
  const self = world.vpgs.some((vpg) => vpg.protectedSite === site && vpg.recoverySite === site);
  return ok({
    SiteIdentifier: site.siteIdentifier,
    SiteName: site.shownName,
    Location: 'simulated',
    Version: VERSION,
    DisplayVersion: VERSION,
    ZvmApiVersion: '1.0',
    SiteType: site.type,
    SiteTypeVersion: 'simulated',
    IpAddress: '127.0.0.1',
    UtcOffsetInMinutes: site.utcOffsetInMinutes,
    IsReplicationToSelfEnabled: self || world.sites.length === 1,
    ContactName: '',
    ContactEmail: '',
    ContactPhone: '',
    BandwidthThrottlingInMBs: -1,
    PlatformInformation: platform(site),
    IsLoginBannerEnabled: false,
    LoginBanner: '',
    Link: siteLink(exchange, site),
  });
};

function platform(site: Site) {
  return {
    Azure:
      site.type === 'Azure' ? { RegionName: 'simulated', Subscription: 'simulated', ResourceGroup: 'simulated' } : null,
    VCenter: site.type === 'VCenter' ? { Ip: '127.0.0.1' } : null,
  };
}

function peerRow(exchange: Exchange, site: Site) {
  return {
    SiteIdentifier: site.siteIdentifier,
    PeerSiteName: site.shownName,
    PairingStatus: 0,
    Location: 'simulated',
    HostName: '127.0.0.1',
    Port: 9081,
    ProvisionedStorage: 0,
    UsedStorage: 0,
    IncomingThroughputInMb: 0,
    OutgoingBandWidth: 0,
    Version: VERSION,
    SiteType: site.type,
    RegionName: null,
    Link: siteLink(exchange, site),
  };
}

function peers({ world, site }: Exchange): Site[] {
  return world.sites.filter((other) => other !== site);
}

export const peerSites: Handler = (exchange) => ok(peers(exchange).map((site) => peerRow(exchange, site)));

export const peerSite: Handler = (exchange) => {
  const found = peers(exchange).find(({ siteIdentifier }) => siteIdentifier === exchange.params[0]?.toLowerCase());
  return found === undefined ? no(404, 'The site was not found.') : ok(peerRow(exchange, found));
};

function virtualizationRow(site: Site) {
  return { SiteIdentifier: site.siteIdentifier, VirtualizationSiteName: site.shownName };
}

export const virtualizationSites: Handler = ({ world }) => ok(world.sites.map(virtualizationRow));

export const virtualizationSite: Handler = ({ world, params }) => {
  const site = world.sites.find(({ siteIdentifier }) => siteIdentifier === params[0]?.toLowerCase());
  return site === undefined ? no(404, 'The site was not found.') : ok(virtualizationRow(site));
};

/** VMs of a site that no VPG protects. */
export const unprotectedVms: Handler = ({ world, params }) => {
  const site = world.sites.find(({ siteIdentifier }) => siteIdentifier === params[0]?.toLowerCase());
  if (site === undefined) return no(404, 'The site was not found.');
  const protectedVms = new Set(world.vpgs.flatMap(({ vms }) => vms));
  return ok(world.vms.filter((vm) => vm.site === site && !protectedVms.has(vm)).map(nativeRow));
};

function nativeRow(vm: SimVm) {
  return {
    VmName: vm.name,
    VmIdentifier: vm.vmIdentifier,
    VmInstanceIdentifier: null,
    ...guest(vm),
    VmPerfMetricInfo: { ProvisionedStorageInMB: 20_480, UsedStorageInMB: 4_096, CpuCoresNum: 2, MemorySizeInMB: 4_096 },
    Nics: vm.addresses.map((_, index) => ({ NicIdentifier: `nic-${index}` })),
    Volumes: vm.volumes.map((_, index) => ({ VmVolumeIdentifier: `scsi:0:${index}` })),
    PlatformInformation: null,
  };
}

export const serverUtc: Handler = ({ now }) => ok(new Moment(now));

/** Local time with the site's offset. */
export const serverLocal: Handler = ({ now, knobs, site }) => {
  if (knobs.dates === 'msdate') return ok(new Moment(now));
  const minutes = site.utcOffsetInMinutes;
  const two = (value: number) => String(Math.floor(Math.abs(value))).padStart(2, '0');
  const local = new Date(now + knobs.skewMs + minutes * 60_000).toISOString().slice(0, -1);
  return ok(`${local}${minutes < 0 ? '-' : '+'}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`);
};

/** Tells how the appliance reads a date. */
export const dateArgument: Handler = ({ query, site, knobs }) => {
  const date = parseDate(query('dateTime') ?? '', site.utcOffsetInMinutes);
  if (date === undefined) throw new Refusal(400, "The value 'dateTime' is not a valid date.");
  return ok(new Moment(date - knobs.skewMs));
};

export const license: Handler = (exchange) => {
  const count = new Set(localVpgs(exchange).flatMap(({ vms }) => vms)).size;
  const { siteIdentifier, shownName } = exchange.site;
  return ok({
    Details: { LicenseKey: 'SIMULATED', LicenseType: 'Simulated', ExpiryTime: null, MaxVms: 0 },
    Usage: {
      TotalVmsCount: count,
      SitesUsage: [{ SiteIdentifier: siteIdentifier, SiteName: shownName, ProtectedVmsCount: count }],
    },
  });
};
