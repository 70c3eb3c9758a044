import type { Receipt, ReceiptVm, ReceiptVpg } from '../domain/receipt.js';
import type { Vm, Vpg } from '../domain/target.js';
import { quote, visible } from '../domain/text.js';
import { refuse } from './answer.js';
import type { NativeDeps, ReceiptState } from './deps.js';
import { inReceipts, isNativeTool, oneTarget } from './resolve.js';
import type { RecoverFileArgs } from './schemas.js';

/** Where a recovery reads from. `timestamp` is absent until the journal was asked. */
export interface Source {
  readonly vm: Pick<Vm, 'name' | 'vmIdentifier'>;
  readonly vpg: Vpg;
  readonly checkpointIdentifier: string;
  readonly timestamp?: string | undefined;
  readonly receipt?: Receipt | undefined;
}

/** Finds VM, VPG and checkpoint from a receipt, or from `vm` and `checkpoint`; stops outside `recovery.scope`. */
export async function sourceOf(args: RecoverFileArgs, deps: NativeDeps, signal: AbortSignal): Promise<Source> {
  if (args.receipt !== undefined) {
    if (args.checkpoint !== undefined) refuse('INVALID_ARGUMENTS', 'Give receipt, or vm and checkpoint, not both.');
    return fromReceipt(args.receipt, args, deps, signal);
  }
  if (args.vm === undefined || args.checkpoint === undefined) {
    refuse('INVALID_ARGUMENTS', 'Give receipt, or vm and checkpoint. zerto_list_receipts lists receipts.');
  }
  if (args.from !== undefined) refuse('INVALID_ARGUMENTS', 'from goes together with receipt.');
  return fromVm(args.vm, args.checkpoint, args, deps, signal);
}

async function fromReceipt(id: string, args: RecoverFileArgs, deps: NativeDeps, signal: AbortSignal): Promise<Source> {
  const known = await deps.receipts.find(id);
  if (known === undefined)
    refuse('TARGET_UNRESOLVED', `There is no receipt ${quote(id, 64)}; zerto_list_receipts lists them.`);
  const { receipt } = known;
  receiptInScope(known, deps);
  const vm = vmOf(receipt, args.vm);
  if (deps.recovery.scope === 'targets') await reached(vm, deps, signal);
  const protecting = await vpgsNow(vm, deps, signal);
  const vpg = await choose(
    vm.vpgs.map((each) => each.vpgIdentifier),
    protecting,
    args.vpg,
    deps,
    signal,
  );
  const pinned = vm.vpgs.find((each) => each.vpgIdentifier === vpg.vpgIdentifier);
  if (pinned === undefined)
    refuse('TARGET_UNRESOLVED', `The receipt has no checkpoint in VPG ${quote(vpg.name, 100)}.`);
  const { checkpointIdentifier, timestamp } = pointOf(pinned, args.from);
  return { vm, vpg, checkpointIdentifier, timestamp, receipt };
}

function pointOf(
  vpg: ReceiptVpg,
  from: RecoverFileArgs['from'],
): { readonly checkpointIdentifier: string; readonly timestamp: string } {
  return from === 'tag' ? vpg.tag : vpg.recoverFrom;
}

function receiptInScope({ receipt, state }: ReceiptState, deps: NativeDeps): void {
  const id = visible(receipt.id);
  if (receipt.vms.length === 0) {
    refuse(
      'TARGET_UNRESOLVED',
      `Receipt ${id} has no checkpoint: its call was let through without one, so nothing can be recovered from it.`,
    );
  }
  if (deps.recovery.scope !== 'receipts') return;
  if (isNativeTool(receipt.tool)) {
    refuse(
      'APPROVAL_DENIED',
      `Receipt ${id} belongs to a checkpoint that you asked for, not to a call that was forwarded; a human can recover from it.`,
    );
  }
  if (state === 'pinned') refuse('APPROVAL_DENIED', `The call of receipt ${id} is not over; recover when it is.`);
  if (state === 'not_sent')
    refuse('APPROVAL_DENIED', `The call of receipt ${id} was never forwarded, so it changed nothing.`);
}

