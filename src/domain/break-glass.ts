/** An administrator's leave for some VMs to be changed without a checkpoint, for a while. Names in any letter case. */
export interface BreakGlass {
  readonly id: string;
  readonly vms: readonly string[];
  readonly reason: string;
  readonly by: string;
  readonly until: string;
}
