import { coverage } from '../domain/assessment.js';
import type { Answer, ToolCall } from '../domain/call.js';
import type { Settled } from '../domain/decision.js';
import { NOT_SENT, ProxyError } from '../domain/errors.js';
import type {
  AuditEntry,
  AuditLog,
  Classify,
  Decide,
  Downstream,
  Interceptor,
  Logger,
  Settle,
  TakeAim,
} from '../domain/ports.js';
import { type Aim, NO_AIM } from '../domain/target.js';
import type { Grant, GrantRequest } from './guard.js';
import { judge } from './judge.js';
import { type Patience, reasonOf, refusalText } from './refusal.js';

export interface ToolCallDeps {
  readonly interceptors: readonly Interceptor[];
  readonly classify: Classify;
  readonly aim: TakeAim;
  readonly decide: Decide;
  readonly settle: Settle;
  readonly audit: AuditLog;
  readonly guard: { grant(request: GrantRequest): Promise<Grant> };
  readonly patience: Patience;
  readonly now: () => Date;
  readonly log: Logger;
}

/** The whole path of one tools/call: read, judge, aim, decide, record, pin, send, record. Read this file first. */
export async function handleToolCall(
  deps: ToolCallDeps,
  downstream: Downstream,
  call: ToolCall,
  signal: AbortSignal,
): Promise<Answer> {
  let entry: AuditEntry | undefined;
  let grant: Grant | undefined;
  try {
    const { reading, assessment } = judge(deps, call);
    const takeAim = () => deps.aim(reading, call.server, signal);
    const aim = assessment.effect === 'read_only' ? NO_AIM : await takeAim().catch(asFailure);
    const judged = { call, reading, assessment, aim };
    const decision = deps.decide(judged);
    entry = await deps.audit.open(judged, decision);
    if (aim.failure !== undefined && decision.kind === 'refuse') throw aim.failure.error;

    const { settled, answeredBy } =
      decision.kind === 'ask'
        ? await deps.settle(judged, decision, signal)
        : { settled: decision, answeredBy: undefined };
    if (settled.kind === 'refuse') return await refused(entry, settled);

    const patience = deps.patience(call, aim.targets);
    grant = await deps.guard.grant({
      call,
      settled,
      aim,
      covers: coverage(assessment),
      aimAgain: takeAim,
      patience,
      signal,
    });
    if (grant.permit.grounds.kind !== 'read_only') await entry.permit(grant.permit.grounds.receipt, answeredBy);
    signal.throwIfAborted();
  } catch (error) {
    grant?.done();
    const { code, reason } = reasonOf(error, false);
    // The agent reads a reason; what else an error knows (a refused certificate's fingerprint) is for the operator.
    if (code === 'PROXY_FAULT') deps.log.error({ call: call.id, error }, 'a call was stopped by a fault of the proxy');
    else deps.log.warn({ call: call.id, code, error }, 'a call was not sent');
    await entry?.close({ kind: 'not_sent', code, reason }).catch((failure: unknown) => deps.audit.degrade(failure));
    return { kind: 'refusal', text: refusalText(code, reason) };
  }
  return send(deps, downstream, call, grant, entry, signal);
}

/** From here on the command may have run: never report it as not sent, never retry it, never withhold its answer. */
async function send(
  deps: ToolCallDeps,
  downstream: Downstream,
  call: ToolCall,
  { permit, sent, done }: Grant,
  entry: AuditEntry,
  signal: AbortSignal,
): Promise<Answer> {
  const granted = permit.grounds.kind === 'read_only' ? undefined : permit.grounds.receipt;
  const forwardedAt = deps.now().toISOString();
  const receiptNow = () =>
    granted === undefined ? undefined : { ...granted, forwardedAt, lastPossibleChangeAt: deps.now().toISOString() };
  try {
    const answering = downstream.forward(call, permit, signal);
    sent();
    if (granted !== undefined)
      deps.log.info({ call: call.id, receipt: granted.id, permit: granted.permit }, 'call forwarded');
    const answer = await answering;
    const receipt = receiptNow();
    // The record follows the answer: a disk that fails must not withhold it, only stop the next change.
    entry
      .close({ kind: 'forwarded', result: answer.isError ? 'error' : 'ok', receipt })
      .catch((failure: unknown) => deps.audit.degrade(failure));
    return { ...answer, receipt };
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

async function refused(entry: AuditEntry, { code, reason }: Settled & { kind: 'refuse' }): Promise<Answer> {
  await entry.close({ kind: 'refused', code, reason });
  return { kind: 'refusal', text: refusalText(code, reason) };
}

/** An appliance that does not answer is recorded with the call it stopped, like any other refusal. */
function asFailure(error: unknown): Aim {
  return { ...NO_AIM, failure: { error } };
}
