import { expect, test } from 'vitest';
import type { Rider } from '../../src/proxy/batch.js';
import { Lane, type Pin, type Ride } from '../../src/proxy/lane.js';
import { fc } from '../support/property.js';

/** A lane whose inserts are listed by hand, one at a time. */
function handLane() {
  const inserts: { tag: string; list: () => void; fail: (error: Error) => void; signal: AbortSignal }[] = [];
  let tick = 0;
  const pin: Pin = (tag, sent, signal) =>
    new Promise((resolve, reject) => {
      sent();
      const checkpoint = { checkpointIdentifier: String(inserts.length + 1), timestamp: '2026-01-01T00:00:00Z', tag };
      inserts.push({ tag, signal, list: () => resolve({ before: {}, checkpoint, listedAt: 0 }), fail: reject });
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  const lane = new Lane(pin, () => ++tick);
  const rider = (receipt: string, lastChange = () => 0, session = 's'): Rider => ({
    receipt,
    session,
    alone: true,
    vms: ['vm'],
    lastChange,
    tag: () => `tag of ${receipt}`,
  });
  return { lane, inserts, rider, tick: () => ++tick };
}
/** Turns of the event loop, not time: on a busy machine a timer may come before what was to happen first. */
const settle = async () => {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

test('calls that arrive together share one tag, and each is told of the others', async () => {
  const { lane, inserts, rider } = handLane();
  const rides = ['a', 'b', 'c'].map((name) => lane.join(rider(name)));
  await settle();
  expect(inserts.map(({ tag }) => tag)).toEqual(['tag of a']);
  inserts[0]?.list();
  expect((await rides[1]?.listed)?.sharedWith).toEqual(['a', 'c']);
});

test('a call that comes after the insert waits for the next one, which waits until the first were forwarded', async () => {
  const { lane, inserts, rider } = handLane();
  const first = lane.join(rider('a'));
  await settle();
  const second = lane.join(rider('b'));
  inserts[0]?.list();
  await first.listed;
  await settle();
  expect(inserts).toHaveLength(1);
  first.leave(true);
  await settle();
  expect(inserts.map(({ tag }) => tag)).toEqual(['tag of a', 'tag of b']);
  inserts[1]?.list();
  expect((await second.listed).sharedWith).toEqual([]);
});

test('a call that takes over a spare tag does not also take a place that its session kept on another', async () => {
  const { lane, inserts, rider, tick } = handLane();
  const first = lane.join(rider('a'));
  await settle();
  inserts[0]?.list();
  await first.listed;
  first.leave(false);
  const changed = tick();
  const early = lane.join({ ...rider('b', () => changed), vms: ['other vm'] });
  await settle();
  expect(inserts).toHaveLength(2);
  inserts[1]?.list();
  await early.listed;
  early.keep(new Promise(() => undefined));
  const onSpare = lane.join(rider('c'));
  expect(await onSpare.listed).toMatchObject({ name: 'tag of a', spare: true });
  onSpare.leave(true);
  const last = tick();
  const after = lane.join(rider('d', () => last, 'another session'));
  await settle();
  expect(inserts, 'a place that nobody comes back to holds the lane for ever').toHaveLength(3);
  inserts[2]?.list();
  expect((await after.listed).name).toBe('tag of d');
});

test('a failed insert fails its riders, and the next call gets an insert of its own', async () => {
  const { lane, inserts, rider } = handLane();
  const first = lane.join(rider('a'));
  await settle();
  inserts[0]?.fail(new Error('503'));
  await expect(first.listed).rejects.toThrow('503');
  const second = lane.join(rider('b'));
  await settle();
  inserts[1]?.list();
  expect((await second.listed).name).toBe('tag of b');
});

test('an insert that nobody waits for any more is given up where another call waits for the lane', async () => {
  const { lane, inserts, rider } = handLane();
  const ride = lane.join(rider('a'));
  await settle();
  const other = lane.join(rider('b', () => 0, 'another session'));
  ride.leave(false);
  expect(inserts[0]?.signal.aborted).toBe(true);
  await settle();
  inserts[1]?.list();
  expect((await other.listed).name).toBe('tag of b');
});

test('a tag that was sent for a call that then gave up serves the next call of its session', async () => {
  const { lane, inserts, rider } = handLane();
  lane.join(rider('a')).leave(false);
  const ride = lane.join(rider('a'));
  await settle();
  ride.leave(false);
  expect(inserts[0]?.signal.aborted).toBe(false);
  const again = lane.join(rider('b'));
  inserts[0]?.list();
  expect((await again.listed).name).toBe('tag of a');
  expect(inserts).toHaveLength(1);
});

test('calls on one VM that share a tag go in the order in which they came, those on another VM do not wait', async () => {
  const { lane, inserts, rider } = handLane();
  const first = lane.join(rider('a'));
  const second = lane.join(rider('b'));
  const other = lane.join({ ...rider('c'), vms: ['another'] });
  await settle();
  inserts[0]?.list();
  await second.listed;
  let turned = false;
  void second.turn().then(() => {
    turned = true;
  });
  await other.turn();
  await first.turn();
  await settle();
  expect(turned).toBe(false);
  first.leave(true);
  await settle();
  expect(turned).toBe(true);
});

test('a kept pin goes on, and serves the next call of the same session only', async () => {
  const { lane, inserts, rider } = handLane();
  const early = lane.join(rider('a'));
  await settle();
  early.keep();
  inserts[0]?.list();
  await settle();
  const stranger = lane.join(rider('x', () => 0, 'another session'));
  const repeat = lane.join(rider('b'));
  expect(await repeat.listed).toMatchObject({ name: 'tag of a', spare: true });
  repeat.leave(true);
  await settle();
  expect(inserts.map(({ tag }) => tag)).toEqual(['tag of a', 'tag of x']);
  stranger.leave(false);
});

test('until its place is given up, a kept tag waits for its session, and calls that came meanwhile wait for that', async () => {
  const { lane, inserts, rider } = handLane();
  let over: () => void = () => undefined;
  const reserved = new Promise<void>((resolve) => {
    over = resolve;
  });
  const early = lane.join(rider('a'));
  await settle();
  const stranger = lane.join(rider('x', () => 0, 'another session'));
  early.keep(reserved);
  inserts[0]?.list();
  await settle();
  expect(inserts).toHaveLength(1);
  const repeat = lane.join(rider('b'));
  expect(await repeat.listed).toMatchObject({ name: 'tag of a', spare: true });
  over();
  await settle();
  expect(inserts).toHaveLength(1);
  repeat.leave(true);
  await settle();
  expect(inserts.map(({ tag }) => tag)).toEqual(['tag of a', 'tag of x']);
  stranger.leave(false);
});

test('nobody comes back: the lane goes on when the place is given up, and the tag is left for the session', async () => {
  const { lane, inserts, rider } = handLane();
  let over: () => void = () => undefined;
  const early = lane.join(rider('a'));
  await settle();
  const other = lane.join({ ...rider('x', () => 0, 'another session'), vms: ['vm-2'] });
  early.keep(new Promise<void>((resolve) => (over = resolve)));
  inserts[0]?.list();
  await settle();
  over();
  await settle();
  expect(inserts.map(({ tag }) => tag)).toEqual(['tag of a', 'tag of x']);
  expect(await lane.join(rider('b')).listed).toMatchObject({ name: 'tag of a', spare: true });
  other.leave(false);
});

test('a call that shares the tag may go first and the reserved one still comes after it, but not after a change from outside', async () => {
  for (const outside of [false, true]) {
    const { lane, inserts, rider, tick } = handLane();
    let last = 0;
    let lastOutside = 0;
    const on = (receipt: string, session: string): Rider => ({
      ...rider(receipt, () => last, session),
      lastOutside: () => lastOutside,
    });
    const early = lane.join(on('a', 's'));
    const other = lane.join(on('x', 'another session'));
    await settle();
    early.keep(new Promise(() => undefined));
    inserts[0]?.list();
    await other.listed;
    if (outside) lastOutside = tick();
    last = tick();
    other.leave(true);
    await settle();
    const repeat = lane.join(on('b', 's'));
    await settle();
    expect(inserts.map(({ tag }) => tag)).toEqual(outside ? ['tag of a', 'tag of b'] : ['tag of a']);
    inserts.at(-1)?.list();
    expect(await repeat.listed).toMatchObject(
      outside ? { name: 'tag of b', sharedWith: [] } : { name: 'tag of a', sharedWith: ['x'] },
    );
  }
});

test('a repeat joins the kept pin that is still under way', async () => {
  const { lane, inserts, rider } = handLane();
  lane.join(rider('a')).keep();
  await settle();
  const repeat = lane.join(rider('b'));
  await settle();
  expect(inserts).toHaveLength(1);
  inserts[0]?.list();
  expect(await repeat.listed).toMatchObject({ name: 'tag of a', spare: false });
});

test('a tag older than the last change sent to the VM serves nobody', async () => {
  const { lane, inserts, rider, tick } = handLane();
  lane.join(rider('a')).keep();
  await settle();
  inserts[0]?.list();
  await settle();
  const changed = tick();
  lane.join(rider('b', () => changed));
  await settle();
  expect(inserts).toHaveLength(2);
});

test('whatever the order of joining, listing and leaving: every rider is served, by a tag no older than the last change of a call that does not share it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ vm: fc.nat(2), wait: fc.nat(3), used: fc.boolean(), returns: fc.option(fc.nat(5)) }), {
        minLength: 1,
        maxLength: 12,
      }),
      async (calls) => {
        let tick = 0;
        const lastChange = new Map<number, { tick: number; by: string }>();
        const violations: string[] = [];
        const turns = async (count: number) => {
          for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        };
        const lane = new Lane(
          async (tag, sent) => {
            sent();
            await new Promise((resolve) => setImmediate(resolve));
            const checkpoint = { checkpointIdentifier: '1', timestamp: '2026-01-01T00:00:00Z', tag };
            return { before: {}, checkpoint, listedAt: 0 };
          },
          () => ++tick,
        );
        await Promise.all(
          calls.map(async ({ vm, wait, used, returns }, index) => {
            await turns(wait);
            const last = () => lastChange.get(vm)?.tick ?? 0;
            const join = (receipt: string) =>
              lane.join({
                receipt,
                session: `s${vm}`,
                alone: true,
                vms: [`vm${vm}`],
                lastChange: last,
                tag: () => `t${index}`,
              });
            if (returns !== null) {
              join(`early${index}`).keep(turns(5));
              await turns(returns);
            }
            const ride = join(`r${index}`);
            const listed = await ride.listed;
            const stranger = !listed.sharedWith.includes(lastChange.get(vm)?.by ?? '');
            if (last() > listed.sentAt && stranger) violations.push(`call ${index} rides on a tag older than a change`);
            if (used) lastChange.set(vm, { tick: ++tick, by: `r${index}` });
            ride.leave(used);
          }),
        );
        expect(violations).toEqual([]);
      },
    ),
    { numRuns: 200 },
  );
});

