/** Ordered: the highest part of a call decides. What surely changes is pinned without asking. */
export const EFFECTS = ['read_only', 'unknown', 'mutating'] as const;
export type Effect = (typeof EFFECTS)[number];

/** Another machine that a command acts on, as its text names it; `''` where that is not known before it runs. `ssh`: it is ssh(1) that gets the name. */
export interface Reached {
  readonly host: string;
  readonly client?: 'ssh' | undefined;
}

/**
 * One judged part. `subject` is the part as the caller wrote it; `why` names the rule. `sensitive`: it reads secrets.
 * `elsewhere`: what it changes is not on the VM that runs it (another host, a cluster, a cloud), so no checkpoint of the VM holds it.
 * `reaches`: the machines among them that a checkpoint of their own could hold; with no `elsewhere` it acts on its own host too.
 * `program`: the listed program, cmdlet or module that does it, by its own name and never by the caller's words.
 */
export interface Finding {
  readonly effect: Effect;
  readonly subject: string;
  readonly why: string;
  readonly sensitive?: boolean | undefined;
  readonly elsewhere?: boolean | undefined;
  readonly reaches?: readonly Reached[] | undefined;
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

/** How much of what a call may change a checkpoint of its VMs holds. `pinned`: the other machines that have a checkpoint of their own. */
export function coverage(
  { findings }: Assessment,
  pinned: ReadonlySet<string> = new Set(),
): 'vm' | 'partly' | 'elsewhere' {
  const parts = findings
    .filter((finding) => finding.effect !== 'read_only')
    .map((finding) => {
      const isHeld = finding.reaches?.every(({ host }) => pinned.has(host)) === true;
      if (finding.elsewhere === true) return isHeld ? 'vm' : 'elsewhere';
      return finding.reaches === undefined || isHeld ? 'vm' : 'partly';
    });
  const [first, ...others] = [...new Set(parts)];
  return others.length > 0 ? 'partly' : (first ?? 'vm');
}

/** Where what may change something acts: on the host that runs it (`here`), and on which other machines. */
export interface Reach {
  readonly here: boolean;
  readonly others: readonly Reached[];
}

/** The reach of the parts that do not only read. */
export function reachOf({ findings }: Assessment): Reach {
  const changing = findings.filter((finding) => finding.effect !== 'read_only');
  const others = changing.flatMap((finding) => finding.reaches ?? []);
  return {
    here: changing.some((finding) => finding.elsewhere !== true),
    others: [...new Map(others.map((each) => [`${each.client ?? ''} ${each.host}`, each])).values()],
  };
}

/** The first listed program among the parts that decide; undefined where none of them is listed. */
export function programOf({ effect, findings }: Assessment): string | undefined {
  return findings.find((finding) => finding.effect === effect && finding.program !== undefined)?.program;
}
