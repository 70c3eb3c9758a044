import { expect, test } from 'vitest';
import type { Effect } from '../../src/domain/assessment.js';
import type { Target, TargetProblem } from '../../src/domain/target.js';
import { createDecide } from '../../src/policy/decide.js';
import type { PolicyRules } from '../../src/policy/rules.js';
import { DEFAULTS, judged, short, target, trouble } from './support.js';

const decide = (
  effect: Effect,
  targets: readonly Target[],
  problems: readonly TargetProblem[] = [],
  options: { policy?: Partial<PolicyRules>; mode?: 'enforce' | 'observe'; hasZvm?: boolean } = {},
) =>
  createDecide({
    policy: { ...DEFAULTS, ...options.policy },
    mode: options.mode ?? 'enforce',
    hasZvm: options.hasZvm ?? true,
  })(judged(effect, targets, problems));

const app = target('app01');
const many = Array.from({ length: 11 }, (_, index) => target(`vm${index}`));

test.each<[string, Effect, readonly Target[], readonly TargetProblem[], Partial<PolicyRules>, string]>([
  ['a change to a protected VM', 'mutating', [app], [], {}, 'pin_then_forward'],
  ['an unknown effect', 'unknown', [app], [], {}, 'ask else pin_then_forward'],
  [
    'an unknown effect, nobody answers',
    'unknown',
    [app],
    [],
    { nobodyAnswers: 'refuse' },
    'ask else refuse APPROVAL_DENIED',
  ],
  ['an unknown effect, pinned by policy', 'unknown', [app], [], { unknown: 'pin' }, 'pin_then_forward'],
  ['an unknown effect, refused by policy', 'unknown', [app], [], { unknown: 'refuse' }, 'refuse APPROVAL_DENIED'],
  ['an unresolved host', 'mutating', [], [trouble('unresolved')], {}, 'ask else refuse TARGET_UNRESOLVED'],
  [
    'an ambiguous host',
    'mutating',
    [],
    [trouble('ambiguous')],
    { unprotected: 'forward' },
    'ask else refuse TARGET_UNRESOLVED',
  ],
  ['an unprotected VM', 'mutating', [], [trouble('unprotected')], {}, 'ask else refuse TARGET_UNPROTECTED'],
  [
    'an unresolved host, refused',
    'mutating',
    [],
    [trouble('unresolved')],
    { unresolved: 'refuse' },
    'refuse TARGET_UNRESOLVED',
  ],
  [
    'an unresolved host, forwarded',
    'mutating',
    [],
    [trouble('unresolved')],
    { unresolved: 'forward' },
    'waive policy unresolved',
  ],
  [
    'an unprotected VM, forwarded',
    'mutating',
    [],
    [trouble('unprotected')],
    { unprotected: 'forward' },
    'waive policy unprotected',
  ],
  ['an exempt host', 'mutating', [], [trouble('exempt')], { unresolved: 'refuse' }, 'waive exempt: because exempt'],
  [
    'an exempt host, unknown effect',
    'unknown',
    [],
    [trouble('exempt')],
    { unknown: 'refuse' },
    'waive exempt: because exempt',
  ],
  ['an exempt and a protected host', 'mutating', [app], [trouble('exempt')], {}, 'pin_then_forward'],
  [
    'an exempt and an unresolved host',
    'mutating',
    [],
    [trouble('exempt'), trouble('unresolved')],
    {},
    'ask else refuse TARGET_UNRESOLVED',
  ],
  [
    'a protected and an unresolved host',
    'mutating',
    [app],
    [trouble('unresolved')],
    {},
    'ask else refuse TARGET_UNRESOLVED',
  ],
  [
    'a protected and an unresolved host, forwarded',
    'mutating',
    [app],
    [trouble('unresolved')],
    { unresolved: 'forward' },
    'pin_then_forward',
  ],
  [
    'two problems, the stricter decides',
    'mutating',
    [app],
    [trouble('unresolved'), trouble('unprotected')],
    { unresolved: 'forward', unprotected: 'refuse' },
    'refuse TARGET_UNPROTECTED',
  ],
  ['too many VMs', 'mutating', many, [], {}, 'ask else refuse APPROVAL_DENIED'],
  ['as many VMs as allowed', 'mutating', many.slice(1), [], {}, 'pin_then_forward'],
  [
    'an unknown effect on unresolved hosts that are forwarded',
    'unknown',
    [],
    [trouble('unresolved')],
    { unresolved: 'forward' },
    'ask else waive policy unresolved',
  ],
  ['nothing resolved at all', 'mutating', [], [], { unresolved: 'forward' }, 'refuse TARGET_UNRESOLVED'],
])('%s', (_, effect, targets, problems, policy, expected) => {
  expect(short(decide(effect, targets, problems, { policy }))).toBe(expected);
});

