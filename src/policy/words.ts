import type { ErrorCode } from '../domain/errors.js';
import type { Judged } from '../domain/ports.js';
import { type Target, type TargetProblem, UNNAMED } from '../domain/target.js';
import { quote } from '../domain/text.js';

const SHOWN = 10;
const REMEDY: Readonly<Record<TargetProblem['kind'], string>> = {
  unresolved: 'Name the host by the name, the address or the identifier of its VM, or ask a person to look at it.',
  ambiguous: 'Name the VM by its identifier, or ask a person to look at it.',
  unprotected: 'No checkpoint can be taken of this VM. Ask a person whether the change may be made without one.',
  exempt: 'Send the call for this host alone.',
};

/** The code of a problem for an agent and the records. */
export function codeOf(problem: TargetProblem): ErrorCode {
  return problem.kind === 'unprotected' ? 'TARGET_UNPROTECTED' : 'TARGET_UNRESOLVED';
}

/** What was found for one host. */
export function describeProblem({ host, kind, why, found }: TargetProblem): string {
  const named = host === '' ? 'The host of the call' : `Host ${quote(host, 80)}`;
  if (found.length === 0) return `${named} is ${kind}: ${why}.`;
  const label = kind === 'unresolved' ? 'Similar names' : 'Found';
  return `${named} is ${kind}: ${why}. ${label}: ${listed(found.map((name) => quote(name, 160)))}.`;
}

/** Problems as one text for an agent: what was found, that nothing was sent, what to do. */
export function problemReason(problems: readonly TargetProblem[]): string {
  const remedies = [...new Set(problems.map((problem) => REMEDY[problem.kind]))];
  return [
    ...problems.slice(0, SHOWN).map(describeProblem),
    ...more(problems.length),
    'The call was not sent.',
    ...remedies,
  ].join(' ');
}

/** What a human reads before they answer; every name from outside is quoted. */
export function questionText(judged: Judged, causes: readonly string[]): string {
  const { call, aim } = judged;
  const vms = aim.targets.map(describeTarget);
  return [
    `Agent ${quote(call.agent, 80)} calls tool ${quote(call.tool, 80)} of server ${quote(call.server.name, 80)}.`,
    ...commands(judged),
    ...causes,
    vms.length === 0
      ? 'No VM is known for it, so no checkpoint is taken.'
      : `Its checkpoint is already under way, on ${listed(vms)}.`,
  ].join('\n');
}

/** The parts that were not understood. */
export function unknownParts({ assessment }: Judged): string {
  const parts = assessment.findings.filter((finding) => finding.effect === 'unknown');
  if (parts.length === 0) return 'Nothing is known of what it does.';
  return `Not understood: ${listed(parts.map((part) => `${quote(part.subject, 120)} (${part.why})`))}.`;
}

/** Names in a row, cut at a number a person can read. */
export function listed(items: readonly string[]): string {
  const shown = items.slice(0, SHOWN).join(', ');
  return items.length > SHOWN ? `${shown} and ${items.length - SHOWN} more` : shown;
}

function describeTarget({ host, vm, unnamed }: Target): string {
  const vpgs = listed(vm.vpgs.map((vpg) => quote(vpg.name, 80)));
  const called = host === vm.name ? '' : ` (called ${quote(host, 80)})`;
  const alias = unnamed === undefined ? called : ` (the call names no host; this is ${UNNAMED[unnamed]})`;
  return `VM ${quote(vm.name, 80)}${alias} in VPG ${vpgs}`;
}

function commands({ reading }: Judged): readonly string[] {
  const sources = reading.operations.flatMap((operation) => (operation.kind === 'command' ? [operation.source] : []));
  return [...new Set(sources)].slice(0, 3).map((source) => `It runs: ${quote(source, 600)}`);
}

function more(count: number): readonly string[] {
  return count > SHOWN ? [`${count - SHOWN} more hosts have such problems.`] : [];
}
