import { ProxyError } from '../domain/errors.js';
import type { Vpg } from '../domain/target.js';
import { quote } from '../domain/text.js';

/** CHECKPOINT_NOT_PINNED for one VPG: what it does, and what has to happen. */
export function notPinned(
  vpg: Vpg,
  what: string,
  remedy: string,
  details: Readonly<Record<string, unknown>> = {},
  cause?: unknown,
): ProxyError {
  return new ProxyError(
    'CHECKPOINT_NOT_PINNED',
    `VPG ${quote(vpg.name)} at site ${quote(vpg.site)} ${what}. ${remedy}`,
    {
      details: { vpg: vpg.name, vpgIdentifier: vpg.vpgIdentifier, site: vpg.site, ...details },
      cause,
    },
  );
}
