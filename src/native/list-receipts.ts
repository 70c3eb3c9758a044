import type { Receipt, ReceiptVpg } from '../domain/receipt.js';
import { quote, visible } from '../domain/text.js';
import { answer, type NativeAnswer } from './answer.js';
import type { JournalState, NativeDeps, ReceiptState } from './deps.js';
import type { ListReceiptsArgs } from './schemas.js';

interface Listed {
  readonly receipt: Receipt;
  readonly state: ReceiptState['state'];
  /** By VPG identifier: whether the checkpoint to recover from is still in the journal. */
  readonly journal: Readonly<Record<string, JournalState>>;
}

/** How long the appliance may take to tell what is left of the journals, in milliseconds. */
const JOURNAL_WAIT = 5_000;
const DEFAULT_LIMIT = 20;

/** Lists receipts, newest first, within the scope: a VM that no wrapped server reaches is not told of. */
export async function listReceipts(
  args: ListReceiptsArgs,
  deps: NativeDeps,
  signal: AbortSignal,
): Promise<NativeAnswer> {
  const limit = args.limit ?? DEFAULT_LIMIT;
  const inReach = reachOf(deps, signal);
  const told: ReceiptState[] = [];
  // More than the limit, since those out of reach fall away.
  for await (const known of deps.receipts.each(args)) {
    if (told.length === limit) break;
    if (await inReach(known.receipt)) told.push(known);
  }
  const patience = AbortSignal.any([signal, AbortSignal.timeout(JOURNAL_WAIT)]);
  const listed = await Promise.all(told.map((known) => describe(known, deps, patience)));
  signal.throwIfAborted();
  const text = listed.length === 0 ? 'No receipts.' : listed.map(line).join('\n');
  return answer(text, { receipts: listed.map(({ receipt, state, journal }) => ({ ...receipt, state, journal })) });
}

/** Remembers what was asked: many receipts are of the same few VMs. */
function reachOf(deps: NativeDeps, signal: AbortSignal): (receipt: Receipt) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  const reaches = (vmIdentifier: string): Promise<boolean> => {
    const asked = known.get(vmIdentifier) ?? deps.reaches(vmIdentifier, signal);
    known.set(vmIdentifier, asked);
    return asked;
  };
  return async ({ vms }) =>
    deps.recovery.scope === 'all' || (await Promise.all(vms.map((vm) => reaches(vm.vmIdentifier)))).every(Boolean);
}

async function describe({ receipt, state }: ReceiptState, deps: NativeDeps, signal: AbortSignal): Promise<Listed> {
  const vpgs = receipt.vms.flatMap((vm) => vm.vpgs);
  const states = await Promise.all(
    vpgs.map(async (vpg) => [vpg.vpgIdentifier, await journalState(vpg, deps, signal)] as const),
  );
  return { receipt, state, journal: Object.fromEntries(states) };
}

/** Best effort: an appliance that does not answer leaves `unknown`. */
async function journalState(vpg: ReceiptVpg, deps: NativeDeps, signal: AbortSignal): Promise<JournalState> {
  try {
    return (await deps.appliances.checkpoint(vpg, vpg.recoverFrom, signal)).kind;
  } catch {
    return 'unknown';
  }
}

function line({ receipt, state, journal }: Listed): string {
  const vms = receipt.vms.map((vm) => {
    const vpgs = vm.vpgs.map((vpg) => `${quote(vpg.name, 60)} ${journal[vpg.vpgIdentifier] ?? 'unknown'}`);
    return `${quote(vm.name, 60)} (${vpgs.join(', ')})`;
  });
  const what = `${quote(receipt.server, 60)} ${quote(receipt.tool, 60)} by ${quote(receipt.agent, 60)}`;
  const simulated = receipt.simulated ? ' SIMULATED' : '';
  return `${visible(receipt.id)} ${visible(receipt.pinnedAt)} ${receipt.permit} ${state}${simulated}: ${what}; ${vms.join('; ') || 'no VM'}; change ${visible(receipt.change)}`;
}
