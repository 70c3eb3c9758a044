import type { Checkpoint, Receipt, ReceiptVm, ReceiptVpg } from '../domain/receipt.js';
import type { Vm, Vpg } from '../domain/target.js';
import { quote, visible } from '../domain/text.js';
import { refuse } from './answer.js';
import type { NativeDeps, ReceiptState } from './deps.js';
import { inReceipts, isNativeTool, oneTarget } from './resolve.js';
import type { RecoverFileArgs } from './schemas.js';

/** Where a recovery reads from: a checkpoint that its journal lists now, and that can be mounted. */
export interface Source {
  readonly vm: Pick<Vm, 'name' | 'vmIdentifier'>;
  readonly vpg: Vpg;
  readonly checkpoint: Checkpoint;
  readonly receipt?: Receipt | undefined;
}

/** What it takes to find a source; the scope bounds whom it is found for. */
export type SourceDeps = Pick<NativeDeps, 'find' | 'receipts' | 'reaches' | 'inventory'> & {
  readonly recovery: Pick<NativeDeps['recovery'], 'scope'>;
  readonly appliances: Pick<NativeDeps['appliances'], 'checkpoint' | 'mountable'>;
};

/** How a source is named: a receipt, or a VM and a checkpoint. */
export type SourceArgs = Pick<RecoverFileArgs, 'receipt' | 'vm' | 'checkpoint' | 'vpg' | 'from'>;

/** A point that would do, until the appliance was asked. */
interface Candidate {
  readonly vpg: Vpg;
  readonly wanted: { readonly checkpointIdentifier: string; readonly timestamp?: string | undefined };
}

/**
 * Finds VM, VPG and checkpoint from a receipt, or from `vm` and `checkpoint`; stops outside `recovery.scope`. Of several VPGs
 * it takes the newest point that can be mounted.
 */
export async function sourceOf(args: SourceArgs, deps: SourceDeps, signal: AbortSignal): Promise<Source> {
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

async function fromReceipt(id: string, args: SourceArgs, deps: SourceDeps, signal: AbortSignal): Promise<Source> {
  const known = await deps.receipts.find(id);
  if (known === undefined)
    refuse(
      'TARGET_UNRESOLVED',
      `There is no receipt ${quote(id, 64)}; zerto_list_receipts lists them, for people "audit list".`,
    );
  const { receipt } = known;
  receiptInScope(known, deps);
  const vm = vmOf(receipt, args.vm);
  if (deps.recovery.scope === 'targets') await reached(vm, deps, signal);
  const protecting = await vpgsNow(vm, deps, signal);
  const candidates = vm.vpgs.flatMap((pinned) =>
    protecting
      .filter((vpg) => vpg.vpgIdentifier === pinned.vpgIdentifier)
      .map((vpg) => ({ vpg, wanted: pointOf(pinned, args.from) })),
  );
  const newestFirst = named(candidates, args.vpg).sort(
    (a, b) => Date.parse(b.wanted.timestamp) - Date.parse(a.wanted.timestamp),
  );
  return { vm, receipt, ...(await choose(newestFirst, vm.vmIdentifier, deps, signal)) };
}

function pointOf(
  vpg: ReceiptVpg,
  from: SourceArgs['from'],
): { readonly checkpointIdentifier: string; readonly timestamp: string } {
  return from === 'tag' ? vpg.tag : vpg.recoverFrom;
}

function receiptInScope({ receipt, state }: ReceiptState, deps: SourceDeps): void {
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
  args: SourceArgs,
  deps: SourceDeps,
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
  const candidates = vm.vpgs.map((vpg) => ({ vpg, wanted: { checkpointIdentifier } }));
  const left = args.vpg === undefined ? await listing(candidates, vm, deps, signal) : named(candidates, args.vpg);
  return { vm, ...(await choose(left, vm.vmIdentifier, deps, signal)) };
}

/** Checkpoints are numbered in each VPG by itself: of several VPGs exactly one must list the number. */
async function listing(
  candidates: readonly Candidate[],
  vm: Pick<Vm, 'name'>,
  deps: SourceDeps,
  signal: AbortSignal,
): Promise<readonly Candidate[]> {
  if (candidates.length < 2) return candidates;
  const states = await Promise.all(
    candidates.map(({ vpg, wanted }) => deps.appliances.checkpoint(vpg, wanted, signal)),
  );
  const listed = candidates.filter((_, index) => states[index]?.kind === 'listed');
  if (listed.length === 1) return listed;
  refuse(
    'TARGET_UNRESOLVED',
    `${quote(vm.name, 100)} is in several VPGs: ${namesOf(candidates.map(({ vpg }) => vpg))}, and ${listed.length === 0 ? 'none' : 'more than one'} of them lists this checkpoint. Say with vpg which is meant.`,
  );
}

async function reached(vm: Pick<Vm, 'name' | 'vmIdentifier'>, deps: SourceDeps, signal: AbortSignal): Promise<void> {
  if (await deps.reaches(vm.vmIdentifier, signal)) return;
  refuse('APPROVAL_DENIED', `No wrapped server reaches ${quote(vm.name, 100)}, so nothing is recovered from it.`);
}

async function vpgsNow(vm: ReceiptVm, deps: SourceDeps, signal: AbortSignal): Promise<readonly Vpg[]> {
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

function named<T extends Candidate>(candidates: readonly T[], wanted: string | undefined): T[] {
  if (wanted === undefined) return [...candidates];
  const found = candidates.filter(
    ({ vpg }) => vpg.vpgIdentifier === wanted || vpg.name.toLowerCase() === wanted.toLowerCase(),
  );
  if (found.length === 1) return found;
  refuse(
    'TARGET_UNRESOLVED',
    `${quote(wanted, 100)} is not exactly one of the VPGs ${namesOf(candidates.map(({ vpg }) => vpg))}.`,
  );
}

/** The first that can be mounted; where none can, every reason is told. */
async function choose(
  candidates: readonly Candidate[],
  vmIdentifier: string,
  deps: SourceDeps,
  signal: AbortSignal,
): Promise<Pick<Source, 'vpg' | 'checkpoint'>> {
  const reasons: string[] = [];
  let gone = true;
  for (const { vpg, wanted } of candidates) {
    const state = await deps.appliances.mountable(vpg, vmIdentifier, wanted, signal);
    if (state.kind === 'yes') return { vpg, checkpoint: state.checkpoint };
    gone &&= state.kind !== 'no';
    reasons.push(state.kind === 'no' ? `${quote(vpg.name, 100)}: ${visible(state.why)}` : goneText(vpg, wanted, state));
  }
  if (gone) refuse('ZVM_REJECTED', `${reasons.join('. ')}. Nothing can be recovered from it.`);
  refuse('ZVM_UNREACHABLE', `Files cannot be recovered here. ${reasons.join('. ')}. A human can recover them there.`);
}

function goneText(vpg: Vpg, wanted: Candidate['wanted'], { kind }: { readonly kind: 'expired' | 'lost' }): string {
  const why =
    kind === 'expired'
      ? 'is older than the journal'
      : 'is not in the journal (it shrank, or the VPG was synchronised anew)';
  return `Checkpoint ${visible(wanted.checkpointIdentifier)} of VPG ${quote(vpg.name, 100)} ${why}: the receipt is ${kind}`;
}

function namesOf(vpgs: readonly Vpg[]): string {
  return vpgs.map((vpg) => quote(vpg.name, 100)).join(', ');
}
