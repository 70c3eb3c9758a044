import { allowedByName, denyPaths } from './deny-paths.js';
import type { Caller, NativeDeps } from './deps.js';
import type { Facts } from './recover-facts.js';
import type { Source } from './recover-source.js';
import type { RecoverFileArgs } from './schemas.js';
import { secretIn } from './secret-archive.js';

/** What is asked of the appliance for a path at a source. */
export function requestOf(
  { path }: Pick<RecoverFileArgs, 'path'>,
  { vpg, vm, checkpoint }: Source,
  { recovery }: NativeDeps,
): Parameters<NativeDeps['appliances']['recover']>[0] {
  return {
    vpg,
    vmIdentifier: vm.vmIdentifier,
    checkpointIdentifier: checkpoint.checkpointIdentifier,
    path,
    maxBytes: recovery.maxRecoverBytes,
    deny: denyPaths(recovery),
  };
}

/** What secret the content looks like, unless the operator allowed the path by name. */
export async function secretOf(path: string, bytes: Buffer, { recovery }: NativeDeps): Promise<string | undefined> {
  if (allowedByName(recovery)(path)) return undefined;
  return secretIn(bytes, denyPaths(recovery), /^([A-Za-z]:|\\|\/\/\?)/.test(path) ? 'C:/' : '/');
}

/** The question that a human is shown before anything is mounted. */
export function questionOf(
  { path, source, minutesLost }: Facts,
  deps: NativeDeps,
  { agent }: Caller,
  isPreview = false,
): ReturnType<NativeDeps['recoveryQuestion']> {
  const { vm, vpg, checkpoint } = source;
  return deps.recoveryQuestion({
    agent,
    vm: vm.name,
    vpg: vpg.name,
    path,
    checkpoint,
    minutesLost,
    ...(isPreview ? { preview: true } : {}),
  });
}

/** Who answered where the agent's word counts. */
export const FLAG = 'the agent’s flag';

/** Whether the agent's word counts, and it gave it. */
export function flagged(args: RecoverFileArgs, { recovery }: NativeDeps): boolean {
  return recovery.confirm === 'flag' && args.confirmed === true;
}
