import { describe, expect, it } from 'vitest';
import { readiness } from '../../src/zerto/vpg-state.js';
import { verifies } from '../e2e/requirements.js';

const vpg = (status?: number, subStatus?: number) => readiness({ status, subStatus });

describe('whether a VPG takes a tag', () => {
  it(`${verifies('G-9')} holds for sub-status None under a status of replication alone`, () => {
    const ready: string[] = [];
    for (let status = -1; status <= 12; status += 1) {
      for (let subStatus = -1; subStatus <= 60; subStatus += 1) {
        if (vpg(status, subStatus).kind === 'ready') ready.push(`${status}/${subStatus}`);
      }
    }
    expect(ready).toEqual(['1/0', '2/0', '3/0', '4/0']);
  });

  it.each([
    [undefined, 0],
    [1, undefined],
    [undefined, undefined],
  ])('is denied where a number is missing (%s/%s)', (status, subStatus) => {
    expect(vpg(status, subStatus)).toMatchObject({ kind: 'blocked', state: expect.stringContaining('unknown') });
  });

  it.each(Array.from({ length: 42 }, (_, index) => index + 1))(
    'names sub-status %i and what has to happen',
    (subStatus) => {
      const answer = vpg(1, subStatus);
      if (answer.kind !== 'blocked') throw new Error('not blocked');
      expect(answer.state).toContain(`(${subStatus})`);
      expect(answer.state.startsWith('sub-status unknown')).toBe(subStatus > 40);
      expect(answer.remedy).toMatch(/^[A-Z].*\.$/);
    },
  );

  it.each([
    [6, /synchronization is complete/],
    [1, /synchronization is complete/],
    [25, /resume the VPG/],
    [7, /set-up/],
    [24, /connection/],
    [8, /error/],
    [28, /backup/],
    [21, /deleted/],
    [16, /failover or move/],
  ])('says the remedy of sub-status %i', (subStatus, remedy) => {
    expect(vpg(1, subStatus)).toMatchObject({ remedy: expect.stringMatching(remedy) });
  });

  it.each([5, 6, 7, 8])('says the remedy of status %i', (status) => {
    expect(vpg(status, 0)).toMatchObject({ remedy: expect.stringContaining('protect the VM again') });
  });
});
