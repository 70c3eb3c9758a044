import type { Logger } from '../domain/ports.js';
import type { ReceiptVm, ReceiptVpg } from '../domain/receipt.js';
import type { Target, Vpg } from '../domain/target.js';
import { quote } from '../domain/text.js';
import type { Listed } from './batch.js';
import { type HoldDeps, recoverFrom } from './hold.js';
import { uniqueVms, uniqueVpgs } from './vpgs-of.js';

/** What a receipt says of VMs: their points, and what makes those short-lived. */
export interface Points {
  readonly vms: readonly ReceiptVm[];
  readonly warnings: readonly string[];
}

/** The tag and the recovery point of every VPG, under the VMs that it protects; `listed` goes by the VPG's identifier. */
export async function pointsOf(
  targets: readonly Target[],
  listed: ReadonlyMap<string, Listed>,
  deps: HoldDeps & { readonly log: Pick<Logger, 'warn'> },
): Promise<Points> {
  const points = new Map<string, ReceiptVpg>();
  const warnings: string[] = [];
  await Promise.all(
    uniqueVpgs(targets).map(async (vpg) => {
      const pin = listed.get(vpg.vpgIdentifier);
      if (pin === undefined) return;
      points.set(vpg.vpgIdentifier, await pointOf(vpg, pin, deps));
      const { keptMinutes } = pin.before;
      if (keptMinutes === undefined) return;
      warnings.push(shortJournal(vpg, keptMinutes));
      deps.log.warn({ vpg: vpg.name, site: vpg.site, keptMinutes }, 'the journal keeps checkpoints only shortly');
    }),
  );
  const vms = uniqueVms(targets).map((vm) => ({
    name: vm.name,
    vmIdentifier: vm.vmIdentifier,
    vpgs: vm.vpgs.flatMap((vpg) => points.get(vpg.vpgIdentifier) ?? []),
  }));
  return { vms, warnings };
}

async function pointOf(vpg: Vpg, pin: Listed, deps: HoldDeps): Promise<ReceiptVpg> {
  const { checkpointIdentifier, timestamp } = pin.checkpoint;
  return {
    name: vpg.name,
    vpgIdentifier: vpg.vpgIdentifier,
    site: vpg.site,
    tag: { name: pin.name, checkpointIdentifier, timestamp },
    recoverFrom: await recoverFrom(vpg, pin, deps),
  };
}

function shortJournal(vpg: Vpg, minutes: number): string {
  return `The journal of VPG ${quote(vpg.name)} keeps checkpoints for ${minutes} min only: what has to come back must be recovered by then.`;
}
