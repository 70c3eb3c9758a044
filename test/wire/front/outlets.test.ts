import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { OF_MANY_CLIENTS, OF_ONE_CLIENT, Outlets } from '../../../src/wire/front/outlets.js';

class Sink extends Outlets {
  write(): boolean {
    return true;
  }

  end(): void {
    this.leave();
  }
}

/** An open answer whose reader has yet to take so many bytes. */
class Reader extends EventEmitter {
  writableLength = 0;
  writableEnded = false;
  destroyed = false;

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

const MIB = 1 << 20;
const tracked = (sink: Sink, mib: number): Reader => {
  const reader = new Reader();
  sink.track(reader as unknown as ServerResponse);
  reader.writableLength = mib * MIB;
  return reader;
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a downstream waits where much is unread, until readers took it', async () => {
  const sink = new Sink(OF_ONE_CLIENT);
  const one = tracked(sink, 5);
  expect(sink.ready()).toBeUndefined();
  const two = tracked(sink, 5);
  const ready = sink.ready();
  expect(ready).toBeDefined();
  let open = false;
  void ready?.then(() => {
    open = true;
  });
  one.emit('drain');
  await vi.advanceTimersByTimeAsync(1000);
  expect(open).toBe(false);
  two.writableLength = 0;
  two.emit('drain');
  await ready;
  expect([one.destroyed, two.destroyed]).toEqual([false, false]);
});

test('a reader that takes nothing for a minute while others wait is disconnected, the one with most unread first', async () => {
  const sink = new Sink(OF_ONE_CLIENT);
  const idle = tracked(sink, 2);
  const stuck = tracked(sink, 9);
  const ready = sink.ready();
  await vi.advanceTimersByTimeAsync(59_000);
  expect(stuck.destroyed).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  await ready;
  expect([idle.destroyed, stuck.destroyed]).toEqual([false, true]);
});

test('what others read and end gives a stuck reader no more time', async () => {
  const sink = new Sink(OF_ONE_CLIENT);
  const stuck = tracked(sink, 9);
  const ready = sink.ready();
  for (let i = 0; i < 4; i += 1) {
    const other = tracked(sink, 1);
    await vi.advanceTimersByTimeAsync(20_000);
    other.emit('drain');
    other.destroy();
  }
  expect(stuck.destroyed).toBe(true);
  await ready;
});

test('nobody waits for a session that is over', async () => {
  const sink = new Sink(OF_ONE_CLIENT);
  tracked(sink, 9);
  const ready = sink.ready();
  sink.end();
  await Promise.all([ready, sink.gone, sink.flushed()]);
  expect(sink.open).toBe(false);
});

describe('many clients', () => {
  test('one that reads nothing of a stream holds up the others for a second in all, and is disconnected', async () => {
    const sink = new Sink(OF_MANY_CLIENTS);
    const [slow, alsoSlow, quick] = [tracked(sink, 9), tracked(sink, 9), tracked(sink, 1)];
    const ready = sink.ready();
    expect(ready).toBeDefined();
    await vi.advanceTimersByTimeAsync(900);
    quick.writableLength = 0;
    quick.emit('drain');
    expect([slow.destroyed, alsoSlow.destroyed]).toEqual([false, false]);
    await vi.advanceTimersByTimeAsync(150);
    await ready;
    expect([slow.destroyed, alsoSlow.destroyed, quick.destroyed]).toEqual([true, true, false]);
    expect(sink.ready()).toBeUndefined();
  });

  test('one that reads a little at a time gets no second after second', async () => {
    const sink = new Sink(OF_MANY_CLIENTS);
    const slow = tracked(sink, 9);
    for (let n = 0; n < 4; n += 1) {
      const ready = sink.ready();
      if (slow.destroyed) return;
      await vi.advanceTimersByTimeAsync(400);
      slow.writableLength = 7 * MIB;
      tracked(sink, 0).destroy();
      await ready;
      slow.writableLength = 9 * MIB;
    }
    expect(slow.destroyed).toBe(true);
  });

  test('one that catches up is not disconnected, and the rest of a long answer waits for its reader', async () => {
    const sink = new Sink(OF_MANY_CLIENTS);
    const one = tracked(sink, 9);
    const ready = sink.ready();
    await vi.advanceTimersByTimeAsync(900);
    one.writableLength = 0;
    one.emit('drain');
    await ready;
    one.writableLength = 100 * MIB;
    one.writableEnded = true;
    expect(sink.ready()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(one.destroyed).toBe(false);
  });

  test('together they have a bound; the one that has been behind longest goes first', async () => {
    const sink = new Sink(OF_MANY_CLIENTS);
    const ended = (mib: number): Reader => Object.assign(tracked(sink, mib), { writableEnded: true });
    const old = ended(60);
    await vi.advanceTimersByTimeAsync(10);
    const others = [ended(100), ended(97)];
    const ready = sink.ready();
    expect(ready).toBeDefined();
    await vi.advanceTimersByTimeAsync(1100);
    await ready;
    expect([old, ...others].map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
  });
});
