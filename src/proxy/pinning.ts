import type { ToolCall } from '../domain/call.js';
import { ProxyError } from '../domain/errors.js';
import type { Checkpoints, Logger } from '../domain/ports.js';
import type { ReceiptVm, ReceiptVpg } from '../domain/receipt.js';
import { tagName } from '../domain/tag.js';
import type { Aim, Target, Vpg } from '../domain/target.js';
import type { Place } from './arrivals.js';
import { type Clock, type Hold, recoverFrom } from './hold.js';
import { Lane, type Listed, type Ride, type Rider } from './lane.js';
import { throwFailed, tooManyTags } from './pin-failures.js';
import { fingerprint, uniqueVms, uniqueVpgs } from './vpgs-of.js';

export interface PinningOptions {
  readonly checkpoints: Checkpoints;
  readonly clock: Clock;
  readonly hold: Hold;
  readonly reuseSeconds: number;
  readonly maxTagsPerVpgPerHour: number;
  readonly log: Pick<Logger, 'info'>;
}

/** Orders inserts and forwards without a clock: each event takes the next number. */
export interface Ticks {
  readonly next: () => number;
  /** The number of the last change sent to a VM; 0 where there was none. */
  readonly lastChange: (vmIdentifier: string) => number;
}

export interface PinRequest {
  readonly call: Pick<ToolCall, 'agent' | 'session'>;
  readonly targets: readonly Target[];
  readonly id: string;
  readonly change: string;
  /** What the tag says was about to happen: server, tool and program name, never command text. */
  readonly action: string;
  readonly aimAgain?: (() => Promise<Aim>) | undefined;
  /** Absent where the order does not matter. */
  readonly place?: Place | undefined;
  readonly patience?: AbortSignal | undefined;
  readonly signal: AbortSignal;
}

/** The points of every VPG, and the places in their lanes, held until `leave`. */
export interface Pinned {
  readonly vms: readonly ReceiptVm[];
  readonly rides: readonly Ride[];
  readonly sharedWith: readonly string[];
}

/** The tags before a call: one lane per VPG, all or nothing over all VPGs of a call. */
export class Pinning {
  readonly #options: PinningOptions;
  readonly #ticks: Ticks;
  readonly #lanes = new Map<string, Lane>();
  readonly #reusable = new Map<string, { readonly listed: Listed; readonly at: number }>();

  constructor(options: PinningOptions, ticks: Ticks) {
    this.#options = options;
    this.#ticks = ticks;
  }

  /** Starts the tags of a call that nobody waits for yet; the session's next call finds them under way or listed. */
  warm(request: PinRequest): void {
    for (const vpg of uniqueVpgs(request.targets)) this.#join(vpg, request).keep();
  }

