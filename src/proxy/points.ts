import { ProxyError } from '../domain/errors.js';
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

/** Points that were found just now, by VPG: the calls that share a tag need not ask for each. */
export type Recent = Map<
  string,
  { readonly checkpoint: string; readonly at: number; readonly point: Promise<ReceiptVpg['recoverFrom']> }
>;

const RECENT_MS = 1000;

/** The tag and the recovery point of every VPG, under the VMs that it protects; `listed` goes by the VPG's identifier. */
export async function pointsOf(
  targets: readonly Target[],
  listed: ReadonlyMap<string, Listed>,
  deps: HoldDeps & { readonly log: Pick<Logger, 'warn'>; readonly recent: Recent },
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

async function pointOf(vpg: Vpg, pin: Listed, deps: HoldDeps & { readonly recent: Recent }): Promise<ReceiptVpg> {
  const { checkpointIdentifier, timestamp } = pin.checkpoint;
  const point = pin.spare ? recoverFrom(vpg, pin, deps) : sharedPoint(vpg, pin, deps);
  return {
    name: vpg.name,
    vpgIdentifier: vpg.vpgIdentifier,
    site: vpg.site,
    tag: { name: pin.name, checkpointIdentifier, timestamp },
    recoverFrom: await point,
  };
}

/** One whose call was cancelled says nothing for another. */
function sharedPoint(
  vpg: Vpg,
  pin: Listed,
  deps: HoldDeps & { readonly recent: Recent },
): Promise<ReceiptVpg['recoverFrom']> {
  const { clock, recent } = deps;
  const checkpoint = pin.checkpoint.checkpointIdentifier;
  const last = recent.get(vpg.vpgIdentifier);
  if (last?.checkpoint === checkpoint && clock.now() - last.at <= RECENT_MS)
    return last.point.catch((error: unknown) => {
      if (error instanceof ProxyError && error.code !== 'CALL_CANCELLED') throw error;
      if (recent.get(vpg.vpgIdentifier) === last) recent.delete(vpg.vpgIdentifier);
      return sharedPoint(vpg, pin, deps);
    });
  const point = recoverFrom(vpg, pin, deps);
  recent.set(vpg.vpgIdentifier, { checkpoint, at: clock.now(), point });
  return point;
}

function shortJournal(vpg: Vpg, minutes: number): string {
  return `The journal of VPG ${quote(vpg.name)} keeps checkpoints for ${minutes} min only: what has to come back must be recovered by then.`;
}
