import type { Receipt } from '../domain/receipt.js';
import { type CallRecords, outcomeOf, receiptOf } from './calls.js';

/** One call as `audit list --json` prints it. `vms` holds VM names, or the hosts as the caller wrote them where none resolved. */
export interface CallEntry {
  readonly call: string;
  readonly at: string;
  readonly session: string;
  readonly agent: string;
  readonly server: string;
  readonly tool: string;
  readonly vms: readonly string[];
  readonly hosts: readonly string[];
  readonly effect: string;
  readonly decision: string;
  readonly rule: string;
  readonly outcome: string;
  readonly result?: string | undefined;
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
  readonly tags: readonly string[];
  readonly receipt?: string | undefined;
  readonly change?: string | undefined;
  readonly permit?: string | undefined;
  readonly waivedBy?: string | undefined;
  readonly answeredBy?: string | undefined;
  /** How long the human took. */
  readonly answeredAfterMs?: number | undefined;
  readonly mode?: string | undefined;
  readonly simulated?: boolean | undefined;
}

/** One call from its records. */
export function entryOf(call: CallRecords): CallEntry {
  const { intent, permit, outcome } = call;
  const receipt = receiptOf(call);
  const names = [
    ...new Set([...intent.targets.map((target) => target.vm), ...(receipt?.vms ?? []).map((vm) => vm.name)]),
  ];
  const unresolved = intent.hosts.filter((host) => !intent.targets.some((target) => target.host === host));
  return {
    call: intent.call,
    at: intent.at,
    session: intent.session,
    agent: intent.agent,
    server: intent.server,
    tool: intent.tool,
    vms: names.length > 0 ? [...names, ...(intent.targets.length > 0 ? unresolved : [])] : intent.hosts,
    hosts: intent.hosts,
    effect: intent.effect,
    decision: intent.decision,
    rule: intent.rule,
    outcome: outcomeOf(call),
    result: outcome?.result,
    code: outcome?.code ?? intent.code,
    reason: outcome?.reason ?? intent.reason,
    tags: tagsOf(receipt),
    receipt: receipt?.id,
    change: receipt?.change,
    permit: receipt?.permit,
    waivedBy: receipt?.waivedBy ?? intent.waivedBy,
    answeredBy: permit?.answeredBy ?? outcome?.answeredBy,
    answeredAfterMs: permit?.answeredAfterMs ?? outcome?.answeredAfterMs,
    mode: receipt?.mode ?? intent.mode,
    simulated: receipt?.simulated,
  };
}

function tagsOf(receipt: Receipt | undefined): readonly string[] {
  return [...new Set(receipt?.vms.flatMap((vm) => vm.vpgs.map((vpg) => vpg.tag.name)))];
}

/** Every name and identifier of a VM that a call is about, in lower case. */
export function namesOf(call: CallRecords, entry: CallEntry = entryOf(call)): readonly string[] {
  const ids = [...call.intent.targets, ...(receiptOf(call)?.vms ?? [])].map((target) => target.vmIdentifier);
  return [...entry.vms, ...entry.hosts, ...ids].map((name) => name.toLowerCase());
}

/** Everything the log says of one call, with its receipt in full. */
export function detailsOf(call: CallRecords): object {
  const { kind: _, ...intent } = call.intent;
  return {
    ...intent,
    ...entryOf(call),
    receipt: receiptOf(call),
    permittedAt: call.permit?.at,
    endedAt: call.outcome?.at,
    file: call.file,
  };
}
