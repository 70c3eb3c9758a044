import { quote } from '../domain/text.js';
import { type NativeAnswer, refuse } from './answer.js';
import { askHuman } from './confirm.js';
import { allowedByName, databaseOf, denyPaths, flawIn } from './deny-paths.js';
import type { Caller, NativeDeps } from './deps.js';
import { databaseAnswer, recoveryAnswer, withheld } from './recover-answer.js';
import type { Facts } from './recover-facts.js';
import { preview } from './recover-preview.js';
import { FLAG, flagged, questionOf, requestOf, secretOf } from './recover-request.js';
import { type Source, sourceOf } from './recover-source.js';
import type { RecoverFileArgs } from './schemas.js';

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
  const { path } = args;
  const flaw = flawIn(path);
  if (flaw !== undefined) refuse('INVALID_ARGUMENTS', `${quote(path)} cannot be looked up: ${flaw}. Nothing was read.`);
  const denied = denyPaths(deps.recovery)(path);
  const database = allowedByName(deps.recovery)(path) ? undefined : databaseOf(path);
  if (denied !== undefined && database?.domain !== true) return withheld(path, denied);
  const source = await sourceOf(args, deps, signal);
  const facts = factsOf(path, source, deps);
  if (database !== undefined) return databaseAnswer(facts, database);
  if (args.preview === true) return preview(args, facts, deps, caller, signal);
  const answeredBy = await confirm(args, facts, deps, caller, signal);
  const result = await deps.appliances.recover({ ...requestOf(args, source, deps), page: args.page }, signal);
  const secret = result.kind === 'file' ? await secretOf(path, result.bytes, deps) : undefined;
  if (secret !== undefined) return withheld(path, `its content looks like ${secret}`, { answeredBy });
  const answer = recoveryAnswer(result, { ...facts, answeredBy }, deps.recovery.maxRecoverBytes);
  return { ...answer, outcome: { ...answer.outcome, answeredBy } };
}

function factsOf(path: string, source: Source, deps: NativeDeps): Facts {
  const age = deps.now().getTime() - Date.parse(source.checkpoint.timestamp);
  return { path, source, minutesLost: Math.max(0, Math.ceil(age / 60_000)) };
}

async function confirm(
  args: RecoverFileArgs,
  facts: Facts,
  deps: NativeDeps,
  caller: Caller,
  signal: AbortSignal,
): Promise<string> {
  if (flagged(args, deps)) return FLAG;
  const flag = deps.recovery.confirm === 'flag' ? ' If the user agreed, say confirmed: true.' : '';
  return askHuman(questionOf(facts, deps, caller), caller, signal, `Nothing was recovered.${flag}`);
}
