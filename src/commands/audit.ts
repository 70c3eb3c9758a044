import { type CallRecords, inOrder, type Opened, readCalls, receiptOf } from '../audit/calls.js';
import { type CallEntry, detailsOf, entryOf, namesOf } from '../audit/entry.js';
import { findCall } from '../audit/find-call.js';
import { followCalls } from '../audit/follow.js';
import { DECISIONS } from '../domain/decision.js';
import type { Receipt } from '../domain/receipt.js';
import { UNNAMED } from '../domain/target.js';
import { counted, quote, visible } from '../domain/text.js';
import { lineOf, tableOf } from './audit-table.js';
import { verifyDirectory } from './audit-verify.js';
import { type Arguments, didYouMean, type OptionTable, readArguments } from './options.js';
import { isDay, timeAgo } from './times.js';

/** Where a command writes; process.stdout and process.stderr fit. */
export interface CommandIo {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

/** How the command is called. */
export const USAGE = `usage: zerto-rewind-proxy audit list [--follow] [--json] [--vm VM] [--agent NAME] [--since TIME] [--until TIME] [--change ID] [--decision WORD]
       zerto-rewind-proxy audit show [--json] RECEIPT|CALL
       zerto-rewind-proxy audit verify [--json] [--public-key FILE] [--anchor FILE]
       zerto-rewind-proxy audit export --to jsonl|ocsf|syslog|otlp [--send] [--since TIME] | --test-event
       zerto-rewind-proxy audit reconcile [--json] [--vm VM] [--since TIME] [--until TIME]
TIME is a date (2026-01-31, 2026-01-31T08:00:00Z) or an age (30m, 2h, 7d); WORD is one of ${DECISIONS.join(', ')}.
--follow prints calls as they end, with --json one to a line. Exit codes of verify: 0 whole, 1 broken, 2 a key or an anchor that
cannot be used, 3 nothing broken, but files of a newer version that were not checked. reconcile compares the log with the
appliances: 0 they agree, 1 they differ, 3 nothing differs, but not everything could be compared.
`;

/** The words and options of it, and the words that have options of their own. */
export const WORDS = ['list', 'show', 'verify', 'export', 'reconcile'] as const;
export const UNDER = new Map<string, () => Promise<{ readonly USAGE: string; readonly OPTIONS: OptionTable }>>([
  ['export', () => import('./audit-export.js')],
  ['reconcile', () => import('./audit-reconcile.js')],
]);
export const OPTIONS = {
  json: { type: 'boolean' },
  follow: { type: 'boolean' },
  vm: { type: 'string' },
  agent: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  change: { type: 'string' },
  decision: { type: 'string', value: DECISIONS },
  'public-key': { type: 'string', value: 'file' },
  anchor: { type: 'string', value: 'file' },
} as const;
type Values = Arguments<typeof OPTIONS>['values'];

class UsageError extends Error {}

/** Reads the audit log in `dir`: `list`, `show`, `verify`. Answers the exit code: 0, 1 (not found, broken), 2 (usage). */
export async function auditCommand(
  args: readonly string[],
  dir: string,
  io: CommandIo,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  try {
    const given = readArguments(args, OPTIONS, { words: true });
    if (typeof given === 'string') throw new UsageError(given);
    const { values, words } = given;
    return await run(words, values, dir, io, signal);
  } catch (error) {
    if (error instanceof UsageError) io.stderr.write(`audit: ${error.message}\n${USAGE}`);
    else io.stderr.write(`audit: ${quote(dir)} cannot be read: ${visible(String(error))}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function run(words: readonly string[], values: Values, dir: string, io: CommandIo, signal: AbortSignal) {
  const [command, ...rest] = words;
  if (command === 'show' && rest[0] !== undefined && rest.length === 1) return show(rest[0], values, dir, io);
  if (rest.length === 0 && command === 'verify') return verifyDirectory(values, dir, io);
  if (rest.length === 0 && command === 'list')
    return values.follow === true ? follow(values, dir, io, signal) : list(values, dir, io);
  throw new UsageError(noCommand(words));
}

function noCommand(words: readonly string[]): string {
  const [command] = words;
  if (command === undefined) return `a command is missing: ${WORDS.join(', ')}`;
  if (command === 'show') return 'show takes one receipt or call';
  return `not understood: ${quote(words.join(' '))}${WORDS.some((word) => word === command) ? '' : didYouMean(command, WORDS)}`;
}

async function list(values: Values, dir: string, io: CommandIo): Promise<number> {
  const keep = filterOf(values);
  const kept: { readonly entry: CallEntry; readonly call: Opened }[] = [];
  let all = 0;
  for await (const call of readCalls(dir)) {
    const entry = entryOf(call);
    all += 1;
    if (keep(entry, call)) kept.push({ entry, call: { chain: call.chain, seq: call.seq, at: entry.at } });
  }
  const entries = inOrder(kept, ({ call }) => call).map(({ entry }) => entry);
  if (values.json === true) io.stdout.write(`${JSON.stringify(entries, undefined, 2)}\n`);
  else io.stdout.write(tableOf(entries));
  if (all === 0) io.stderr.write(`audit: no call is recorded in ${quote(dir)} yet\n`);
  else if (entries.length === 0)
    io.stderr.write(`audit: none of the ${counted(all, 'call')} in ${quote(dir)} is meant\n`);
  return 0;
}

async function follow(values: Values, dir: string, io: CommandIo, signal: AbortSignal): Promise<number> {
  const keep = filterOf(values);
  for await (const call of followCalls(dir, signal)) {
    const entry = entryOf(call);
    if (keep(entry, call)) io.stdout.write(`${values.json === true ? JSON.stringify(entry) : lineOf(entry)}\n`);
  }
  return 0;
}

type Keep = (entry: CallEntry, call: CallRecords) => boolean;

function filterOf(values: Values): Keep {
  const { vm, agent, change, decision } = values;
  if (decision !== undefined && !DECISIONS.some((word) => word === decision)) {
    throw new UsageError(`--decision ${quote(decision)} is none of ${DECISIONS.join(', ')}`);
  }
  const since = timeOf('since', values.since, 0) ?? Number.NEGATIVE_INFINITY;
  const until = timeOf('until', values.until, 86_400_000 - 1) ?? Number.POSITIVE_INFINITY;
  return (entry, call) =>
    (vm === undefined || namesOf(call, entry).includes(vm.toLowerCase())) &&
    (agent === undefined || entry.agent === agent) &&
    (change === undefined || entry.change === change) &&
    (decision === undefined || entry.decision === decision) &&
    Date.parse(entry.at) >= since &&
    Date.parse(entry.at) <= until;
}

/** Milliseconds; a date without a time means its whole day, of which `wholeDay` is the part to add. */
function timeOf(option: string, value: string | undefined, wholeDay: number): number | undefined {
  if (value === undefined) return undefined;
  const time = timeAgo(value);
  if (time === undefined) throw new UsageError(`--${option} ${quote(value)} is neither a date nor an age`);
  return isDay(value) ? time + wholeDay : time;
}

async function show(id: string, values: Values, dir: string, io: CommandIo): Promise<number> {
  const call = await findCall(dir, id);
  if (call !== undefined) {
    if (values.json === true) io.stdout.write(`${JSON.stringify(detailsOf(call), undefined, 2)}\n`);
    else io.stdout.write(`${textOf(call).join('\n')}\n`);
    return 0;
  }
  io.stderr.write(`audit: no call and no receipt ${quote(id)} in ${quote(dir)}\n`);
  return 1;
}

function textOf(call: CallRecords): readonly string[] {
  const entry = entryOf(call);
  const { intent } = call;
  return [
    lineOf(entry),
    `call ${visible(intent.call)}  session ${quote(intent.session)}  digest ${visible(intent.digest)}  file ${quote(call.file)}`,
    `rule ${quote(entry.rule)}${entry.waivedBy === undefined ? '' : `  waived by ${quote(entry.waivedBy)}`}${entry.answeredBy === undefined ? '' : `  answered by ${quote(entry.answeredBy)}`}`,
    ...(entry.reason === undefined ? [] : [`${entry.code ?? ''} ${quote(entry.reason, 1000)}`.trim()]),
    `arguments ${quote(JSON.stringify(intent.arguments), 4000)}`,
    ...intent.findings.map((finding) => `finding ${finding.effect} ${quote(finding.subject)}: ${quote(finding.why)}`),
    ...intent.targets.map(
      (target) =>
        `target ${nameOf(target.host)} → ${quote(target.vm)} (${visible(target.vmIdentifier)})${fromConfig(target)}`,
    ),
    ...intent.problems.map(
      (problem) =>
        `problem ${visible(problem.kind)} ${nameOf(problem.host)}: ${quote(problem.why)}${fromConfig(problem)}`,
    ),
    ...receiptLines(receiptOf(call)),
  ];
}

function nameOf(host: string): string {
  return host === '' ? '(the call names no host)' : quote(host);
}

function fromConfig({ unnamed }: { readonly unnamed?: keyof typeof UNNAMED | undefined }): string {
  return unnamed === undefined ? '' : `, not named by the call: ${UNNAMED[unnamed]} in the config`;
}

function receiptLines(receipt: Receipt | undefined): readonly string[] {
  if (receipt === undefined) return [];
  const { id, change, permit, covers, consistency, pinnedAt, forwardedAt } = receipt;
  const vpgs = receipt.vms.flatMap((vm) => vm.vpgs.map((vpg) => ({ vm, vpg })));
  return [
    `receipt ${visible(id)}  change ${quote(change)}  ${permit}  ${consistency}-consistent  covers ${covers}  pinned ${visible(pinnedAt)}  forwarded ${visible(forwardedAt ?? '-')}`,
    ...vpgs.flatMap(({ vm, vpg }) => [
      `  ${quote(vm.name)} in ${quote(vpg.name)} at ${quote(vpg.site)}`,
      `    tag ${quote(vpg.tag.name)}  checkpoint ${visible(vpg.tag.checkpointIdentifier)}  ${visible(vpg.tag.timestamp)}`,
      `    recover from checkpoint ${visible(vpg.recoverFrom.checkpointIdentifier)}  ${visible(vpg.recoverFrom.timestamp)}  ${quote(vpg.recoverFrom.why)}`,
    ]),
  ];
}
