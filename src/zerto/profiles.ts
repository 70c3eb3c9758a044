import { PROFILES, type Profile } from '../domain/target.js';

/** How long a tag takes to be listed where a VPG's VMs run, and how long it may take. Milliseconds since the insert. */
export interface Timing {
  readonly listedAfterMs: number;
  readonly timeoutMs: number;
}

/** Seen on 10.9: about 4, 34 and 128 s; a tag comes with the next checkpoints of its platform (every 5 s, 60 s, 10.5 min). */
export const TIMINGS: Readonly<Record<Profile, Timing>> = {
  vsphere: { listedAfterMs: 4_000, timeoutMs: 60_000 },
  azure: { listedAfterMs: 34_000, timeoutMs: 180_000 },
  aws: { listedAfterMs: 128_000, timeoutMs: 900_000 },
};

/** One look at the appliance while a tag is awaited. `early`: the list is worth a request only once the task is done. */
export interface Look {
  readonly atMs: number;
  readonly early: boolean;
}

const FIRST_LOOK_MS = 1_500;

/**
 * The look after `elapsedMs`. Until three quarters of the expected time looks are few and double their distance (they find
 * refusals); from then on a listed tag is seen within 0.25 s + 4.5 % of the time it took.
 */
export function nextLook(timing: Timing, elapsedMs: number): Look {
  const denseFrom = timing.listedAfterMs * 0.75;
  const at = elapsedMs < denseFrom ? earlyAfter(elapsedMs, denseFrom) : elapsedMs + 250 + elapsedMs * 0.045;
  return { atMs: Math.min(Math.ceil(at), timing.timeoutMs), early: at < denseFrom };
}

function earlyAfter(elapsedMs: number, denseFrom: number): number {
  let at = FIRST_LOOK_MS;
  while (at <= elapsedMs) at *= 2;
  return Math.min(at, denseFrom);
}

/** Where a VM runs, from its entity type in the VPG and the type of its protected site; vSphere unless one of them says otherwise. */
export function profileOf(entity: number | undefined, siteType: string | undefined): Profile {
  const byEntity = entity === undefined ? undefined : ENTITY_PROFILES[entity];
  return byEntity ?? PROFILES.find((profile) => siteType?.toLowerCase().includes(profile)) ?? 'vsphere';
}

const ENTITY_PROFILES: Readonly<Record<number, Profile>> = { 3: 'aws', 5: 'azure' };
