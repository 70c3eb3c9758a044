/** Ordered: the highest part of a call decides. What surely changes is pinned without asking. */
export const EFFECTS = ['read_only', 'unknown', 'mutating'] as const;
export type Effect = (typeof EFFECTS)[number];

/**
 * One judged part. `subject` is the part as the caller wrote it; `why` names the rule. `sensitive`: it reads secrets.
 * `elsewhere`: what it changes is not on the VM that runs it (another host, a cluster, a cloud), so no checkpoint of the VM holds it.
 * `program`: the listed program, cmdlet or module that does it, by its own name and never by the caller's words.
 */
export interface Finding {
  readonly effect: Effect;
  readonly subject: string;
  readonly why: string;
  readonly sensitive?: boolean | undefined;
  readonly elsewhere?: boolean | undefined;
  readonly program?: string | undefined;
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

/** How much of what a call may change a checkpoint of its VMs holds. */
export function coverage({ findings }: Assessment): 'vm' | 'partly' | 'elsewhere' {
  const changing = findings.filter((finding) => finding.effect !== 'read_only');
  const away = changing.filter((finding) => finding.elsewhere === true);
  if (away.length === 0) return 'vm';
  return away.length === changing.length ? 'elsewhere' : 'partly';
}

/** The first listed program among the parts that decide; undefined where none of them is listed. */
export function programOf({ effect, findings }: Assessment): string | undefined {
  return findings.find((finding) => finding.effect === effect && finding.program !== undefined)?.program;
}
