import type { Receipt } from '../domain/receipt.js';
import { quote, visible } from '../domain/text.js';
import { answer, type NativeAnswer, refuse } from './answer.js';
import type { Caller, NativeDeps } from './deps.js';
import { oneTarget } from './resolve.js';
import type { CheckpointArgs } from './schemas.js';

/** Pins a tagged checkpoint on every VPG of one VM that the wrapped servers reach, and answers its receipt. */
export async function pinCheckpoint(
  tool: string,
  args: CheckpointArgs,
  deps: NativeDeps,
  caller: Caller,
  signal: AbortSignal,
): Promise<NativeAnswer> {
  const target = await oneTarget(args.vm, deps, signal);
  if (!(await deps.reaches(target.vm.vmIdentifier, signal))) {
    refuse('APPROVAL_DENIED', `No wrapped server reaches ${quote(target.vm.name, 100)}; no checkpoint was taken.`);
  }
  const receipt = await deps.checkpoint({ tool, target, action: args.action, change: args.change }, caller, signal);
  return answer(receiptText(receipt), { receipt }, { outcome: { receipt } });
}

function receiptText(receipt: Receipt): string {
  const lines = receipt.vms.flatMap((vm) =>
    vm.vpgs.map(
      (vpg) =>
        `- ${quote(vm.name, 100)} in VPG ${quote(vpg.name, 100)}: tag ${quote(vpg.tag.name)} of ${visible(vpg.tag.timestamp)}; recover from checkpoint ${visible(vpg.recoverFrom.checkpointIdentifier)} of ${visible(vpg.recoverFrom.timestamp)}`,
    ),
  );
  const simulated = receipt.simulated ? ' SIMULATED: no real VM is protected by it.' : '';
  return [
    `Receipt ${visible(receipt.id)}: pinned.${simulated}`,
    ...lines,
    ...(receipt.warnings ?? []),
    `Crash consistency per VPG; covers: ${receipt.covers}. What the guest has not written to disk is not in it.`,
  ].join('\n');
}