function keepAll(rides: readonly Ride[], reserved: Promise<void> | undefined): void {
  for (const ride of rides) ride.keep(reserved);
}

test('calls on several VPGs never wait for each other, whatever they share, keep and repeat', async () => {
  const call = fc.record({
    lanes: fc.uniqueArray(fc.nat(2), { minLength: 1, maxLength: 3 }),
    wait: fc.nat(4),
    session: fc.nat(1),
    ends: fc.constantFrom('used', 'unused', 'kept', 'reserved'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 2, maxLength: 10 }), async (calls) => {
      let tick = 0;
      const turns = async (count: number) => {
        for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      };
      const lanes = [0, 1, 2].map(
        (speed) =>
          new Lane(
            async (tag, sent) => {
              await turns(1);
              sent();
              await turns(speed * 2);
              const checkpoint = { checkpointIdentifier: '1', timestamp: '2026-01-01T00:00:00Z', tag };
              return { before: {}, checkpoint, listedAt: 0 };
            },
            () => ++tick,
          ),
      );
      let served = 0;
      const all = calls.map(async ({ lanes: wanted, wait, session, ends }, index) => {
        await turns(wait);
        const alone = wanted.length === 1;
        const rider = {
          receipt: `r${index}`,
          session: `s${session}`,
          alone,
          vms: wanted.map(String),
          lastChange: () => 0,
          tag: () => `t${index}`,
        };
        const rides = wanted.flatMap((lane) => lanes[lane]?.join(rider) ?? []);
        const reserved = ends === 'reserved' ? turns(index * 3) : undefined;
        if (reserved !== undefined || ends === 'kept') keepAll(rides, reserved);
        else {
          await Promise.all(rides.map((ride) => ride.listed));
          await Promise.all(rides.map((ride) => ride.turn()));
          for (const ride of rides) ride.leave(ends === 'used');
        }
        served += 1;
      });
      await Promise.race([Promise.all(all), turns(2000)]);
      expect(served).toBe(calls.length);
    }),
    { numRuns: 300 },
  );
});

