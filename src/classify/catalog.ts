import type { Effect } from '../domain/assessment.js';
import { modulesOf } from './ansible/modules/index.js';
import { programs } from './specs/compile.js';
import { FAMILIES } from './specs/index.js';
import type { CommandSpec, FlagSpec } from './specs/types.js';
import { windowsEntries } from './windows/catalog.js';

/** Programs, or a program with a subcommand or a flag, for each kind of target. */
interface Catalog {
  readonly linux: readonly string[];
  readonly windows: readonly string[];
}

interface Catalogs {
  readonly mutating_tools: Catalog;
  readonly read_only_tools: Catalog;
}

/** Tools of published servers with an effect of their own, by the system that they are for. */
export type ListTools = (effect: Effect) => Catalog;

const NO_TOOLS: ListTools = () => ({ linux: [], windows: [] });

/**
 * What the specs say of programs, ansible modules and the `tools` of servers, as two lists. One that only reads in some of its calls is in both;
 * one whose content decides (a module or a tool that runs a command) is in neither, like one that is `unknown`.
 */
export function catalogs(tools: ListTools = NO_TOOLS): Catalogs {
  const entries = FAMILIES.flatMap((family) =>
    [...programs(family)].flatMap(([name, spec]) => describe(name, spec, family.effect)),
  );
  const both = (effect: Effect): Catalog => {
    const named = entries.filter((entry) => entry.effect === effect).map((entry) => entry.name);
    const modules = ansibleModules(effect);
    const { linux, windows } = tools(effect);
    return {
      linux: sorted([...named, ...modules.filter((name) => !FOR_WINDOWS.test(name)), ...linux]),
      windows: sorted([...windowsEntries(effect), ...modules.filter((name) => FOR_WINDOWS.test(name)), ...windows]),
    };
  };
  return { mutating_tools: both('mutating'), read_only_tools: both('read_only') };
}

const FOR_WINDOWS = /^(?:ansible\.windows|community\.windows|microsoft\.ad|chocolatey\.chocolatey)\./;

/** By full names; what only predicts with `--check` changes its host without. */
function ansibleModules(effect: Effect): readonly string[] {
  if (effect === 'read_only') return modulesOf('read_only');
  return effect === 'mutating' ? [...modulesOf('mutating'), ...modulesOf('predicts')] : [];
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}

interface Entry {
  readonly name: string;
  readonly effect: Effect;
}

function describe(name: string, spec: CommandSpec, inherited: Effect, otherwise: Effect = 'unknown'): Entry[] {
  const effect = spec.effect ?? inherited;
  const rest = spec.otherwise ?? otherwise;
  const flags = Object.entries(spec.flags ?? {}).flatMap(([names, flag]) =>
    isMutating(flag) ? names.split(' ').map((one): Entry => ({ name: `${name} ${one}`, effect: 'mutating' })) : [],
  );
  if (spec.subcommands === undefined) return [...own(name, spec, effect, rest), ...flags];
  const subcommands = Object.entries(spec.subcommands).flatMap(([names, sub]) =>
    names.split(' ').flatMap((one): Entry[] => {
      const full = `${name} ${one}`;
      return typeof sub === 'string' ? [{ name: full, effect: sub }] : describe(full, sub, effect, rest);
    }),
  );
  const bare: Entry[] = spec.bare === undefined ? [] : [{ name, effect: spec.bare }];
  return [...bare, ...subcommands, ...flags];
}

function own(name: string, spec: CommandSpec, effect: Effect, otherwise: Effect): Entry[] {
  if (spec.wrapper !== undefined || effect === 'unknown') return [];
  const forms = spec.requires?.split(' ').map((flag): Entry => ({ name: `${name} ${flag}`, effect })) ?? [
    { name, effect },
  ];
  return otherwise === 'mutating' && effect === 'read_only' ? [...forms, { name, effect: 'mutating' }] : forms;
}

function isMutating(flag: FlagSpec): boolean {
  return typeof flag !== 'string' && flag.effect === 'mutating';
}