  /** Tags every VPG of every target and says which recovery point surely precedes what comes next. All or nothing. */
  async pin(request: PinRequest): Promise<Pinned> {
    const vpgs = uniqueVpgs(request.targets);
    if (vpgs.length > 1) await this.#lookAtAll(vpgs, request.signal);
    if (request.place !== undefined) await Promise.race([request.place.turn(), aborted(request.signal)]);
    const rides = vpgs.map((vpg) => ({ vpg, ride: this.#join(vpg, request) }));
    request.place?.leave();
    try {
      const listed = await this.#allListed(rides, request);
      const [vms] = await Promise.all([this.#toReceipt(request, listed), this.#sameAim(request)]);
      await Promise.race([Promise.all(rides.map(({ ride }) => ride.turn())), aborted(request.signal)]);
      return {
        vms,
        rides: rides.map(({ ride }) => ride),
        sharedWith: [...new Set([...listed.values()].flatMap((pin) => pin.sharedWith))],
      };
    } catch (error) {
      if (request.patience?.aborted === true && !request.signal.aborted) for (const { ride } of rides) ride.keep();
      else leaveAll(rides.map(({ ride }) => ride));
      throw error;
    }
  }

  /** Before the first insert every VPG is looked at: one that takes no tag stops the call while nothing is tagged yet. */
  async #lookAtAll(vpgs: readonly Vpg[], signal: AbortSignal): Promise<void> {
    const looks = await Promise.allSettled(vpgs.map((vpg) => this.#options.checkpoints.before(vpg, signal)));
    throwFailed(vpgs, looks, [], signal);
  }

  #join(vpg: Vpg, request: PinRequest): Ride {
    const reusable = this.#reuse(vpg);
    if (reusable !== undefined)
      return { listed: Promise.resolve(reusable), turn: () => Promise.resolve(), leave: nothing, keep: nothing };
    const vm = request.targets.find((target) =>
      target.vm.vpgs.some((of) => of.vpgIdentifier === vpg.vpgIdentifier),
    )?.vm;
    const rider: Rider = {
      receipt: request.id,
      session: request.call.session,
      alone: uniqueVpgs(request.targets).length === 1,
      vms: uniqueVms(request.targets).map(({ vmIdentifier }) => vmIdentifier),
      lastChange: () => this.#ticks.lastChange(vm?.vmIdentifier ?? ''),
      tag: () =>
        tagName({
          agent: request.call.agent,
          action: request.action,
          vm: vm?.name ?? vpg.name,
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

  #lane(vpg: Vpg): Lane {
    const known = this.#lanes.get(vpg.vpgIdentifier);
    if (known !== undefined) return known;
    const inserts: number[] = [];
    const { checkpoints, clock, maxTagsPerVpgPerHour, log } = this.#options;
    const lane = new Lane(async (tag, sent, signal) => {
      while (inserts[0] !== undefined && clock.now() - inserts[0] > 3_600_000) inserts.shift();
      if (inserts.length >= maxTagsPerVpgPerHour) throw tooManyTags(vpg, inserts[0] ?? 0, clock.now());
      const before = await checkpoints.before(vpg, signal);
      log.info({ vpg: vpg.name, checkpoint: before.newest }, 'newest checkpoint read');
      sent();
      inserts.push(clock.now());
      log.info({ vpg: vpg.name, tag }, 'inserting the tag');
      const checkpoint = await checkpoints.pin(vpg, tag, before, signal);
      log.info({ vpg: vpg.name, checkpoint }, 'tag listed');
      return { before, checkpoint };
    }, this.#ticks.next);
    this.#lanes.set(vpg.vpgIdentifier, lane);
    return lane;
  }

  async #allListed(
    rides: readonly { readonly vpg: Vpg; readonly ride: Ride }[],
    { signal, patience }: PinRequest,
  ): Promise<ReadonlyMap<string, Listed>> {
    const stop = patience === undefined ? signal : AbortSignal.any([signal, patience]);
    const pins = await Promise.race([Promise.allSettled(rides.map(({ ride }) => ride.listed)), aborted(stop)]);
    const vpgs = rides.map(({ vpg }) => vpg);
    const tagged = pins.flatMap((pin) => (pin.status === 'fulfilled' ? [pin.value.name] : []));
    throwFailed(vpgs, pins, tagged, signal);
    const now = this.#options.clock.now();
    return new Map(
      pins.flatMap((pin, index) => {
        const id = vpgs[index]?.vpgIdentifier;
        if (pin.status !== 'fulfilled' || id === undefined) return [];
        if (!pin.value.spare) this.#reusable.set(id, { listed: pin.value, at: now });
        return [[id, pin.value] as const];
      }),
    );
  }

  async #toReceipt(request: PinRequest, listed: ReadonlyMap<string, Listed>): Promise<readonly ReceiptVm[]> {
    const { checkpoints, clock, hold } = this.#options;
    const points = new Map<string, ReceiptVpg>();
    await Promise.all(
      uniqueVpgs(request.targets).map(async (vpg) => {
        const pin = listed.get(vpg.vpgIdentifier);
        if (pin === undefined) return;
        points.set(vpg.vpgIdentifier, {
          name: vpg.name,
          vpgIdentifier: vpg.vpgIdentifier,
          site: vpg.site,
          tag: {
            name: pin.name,
            checkpointIdentifier: pin.checkpoint.checkpointIdentifier,
            timestamp: pin.checkpoint.timestamp,
          },
          recoverFrom: await recoverFrom(vpg, pin, { checkpoints, clock, hold, signal: request.signal }),
        });
      }),
    );
    return uniqueVms(request.targets).map((vm) => ({
      name: vm.name,
      vmIdentifier: vm.vmIdentifier,
      vpgs: vm.vpgs.flatMap((vpg) => points.get(vpg.vpgIdentifier) ?? []),
    }));
  }

  async #sameAim({ targets, aimAgain }: PinRequest): Promise<void> {
    if (aimAgain === undefined) return;
    const again = await aimAgain();
    if (fingerprint(again.targets) === fingerprint(targets)) return;
    throw new ProxyError(
      'TARGET_UNRESOLVED',
      'While its checkpoint was taken, what this call names came to mean another VM or VPG. The call was not sent. Send it again.',
      { details: { before: fingerprint(targets), after: fingerprint(again.targets) } },
    );
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

/** The calls that held these places give them up. */
export function leaveAll(rides: readonly Ride[]): void {
  for (const ride of rides) ride.leave(false);
}

function nothing(): void {
  // A reused tag holds no place in a lane.
}
