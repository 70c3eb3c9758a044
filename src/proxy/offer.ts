import type { Decision, Settled } from '../domain/decision.js';
import type { Question } from '../domain/ports.js';
import type { Aim } from '../domain/target.js';

const RUN_PINNED = 'run after the checkpoint';
const DO_NOT_RUN = 'do not run';
const ALWAYS_PIN = 'always pin in this session';
const RUN_UNPINNED = 'run without a checkpoint';

/** What a human may choose, and what each choice makes of the call. */
export interface Offer {
  readonly choices: Question['choices'];
  /** What a yes amounts to, where there is something to pin. */
  readonly pinned?: Settled;
  /** The choice that holds for the session; only where the question is about the effect alone. */
  readonly always?: string;
  readonly settle: (choice: string, by: string) => Settled;
}

/** `remembers`: an answer may hold for the session, which is one client's. */
export function offerFor(
  { targets: [first, ...more], rule }: Pick<Decision & { kind: 'ask' }, 'targets' | 'rule'>,
  { problems }: Aim,
  remembers: boolean,
): Offer {
  if (first === undefined) {
    return {
      choices: [RUN_UNPINNED, DO_NOT_RUN],
      settle: (choice, by) => (choice === RUN_UNPINNED ? { kind: 'waive', rule, by: `human (${by})` } : denied(rule)),
    };
  }
  const pinned: Settled = { kind: 'pin_then_forward', rule, targets: [first, ...more] };
  const partly = problems.length > 0;
  const always = remembers && rule === ONLY_UNKNOWN && !partly;
  return {
    choices: always ? [RUN_PINNED, DO_NOT_RUN, ALWAYS_PIN] : [RUN_PINNED, DO_NOT_RUN],
    pinned,
    ...(always && { always: ALWAYS_PIN }),
    settle: (choice, by) => {
      if (choice !== RUN_PINNED && !(always && choice === ALWAYS_PIN)) return denied(rule);
      return partly ? { ...pinned, waivedBy: `human (${by})` } : pinned;
    },
  };
}

/** The rule of a question that no host and no number of hosts has a part in. */
const ONLY_UNKNOWN = 'policy unknown';

export function denied(rule: string): Settled {
  const reason = 'A human was asked and said no. The call was not sent. Do not repeat it; ask what to do instead.';
  return { kind: 'refuse', rule, code: 'APPROVAL_DENIED', reason };
}
