import type { Effect } from '../../domain/assessment.js';
import type { ToolFamily, ToolFlagRule, ToolSpec } from './types.js';

/** A flag as the judge looks it up. `takes`: nothing, a value behind a colon, or that or the next word. */
export interface ToolFlag {
  readonly takes: 'nothing' | 'attached' | 'next';
  readonly effect: Effect;
  readonly match: RegExp | undefined;
}

/** A spec with its names split and indexed; verbs are compiled when first used. */
export interface Tool {
  readonly name: string;
  readonly spec: ToolSpec;
  readonly effect: Effect;
  readonly otherwise: Effect;
  readonly flags: ReadonlyMap<string, ToolFlag>;
  readonly match: RegExp | undefined;
  readonly leading: RegExp | undefined;
  readonly requires: ReadonlySet<string> | undefined;
  readonly verbs: ReadonlyMap<string, ToolSpec | Effect> | undefined;
  readonly verb: Map<string, Tool>;
}

/** Compiles a spec; a verb inherits its program's flags and, where it says nothing, its effects. */
export function compileTool(name: string, spec: ToolSpec, effect: Effect, parent?: Tool): Tool {
  return {
    name,
    spec,
    effect: spec.effect ?? effect,
    otherwise: spec.otherwise ?? parent?.otherwise ?? 'unknown',
    flags: flagsOf(spec, parent?.flags),
    match: pattern(spec.operands?.match),
    leading: pattern(spec.leading),
    requires: spec.requires === undefined ? undefined : new Set(spec.requires.split(' ')),
    verbs: spec.verbs === undefined ? undefined : splitKeys(spec.verbs),
    verb: new Map(),
  };
}

/** The verb of this name; undefined where it is not listed. */
export function verbOf(tool: Tool, name: string): Tool | undefined {
  const ready = tool.verb.get(name);
  if (ready !== undefined) return ready;
  const found = tool.verbs?.get(name);
  if (found === undefined) return undefined;
  const spec = typeof found === 'string' ? { effect: found, style: 'any' as const } : found;
  const made = compileTool(`${tool.name} ${name}`, spec, tool.effect, tool);
  tool.verb.set(name, made);
  return made;
}

/** The programs of a family by name. */
export function toolsOf(family: ToolFamily): Map<string, ToolSpec> {
  return splitKeys(family.commands);
}

export function splitKeys<T>(record: Readonly<Record<string, T>>): Map<string, T> {
  const map = new Map<string, T>();
  for (const [keys, value] of Object.entries(record)) for (const key of keys.split(' ')) map.set(key, value);
  return map;
}

function flagsOf(spec: ToolSpec, inherited: ReadonlyMap<string, ToolFlag> | undefined): ReadonlyMap<string, ToolFlag> {
  const flags = new Map(inherited ?? []);
  for (const [, name = '', mark = ''] of (spec.flags ?? '').matchAll(/([^ ]+?)([:+]?)(?= |$)/g)) {
    flags.set(name, { takes: TAKES[mark] ?? 'nothing', effect: 'read_only', match: undefined });
  }
  for (const [name, rule] of splitKeys(spec.rules ?? {})) flags.set(name, compileRule(rule));
  return flags;
}

const TAKES: Readonly<Record<string, ToolFlag['takes']>> = { '': 'nothing', ':': 'attached', '+': 'next' };

function compileRule(rule: ToolFlagRule): ToolFlag {
  const match = pattern(rule.match);
  const effect = rule.effect ?? (match === undefined ? 'read_only' : 'unknown');
  return { takes: rule.next === true ? 'next' : 'attached', effect, match };
}

function pattern(source: string | undefined): RegExp | undefined {
  return source === undefined ? undefined : new RegExp(source, 'iu');
}
