import type { Checkpoint } from '../domain/receipt.js';
import type { Vm } from '../domain/target.js';
import { quote } from '../domain/text.js';
import type { Recovery } from './recover-sites.js';

/** Whether a VM's files can be recovered now; `ms` is how long it took to mount, list and unmount. */
export type Probe =
  | {
      readonly kind: 'ok';
      readonly vpg: string;
      readonly checkpoint: Checkpoint;
      readonly volumes: readonly string[];
      readonly ms: number;
    }
  | { readonly kind: 'no'; readonly why: string };

/**
 * Proves that a VM's files can be recovered: mounts the newest checkpoint of the first VPG that allows it, lists its volumes,
 * unmounts. Rejects with ZVM_* where the appliance fails.
 */
export async function probe(
  recovery: Pick<Recovery, 'newest' | 'mountable' | 'within'>,
  vm: Pick<Vm, 'vmIdentifier' | 'vpgs'>,
  signal: AbortSignal,
): Promise<Probe> {
  const reasons: string[] = [];
  for (const vpg of vm.vpgs) {
    const result = await probeVpg(recovery, vm.vmIdentifier, vpg, signal);
    if (result.kind === 'ok') return result;
    reasons.push(`${quote(vpg.name, 100)}: ${result.why}`);
  }
  return { kind: 'no', why: reasons.join('; ') || 'no VPG protects it' };
}

async function probeVpg(
  recovery: Pick<Recovery, 'newest' | 'mountable' | 'within'>,
  vmIdentifier: string,
  vpg: Vm['vpgs'][number],
  signal: AbortSignal,
): Promise<Probe> {
  const start = Date.now();
  const newest = await recovery.newest(vpg, signal);
  if (newest === undefined) return { kind: 'no', why: 'its journal is empty' };
  const state = await recovery.mountable(vpg, vmIdentifier, newest, signal);
  if (state.kind !== 'yes') return { kind: 'no', why: 'why' in state ? state.why : `its checkpoint is ${state.kind}` };
  const { checkpoint } = state;
  const point = { vpg, vmIdentifier, checkpointIdentifier: checkpoint.checkpointIdentifier };
  const seen = await recovery.within(point, signal, (view) => view.list(''));
  if (seen.kind === 'refused') return { kind: 'no', why: seen.why };
  if (seen.value.length === 0) return { kind: 'no', why: 'the mount shows no volume' };
  const volumes = seen.value.map(({ path }) => path);
  return { kind: 'ok', vpg: vpg.name, checkpoint, volumes, ms: Date.now() - start };
}
