import { expect, test } from 'vitest';
import { allEvents, DAY_MS } from '../../src/zerto/event-log.js';
import type { DateRange, ZvmEvent } from '../../src/zerto/shapes.js';
import { fc } from '../support/property.js';

const signal = new AbortController().signal;
const START = Date.UTC(2026, 0, 1);

/** An appliance that gives at most `most` events in one answer, the newest or the oldest of the time asked for. */
function appliance(times: readonly number[], most: number, which: 'newest' | 'oldest') {
  const asked: DateRange[] = [];
  const all = times.map(
    (at, index): ZvmEvent => ({
      eventIdentifier: String(index),
      description: '',
      occurredOn: new Date(at).toISOString(),
      vpgIdentifiers: [],
    }),
  );
  const events = async (range: DateRange) => {
    asked.push(range);
    const [from, to] = [range.since?.getTime() ?? 0, range.until?.getTime() ?? Number.POSITIVE_INFINITY];
    const inside = all
      .filter(({ occurredOn }) => Date.parse(occurredOn) >= from && Date.parse(occurredOn) <= to)
      .sort((a, b) => Date.parse(a.occurredOn) - Date.parse(b.occurredOn));
    return which === 'newest' ? inside.slice(-most) : inside.slice(0, most);
  };
  return { asked, events };
}

test('an answer that is cut, at either end, loses no event', async () => {
  const spread = fc.array(fc.integer({ min: 0, max: 3 * DAY_MS }), { maxLength: 600 });
  await fc.assert(
    fc.asyncProperty(
      spread,
      fc.integer({ min: 100, max: 400 }),
      fc.constantFrom('newest' as const, 'oldest' as const),
      async (offsets, most, which) => {
        const zvm = appliance(
          offsets.map((offset) => START + offset),
          most,
          which,
        );
        const range = { since: new Date(START), until: new Date(START + 3 * DAY_MS) };
        const found = await allEvents(zvm, range, signal);
        expect(new Set(found.map(({ eventIdentifier }) => eventIdentifier)).size).toBe(offsets.length);
        expect(found).toHaveLength(offsets.length);
      },
    ),
    { numRuns: 40 },
  );
});

test('short answers are asked for once a day, a long one that is whole twice more, and one that ignores the times ends', async () => {
  const range = { since: new Date(START), until: new Date(START + 2 * DAY_MS) };
  const quiet = appliance([START + 1, START + DAY_MS + 1], 100, 'newest');
  expect(await allEvents(quiet, range, signal)).toHaveLength(2);
  expect(quiet.asked).toHaveLength(2);
  const busy = appliance(
    Array.from({ length: 150 }, (_, index) => START + index * 1_000),
    1_000,
    'newest',
  );
  expect(await allEvents(busy, range, signal)).toHaveLength(150);
  expect(busy.asked).toHaveLength(4);
  const deaf = appliance(
    Array.from({ length: 300 }, (_, index) => START + index),
    1_000,
    'newest',
  );
  const ignoring = { events: () => deaf.events({}) };
  expect(await allEvents(ignoring, range, signal)).toHaveLength(300);
});
