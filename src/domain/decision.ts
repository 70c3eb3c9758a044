import type { ErrorCode } from './errors.js';
import type { Target } from './target.js';

/** Policy's answer. `rule` names the policy line that decided; `ask` needs a human, and becomes one of the others. */
export type Decision =
  | Settled
  | {
      readonly kind: 'ask';
      readonly rule: string;
      readonly question: string;
      /** What is pinned while the human reads, and forwarded to after a yes. */
      readonly targets: readonly Target[];
      /** What holds where nobody can be asked. */
      readonly otherwise: Settled;
    };

export type Settled =
  | { readonly kind: 'forward'; readonly rule: string }
  | { readonly kind: 'waive'; readonly rule: string; readonly by: string }
  | {
      readonly kind: 'pin_then_forward';
      readonly rule: string;
      readonly targets: readonly [Target, ...Target[]];
      /** Who let hosts through that cannot be pinned, beside those that can. */
      readonly waivedBy?: string | undefined;
    }
  | { readonly kind: 'refuse'; readonly rule: string; readonly code: ErrorCode; readonly reason: string };

/** The words of the contract for a decision in records and answers; a waived call was let through by a rule or a human. */
export const DECISIONS = ['forward', 'pin_then_forward', 'ask', 'refuse'] as const;
export type DecisionName = (typeof DECISIONS)[number];