function vmOf(receipt: Receipt, wanted: string | undefined): ReceiptVm {
  const [first, second] = receipt.vms;
  const names = receipt.vms.map((vm) => quote(vm.name, 60)).join(', ');
  if (wanted === undefined) {
    if (first !== undefined && second === undefined) return first;
    refuse('TARGET_UNRESOLVED', `Receipt ${visible(receipt.id)} has several VMs: ${names}. Say which with vm.`);
  }
  const found = receipt.vms.filter(
    (vm) => vm.vmIdentifier === wanted || vm.name.toLowerCase() === wanted.toLowerCase(),
  );
  const [vm, other] = found;
  if (vm === undefined || other !== undefined) {
    refuse(
      'TARGET_UNRESOLVED',
      `${quote(wanted, 100)} is not exactly one VM of receipt ${visible(receipt.id)}, which has ${names}.`,
    );
  }
  return vm;
}

async function fromVm(
  name: string,
  checkpointIdentifier: string,
  args: RecoverFileArgs,
  deps: NativeDeps,
  signal: AbortSignal,
): Promise<Source> {
  const { vm } = await oneTarget(name, deps, signal);
  const { scope } = deps.recovery;
  if (scope === 'targets') await reached(vm, deps, signal);
  if (scope === 'receipts' && !(await inReceipts(vm.vmIdentifier, deps))) {
    refuse(
      'APPROVAL_DENIED',
      `No call that was forwarded here may have changed ${quote(vm.name, 100)}, so nothing is recovered from it.`,
    );
  }
  if (args.vpg === undefined && vm.vpgs.length > 1) {
    refuse(
      'TARGET_UNRESOLVED',
      `${quote(vm.name, 100)} is in several VPGs: ${namesOf(vm.vpgs)}. Say with vpg in which the checkpoint is.`,
    );
  }
  const vpg = await choose(
    vm.vpgs.map((each) => each.vpgIdentifier),
    vm.vpgs,
    args.vpg,
    deps,
    signal,
  );
  return { vm, vpg, checkpointIdentifier };
}

async function reached(vm: Pick<Vm, 'name' | 'vmIdentifier'>, deps: NativeDeps, signal: AbortSignal): Promise<void> {
  if (await deps.reaches(vm.vmIdentifier, signal)) return;
  refuse('APPROVAL_DENIED', `No wrapped server reaches ${quote(vm.name, 100)}, so nothing is recovered from it.`);
}

async function vpgsNow(vm: ReceiptVm, deps: NativeDeps, signal: AbortSignal): Promise<readonly Vpg[]> {
  const now = (await deps.inventory.vms(signal)).find((each) => each.vmIdentifier === vm.vmIdentifier);
  const vpgs = (now?.vpgs ?? []).filter((vpg) => vm.vpgs.some((each) => each.vpgIdentifier === vpg.vpgIdentifier));
  if (vpgs.length === 0) {
    refuse(
      'TARGET_UNPROTECTED',
      `No VPG of this receipt protects ${quote(vm.name, 100)} any more: its checkpoints are lost.`,
    );
  }
  return vpgs;
}

/** The VPG that was named, else the first whose recovery site answers. */
async function choose(
  order: readonly string[],
  vpgs: readonly Vpg[],
  wanted: string | undefined,
  deps: NativeDeps,
  signal: AbortSignal,
): Promise<Vpg> {
  const sorted = order.flatMap((id) => vpgs.filter((vpg) => vpg.vpgIdentifier === id));
  const named =
    wanted === undefined
      ? sorted
      : sorted.filter((vpg) => vpg.vpgIdentifier === wanted || vpg.name.toLowerCase() === wanted.toLowerCase());
  if (wanted !== undefined && named.length !== 1) {
    refuse('TARGET_UNRESOLVED', `${quote(wanted, 100)} is not exactly one of the VPGs ${namesOf(sorted)}.`);
  }
  const reasons: string[] = [];
  for (const vpg of named) {
    const answer = await deps.appliances.recoverable(vpg, signal);
    if (answer.kind === 'yes') return vpg;
    reasons.push(`${quote(vpg.name, 100)}: ${visible(answer.why)}`);
  }
  refuse(
    'ZVM_UNREACHABLE',
    `Files cannot be recovered here. ${reasons.join('. ')}. A human can recover them at that site.`,
  );
}

function namesOf(vpgs: readonly Vpg[]): string {
  return vpgs.map((vpg) => quote(vpg.name, 100)).join(', ');
}
