import { type CallRecords, inOrder, outcomeOf, receiptOf } from '../audit/calls.js';
import type { Receipt, ReceiptVm, ReceiptVpg } from '../domain/receipt.js';
import { databaseOf } from '../native/deny-paths.js';
import { type LadderPoint, ladder, type Rung } from '../native/ladder.js';
import { pathsIn } from './rewind-paths.js';

/** How one path comes back: by the command, or by what is left where one file alone is no use. */
export type Way =
  | { readonly kind: 'recover'; readonly path: string }
  | { readonly kind: 'ladder'; readonly path: string; readonly why: string; readonly rungs: readonly Rung[] };

/** One VM of a step: the point that surely precedes the call, the newest of several VPGs. */
export interface StepVm {
  readonly name: string;
  readonly vmIdentifier: string;
  readonly vpg: ReceiptVpg;
  readonly minutesLost: number;
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

/** A file as it was before all of the steps: the oldest receipt that names it. */
export interface First {
  readonly vm: string;
  readonly path: string;
  readonly receipt: string;
}

/** Why a path must not go the usual way, or `undefined`. */
type Deny = (path: string) => string | undefined;

/** Whether a call belongs to a change, a session, a receipt or itself. */
export function belongsTo(id: string): (call: CallRecords) => boolean {
  return (call) => {
    const receipt = receiptOf(call);
    return [receipt?.change, receipt?.id, call.intent.session, call.intent.call].includes(id);
  };
}

/** The steps to undo calls, newest first; those that changed nothing are left out. */
export function stepsOf(calls: readonly CallRecords[], deny: Deny, now: Date): readonly Step[] {
  const changes = calls.filter((call) => mayHaveChanged(call));
  return inOrder(changes, ({ chain, seq, intent }) => ({ chain, seq, at: intent.at }))
    .toReversed()
    .map((call) => stepOf(call, deny, now));
}

const OWN = 'zerto-rewind';

function mayHaveChanged(call: CallRecords): boolean {
  const { effect, server } = call.intent;
  return effect !== 'read_only' && server !== OWN && ['forwarded', 'outcome_unknown'].includes(outcomeOf(call));
}

function stepOf(call: CallRecords, deny: Deny, now: Date): Step {
  const { intent, outcome } = call;
  const receipt = receiptOf(call);
  const paths = pathsIn(intent.arguments);
  const result = outcome?.result === undefined ? '' : ` (${outcome.result})`;
  return {
    call: intent.call,
    at: intent.at,
    agent: intent.agent,
    server: intent.server,
    tool: intent.tool,
    ran: intent.arguments,
    outcome: `${outcomeOf(call)}${result}`,
    receipt,
    vms: receipt === undefined ? [] : receipt.vms.flatMap((vm) => stepVm(vm, receipt, paths, deny, now)),
  };
}

function stepVm(vm: ReceiptVm, receipt: Receipt, paths: readonly string[], deny: Deny, now: Date): readonly StepVm[] {
  const [vpg] = [...vm.vpgs].sort((a, b) => Date.parse(b.recoverFrom.timestamp) - Date.parse(a.recoverFrom.timestamp));
  if (vpg === undefined) return [];
  const minutesLost = Math.max(0, Math.ceil((now.getTime() - Date.parse(vpg.recoverFrom.timestamp)) / 60_000));
  const { checkpointIdentifier, timestamp } = vpg.recoverFrom;
  const { name, vmIdentifier } = vm;
  const point = {
    receipt: receipt.id,
    vm: name,
    vmIdentifier,
    vpg: vpg.name,
    checkpointIdentifier,
    timestamp,
    minutesLost,
  };
  return [
    {
      name,
      vmIdentifier,
      vpg,
      minutesLost,
      ways: paths.map((path) => wayOf(path, point, deny)),
      rungs: ladder({ ...point, path: undefined }, 'folder'),
    },
  ];
}

function wayOf(path: string, point: LadderPoint, deny: Deny): Way {
  const database = databaseOf(path);
  if (database !== undefined) {
    const rungs = ladder({ ...point, path, domain: database.domain }, 'test_failover');
    return { kind: 'ladder', path, why: `it belongs to ${database.what}`, rungs };
  }
  const denied = deny(path);
  if (denied === undefined) return { kind: 'recover', path };
  return { kind: 'ladder', path, why: denied, rungs: ladder({ ...point, path }, 'test_failover') };
}

/** For each file that the steps name, the oldest point: what brings it back as it was before all of them. */
export function firstOf(steps: readonly Step[]): readonly First[] {
  const first = new Map<string, First>();
  for (const { receipt, vms } of steps) {
    for (const { name, ways } of vms) {
      for (const { kind, path } of ways) {
        if (kind === 'recover' && receipt !== undefined)
          first.set(JSON.stringify([name, path]), { vm: name, path, receipt: receipt.id });
      }
    }
  }
  return [...first.values()];
}
