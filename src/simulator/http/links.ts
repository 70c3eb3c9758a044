import type { SimTask, SimVpg, Site } from '../state.js';
import type { Appliance } from './exchange.js';

/** A resource link; its members are lower case on the wire. */
export function link(appliance: Appliance, path: string, identifier: string, type: string) {
  return { identifier, rel: null, href: `${appliance.base}/v1/${path}`, type };
}

export function siteLink(appliance: Appliance, site: Site) {
  const local = site === appliance.site;
  return link(
    appliance,
    local ? 'localsite' : `peersites/${site.siteIdentifier}`,
    site.siteIdentifier,
    local ? 'LocalSiteApi' : 'PeerSiteApi',
  );
}

export function vpgLink(appliance: Appliance, vpg: SimVpg) {
  return link(appliance, `vpgs/${vpg.vpgIdentifier}`, vpg.vpgIdentifier, 'VpgApi');
}

/** Entity type of a VPG's recovery side. */
export function recoveryEntity(vpg: SimVpg): number {
  return { VCenter: 0, AWS: 3, Azure: 5, HVM: 0 }[vpg.recoverySite.type];
}

/** Seconds since the newest checkpoint; -1 for an empty journal, as where it was not calculated. */
export function rpo(vpg: SimVpg, now: number): number {
  if (vpg.state.rpoSeconds !== undefined) return vpg.state.rpoSeconds;
  const newest = vpg.journal.at(-1);
  return newest === undefined ? -1 : Math.max(0, Math.floor((now - newest.at) / 1000));
}

/** Members that VM and VPG rows share. */
export function shared(appliance: Appliance, vpg: SimVpg) {
  const recovery = recoveryEntity(vpg);
  return {
    Entities: { Protected: vpg.entity, Recovery: recovery, Source: vpg.entity, Target: recovery },
    ProtectedSite: siteLink(appliance, vpg.protectedSite),
    ProtectedSiteName: vpg.protectedSite.shownName,
    RecoverySite: siteLink(appliance, vpg.recoverySite),
    RecoverySiteName: vpg.recoverySite.shownName,
    SourceSite: vpg.protectedSite.shownName,
    TargetSite: vpg.recoverySite.shownName,
  };
}

/** Links of a task or event to what it was about. */
export function related(appliance: Appliance, task: SimTask) {
  const session = task.session;
  return {
    Hosts: [],
    Sites: [siteLink(appliance, task.vpg.protectedSite)],
    Vpgs: [vpgLink(appliance, task.vpg)],
    FlrSessions: session === undefined ? [] : [link(appliance, `flrs/${session}`, session, 'FlrSessionInformationApi')],
  };
}
