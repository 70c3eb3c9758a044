import { ProxyError } from '../domain/errors.js';
import type { Vpg } from '../domain/target.js';
import { quote } from '../domain/text.js';

/** Throws where a VPG's look or pin failed: its own error if it is the only VPG, else one that names each, and the tags left behind. */
export function throwFailed(
  vpgs: readonly Vpg[],
  results: readonly PromiseSettledResult<unknown>[],
  tagged: readonly string[],
  signal: AbortSignal,
): void {
  signal.throwIfAborted();
  const failed = results.flatMap((result, index) =>
    result.status === 'rejected' ? [{ vpg: vpgs[index]?.name ?? '', error: result.reason as unknown }] : [],
  );
  const first = failed[0];
  if (first === undefined) return;
  if (failed.length === 1 && vpgs.length === 1) throw first.error;
  const reasons = failed.map(
    ({ vpg, error }) =>
      `${quote(vpg)}: ${error instanceof ProxyError ? error.message : 'the proxy failed on its own.'}`,
  );
  const left =
    tagged.length > 0 ? ` Tags left behind on other VPGs: ${tagged.map((tag) => quote(tag)).join(', ')}.` : '';
  const code = first.error instanceof ProxyError ? first.error.code : 'CHECKPOINT_NOT_PINNED';
  throw new ProxyError(code, `Not every VPG of this call's VMs has its checkpoint. ${reasons.join(' ')}${left}`, {
    cause: first.error,
  });
}

/** Says when the VPG may take a tag again; `oldest` and `now` are milliseconds. */
export function tooManyTags(vpg: Vpg, oldest: number, now: number): ProxyError {
  const minutes = Math.max(1, Math.ceil((oldest + 3_600_000 - now) / 60_000));
  return new ProxyError(
    'CHECKPOINT_NOT_PINNED',
    `VPG ${quote(vpg.name)} has taken as many tags as it may in one hour. The call was not sent. Send it again in ${minutes} min, and put several changes into one command.`,
  );
}
