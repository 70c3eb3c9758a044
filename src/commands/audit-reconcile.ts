import { openAppliances } from '../appliances.js';
import type { CallRecords } from '../audit/calls.js';
import { namesOf } from '../audit/entry.js';
import { verify } from '../audit/verify.js';
import type { Config } from '../config/config.js';
import { stateDir } from '../config/paths.js';
import type { ApplianceRecords } from '../domain/evidence.js';
import type { Vm, Vpg } from '../domain/target.js';
import { quote } from '../domain/text.js';
import { compare } from '../reconcile/compare.js';
import { type Comparison, DIFFERS, type Gap } from '../reconcile/finding.js';
import { systemClock } from '../zerto/clock.js';
import type { Evidence } from '../zerto/evidence.js';
import { auditDirOf, type Context } from './context.js';
import { readArguments } from './options.js';
import { readClaims } from './reconcile-log.js';
import { reconcileText } from './reconcile-text.js';
import { isDay, timeAgo } from './times.js';
import { needsFile } from './wrap.js';

/** How the command is called. */
export const USAGE = `usage: zerto-rewind-proxy audit reconcile [--since TIME] [--until TIME] [--vm VM] [--json]

Compares the tags and recoveries that the audit log tells of with the appliances' own journals and events, both ways: what stands in
the log alone, and what the proxy's accounts did that no record tells of. It reads only. TIME is a date (2026-01-31,
2026-01-31T08:00:00Z) or an age (30m, 2h, 7d).

Exit codes: 0 they agree, 1 they differ or the log's chain is broken, 2 wrong usage or no appliance in the config, 3 nothing
differs, but not everything could be compared.
`;

/** Nothing differs, but not everything could be looked at; the same code as of audit verify. */
const NOT_COMPARED = 3;

