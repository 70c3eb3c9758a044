import type { Decision } from '../domain/decision.js';
import { ProxyError } from '../domain/errors.js';
import type { AuditEntry, AuditLog, Judged, Logger, Outcome } from '../domain/ports.js';
import { Chain, type ProcessInfo } from './chain.js';
import { Unwritable } from './directory.js';
import type { OpenHandle } from './file.js';
import { GroupCommit } from './group-commit.js';
import { CallRecorder } from './intent.js';
import { createMark, type Mark } from './key.js';
import type { Body } from './record.js';
import { NO_RULES, type OperatorRedaction } from './redact/config.js';
import { loadSecretRules } from './redact/secret-rules.js';
import { findRemovable, removeFiles } from './retention.js';
import type { HeadSink } from './send-heads.js';
import { openSigner } from './signing.js';

export interface AuditOptions {
  readonly dir: string;
  /** `guarded` leaves out calls that only read and were forwarded. */
  readonly level: 'all' | 'guarded';
  readonly now: () => Date;
  readonly log: Logger;
  readonly process: ProcessInfo;
  /** What the operator's own rules take for secret; by default nothing. */
  readonly redaction?: OperatorRedaction | undefined;
  /** How the log file is opened; by default node:fs. */
  readonly openFile?: OpenHandle | undefined;
  readonly keeping?: Keeping | undefined;
}

/** How the log is kept. What is absent is not done; a file is followed by the next at 64 MiB. */
export interface Keeping {
  /** The key that signs heads, made with the first record. */
  readonly keyFile?: string | undefined;
  readonly maxFileBytes?: number | undefined;
  /** A signed head stands behind so many records at the latest. */
  readonly headEvery?: number | undefined;
  readonly retentionDays?: number | null | undefined;
  /** Files that retention must leave, since the export has not sent all of them. */
  readonly held?: (() => Promise<ReadonlySet<string>>) | undefined;
  /** Where signed heads go. */
  readonly heads?: HeadSink | undefined;
}

const MAX_FILE_BYTES = 64 * 1024 * 1024;
const HEAD_EVERY = 256;
/** Where little happens, records wait no longer than this for a signed head, in milliseconds. */
const HEAD_WITHIN = 60_000;

const NOT_SENT =
  'The audit log cannot be written, so this call was not sent. Tell the operator of the proxy: only they can repair it. Calls that only read still work.';
const NOT_RECORDED =
  'The audit log cannot be written: what became of this call is not recorded. Tell the operator of the proxy.';

/** For a read_only call at level `guarded`. It has no permit to record. */
const UNRECORDED: AuditEntry = {
  permit: async () => {
    throw new ProxyError('AUDIT_UNAVAILABLE', NOT_SENT, {
      details: { why: 'a permit for a call that is not recorded' },
    });
  },
  close: async () => undefined,
};

/** An audit log in `dir`; nothing is created before the first record. */
export function openAuditLog(options: AuditOptions): AuditFile {
  return new AuditFile(options);
}

/** This process's file of the audit log. What is not read_only waits until it is on disk; the rest goes with the next group. */
export class AuditFile implements AuditLog {
  readonly #options: AuditOptions;
  readonly #chain: Chain;
  readonly #commit: GroupCommit;
  readonly #mark: Mark;
  #stopped: unknown;
  #lost = 0;
  #closing: Promise<void> | undefined;
  #headTimer: NodeJS.Timeout | undefined;

