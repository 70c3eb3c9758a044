import type { Target, Vm, Vpg } from '../domain/target.js';

export function uniqueVpgs(targets: readonly Target[]): readonly Vpg[] {
  return [...new Map(targets.flatMap(({ vm }) => vm.vpgs.map((vpg) => [vpg.vpgIdentifier, vpg] as const))).values()];
}

export function uniqueVms(targets: readonly Target[]): readonly Vm[] {
  return [...new Map(targets.map(({ vm }) => [vm.vmIdentifier, vm] as const)).values()];
}

/** The same text for the same VMs and VPGs, in any order. */
export function fingerprint(targets: readonly Target[]): string {
  const parts = uniqueVms(targets).map((vm) =>
    [vm.vmIdentifier, ...vm.vpgs.map((vpg) => vpg.vpgIdentifier).sort()].join(' '),
  );
  return parts.sort().join('; ');
}
