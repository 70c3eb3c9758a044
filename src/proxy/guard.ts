import type { ToolCall } from '../domain/call.js';
import type { Settled } from '../domain/decision.js';
import { ProxyError } from '../domain/errors.js';
import { Permit } from '../domain/permit.js';
import type { Checkpoints, Logger } from '../domain/ports.js';
import type { Receipt, ReceiptVm, ReceiptVpg } from '../domain/receipt.js';
import { tagName } from '../domain/tag.js';
import type { Aim, Target, Vm, Vpg } from '../domain/target.js';
import { quote } from '../domain/text.js';
import { type Clock, type Hold, recoverFrom } from './hold.js';
import { Lane, type Listed, type Ride, type Rider } from './lane.js';

const mint = Permit.key();

export interface GuardOptions {
  readonly checkpoints: Checkpoints;
  readonly clock: Clock;
  readonly newId: (prefix: string) => string;
  readonly hold: Hold;
  readonly reuseSeconds: number;
  readonly maxTagsPerVpgPerHour: number;
  readonly simulated: (site: string) => boolean;
  readonly mode: 'enforce' | 'observe';
  readonly log: Pick<Logger, 'info'>;
}

/** A permit with the two things the guard must hear of: that the call went out, and that its answer came (or never will). */
export interface Grant {
  readonly permit: Permit;
  sent(): void;
  done(): void;
}

export interface GrantRequest {
  readonly call: ToolCall;
  readonly settled: Exclude<Settled, { kind: 'refuse' }>;
  /** VMs that a waived call is known to reach. */
  readonly aim: Aim;
  /** Resolves the targets once more, after the pin. */
  readonly aimAgain: () => Promise<Aim>;
  /** When to answer although the pin goes on; it then serves the repeat of the call (G-6). */
  readonly patience?: AbortSignal | undefined;
  readonly signal: AbortSignal;
}

