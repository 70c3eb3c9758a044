/** Milliseconds since the epoch, and timers on the same scale. `setTimer` answers what cancels it. */
export interface Clock {
  now(): number;
  setTimer(at: number, run: () => void): () => void;
}

/** A clock that stands still until it is told to move. */
export interface VirtualClock extends Clock {
  /** Moves on by `ms`; each timer runs at its own time, and promises settle between two timers. */
  advance(ms: number): Promise<void>;
  /**
   * Moves on in steps of `stepMs` (250), with a moment of real time for I/O after each, until the promise settles.
   * Rejects where that takes longer than `limitMs` (one hour) on this clock.
   */
  drive<T>(promise: Promise<T>, options?: { readonly stepMs?: number; readonly limitMs?: number }): Promise<T>;
}

/** The machine's clock. Its timers never keep the process alive. */
export function realClock(): Clock {
  return {
    now: () => Date.now(),
    setTimer(at, run) {
      const timer = setTimeout(run, Math.max(0, at - Date.now()));
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** A clock for tests that starts at `startMs`. */
export function virtualClock(startMs: number): VirtualClock {
  let now = startMs;
  let queue: Promise<void> = Promise.resolve();
  const timers = new Set<Timer>();

  async function move(ms: number): Promise<void> {
    const target = now + ms;
    await turn();
    for (let timer = earliest(timers, target); timer; timer = earliest(timers, target)) {
      timers.delete(timer);
      now = Math.max(now, timer.at);
      timer.run();
      await turn();
    }
    now = Math.max(now, target);
    await turn();
  }

  function advance(ms: number): Promise<void> {
    queue = queue.then(() => move(ms));
    return queue;
  }

  return {
    now: () => now,
    setTimer(at, run) {
      const timer = { at, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance,
    async drive(promise, { stepMs = 250, limitMs = 3_600_000 } = {}) {
      const limit = now + limitMs;
      let settled = false;
      const watched = promise.finally(() => {
        settled = true;
      });
      watched.catch(() => {});
      while (!settled) {
        if (now >= limit) throw new Error(`not settled after ${limitMs} ms on the virtual clock`);
        await advance(stepMs);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      return watched;
    },
  };
}

/** The first timer due by `target`; of equal ones the one set first. */
function earliest(timers: ReadonlySet<Timer>, target: number): Timer | undefined {
  let first: Timer | undefined;
  for (const timer of timers) {
    if (timer.at <= target && (first === undefined || timer.at < first.at)) first = timer;
  }
  return first;
}

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
