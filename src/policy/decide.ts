import type { Decision, Settled } from '../domain/decision.js';
import type { Decide, Judged } from '../domain/ports.js';
import type { TargetProblem } from '../domain/target.js';
import { quote } from '../domain/text.js';
import type { DecideOptions, PolicyRules } from './rules.js';
import { codeOf, describeProblem, listed, problemReason, questionText, unknownParts } from './words.js';

type Refusal = Settled & { readonly kind: 'refuse' };

/** One rule's say. The strictest wins: refuse, then ask, then what is left. `otherwise` absent: the call may be pinned unasked. */
type Vote =
  | { readonly kind: 'refuse'; readonly refusal: Refusal }
  | { readonly kind: 'ask'; readonly rule: string; readonly cause: string; readonly otherwise?: Refusal | undefined };

/** Policy: what is known of a call in, one decision out. Pure, and complete for every effect, problem and mode. */
export function createDecide({ policy, mode, hasZvm, isLocked }: DecideOptions): Decide {
  return (judged) => {
    if (judged.assessment.effect === 'read_only') return { kind: 'forward', rule: 'effect read_only' };
    if (isLocked === true) return LOCKED;
    if (mode === 'observe') return { kind: 'waive', rule: 'mode observe', by: 'mode observe' };
    if (judged.aim.failure !== undefined) return NOT_LOOKED_UP;
    const waiver = exemption(judged);
    if (waiver !== undefined) return waiver;
    if (!hasZvm) return NOTHING_TO_PIN_WITH;
    return combine(judged, [
      ...problemVotes(judged, policy),
      ...countVotes(judged, policy),
      ...effectVotes(judged, policy),
    ]);
  };
}

/** The failure itself is what the agent is told; this only stops the call. */
const NOT_LOOKED_UP: Refusal = {
  kind: 'refuse',
  rule: 'no look-up',
  code: 'ZVM_UNREACHABLE',
  reason: 'What the call names could not be looked up at the appliance. The call was not sent. Try again in a minute.',
};

const LOCKED: Refusal = {
  kind: 'refuse',
  rule: 'system config',
  code: 'CONFIG_INVALID',
  reason:
    "The call may change something, and the rules for this machine cannot be read. The call was not sent. Ask the machine's administrator to look at the log of the proxy. Calls that only read still work.",
};

const NOTHING_TO_PIN_WITH: Refusal = {
  kind: 'refuse',
  rule: 'no zvm',
  code: 'CHECKPOINT_NOT_PINNED',
  reason:
    'The call may change something, and no checkpoint can be taken first: no Zerto appliance is connected. The call was not sent. Ask a person to connect one.',
};

/** Only where every host is exempt: one that is not decides for the call. */
function exemption({ aim }: Judged): Settled | undefined {
  const [first] = aim.problems;
  if (first === undefined || aim.targets.length > 0 || aim.problems.some((problem) => problem.kind !== 'exempt'))
    return undefined;
  return {
    kind: 'waive',
    rule: 'exempt',
    by: `exempt: ${[...new Set(aim.problems.map((problem) => problem.why))].join('; ')}`,
  };
}

function combine(judged: Judged, votes: readonly Vote[]): Decision {
  const refused = votes.find((vote) => vote.kind === 'refuse');
  if (refused !== undefined) return refused.refusal;
  const asked = votes.filter((vote) => vote.kind === 'ask');
  const allowed = pinOrWaive(judged);
  const [first] = asked;
  if (first === undefined) return allowed;
  return {
    kind: 'ask',
    rule: asked.map((vote) => vote.rule).join(', '),
    question: questionText(
      judged,
      asked.map((vote) => vote.cause),
    ),
    targets: judged.aim.targets,
    otherwise: asked.find((vote) => vote.otherwise !== undefined)?.otherwise ?? allowed,
  };
}

/** Reached with problems only where policy forwards them. */
function pinOrWaive({ aim, assessment }: Judged): Settled {
  const [first, ...others] = aim.targets;
  if (first !== undefined) {
    const rules = [
      ...new Set(
        aim.problems.map((problem) =>
          problem.kind === 'exempt' ? `exempt: ${problem.why}` : `policy ${keyOf(problem)}`,
        ),
      ),
    ];
    const waivedBy = rules.length === 0 ? {} : { waivedBy: rules.join('; ') };
    return { kind: 'pin_then_forward', rule: `effect ${assessment.effect}`, targets: [first, ...others], ...waivedBy };
  }
  const rules = [...new Set(hardProblems(aim.problems).map((problem) => `policy ${keyOf(problem)}`))].join(', ');
  return { kind: 'waive', rule: rules, by: rules };
}

function problemVotes({ aim }: Judged, policy: PolicyRules): readonly Vote[] {
  const hard = hardProblems(aim.problems);
  const none = hard.length === 0 && aim.targets.length === 0;
  const problems = none ? [NOTHING_FOUND] : hard;
  return problems.flatMap((problem): Vote[] => {
    const key = keyOf(problem);
    const refusal: Refusal = {
      kind: 'refuse',
      rule: `policy ${key}`,
      code: codeOf(problem),
      reason: problemReason(problems),
    };
    if (policy[key] === 'refuse' || none) return [{ kind: 'refuse', refusal }];
    return policy[key] === 'ask'
      ? [{ kind: 'ask', rule: `policy ${key}`, cause: describeProblem(problem), otherwise: refusal }]
      : [];
  });
}

/** A call that led to neither a VM nor a problem was not resolved at all. */
const NOTHING_FOUND: TargetProblem = {
  host: '',
  kind: 'unresolved',
  why: 'nothing was found that it could be',
  found: [],
};

function countVotes({ aim }: Judged, policy: PolicyRules): readonly Vote[] {
  const count = aim.targets.length;
  if (count <= policy.maxVmsPerCall) return [];
  const reason = `The call would change ${count} VMs at once, which a person must allow. The call was not sent. Send it for fewer hosts at a time.`;
  const refusal: Refusal = { kind: 'refuse', rule: 'policy maxVmsPerCall', code: 'APPROVAL_DENIED', reason };
  const names = listed(aim.targets.map((target) => quote(target.vm.name, 80)));
  return [
    {
      kind: 'ask',
      rule: 'policy maxVmsPerCall',
      cause: `It changes ${count} VMs at once: ${names}.`,
      otherwise: refusal,
    },
  ];
}

function effectVotes(judged: Judged, policy: PolicyRules): readonly Vote[] {
  if (judged.assessment.effect !== 'unknown' || policy.unknown === 'pin') return [];
  const parts = unknownParts(judged);
  const reason = `It cannot be told whether the call changes anything. ${parts} The call was not sent. Use a command whose effect is plain, or ask a person to allow it.`;
  const refusal: Refusal = { kind: 'refuse', rule: 'policy unknown', code: 'APPROVAL_DENIED', reason };
  if (policy.unknown === 'refuse') return [{ kind: 'refuse', refusal }];
  return [
    {
      kind: 'ask',
      rule: 'policy unknown',
      cause: parts,
      otherwise: policy.nobodyAnswers === 'refuse' ? refusal : undefined,
    },
  ];
}

function hardProblems(problems: readonly TargetProblem[]): readonly TargetProblem[] {
  return problems.filter((problem) => problem.kind !== 'exempt');
}

function keyOf(problem: TargetProblem): 'unresolved' | 'unprotected' {
  return problem.kind === 'unprotected' ? 'unprotected' : 'unresolved';
}
