import type { Clock as SimClock } from '../../src/simulator/clock.js';

/** A clock that jumps from event to event, as soon as nothing is left to do at this moment. */
export interface DayClock extends SimClock {
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs events until the promise settles. Rejects where nothing more is due. */
  run<T>(until: Promise<T>): Promise<T>;
}

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** Turns of the event loop in which whatever is to happen at this moment has happened. */
const TURNS = 3;

export function dayClock(start: number): DayClock {
  let now = start;
  let order = 0;
  const heap: Timer[] = [];
  const cancelled = new Set<Timer>();

  const setTimer = (at: number, run: () => void): (() => void) => {
    const timer = { at, order: order++, run };
    push(heap, timer);
    return () => cancelled.add(timer);
  };

  async function quiet(): Promise<void> {
    for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  return {
    now: () => now,
    setTimer,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason);
        const cancel = setTimer(now + ms, resolve);
        signal?.addEventListener(
          'abort',
          () => {
            cancel();
            reject(signal.reason);
          },
          { once: true },
        );
      }),
    async run(until) {
      let over = false;
      const watched = until.finally(() => {
        over = true;
      });
      watched.catch(() => undefined);
      for (;;) {
        await quiet();
        if (over) return watched;
        const timer = pop(heap);
        if (timer === undefined) throw new Error('nothing is due, and the work is not done');
        if (cancelled.delete(timer)) continue;
        now = Math.max(now, timer.at);
        timer.run();
      }
    },
  };
}

function before(left: Timer | undefined, right: Timer | undefined): boolean {
  if (left === undefined || right === undefined) return left !== undefined;
  return left.at < right.at || (left.at === right.at && left.order < right.order);
}

function push(heap: Timer[], timer: Timer): void {
  let index = heap.push(timer) - 1;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    if (!before(timer, heap[parent])) break;
    heap[index] = heap[parent] as Timer;
    index = parent;
  }
  heap[index] = timer;
}

function pop(heap: Timer[]): Timer | undefined {
  const [first] = heap;
  const last = heap.pop();
  if (first === undefined || last === undefined || heap.length === 0) return first;
  let index = 0;
  for (;;) {
    const left = 2 * index + 1;
    const child = before(heap[left + 1], heap[left]) ? left + 1 : left;
    if (!before(heap[child], last)) break;
    heap[index] = heap[child] as Timer;
    index = child;
  }
  heap[index] = last;
  return first;
}
