import type { Checkpoint } from '../domain/receipt.js';
import { quote, visible } from '../domain/text.js';
import { type NativeAnswer, refuse } from './answer.js';
import { askHuman } from './confirm.js';
import { allowedByName, denyPaths } from './deny-paths.js';
import type { Caller, NativeDeps } from './deps.js';
import { type Facts, recoveryAnswer, withheld } from './recover-answer.js';
import { type Source, sourceOf } from './recover-source.js';
import type { RecoverFileArgs } from './schemas.js';
import { secretContent } from './secret-content.js';

/**
 * Recovers one file or lists one folder: the path is judged first, then the scope, then a human is asked once, then the
 * checkpoint is mounted, and what looks like a secret is withheld after all.
 */
export async function recoverFile(
  args: RecoverFileArgs,
  deps: NativeDeps,
  caller: Caller,
  signal: AbortSignal,
): Promise<NativeAnswer> {
  const deny = denyPaths(deps.recovery);
  const denied = deny(args.path);
  if (denied !== undefined) return withheld(args.path, denied);
  const source = await sourceOf(args, deps, signal);
  const checkpoint = await listed(source, deps, signal);
  const minutesLost = Math.max(0, Math.ceil((deps.now().getTime() - Date.parse(checkpoint.timestamp)) / 60_000));
  const answeredBy =
    args.preview === true ? undefined : await confirm(args, { source, checkpoint, minutesLost }, deps, caller, signal);
  const facts: Facts = { path: args.path, source, timestamp: checkpoint.timestamp, minutesLost, answeredBy };
  const { maxRecoverBytes } = deps.recovery;
  const { vpg, vm, checkpointIdentifier } = source;
  const request = {
    vpg,
    vmIdentifier: vm.vmIdentifier,
    checkpointIdentifier,
    path: args.path,
    page: args.page,
    preview: args.preview,
  };
  const result = await deps.appliances.recover({ ...request, maxBytes: maxRecoverBytes, deny }, signal);
  const secret =
    result.kind === 'file' && !allowedByName(deps.recovery)(args.path) ? secretContent(result.bytes) : undefined;
  if (secret !== undefined) return withheld(args.path, `its content looks like ${secret}`, { answeredBy });
  const answer = recoveryAnswer(result, facts, maxRecoverBytes);
  return { ...answer, outcome: { ...answer.outcome, answeredBy } };
}

/** The checkpoint as its journal lists it; one that is gone stops before a human is asked. */
async function listed(source: Source, deps: NativeDeps, signal: AbortSignal): Promise<Checkpoint> {
  const found = await deps.appliances.checkpoint(source.vpg, source, signal);
  if (found.kind === 'listed') return found.checkpoint;
  const why =
    found.kind === 'expired'
      ? 'is older than the journal'
      : 'is not in the journal (it shrank, or the VPG was synchronised anew)';
  refuse(
    'ZVM_REJECTED',
    `Checkpoint ${visible(source.checkpointIdentifier)} of VPG ${quote(source.vpg.name, 100)} ${why}: the receipt is ${found.kind}. Nothing can be recovered from it.`,
  );
}

async function confirm(
  args: RecoverFileArgs,
  about: { readonly source: Source; readonly checkpoint: Checkpoint; readonly minutesLost: number },
  deps: NativeDeps,
  caller: Caller,
  signal: AbortSignal,
): Promise<string> {
  const { source, checkpoint, minutesLost } = about;
  if (deps.recovery.confirm === 'flag' && args.confirmed === true) return 'the agent’s flag';
  const question = deps.recoveryQuestion({
    agent: caller.agent,
    vm: source.vm.name,
    vpg: source.vpg.name,
    path: args.path,
    checkpoint,
    minutesLost,
  });
  const flag = deps.recovery.confirm === 'flag' ? ' If the user agreed, say confirmed: true.' : '';
  return askHuman(question, caller, signal, `Nothing was recovered.${flag}`);
}
