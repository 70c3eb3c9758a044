import type { ToolCall } from '../domain/call.js';
import { ProxyError } from '../domain/errors.js';
import type { Before, Checkpoints, Logger } from '../domain/ports.js';
import { tagName } from '../domain/tag.js';
import type { Aim, Target, Vpg } from '../domain/target.js';
import { quote } from '../domain/text.js';
import { aborted } from './aborted.js';
import type { Place } from './arrivals.js';
import type { Listed, Rider } from './batch.js';
import type { Clock, Hold } from './hold.js';
import { Lane, type Ride } from './lane.js';
import { throwBlocked, throwFailed, tooManyTags } from './pin-failures.js';
import { type Points, pointsOf, type Recent } from './points.js';
import { sameAim } from './same-aim.js';
import { uniqueVms, uniqueVpgs } from './vpgs-of.js';

export interface PinningOptions {
  readonly checkpoints: Checkpoints;
  readonly clock: Clock;
  readonly hold: Hold;
  readonly reuseSeconds: number;
  readonly maxTagsPerVpgPerHour: number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** Orders inserts and forwards without a clock: each event takes the next number. */
export interface Ticks {
  readonly next: () => number;
  /** The number of the last change sent to a VM; 0 where there was none. */
  readonly lastChange: (vmIdentifier: string) => number;
  /** The same for changes that held no place in a lane. */
  readonly lastOutside: (vmIdentifier: string) => number;
}

export interface PinRequest {
  readonly call: Pick<ToolCall, 'agent' | 'session'>;
  readonly targets: readonly Target[];
  /** How an ansible call names its hosts, for the advice where some of them cannot be pinned. */
  readonly pattern?: string | undefined;
  readonly id: string;
  readonly change: string;
  /** What the tag says was about to happen: server, tool and program name, never command text. */
  readonly action: string;
  readonly aimAgain?: (() => Promise<Aim>) | undefined;
  /** Absent where the order does not matter. */
  readonly place?: Place | undefined;
  readonly patience?: AbortSignal | undefined;
  /** Told how far the tags are, where there are several to wait for. */
  readonly tell?: ((progress: string) => void) | undefined;
  readonly signal: AbortSignal;
}

/** The points of every VPG, and the places in their lanes, held until `leave`. */
export interface Pinned extends Points {
  readonly rides: readonly Ride[];
  readonly sharedWith: readonly string[];
}

interface Held {
  readonly vpg: Vpg;
  readonly ride: Ride;
}

/** So long a look at a VPG is fresh enough to be what was there before an insert. */
const FRESH_MS = 2_000;
/** So much later than it was told to may a client come back, and still find its place. */
const LATE_MS = 15_000;

/** The tags before a call: one lane per VPG, all or nothing over all VPGs of a call. */
export class Pinning {
  readonly #options: PinningOptions;
  readonly #ticks: Ticks;
  readonly #lanes = new Map<string, Lane>();
  readonly #recent: Recent = new Map();
  /** Each VPG as it was looked up last. */
  readonly #vpgs = new Map<string, Vpg>();
  readonly #reusable = new Map<string, { readonly listed: Listed; readonly at: number }>();
  /** The newest look at each VPG that no insert has followed. */
  readonly #looks = new Map<string, { readonly before: Before; readonly at: number }>();

  constructor(options: PinningOptions, ticks: Ticks) {
    this.#options = options;
    this.#ticks = ticks;
  }

  /**
   * Starts the tags of a call that nobody waits for yet; the session's next call finds them under way or listed. Resolves when they
   * are asked for, or when a VPG takes none: then there are none at all, and whoever pins the call is told why.
   */
  async warm(request: PinRequest): Promise<void> {
    const vpgs = uniqueVpgs(request.targets);
    if (vpgs.length > 1) {
      const looks = await this.#lookAtAll(vpgs, request.signal);
      if (looks.some(({ status }) => status === 'rejected')) return;
    }
    for (const vpg of vpgs) this.#join(vpg, request).keep();
  }

