import type { ApplianceEvent, ApplianceRecords } from '../domain/evidence.js';
import { readTag } from '../domain/tag.js';
import { accountsOf, isOwn, unknownAccounts, withoutVpg } from './accounts.js';
import type { ClaimedTag, Claims } from './claims.js';
import { tagFinding } from './compare-claims.js';
import { compareMounts } from './compare-mounts.js';
import { Explainer, extraTag, isProxys } from './compare-rest.js';
import type { Comparison, Finding, Gap } from './finding.js';
import { type Insert, insertsOf, timeOf } from './inserts.js';

/** Times in milliseconds on the log's clock. `forgotten`: calls before it may have been in files that retention removed. */
export interface Question {
  readonly since: number;
  readonly until: number;
  readonly forgotten: number | undefined;
  /** Names of accounts by site, as far as the config says. */
  readonly accounts: ReadonlyMap<string, string>;
  /** Whether everything of the sites is asked for, and not only some VPGs. */
  readonly allVpgs: boolean;
}

/** Compares what the log claims with what the appliances recorded. Pure. */
export function compare(claims: Claims, records: ApplianceRecords, question: Question): Comparison {
  const { journals } = records;
  const asked = new Set(journals.map(({ vpg }) => vpg.vpgIdentifier));
  const recorded = new Set(claims.tags.map(({ name }) => name));
  const concerns = ({ vpgs, text }: ApplianceEvent): boolean =>
    question.allVpgs ||
    vpgs.some((vpg) => asked.has(vpg)) ||
    (vpgs.length === 0 && recorded.has(readTag(text)?.name ?? ''));
  const events = records.sites.map(({ answer }) => (answer.kind === 'read' ? answer.events.filter(concerns) : []));
  const tags = events.map((ofOne) => ofOne.filter(({ kind }) => kind === 'tag'));
  const inserts = insertsOf(claims.tags, journals, tags);
  const accounts = accountsOf(inserts, question.accounts);
  const inTime = inTimeOf(records, question);
  const siteOf = ({ events: [event], vpgIdentifier }: Insert): string | undefined =>
    event?.site ?? journals.find(({ vpg }) => vpg.vpgIdentifier === vpgIdentifier)?.vpg.site;

  const claimed = inserts.filter(isClaimed).filter(({ claim }) => claim.asked);
  const rest = inserts.filter((insert) => insert.claim === undefined && inTime(siteOf(insert), timeOf(insert)));
  const proxys = rest.filter((insert) => isProxys(insert, accounts));
  const explainer = new Explainer(claims.attempts);
  const mounts = events.flat().filter((event) => event.kind === 'mount' && inTime(event.site, event.at));
  const own = mounts.filter((event) => isOwn(event, accounts));
  const others = {
    inserts: rest.filter((insert) => !isProxys(insert, accounts)),
    mounts: mounts.filter((event) => !isOwn(event, accounts)),
  };
  const isPassedOver = (event: ApplianceEvent): boolean => !concerns(event) && inTime(event.site, event.at);
  const findings = [
    ...claimed.map((insert) => tagFinding(insert, records)),
    ...proxys.map((insert) => extraTag(insert, records, claims, explainer)),
    ...compareMounts(own, claims.mounts, records),
  ];
  return {
    findings: findings.map((finding) => beforeLog(finding, question)).sort(byTime),
    gaps: [
      ...gapsOf(records),
      ...unknownAccounts(records, accounts, others),
      ...records.sites.flatMap(({ site, answer }) =>
        answer.kind === 'read' ? withoutVpg(site, answer.events.filter(isPassedOver), accounts) : [],
      ),
    ],
    others: { tags: others.inserts.length, mounts: others.mounts.length },
  };
}

function isClaimed(insert: Insert): insert is Insert & { readonly claim: ClaimedTag } {
  return insert.claim !== undefined;
}

function inTimeOf({ sites }: ApplianceRecords, { since, until }: Question) {
  const ahead = new Map(sites.map(({ site, aheadMs }) => [site, aheadMs]));
  return (site: string | undefined, time: string | undefined): boolean => {
    const at = Date.parse(time ?? '') - (ahead.get(site ?? '') ?? 0);
    return at >= since && at <= until;
  };
}

/** What the log forgot by its own rule, it cannot explain. */
function beforeLog(finding: Finding, { forgotten }: Question): Finding {
  if (finding.status !== 'extra' || forgotten === undefined || Date.parse(finding.at) >= forgotten) return finding;
  return { ...finding, status: 'not_compared', why: 'retention removed the files of the log from before that time' };
}

function gapsOf({ journals, sites, silent }: ApplianceRecords): readonly Gap[] {
  const isSilent = (site: string) => silent.some((each) => each.site === site);
  return [
    ...silent.map(({ site, why }): Gap => ({ what: 'site', name: site, why })),
    ...sites.flatMap(({ site, answer }): readonly Gap[] =>
      answer.kind === 'unread' && !isSilent(site) ? [{ what: 'events', name: site, why: answer.why }] : [],
    ),
    ...journals.flatMap(({ vpg, answer }): readonly Gap[] =>
      answer.kind === 'unread' ? [{ what: 'journal', name: vpg.name, why: answer.why }] : [],
    ),
  ];
}

function byTime(a: Finding, b: Finding): number {
  return (Date.parse(a.at) || 0) - (Date.parse(b.at) || 0);
}
