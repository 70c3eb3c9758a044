import type { Profile } from '../domain/target.js';

/**
 * How long a tag takes to be listed where a VPG's VMs run, and how long it may take, in milliseconds since the insert; `gapMs`
 * lies between two checkpoints that the platform makes by itself.
 */
export interface Timing {
  readonly listedAfterMs: number;
  readonly timeoutMs: number;
  readonly gapMs: number;
}

/** Seen on 10.9: about 4, 34 and 128 s; a tag comes with the next checkpoints of its platform (every 5 s, 60 s, 10.5 min). */
export const TIMINGS: Readonly<Record<Profile, Timing>> = {
  vsphere: { listedAfterMs: 4_000, timeoutMs: 60_000, gapMs: 5_000 },
  azure: { listedAfterMs: 34_000, timeoutMs: 180_000, gapMs: 60_000 },
  aws: { listedAfterMs: 128_000, timeoutMs: 900_000, gapMs: 630_000 },
};

/**
 * One look at the appliance while a tag is awaited. `early`: the task, and the list only once that is done. `due`: the list.
 * `overdue`: the list, then the task, which may have failed.
 */
export interface Look {
  readonly atMs: number;
  readonly kind: 'early' | 'due' | 'overdue';
}

const DENSE_FROM = 0.75;
const FIRST_LOOKS_MS = [300, 1_500];
/** A task that ends early may belong to a quick appliance: so many looks find out, and no more. */
export const QUICK_LOOKS = 2;

/**
 * The look after `elapsedMs`. Until three quarters of the expected time looks are few (they find refusals); from then on, and
 * for the `quick` looks after a task that ended early, a listed tag is seen within 0.25 s + 4.5 % of the time it took.
 */
export function nextLook(timing: Timing, elapsedMs: number, quick = 0): Look {
  const denseFrom = timing.listedAfterMs * DENSE_FROM;
  const soon = elapsedMs + 250 + elapsedMs * 0.045;
  const early = elapsedMs < denseFrom;
  const at = !early ? soon : Math.min(quick > 0 ? soon : earlyAfter(elapsedMs, denseFrom), denseFrom);
  const atMs = Math.min(Math.ceil(at), timing.timeoutMs);
  if (early) return { atMs, kind: 'early' };
  return { atMs, kind: elapsedMs > timing.listedAfterMs ? 'overdue' : 'due' };
}

function earlyAfter(elapsedMs: number, denseFrom: number): number {
  let at = FIRST_LOOKS_MS.find((first) => first > elapsedMs) ?? 3_000;
  while (at <= elapsedMs) at *= 2;
  return at > denseFrom * 0.9 ? denseFrom : at;
}

/**
 * Where a VM runs, from its entity type in the VPG and the type of its protected site, as far as they are told; undefined where
 * one of them names a platform that is none of those known here.
 */
export function profileOf(entity: number | undefined, siteType: string | undefined): Profile | undefined {
  const byEntity = entity === undefined ? 'vsphere' : ENTITY_PROFILES[entity];
  const bySite =
    siteType === undefined || siteType === '' ? 'vsphere' : SITE_PROFILES.find(([type]) => type.test(siteType))?.[1];
  if (byEntity === undefined || bySite === undefined) return undefined;
  return byEntity === 'vsphere' ? bySite : byEntity;
}

const ENTITY_PROFILES: Readonly<Record<number, Profile>> = {
  0: 'vsphere',
  1: 'vsphere',
  2: 'vsphere',
  3: 'aws',
  5: 'azure',
};
const SITE_PROFILES: readonly (readonly [RegExp, Profile])[] = [
  [/azure/i, 'azure'],
  [/aws|amazon/i, 'aws'],
  [/vcenter|vsphere|vcloud|vcd/i, 'vsphere'],
];