/** The only place that mints a Permit, so nothing reaches a downstream around it. */
export class Guard {
  readonly #options: GuardOptions;
  readonly #lanes = new Map<string, Lane>();
  readonly #reusable = new Map<string, { readonly listed: Listed; readonly at: number }>();
  readonly #lastChange = new Map<string, number>();
  readonly #inFlight = new Map<string, Set<string>>();
  #ticks = 0;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /** Rejects with CHECKPOINT_NOT_PINNED, TARGET_UNRESOLVED or a ZVM_* code; then nothing may be forwarded. */
  async grant(request: GrantRequest): Promise<Grant> {
    const { call, settled } = request;
    if (settled.kind === 'forward') return { permit: mint(call, { kind: 'read_only' }), sent: nothing, done: nothing };
    const id = this.#options.newId('r');
    const change = this.#options.newId('c');
    if (settled.kind === 'waive') {
      const vms = request.aim.targets.map((target) => target.vm);
      const receipt = this.#receipt(call, { id, change, permit: 'waived', waivedBy: settled.by, vms: [], on: vms });
      return { permit: mint(call, { kind: 'waived', receipt }), ...this.#watch(id, vms, []) };
    }
    const vms = settled.targets.map((target) => target.vm);
    const pinned = await this.#pin({ ...request, targets: settled.targets, id, change, action: actionOf(call) });
    try {
      const receipt = this.#receipt(call, { id, change, permit: 'pinned', ...pinned, on: vms });
      return { permit: mint(call, { kind: 'pinned', receipt }), ...this.#watch(id, vms, pinned.rides) };
    } catch (error) {
      leaveAll(pinned.rides);
      throw error;
    }
  }

  /** Pins what a native tool asks for. No call is forwarded on it; the session's next change to that VM may use the tag. */
  async checkpoint(request: CheckpointRequest): Promise<Receipt> {
    const { agent, session, tool, target, action, signal } = request;
    const id = this.#options.newId('r');
    const change = request.change ?? this.#options.newId('c');
    const call = { agent, session, server: request.server, tool, digest: '' };
    const pinned = await this.#pin({ call, targets: [target], id, change, action, signal });
    leaveAll(pinned.rides);
    return this.#receipt(call, { id, change, permit: 'pinned', ...pinned, on: [target.vm] });
  }

  /** Starts the tags of a call that a human is asked about; its own `grant` finds them under way or listed. */
  warm(call: ToolCall, targets: readonly Target[]): void {
    const { newId } = this.#options;
    const signal = new AbortController().signal;
    const request = { call, targets, id: newId('r'), change: newId('c'), action: actionOf(call), signal };
    for (const vpg of uniqueVpgs(targets)) this.#join(vpg, request).keep();
  }

  /** Tags every VPG of every target and says which recovery point surely precedes what comes next. All or nothing. */
  async #pin(request: PinRequest): Promise<Pinned> {
    const vpgs = uniqueVpgs(request.targets);
    if (vpgs.length > 1) await this.#lookAtAll(vpgs, request.signal);
    const rides = vpgs.map((vpg) => ({ vpg, ride: this.#join(vpg, request) }));
    try {
      const listed = await this.#allListed(rides, request);
      const [vms] = await Promise.all([this.#toReceipt(request, listed), this.#sameAim(request)]);
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
    if (reusable !== undefined) return { listed: Promise.resolve(reusable), leave: nothing, keep: nothing };
    const vm = request.targets.find((target) =>
      target.vm.vpgs.some((of) => of.vpgIdentifier === vpg.vpgIdentifier),
    )?.vm;
    const rider: Rider = {
      receipt: request.id,
      session: request.call.session,
      alone: uniqueVpgs(request.targets).length === 1,
      lastChange: () => this.#lastChange.get(vm?.vmIdentifier ?? '') ?? 0,
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
    const lane = new Lane(
      async (tag, sent, signal) => {
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
      },
      () => ++this.#ticks,
    );
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

  #watch(id: string, vms: readonly Vm[], rides: readonly Ride[]): Pick<Grant, 'sent' | 'done'> {
    const leave = (used: boolean): void => {
      for (const ride of rides) ride.leave(used);
    };
    return {
      sent: () => {
        for (const { vmIdentifier } of vms) {
          this.#lastChange.set(vmIdentifier, ++this.#ticks);
          const others = this.#inFlight.get(vmIdentifier) ?? new Set();
          this.#inFlight.set(vmIdentifier, others.add(id));
        }
        leave(true);
      },
      done: () => {
        for (const { vmIdentifier } of vms) this.#inFlight.get(vmIdentifier)?.delete(id);
        leave(false);
      },
    };
  }

  #receipt(call: CallNames, parts: ReceiptParts): Receipt {
    const inFlight = new Set(parts.on.flatMap((vm) => [...(this.#inFlight.get(vm.vmIdentifier) ?? [])]));
    const sites = parts.on.flatMap((vm) => [vm.site, ...vm.vpgs.map((vpg) => vpg.site)]);
    return {
      id: parts.id,
      change: parts.change,
      session: call.session,
      agent: call.agent,
      server: call.server.name,
      tool: call.tool,
      digest: call.digest,
      pinnedAt: new Date(this.#options.clock.now()).toISOString(),
      permit: parts.permit,
      ...(parts.waivedBy !== undefined && { waivedBy: parts.waivedBy }),
      ...(this.#options.mode === 'observe' && { mode: 'observe' as const }),
      consistency: 'crash',
      covers: 'vm',
      ...(parts.sharedWith !== undefined && parts.sharedWith.length > 0 && { sharedWith: parts.sharedWith }),
      ...(inFlight.size > 0 && { inFlight: [...inFlight] }),
      ...(sites.some((site) => this.#options.simulated(site)) && { simulated: true }),
      vms: parts.vms,
    };
  }
}

type CallNames = Pick<ToolCall, 'agent' | 'session' | 'server' | 'tool' | 'digest'>;

export interface CheckpointRequest {
  readonly agent: string;
  readonly session: string;
  readonly server: ToolCall['server'];
  readonly tool: string;
  readonly target: Target;
  readonly action: string;
  readonly change?: string | undefined;
  readonly signal: AbortSignal;
}

interface PinRequest {
  readonly call: Pick<ToolCall, 'agent' | 'session'>;
  readonly targets: readonly Target[];
  readonly id: string;
  readonly change: string;
  /** What the tag says was about to happen: server, tool and program name, never command text. */
  readonly action: string;
  readonly aimAgain?: (() => Promise<Aim>) | undefined;
  readonly patience?: AbortSignal | undefined;
  readonly signal: AbortSignal;
}

interface Pinned {
  readonly vms: readonly ReceiptVm[];
  readonly rides: readonly Ride[];
  readonly sharedWith: readonly string[];
}

interface ReceiptParts {
  readonly id: string;
  readonly change: string;
  readonly permit: 'pinned' | 'waived';
  readonly waivedBy?: string;
  readonly vms: readonly ReceiptVm[];
  readonly sharedWith?: readonly string[];
  /** The VMs that the call reaches, also where it is waived. */
  readonly on: readonly Vm[];
}

function throwFailed(
  vpgs: readonly Vpg[],
  results: readonly PromiseSettledResult<unknown>[],
  tagged: readonly string[],
  signal: AbortSignal,
): void {
  signal.throwIfAborted();
  const failed = results.flatMap((result, index) =>
    result.status === 'rejected' ? [{ vpg: vpgs[index]?.name ?? '', error: result.reason as unknown }] : [],
  );
  const first = failed[0];
  if (first === undefined) return;
  if (failed.length === 1 && vpgs.length === 1) throw first.error;
  const reasons = failed.map(
    ({ vpg, error }) => `${quote(vpg)}: ${error instanceof Error ? error.message : String(error)}`,
  );
  const left =
    tagged.length > 0 ? ` Tags left behind on other VPGs: ${tagged.map((tag) => quote(tag)).join(', ')}.` : '';
  const code = first.error instanceof ProxyError ? first.error.code : 'CHECKPOINT_NOT_PINNED';
  throw new ProxyError(code, `Not every VPG of this call's VMs has its checkpoint. ${reasons.join(' ')}${left}`, {
    cause: first.error,
  });
}

function tooManyTags(vpg: Vpg, oldest: number, now: number): ProxyError {
  const minutes = Math.max(1, Math.ceil((oldest + 3_600_000 - now) / 60_000));
  return new ProxyError(
    'CHECKPOINT_NOT_PINNED',
    `VPG ${quote(vpg.name)} has taken as many tags as it may in one hour. The call was not sent. Send it again in ${minutes} min, and put several changes into one command.`,
  );
}

function actionOf(call: ToolCall): string {
  return `${call.server.name} ${call.tool}`;
}

function uniqueVpgs(targets: readonly Target[]): readonly Vpg[] {
  return [...new Map(targets.flatMap(({ vm }) => vm.vpgs.map((vpg) => [vpg.vpgIdentifier, vpg] as const))).values()];
}

function uniqueVms(targets: readonly Target[]): readonly Vm[] {
  return [...new Map(targets.map(({ vm }) => [vm.vmIdentifier, vm] as const)).values()];
}

function fingerprint(targets: readonly Target[]): string {
  const parts = uniqueVms(targets).map((vm) =>
    [vm.vmIdentifier, ...vm.vpgs.map((vpg) => vpg.vpgIdentifier).sort()].join(' '),
  );
  return parts.sort().join('; ');
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

function leaveAll(rides: readonly Ride[]): void {
  for (const ride of rides) ride.leave(false);
}

function nothing(): void {
  // A read-only call and a reused tag hold no place in a lane.
}
