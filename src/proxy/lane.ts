import {
  type Batch,
  deferred,
  isFresh,
  keptBy,
  type Listed,
  notify,
  type Pinned,
  type Rider,
  turn,
  waitsFor,
  withSpare,
} from './batch.js';

export interface Ride {
  /** It is on a tag that was taken over, and holds no place. */
  readonly reused?: true | undefined;
  readonly listed: Promise<Listed>;
  /** Resolves when no earlier call on the same tag and VM is still to be forwarded. */
  turn(): Promise<void>;
  /** The call was forwarded (`used`) or gave up; the lane goes on when all of a tag's riders have left. */
  leave(used: boolean): void;
  /**
   * The call was answered, but its pin goes on and serves the session's next call. Until `reserved` settles the lane waits for that, so that
   * calls that can wait longer do not always come first.
   */
  keep(reserved?: Promise<unknown>): void;
}

/** Inserts one tag and resolves when it is listed; `sent` is called right before the insert goes out. */
export type Pin = (
  tag: string,
  sent: () => void,
  signal: AbortSignal,
) => Promise<Pick<Pinned, 'before' | 'checkpoint' | 'listedAt'>>;

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
  /** Listed tags that somebody left without having used them, newest last. */
  #spares: readonly Batch[] = [];
  /** Those of them whose new rider is not forwarded yet. */
  readonly #claimed = new Set<Batch>();

  constructor(pin: Pin, tick: () => number) {
    this.#pin = pin;
    this.#tick = tick;
  }

  /** All lanes of a call are joined in one tick, and a call in several never overtakes: then no two calls wait for each other. */
  join(rider: Rider): Ride {
    const mayOvertake = rider.alone || this.#next === undefined;
    const spare = mayOvertake ? this.#claim(rider) : undefined;
    const kept = mayOvertake && spare === undefined ? this.#keptFor(rider) : undefined;
    if (kept === undefined) this.#giveUpPlace(rider);
    const batch = spare ?? kept ?? this.#open();
    const isSpare = batch.state === 'listed';
    batch.riders.set(rider, 'waits');
    setImmediate(() => this.#advance());
    const listed = batch.pinned.promise.then((pinned) => ({
      ...pinned,
      spare: isSpare,
      sharedWith: batch.shared.filter((receipt) => receipt !== rider.receipt),
    }));
    listed.catch(() => undefined);
    return {
      listed,
      turn: () => turn(batch, rider),
      leave: (used) => this.#leave(batch, rider, used),
      keep: (reserved) => this.#keep(batch, rider, reserved),
    };
  }

  /**
   * A tag that the session left serves its next call, unless its VM was changed since, or another call on that VM waits for a tag
   * whose insert is sent: that one would be older than this change. It holds the lane like any other.
   */
  #claim(rider: Rider): Batch | undefined {
    const spare = this.#spares.findLast(
      ({ leftBy, sentAt }) => leftBy.has(rider.session) && rider.lastChange() <= sentAt,
    );
    if (spare === undefined || (this.#active !== undefined && waitsFor(this.#active, rider.vms))) return undefined;
    this.#spares = this.#spares.filter((other) => other !== spare);
    spare.leftBy.delete(rider.session);
    if (!spare.used) spare.shared = [];
    this.#claimed.add(spare);
    return spare;
  }

  /** The pin that an earlier call of the session left behind, still under way or with its place kept. */
  #keptFor(rider: Rider): Batch | undefined {
    const active = this.#active;
    const other = active && keptBy(active, rider.session);
    if (active === undefined || other === undefined || !isFresh(active, rider)) return undefined;
    active.riders.delete(other);
    active.shared = [...active.shared, rider.receipt];
    return active;
  }

  /** The session's next call goes another way: nobody comes back for the place that an earlier one kept. */
  #giveUpPlace({ session }: Rider): void {
    const active = this.#active;
    const other = active?.state === 'listed' ? keptBy(active, session) : undefined;
    if (active !== undefined && other !== undefined) this.#leave(active, other, false);
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
      changedAt: 0,
      used: false,
    };
    return this.#next;
  }

  #advance(): void {
    if (this.#active !== undefined || this.#next === undefined || this.#claimed.size > 0) return;
    const batch = this.#next;
    this.#next = undefined;
    const first = batch.riders.keys().next().value;
    if (first === undefined) return;
    this.#active = batch;
    const name = first.tag();
    const sent = (): void => {
      batch.state = 'sent';
      batch.sentAt = this.#tick();
      batch.shared = [...batch.riders].flatMap(([rider, state]) => (state === 'waits' ? [rider.receipt] : []));
    };
    this.#pin(name, sent, batch.abort.signal).then(
      (pinned) => {
        batch.state = 'listed';
        batch.pinned.resolve({ ...pinned, name, sentAt: batch.sentAt });
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

  #keep(batch: Batch, rider: Rider, reserved: Promise<unknown> | undefined): void {
    if (reserved === undefined && batch.state === 'listed') this.#leave(batch, rider, false);
    else if (batch.riders.has(rider)) batch.riders.set(rider, reserved === undefined ? 'kept' : 'reserved');
    batch.shared = batch.shared.filter((receipt) => receipt !== rider.receipt);
    notify(batch);
    const over = (): void => {
      if (batch.riders.get(rider) !== 'reserved') return;
      batch.riders.set(rider, 'kept');
      if (batch.state === 'listed') this.#leave(batch, rider, false);
    };
    reserved?.then(over, over);
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
    if (used) batch.changedAt = Math.max(batch.changedAt, rider.lastChange());
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
    if (batch.riders.size > 0) return;
    if (this.#active === batch) this.#active = undefined;
    else if (!this.#claimed.delete(batch)) return;
    if (batch.state === 'listed' && batch.leftBy.size > 0) this.#spares = withSpare(this.#spares, batch);
    this.#advance();
  }
}
