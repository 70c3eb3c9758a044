import { type Effect, strictest } from '../../domain/assessment.js';
import { named, type Ruling } from '../posix/context.js';
import { judgeTsql } from '../windows/judge-tsql.js';
import { isReadableQuery, repairsPackages } from '../windows/wmi-classes.js';
import type { Argument } from './arguments.js';
import type { Cmdlet, Parameter } from './cmdlets/compile.js';
import { findParameter } from './cmdlets/compile.js';
import type { Context } from './context.js';
import { isSteering } from './judge-assignment.js';
import { constructs, typeName } from './types.js';
import { otherValue, ownValue, textValue, type Value } from './value.js';
import type { Variables } from './variables.js';

export interface JudgedCall {
  readonly ruling: Ruling;
  readonly value: Value;
}

interface Binding {
  readonly cmdlet: Cmdlet;
  readonly variables: Variables;
  readonly bound: Map<Parameter, Value>;
  readonly used: Set<string>;
  positional: number;
  worst: Ruling | undefined;
}

/** Judges the call of a listed cmdlet by its parameters. Code in them has reported for itself. */
export function judgeCmdlet(
  cmdlet: Cmdlet,
  args: readonly Argument[],
  subject: string,
  { variables, fed }: Context,
): JudgedCall {
  if (cmdlet.effect !== 'read_only') return { ruling: own(cmdlet), value: otherValue(subject) };
  const binding: Binding = { cmdlet, variables, bound: new Map(), used: new Set(), positional: 0, worst: undefined };
  bindAll(binding, args);
  const missing = cmdlet.needs !== undefined && !binding.used.has(cmdlet.needs);
  if (missing) raise(binding, 'unknown', `reads only with -${cmdlet.needs}`);
  if (fed && cmdlet.needsFed?.some((name) => binding.used.has(name)) === false)
    raise(binding, 'unknown', 'takes from the pipe what cannot be seen');
  return {
    ruling: binding.worst === undefined ? own(cmdlet) : named(cmdlet.name, binding.worst),
    value: resultOf(binding, subject),
  };
}

const MEANING: Record<Effect, string> = {
  read_only: 'reads',
  unknown: 'is not known to only read',
  mutating: 'changes something',
};

function own(cmdlet: Cmdlet): Ruling {
  return named(cmdlet.name, { effect: cmdlet.effect, why: cmdlet.why ?? MEANING[cmdlet.effect] });
}

function bindAll(binding: Binding, args: readonly Argument[]): void {
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at] as Argument;
    if (argument.kind === 'value') {
      bindValue(binding, argument.value);
      continue;
    }
    // `--name` is no parameter but a word.
    if (argument.text.startsWith('--')) {
      bindValue(binding, { ...otherValue(argument.text), literals: [argument.text], plain: true });
      continue;
    }
    const next = args[at + 1];
    const value = next?.kind === 'value' ? next.value : undefined;
    if (bindParameter(binding, argument, value)) at += 1;
  }
}

/** Binds a parameter that is named; true where the value behind it belongs to it. */
function bindParameter(
  binding: Binding,
  argument: Argument & { kind: 'parameter' },
  value: Value | undefined,
): boolean {
  const parameter = findParameter(binding.cmdlet, argument.text.slice(1));
  if (parameter === undefined) {
    raise(binding, 'unknown', `the parameter ${argument.text} is not listed as reading`);
    return false;
  }
  const takes = value !== undefined && (argument.binds || parameter.takes);
  bind(binding, parameter, takes ? value : undefined);
  return takes;
}

function bindValue(binding: Binding, value: Value): void {
  if (/^@\w/.test(value.text)) {
    for (const [name, entry] of value.entries ?? [])
      bindParameter(binding, { kind: 'parameter', text: `-${name}`, binds: true, touches: false }, entry);
    return;
  }
  const { positions } = binding.cmdlet;
  const parameter = positions[Math.min(binding.positional, positions.length - 1)];
  binding.positional += 1;
  if (parameter !== undefined) bind(binding, parameter, value);
}

