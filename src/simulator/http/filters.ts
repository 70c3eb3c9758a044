import type { SimVpg } from '../state.js';
import { ENTITY_TYPES, PRIORITIES, STATUSES, SUB_STATUSES, subStatusNumber } from '../status.js';
import { type Exchange, matches } from './exchange.js';
import { recoveryEntity } from './links.js';

/** Filters on state, sites, entity types, organisation and priority, which VM and VPG lists share. */
export function vpgMatches(exchange: Exchange, vpg: SimVpg): boolean {
  const recovery = recoveryEntity(vpg);
  const sub = subStatusNumber(vpg.state.subStatus);
  return (
    matches(exchange, 'status', STATUSES.indexOf(vpg.state.status), vpg.state.status) &&
    matches(exchange, 'subStatus', sub, SUB_STATUSES[sub]) &&
    matches(exchange, 'protectedSiteIdentifier', vpg.protectedSite.siteIdentifier) &&
    matches(exchange, 'recoverySiteIdentifier', vpg.recoverySite.siteIdentifier) &&
    matches(exchange, 'protectedSiteType', vpg.entity, ENTITY_TYPES[vpg.entity]) &&
    matches(exchange, 'recoverySiteType', recovery, ENTITY_TYPES[recovery]) &&
    matches(exchange, 'organizationName', vpg.organization) &&
    matches(exchange, 'priority', 1, PRIORITIES[1])
  );
}

/** A filter on a name; whether a part of it is enough is a knob. */
export function nameMatches(exchange: Exchange, filter: string, name: string): boolean {
  const wanted = exchange.query(filter)?.toLowerCase();
  if (wanted === undefined || wanted === '') return true;
  return exchange.knobs.nameFilter === 'exact' ? name.toLowerCase() === wanted : name.toLowerCase().includes(wanted);
}
