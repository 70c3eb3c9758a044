/** Names by number, as the appliance's own name lists give them. */
export const STATUSES = [
  'Initializing',
  'MeetingSLA',
  'NotMeetingSLA',
  'RpoNotMeetingSLA',
  'HistoryNotMeetingSLA',
  'FailingOver',
  'Moving',
  'Deleting',
  'Recovered',
] as const;

export const SUB_STATUSES = [
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
] as const;

export const ENTITY_TYPES = ['VCVpg', 'VCvApp', 'VCDvApp', 'AWS', 'HyperV', 'Azure'] as const;
export const PRIORITIES = ['Low', 'Medium', 'High'] as const;

type StatusName = (typeof STATUSES)[number];
export type SubStatusName = (typeof SUB_STATUSES)[number];

/** A VPG's visible state. `subStatus` may also be a number that no list names (41, 42). */
export interface VpgStatus {
  readonly status: StatusName;
  readonly subStatus: SubStatusName | number;
  /** Stage of a running failover test. */
  readonly testStage?: string | undefined;
  /** What the appliance says of how far the journal lies behind; else the age of its newest checkpoint. -1: not calculated. */
  readonly rpoSeconds?: number | undefined;
  /** True while the two sites do not see each other. */
  readonly disconnected?: boolean | undefined;
}

export const MEETING_SLA: VpgStatus = { status: 'MeetingSLA', subStatus: 'None' };

/** Replication stands or is not caught up: nothing enters the journal, and a tag is refused. Undefined where it is taken. */
export function blockedReason(state: VpgStatus): string | undefined {
  if (state.disconnected) return 'The sites are disconnected.';
  const running = STATUSES.indexOf(state.status) >= 1 && STATUSES.indexOf(state.status) <= 4;
  if (!running) return `The operation is not allowed while the VPG is in status ${state.status}.`;
  if (state.subStatus === 'None' || state.subStatus === 'Backup') return undefined;
  return `The operation is not allowed while the VPG is in sub-status ${state.subStatus}.`;
}

/** The number on the wire; numbers without a name stand for themselves. */
export function subStatusNumber(subStatus: SubStatusName | number): number {
  return typeof subStatus === 'number' ? subStatus : SUB_STATUSES.indexOf(subStatus);
}
