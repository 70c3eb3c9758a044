import type { Clock } from './clock.js';
import type { Store } from './content.js';
import type { Disk } from './disk.js';
import type { VpgStatus } from './status.js';
import type { Timings } from './timings.js';
import type { FolderNode } from './tree.js';

export type SiteType = 'VCenter' | 'Azure' | 'AWS' | 'HVM';

/** A site with its own appliance. `shownName` is the name on the wire; it says that the site is simulated. */
export interface Site {
  readonly name: string;
  readonly shownName: string;
  readonly siteIdentifier: string;
  readonly type: SiteType;
  readonly utcOffsetInMinutes: number;
}

/** A file system as a mount shows it; `mount` is the folder of the disk it holds, empty for the root. */
export interface Volume {
  readonly name: string;
  readonly mount: string;
}

/** A VM; identifier and site change with a failover. `key` is unique, the name need not be. */
export interface SimVm {
  readonly key: string;
  readonly name: string;
  readonly addresses: readonly string[];
  readonly guestOs: string;
  readonly windows: boolean;
  readonly volumes: readonly Volume[];
  readonly disk: Disk;
  vmIdentifier: string;
  site: Site;
}

/** A point of a journal. `at` is the exact moment of its content, in world time; `images` go by the VM's key. */
export interface SimCheckpoint {
  readonly id: number;
  readonly at: number;
  readonly tag: string | undefined;
  readonly listedAt: number;
  readonly images: ReadonlyMap<string, FolderNode>;
  readonly bytes: number;
}

export interface SimVpg {
  readonly name: string;
  readonly vpgIdentifier: string;
  readonly vms: readonly SimVm[];
  /** The organisation (ZORG) that it belongs to; empty for none. */
  readonly organization: string;
  readonly entity: number;
  readonly historyMinutes: number;
  readonly journalLimitBytes: number;
  readonly timings: Timings;
  protectedSite: Site;
  recoverySite: Site;
  state: VpgStatus;
  /** In ascending order of moment and number. */
  journal: SimCheckpoint[];
  nextId: number;
  /** Rises when the journal is dropped: what was under way then never arrives. */
  epoch: number;
  /** Written to the volumes since the last checkpoint, beyond what the disks show. */
  churn: number;
  /** Why no file can be restored from this VPG, where that is so. */
  flrBlocked: string | undefined;
  lastTest: number | undefined;
}

export type TaskType =
  | 'InsertTaggedCP'
  | 'FlrJournalMount'
  | 'FlrJournalUnmount'
  | 'FailOverTest'
  | 'StopFailOverTest'
  | 'PauseProtectionGroup'
  | 'ResumeProtectionGroup'
  | 'ForceSync';

/** `completes` is when it ends, Infinity for never; with a `failure` it ends Failed. */
export interface SimTask {
  readonly taskIdentifier: string;
  readonly site: Site;
  readonly type: TaskType;
  readonly by: string;
  readonly started: number;
  readonly vpg: SimVpg;
  readonly session: string | undefined;
  readonly detail: string;
  completes: number;
  failure: string | undefined;
}

type FlrStatus = 'MountInProgress' | 'MountCompletedSuccessfully' | 'MountFailed' | 'UnmountInProgress';

/** A mounted recovery point. It outlives the client that made it; `root` has one folder per volume. */
export interface FlrSession {
  readonly flrSessionIdentifier: string;
  readonly site: Site;
  readonly vmIdentifier: string;
  readonly vpg: SimVpg;
  readonly checkpoint: SimCheckpoint;
  readonly selectedPath: string | undefined;
  readonly mountTime: number;
  readonly root: FolderNode;
  status: FlrStatus;
  runningTasks: number;
}

export interface SimAlert {
  readonly alertIdentifier: string;
  readonly site: Site;
  readonly level: 'Warning' | 'Error';
  readonly entity: string;
  readonly helpIdentifier: string;
  readonly description: string;
  readonly turnedOn: number;
  readonly vpgs: readonly SimVpg[];
}

/** Everything the appliances of all sites know. Functions of this folder change it; the HTTP side reads it. */
export interface State {
  readonly clock: Clock;
  readonly store: Store;
  readonly sites: readonly Site[];
  readonly vms: readonly SimVm[];
  readonly vpgs: readonly SimVpg[];
  tasks: SimTask[];
  sessions: FlrSession[];
  alerts: SimAlert[];
  closed: boolean;
}
