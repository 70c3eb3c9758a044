import { quote, seconds, visible } from '../domain/text.js';
import type { Finding, Status } from '../reconcile/finding.js';
import { DIFFERS, STATUSES } from '../reconcile/finding.js';
import type { Reconciled } from './audit-reconcile.js';

const WORDS: Readonly<Record<Status, string>> = {
  confirmed: 'confirmed by the appliance',
  expired: 'older than the journal, confirmed by an event',
  explained: 'left by calls that were not sent on them',
  differs: 'in the journal with another number, time or name',
  no_event: 'in log and journal, not in the events',
  lost: 'in log and events, not in the journal',
  missing: 'in the log, not on the appliance',
  extra: 'on the appliance, not in the log',
  not_compared: 'not compared',
};

/** The report for people: what was read, each finding that is no plain agreement, the counts, and the verdict. */
export function reconcileText(told: Reconciled): string {
  const { findings, gaps, others } = told;
  const lines = [
    ...headOf(told),
    ...findings.filter(({ status }) => status !== 'confirmed').flatMap(linesOf),
    ...gaps.map(({ what, name, why }) => `not_compared  ${what} ${quote(name)}: ${visible(why)}`),
    ...STATUSES.flatMap((status) => {
      const many = findings.filter((finding) => finding.status === status).length;
      return many === 0 ? [] : [`${String(many).padStart(5)}  ${WORDS[status]}`];
    }),
    ...(others.tags + others.mounts === 0
      ? []
      : [`       beside them ${others.tags} tags and ${others.mounts} mounts of other accounts`]),
    verdict(told),
  ];
  return `${lines.join('\n')}\n`;
}

function headOf({ log, sites }: Reconciled): readonly string[] {
  const { calls, waived, observed, chain, broken } = log;
  const none =
    waived + observed === 0 ? '' : `, ${waived} waived and ${observed} only observed, without a tag to expect`;
  return [
    `log ${quote(log.dir, 1_000)}: ${calls} calls${none}; ${chain === 'whole' ? 'its chain is whole' : `its chain is ${chain}: ${visible(broken ?? '')}`}`,
    ...sites.map(({ site, aheadMs, events, from }) => {
      const known = events === undefined ? 'events not read' : `${events} events of tags and mounts`;
      const back = from === undefined ? '' : `, the oldest of any kind from ${visible(from)}`;
      return `site ${quote(site)}: ${known}${back}; its clock is ${clockText(aheadMs)}`;
    }),
  ];
}

function clockText(aheadMs: number): string {
  if (Math.abs(aheadMs) < 2_000) return 'that of this machine';
  return `${seconds(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead' : 'behind'}`;
}

function linesOf({
  status,
  kind,
  site,
  vpg,
  tag,
  at,
  calls,
  user,
  why,
  checkpointIdentifier,
}: Finding): readonly string[] {
  const what = tag === undefined ? kind : `${kind} ${quote(tag)}`;
  const point = checkpointIdentifier === undefined ? '' : ` checkpoint ${visible(checkpointIdentifier)}`;
  return [
    `${DIFFERS.has(status) ? status.toUpperCase() : status}  ${what}`,
    `    ${visible(at)}  VPG ${quote(vpg)} at ${quote(site)}${point}${user === undefined ? '' : ` by ${quote(user)}`}${calls.length === 0 ? '' : `  ${calls.map((call) => visible(call)).join(' ')}`}`,
    `    ${visible(why)}`,
  ];
}

function verdict({ ok, complete, log }: Reconciled): string {
  if (log.chain === 'broken') return 'The log is broken: see audit verify. What it says proves nothing.';
  if (!ok) return 'The log and the appliances DIFFER.';
  return complete ? 'The log and the appliances agree.' : 'Nothing differs, but not everything could be compared.';
}
