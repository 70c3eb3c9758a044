import type { Decision, Settled } from '../domain/decision.js';
import type { Ask, Judged, Question, Settle } from '../domain/ports.js';
import type { Aim, Target } from '../domain/target.js';

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
    const offer = offerFor(decision, judged.aim);
    if (offer.always && offer.pinned !== undefined && pinAlways.has(session))
      return { settled: offer.pinned, answeredBy: 'the session' };
    if (offer.pinned !== undefined) warm(judged, decision.targets);
    const answer = await ask(question(decision.question, offer.choices), signal);
    if (answer.kind === 'unavailable')
      return { settled: decision.otherwise, answeredBy: 'policy: nobody can be asked' };
    if (answer.kind !== 'answered') return { settled: denied(decision.rule), answeredBy: 'client' };
    if (offer.always && answer.choice === ALWAYS_PIN) pinAlways.add(session);
    return { settled: offer.settle(answer.choice, answer.by), answeredBy: answer.by };
  };
}

interface Offer {
  readonly choices: Question['choices'];
  readonly pinned?: Settled;
  /** The question is about the effect alone, so that one answer may serve the session. */
  readonly always: boolean;
  readonly settle: (choice: string, by: string) => Settled;
}

function offerFor({ targets: [first, ...more], rule }: Decision & { kind: 'ask' }, { problems }: Aim): Offer {
  if (first === undefined) {
    return {
      choices: [RUN_UNPINNED, DO_NOT_RUN],
      always: false,
      settle: (choice, by) => (choice === RUN_UNPINNED ? { kind: 'waive', rule, by: `human (${by})` } : denied(rule)),
    };
  }
  const pinned: Settled = { kind: 'pin_then_forward', rule, targets: [first, ...more] };
  const partly = problems.length > 0;
  const always = rule === ONLY_UNKNOWN && !partly;
  return {
    choices: always ? [RUN_PINNED, DO_NOT_RUN, ALWAYS_PIN] : [RUN_PINNED, DO_NOT_RUN],
    pinned,
    always,
    settle: (choice, by) => {
      if (choice !== RUN_PINNED && !(always && choice === ALWAYS_PIN)) return denied(rule);
      return partly ? { ...pinned, waivedBy: `human (${by})` } : pinned;
    },
  };
}

/** The rule of a question that no host and no number of hosts has a part in. */
const ONLY_UNKNOWN = 'policy unknown';

function denied(rule: string): Settled {
  const reason = 'A human was asked and said no. The call was not sent. Do not repeat it; ask what to do instead.';
  return { kind: 'refuse', rule, code: 'APPROVAL_DENIED', reason };
}
