import type { Effect } from './assessment.js';
import type { DecisionName } from './decision.js';
import type { AuditLog, Checkpoints, Outcome } from './ports.js';
import type { Profile } from './target.js';

/** One tools/call at its end, in the words of the records. */
export interface CountedCall {
  readonly effect: Effect;
  readonly decision: DecisionName;
  readonly outcome: Outcome['kind'];
  /** It was for one of the proxy's own tools. */
  readonly native: boolean;
  /** By what it went to the wrapped server, where it did. */
  readonly permit?: 'read_only' | 'pinned' | 'waived' | undefined;
  /** `tool_error` or an error code. */
  readonly problem?: string | undefined;
}

/** One request to an appliance. `endpoint` holds no identifiers; `problem` is the status of a refusal, or `no_answer`. */
export interface ZvmRequest {
  readonly site: string;
  readonly method: string;
  readonly endpoint: string;
  readonly problem?: string | undefined;
}

/** Where the parts of a process tell what happened, for its metrics. Nothing of a caller's own words is told but a method's name. */
export interface Meters {
  /** A client's request came to its end. `problem`: `tool_error`, a JSON-RPC code, `cancelled` or `no_answer`. */
  operation(method: string, seconds: number, problem?: string): void;
  /** A session that both ends agreed on has ended. */
  session(seconds: number): void;
  call(call: CountedCall): void;
  /** A call was held for its checkpoints. `profile`: the slowest that it waited for. */
  pinWait(profile: Profile, seconds: number, problem?: string): void;
  /** From a tag's insert until the appliance listed it, or until that failed. */
  tag(profile: Profile, seconds: number, problem?: string): void;
  zvmRequest(request: ZvmRequest): void;
  /** A process of a wrapped server was started (1) or is gone (-1). */
  child(change: 1 | -1): void;
}

/** How things stand now; read when somebody looks. */
export interface Gauges {
  readonly sessions: number;
  /** Requests that wait for an answer. */
  readonly pending: number;
  /** Bytes of clients' messages that are held. */
  readonly bufferedRequests?: number | undefined;
  /** Bytes of answers that wait for clients to read them. */
  readonly bufferedAnswers?: number | undefined;
  /** Audit records that are not on disk yet. */
  readonly auditQueue: number;
  readonly auditWritable: boolean;
}

/** The metrics of one process. */
export interface Metrics extends Meters {
  watch(read: () => Gauges): void;
  /** The same audit log; each call is counted by the words in which it is recorded, whether that succeeds or not. */
  countedAudit(audit: AuditLog): AuditLog;
  /** The same checkpoints, with the time that each tag took; `now` in milliseconds. */
  countedCheckpoints(checkpoints: Checkpoints, now: () => number): Checkpoints;
  /** Whoever gets them is told how things stand at the end. */
  close(): Promise<void>;
}
