import type { Assessment, Reach } from './assessment.js';
import type { Answer, HostName, Operation, Reading, Server, ToolCall, ToolDescription } from './call.js';
import type { Decision, Settled } from './decision.js';
import type { ErrorCode } from './errors.js';
import type { Permit } from './permit.js';
import type { Checkpoint, Receipt } from './receipt.js';
import type { Aim, Meaning, Vm, Vpg } from './target.js';

type LogLine = (fields: Readonly<Record<string, unknown>>, message: string) => void;
/** Structured lines on stderr (pino's shape). Never a secret, never a value of an argument. */
export interface Logger {
  readonly debug: LogLine;
  readonly info: LogLine;
  readonly warn: LogLine;
  readonly error: LogLine;
}

/** Knows one family of downstream servers. Pure: no I/O, no clock, no change to the call. */
export interface Interceptor {
  readonly name: string;
  claims(server: Server, tool: string, description: ToolDescription | undefined): boolean;
  read(call: Pick<ToolCall, 'server' | 'tool' | 'arguments' | 'description'>): Reading;
}

export type Classify = (operations: readonly Operation[]) => Assessment;

/** Loads what judging these operations needs; undefined where it is there already. Never rejects. */
export type Prepare = (operations: readonly Operation[]) => Promise<void> | undefined;

/**
 * Resolves what a call names to VMs, and what its commands reach out to. Rejects with ZVM_* codes; a host that does not resolve is a problem in
 * the answer.
 */
export type TakeAim = (reading: Reading, server: Server, signal: AbortSignal, reach?: Reach) => Promise<Aim>;

/** A name of a call with what its server takes it for. Where the call names no host, `host` is `NO_HOST`. */
export interface MeantHost {
  readonly host: HostName;
  readonly meaning: Meaning;
}

/**
 * What the names of a call stand for by its server's own configuration, read at this moment; the answer takes the place of the call's hosts.
 * Undefined where nothing is known of the configuration: every name means what it says. A configuration that cannot be read or judged is a
 * `stop`, never a rejection.
 */
export type ServerNames = (
  reading: Reading,
  server: Server,
  signal: AbortSignal,
) => Promise<readonly MeantHost[] | undefined>;

export interface Judged {
  readonly call: ToolCall;
  readonly reading: Reading;
  readonly assessment: Assessment;
  readonly aim: Aim;
}

/** Pure: policy, exemptions and mode in, one decision out. */
export type Decide = (judged: Judged) => Decision;

/** Who settled a question: a human, an earlier answer, or policy. `afterMs`: how long the human took. */
export interface Answered {
  readonly by: string;
  readonly afterMs?: number | undefined;
}

/** Puts a decision `ask` to a human, or settles it by policy where nobody answers. Rejects with APPROVAL_PENDING while one still reads. */
export type Settle = (
  judged: Judged,
  decision: Decision & { kind: 'ask' },
  signal: AbortSignal,
) => Promise<{ readonly settled: Settled; readonly answered: Answered }>;

/**
 * What was known of a VPG before its tag was inserted: the ends of its journal, absent for an empty one. `keptMinutes` is how long
 * a checkpoint stays there, where that is short.
 */
export interface Before {
  readonly newest?: Checkpoint | undefined;
  readonly oldest?: Checkpoint | undefined;
  readonly keptMinutes?: number | undefined;
}

/** The appliance as the guard needs it: one call of each per VPG and pin. */
export interface Checkpoints {
  /** Rejects with CHECKPOINT_NOT_PINNED where the VPG's state takes no tag, with ZVM_* where the appliance does not answer. */
  before(vpg: Vpg, signal: AbortSignal): Promise<Before>;
  /** Inserts the tag and resolves when the appliance lists it. Never inserts twice: after a lost answer the tag is searched first. */
  pin(vpg: Vpg, tag: string, before: Before, signal: AbortSignal): Promise<Checkpoint>;
  /** The appliance's own clock, read now. */
  now(site: string, signal: AbortSignal): Promise<Date>;
}

/**
 * What the sites list now. `silent`: those that could not be asked, and why. `unsure`: VMs that may be there, as far as the others
 * or an earlier listing tell; `vms` are none of them.
 */
export interface Listing {
  readonly vms: readonly Vm[];
  readonly unsure: readonly Vm[];
  readonly silent: readonly { readonly site: string; readonly error: unknown }[];
}

