import type { Before } from '../domain/ports.js';
import type { Checkpoint } from '../domain/receipt.js';

/** One call's place in a lane. `receipt` names it to the calls it shares a tag with. */
export interface Rider {
  readonly receipt: string;
  readonly session: string;
  /** The tick of the last change sent to its VM: an older tag does not serve it. */
  readonly lastChange: () => number;
  /** The same for changes that held no place in a lane. */
  readonly lastOutside?: (() => number) | undefined;
  /** Its call waits in no other lane. */
  readonly alone: boolean;
  /** What its call may change: calls on one VM keep the order in which they came. */
  readonly vms: readonly string[];
  /** Names the tag, if this rider is the first of its batch. */
  readonly tag: () => string;
}

/** A tag that the appliance lists. `sentAt` is the tick at which its insert went out. */
export interface Listed {
  readonly name: string;
  readonly before: Before;
  readonly checkpoint: Checkpoint;
  /** When it was seen in the list, on the guard's clock. */
  readonly listedAt: number;
  readonly sentAt: number;
  readonly sharedWith: readonly string[];
  /** It was not made for this call: the journal may hold newer checkpoints that also precede it. */
  readonly spare: boolean;
}

export type Pinned = Omit<Listed, 'sharedWith' | 'spare'>;

/**
 * A rider `kept` is one whose call was answered while its tag goes on; where it is `reserved`, the lane waits a while for the call to come
 * back.
 */
type Riding = 'waits' | 'kept' | 'reserved';

/** One insert, and the calls that its tag is for. */
export interface Batch {
  /** `open` until its insert is sent: whoever waits then shares the tag. */
  state: 'open' | 'sent' | 'listed' | 'failed';
  readonly riders: Map<Rider, Riding>;
  readonly abort: AbortController;
  readonly pinned: Deferred<Pinned>;
  /** Sessions that may claim the tag if nothing used it. */
  readonly leftBy: Set<string>;
  /** Called whenever a rider leaves. */
  readonly watchers: Set<() => void>;
  shared: readonly string[];
  sentAt: number;
  /** The tick of the last change by one of its riders. */
  changedAt: number;
  used: boolean;
}

const SPARES_KEPT = 16;

/** A newer tag takes the place of those that only the same sessions left. */
export function withSpare(spares: readonly Batch[], batch: Batch): readonly Batch[] {
  const others = spares.filter(({ leftBy }) => [...leftBy].some((session) => !batch.leftBy.has(session)));
  return [...others, batch].slice(-SPARES_KEPT);
}

/** Whether a call on one of these VMs waits for the batch's tag, or has its place kept. */
export function waitsFor({ riders }: Batch, vms: readonly string[]): boolean {
  return [...riders].some(([other, state]) => state !== 'kept' && other.vms.some((vm) => vms.includes(vm)));
}

/** Whether nothing changed the rider's VMs since the batch's insert was sent but calls that share its tag. */
export function isFresh({ sentAt, changedAt }: Batch, { lastChange, lastOutside }: Rider): boolean {
  return lastChange() <= Math.max(sentAt, changedAt) && (lastOutside?.() ?? 0) <= sentAt;
}

/** The rider that an earlier call of the session left behind. */
export function keptBy({ riders }: Batch, session: string): Rider | undefined {
  for (const [rider, state] of riders) if (state !== 'waits' && rider.session === session) return rider;
  return undefined;
}

/** Tells whoever waits for its turn that a rider has left. */
export function notify({ watchers }: Batch): void {
  for (const check of [...watchers]) check();
}

/** Waits for earlier calls only, and all lanes of a call were joined in one tick: no two calls wait for each other. */
export function turn(batch: Batch, rider: Rider): Promise<void> {
  const behind = (): boolean => {
    for (const [other, state] of batch.riders) {
      if (other === rider) return false;
      if (state === 'waits' && other.vms.some((vm) => rider.vms.includes(vm))) return true;
    }
    return false;
  };
  return new Promise((resolve) => {
    const check = (): void => {
      if (behind()) return;
      batch.watchers.delete(check);
      resolve();
    };
    batch.watchers.add(check);
    check();
  });
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

/** A promise with what settles it; a rejection that nobody hears of is no fault. */
export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