function bind(binding: Binding, parameter: Parameter, value: Value | undefined): void {
  binding.used.add(parameter.name);
  if (value !== undefined) binding.bound.set(parameter, value);
  const { rule } = parameter;
  if (rule === undefined) return;
  const ruling =
    value === undefined && !parameter.takes
      ? { effect: rule.effect, why: 'is set' }
      : hold(rule, value, binding.variables);
  if (ruling !== undefined && ruling.effect !== 'read_only') {
    raise(binding, ruling.effect, `-${parameter.name}: ${ruling.why}`);
  }
}

type Rule = NonNullable<Parameter['rule']>;

type Against = (why: string) => Ruling;
type Hold = (rule: Rule, value: Value, against: Against, variables: Variables) => Ruling | undefined;

/** Holds a value against a rule; undefined where it is one of those without an effect. */
function hold(rule: Rule, value: Value | undefined, variables: Variables): Ruling | undefined {
  const against: Against = (why) => ({ effect: rule.effect, why });
  if (value === undefined) return against('a value is missing');
  if (rule.holds !== undefined) return HOLDS[rule.holds](rule, value, against, variables);
  return rule.match === undefined && rule.start === undefined ? against('is set') : holdText(rule, value, against);
}

const HOLDS: Readonly<Record<NonNullable<Rule['holds']>, Hold>> = {
  block: (rule, value, against) => (value.kind === 'block' ? undefined : holdText(rule, value, against)),
  plain: (_, value, against) => (value.plain ? undefined : against(`${value.text} may hold code that cannot be seen`)),
  tsql: (_, value, against) => holdCode('tsql', value, against),
  wql: (_, value, against) => holdCode('wql', value, against),
  variable: (_, value, against, variables) =>
    setsPlainly(value, variables) ? undefined : against(`it may set ${value.text}`),
  headers: (_, value, against) => (/override/i.test(value.text) ? against('a header may name a method') : undefined),
};

function setsPlainly(value: Value, variables: Variables): boolean {
  const [name, ...more] = value.literals ?? [];
  if (name === undefined || more.length > 0) return false;
  const plain = /^\+?([a-z]\w*)$/i.exec(name)?.[1];
  return plain !== undefined && !isSteering(`$${plain}`) && !variables.sets(plain);
}

function holdText(rule: Rule, value: Value, against: Against): Ruling | undefined {
  const { literals } = value;
  if (literals === undefined) {
    return rule.start?.test(value.prefix) === true && value.one
      ? undefined
      : against(`${value.text} is not known before it runs`);
  }
  if (literals.some(repairsPackages))
    return { effect: 'mutating', why: 'listing it makes the installer check and repair packages' };
  const strange = literals.find((literal) => rule.match?.test(literal) !== true);
  return strange === undefined ? undefined : against(`${strange} is not listed as reading`);
}

function holdCode(language: 'tsql' | 'wql', value: Value, against: Against): Ruling | undefined {
  const [text, ...more] = value.literals ?? [];
  if (text === undefined || more.length > 0) return against('its query is not known before it runs');
  if (language === 'tsql') return judgeTsql(text);
  if (repairsPackages(text))
    return { effect: 'mutating', why: 'listing it makes the installer check and repair packages' };
  return isReadableQuery(text) ? undefined : against('its query is not listed as reading');
}

function resultOf(binding: Binding, subject: string): Value {
  const { cmdlet } = binding;
  if (cmdlet.gives === 'text') return { ...textValue(subject), one: false };
  if (cmdlet.gives !== 'object') return otherValue(subject);
  const type = [...binding.bound].find(([parameter]) => parameter.name === 'typename')?.[1].literals?.[0];
  const made = type === undefined ? undefined : constructs(typeName(type));
  if (made === 'table') return { ...otherValue(subject), kind: 'table' };
  return made === undefined || made === 'data' ? otherValue(subject) : ownValue(subject, made);
}

function raise(binding: Binding, effect: Effect, why: string): void {
  const worst = binding.worst?.effect;
  if (worst === undefined || strictest([worst, effect]) !== worst) binding.worst = { effect, why };
}
