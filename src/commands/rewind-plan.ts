import { type CallRecords, inOrder, outcomeOf, receiptOf } from '../audit/calls.js';
import { OWN_SERVER } from '../domain/call.js';
import type { Receipt, ReceiptVm } from '../domain/receipt.js';
import { databaseOf } from '../native/deny-paths.js';
import { type LadderPoint, ladder, type Rung } from '../native/ladder.js';
import { pathsIn } from './rewind-paths.js';
import { newestFirst, type Point, type Standing } from './rewind-points.js';

/** How one path comes back: by the command, or by what is left where one file alone is no use. */
export type Way =
  | { readonly kind: 'recover'; readonly path: string; readonly by: Source }
  | { readonly kind: 'ladder'; readonly path: string; readonly why: string; readonly rungs: readonly Rung[] };

/** How a point is named to `recover`. */
export type Source =
  | { readonly kind: 'receipt'; readonly receipt: string; readonly vm: string }
  | { readonly kind: 'checkpoint'; readonly checkpoint: string; readonly vpg: string; readonly vm: string };

/** One VM of a step: the point to start from, which precedes the call; none where no journal has one any more. */
export interface StepVm {
  readonly name: string;
  readonly vmIdentifier: string;
  readonly journal: Standing;
  readonly point?: Point | undefined;
  readonly minutesLost?: number | undefined;
  /** The paths that the call names. */
  readonly paths: readonly string[];
  readonly ways: readonly Way[];
  /** For what names no path: the larger steps. */
  readonly rungs: readonly Rung[];
}

/** One call that may have changed something. `ran`: its arguments as the audit log keeps them, redacted. */
export interface Step {
  readonly call: string;
  readonly at: string;
  readonly agent: string;
  readonly server: string;
  readonly tool: string;
  readonly ran: Readonly<Record<string, unknown>>;
  readonly outcome: string;
  readonly receipt: Receipt | undefined;
  readonly vms: readonly StepVm[];
}

/** A file as it was before all of the steps: the oldest point that names it. `late`: those before it are gone. */
export interface First {
  readonly vm: string;
  readonly path: string;
  readonly by?: Source | undefined;
  readonly late: boolean;
}

/** Why a path must not go the usual way, or `undefined`. */
type Deny = (path: string) => string | undefined;

/** Whether the point of a receipt still stands. */
type Stands = (receipt: Receipt, vm: ReceiptVm) => Promise<Standing>;

/** Whether a call belongs to a change, a session, a receipt or itself. */
export function belongsTo(id: string): (call: CallRecords) => boolean {
  return (call) => {
    const receipt = receiptOf(call);
    return [receipt?.change, receipt?.id, call.intent.session, call.intent.call].includes(id);
  };
}

/** The steps to undo calls, newest first; those that changed nothing are left out. */
export async function stepsOf(
  calls: readonly CallRecords[],
  deny: Deny,
  stands: Stands,
  now: Date,
): Promise<readonly Step[]> {
  const changes = calls.filter((call) => mayHaveChanged(call));
  const newestFirst = inOrder(changes, ({ chain, seq, intent }) => ({ chain, seq, at: intent.at })).toReversed();
  const steps: Step[] = [];
  for (const call of newestFirst) steps.push(await stepOf(call, deny, stands, now));
  return steps;
}

function mayHaveChanged(call: CallRecords): boolean {
  const { effect, server } = call.intent;
  return effect !== 'read_only' && server !== OWN_SERVER && ['forwarded', 'outcome_unknown'].includes(outcomeOf(call));
}

async function stepOf(call: CallRecords, deny: Deny, stands: Stands, now: Date): Promise<Step> {
  const { intent, outcome } = call;
  const receipt = receiptOf(call);
  const paths = pathsIn(intent.arguments);
  const result = outcome?.result === undefined ? '' : ` (${outcome.result})`;
  const vms: StepVm[] = [];
  for (const vm of receipt?.vms ?? []) {
    if (receipt === undefined || vm.vpgs.length === 0) continue;
    vms.push(stepVm(vm, receipt, await stands(receipt, vm), paths, deny, now));
  }
  return {
    call: intent.call,
    at: intent.at,
    agent: intent.agent,
    server: intent.server,
    tool: intent.tool,
    ran: intent.arguments,
    outcome: `${outcomeOf(call)}${result}`,
    receipt,
    vms,
  };
}

