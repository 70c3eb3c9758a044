import { afterEach, describe, expect, test } from 'vitest';
import type { WorldOptions } from '../../src/simulator/index.js';
import { verifies } from '../e2e/requirements.js';
import { pursue, type Wish } from './agents.js';
import { faultsOf } from './checker.js';
import { type Plant, plant } from './plant.js';

/** A tag is listed 128 s after its insert. */
const AWS: WorldOptions = {
  sites: [{ name: 'aws' }],
  vms: [{ name: 'app01' }, { name: 'web01' }],
  vpgs: [{ name: 'cloud', vms: ['app01', 'web01'], profile: 'aws' }],
};

let p: Plant;
afterEach(() => p.close());

const wish = (more: Partial<Wish> = {}): Wish => ({
  session: 'one',
  command: 'change it',
  hosts: ['app01'],
  progress: false,
  repeats: 20,
  ...more,
});
const tags = () => p.world.vpg('cloud').journal.filter(({ tag }) => tag !== undefined).length;
const outcomes = () => p.records.map(({ outcome }) => (outcome?.kind === 'not_sent' ? outcome.code : outcome?.kind));
const seconds = (from: number) => (p.clock.now() - from) / 1000;

describe(`${verifies('G-6', 'G-5', 'A-1')} a tag that takes 128 s, and a client that gives up after 60 s`, () => {
  test('one that is told of progress waits: forwarded once, after its tag', async () => {
    p = await plant({ world: AWS });
    const from = p.clock.now();
    const seen = await p.clock.run(pursue(p, wish({ progress: true })));
    expect(seen).toMatchObject({ end: 'answered', receipt: { vms: [{ name: 'app01' }] } });
    expect(seconds(from)).toBeGreaterThan(128);
    expect(faultsOf([seen], p.arrivals)).toEqual([]);
    expect([outcomes(), tags()]).toEqual([['forwarded'], 1]);
  });

  test('one that is not is answered before it gives up; its repeat goes on from there: one tag, forwarded once', async () => {
    p = await plant({ world: AWS });
    const seen = await p.clock.run(pursue(p, wish({ givesUpAfterMs: 60_000 })));
    expect(seen).toMatchObject({ end: 'answered' });
    expect(faultsOf([seen], p.arrivals)).toEqual([]);
    expect([outcomes(), tags()]).toEqual([['CHECKPOINT_NOT_PINNED', 'forwarded'], 1]);
    expect(p.records[0]?.receipt).toBeUndefined();
  });

  test('one that repeats at once, again and again, gets there all the same', async () => {
    p = await plant({ world: AWS });
    const at = p.clock.now();
    let attempts = 0;
    const hurried = (async () => {
      for (;;) {
        attempts += 1;
        const answer = await p.call(wish());
        if (answer.kind === 'downstream') return answer;
        expect(answer.text).toMatch(/not sent yet/);
      }
    })();
    await p.clock.run(hurried);
    expect([attempts, tags(), p.arrivals.length]).toEqual([3, 1, 1]);
    expect(seconds(at)).toBeLessThan(140);
    expect(outcomes()).toEqual(['CHECKPOINT_NOT_PINNED', 'CHECKPOINT_NOT_PINNED', 'forwarded']);
  });

  test('one that never comes back: nothing is forwarded, the record says so, and nothing goes on after the tag', async () => {
    p = await plant({ world: AWS });
    const seen = await p.clock.run(pursue(p, wish({ repeats: 0 })));
    expect(seen.end).toBe('not_sent');
    await p.clock.run(p.clock.sleep(3_600_000));
    expect([p.arrivals, outcomes(), tags()]).toEqual([[], ['CHECKPOINT_NOT_PINNED'], 1]);
    const requests = p.zvms[0]?.requests.length;
    await p.clock.run(p.clock.sleep(3_600_000));
    expect(p.zvms[0]?.requests.length).toBe(requests);
  });

  test('one that cancels after 60 s although it could wait: not forwarded, and said so; the tag serves its next change', async () => {
    p = await plant({ world: AWS });
    const given = await p.clock.run(pursue(p, wish({ progress: true, givesUpAfterMs: 60_000 })));
    expect(given.end).toBe('not_sent');
    const from = p.clock.now();
    const next = await p.clock.run(pursue(p, wish({ command: 'change another thing', progress: true })));
    expect(seconds(from)).toBeLessThan(75);
    expect(faultsOf([given, next], p.arrivals)).toEqual([]);
    expect([outcomes(), tags()]).toEqual([['CALL_CANCELLED', 'forwarded'], 1]);
  });

  test('its unused tag serves another change of the session, to the other VM of the VPG, hours later', async () => {
    p = await plant({ world: AWS });
    await p.clock.run(pursue(p, wish({ repeats: 0 })));
    await p.clock.run(p.clock.sleep(7_200_000));
    const from = p.clock.now();
    const seen = await p.clock.run(pursue(p, wish({ command: 'change web', hosts: ['web01'], repeats: 0 })));
    expect(seen.end).toBe('answered');
    expect(seconds(from)).toBeLessThan(10);
    expect(faultsOf([seen], p.arrivals)).toEqual([]);
    expect(tags()).toBe(1);
  });

  test('but no other session’s', async () => {
    p = await plant({ world: AWS });
    await p.clock.run(pursue(p, wish({ repeats: 0 })));
    await p.clock.run(p.clock.sleep(600_000));
    const seen = await p.clock.run(pursue(p, wish({ session: 'two', progress: true })));
    expect(seen.end).toBe('answered');
    expect(tags()).toBe(2);
  });

  test('one that cannot wait gets its turn, although others that can wait keep coming to the same VM', async () => {
    p = await plant({ world: AWS });
    const others = Array.from({ length: 12 }, (_, index) =>
      p.clock
        .sleep(20_000 + index * 60_000)
        .then(() => pursue(p, wish({ session: `w${index}`, command: `change w${index}`, progress: true }))),
    );
    const own = async (count: number) => {
      const seen: { readonly end: string; readonly took: number }[] = [];
      for (let index = 0; index < count; index += 1) {
        const from = p.clock.now();
        const { end } = await pursue(p, wish({ command: `change own ${index}` }));
        seen.push({ end, took: seconds(from) });
      }
      return seen;
    };
    const [mine, rest] = await p.clock.run(Promise.all([own(3), Promise.all(others)]));
    expect(mine.map(({ end }) => end)).toEqual(['answered', 'answered', 'answered']);
    // The tag that is under way, its own, and the time in which it comes back.
    expect(Math.max(...mine.map(({ took }) => took))).toBeLessThan(2 * 128 + 45);
    expect(rest.map(({ end }) => end)).toEqual(others.map(() => 'answered'));
    expect(p.arrivals).toHaveLength(15);
  });

  test('two sessions that cannot wait, on one VPG, both get there', async () => {
    p = await plant({ world: AWS });
    const both = Promise.all([
      pursue(p, wish({ command: 'change a' })),
      pursue(p, wish({ session: 'two', command: 'change b', hosts: ['web01'] })),
      p.clock.sleep(30_000).then(() => pursue(p, wish({ session: 'three', command: 'change c' }))),
      p.clock
        .sleep(60_000)
        .then(() => pursue(p, wish({ session: 'four', command: 'change d', hosts: ['web01'], progress: true }))),
    ]);
    const seen = await p.clock.run(both);
    expect(seen.map(({ end }) => end)).toEqual(['answered', 'answered', 'answered', 'answered']);
    expect(faultsOf(seen, p.arrivals)).toEqual([]);
    expect(tags()).toBeLessThanOrEqual(4);
  });
});