test('a call that gives up while it waits for its turn leaves nothing behind for the next', async () => {
  const { lane, inserts, rider } = handLane();
  const first = lane.join(rider('a'));
  await settle();
  lane.join(rider('b')).leave(false);
  const third = lane.join(rider('c'));
  inserts[0]?.list();
  await first.listed;
  first.leave(true);
  await settle();
  inserts[1]?.list();
  expect((await third.listed).name).toBe('tag of c');
});

test('a tag that a session left is still there when another session’s tag on another VM is under way, and after it', async () => {
  const { lane, inserts, rider, tick } = handLane();
  lane.join(rider('a')).keep();
  await settle();
  const other = lane.join({ ...rider('b', () => 0, 'other'), vms: ['vm-2'] });
  inserts[0]?.list();
  await settle();
  expect(inserts.map(({ tag }) => tag)).toEqual(['tag of a', 'tag of b']);
  const repeat = lane.join(rider('c'));
  expect(await repeat.listed).toMatchObject({ name: 'tag of a', spare: true });
  // While it is not forwarded, no insert may go out that its change would be newer than.
  const third = lane.join({ ...rider('d', () => 0, 'third'), vms: ['vm'] });
  inserts[1]?.list();
  await other.listed;
  other.leave(true);
  await settle();
  expect(inserts).toHaveLength(2);
  repeat.leave(true);
  await settle();
  expect(inserts.map(({ tag }) => tag)).toEqual(['tag of a', 'tag of b', 'tag of d']);
  third.leave(false);
  // Used once, it is no spare any more.
  lane.join(rider('e', tick));
  inserts[2]?.list();
  await settle();
  expect(inserts.map(({ tag }) => tag)).toEqual(['tag of a', 'tag of b', 'tag of d', 'tag of e']);
});

test('a tag that was left is not taken while another call on its VM waits for a newer one', async () => {
  const { lane, inserts, rider } = handLane();
  lane.join(rider('a')).keep();
  await settle();
  const other = lane.join(rider('b', () => 0, 'other'));
  inserts[0]?.list();
  await settle();
  const repeat = lane.join(rider('c'));
  inserts[1]?.list();
  await other.listed;
  other.leave(true);
  await settle();
  inserts[2]?.list();
  expect((await repeat.listed).name).toBe('tag of c');
});

test('a tag that others used still serves the session that left it, for a VM that was not changed since', async () => {
  const { lane, inserts, rider } = handLane();
  const early = lane.join(rider('a'));
  const other = lane.join({ ...rider('b', () => 0, 'other'), vms: ['vm-2'] });
  await settle();
  early.keep();
  inserts[0]?.list();
  await other.listed;
  other.leave(true);
  await settle();
  expect(await lane.join(rider('c')).listed).toMatchObject({ name: 'tag of a', sharedWith: ['b'] });
});
