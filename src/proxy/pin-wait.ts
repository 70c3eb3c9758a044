import { ProxyError } from '../domain/errors.js';
import type { Meters } from '../domain/meters.js';
import { PROFILES, type Profile, type Target } from '../domain/target.js';
import type { Clock } from './hold.js';

/** The same promise; how long it took is told, under the slowest kind of site that it waited for. */
export async function timedPin<T>(
  pinning: Promise<T>,
  targets: readonly Target[],
  clock: Pick<Clock, 'now'>,
  meters: Pick<Meters, 'pinWait'>,
): Promise<T> {
  const begun = clock.now();
  const tell = (problem?: string): void => meters.pinWait(slowest(targets), (clock.now() - begun) / 1000, problem);
  try {
    const pinned = await pinning;
    tell();
    return pinned;
  } catch (error) {
    tell(error instanceof ProxyError ? error.code : 'CALL_CANCELLED');
    throw error;
  }
}

/** The profiles are in order of the time that they take. */
function slowest(targets: readonly Target[]): Profile {
  const places = targets.flatMap(({ vm }) => vm.vpgs.map(({ profile }) => PROFILES.indexOf(profile)));
  return PROFILES[Math.max(0, ...places)] ?? 'vsphere';
}
