import { ProxyError } from '../domain/errors.js';
import type { Checkpoint } from '../domain/receipt.js';
import { type CheckpointState, checkpointState, type JournalClient, type WantedCheckpoint } from './recover-journal.js';

/** Whether files can be taken from a checkpoint: `no` says why not; `expired` and `lost` as in `CheckpointState`. */
export type Mountable =
  | { readonly kind: 'yes'; readonly checkpoint: Checkpoint }
  | { readonly kind: 'no'; readonly why: string }
  | Exclude<CheckpointState, { kind: 'listed' }>;

/** What it takes to look at a checkpoint the way one VM sees it. */
export interface PointsClient {
  pointsInTime(
    vmIdentifier: string,
    vpgIdentifier: string,
    range: { readonly since?: Date | undefined; readonly until?: Date | undefined },
    signal: AbortSignal,
  ): Promise<
    readonly {
      readonly checkpoint: Checkpoint;
      readonly canMount?: boolean | undefined;
      readonly reason?: string | undefined;
    }[]
  >;
}

const SLACK_MS = 2_000;

/** Looks before anybody is asked and anything is mounted: is the checkpoint there, and may it be mounted at `there`? */
export async function mountable(
  journal: JournalClient,
  there: PointsClient,
  point: { readonly vpgIdentifier: string; readonly vmIdentifier: string; readonly wanted: WantedCheckpoint },
  signal: AbortSignal,
): Promise<Mountable> {
  const { vpgIdentifier, vmIdentifier, wanted } = point;
  const state = await checkpointState(journal, vpgIdentifier, wanted, signal);
  if (state.kind !== 'listed') return state;
  const { checkpoint } = state;
  const at = Date.parse(checkpoint.timestamp);
  const range = { since: new Date(at - SLACK_MS), until: new Date(at + SLACK_MS) };
  const points = await there.pointsInTime(vmIdentifier, vpgIdentifier, range, signal).catch((error: unknown) => {
    // An appliance without this list still says no to the mount itself.
    if (signal.aborted || !(error instanceof ProxyError) || error.code !== 'ZVM_REJECTED') throw error;
    return [];
  });
  const seen = points.find((each) => each.checkpoint.checkpointIdentifier === checkpoint.checkpointIdentifier);
  if (seen?.canMount === false) {
    return { kind: 'no', why: seen.reason || 'the appliance does not allow this checkpoint to be mounted' };
  }
  return { kind: 'yes', checkpoint };
}
