import { coverage, programOf, reachOf } from '../domain/assessment.js';
import type { Answer, ToolCall } from '../domain/call.js';
import type { Decision, Settled } from '../domain/decision.js';
import { type ErrorCode, NOT_SENT, ProxyError } from '../domain/errors.js';
import type { Permit } from '../domain/permit.js';
import type {
  Answered,
  AuditEntry,
  AuditLog,
  Cancel,
  Decide,
  Downstream,
  Judged,
  Logger,
  Settle,
  TakeAim,
} from '../domain/ports.js';
import { type Aim, NO_AIM, resolvedNames } from '../domain/target.js';
import type { Place } from './arrivals.js';
import type { Grant, Guard } from './guard.js';
import { type Judges, judge } from './judge.js';
import { hostPattern } from './narrower.js';
import { type Patience, reasonOf, refusalText } from './refusal.js';

export interface ToolCallDeps extends Judges {
  readonly aim: TakeAim;
  readonly decide: Decide;
  readonly settle: Settle;
  readonly audit: AuditLog;
  readonly guard: Pick<Guard, 'arrive' | 'forReading' | 'grant'>;
  readonly patience: Patience;
  readonly now: () => Date;
  readonly log: Logger;
}

/**
 * The whole path of one tools/call: read, judge, aim, decide, record, pin, send, record. Read this file first. A call that only
 * reads passes no `await` before it is sent, so that it leaves in the turn of the event loop in which it came.
 */
export async function handleToolCall(
  deps: ToolCallDeps,
  downstream: Downstream,
  call: ToolCall,
  cancel: Cancel,
): Promise<Answer> {
  let entry: AuditEntry | undefined;
  let grant: Grant | undefined;
  const place = deps.guard.arrive(call);
  try {
    const judging = judge(deps, call);
    const { reading, assessment } = judging instanceof Promise ? await judging : judging;
    const takeAim = () => deps.aim(reading, call.server, cancel.signal, reachOf(assessment));
    const aim = assessment.effect === 'read_only' ? NO_AIM : await takeAim().catch(asFailure);
    const judged = { call, reading, assessment, aim };
    const decision = deps.decide(judged);
    const opened = deps.audit.open(judged, decision);
    entry = opened instanceof Promise ? await opened : opened;
    if (aim.failure !== undefined && decision.kind === 'refuse') throw aim.failure.error;

    const { settled, answered } =
      decision.kind === 'ask'
        ? await ask(deps, judged, decision, place, cancel.signal)
        : { settled: decision, answered: undefined };
    if (settled.kind === 'refuse') return await refused(entry, settled, answered);

    if (settled.kind === 'forward') {
      grant = deps.guard.forReading(call);
    } else {
      const { signal } = cancel;
      const patience = deps.patience(call, aim.targets);
      grant = await deps.guard.grant({
        call,
        settled,
        aim,
        covers: coverage(assessment, resolvedNames(aim)),
        program: programOf(assessment),
        pattern: hostPattern(call, reading),
        place,
        aimAgain: takeAim,
        patience,
        tell: (progress) => cancel.tell?.(progress),
        signal,
      });
      await recordPermit(entry, grant.permit, answered);
      signal.throwIfAborted();
    }
  } catch (error) {
    grant?.done();
    const { code, reason } = reasonOf(error, false);
    logNotSent(deps.log, call, code, error);
    await entry?.close({ kind: 'not_sent', code, reason }).catch((failure: unknown) => deps.audit.degrade(failure));
    return { kind: 'refusal', text: refusalText(code, reason) };
  } finally {
    place.leave();
  }
  return send(deps, downstream, call, grant, entry);
}

/** A human may take minutes: later calls of the session do not wait for the answer. */
function ask(
  { settle }: ToolCallDeps,
  judged: Judged,
  decision: Decision & { kind: 'ask' },
  place: Place,
  signal: AbortSignal,
): ReturnType<Settle> {
  place.leave();
  return settle(judged, decision, signal);
}

/** From here on the command may have run: never report it as not sent, never retry it, never withhold its answer. */
async function send(
  deps: ToolCallDeps,
  downstream: Downstream,
  call: ToolCall,
  { permit, sent, done }: Grant,
  entry: AuditEntry,
): Promise<Answer> {
  const granted = permit.grounds.kind === 'read_only' ? undefined : permit.grounds.receipt;
  const forwardedAt = granted && deps.now().toISOString();
  const receiptNow = () => granted && { ...granted, forwardedAt, lastPossibleChangeAt: deps.now().toISOString() };
  try {
    const answering = downstream.forward(call, permit);
    sent();
    if (granted !== undefined)
      deps.log.info({ call: call.id, receipt: granted.id, permit: granted.permit }, 'call forwarded');
    const answer = await answering;
    const receipt = receiptNow();
    // The record follows the answer: a disk that fails must not withhold it, only stop the next change.
    entry
      .close({ kind: 'forwarded', result: answer.isError ? 'error' : 'ok', receipt })
      .catch((failure: unknown) => deps.audit.degrade(failure));
    return { kind: 'downstream', raw: answer.raw, isError: answer.isError, receipt };
  } catch (error) {
    const { code, reason } = reasonOf(error, true);
    const outcome = NOT_SENT.some((each) => each === code)
      ? ({ kind: 'not_sent', code, reason } as const)
      : ({ kind: 'outcome_unknown', reason, receipt: receiptNow() } as const);
    await entry.close(outcome).catch((failure: unknown) => deps.audit.degrade(failure));
    throw error instanceof ProxyError ? error : new ProxyError('OUTCOME_UNKNOWN', reason, { cause: error });
  } finally {
    done();
  }
}

/** The receipt is on disk before a call that may change something goes out. */
async function recordPermit(entry: AuditEntry, { grounds }: Permit, answered: Answered | undefined): Promise<void> {
  if (grounds.kind !== 'read_only') await entry.permit(grounds.receipt, answered);
}

/** The agent reads a reason; what else an error knows (a refused certificate's fingerprint) is for the operator. */
function logNotSent(log: Logger, call: ToolCall, code: ErrorCode, error: unknown): void {
  if (code === 'PROXY_FAULT') log.error({ call: call.id, error }, 'a call was stopped by a fault of the proxy');
  else log.warn({ call: call.id, code, error }, 'a call was not sent');
}

async function refused(
  entry: AuditEntry,
  { code, reason }: Settled & { kind: 'refuse' },
  answered: Answered | undefined,
): Promise<Answer> {
  await entry.close({ kind: 'refused', code, reason, answered });
  return { kind: 'refusal', text: refusalText(code, reason) };
}

/** An appliance that does not answer is recorded with the call it stopped, like any other refusal. */
function asFailure(error: unknown): Aim {
  return { ...NO_AIM, failure: { error } };
}