/** Its options. */
export const OPTIONS = {
  since: { type: 'string' },
  until: { type: 'string' },
  vm: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** Times in milliseconds. */
interface Asked {
  readonly since: number | undefined;
  readonly until: number | undefined;
  readonly vm: string | undefined;
  readonly json: boolean;
}

interface LogState {
  readonly dir: string;
  readonly chain: 'whole' | 'broken' | 'not_checked';
  readonly broken?: string | undefined;
  readonly retained: boolean;
}

/** What the command prints with --json. `ok`: nothing differs and the log's chain is not broken. */
export interface Reconciled extends Comparison {
  readonly ok: boolean;
  readonly complete: boolean;
  readonly log: LogState & { readonly calls: number; readonly waived: number; readonly observed: number };
  readonly sites: readonly {
    readonly site: string;
    /** Its clock against this machine's. */
    readonly aheadMs: number;
    readonly events?: number | undefined;
    readonly from?: string | undefined;
  }[];
}

/** `audit reconcile …` */
export async function auditReconcileCommand(args: readonly string[], context: Context): Promise<number> {
  const { io, surroundings, log, signal } = context;
  const asked = read(args);
  if (typeof asked === 'string') {
    io.stderr.write(`audit reconcile: ${asked}\n${USAGE}`);
    return 2;
  }
  const config = await context.config();
  needsFile(context, config);
  if (config.zvm === undefined) {
    io.stderr.write(
      'audit reconcile: the config names no appliance under "zvm", so there is nothing to compare with\n',
    );
    return 2;
  }
  const appliances = openAppliances({
    zvm: config.zvm,
    timeoutSeconds: config.guard.timeoutSeconds,
    stateDir: stateDir(surroundings),
    clock: systemClock,
    log,
  });
  try {
    const told = await reconcile(
      { dir: await auditDirOf(context), accounts: accountsOf(config), evidence: await appliances.evidence() },
      asked,
      signal,
    );
    io.stdout.write(asked.json ? `${JSON.stringify(told, undefined, 2)}\n` : reconcileText(told));
    return exitCode(told);
  } finally {
    await appliances.close();
  }
}

export function exitCode({ ok, complete }: Pick<Reconciled, 'ok' | 'complete'>): number {
  if (!ok) return 1;
  return complete ? 0 : NOT_COMPARED;
}

interface Sides {
  readonly dir: string;
  readonly accounts: ReadonlyMap<string, string>;
  readonly evidence: Pick<Evidence, 'read'>;
}

/** Reads the log for what to ask, then the appliances, then the log again: so nothing is seen there before its intent is. */
export async function reconcile(
  { dir, accounts, evidence }: Sides,
  { since, until, vm }: Omit<Asked, 'json'>,
  signal: AbortSignal,
  now: () => number = Date.now,
): Promise<Reconciled> {
  const isAsked = askedFor(since, until, vm);
  const start = now();
  const log = await stateOf(dir);
  const first = await readClaims(dir, { isAsked, vms: [], newest: start });
  const tags = first.tags.filter(({ asked }) => asked);
  const claimed = new Set(tags.map(({ vpgIdentifier }) => vpgIdentifier));
  const isWanted = (each: Vm, { vpgIdentifier }: Vpg) =>
    vm === undefined || isNamed(each, vm) || claimed.has(vpgIdentifier);
  const range = { since, until, stamps: endsOf(tags), oldest: first.oldest, wants: isWanted };
  const records = await evidence.read(range, signal);
  const claims = await readClaims(dir, { isAsked, vms: records.vms, newest: start });
  const compared = compare(claims, records, {
    since: since ?? Number.NEGATIVE_INFINITY,
    until: until ?? Number.POSITIVE_INFINITY,
    forgotten: log.retained ? claims.oldest : undefined,
    accounts,
    allVpgs: vm === undefined,
  });
  const isKnown = vm === undefined || claims.counts.calls > 0 || records.vms.some((each) => isNamed(each, vm));
  const noVm: Gap = { what: 'vm', name: vm ?? '', why: 'neither the log nor a site that answered knows it' };
  return summary(log, claims.counts, records, { ...compared, gaps: [...compared.gaps, ...(isKnown ? [] : [noVm])] });
}

/** The first and the last stamp. */
function endsOf(tags: readonly { readonly timestamp: string }[]): readonly [number, number] | undefined {
  const stamps = tags.map(({ timestamp }) => Date.parse(timestamp)).sort((a, b) => a - b);
  const [first, last] = [stamps[0], stamps.at(-1)];
  return first === undefined || last === undefined ? undefined : [first, last];
}

function summary(
  log: LogState,
  counts: { readonly calls: number; readonly waived: number; readonly observed: number },
  records: ApplianceRecords,
  { findings, gaps, others }: Comparison,
): Reconciled {
  const open = log.chain === 'not_checked' ? [{ what: 'log', name: log.dir, why: log.broken ?? '' } as const] : [];
  const all = [...open, ...gaps];
  return {
    ok: log.chain !== 'broken' && !findings.some(({ status }) => DIFFERS.has(status)),
    complete:
      all.length === 0 && !findings.some((each) => [each.status, each.event, each.checkpoint].includes('not_compared')),
    log: { ...log, ...counts },
    sites: records.sites.map(({ site, aheadMs, answer }) => ({
      site,
      aheadMs,
      ...(answer.kind === 'read' ? { events: answer.events.length, from: answer.from } : {}),
    })),
    findings,
    gaps: all,
    others,
  };
}

/** Whether the log is what it was: a comparison with an altered one proves nothing. */
async function stateOf(dir: string): Promise<LogState> {
  const { ok, broken, unchecked, removed = [] } = await verify(dir);
  const retained = removed.length > 0;
  if (!ok) {
    const why = `first in ${quote(broken?.file ?? '')}, line ${broken?.line}: ${broken?.why ?? ''}`;
    return { dir, chain: 'broken', broken: why, retained };
  }
  if (unchecked === undefined) return { dir, chain: 'whole', retained };
  return { dir, chain: 'not_checked', broken: `${unchecked} of its files are of a newer version`, retained };
}

function askedFor(since: number | undefined, until: number | undefined, vm: string | undefined) {
  const [from, to] = [since ?? Number.NEGATIVE_INFINITY, until ?? Number.POSITIVE_INFINITY];
  return (call: CallRecords): boolean => {
    const at = Date.parse(call.intent.at);
    return at >= from && at <= to && (vm === undefined || namesOf(call).includes(vm.toLowerCase()));
  };
}

function isNamed({ name, vmIdentifier }: Vm, word: string): boolean {
  return [name, vmIdentifier].some((each) => each.toLowerCase() === word.toLowerCase());
}

/** By site, where the config says who logs in. */
function accountsOf({ zvm }: Config): ReadonlyMap<string, string> {
  const sites = zvm?.kind === 'sites' ? zvm.sites : [];
  return new Map(sites.flatMap(({ name, auth }) => (auth.grant === 'password' ? [[name, auth.username]] : [])));
}

function read(args: readonly string[]): Asked | string {
  const given = readArguments(args, OPTIONS);
  if (typeof given === 'string') return given;
  const { vm, json } = given.values;
  const [since, until] = [bound(given.values.since), bound(given.values.until, 86_400_000 - 1)];
  for (const [name, value] of [['since', since] as const, ['until', until] as const]) {
    if (value !== undefined && Number.isNaN(value))
      return `--${name} ${quote(given.values[name] ?? '')} is neither a date nor an age`;
  }
  return { since, until, vm, json };
}

/** Milliseconds, NaN for neither a date nor an age; a date without a time means its whole day, of which `wholeDay` is the part to add. */
function bound(value: string | undefined, wholeDay = 0): number | undefined {
  if (value === undefined) return undefined;
  const time = timeAgo(value) ?? Number.NaN;
  return isDay(value) ? time + wholeDay : time;
}
