import type { Finding } from '../domain/assessment.js';
import type { Shell } from '../domain/call.js';
import type { DecisionName } from '../domain/decision.js';
import type { ErrorCode } from '../domain/errors.js';
import type { Ask, Elsewhere, Inventory, Logger, Question, ReceiptFilter } from '../domain/ports.js';
import type { Checkpoint, Receipt, ReceiptVpg } from '../domain/receipt.js';
import type { Recovered, RecoveryAbout } from '../domain/recovered.js';
import type { Aim, Target, Vpg } from '../domain/target.js';

/** Who calls. `ask` puts questions to the human behind this very call; without it nobody can be asked. */
export interface Caller {
  readonly agent: string;
  readonly session: string;
  readonly ask?: Ask | undefined;
  /** Asks a human outside of the client, about this very call. */
  readonly elsewhere?: ((question: Question, signal: AbortSignal) => ReturnType<Elsewhere['ask']>) | undefined;
}

/** A receipt and what became of its call; `pinned` while the call is not over. */
export interface ReceiptState {
  readonly receipt: Receipt;
  readonly state: 'pinned' | 'forwarded' | 'not_sent' | 'outcome_unknown';
}

/** `unknown` where the appliance could not be asked. */
export type JournalState = 'listed' | 'expired' | 'lost' | 'unknown';

/** Receipts with what became of their calls, newest first. */
interface NativeReceipts {
  find(id: string): Promise<ReceiptState | undefined>;
  each(filter: ReceiptFilter): AsyncIterable<ReceiptState>;
}

export type Query =
  | { readonly kind: 'tool'; readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> }
  | { readonly kind: 'command'; readonly command: string; readonly shell: Shell | undefined };

interface Judgement {
  readonly effect: Finding['effect'];
  readonly findings: readonly Finding[];
  readonly decision: DecisionName;
  /** Why it would be refused, where it would be. */
  readonly refusal?: string | undefined;
}

export interface RecoveryConfig {
  readonly maxRecoverBytes: number;
  readonly confirm: 'human' | 'flag';
  readonly scope: 'receipts' | 'targets' | 'all';
  readonly denyPaths: readonly string[];
  readonly allowPaths: readonly string[];
}

interface RecoveryRequest {
  readonly vpg: Vpg;
  readonly vmIdentifier: string;
  readonly checkpointIdentifier: string;
  readonly path: string;
  readonly maxBytes: number;
  readonly page?: number | undefined;
  readonly preview?: boolean | undefined;
  readonly deny: (path: string) => string | undefined;
}

/** A mount on an appliance. `own`: this proxy's journal of mounts names it; `inUse`: a recovery that runs now reads from it. */
export interface NativeSession {
  readonly session: string;
  readonly site: string;
  readonly status: string;
  readonly vmIdentifier?: string | undefined;
  readonly vpgIdentifier?: string | undefined;
  readonly checkpointIdentifier?: string | undefined;
  readonly mountTime?: string | undefined;
  readonly runningTasks?: number | undefined;
  readonly own: boolean;
  readonly inUse: boolean;
}

/** The appliances as a recovery needs them; every method rejects with ZVM_* codes. */
export interface RecoveryPort {
  /** Whether files of the VM can be taken from a checkpoint, before anything is mounted; `why` says what stands in the way. */
  mountable(
    vpg: Vpg,
    vmIdentifier: string,
    wanted: { readonly checkpointIdentifier: string; readonly timestamp?: string | undefined },
    signal: AbortSignal,
  ): Promise<
    | { readonly kind: 'yes'; readonly checkpoint: Checkpoint }
    | { readonly kind: 'no'; readonly why: string }
    | { readonly kind: 'expired' | 'lost' }
  >;
  /** The newest checkpoint of a VPG; `undefined` for an empty journal. */
  newest(vpg: Vpg, signal: AbortSignal): Promise<Checkpoint | undefined>;
  /** Mounts, reads and unmounts. */
  recover(request: RecoveryRequest, signal: AbortSignal): Promise<Recovered>;
  /** The checkpoint as the VPG's journal lists it now. `expired`: older than the journal; `lost`: not in it. */
  checkpoint(
    vpg: Pick<ReceiptVpg, 'vpgIdentifier' | 'site'>,
    wanted: { readonly checkpointIdentifier: string; readonly timestamp?: string | undefined },
    signal: AbortSignal,
  ): Promise<{ readonly kind: 'listed'; readonly checkpoint: Checkpoint } | { readonly kind: 'expired' | 'lost' }>;
  sessions(vmIdentifier: string | undefined, signal: AbortSignal): Promise<readonly NativeSession[]>;
  /** Resolves when the appliance no longer has the session; `false` where it still has. */
  end(session: string, signal: AbortSignal): Promise<boolean>;
}

/** What the audit log learns of a native call when it is over. Never content. */
export interface NativeOutcome {
  readonly result: 'ok' | 'error';
  readonly code?: ErrorCode | undefined;
  readonly reason?: string | undefined;
  readonly receipt?: Receipt | undefined;
  readonly answeredBy?: string | undefined;
  readonly recovered?:
    | {
        readonly vmIdentifier: string;
        readonly checkpointIdentifier: string;
        readonly bytes: number;
        readonly sha256: string;
      }
    | undefined;
}

export interface NativeAuditEntry {
  close(outcome: NativeOutcome): Promise<void>;
}

/** Everything the native tools need, by argument. */
export interface NativeDeps {
  readonly inventory: Inventory;
  /** Resolves a VM name, host name or VM identifier. */
  find(host: string, signal: AbortSignal): Promise<Aim>;
  /** Whether a wrapped server can reach the VM. */
  reaches(vmIdentifier: string, signal: AbortSignal): Promise<boolean>;
  readonly receipts: NativeReceipts;
  judge(query: Query, caller: Caller, signal: AbortSignal): Promise<Judgement>;
  catalogs(): Readonly<Record<string, unknown>>;
  /** Pins one tag on every VPG of the target. */
  checkpoint(
    request: {
      readonly tool: string;
      readonly target: Target;
      readonly action: string;
      readonly change?: string | undefined;
    },
    caller: Caller,
    signal: AbortSignal,
  ): Promise<Receipt>;
  readonly recovery: RecoveryConfig;
  readonly appliances: RecoveryPort;
  /** Words the question to the human; the first choice is the yes. */
  recoveryQuestion(about: RecoveryAbout): Question;
  /** The question before a mount of somebody else is ended; the first choice is the yes. */
  endSessionQuestion(about: {
    readonly agent: string;
    readonly session: string;
    readonly vm: string;
    readonly mountTime: string;
    readonly runningTasks: number;
  }): Question;
  /** Resolves when the intent is recorded as the audit log promises for the tool's effect. */
  audit(
    call: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>>; readonly readOnly: boolean },
    caller: Caller,
    signal: AbortSignal,
  ): Promise<NativeAuditEntry>;
  now(): Date;
  readonly log: Logger;
}
