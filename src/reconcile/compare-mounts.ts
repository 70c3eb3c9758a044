import type { ApplianceEvent, ApplianceRecords } from '../domain/evidence.js';
import { type ClaimedMount, TOLERANCE_MS } from './claims.js';
import type { Finding } from './finding.js';
import { absence } from './recorded.js';

/** A preview mounts the point that it shows, and the newest to compare it with. A paired site may tell of both again. */
const MOUNTS_PER_CALL = 2;

/** Gives each mount of the proxy's accounts to a recovery in the log; what is left on either side is a finding of its own. */
export function compareMounts(
  mounts: readonly ApplianceEvent[],
  claims: readonly ClaimedMount[],
  records: ApplianceRecords,
): readonly Finding[] {
  const given = new Map<ClaimedMount, ApplianceEvent[]>(claims.map((claim) => [claim, []]));
  const left: Finding[] = [];
  for (const event of mounts) {
    const at = Date.parse(event.at) - aheadOf(event.site, records);
    const [claim] = [...given]
      .filter(([{ vpgs }]) => event.vpgs.some((vpg) => vpgs.has(vpg)))
      .filter(([, taken]) => taken.filter(({ site }) => site === event.site).length < MOUNTS_PER_CALL)
      .map(([each]) => each)
      .filter((each) => apart(each, at) <= TOLERANCE_MS)
      .sort((a, b) => apart(a, at) - apart(b, at));
    if (claim === undefined) left.push(findingOf(event, 'extra', [], 'no record of this log tells of it', records));
    else given.get(claim)?.push(event);
  }
  const both = [...given].flatMap(([claim, events]) =>
    events.map((event) => findingOf(event, 'confirmed', [claim.call], '', records)),
  );
  const alone = [...given].flatMap(([claim, events]) =>
    claim.asked && claim.gaveBytes && events.length === 0 ? [unseen(claim, records)] : [],
  );
  return [...both, ...alone, ...left];
}

/** How far a time lies outside of a call, in milliseconds. */
function apart({ from, to }: ClaimedMount, at: number): number {
  return Math.max(0, from - at, at - to);
}

function unseen(claim: ClaimedMount, records: ApplianceRecords): Finding {
  const vpgs = records.journals.map(({ vpg }) => vpg).filter(({ vpgIdentifier }) => claim.vpgs.has(vpgIdentifier));
  const places = new Set(vpgs.map(({ recoverySite }) => recoverySite));
  // Which of its VPGs was mounted is not in the log: only where none of their sites tells of it is it nowhere.
  const seen = [...places].map((place) => {
    const site = records.sites.find(({ siteIdentifier }) => siteIdentifier !== undefined && siteIdentifier === place);
    return { site, ...absence(site, 'mount', claim.from + (site?.aheadMs ?? 0)) };
  });
  const unsure = seen.find(({ event }) => event !== 'none');
  const known = seen.length > 0 && unsure === undefined;
  return {
    status: known ? 'missing' : 'not_compared',
    kind: 'mount',
    site: seen[0]?.site?.site ?? '',
    vpg: vpgs.map(({ name }) => name).join(', '),
    at: claim.at,
    calls: [claim.call],
    event: known ? 'none' : 'not_compared',
    why: (unsure ?? seen[0])?.why ?? 'no site lists its VM any more',
  };
}

function findingOf(
  event: ApplianceEvent,
  status: 'confirmed' | 'extra',
  calls: readonly string[],
  why: string,
  { journals }: ApplianceRecords,
): Finding {
  const vpg = journals.find((each) => event.vpgs.includes(each.vpg.vpgIdentifier))?.vpg;
  const { site, at, user, vpgs } = event;
  return { status, kind: 'mount', site, vpg: vpg?.name ?? vpgs[0] ?? '', at, calls, user, event: 'found', why };
}

function aheadOf(site: string, { sites }: ApplianceRecords): number {
  return sites.find((each) => each.site === site)?.aheadMs ?? 0;
}