function stepVm(
  vm: ReceiptVm,
  receipt: Receipt,
  journal: Standing,
  paths: readonly string[],
  deny: Deny,
  now: Date,
): StepVm {
  const { name, vmIdentifier } = vm;
  const base = { name, vmIdentifier, journal, paths };
  const start = startOf(vm, receipt, journal);
  if (start === undefined) return { ...base, ways: [], rungs: [] };
  const { vpg, checkpoint } = start.point;
  const minutesLost = Math.max(0, Math.ceil((now.getTime() - Date.parse(checkpoint.timestamp)) / 60_000));
  const point: LadderPoint = {
    receipt: start.by.kind === 'receipt' ? receipt.id : undefined,
    vm: name,
    vmIdentifier,
    vpg,
    checkpointIdentifier: checkpoint.checkpointIdentifier,
    timestamp: checkpoint.timestamp,
    minutesLost,
  };
  const ways = paths.map((path) => wayOf(path, point, start, deny));
  const rungs = ladder(point, start.files ? 'folder' : 'test_failover');
  return { ...base, point: start.point, minutesLost, ways, rungs };
}

/** Where to start: the receipt's own point, or what is left in its place. `files`: they can be taken from it. */
interface Start {
  readonly point: Point;
  readonly by: Source;
  readonly files: boolean;
}

function startOf(vm: ReceiptVm, receipt: Receipt, journal: Standing): Start | undefined {
  const own = { kind: 'receipt', receipt: receipt.id, vm: vm.name } as const;
  if (journal.kind === 'stands' || journal.kind === 'blocked') {
    const { vpg, checkpoint } = journal;
    return { point: { vpg, checkpoint }, by: own, files: journal.kind === 'stands' };
  }
  if (journal.kind === 'gone')
    return journal.next && { point: journal.next, by: byNumber(vm, journal.next), files: true };
  const [vpg] = newestFirst(vm.vpgs);
  return vpg && { point: { vpg: vpg.name, checkpoint: vpg.recoverFrom }, by: own, files: true };
}

function byNumber({ vmIdentifier }: ReceiptVm, { vpg, checkpoint }: Point): Source {
  return { kind: 'checkpoint', checkpoint: checkpoint.checkpointIdentifier, vpg, vm: vmIdentifier };
}

function wayOf(path: string, point: LadderPoint, { by, files }: Start, deny: Deny): Way {
  const database = databaseOf(path);
  if (database !== undefined) {
    const rungs = ladder({ ...point, path, domain: database.domain }, 'test_failover');
    return { kind: 'ladder', path, why: `it belongs to ${database.what}`, rungs };
  }
  const why = deny(path) ?? (files ? undefined : 'its files cannot be taken from the journal now');
  if (why === undefined) return { kind: 'recover', path, by };
  return { kind: 'ladder', path, why, rungs: ladder({ ...point, path }, 'test_failover') };
}

/** For each file that the steps name, the oldest point: what brings it back as it was before all of them. */
export function firstOf(steps: readonly Step[]): readonly First[] {
  const first = new Map<string, First>();
  const named = steps.flatMap(({ vms }) => vms.flatMap((vm) => vm.paths.map((path) => ({ vm, path }))));
  for (const { vm, path } of named) {
    const key = JSON.stringify([vm.name, path]);
    const way = vm.ways.find((each) => each.path === path);
    if (way?.kind === 'recover') first.set(key, { vm: vm.name, path, by: way.by, late: false });
    else if (vm.point === undefined) first.set(key, { ...(first.get(key) ?? { vm: vm.name, path }), late: true });
  }
  return [...first.values()];
}
