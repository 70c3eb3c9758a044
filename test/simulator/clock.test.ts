import { describe, expect, test } from 'vitest';
import { parseDate } from '../../src/simulator/http/dates.js';
import { camel } from '../../src/simulator/http/render.js';
import { route } from '../../src/simulator/http/routes.js';
import { realClock, virtualClock } from '../../src/simulator/index.js';
import { fc } from '../support/property.js';

describe('virtual clock', () => {
  test('timers run in order of time, then of setting, each at its own time', async () => {
    const clock = virtualClock(1_000);
    const seen: [string, number][] = [];
    const note = (name: string) => () => seen.push([name, clock.now()]);
    clock.setTimer(1_300, note('c'));
    clock.setTimer(1_100, note('a'));
    clock.setTimer(1_100, note('b'));
    const cancel = clock.setTimer(1_200, note('never'));
    clock.setTimer(1_100, () => clock.setTimer(1_150, note('nested')));
    cancel();
    await clock.advance(299);
    expect(seen).toEqual([
      ['a', 1_100],
      ['b', 1_100],
      ['nested', 1_150],
    ]);
    await Promise.all([clock.advance(1), clock.advance(10)]);
    expect(seen.at(-1)).toEqual(['c', 1_300]);
    expect(clock.now()).toBe(1_310);
  });

  test('promises of a timer settle before the next timer', async () => {
    const clock = virtualClock(0);
    const seen: string[] = [];
    clock.setTimer(1, () => {
      Promise.resolve()
        .then(() => undefined)
        .then(() => seen.push('promise'))
        .catch(() => undefined);
    });
    clock.setTimer(2, () => seen.push('timer'));
    await clock.advance(5);
    expect(seen).toEqual(['promise', 'timer']);
  });

  test('drive answers what the promise answers, and gives up at its limit', async () => {
    const clock = virtualClock(0);
    const after = (ms: number) =>
      new Promise<number>((resolve) => clock.setTimer(clock.now() + ms, () => resolve(clock.now())));
    expect(await clock.drive(after(1_000))).toBe(1_000);
    await expect(clock.drive(Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(clock.drive(new Promise(() => {}), { limitMs: 1_000 })).rejects.toThrow('not settled after 1000 ms');
  });
});

test('the real clock runs and cancels timers', async () => {
  const clock = realClock();
  const seen: string[] = [];
  clock.setTimer(clock.now() + 20, () => seen.push('late'))();
  await new Promise<void>((resolve) => {
    clock.setTimer(clock.now() - 5, () => {
      seen.push('now');
      resolve();
    });
    // Its timers do not keep the process alive, this one does.
    setTimeout(() => undefined, 50);
  });
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect(seen).toEqual(['now']);
});

describe('reading dates', () => {
  test('every ISO instant is read as it is meant', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('2999-01-01T00:00:00Z'), noInvalidDate: true }),
        fc.integer({ min: -840, max: 840 }),
        (date, zone) => {
          expect(parseDate(date.toISOString(), zone)).toBe(date.getTime());
          expect(parseDate(date.toISOString().slice(0, -1), zone)).toBe(date.getTime() - zone * 60_000);
        },
      ),
    );
  });

  test('no text makes it throw or answer a fraction', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9TZ:./+-]{0,30}$/)), (text) => {
        const date = parseDate(text, 0);
        expect(date === undefined || Number.isInteger(date)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
    for (const text of ['', '2026-13', '2026-01-32', '2026-01-01T24', '2026-01-01T00:60', 'now', '1e9'])
      expect(parseDate(text, 0)).toBeUndefined();
  });
});

test.each([
  ['VmName', 'vmName'],
  ['IOPs', 'ioPs'],
  ['ActualRPO', 'actualRPO'],
  ['href', 'href'],
  ['ID', 'id'],
])('%s in camel case is %s', (pascal, expected) => {
  expect(camel(pascal)).toBe(expected);
});

test('no path makes the router throw', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('GET', 'POST', 'DELETE', 'PATCH'), (path, method) => {
      expect(['found', 'wrong_method', 'unknown']).toContain(route(method, `/v1/${path}`).kind);
    }),
  );
  expect(route('GET', '/v1/vms/%E0%A4%A')).toMatchObject({ kind: 'found', params: ['%E0%A4%A'] });
});