test('without an appliance only reading, exempt hosts and observing go through', () => {
  const off = { hasZvm: false };
  expect(short(decide('read_only', [], [], off))).toBe('forward');
  expect(short(decide('mutating', [], [trouble('exempt')], off))).toBe('waive exempt: because exempt');
  expect(short(decide('mutating', [], [trouble('unresolved')], { ...off, policy: { unresolved: 'forward' } }))).toBe(
    'refuse CHECKPOINT_NOT_PINNED',
  );
  expect(short(decide('unknown', [app], [], { ...off, policy: { unknown: 'pin' } }))).toBe(
    'refuse CHECKPOINT_NOT_PINNED',
  );
  expect(short(decide('mutating', [], [trouble('unresolved')], { ...off, mode: 'observe' }))).toBe(
    'waive mode observe',
  );
});

test('a refusal says what was found, that nothing was sent and what to do, and names from outside are quoted', () => {
  const evil: TargetProblem = {
    host: 'web\u202e\n1"',
    kind: 'ambiguous',
    why: '2 VMs have this name',
    found: ['web\u0007 (id-1)', 'web (id-2)'],
  };
  const decision = decide('mutating', [], [evil], { policy: { unresolved: 'refuse' } });
  if (decision.kind !== 'refuse') throw new Error(decision.kind);
  expect(decision.reason).toContain('Host "web\\u202e\\u000a1\\""');
  expect(decision.reason).toContain('"web\\u0007 (id-1)", "web (id-2)"');
  expect(decision.reason).toContain('The call was not sent.');
  expect(decision.reason).toContain('identifier');
  expect(decision.reason).not.toMatch(/polic|config|exempt|observe|forward/i);
});

test('no text for an agent speaks of settings or of ways round the guard', () => {
  const refusals = [
    decide('mutating', [], [trouble('unprotected', 'x')]),
    decide('mutating', many, []),
    decide('unknown', [app], [], { policy: { nobodyAnswers: 'refuse' } }),
    decide('mutating', [app], [], { hasZvm: false }),
    decide('mutating', [], []),
  ].map((decision) => (decision.kind === 'ask' ? decision.otherwise : decision));
  for (const refusal of refusals) {
    if (refusal.kind !== 'refuse') throw new Error(refusal.kind);
    expect(refusal.reason).toContain('The call was not sent.');
    expect(refusal.reason).not.toMatch(/polic|config|exempt|observe|waive|maxVms|nobodyAnswers/i);
  }
});

test('a question shows who, what, where and what was not understood', () => {
  const source = 'frob\u001b[2J --now';
  const decision = createDecide({ policy: DEFAULTS, mode: 'enforce', hasZvm: true })(
    judged('unknown', [app], [], source),
  );
  if (decision.kind !== 'ask') throw new Error(decision.kind);
  for (const part of [
    '"agent"',
    '"run-command"',
    '"app01"',
    '"vpg-app01"',
    '"frob\\u001b[2J --now"',
    'a rule',
    'under way',
  ]) {
    expect(decision.question).toContain(part);
  }
  expect(decision.targets).toEqual([app]);
  const nowhere = decide('mutating', [], [trouble('unresolved')]);
  expect(nowhere.kind === 'ask' && nowhere.question).toContain('no checkpoint is taken');
});

test('many names are cut at a number a person can read', () => {
  const problems = Array.from({ length: 500 }, (_, index) => trouble('unresolved', `h${index}`));
  const decision = decide('mutating', [], problems, { policy: { unresolved: 'refuse' } });
  expect(decision.kind === 'refuse' && decision.reason.length).toBeLessThan(2000);
});
