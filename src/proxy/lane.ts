import type { Before } from '../domain/ports.js';
import type { Checkpoint } from '../domain/receipt.js';

/** One call's place in a lane. `receipt` names it to the calls it shares a tag with. */
export interface Rider {
  readonly receipt: string;
  readonly session: string;
  /** The tick of the last change sent to its VM: an older tag does not serve it. */
  readonly lastChange: () => number;
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
  readonly sentAt: number;
  readonly sharedWith: readonly string[];
  /** It was not made for this call: the journal may hold newer checkpoints that also precede it. */
  readonly spare: boolean;
}

export interface Ride {
  readonly listed: Promise<Listed>;
  /** Resolves when no earlier call on the same tag and VM is still to be forwarded. */
  turn(): Promise<void>;
  /** The call was forwarded (`used`) or gave up; the lane goes on when all of a tag's riders have left. */
  leave(used: boolean): void;
  /** The call gave up, but its pin goes on and serves the session's next call. */
  keep(): void;
}

/** Inserts one tag and resolves when it is listed; `sent` is called right before the insert goes out. */
export type Pin = (
  tag: string,
  sent: () => void,
  signal: AbortSignal,
) => Promise<{ readonly before: Before; readonly checkpoint: Checkpoint }>;

type Pinned = Pick<Listed, 'name' | 'before' | 'checkpoint' | 'sentAt'>;

interface Batch {
  /** `open` until its insert is sent: whoever waits then shares the tag. */
  state: 'open' | 'sent' | 'listed' | 'failed';
  readonly riders: Map<Rider, 'waits' | 'kept'>;
  readonly abort: AbortController;
  readonly pinned: Deferred<Pinned>;
  /** Sessions that may claim the tag if nothing used it. */
  readonly leftBy: Set<string>;
  /** Called whenever a rider leaves. */
  readonly watchers: Set<() => void>;
  shared: readonly string[];
  sentAt: number;
  used: boolean;
}

/**
 * The tags of one VPG, one after another (group commit): a tag serves every call that waits when its insert is sent, and the
 * next insert waits until each of those was forwarded or gave up, so that no call rides on a tag older than a change.
 * `tick` counts the guard's events: it orders inserts and forwards without a clock.
 */
export class Lane {
  readonly #pin: Pin;
  readonly #tick: () => number;
  #active: Batch | undefined;
  #next: Batch | undefined;
  #spare: Batch | undefined;

  constructor(pin: Pin, tick: () => number) {
    this.#pin = pin;
    this.#tick = tick;
  }

  /** All lanes of a call are joined in one tick, and a call in several never overtakes: then no two calls wait for each other. */
  join(rider: Rider): Ride {
    const mayOvertake = rider.alone || this.#next === undefined;
    const spare = mayOvertake ? this.#claimSpare(rider) : undefined;
    const batch = spare ?? (mayOvertake ? this.#keptFor(rider) : undefined) ?? this.#open();
    batch.riders.set(rider, 'waits');
    setImmediate(() => this.#advance());
    const listed = batch.pinned.promise.then((pinned) => ({
      ...pinned,
      spare: spare !== undefined,
      sharedWith: batch.shared.filter((receipt) => receipt !== rider.receipt),
    }));
    listed.catch(() => undefined);
    return {
      listed,
      turn: () => turn(batch, rider),
      leave: (used) => this.#leave(batch, rider, used),
      keep: () => this.#keep(batch, rider),
    };
  }

  /** A tag that nothing used yet serves the session's next call, unless its VM was changed since. It holds the lane like any other. */
  #claimSpare(rider: Rider): Batch | undefined {
    const spare = this.#spare;
    if (spare === undefined || this.#active !== undefined || !spare.leftBy.has(rider.session)) return undefined;
    this.#spare = undefined;
    if (rider.lastChange() > spare.sentAt) return undefined;
    spare.shared = [];
    this.#active = spare;
    return spare;
  }

  /** The pin that an earlier call of the session left behind, still under way. */
  #keptFor(rider: Rider): Batch | undefined {
    const active = this.#active;
    if (active === undefined || rider.lastChange() > active.sentAt) return undefined;
    for (const [other, state] of active.riders) {
      if (state !== 'kept' || other.session !== rider.session) continue;
      active.riders.delete(other);
      return active;
    }
    return undefined;
  }

  #open(): Batch {
    if (this.#active?.state === 'open') return this.#active;
    this.#next ??= {
      state: 'open',
      riders: new Map(),
      abort: new AbortController(),
      pinned: deferred(),
      leftBy: new Set(),
      watchers: new Set(),
      shared: [],
      sentAt: this.#tick(),
      used: false,
    };
    return this.#next;
  }

  #advance(): void {
    if (this.#active !== undefined || this.#next === undefined) return;
    const batch = this.#next;
    this.#next = undefined;
    const first = batch.riders.keys().next().value;
    if (first === undefined) return;
    this.#active = batch;
    this.#spare = undefined;
    const name = first.tag();
    const sent = (): void => {
      batch.state = 'sent';
      batch.sentAt = this.#tick();
      batch.shared = [...batch.riders].flatMap(([rider, state]) => (state === 'kept' ? [] : [rider.receipt]));
    };
    this.#pin(name, sent, batch.abort.signal).then(
      ({ before, checkpoint }) => {
        batch.state = 'listed';
        batch.pinned.resolve({ name, before, checkpoint, sentAt: batch.sentAt });
        for (const [rider, state] of batch.riders) if (state === 'kept') this.#leave(batch, rider, false);
        this.#finish(batch);
      },
      (error: unknown) => {
        batch.state = 'failed';
        batch.pinned.reject(error);
        batch.riders.clear();
        notify(batch);
        this.#finish(batch);
      },
    );
  }

  #keep(batch: Batch, rider: Rider): void {
    if (batch.state === 'listed') this.#leave(batch, rider, false);
    else if (batch.riders.has(rider)) batch.riders.set(rider, 'kept');
    notify(batch);
  }

  #leave(batch: Batch, rider: Rider, used: boolean): void {
    if (!batch.riders.has(rider)) return;
    // A tag that is already on its way costs nothing more: the session's next change finds it, unless others wait for the lane.
    if (batch.state === 'sent' && batch.riders.size === 1 && this.#next === undefined) {
      batch.riders.set(rider, 'kept');
      return;
    }
    batch.riders.delete(rider);
    notify(batch);
    batch.used ||= used;
    if (!used) batch.leftBy.add(rider.session);
    if (batch.riders.size > 0) return;
    if (batch === this.#next) {
      this.#next = undefined;
      return;
    }
    if (batch.state !== 'listed') batch.abort.abort(new Error('nobody waits for this tag any more'));
    this.#finish(batch);
  }

  #finish(batch: Batch): void {
    if (this.#active !== batch || batch.riders.size > 0) return;
    this.#active = undefined;
    this.#spare = batch.state === 'listed' && !batch.used ? batch : undefined;
    this.#advance();
  }
}

function notify({ watchers }: Batch): void {
  for (const check of [...watchers]) check();
}

/** Waits for earlier calls only, and all lanes of a call were joined in one tick: no two calls wait for each other. */
function turn(batch: Batch, rider: Rider): Promise<void> {
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

function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
