import { quote } from '../domain/text.js';
import type { VpgState } from './shapes.js';

/** Whether a VPG takes a tag now; else its state in words, and what has to happen first. */
export type Readiness =
  | { readonly kind: 'ready' }
  | { readonly kind: 'blocked'; readonly state: string; readonly remedy: string };

/** Index = number on the wire. 3 and 4 are swapped in older documents; nothing here depends on which is which. */
const STATUSES = [
  'Initializing',
  'MeetingSLA',
  'NotMeetingSLA',
  'RpoNotMeetingSLA',
  'HistoryNotMeetingSLA',
  'FailingOver',
  'Moving',
  'Deleting',
  'Recovered',
];

const SUB_STATUSES = [
  'None',
  'InitialSync',
  'Creating',
  'VolumeInitialSync',
  'Sync',
  'RecoveryPossible',
  'DeltaSync',
  'NeedsConfiguration',
  'Error',
  'EmptyProtectionGroup',
  'DisconnectedFromPeerNoRecoveryPoints',
  'FullSync',
  'VolumeDeltaSync',
  'VolumeFullSync',
  'FailingOverCommitting',
  'FailingOverBeforeCommit',
  'FailingOverRollingBack',
  'Promoting',
  'MovingCommitting',
  'MovingBeforeCommit',
  'MovingRollingBack',
  'Deleting',
  'PendingRemove',
  'BitmapSync',
  'DisconnectedFromPeer',
  'ReplicationPausedUserInitiated',
  'ReplicationPausedSystemInitiated',
  'RecoveryStorageProfileError',
  'Backup',
  'RollingBack',
  'RecoveryStorageError',
  'JournalStorageError',
  'VmNotProtectedError',
  'JournalOrRecoveryMissingError',
  'AddedVmsInInitialSync',
  'ReplicationPausedForMissingVolume',
  'StoppingForFailover',
  'RollingBackFailoverLiveFailure',
  'RollingBackMoveFailure',
  'SplittingCommitting',
  'PreparePreseed',
];

/**
 * Checkpoints are written while the sub-status is None and the status is one of replication, whether or not it meets its SLA.
 * All else is blocked, also numbers that no document names.
 */
export function readiness(vpg: Pick<VpgState, 'status' | 'subStatus'>): Readiness {
  const { status, subStatus } = vpg;
  if (subStatus === 0 && status !== undefined && status >= 1 && status <= 4) return { kind: 'ready' };
  if (subStatus === 0) {
    const name = nameOf(STATUSES, status);
    return { kind: 'blocked', state: `status ${name}`, remedy: statusRemedy(status) };
  }
  const name = nameOf(SUB_STATUSES, subStatus);
  return { kind: 'blocked', state: `sub-status ${name}`, remedy: subStatusRemedy(name) };
}

function nameOf(names: readonly string[], value: number | undefined): string {
  if (value === undefined) return 'unknown (none was given)';
  const name = names[value];
  return name === undefined ? `unknown (${value})` : `${quote(name)} (${value})`;
}

function statusRemedy(status: number | undefined): string {
  if (status === 0) return 'The VPG is being set up: send the call again when it is initialised.';
  return status !== undefined && status >= 5 && status <= 8
    ? 'A failover, move or deletion is under way or done: the operator has to end it and protect the VM again.'
    : ASK;
}

const ASK = 'The operator has to look at the VPG in Zerto.';

const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [
    /Sync|Creating|PreparePreseed/,
    'Checkpoints resume when the synchronization is complete: send the call again then.',
  ],
  [/Paused/, 'Replication is paused: the operator has to resume the VPG.'],
  [/Disconnected/, 'The sites are disconnected: the operator has to restore the connection.'],
  [
    /FailingOver|Failover|Moving|Move|Promoting|RollingBack|Splitting/,
    'A failover or move is under way: wait until it has ended.',
  ],
  [/Backup/, 'Wait until the backup has ended, then send the call again.'],
  [/NeedsConfiguration|EmptyProtectionGroup|VmNotProtected/, "The operator has to complete the VPG's set-up in Zerto."],
  [/Delet|PendingRemove/, 'The VPG is being deleted: the operator has to protect the VM again.'],
  [/Error/, 'The operator has to resolve the error of the VPG in Zerto.'],
];

function subStatusRemedy(name: string): string {
  return REMEDIES.find(([pattern]) => pattern.test(name))?.[1] ?? ASK;
}
