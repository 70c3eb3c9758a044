import { quote, visible } from '../domain/text.js';
import type { NativeOutcome } from './deps.js';
import type { LadderPoint } from './ladder.js';
import type { Source } from './recover-source.js';

/** What every answer about one recovery tells. */
export interface Facts {
  readonly path: string;
  readonly source: Source;
  readonly minutesLost: number;
  readonly answeredBy?: string | undefined;
}

/** The point of a recovery, as the ladder names it. */
export function pointOf({ path, source, minutesLost }: Facts): LadderPoint {
  const { vm, vpg, checkpoint, receipt } = source;
  return {
    receipt: receipt?.id,
    vm: vm.name,
    vmIdentifier: vm.vmIdentifier,
    vpg: vpg.name,
    path,
    minutesLost,
    ...checkpoint,
  };
}

/** What the audit log learns of bytes that were read. */
export function recoveredOf({ source }: Facts, bytes: number, sha256: string): NonNullable<NativeOutcome['recovered']> {
  const { vmIdentifier } = source.vm;
  return { vmIdentifier, checkpointIdentifier: source.checkpoint.checkpointIdentifier, bytes, sha256 };
}

/** Path, VM, place and checkpoint of a recovery in one clause. */
export function where(
  facts: Facts,
  place: { readonly volumePath: string; readonly mountedAt?: string | undefined },
): string {
  const { source, minutesLost } = facts;
  const { checkpointIdentifier, timestamp } = source.checkpoint;
  const mounted =
    place.mountedAt === undefined ? '' : `, a volume that the VM’s /etc/fstab mounts at ${quote(place.mountedAt)}`;
  const simulated = source.receipt?.simulated ? ', SIMULATED' : '';
  return `${quote(facts.path)} of VM ${quote(source.vm.name, 100)} (found as ${quote(place.volumePath)}${mounted}) from checkpoint ${visible(checkpointIdentifier)} of ${visible(timestamp)}, ${minutesLost} min old${simulated}`;
}

/** The same as data. */
export function common(
  facts: Facts,
  place: { readonly volumePath: string; readonly mountedAt?: string | undefined },
): Record<string, unknown> {
  const { source, path, minutesLost } = facts;
  const { checkpointIdentifier, timestamp } = source.checkpoint;
  return {
    path,
    volumePath: place.volumePath,
    ...(place.mountedAt === undefined ? {} : { mountedAt: place.mountedAt }),
    vm: { name: source.vm.name, vmIdentifier: source.vm.vmIdentifier },
    vpg: { name: source.vpg.name, vpgIdentifier: source.vpg.vpgIdentifier },
    checkpoint: { checkpointIdentifier, timestamp },
    minutesLost,
    ...(source.receipt === undefined ? {} : { receipt: source.receipt.id }),
    ...(source.receipt?.simulated ? { simulated: true } : {}),
  };
}
