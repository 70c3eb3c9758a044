import type { ToolCall } from '../domain/call.js';
import type { Settled } from '../domain/decision.js';
import type { Meters } from '../domain/meters.js';
import { Permit } from '../domain/permit.js';
import type { Receipt, ReceiptVm } from '../domain/receipt.js';
import type { Aim, Target, Vm } from '../domain/target.js';
import { aborted } from './aborted.js';
import { Arrivals, type Place } from './arrivals.js';
import type { Ride } from './lane.js';
import { timedPin } from './pin-wait.js';
import { leaveAll, Pinning, type PinningOptions } from './pinning.js';

const mint = Permit.key();

export interface GuardOptions extends PinningOptions {
  readonly newId: (prefix: string) => string;
  readonly simulated: (site: string) => boolean;
  readonly mode: 'enforce' | 'observe';
  readonly meters?: Pick<Meters, 'pinWait'> | undefined;
}

/** A permit with the two things the guard must hear of: that the call went out, and that its answer came (or never will). */
export interface Grant {
  readonly permit: Permit;
  sent(): void;
  done(): void;
}

export interface GrantRequest {
  readonly call: ToolCall;
  readonly settled: Exclude<Settled, { kind: 'refuse' | 'forward' }>;
  /** VMs that a waived call is known to reach. */
  readonly aim: Aim;
  /** How much of what the call may change a checkpoint of its VMs holds. */
  readonly covers: Receipt['covers'];
  /** The listed program that makes the change, for the tag. */
  readonly program?: string | undefined;
  /** How an ansible call names its hosts. */
  readonly pattern?: string | undefined;
  /** Resolves the targets once more, after the pin. */
  readonly aimAgain: () => Promise<Aim>;
  /** Where the call stands among those of its session. */
  readonly place: Place;
  /** When to answer although the pin goes on; it then serves the repeat of the call (G-6). */
  readonly patience?: AbortSignal | undefined;
  readonly tell?: ((progress: string) => void) | undefined;
  readonly signal: AbortSignal;
}

/** The only place that mints a Permit, so nothing reaches a downstream around it. */
export class Guard {
  readonly #options: GuardOptions;
  readonly #pinning: Pinning;
  readonly #arrivals = new Arrivals();
  readonly #lastChange = new Map<string, number>();
  /** Of changes that held no place in a lane: waived, or on a tag that was reused. */
  readonly #lastOutside = new Map<string, number>();
  readonly #inFlight = new Map<string, Set<string>>();
  /** Calls whose tags were started before their `grant`: tag and receipt bear one change. */
  readonly #warmed = new WeakMap<ToolCall, Warmed>();
  #ticks = 0;

  constructor(options: GuardOptions) {
    this.#options = options;
    this.#pinning = new Pinning(options, {
      next: () => ++this.#ticks,
      lastChange: (vmIdentifier) => this.#lastChange.get(vmIdentifier) ?? 0,
      lastOutside: (vmIdentifier) => this.#lastOutside.get(vmIdentifier) ?? 0,
    });
  }

  /** For a call that policy forwards as it is, since it only reads. There is nothing to wait for. */
  forReading(call: ToolCall): Grant {
    return { permit: mint(call, { kind: 'read_only' }), sent: nothing, done: nothing };
  }

  /** To be called in the order of the calls, before anything about one is looked up. */
  arrive({ session }: ToolCall): Place {
    return this.#arrivals.arrive(session);
  }

  /** Rejects with CHECKPOINT_NOT_PINNED, TARGET_UNRESOLVED or a ZVM_* code; then nothing may be forwarded. */
  async grant(request: GrantRequest): Promise<Grant> {
    const { call, settled, covers } = request;
    const warmed = this.#warmed.get(call);
    const { id, change } = warmed?.names ?? this.#names();
    if (warmed !== undefined) await Promise.race([warmed.begun, aborted(request.signal)]);
    if (settled.kind === 'waive') {
      request.place.leave();
      const vms = request.aim.targets.map((target) => target.vm);
      const waivedBy = settled.by;
      const receipt = this.#receipt(call, { id, change, covers, permit: 'waived', waivedBy, vms: [], on: vms });
      return { permit: mint(call, { kind: 'waived', receipt }), ...this.#watch(id, vms, []) };
    }
    const vms = settled.targets.map((target) => target.vm);
    const { clock, meters } = this.#options;
    const action = actionOf(call, request.program);
    const pinning = this.#pinning.pin({ ...request, targets: settled.targets, id, change, action });
    const pinned = await (meters === undefined ? pinning : timedPin(pinning, settled.targets, clock, meters));
    try {
      const receipt = this.#receipt(call, {
        id,
        change,
        covers,
        permit: 'pinned',
        waivedBy: settled.waivedBy,
        ...pinned,
        on: vms,
      });
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
    const pinned = await this.#pinning.pin({ call, targets: [target], id, change, action, signal });
    leaveAll(pinned.rides);
    return this.#receipt(call, { id, change, covers: 'vm', permit: 'pinned', ...pinned, on: [target.vm] });
  }

  /** Starts the tags of a call that a human is asked about; its own `grant` finds them under way or listed. */
  warm(call: ToolCall, targets: readonly Target[], program?: string): void {
    const names = this.#names();
    const { signal } = new AbortController();
    const begun = this.#pinning.warm({ call, targets, ...names, action: actionOf(call, program), signal });
    this.#warmed.set(call, { names, begun });
  }

  #names(): Names {
    const { newId } = this.#options;
    return { id: newId('r'), change: newId('c') };
  }

  #watch(id: string, vms: readonly Vm[], rides: readonly Ride[]): Pick<Grant, 'sent' | 'done'> {
    const leave = (used: boolean): void => {
      for (const ride of rides) ride.leave(used);
    };
    const isOutside = rides.length === 0 || rides.some(({ reused }) => reused === true);
    return {
      sent: () => {
        for (const { vmIdentifier } of vms) {
          this.#lastChange.set(vmIdentifier, ++this.#ticks);
          if (isOutside) this.#lastOutside.set(vmIdentifier, this.#ticks);
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
      covers: parts.covers,
      ...(parts.sharedWith !== undefined && parts.sharedWith.length > 0 && { sharedWith: parts.sharedWith }),
      ...(inFlight.size > 0 && { inFlight: [...inFlight] }),
      ...(sites.some((site) => this.#options.simulated(site)) && { simulated: true }),
      ...(parts.warnings !== undefined && parts.warnings.length > 0 && { warnings: parts.warnings }),
      vms: parts.vms,
    };
  }
}

/** `begun` resolves when the tags are asked for. */
interface Warmed {
  readonly names: Names;
  readonly begun: Promise<void>;
}

/** The receipt's id, and that of the change it is for. */
interface Names {
  readonly id: string;
  readonly change: string;
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

interface ReceiptParts {
  readonly id: string;
  readonly change: string;
  readonly covers: Receipt['covers'];
  readonly permit: 'pinned' | 'waived';
  readonly waivedBy?: string | undefined;
  readonly vms: readonly ReceiptVm[];
  readonly sharedWith?: readonly string[];
  readonly warnings?: readonly string[];
  /** The VMs that the call reaches, also where it is waived. */
  readonly on: readonly Vm[];
}

function actionOf(call: ToolCall, program: string | undefined): string {
  return [call.server.name, call.tool, ...(program === undefined ? [] : [program])].join(' ');
}

function nothing(): void {
  // A read-only call holds no place in a lane.
}
