import { expect, test } from 'vitest';
import { EFFECTS, type Effect } from '../../src/domain/assessment.js';
import type { Decision, Settled } from '../../src/domain/decision.js';
import type { Target, TargetProblem } from '../../src/domain/target.js';
import { createDecide } from '../../src/policy/decide.js';
import type { PolicyRules } from '../../src/policy/rules.js';
import { DEFAULTS, judged, short, target, trouble } from './support.js';

interface Case {
  readonly effect: Effect;
  readonly targets: readonly Target[];
  readonly first: TargetProblem['kind'] | undefined;
  readonly second: TargetProblem['kind'] | undefined;
  readonly unresolved: PolicyRules['unresolved'];
  readonly unprotected: PolicyRules['unprotected'];
  readonly unknown: PolicyRules['unknown'];
  readonly nobodyAnswers: PolicyRules['nobodyAnswers'];
  readonly mode: 'enforce' | 'observe';
  readonly hasZvm: boolean;
}

const KINDS = [undefined, 'unresolved', 'ambiguous', 'unprotected', 'exempt'] as const;
const ANSWERS = ['ask', 'refuse', 'forward'] as const;
const MANY = Array.from({ length: 11 }, (_, index) => target(`vm${index}`));

function product<T extends object>(axes: { readonly [K in keyof T]: readonly T[K][] }): T[] {
  return Object.entries<readonly unknown[]>(axes).reduce<object[]>(
    (rows, [key, values]) => rows.flatMap((row) => values.map((value) => ({ ...row, [key]: value }))),
    [{}],
  ) as T[];
}

const CASES = product<Case>({
  effect: EFFECTS,
  targets: [[], [target('app01')], MANY],
  first: KINDS,
  second: KINDS,
  unresolved: ANSWERS,
  unprotected: ANSWERS,
  unknown: ['ask', 'pin', 'refuse'],
  nobodyAnswers: ['pin', 'refuse'],
  mode: ['enforce', 'observe'],
  hasZvm: [true, false],
});

const problemsOf = ({ first, second }: Case) =>
  [first, second].flatMap((kind, index) => (kind === undefined ? [] : [trouble(kind, `h${index}`)]));
const hardKeys = (one: Case) =>
  problemsOf(one)
    .filter(({ kind }) => kind !== 'exempt')
    .map(({ kind }) => (kind === 'unprotected' ? one.unprotected : one.unresolved));
const isExemptOnly = (one: Case) =>
  problemsOf(one).length > 0 && hardKeys(one).length === 0 && one.targets.length === 0;

const results = CASES.map((one) => {
  const decision = createDecide({ policy: { ...DEFAULTS, ...one }, mode: one.mode, hasZvm: one.hasZvm })(
    judged(one.effect, one.targets, problemsOf(one)),
  );
  const settled: Settled = decision.kind === 'ask' ? decision.otherwise : decision;
  return { one, decision, settled };
});
const enforced = results.filter(({ one }) => one.effect !== 'read_only' && one.mode === 'enforce');

/** The cases that break a promise, as texts; empty where it holds. */
const breaking = (list: typeof results, holds: (one: Case, decision: Decision, settled: Settled) => boolean) =>
  list
    .filter(({ one, decision, settled }) => !holds(one, decision, settled))
    .map(({ one, decision }) => `${JSON.stringify(one)} gives ${short(decision)}`);

test('every case is there', () => {
  expect(CASES.length).toBe(3 * 3 * 25 * 9 * 3 * 2 * 2 * 2);
});

test('reading is forwarded, and nothing else is', () => {
  expect(breaking(results, ({ effect }, { kind }) => (kind === 'forward') === (effect === 'read_only'))).toEqual([]);
});

test('observing lets everything through, and says so', () => {
  const observed = results.filter(({ one }) => one.effect !== 'read_only' && one.mode === 'observe');
  expect(breaking(observed, (_, decision) => short(decision) === 'waive mode observe')).toEqual([]);
});

test('a waiver needs an operator’s rule for every host, and no protected VM among them', () => {
  const holds = (one: Case, _: Decision, settled: Settled) =>
    settled.kind !== 'waive' ||
    (settled.by !== '' &&
      one.targets.length === 0 &&
      problemsOf(one).length > 0 &&
      hardKeys(one).every((key) => key === 'forward'));
  expect(breaking(enforced, holds)).toEqual([]);
});

test('what is pinned is every VM of the call, and an appliance is there to pin with', () => {
  const holds = (one: Case, _: Decision, settled: Settled) =>
    settled.kind !== 'pin_then_forward' || (settled.targets.length === one.targets.length && one.hasZvm);
  expect(breaking(enforced, holds)).toEqual([]);
});

test('without an appliance everything but exempt hosts is refused', () => {
  const off = enforced.filter(({ one }) => !one.hasZvm);
  expect(breaking(off, (one, { kind }) => (isExemptOnly(one) ? kind === 'waive' : kind === 'refuse'))).toEqual([]);
});

test('the strictest rule wins', () => {
  const rest = enforced.filter(({ one }) => one.hasZvm && !isExemptOnly(one));
  const refused = (one: Case) =>
    hardKeys(one).includes('refuse') ||
    (one.effect === 'unknown' && one.unknown === 'refuse') ||
    (one.targets.length === 0 && problemsOf(one).length === 0);
  const asked = (one: Case) =>
    hardKeys(one).includes('ask') ||
    one.targets.length > DEFAULTS.maxVmsPerCall ||
    (one.effect === 'unknown' && one.unknown === 'ask');
  expect(breaking(rest, (one, { kind }) => (kind === 'refuse') === refused(one))).toEqual([]);
  expect(breaking(rest, (one, { kind }) => (kind === 'ask') === (!refused(one) && asked(one)))).toEqual([]);
});

test('where nobody answers, only a doubtful effect may still be pinned', () => {
  const asked = enforced.filter(({ decision }) => decision.kind === 'ask');
  const no = (one: Case) =>
    hardKeys(one).includes('ask') ||
    one.targets.length > DEFAULTS.maxVmsPerCall ||
    (one.effect === 'unknown' && one.unknown === 'ask' && one.nobodyAnswers === 'refuse');
  expect(breaking(asked, (one, _, { kind }) => (kind === 'refuse') === no(one))).toEqual([]);
});
