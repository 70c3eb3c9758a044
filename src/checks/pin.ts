import { OWN_SERVER } from '../domain/call.js';
import { ProxyError } from '../domain/errors.js';
import type { Checkpoints } from '../domain/ports.js';
import type { Checkpoint, Receipt } from '../domain/receipt.js';
import { tagName } from '../domain/tag.js';
import type { Target, Vpg } from '../domain/target.js';
import { quote, seconds, visible } from '../domain/text.js';
import { about, type Check } from './check.js';

/** A real tag on one VPG: how long until it was listed, and how its stamp lies to the appliance's clock at the insert. Milliseconds. */
export interface Tagged {
  readonly vpg: Vpg;
  readonly tag: string;
  readonly checkpoint: Checkpoint;
  readonly before: Checkpoint | undefined;
  readonly listedAfterMs: number;
  readonly stampedAfterMs: number;
}

export interface PinOptions {
  readonly checkpoints: Checkpoints;
  readonly change: string;
  readonly now: () => number;
}

/** Tags every VPG of a VM, one after the other, so that the times are those of one insert. Rejects with what stands in the way. */
export async function tagAll({ vm }: Target, options: PinOptions, signal: AbortSignal): Promise<readonly Tagged[]> {
  const { checkpoints, change, now } = options;
  const tagged: Tagged[] = [];
  for (const vpg of vm.vpgs) {
    const tag = tagName({ agent: 'doctor', action: 'doctor pin', vm: vm.name, change, at: new Date(now()) });
    const before = await checkpoints.before(vpg, signal);
    const appliance = await checkpoints.now(vpg.site, signal);
    const start = now();
    const checkpoint = await checkpoints.pin(vpg, tag, before, signal);
    tagged.push({
      vpg,
      tag,
      checkpoint,
      before: before.newest,
      listedAfterMs: now() - start,
      stampedAfterMs: Date.parse(checkpoint.timestamp) - appliance.getTime(),
    });
  }
  return tagged;
}

/** What was measured, a check for each VPG. */
export function pinChecks(vm: string, tagged: readonly Tagged[]): readonly Check[] {
  return tagged.map(({ vpg, checkpoint, tag, listedAfterMs, stampedAfterMs }) => {
    const check = about('pin', vm);
    const stamp =
      stampedAfterMs === 0 ? 'at' : `${seconds(Math.abs(stampedAfterMs))} ${stampedAfterMs > 0 ? 'after' : 'before'}`;
    const detail = `VPG ${quote(vpg.name)} (${vpg.profile}): listed after ${seconds(listedAfterMs)}, stamped ${stamp} the appliance's clock at the insert; checkpoint ${visible(checkpoint.checkpointIdentifier)} of ${visible(checkpoint.timestamp)}, tag ${quote(tag, 140)}`;
    if (stampedAfterMs <= 5_000 || vpg.profile !== 'vsphere') return check.pass(detail);
    return check.warn(
      detail,
      'Stamps come late here, as on Azure and AWS: raise guard.holdSeconds, so that recovery can start from the tag itself.',
    );
  });
}

/** The check of a pin that failed. */
export function pinFailed(vm: string, error: unknown): Check {
  if (!(error instanceof ProxyError)) throw error;
  return about('pin', vm).fail(error.message, 'See the VPG in Zerto and the roles of the account.');
}

/** The receipt of tags that no call stands behind. */
export function receiptOf(
  { vm }: Target,
  tagged: readonly Tagged[],
  parts: Pick<Receipt, 'id' | 'change' | 'session' | 'pinnedAt' | 'simulated'>,
): Receipt {
  const point = ({ checkpointIdentifier, timestamp }: Checkpoint) => ({ checkpointIdentifier, timestamp });
  return {
    ...parts,
    agent: 'doctor',
    server: OWN_SERVER,
    tool: 'doctor --pin',
    digest: '',
    permit: 'pinned',
    consistency: 'crash',
    covers: 'vm',
    vms: [
      {
        name: vm.name,
        vmIdentifier: vm.vmIdentifier,
        vpgs: tagged.map(({ vpg, tag, checkpoint, before }) => ({
          name: vpg.name,
          vpgIdentifier: vpg.vpgIdentifier,
          site: vpg.site,
          tag: { name: tag, ...point(checkpoint) },
          recoverFrom: { ...point(before ?? checkpoint), why: 'no call was forwarded' },
        })),
      },
    ],
  };
}