/** The VMs of every configured site, read now. Each VM once, with all its VPGs; unprotected ones with none. */
export interface Inventory {
  /** Rejects where one site does not answer. */
  vms(signal: AbortSignal): Promise<readonly Vm[]>;
  /** Rejects where none does; absent where there is only one to ask. */
  listing?(signal: AbortSignal): Promise<Listing>;
}

export interface Downstream {
  /**
   * Takes the permit (`permit.take(call)`) and writes `call.raw` before it returns; the promise is the downstream's answer. It throws
   * CALL_CANCELLED or DOWNSTREAM_UNAVAILABLE where nothing was written, and rejects with OUTCOME_UNKNOWN where no answer will come.
   */
  forward(call: ToolCall, permit: Permit): Promise<DownstreamAnswer>;
}

/** How a call is given up from outside. The signal is made when it is first asked for: a call that only reads never does. */
export interface Cancel {
  readonly signal: AbortSignal;
  /** What a client that is told of progress reads while the call waits. */
  tell?(progress: string): void;
}
export type DownstreamAnswer = Answer & { readonly kind: 'downstream' };

/** What a recovery gave out: where from and how much, never the content. */
interface RecoveredBytes {
  readonly vmIdentifier: string;
  readonly checkpointIdentifier: string;
  readonly bytes: number;
  readonly sha256: string;
}

export type Outcome =
  | {
      readonly kind: 'forwarded';
      readonly result: 'ok' | 'error';
      readonly receipt?: Receipt | undefined;
      /** Native tools only. */
      readonly answered?: Answered | undefined;
      readonly recovered?: RecoveredBytes | undefined;
    }
  | {
      readonly kind: 'refused';
      readonly code: ErrorCode;
      readonly reason: string;
      readonly answered?: Answered | undefined;
    }
  | { readonly kind: 'not_sent'; readonly code: ErrorCode; readonly reason: string }
  | { readonly kind: 'outcome_unknown'; readonly reason: string; readonly receipt?: Receipt | undefined };

export interface AuditEntry {
  /** The receipt is on disk when this resolves: the last record before a call that may change something goes out. */
  permit(receipt: Receipt, answered?: Answered): Promise<void>;
  close(outcome: Outcome): Promise<void>;
}

export interface AuditLog {
  /**
   * Resolves when the intent is on disk. Rejects with AUDIT_UNAVAILABLE. For read_only the entry is there at once, and its record
   * queued; only where too much waits for the disk must such a call wait too.
   */
  open(judged: Judged, decision: Decision): AuditEntry | Promise<AuditEntry>;
  /** An outcome could not be written: no further call that is not read_only may be opened. */
  degrade(error: unknown): void;
}

export interface ReceiptFilter {
  readonly vm?: string | undefined;
  readonly agent?: string | undefined;
  readonly session?: string | undefined;
  readonly since?: string | undefined;
  readonly change?: string | undefined;
  readonly limit?: number | undefined;
}

/** Receipts of this machine's audit directory, newest first; they survive a restart. */
export interface Receipts {
  get(id: string): Promise<Receipt | undefined>;
  list(filter: ReceiptFilter): Promise<readonly Receipt[]>;
}

export interface Question {
  /** Shown to the human; every name from outside in it went through `quote`. */
  readonly message: string;
  /** Yes, no, and where there is a third, always. */
  readonly choices: readonly [string, ...string[]];
  /** What an answer holds for, beside the call; the message where this is absent. */
  readonly about?: string | undefined;
}

/** Asks the human behind the client. `unavailable`: the client cannot ask. */
export type Ask = (
  question: Question,
  signal: AbortSignal,
) => Promise<
  | { readonly kind: 'answered'; readonly choice: string; readonly by: string }
  /** `dismissed`: closed without a choice. */
  | { readonly kind: 'declined'; readonly dismissed?: boolean }
  | { readonly kind: 'unavailable' }
>;

/** A question about one call, for a human who is asked elsewhere than in the client. `key` names the call: its digest. */
export interface AskedElsewhere {
  readonly key: string;
  readonly session: string;
  readonly agent: string;
  readonly question: Question;
}

/**
 * Asks a human outside of the client, who may take minutes: the call is answered meanwhile, and its repeat finds the answer.
 * `waiting`: asked, and not answered yet. `unavailable`: nobody can be asked this way.
 */
export interface Elsewhere {
  isOpen(key: string, question: Question): boolean;
  ask(
    asked: AskedElsewhere,
    signal: AbortSignal,
  ): Promise<
    | { readonly kind: 'answered'; readonly choice: string; readonly by: string; readonly afterMs: number }
    | { readonly kind: 'waiting' }
    | { readonly kind: 'unavailable' }
  >;
}
