import type { ApplianceEvent, ApplianceRecords } from '../domain/evidence.js';
import { readTag } from '../domain/tag.js';
import { counted } from '../domain/text.js';
import type { Gap } from './finding.js';
import type { Insert } from './inserts.js';

/** Whose acts on an appliance are the proxy's. */
export interface Accounts {
  /** By site, in lower case: what the config says, and who made the tags that the log knows. */
  readonly users: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Who made the tags that the log knows is the proxy, whatever an appliance calls the account; only a tag's name proves it. */
export function accountsOf(inserts: readonly Insert[], configured: ReadonlyMap<string, string>): Accounts {
  const users = new Map<string, Set<string>>();
  const add = (site: string, user: string): void => {
    users.set(site, (users.get(site) ?? new Set()).add(user.toLowerCase()));
  };
  for (const [site, user] of configured) add(site, user);
  for (const { claim, name, events } of inserts) {
    for (const { site, user, text } of claim === undefined ? [] : events) {
      if (user !== undefined && readTag(text)?.name === name) add(site, user);
    }
  }
  return { users };
}

/** Whether an event may be an act of the proxy: by its account, or by nobody that the appliance names. */
export function isOwn(event: ApplianceEvent, accounts: Accounts): boolean {
  return event.user === undefined || isByAccount(event, accounts);
}

function isByAccount({ site, user }: ApplianceEvent, { users }: Accounts): boolean {
  if (user === undefined) return false;
  const name = user.toLowerCase();
  return [...(users.get(site) ?? [])].some((known) => isSame(known, name));
}

/** Of two names one may lack the domain, `DOMAIN\name` or `name@domain`; those of two domains are two accounts. */
function isSame(one: string, other: string): boolean {
  return one === other || bare(one) === other || one === bare(other);
}

function bare(user: string): string {
  return /^(?:[^\\]+\\)?([^\\@]+)(?:@[^\\@]+)?$/.exec(user)?.[1] ?? user;
}

/** What was put down to others: inserts and mounts. */
interface Others {
  readonly inserts: readonly Insert[];
  readonly mounts: readonly ApplianceEvent[];
}

/** Sites at which somebody acted, and none of whose events is by an account that is known to be the proxy's. */
export function unknownAccounts({ sites }: ApplianceRecords, accounts: Accounts, others: Others): readonly Gap[] {
  const known = new Set<string>();
  for (const { site, answer } of sites) {
    if (answer.kind === 'read' && answer.events.some((event) => isByAccount(event, accounts))) known.add(site);
  }
  // Where one of its sites knows the proxy's account, an insert by another is not the proxy's.
  const tags = others.inserts.filter(({ events }) => !events.some((event) => known.has(event.site)));
  return sites.flatMap(({ site }): readonly Gap[] => {
    const isHere = (event: ApplianceEvent): boolean => event.site === site && event.user !== undefined;
    const counts = [
      counted(tags.filter(({ events }) => events.some(isHere)).length, 'tag'),
      counted(known.has(site) ? 0 : others.mounts.filter(isHere).length, 'mount'),
    ].filter((count) => !count.startsWith('0 '));
    const why = `no event there is by an account that is known to be the proxy's, so ${counts.join(' and ')} by others may be the proxy's`;
    return counts.length === 0 ? [] : [{ what: 'accounts', name: site, why }];
  });
}

/** Where only some VPGs are asked for: acts of the proxy that name none, so that nobody can tell whether they were on those. */
export function withoutVpg(site: string, events: readonly ApplianceEvent[], accounts: Accounts): readonly Gap[] {
  const many = events.filter((event) => event.vpgs.length === 0 && isOwn(event, accounts)).length;
  const why = `${counted(many, 'act')} of the proxy's account ${many === 1 ? 'names' : 'name'} no VPG, so nobody can tell whether the VM was meant`;
  return many === 0 ? [] : [{ what: 'events', name: site, why }];
}
