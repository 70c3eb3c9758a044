import { ProxyError } from '../domain/errors.js';
import type { Checkpoint } from '../domain/receipt.js';
import type { Recovered } from '../domain/recovered.js';
import type { NativeAnswer } from './answer.js';
import { askInClient } from './confirm.js';
import type { Caller, NativeDeps } from './deps.js';
import { type Comparison, previewAnswer } from './preview-answer.js';
import { recoveryAnswer, withheld } from './recover-answer.js';
import type { Facts } from './recover-facts.js';
import { FLAG, flagged, questionOf, requestOf, secretOf } from './recover-request.js';
import type { RecoverFileArgs } from './schemas.js';
import { differenceOf } from './text-diff.js';

type FileResult = Extract<Recovered, { kind: 'file' }>;

/**
 * Tells what a recovery would bring. Where a human agrees in the client: hash, whether it differs from the newest checkpoint's
 * copy, and how; both copies come from the journal. Where nobody can be asked there: size and time alone, no byte is read.
 */
export async function preview(
  args: RecoverFileArgs,
  facts: Facts,
  deps: NativeDeps,
  caller: Caller,
  signal: AbortSignal,
): Promise<NativeAnswer> {
  const { source, path } = facts;
  const request = requestOf(args, source, deps);
  const answeredBy = flagged(args, deps)
    ? FLAG
    : await askInClient(questionOf(facts, deps, caller, true), caller, signal, 'Nothing was read.');
  const found = await deps.appliances.recover(
    answeredBy === undefined ? { ...request, preview: true } : request,
    signal,
  );
  const told = { ...facts, answeredBy };
  const { maxRecoverBytes } = deps.recovery;
  if (found.kind === 'folder') return previewAnswer({ ...found, type: 'folder' }, told, maxRecoverBytes);
  if (found.kind === 'too_large') return previewAnswer({ ...found, type: 'file' }, told, maxRecoverBytes);
  if (found.kind !== 'file') return recoveryAnswer(found, told, maxRecoverBytes);
  const secret = await secretOf(path, found.bytes, deps);
  if (secret !== undefined) return withheld(path, `its content looks like ${secret}`, { answeredBy });
  const compared = await compare(found, facts, deps, signal);
  const answer =
    compared.kind === 'secret'
      ? withheld(path, `the newest copy looks like ${compared.what}`, { answeredBy })
      : previewAnswer({ ...found, type: 'file' }, told, maxRecoverBytes, {
          sha256: found.sha256,
          comparison: compared,
        });
  return { ...answer, outcome: { ...answer.outcome, answeredBy } };
}

/** A comparison that fails takes nothing from what is known of the file itself. */
async function compare(
  found: FileResult,
  facts: Facts,
  deps: NativeDeps,
  signal: AbortSignal,
): Promise<Comparison | { readonly kind: 'secret'; readonly what: string }> {
  try {
    const newest = await deps.appliances.newest(facts.source.vpg, signal);
    if (newest === undefined) return { kind: 'unknown', why: 'the journal is empty' };
    return await compareWith(newest, found, facts, deps, signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof ProxyError)) throw error;
    return { kind: 'unknown', why: error.message };
  }
}

async function compareWith(
  newest: Checkpoint,
  found: FileResult,
  facts: Facts,
  deps: NativeDeps,
  signal: AbortSignal,
): Promise<Comparison | { readonly kind: 'secret'; readonly what: string }> {
  const { path, source } = facts;
  if (newest.checkpointIdentifier === source.checkpoint.checkpointIdentifier) return { kind: 'same', newest };
  const now = await deps.appliances.recover(requestOf({ path }, { ...source, checkpoint: newest }, deps), signal);
  if (now.kind === 'not_found') return { kind: 'gone', newest };
  if (now.kind === 'too_large')
    return { kind: 'differs', newest, size: now.size, why: 'it is too large to be compared' };
  if (now.kind !== 'file') return { kind: 'unknown', why: `the newest checkpoint has no such file (${now.kind})` };
  const what = await secretOf(path, now.bytes, deps);
  if (what !== undefined) return { kind: 'secret', what };
  const { size, sha256 } = now;
  if (sha256 === found.sha256) return { kind: 'same', newest };
  const label = ({ checkpointIdentifier, timestamp }: Checkpoint) =>
    `${path} at checkpoint ${checkpointIdentifier} of ${timestamp}`;
  const difference = differenceOf(
    { label: label(source.checkpoint), bytes: found.bytes },
    { label: label(newest), bytes: now.bytes },
    deps.recovery.maxRecoverBytes,
  );
  return difference.kind === 'text'
    ? { kind: 'differs', newest, size, sha256, diff: difference.text }
    : { kind: 'differs', newest, size, sha256, why: difference.why };
}
