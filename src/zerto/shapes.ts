import type { Readable } from 'node:stream';
import type { Checkpoint } from '../domain/receipt.js';

/** The ZVM's own site. `siteType` is the wire's word: `VCenter`, `Azure`, `AWS` … */
export interface LocalSite {
  readonly siteIdentifier: string;
  readonly siteName: string;
  readonly siteType?: string | undefined;
  readonly version?: string | undefined;
  readonly replicatesToSelf?: boolean | undefined;
}

export interface PeerSite {
  readonly siteIdentifier: string;
  readonly siteName: string;
  readonly siteType?: string | undefined;
}

/** One VM in one VPG, in either direction: a VM in two VPGs is two rows. Sites are identifiers of the wire. */
export interface VmRow {
  readonly vmIdentifier: string;
  readonly vmName: string;
  readonly vpgIdentifier: string;
  readonly vpgName: string;
  readonly protectedSite?: string | undefined;
  readonly recoverySite?: string | undefined;
  readonly protectedEntity?: number | undefined;
  readonly isFlrEnabled?: boolean | undefined;
  /** The organisation (ZORG) it belongs to, where there is one. */
  readonly organization?: string | undefined;
  /** The VPG's, as numbers of the wire. */
  readonly status?: number | undefined;
  readonly subStatus?: number | undefined;
  readonly addresses: readonly string[];
}

/** `siteIdentifier` is the virtualization site that lists it: the ZVM's own or a paired one. */
export interface UnprotectedVm {
  readonly siteIdentifier: string;
  readonly vmIdentifier: string;
  readonly vmName: string;
  readonly addresses: readonly string[];
}

/**
 * `status` and `subStatus` are the wire's numbers, absent where it sent none that is understood. `rpoSeconds` is how far the
 * journal lies behind the VMs; absent where the appliance has not calculated it.
 */
export interface VpgState {
  readonly vpgIdentifier: string;
  readonly vpgName: string;
  readonly status?: number | undefined;
  readonly subStatus?: number | undefined;
  readonly protectedSite?: string | undefined;
  readonly recoverySite?: string | undefined;
  readonly historyMinutes?: number | undefined;
  readonly configuredMinutes?: number | undefined;
  readonly rpoSeconds?: number | undefined;
}

/** The ends of a VPG's journal; both absent where it is empty. */
export interface Journal {
  readonly oldest?: Checkpoint | undefined;
  readonly newest?: Checkpoint | undefined;
}

/** `state` is the wire's number: 1 to 3 and 7 are under way, 4 failed, 5 stopped, 6 completed. */
export interface Task {
  readonly taskIdentifier: string;
  readonly type?: string | undefined;
  readonly state?: number | undefined;
  readonly completeReason?: string | undefined;
}

/** A checkpoint as one VM sees it; `canMount` says whether files can be taken from it, `reason` why not. */
export interface PointInTime {
  readonly checkpoint: Checkpoint;
  readonly canMount?: boolean | undefined;
  readonly reason?: string | undefined;
}

/** `eventType` is the wire's number: 12 a tag's insert, 58 and 59 mount and unmount for a file-level restore. */
export interface ZvmEvent {
  readonly eventIdentifier?: string | undefined;
  readonly eventType?: number | undefined;
  readonly description: string;
  readonly occurredOn: string;
  readonly userName?: string | undefined;
  readonly succeeded?: boolean | undefined;
  readonly vpgIdentifiers: readonly string[];
}

/** A file-level restore session. `status` is the wire's word. */
export interface FlrSession {
  readonly sessionIdentifier: string;
  readonly status: string;
  readonly vmIdentifier?: string | undefined;
  readonly vpgIdentifier?: string | undefined;
  readonly checkpointIdentifier?: string | undefined;
  readonly mountTime?: string | undefined;
  readonly runningTasks?: number | undefined;
}

/** One entry of a mounted image; `path` counts from the mount's root, with forward slashes. */
export interface FlrItem {
  readonly path: string;
  readonly type: string;
  readonly browsable: boolean;
  readonly sizeInBytes?: number | undefined;
  readonly lastWriteTime?: string | undefined;
  readonly downloadable: boolean;
  readonly note?: string | undefined;
}

/** Dates of a query; both ends are inclusive as far as is known. */
export interface DateRange {
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** Bytes of a download. Whoever takes it must read or destroy the stream. `length` is in bytes, absent where unannounced. */
export interface Download {
  readonly stream: Readable;
  readonly contentType?: string | undefined;
  readonly disposition?: string | undefined;
  readonly length?: number | undefined;
}
