import { expect, test } from 'vitest';
import type { ZvmClient } from '../../src/zerto/client.js';
import { systemClock } from '../../src/zerto/clock.js';
import { Evidence } from '../../src/zerto/evidence.js';
import type { ZvmEvent } from '../../src/zerto/shapes.js';
import { target, vpg } from '../support/calls.js';

const signal = new AbortController().signal;
const NOW = Date.now();
const point = (id: number, minutesAgo: number) => ({
  checkpointIdentifier: String(id),
  timestamp: new Date(NOW - minutesAgo * 60_000).toISOString(),
});
const RANGE = { since: undefined, until: undefined, stamps: undefined, oldest: undefined, wants: () => true };

/** One site with one VPG, by what its appliance answers. */
function evidence(client: Partial<Record<keyof ZvmClient, unknown>>): Evidence {
  const fake = {
    site: 'site-a',
    localSite: async () => ({ siteIdentifier: 'guid', siteName: '' }),
    serverTime: async () => new Date(),
    checkpointStats: async () => ({ oldest: point(1, 60), newest: point(9, 0) }),
    checkpoints: async () => [],
    events: async () => [],
    ...client,
  } as unknown as ZvmClient;
  const listing = { vms: [target('app01', vpg('app')).vm], unsure: [], silent: [] };
  const inventory = { vms: async () => listing.vms, listing: async () => listing };
  return new Evidence([fake], inventory, systemClock);
}

test('the end of a journal counts as it is after the journal was read', async () => {
  const ends = [point(1, 60), point(5, 30)];
  const stats = async () => ({ oldest: ends.shift(), newest: point(9, 0) });
  const { journals } = await evidence({ checkpointStats: stats }).read(RANGE, signal);
  expect(journals[0]?.answer).toMatchObject({ kind: 'read', oldest: { checkpointIdentifier: '5' } });
});

test('an insert that failed left nothing; a type may be a name; the oldest event of any kind counts', async () => {
  const event = (parts: Partial<ZvmEvent>, minutesAgo: number): ZvmEvent => ({
    description: 'x',
    occurredOn: point(0, minutesAgo).timestamp,
    vpgIdentifiers: [],
    ...parts,
  });
  const events = [
    event({ eventType: 12, succeeded: false }, 1),
    event({ eventType: 12, succeeded: true }, 2),
    event({ eventType: 12 }, 3),
    event({ eventType: 58 }, 4),
    event({ eventType: 59 }, 5),
    event({}, 6),
  ];
  const { sites } = await evidence({ events: async () => events }).read(RANGE, signal);
  expect(sites[0]?.answer).toMatchObject({
    events: [{ kind: 'tag' }, { kind: 'tag' }, { kind: 'mount' }],
    from: point(0, 6).timestamp,
  });
});

test('a month is asked for day by day, and only tagged checkpoints are kept', async () => {
  const asked: { since: Date; until: Date }[] = [];
  const checkpoints = async (_: string, range: { since: Date; until: Date }) => {
    asked.push(range);
    return [point(asked.length, 0), { ...point(1_000 + asked.length, 0), tag: `t${asked.length}` }];
  };
  const stats = async () => ({ oldest: point(1, 30 * 1_440), newest: point(9, 0) });
  const { journals } = await evidence({ checkpointStats: stats, checkpoints }).read(RANGE, signal);
  expect(asked).toHaveLength(31);
  for (const { since, until } of asked) expect(until.getTime() - since.getTime()).toBeLessThanOrEqual(86_400_000);
  expect(journals[0]?.answer).toMatchObject({ kind: 'read', tagged: { length: 31 } });
});