  /** Tags every VPG of every target and says which recovery point surely precedes what comes next. All or nothing. */
  async pin(request: PinRequest): Promise<Pinned> {
    const { signal, place, patience } = request;
    const vpgs = uniqueVpgs(request.targets);
    if (vpgs.length > 1) throwBlocked(request, vpgs, await this.#lookAtAll(vpgs, signal));
    if (place !== undefined) await Promise.race([place.turn(), aborted(signal)]);
    const held = vpgs.map((vpg): Held => ({ vpg, ride: this.#join(vpg, request) }));
    const rides = held.map(({ ride }) => ride);
    place?.leave();
    try {
      const listed = await this.#allListed(held, request);
      const first = await this.#points(request, listed);
      const at = this.#options.clock.now();
      await Promise.race([Promise.all(rides.map((ride) => ride.turn())), aborted(signal)]);
      // Calls on the same VM that came before may have waited for other tags meanwhile.
      const stale = this.#options.clock.now() - at > FRESH_MS;
      const points = stale ? await this.#points(request, listed) : first;
      const sharedWith = [...new Set([...listed.values()].flatMap((pin) => pin.sharedWith))];
      return { ...points, rides, sharedWith };
    } catch (error) {
      if (patience?.aborted === true && !signal.aborted) this.#keepAll(rides, error);
      else leaveAll(rides);
      throw error;
    }
  }

  /** The client was told when to come back: so long, and a little longer, its place is kept. */
  #keepAll(rides: readonly Ride[], error: unknown): void {
    const seconds = error instanceof ProxyError ? error.details['againInSeconds'] : undefined;
    const never = new AbortController().signal;
    const reserved =
      typeof seconds === 'number' ? this.#options.clock.sleep(seconds * 1000 + LATE_MS, never) : undefined;
    for (const ride of rides) ride.keep(reserved);
  }

  /** Before the first insert every VPG is looked at: one that takes no tag stops the call while nothing is tagged yet. */
  async #lookAtAll(vpgs: readonly Vpg[], signal: AbortSignal): Promise<readonly PromiseSettledResult<void>[]> {
    const { checkpoints, clock } = this.#options;
    const looks = await Promise.allSettled(
      vpgs.map(async (vpg) => {
        const at = clock.now();
        this.#looks.set(vpg.vpgIdentifier, { before: await checkpoints.before(vpg, signal), at });
      }),
    );
    signal.throwIfAborted();
    return looks;
  }

  #join(vpg: Vpg, request: PinRequest): Ride {
    const reusable = this.#reuse(vpg);
    if (reusable !== undefined)
      return {
        reused: true,
        listed: Promise.resolve(reusable),
        turn: () => Promise.resolve(),
        leave: nothing,
        keep: nothing,
      };
    const here = uniqueVms(request.targets).filter((vm) =>
      vm.vpgs.some((of) => of.vpgIdentifier === vpg.vpgIdentifier),
    );
    const rider: Rider = {
      receipt: request.id,
      session: request.call.session,
      alone: uniqueVpgs(request.targets).length === 1,
      vms: uniqueVms(request.targets).map(({ vmIdentifier }) => vmIdentifier),
      lastChange: () => Math.max(0, ...here.map(({ vmIdentifier }) => this.#ticks.lastChange(vmIdentifier))),
      lastOutside: () => Math.max(0, ...here.map(({ vmIdentifier }) => this.#ticks.lastOutside(vmIdentifier))),
      tag: () =>
        tagName({
          agent: request.call.agent,
          action: request.action,
          vm: here[0]?.name ?? vpg.name,
          change: request.change,
          at: new Date(this.#options.clock.now()),
        }),
    };
    return this.#lane(vpg).join(rider);
  }

  #reuse(vpg: Vpg): Listed | undefined {
    const last = this.#reusable.get(vpg.vpgIdentifier);
    const { reuseSeconds, clock } = this.#options;
    if (last === undefined || clock.now() - last.at >= reuseSeconds * 1000) return undefined;
    return { ...last.listed, spare: true, sharedWith: [] };
  }

  /** A VPG keeps its lane through a failover or move, although its site is another then: an insert goes by what was read last. */
  #lane(readNow: Vpg): Lane {
    this.#vpgs.set(readNow.vpgIdentifier, readNow);
    const known = this.#lanes.get(readNow.vpgIdentifier);
    if (known !== undefined) return known;
    const inserts: number[] = [];
    const { checkpoints, clock, maxTagsPerVpgPerHour, log } = this.#options;
    const lane = new Lane(async (tag, sent, signal) => {
      const vpg = this.#vpgs.get(readNow.vpgIdentifier) ?? readNow;
      while (inserts[0] !== undefined && clock.now() - inserts[0] > 3_600_000) inserts.shift();
      if (inserts.length >= maxTagsPerVpgPerHour) throw tooManyTags(vpg, inserts[0] ?? 0, clock.now());
      const before = this.#freshLook(vpg) ?? (await checkpoints.before(vpg, signal));
      log.info({ vpg: vpg.name, checkpoint: before.newest }, 'newest checkpoint read');
      sent();
      inserts.push(clock.now());
      log.info({ vpg: vpg.name, tag }, 'inserting the tag');
      const checkpoint = await checkpoints.pin(vpg, tag, before, signal);
      log.info({ vpg: vpg.name, checkpoint }, 'tag listed');
      return { before, checkpoint, listedAt: clock.now() };
    }, this.#ticks.next);
    this.#lanes.set(readNow.vpgIdentifier, lane);
    return lane;
  }

  /** A look serves one insert: what another insert added since would not be known to it. */
  #freshLook({ vpgIdentifier }: Vpg): Before | undefined {
    const look = this.#looks.get(vpgIdentifier);
    this.#looks.delete(vpgIdentifier);
    return look !== undefined && this.#options.clock.now() - look.at <= FRESH_MS ? look.before : undefined;
  }

  async #allListed(held: readonly Held[], request: PinRequest): Promise<ReadonlyMap<string, Listed>> {
    const { signal, patience } = request;
    const stop = patience === undefined ? signal : AbortSignal.any([signal, patience]);
    if (held.length > 1) tellOf(held, request);
    const pins = await Promise.race([Promise.allSettled(held.map(({ ride }) => ride.listed)), aborted(stop)]);
    signal.throwIfAborted();
    throwFailed(
      request,
      held.map(({ vpg }) => vpg),
      pins,
    );
    const now = this.#options.clock.now();
    return new Map(
      pins.flatMap((pin, index) => {
        const id = held[index]?.vpg.vpgIdentifier;
        if (pin.status !== 'fulfilled' || id === undefined) return [];
        if (!pin.value.spare) this.#reusable.set(id, { listed: pin.value, at: now });
        return [[id, pin.value] as const];
      }),
    );
  }

  /** What the receipt names, as of now; then what the call names, looked up once more. */
  async #points({ targets, aimAgain, signal }: PinRequest, listed: ReadonlyMap<string, Listed>): Promise<Points> {
    try {
      const points = await pointsOf(targets, listed, { ...this.#options, signal, recent: this.#recent });
      if (aimAgain !== undefined) await sameAim(targets, aimAgain);
      return points;
    } catch (error) {
      // A tag whose journal is in doubt serves nobody else.
      for (const id of listed.keys()) this.#reusable.delete(id);
      throw error;
    }
  }
}

/** Says with each tag that is listed which VPGs are done. */
function tellOf(held: readonly Held[], { tell }: PinRequest): void {
  if (tell === undefined) return;
  let done = 0;
  for (const { vpg, ride } of held) {
    void ride.listed.then(
      () => {
        done += 1;
        tell(`The checkpoint of VPG ${quote(vpg.name, 80)} is taken (${done} of ${held.length}); the call is held.`);
      },
      () => tell(`VPG ${quote(vpg.name, 80)} did not take its checkpoint; the call will not be sent.`),
    );
  }
}

/** The calls that held these places give them up. */
export function leaveAll(rides: readonly Ride[]): void {
  for (const ride of rides) ride.leave(false);
}

function nothing(): void {
  // A reused tag holds no place in a lane.
}
