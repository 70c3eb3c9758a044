import { ProxyError } from '../domain/errors.js';
import type { Checkpoint, ReceiptVm, ReceiptVpg } from '../domain/receipt.js';
import type { Vm, Vpg } from '../domain/target.js';
import { quote } from '../domain/text.js';
import type { Recovery } from '../zerto/recover-sites.js';

/** A point of a VPG's journal. */
export interface Point {
  readonly vpg: string;
  readonly checkpoint: Checkpoint;
}

/**
 * What the journal says now of the point that surely precedes a call. `stands`: `recover --receipt` takes it. `blocked`: it is
 * there, and its files cannot be taken. `gone`: `next` is the newest point before it that is left, `tag` the tagged one where
 * that is. `unknown`: nobody could be asked.
 */
export type Standing =
  | ({ readonly kind: 'stands' } & Point)
  | ({ readonly kind: 'blocked'; readonly why: string } & Point)
  | { readonly kind: 'gone'; readonly why: string; readonly next?: Point | undefined; readonly tag?: Point | undefined }
  | { readonly kind: 'unknown'; readonly why: string };

/** What it takes to look; `vms` are those that the appliances protect now. */
export interface Journals {
  readonly vms: readonly Vm[];
  readonly recovery: Pick<Recovery, 'mountable' | 'newestBefore'>;
}

type Pair = { readonly pinned: ReceiptVpg; readonly vpg: Vpg };

/** Looks at each VPG's point, the newest first, as a recovery by the receipt does. */
export async function standingOf(
  vm: Pick<ReceiptVm, 'vmIdentifier' | 'vpgs'>,
  journals: Journals,
  signal: AbortSignal,
): Promise<Standing> {
  try {
    return await look(vm, journals, signal);
  } catch (error) {
    if (!(error instanceof ProxyError) && !signal.aborted) throw error;
    return {
      kind: 'unknown',
      why: error instanceof ProxyError ? error.message : 'the appliance did not answer in time',
    };
  }
}

async function look(
  { vmIdentifier, vpgs }: Pick<ReceiptVm, 'vmIdentifier' | 'vpgs'>,
  { vms, recovery }: Journals,
  signal: AbortSignal,
): Promise<Standing> {
  const now = vms.find((each) => each.vmIdentifier === vmIdentifier)?.vpgs ?? [];
  const pairs = newestFirst(vpgs).flatMap((pinned): readonly Pair[] =>
    now.filter((vpg) => vpg.vpgIdentifier === pinned.vpgIdentifier).map((vpg) => ({ pinned, vpg })),
  );
  const why: string[] = pairs.length === 0 ? ['no VPG of its receipt protects the VM any more'] : [];
  let blocked: Standing | undefined;
  for (const { pinned, vpg } of pairs) {
    const state = await recovery.mountable(vpg, vmIdentifier, pinned.recoverFrom, signal);
    if (state.kind === 'yes') return { kind: 'stands', vpg: vpg.name, checkpoint: state.checkpoint };
    if (state.kind === 'no')
      blocked ??= { kind: 'blocked', vpg: vpg.name, checkpoint: pinned.recoverFrom, why: state.why };
    else why.push(goneText(pinned, state.kind));
  }
  if (blocked !== undefined) return blocked;
  return { kind: 'gone', why: why.join('; '), ...(await left(vmIdentifier, pairs, recovery, signal)) };
}

/** The VPGs of a receipt, the one whose point surely precedes the call by the least first. */
export function newestFirst(vpgs: readonly ReceiptVpg[]): readonly ReceiptVpg[] {
  return [...vpgs].sort((a, b) => Date.parse(b.recoverFrom.timestamp) - Date.parse(a.recoverFrom.timestamp));
}

function goneText({ name, recoverFrom }: ReceiptVpg, kind: 'expired' | 'lost'): string {
  const how =
    kind === 'expired'
      ? 'expired: it is older than the journal'
      : 'lost: it is not in the journal, which shrank or was synchronised anew';
  return `checkpoint ${recoverFrom.checkpointIdentifier} of VPG ${quote(name, 100)} is ${how}`;
}

/** Of several VPGs the newest point that can be mounted. */
async function left(
  vmIdentifier: string,
  pairs: readonly Pair[],
  recovery: Journals['recovery'],
  signal: AbortSignal,
): Promise<{ readonly next?: Point; readonly tag?: Point }> {
  const [earlier, tags]: [Point[], Point[]] = [[], []];
  const add = async (to: Point[], vpg: Vpg, wanted: Checkpoint | undefined): Promise<void> => {
    if (wanted === undefined) return;
    const state = await recovery.mountable(vpg, vmIdentifier, wanted, signal);
    if (state.kind === 'yes') to.push({ vpg: vpg.name, checkpoint: state.checkpoint });
  };
  for (const { pinned, vpg } of pairs) {
    await add(earlier, vpg, await recovery.newestBefore(vpg, pinned.recoverFrom.timestamp, signal));
    const late = pinned.tag.checkpointIdentifier !== pinned.recoverFrom.checkpointIdentifier;
    await add(tags, vpg, late ? pinned.tag : undefined);
  }
  const [next, tag] = [newest(earlier), newest(tags)];
  return { ...(next === undefined ? {} : { next }), ...(tag === undefined ? {} : { tag }) };
}

function newest(points: readonly Point[]): Point | undefined {
  return [...points].sort((a, b) => Date.parse(b.checkpoint.timestamp) - Date.parse(a.checkpoint.timestamp))[0];
}
