import type { Target, Vm } from '../domain/target.js';
import { quote, visible } from '../domain/text.js';
import { refuse } from './answer.js';
import type { NativeDeps } from './deps.js';

/** The one protected VM that a name means; everything else stops the call with what was found. */
export async function oneTarget(vm: string, deps: Pick<NativeDeps, 'find'>, signal: AbortSignal): Promise<Target> {
  const { targets, problems } = await deps.find(vm, signal);
  const [problem] = problems;
  if (problem !== undefined) {
    const found =
      problem.found.length === 0 ? '' : ` Found: ${problem.found.map((name) => quote(name, 100)).join(', ')}.`;
    const code = problem.kind === 'unprotected' ? 'TARGET_UNPROTECTED' : 'TARGET_UNRESOLVED';
    refuse(code, `${quote(vm, 100)} is ${problem.kind}: ${visible(problem.why)}.${found}`);
  }
  const [target, second] = targets;
  if (target === undefined) refuse('TARGET_UNRESOLVED', `No VM is known as ${quote(vm, 100)}.`);
  if (second !== undefined) {
    const names = targets.map((each) => `${quote(each.vm.name, 100)} (${visible(each.vm.vmIdentifier)})`).join(', ');
    refuse('TARGET_UNRESOLVED', `${quote(vm, 100)} means more than one VM: ${names}. Name one by its identifier.`);
  }
  return target;
}

/** Whether the VM appears in a receipt of a call that was forwarded. */
export async function inReceipts(vmIdentifier: string, deps: Pick<NativeDeps, 'receipts'>): Promise<boolean> {
  for await (const { receipt, state } of deps.receipts.each({ vm: vmIdentifier })) {
    const isOf = receipt.vms.some((vm) => vm.vmIdentifier === vmIdentifier) && !isNativeTool(receipt.tool);
    if (isOf && (state === 'forwarded' || state === 'outcome_unknown')) return true;
  }
  return false;
}

/** A tag that a native tool made belongs to no call that changed something. */
export function isNativeTool(name: string): boolean {
  return PINS_BY_ITSELF.includes(name);
}

const PINS_BY_ITSELF = ['zerto_create_tagged_checkpoint', 'zerto_guard_before_mutate'];

/** Stops unless the VM may be looked at: `recovery.scope`, and what the wrapped servers reach. */
export async function withinReach(
  vm: Pick<Vm, 'name' | 'vmIdentifier'>,
  deps: NativeDeps,
  signal: AbortSignal,
): Promise<void> {
  const { scope } = deps.recovery;
  if (scope === 'all' || (await deps.reaches(vm.vmIdentifier, signal))) return;
  if (scope === 'receipts' && (await inReceipts(vm.vmIdentifier, deps))) return;
  refuse('APPROVAL_DENIED', `No wrapped server reaches ${quote(vm.name, 100)}, so nothing is told of it here.`);
}
