/** Ordered: the highest part of a call decides. What surely changes is pinned without asking. */
export const EFFECTS = ['read_only', 'unknown', 'mutating'] as const;
export type Effect = (typeof EFFECTS)[number];

/** One judged part. `subject` is the part as the caller wrote it; `why` names the rule. `sensitive`: it reads secrets. */
export interface Finding {
  readonly effect: Effect;
  readonly subject: string;
  readonly why: string;
  readonly sensitive?: boolean | undefined;
}

export interface Assessment {
  readonly effect: Effect;
  readonly findings: readonly Finding[];
}

/** An empty list is `unknown`: nothing recognised is not the same as nothing done. */
export function assess(findings: readonly Finding[]): Assessment {
  return { effect: strictest(findings.map((finding) => finding.effect)), findings };
}

export function strictest(effects: readonly Effect[]): Effect {
  if (effects.length === 0) return 'unknown';
  return EFFECTS[Math.max(...effects.map((effect) => EFFECTS.indexOf(effect)))] ?? 'unknown';
}
