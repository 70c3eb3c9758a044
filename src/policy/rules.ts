/** What the operator decided beforehand. `nobodyAnswers` is for calls of unknown effect; elsewhere an unanswered question means no. */
export interface PolicyRules {
  readonly unknown: 'ask' | 'pin' | 'refuse';
  readonly nobodyAnswers: 'pin' | 'refuse';
  readonly unresolved: 'ask' | 'refuse' | 'forward';
  readonly unprotected: 'ask' | 'refuse' | 'forward';
  readonly maxVmsPerCall: number;
}

export interface DecideOptions {
  readonly policy: PolicyRules;
  readonly mode: 'enforce' | 'observe';
  /** False where no appliance is configured: nothing can be pinned then. */
  readonly hasZvm: boolean;
  /** A system config is there and cannot be used: nothing but reading goes through. */
  readonly isLocked?: boolean | undefined;
}
