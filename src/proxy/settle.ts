import type { Settled } from '../domain/decision.js';
import type { Ask, Judged, Question, Settle } from '../domain/ports.js';
import type { Target } from '../domain/target.js';

export const RUN_PINNED = 'run after the checkpoint';
export const DO_NOT_RUN = 'do not run';
export const ALWAYS_PIN = 'always pin in this session';
export const RUN_UNPINNED = 'run without a checkpoint';

export interface SettleDeps {
  readonly ask: Ask;
  /** Starts the checkpoint while the human reads; the call then finds it under way or listed. */
  readonly warm: (judged: Judged, targets: readonly Target[]) => void;
  readonly question: (judged: Judged, asked: string, choices: Question['choices']) => Question;
}

/** Puts `ask` to the human behind the client, once per session where the human says so; where nobody can be asked, policy's own answer holds. */
export function createSettle({ ask, warm, question }: SettleDeps): Settle {
  const pinAlways = new Set<string>();
  return async (judged, decision, signal) => {
    const [first, ...more] = decision.targets;
    const pinned: Settled | undefined =
      first === undefined ? undefined : { kind: 'pin_then_forward', rule: decision.rule, targets: [first, ...more] };
    if (pinned !== undefined && pinAlways.has(judged.call.session))
      return { settled: pinned, answeredBy: 'the session' };
    if (pinned !== undefined) warm(judged, decision.targets);
    const choices: Question['choices'] =
      pinned === undefined ? [RUN_UNPINNED, DO_NOT_RUN] : [RUN_PINNED, DO_NOT_RUN, ALWAYS_PIN];
    const answer = await ask(question(judged, decision.question, choices), signal);
    if (answer.kind === 'unavailable')
      return { settled: decision.otherwise, answeredBy: 'policy: nobody can be asked' };
    const by = answer.kind === 'answered' ? answer.by : 'client';
    const choice = answer.kind === 'answered' ? answer.choice : DO_NOT_RUN;
    if (pinned !== undefined && choice === ALWAYS_PIN) pinAlways.add(judged.call.session);
    if (pinned !== undefined && (choice === RUN_PINNED || choice === ALWAYS_PIN))
      return { settled: pinned, answeredBy: by };
    if (pinned === undefined && choice === RUN_UNPINNED) {
      return { settled: { kind: 'waive', rule: decision.rule, by: `human (${by})` }, answeredBy: by };
    }
    return {
      settled: { kind: 'refuse', rule: decision.rule, code: 'APPROVAL_DENIED', reason: DENIED },
      answeredBy: by,
    };
  };
}

const DENIED = 'A human was asked and said no. The call was not sent. Do not repeat it; ask what to do instead.';
