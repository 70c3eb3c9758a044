import type { Effect } from '../../src/domain/assessment.js';
import type { Decision } from '../../src/domain/decision.js';
import type { Judged } from '../../src/domain/ports.js';
import type { Target, TargetProblem } from '../../src/domain/target.js';
import type { PolicyRules } from '../../src/policy/rules.js';

export const DEFAULTS: PolicyRules = {
  unknown: 'ask',
  nobodyAnswers: 'pin',
  unresolved: 'ask',
  unprotected: 'ask',
  maxVmsPerCall: 10,
};

export const target = (name: string): Target => {
  const vpg = { name: `vpg-${name}`, vpgIdentifier: `g-${name}`, site: 'site-a', profile: 'vsphere' } as const;
  return { host: name, vm: { name, vmIdentifier: `id-${name}`, site: 'site-a', addresses: [], vpgs: [vpg] } };
};
export const trouble = (kind: TargetProblem['kind'], host = `${kind}-host`): TargetProblem => ({
  host,
  kind,
  why: `because ${kind}`,
  found: [],
});

export function judged(
  effect: Effect,
  targets: readonly Target[],
  problems: readonly TargetProblem[],
  source = 'do-it',
): Judged {
  return {
    call: {
      id: 'c1',
      session: 's1',
      agent: 'agent',
      server: { name: 'ssh' },
      tool: 'run-command',
      arguments: {},
      digest: 'd',
      raw: new Uint8Array(),
    },
    reading: {
      interceptor: 'generic',
      roles: {},
      operations: [{ kind: 'command', language: 'bash', source }],
      hosts: [],
    },
    assessment: { effect, findings: [{ effect, subject: source, why: 'a rule' }] },
    aim: { targets, problems },
  };
}

export const short = (decision: Decision): string => {
  if (decision.kind === 'ask') return `ask else ${short(decision.otherwise)}`;
  if (decision.kind === 'refuse') return `refuse ${decision.code}`;
  return decision.kind === 'waive' ? `waive ${decision.by}` : decision.kind;
};
