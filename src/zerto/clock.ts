import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** Time as the ZVM client sees it, in milliseconds; `sleep` rejects with the signal's reason. Tests pass a virtual one. */
export interface Clock {
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    await delay(ms, undefined, { signal }).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : error;
    });
  },
};

/** Runs once when the signal aborts, also if it has; the answer takes the listener off. */
function onAbort(signal: AbortSignal, run: () => void): () => void {
  if (signal.aborted) run();
  // A call on many VMs has more waiting requests than the ten after which Node warns of a leak.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', run, { once: true });
  return () => signal.removeEventListener('abort', run);
}

/** The promise's own result, or the signal's reason if that comes first; the promise itself goes on. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const off = onAbort(signal, () => reject(signal.reason));
    promise.then(resolve, reject).finally(off);
  });
}

/**
 * Aborts with the caller's reason, or with a TimeoutError after `ms` of the machine's own time. AbortSignal.any would keep the
 * listeners of long-lived signals.
 */
export function withDeadline(signal: AbortSignal, ms: number): { readonly signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const off = onAbort(signal, () => controller.abort(signal.reason));
  const late = (): void => controller.abort(new DOMException(`no answer within ${ms} ms`, 'TimeoutError'));
  const timer = setTimeout(late, Math.max(0, ms));
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer);
      off();
    },
  };
}
