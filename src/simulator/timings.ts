/** Where a VPG's VMs run; it decides how long the appliance takes. */
export type Profile = 'vsphere' | 'azure' | 'aws';

/** Milliseconds. All but `gapMs` count from the insert request. */
export interface Timings {
  /** Between two automatic checkpoints. */
  readonly gapMs: number;
  /** Until the insert's task says Completed; nothing more is promised by that. */
  readonly completedMs: number;
  /** Until the moment whose content the tag holds, and which its timestamp names. */
  readonly stampMs: number;
  /** Until the checkpoint list shows the tag. */
  readonly listedMs: number;
}

/** As observed on appliances of the 10.x line: on clouds the task is done long before the tag's own moment. */
export const TIMINGS: Readonly<Record<Profile, Timings>> = {
  vsphere: { gapMs: 5_000, completedMs: 2_000, stampMs: 1_000, listedMs: 4_000 },
  azure: { gapMs: 60_000, completedMs: 10_000, stampMs: 30_000, listedMs: 34_000 },
  aws: { gapMs: 630_000, completedMs: 20_000, stampMs: 30_000, listedMs: 128_000 },
};
