import { describe, expect, it } from 'vitest';
import { PROFILES } from '../../src/domain/target.js';
import { nextLook, profileOf, TIMINGS } from '../../src/zerto/profiles.js';
import { verifies } from '../e2e/requirements.js';
import { fc } from '../support/property.js';

describe('looks while a tag is awaited', () => {
  it.each(PROFILES)('on %s are few before the tag is due, and end with the time-out', (profile) => {
    const timing = TIMINGS[profile];
    const looks = [];
    for (let elapsed = 0; elapsed < timing.timeoutMs; ) {
      const look = nextLook(timing, elapsed);
      expect(look.atMs).toBeGreaterThan(elapsed);
      looks.push(look);
      elapsed = look.atMs;
    }
    expect(looks.at(-1)?.atMs).toBe(timing.timeoutMs);
    expect(looks.filter(({ kind }) => kind === 'early').length).toBeLessThanOrEqual(8);
    expect(looks.filter(({ atMs }) => atMs <= timing.listedAfterMs).length).toBeLessThanOrEqual(16);
  });

  it.each(PROFILES)('on %s see a tag within 0.3 s + 5 %% of its listing, once it is due', (profile) => {
    const timing = TIMINGS[profile];
    const due = { min: Math.ceil(timing.listedAfterMs * 0.75), max: timing.timeoutMs };
    fc.assert(
      fc.property(fc.integer(due), (listedAt) => {
        let seen = 0;
        while (seen < listedAt) seen = nextLook(timing, seen).atMs;
        expect(seen).toBeLessThanOrEqual(listedAt * 1.05 + 300);
      }),
    );
  });

  it('move on from any moment, also under a short time-out', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 899_999, noNaN: true }),
        fc.constantFrom(...PROFILES),
        (elapsed, profile) => {
          const timing = { ...TIMINGS[profile], timeoutMs: 900_000 };
          expect(nextLook(timing, elapsed).atMs).toBeGreaterThan(elapsed);
        },
      ),
    );
    expect(nextLook({ ...TIMINGS.vsphere, timeoutMs: 200 }, 0).atMs).toBe(200);
  });
});

describe(`${verifies('G-8')} the profile of a VPG`, () => {
  it.each([
    [0, 'VCenter', 'vsphere'],
    [3, 'VCenter', 'aws'],
    [5, undefined, 'azure'],
    [0, 'Azure', 'azure'],
    [undefined, 'AWS', 'aws'],
    [undefined, undefined, 'vsphere'],
    [undefined, '', 'vsphere'],
    [0, 'VCenter', 'vsphere'],
    [99, 'VCenter', undefined],
    [4, undefined, undefined],
    [0, 'HVM', undefined],
    [undefined, 'HPE VM Essentials', undefined],
    [3, 'something', undefined],
  ] as const)('of entity %s at a site of type %s is %s', (entity, siteType, profile) => {
    expect(profileOf(entity, siteType)).toBe(profile);
  });
});
