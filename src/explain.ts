import type { Effect, Finding } from './domain/assessment.js';
import type { Server, ToolCall, ToolDescription } from './domain/call.js';
import type { DecisionName } from './domain/decision.js';
import type { TakeAim } from './domain/ports.js';
import type { Aim, Unnamed } from './domain/target.js';
import { askedCall, type JudgedCall, type Judging, judgeCall } from './judge-call.js';

/** A call that somebody asks about. `description`: the tool as the server lists it, where that is known. */
export interface ExplainQuery {
  readonly server: Server;
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

/** What the proxy would do with a call. Member names are fixed: scripts read them. */
export interface Explanation {
  readonly effect: Effect;
  readonly findings: readonly Finding[];
  readonly targets: readonly ExplainedTarget[];
  readonly decision: DecisionName;
}

/** Judges a call without sending it, starting its server or pinning anything. An appliance that does not answer is a problem of its hosts. */
export async function explain(parts: Judging, query: ExplainQuery, signal: AbortSignal): Promise<Explanation> {
  const call = askedCall({ ...query, session: 'none', agent: 'none' });
  const aim: TakeAim = (reading, server, stop) => parts.aim(reading, server, stop).catch(asFailure);
  const judged = await judgeCall({ ...parts, aim }, call, signal);
  const { effect, findings } = judged.assessment;
  return { effect, findings, targets: await targetsOf(judged, aim, call, signal), decision: judged.decision };
}

/** Every host, also one that leads to the VM of another, and one of a call that resolves nothing. */
async function targetsOf(
  { reading, assessment, aim: whole }: JudgedCall,
  aim: TakeAim,
  { server }: ToolCall,
  signal: AbortSignal,
): Promise<readonly ExplainedTarget[]> {
  const hosts = [...new Map(reading.hosts.map((host) => [host.value, host])).values()];
  if (assessment.effect === 'read_only') return hosts.map(({ value }) => ({ host: value }));
  if (hosts.length < 2) return describe(whole, hosts[0]?.value ?? '');
  const each = hosts.map(async (host) =>
    describe(await aim({ ...reading, hosts: [host] }, server, signal), host.value),
  );
  return (await Promise.all(each)).flat();
}

function describe({ targets, problems, failure }: Aim, host: string): readonly ExplainedTarget[] {
  if (failure !== undefined) {
    const { error } = failure;
    return [{ host, problem: `it could not be looked up: ${error instanceof Error ? error.message : String(error)}` }];
  }
  return [
    ...targets.map(({ host: named, vm, unnamed }) => ({
      host: named,
      ...(unnamed !== undefined && { unnamed }),
      vm: vm.name,
      vmIdentifier: vm.vmIdentifier,
      vpgs: vm.vpgs.map((vpg) => vpg.name),
    })),
    ...problems.map((problem) => ({
      host: problem.host,
      ...(problem.unnamed !== undefined && { unnamed: problem.unnamed }),
      problem: [`${problem.kind}: ${problem.why}`, ...problem.found].join('; '),
    })),
  ];
}

function asFailure(error: unknown): Aim {
  return { targets: [], problems: [], failure: { error } };
}
