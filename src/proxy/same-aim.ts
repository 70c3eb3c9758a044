import { ProxyError } from '../domain/errors.js';
import type { Aim, Target } from '../domain/target.js';
import { quote } from '../domain/text.js';
import { fingerprint, uniqueVpgs } from './vpgs-of.js';

/**
 * Rejects where what the call names came to mean another VM or VPG while its tags were awaited, or where a VPG has left the
 * state that keeps them: a re-synchronisation drops a journal with its tags.
 */
export async function sameAim(targets: readonly Target[], aimAgain: () => Promise<Aim>): Promise<void> {
  const again = await aimAgain();
  if (fingerprint(again.targets) !== fingerprint(targets)) {
    throw new ProxyError(
      'TARGET_UNRESOLVED',
      'While its checkpoint was taken, what this call names came to mean another VM or VPG. The call was not sent. Send it again.',
      { details: { before: fingerprint(targets), after: fingerprint(again.targets) } },
    );
  }
  const blocked = uniqueVpgs(again.targets).find((vpg) => vpg.blocked !== undefined);
  if (blocked === undefined) return;
  throw new ProxyError(
    'CHECKPOINT_NOT_PINNED',
    `After its checkpoint was listed, VPG ${quote(blocked.name)} at site ${quote(blocked.site)} changed to ${blocked.blocked}: the checkpoint may be gone. The call was not sent. Send it again when the VPG takes checkpoints.`,
    { details: { vpg: blocked.name, site: blocked.site, state: blocked.blocked } },
  );
}
