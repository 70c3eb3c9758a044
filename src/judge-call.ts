import { type Assessment, reachOf } from './domain/assessment.js';
import type { Reading, ToolCall } from './domain/call.js';
import type { Decision, DecisionName } from './domain/decision.js';
import { type Aim, NO_AIM } from './domain/target.js';
import type { SessionParts } from './parts.js';
import { judge } from './proxy/judge.js';

/** The parts that a call is judged with. */
export type Judging = Pick<SessionParts, 'interceptors' | 'prepare' | 'classify' | 'aim' | 'decide' | 'redaction'>;

/** What would be done with a call, and why. */
export interface JudgedCall {
  readonly reading: Reading;
  readonly assessment: Assessment;
  readonly aim: Aim;
  readonly decision: DecisionName;
  /** Why it would be refused, where it would be. */
  readonly refusal?: string | undefined;
}

/** A call that is only asked about: it has no bytes and no id. */
export function askedCall(
  parts: Pick<ToolCall, 'session' | 'agent' | 'server' | 'tool' | 'arguments' | 'description'>,
): ToolCall {
  return { ...parts, id: 'none', digest: '', raw: new Uint8Array() };
}

/** Reads, judges, aims and decides as for a real call; nothing is recorded and nothing sent. `read`: what is known of it already. */
export async function judgeCall(
  parts: Judging,
  call: ToolCall,
  signal: AbortSignal,
  read?: Pick<JudgedCall, 'reading' | 'assessment'>,
): Promise<JudgedCall> {
  const { reading, assessment } = read ?? (await judge(parts, call));
  const aim =
    assessment.effect === 'read_only' ? NO_AIM : await parts.aim(reading, call.server, signal, reachOf(assessment));
  const decision = parts.decide({ call, reading, assessment, aim });
  const refusal = decision.kind === 'refuse' ? decision.reason : undefined;
  return { reading, assessment, aim, decision: nameOf(decision), refusal };
}

function nameOf(decision: Decision): DecisionName {
  return decision.kind === 'waive' ? 'forward' : decision.kind;
}
