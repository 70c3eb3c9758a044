import type { TakeAim } from '../domain/ports.js';
import type { Resolved, TargetProblem } from '../domain/target.js';

/** Where no appliance is connected no VM is known: this is why a host resolves to none, whatever else its name leads to. */
export function withoutAppliance(aim: TakeAim): TakeAim {
  return async (...asked) => {
    const found = await aim(...asked);
    return { ...found, problems: found.problems.map(explained), hosts: found.hosts?.map(explainedHost) };
  };
}

function explained(problem: TargetProblem): TargetProblem {
  if (problem.kind !== 'unresolved') return problem;
  return { ...problem, why: 'no Zerto appliance is connected, so no VM is known; ask a person to connect one' };
}

function explainedHost(host: Resolved): Resolved {
  return host.kind === 'problem' ? { kind: 'problem', problem: explained(host.problem) } : host;
}
