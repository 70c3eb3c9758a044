import type { ApplianceRecords } from '../domain/evidence.js';
import { isActionIn, isNameIn, isTagForm, readTag } from '../domain/tag.js';
import { type Accounts, isOwn } from './accounts.js';
import { type Attempt, type Claims, TOLERANCE_MS } from './claims.js';
import type { Finding } from './finding.js';
import { type Insert, timeOf } from './inserts.js';

/** An insert that no receipt names, and whose it looks to be. */
export function isProxys({ name, events }: Insert, accounts: Accounts): boolean {
  if (name !== undefined && isTagForm(name)) return true;
  return events.some((event) => isOwn(event, accounts) && (event.user !== undefined || name === undefined));
}

/** Gives to each insert without a receipt the call that may have left it; each call leaves one on a VPG at most. */
export class Explainer {
  readonly #attempts: readonly Attempt[];
  readonly #spent = new Set<string>();

  constructor(attempts: readonly Attempt[]) {
    this.#attempts = attempts;
  }

  callOf(insert: Insert, aheadMs: number): string | undefined {
    const vpg = insert.vpgIdentifier ?? '';
    const found = this.#attempts.find(
      (attempt) =>
        attempt.vpgs.has(vpg) && !this.#spent.has(`${attempt.call} ${vpg}`) && leftBy(attempt, insert, aheadMs),
    );
    if (found !== undefined) this.#spent.add(`${found.call} ${vpg}`);
    return found?.call;
  }
}

/**
 * A whole tag says who, what, which VM and when on the proxy's own clock; of one that was cut, or that an event does not name, only the
 * appliance's time is left. A name of another form is nothing that the proxy gave.
 */
function leftBy({ from, to, agent, vms, action }: Attempt, insert: Insert, aheadMs: number): boolean {
  if (insert.name !== undefined && !isTagForm(insert.name)) return false;
  const tag = readTag(insert.name ?? '');
  if (tag === undefined) {
    const at = Date.parse(timeOf(insert) ?? '') - aheadMs;
    return at >= from - TOLERANCE_MS && at <= to + TOLERANCE_MS;
  }
  const at = tag.at.getTime();
  return (
    at >= from &&
    at <= to + TOLERANCE_MS &&
    isNameIn(tag.agent, agent) &&
    vms.some((vm) => isNameIn(tag.vm, vm)) &&
    (action === undefined || isActionIn(tag.action, action))
  );
}

/** How an insert stands that no receipt names and that is the proxy's. */
export function extraTag(insert: Insert, records: ApplianceRecords, claims: Claims, explainer: Explainer): Finding {
  const { vpgIdentifier, name, checkpoint, events } = insert;
  const vpg = records.journals.find((each) => each.vpg.vpgIdentifier === vpgIdentifier)?.vpg;
  const site = events[0]?.site ?? vpg?.site ?? '';
  const ahead = records.sites.find((each) => each.site === site)?.aheadMs ?? 0;
  const call = explainer.callOf(insert, ahead);
  return {
    status: call === undefined ? 'extra' : 'explained',
    kind: 'tag',
    site,
    vpg: vpg?.name ?? vpgIdentifier ?? '',
    tag: name,
    at: timeOf(insert) ?? '',
    checkpointIdentifier: checkpoint?.checkpointIdentifier,
    calls: call === undefined ? [] : [call],
    user: events.find(({ user }) => user !== undefined)?.user,
    checkpoint: checkpoint === undefined ? undefined : 'listed',
    event: events.length > 0 ? 'found' : undefined,
    why: call === undefined ? whyExtra(insert, claims) : 'its call was not sent on this tag',
  };
}

function whyExtra({ name }: Insert, { tags }: Claims): string {
  return name !== undefined && tags.some((claim) => claim.name === name)
    ? 'another checkpoint with the name of a recorded tag'
    : 'no record of this log tells of it';
}
