import type { Decision, Settled } from '../domain/decision.js';
import type { Ask, Judged, Question, Settle } from '../domain/ports.js';
import type { Target } from '../domain/target.js';

const RUN_PINNED = 'run after the checkpoint';
const DO_NOT_RUN = 'do not run';
const ALWAYS_PIN = 'always pin in this session';
const RUN_UNPINNED = 'run without a checkpoint';

export interface SettleDeps {
  readonly ask: Ask;
  /** Starts the checkpoint while the human reads; the call then finds it under way or listed. */
  readonly warm: (judged: Judged, targets: readonly Target[]) => void;
  /** Words the question: what a human reads holds no secret. */
  readonly question: (asked: string, choices: Question['choices']) => Question;
}

/**
 * Puts `ask` to the human behind the client; where nobody can be asked, policy's own answer holds. "Always" is remembered for
 * the session, and only for calls whose VMs can be pinned.
 */
export function createSettle({ ask, warm, question }: SettleDeps): Settle {
  const pinAlways = new Set<string>();
  return async (judged, decision, signal) => {
    const { session } = judged.call;
    const offer = offerFor(decision);
    if (offer.pinned !== undefined && pinAlways.has(session))
      return { settled: offer.pinned, answeredBy: 'the session' };
    if (offer.pinned !== undefined) warm(judged, decision.targets);
    const answer = await ask(question(decision.question, offer.choices), signal);
    if (answer.kind === 'unavailable')
      return { settled: decision.otherwise, answeredBy: 'policy: nobody can be asked' };
    if (answer.kind !== 'answered') return { settled: denied(decision.rule), answeredBy: 'client' };
    if (answer.choice === ALWAYS_PIN) pinAlways.add(session);
    return { settled: offer.settle(answer.choice, answer.by), answeredBy: answer.by };
  };
}

interface Offer {
  readonly choices: Question['choices'];
  readonly pinned?: Settled;
  readonly settle: (choice: string, by: string) => Settled;
}

function offerFor({ targets: [first, ...more], rule }: Decision & { kind: 'ask' }): Offer {
  if (first === undefined) {
    return {
      choices: [RUN_UNPINNED, DO_NOT_RUN],
      settle: (choice, by) => (choice === RUN_UNPINNED ? { kind: 'waive', rule, by: `human (${by})` } : denied(rule)),
    };
  }
  const pinned: Settled = { kind: 'pin_then_forward', rule, targets: [first, ...more] };
  return {
    choices: [RUN_PINNED, DO_NOT_RUN, ALWAYS_PIN],
    pinned,
    settle: (choice) => (choice === RUN_PINNED || choice === ALWAYS_PIN ? pinned : denied(rule)),
  };
}

function denied(rule: string): Settled {
  const reason = 'A human was asked and said no. The call was not sent. Do not repeat it; ask what to do instead.';
  return { kind: 'refuse', rule, code: 'APPROVAL_DENIED', reason };
}
