import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Outlets } from '../../../src/wire/front/outlets.js';

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
  const sink = new Sink();
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
  const sink = new Sink();
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
  const sink = new Sink();
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
  const sink = new Sink();
  tracked(sink, 9);
  const ready = sink.ready();
  sink.end();
  await Promise.all([ready, sink.gone, sink.flushed()]);
  expect(sink.open).toBe(false);
});
