import type { Clock } from './clock.js';
import type { SiteType, Volume } from './state.js';
import type { VpgStatus } from './status.js';
import type { Profile, Timings } from './timings.js';

export interface SiteOptions {
  readonly name: string;
  readonly siteIdentifier?: string;
  /** Else by the VPGs that are protected there. */
  readonly type?: SiteType;
  readonly utcOffsetInMinutes?: number;
}

export interface VmOptions {
  readonly name: string;
  /** How VPGs and tests name it; the name unless two VMs share one. */
  readonly key?: string;
  /** Else the only site. */
  readonly site?: string;
  readonly vmIdentifier?: string;
  readonly addresses?: readonly string[];
  readonly guestOs?: string;
  readonly windows?: boolean;
  /** Directory that stands for the VM's disk; without it the disk is in memory. */
  readonly disk?: string;
  /** Else one, `Volume1-Ext4` or `Volume1-NTFS`, with the whole disk. */
  readonly volumes?: readonly Volume[];
}

export interface VpgOptions {
  readonly name: string;
  readonly vpgIdentifier?: string;
  /** Keys of VMs. */
  readonly vms: readonly string[];
  readonly protectedSite?: string;
  readonly recoverySite?: string;
  readonly profile?: Profile;
  /** The organisation (ZORG) that it belongs to. */
  readonly organization?: string;
  /** Number of the entity type on the wire; else the profile's. */
  readonly entity?: number;
  readonly timings?: Partial<Timings>;
  /** How long a checkpoint stays; 1440. */
  readonly historyMinutes?: number;
  /** Bytes of changes that the journal holds; no limit. */
  readonly journalLimitBytes?: number;
  /** Number of the first checkpoint; else one that differs from VPG to VPG. */
  readonly firstCheckpoint?: number;
  /** Checkpoints that the journal holds at the start, the last of them taken then, one gap apart, all with the disks as they are; 3. */
  readonly startsWith?: number;
  readonly state?: VpgStatus;
  /** Why no file can be restored; else it can. */
  readonly flrBlocked?: string;
}

/** VMs that no VPG names are unprotected. */
export interface WorldOptions {
  readonly clock?: Clock;
  readonly sites: readonly SiteOptions[];
  readonly vms: readonly VmOptions[];
  readonly vpgs: readonly VpgOptions[];
  /** Replaces timings of whole profiles. */
  readonly timings?: Partial<Record<Profile, Partial<Timings>>>;
  /** How long a guest's write stays in its cache; 0. */
  readonly writeBackMs?: number;
}
