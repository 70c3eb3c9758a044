import type { Appliances } from './appliances.js';
import type { Desk } from './approvals/desk.js';
import type { AuditFile } from './audit/log.js';
import type { OperatorRedaction } from './audit/redact/config.js';
import type { Config } from './config/config.js';
import type { AuditLog, Classify, Decide, Interceptor, Logger, Prepare, TakeAim } from './domain/ports.js';
import type { Guard } from './proxy/guard.js';
import type { Clock } from './zerto/clock.js';

/** What all sessions of one process share. */
export interface Parts {
  readonly classify: Classify;
  readonly prepare: Prepare;
  readonly clock: Clock;
  readonly config: Config;
  readonly log: Logger;
  readonly now: () => Date;
  readonly id: (prefix: string) => string;
  readonly aim: TakeAim;
  readonly decide: Decide;
  readonly guard: Guard;
  readonly appliances: Appliances;
  readonly audit: AuditLog;
  readonly auditFile: AuditFile;
  readonly auditDir: string;
  /** What the operator's own rules take for secret. */
  readonly redaction: OperatorRedaction;
  /** Absent where nobody may be asked out of band. */
  readonly desk: Desk | undefined;
}

/** Those of one session: it knows which connections its calls have opened. */
export interface SessionParts extends Parts {
  readonly interceptors: readonly Interceptor[];
}
