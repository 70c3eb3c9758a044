import { ProxyError } from '../domain/errors.js';
import type { Checkpoint } from '../domain/receipt.js';

/** A checkpoint by its identifier; its timestamp, where known, keeps the list short. */
export interface WantedCheckpoint {
  readonly checkpointIdentifier: string;
  readonly timestamp?: string | undefined;
}

/** `expired`: older than the journal. `lost`: not in it, though the journal reaches back that far, or gone with the VPG. */
export type CheckpointState =
  | { readonly kind: 'listed'; readonly checkpoint: Checkpoint }
  | { readonly kind: 'expired' | 'lost' };

/** What it takes to look into a VPG's journal. */
export interface JournalClient {
  checkpointStats(
    vpgIdentifier: string,
    signal: AbortSignal,
  ): Promise<{ readonly oldest?: Checkpoint | undefined; readonly newest?: Checkpoint | undefined }>;
  checkpoints(
    vpgIdentifier: string,
    range: { readonly since: Date; readonly until?: Date | undefined },
    signal: AbortSignal,
  ): Promise<readonly Checkpoint[]>;
}

const SLACK_MS = 2_000;

/** Whether a VPG's journal still lists a checkpoint. */
export async function checkpointState(
  client: JournalClient,
  vpgIdentifier: string,
  wanted: WantedCheckpoint,
  signal: AbortSignal,
): Promise<CheckpointState> {
  try {
    const { oldest } = await client.checkpointStats(vpgIdentifier, signal);
    if (oldest === undefined) return { kind: 'lost' };
    const listed = await client.checkpoints(
      vpgIdentifier,
      rangeAround(wanted.timestamp ?? oldest.timestamp, wanted),
      signal,
    );
    const checkpoint = listed.find((each) => each.checkpointIdentifier === wanted.checkpointIdentifier);
    if (checkpoint !== undefined) return { kind: 'listed', checkpoint };
    return { kind: isOlder(wanted, oldest) ? 'expired' : 'lost' };
  } catch (error) {
    if (error instanceof ProxyError && error.details['status'] === 404) return { kind: 'lost' };
    throw error;
  }
}

/** How far back it looks for an earlier checkpoint, step by step, in minutes; then to the journal's end. */
const STEPS = [10, 120, 24 * 60, Number.POSITIVE_INFINITY];

/**
 * The newest checkpoint that a VPG's journal lists from before a moment; `undefined` where it does not reach back that far.
 * Stamps are whole seconds: one of the same second may be a later one.
 */
export async function newestBefore(
  client: JournalClient,
  vpgIdentifier: string,
  timestamp: string,
  signal: AbortSignal,
): Promise<Checkpoint | undefined> {
  const until = new Date(timestamp);
  const { oldest } = await client.checkpointStats(vpgIdentifier, signal);
  const end = oldest === undefined ? Number.POSITIVE_INFINITY : Date.parse(oldest.timestamp);
  if (end >= until.getTime()) return undefined;
  for (const minutes of STEPS) {
    const since = new Date(Math.max(end, until.getTime() - minutes * 60_000));
    const listed = await client.checkpoints(vpgIdentifier, { since, until }, signal);
    const [newest] = listed
      .filter((each) => Date.parse(each.timestamp) < until.getTime())
      .sort((a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp));
    if (newest !== undefined) return newest;
    if (since.getTime() === end) break;
  }
  return oldest;
}

function rangeAround(timestamp: string, wanted: WantedCheckpoint): { readonly since: Date; readonly until?: Date } {
  const at = Date.parse(timestamp);
  const since = new Date(at - SLACK_MS);
  return wanted.timestamp === undefined ? { since } : { since, until: new Date(at + SLACK_MS) };
}

function isOlder(wanted: WantedCheckpoint, oldest: Checkpoint): boolean {
  if (wanted.timestamp !== undefined) return Date.parse(wanted.timestamp) < Date.parse(oldest.timestamp);
  return Number(wanted.checkpointIdentifier) < Number(oldest.checkpointIdentifier);
}
