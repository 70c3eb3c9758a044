import type { Effect } from '../../domain/assessment.js';
import type { Arity, CommandSpec, Family, FlagSpec } from './types.js';

/** A flag as the judge looks it up. `free`: no value of it has an effect. */
export interface Flag {
  readonly arity: Arity;
  readonly effect: Effect;
  readonly only: ReadonlySet<string> | undefined;
  readonly match: RegExp | undefined;
}

/** A spec with its names split and indexed; subcommands are compiled when first used. */
export interface Compiled {
  readonly name: string;
  readonly spec: CommandSpec;
  readonly effect: Effect;
  readonly otherwise: Effect;
  /** Every flag by its spelling: `-x`, `--long`, or `-word`. */
  readonly flags: ReadonlyMap<string, Flag>;
  readonly abbreviates: boolean;
  readonly match: RegExp | undefined;
  readonly start: RegExp | undefined;
  readonly requires: ReadonlySet<string> | undefined;
  readonly simulate: ReadonlySet<string> | undefined;
  readonly unless: ReadonlySet<string> | undefined;
  readonly after: RegExp | undefined;
  readonly idle: ReadonlySet<string> | undefined;
  readonly codeFlags: ReadonlySet<string> | undefined;
  readonly subcommands: ReadonlyMap<string, CommandSpec | Effect> | undefined;
  /** Its flags hold for its subcommands too. */
  readonly everywhere: boolean;
  readonly sub: Map<string, Compiled>;
  readonly remote: ReadonlySet<string> | undefined;
  readonly here: RegExp | undefined;
}

const HARMLESS: Record<Arity, Flag> = {
  none: { arity: 'none', effect: 'read_only', only: undefined, match: undefined },
  value: { arity: 'value', effect: 'read_only', only: undefined, match: undefined },
  optional: { arity: 'optional', effect: 'read_only', only: undefined, match: undefined },
  pair: { arity: 'pair', effect: 'read_only', only: undefined, match: undefined },
};

/** Compiles a spec. `inherited`: flags of the parent that hold everywhere, and the effect where the spec names none. */
export function compile(
  name: string,
  spec: CommandSpec,
  effect: Effect,
  inherited?: ReadonlyMap<string, Flag>,
  otherwise: Effect = 'unknown',
): Compiled {
  const flags = flagsOf(spec, inherited);
  return {
    name,
    spec,
    effect: spec.effect ?? effect,
    otherwise: spec.otherwise ?? otherwise,
    flags,
    abbreviates: inherited === undefined && spec.subcommands === undefined && spec.style !== 'words',
    match: pattern(spec.operands?.match),
    start: pattern(spec.operands?.start),
    requires: names(spec.requires),
    simulate: names(spec.simulate),
    unless: names(spec.operands?.unless),
    after: pattern(spec.subcommandAfter),
    idle: names(spec.wrapper?.idle ?? spec.code?.idle),
    codeFlags: names(spec.code?.flags),
    subcommands: spec.subcommands === undefined ? undefined : split(spec.subcommands),
    everywhere: spec.everywhere === true || inherited !== undefined,
    sub: new Map(),
    remote: names(spec.elsewhere?.flags),
    here: pattern(spec.elsewhere?.except),
  };
}

function flagsOf(spec: CommandSpec, inherited: ReadonlyMap<string, Flag> | undefined): ReadonlyMap<string, Flag> {
  const flags = new Map(inherited ?? []);
  const dashes = spec.style === 'words' ? '-' : '--';
  for (const [letter, arity] of shortFlags(spec.short ?? '')) flags.set(`-${letter}`, HARMLESS[arity]);
  for (const [word, arity] of longFlags(spec.long ?? '')) flags.set(`${dashes}${word}`, HARMLESS[arity]);
  for (const [names, flag] of split(spec.flags ?? {})) flags.set(names, compileFlag(flag));
  return flags;
}

/** The programs of a family by name. */
export function programs(family: Family): Map<string, CommandSpec> {
  return split(family.commands);
}

function split<T>(record: Readonly<Record<string, T>>): Map<string, T> {
  const map = new Map<string, T>();
  for (const [keys, value] of Object.entries(record)) for (const key of keys.split(' ')) map.set(key, value);
  return map;
}

function names(list: string | undefined): ReadonlySet<string> | undefined {
  return list === undefined ? undefined : new Set(list.split(' '));
}

function pattern(source: string | undefined): RegExp | undefined {
  return source === undefined ? undefined : new RegExp(source, 'u');
}

function compileFlag(flag: FlagSpec): Flag {
  if (typeof flag === 'string') return HARMLESS[flag];
  return {
    arity: flag.arg,
    effect: flag.effect ?? (flag.only === undefined && flag.match === undefined ? 'read_only' : 'unknown'),
    only: flag.only === undefined ? undefined : new Set(flag.only),
    match: pattern(flag.match),
  };
}

function* shortFlags(optstring: string): Generator<[string, Arity]> {
  for (const [, letter = '', colons = ''] of optstring.matchAll(/([^:])(:{0,2})/g))
    yield [letter, ARITY[colons] ?? 'none'];
}

function* longFlags(list: string): Generator<[string, Arity]> {
  for (const [, word = '', colons = ''] of list.matchAll(/([^ :]+)(:{0,2})/g)) yield [word, ARITY[colons] ?? 'none'];
}

const ARITY: Readonly<Record<string, Arity>> = { '': 'none', ':': 'value', '::': 'optional' };
