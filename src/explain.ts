import { redactAbout } from './audit/redact/redact.js';
import type { Effect, Finding } from './domain/assessment.js';
import type { Server, ToolCall, ToolDescription } from './domain/call.js';
import type { DecisionName } from './domain/decision.js';
import type { TakeAim } from './domain/ports.js';
import type { Aim, Target, TargetProblem, Unnamed } from './domain/target.js';
import { askedCall, type JudgedCall, type Judging, judgeCall } from './judge-call.js';
import type { ServerStart } from './servers/index.js';

/** A call that somebody asks about. `description`: the tool as the server lists it, where that is known. */
export interface ExplainQuery {
  readonly server: Server;
  /** How the server would be started, where that is known. */
  readonly start?: ServerStart | undefined;
  readonly tool: string;
  readonly arguments: ToolCall['arguments'];
  readonly description?: ToolDescription | undefined;
}

/** A host that the call names, as it was written, and the VM with the names of its VPGs, or why there is none. */
export interface ExplainedTarget {
  readonly host: string;
  /** The call names no host, and the config named this one. */
  readonly unnamed?: Unnamed;
  readonly vm?: string;
  readonly vmIdentifier?: string;
  readonly vpgs?: readonly string[];
  readonly problem?: string;
}

/** What the proxy would do with a call, and why it would be refused where it would be. Member names are fixed: scripts read them. */
export interface Explanation {
  readonly effect: Effect;
  readonly findings: readonly Finding[];
  readonly targets: readonly ExplainedTarget[];
  readonly decision: DecisionName;
  readonly refusal?: string | undefined;
}

/** Judges a call without sending it, starting its server or pinning anything. An appliance that does not answer is a problem of its hosts. */
export async function explain(parts: Judging, query: ExplainQuery, signal: AbortSignal): Promise<Explanation> {
  const call = askedCall({ ...query, session: 'none', agent: 'none' });
  const aim: TakeAim = (...asked) => parts.aim(...asked).catch(asFailure);
  const judged = await judgeCall({ ...parts, aim }, call, signal);
  const { effect, findings } = judged.assessment;
  const say = redactAbout({ arguments: call.arguments, roles: judged.reading.roles }, parts.redaction);
  return {
    effect,
    findings: findings.map((finding) => ({ ...finding, subject: say(finding.subject), why: say(finding.why) })),
    targets: targetsOf(judged).map(({ problem, ...target }) => ({
      ...target,
      host: say(target.host),
      ...(problem !== undefined && { problem: say(problem) }),
    })),
    decision: judged.decision,
    refusal: judged.refusal && say(judged.refusal),
  };
}

/** Every host, also one that leads to the VM of another, and those of a call that resolves nothing. */
function targetsOf({ reading, assessment, aim }: JudgedCall): readonly ExplainedTarget[] {
  const names = [...new Set(reading.hosts.map(({ value }) => value))];
  if (assessment.effect === 'read_only') return names.map((host) => ({ host }));
  if (aim.failure !== undefined) {
    const { error } = aim.failure;
    const problem = `it could not be looked up: ${error instanceof Error ? error.message : String(error)}`;
    return (names.length === 0 ? [''] : names).map((host) => ({ host, problem }));
  }
  const found = [...aim.targets.map(ofTarget), ...aim.problems.map(ofProblem)];
  const each = (aim.hosts ?? []).map((host) =>
    host.kind === 'target' ? ofTarget(host.target) : ofProblem(host.problem),
  );
  return [
    ...new Map([...each, ...found].map((target) => [`${target.host}\0${target.vmIdentifier ?? ''}`, target])).values(),
  ];
}

function ofTarget({ host, vm, unnamed }: Target): ExplainedTarget {
  return {
    host,
    ...(unnamed !== undefined && { unnamed }),
    vm: vm.name,
    vmIdentifier: vm.vmIdentifier,
    vpgs: vm.vpgs.map((vpg) => vpg.name),
  };
}

function ofProblem({ host, unnamed, kind, why, found }: TargetProblem): ExplainedTarget {
  return { host, ...(unnamed !== undefined && { unnamed }), problem: [`${kind}: ${why}`, ...found].join('; ') };
}

function asFailure(error: unknown): Aim {
  return { targets: [], problems: [], failure: { error } };
}