  constructor(options: AuditOptions) {
    this.#options = options;
    const { dir, process: info, now, openFile, log, keeping = {} } = options;
    const { keyFile, maxFileBytes = MAX_FILE_BYTES, headEvery = HEAD_EVERY, retentionDays, heads } = keeping;
    this.#chain = new Chain({
      ...{ dir, info, now, openFile, maxFileBytes, headEvery },
      // A file that never ended could never be removed.
      maxFileHours: retentionDays == null ? Number.POSITIVE_INFINITY : 24,
      signer: () => (keyFile === undefined ? undefined : openSigner(keyFile, log)),
      onHead: (line) => heads?.send(line),
      onFile: (error) => this.#begun(error),
    });
    this.#mark = createMark(options.dir, options.log);
    this.#commit = new GroupCommit({
      write: (bodies) => this.#write(bodies),
      failed: (error, lost) => this.#failed(error, lost),
      ready: () => loadSecretRules(options.log),
    });
  }

  open(judged: Judged, decision: Decision): AuditEntry | Promise<AuditEntry> {
    const readOnly = judged.assessment.effect === 'read_only';
    if (readOnly && decision.kind === 'forward' && this.#options.level === 'guarded') return UNRECORDED;
    const recorder = new CallRecorder(judged.call, this.#mark, this.#options.redaction ?? NO_RULES);
    const record = (build: (at: string) => Body, message: string): Promise<void> | undefined => {
      const at = this.#options.now();
      return readOnly
        ? this.#later(() => build(at.toISOString()), judged.call.raw.length)
        : this.#durable(() => build(at.toISOString()), message);
    };
    const entry: AuditEntry = {
      permit: (receipt, answered) => this.#durable(() => recorder.permit(this.#at(), receipt, answered), NOT_SENT),
      close: async (outcome) => record((at) => recorder.outcome(at, outcome), messageFor(outcome)),
    };
    return record((at) => recorder.intent(at, judged, decision), NOT_SENT)?.then(() => entry) ?? entry;
  }

  degrade(error: unknown): void {
    this.#options.log.error(
      describe(error),
      'an outcome could not be recorded: calls that may change something are stopped',
    );
    this.#stopped ??= error;
  }

  /** False once calls that may change something are stopped, since they could not be recorded. */
  get writable(): boolean {
    return this.#stopped === undefined;
  }

  /** Records that are not on disk yet. */
  get queued(): number {
    return this.#commit.size;
  }

  /** Writes what is queued and the `end` record. Without any record there is no trace. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  /** The name of this process's chain, where there is one; and the records that are not on disk yet. */
  unflushed(): { readonly chain: string | undefined; readonly bodies: readonly Body[] } {
    return { chain: this.#chain.name, bodies: this.#commit.pending() };
  }

  async #durable(build: () => Body, message: string): Promise<void> {
    try {
      if (this.#stopped !== undefined) throw this.#stopped;
      if (this.#closing !== undefined) throw new Error('the audit log is closed');
      const loading = loadSecretRules(this.#options.log);
      if (loading !== undefined) await loading;
      await this.#commit.durable(build());
    } catch (error) {
      throw new ProxyError('AUDIT_UNAVAILABLE', message, { details: describe(error), cause: error });
    }
  }

  /** Reading goes on without a log; that it is missing shows on stderr and, where it can, in the log itself. */
  #later(build: () => Body, bytes: number): Promise<void> | undefined {
    return this.#closing === undefined ? this.#commit.later(build, bytes) : undefined;
  }

  async #write(bodies: readonly Body[]): Promise<void> {
    if (this.#stopped instanceof Unwritable) throw this.#stopped;
    const lost = this.#lost;
    const note: readonly Body[] =
      lost === 0 ? [] : [{ kind: 'note', at: this.#at(), note: 'records_lost', count: lost }];
    const { mode } = this.#options.process;
    const all = [...note, ...bodies];
    await this.#chain.write(mode === undefined ? all : all.map((body) => ({ ...body, mode })));
    this.#lost -= lost;
    if (this.#chain.unsigned > 0) this.#headTimer ??= setTimeout(() => this.#headNow(), HEAD_WITHIN).unref();
  }

  #headNow(): void {
    this.#headTimer = undefined;
    if (this.#chain.unsigned > 0) void this.#later(() => ({ kind: 'head', at: this.#at() }), 0);
  }

  /** A new file is in use, or could not be made. Old ones are looked for beside the calls. */
  #begun(error: unknown): void {
    const { keeping, log } = this.#options;
    if (error !== undefined)
      log.warn(describe(error), 'the audit log goes on in its full file: the next cannot be made');
    else if (keeping?.retentionDays != null) {
      void this.#tidy(keeping.retentionDays).catch((cause: unknown) =>
        log.warn(describe(cause), 'old audit files cannot be removed'),
      );
    }
  }

  async #tidy(days: number): Promise<void> {
    const { dir, now, log, keeping } = this.#options;
    const removal = await findRemovable({ dir, days, now: now(), held: await keeping?.held?.() });
    if (removal === undefined || this.#closing !== undefined) return;
    await this.#commit.durable(removal.record);
    await removeFiles(dir, removal.files);
    log.info({ dir, files: removal.files }, 'audit files were removed for their age');
  }

  /** Once there is a file, a failure is final: what of it is on disk cannot be known. Creating it is tried again. */
  #failed(error: unknown, lost: number): void {
    if (this.#chain.exists) this.#stopped ??= error;
    this.#lost += lost;
    this.#options.log.error({ ...describe(error), lost }, 'the audit log cannot be written');
  }

  async #end(): Promise<void> {
    clearTimeout(this.#headTimer);
    await this.#commit.flush();
    if (!this.#chain.exists) return;
    const end = this.#commit.durable({ kind: 'end', at: this.#at() });
    await end.catch(() => undefined);
    await this.#chain.close();
    await this.#options.keeping?.heads?.close();
  }

  #at(): string {
    return this.#options.now().toISOString();
  }
}

function messageFor(outcome: Outcome): string {
  return outcome.kind === 'refused' || outcome.kind === 'not_sent' ? NOT_SENT : NOT_RECORDED;
}

function describe(error: unknown): Record<string, unknown> {
  if (error instanceof ProxyError) return { ...error.details };
  if (error instanceof Unwritable) return { why: error.message, path: error.path, errno: error.errno };
  return { why: error instanceof Error ? error.message : 'unknown error' };
}
