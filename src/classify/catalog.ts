import type { Effect } from '../domain/assessment.js';
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

/** What the specs say, as two lists. A tool that only reads in some of its calls is in both; one in neither is `unknown`. */
export function catalogs(): Catalogs {
  const entries = FAMILIES.flatMap((family) =>
    [...programs(family)].flatMap(([name, spec]) => describe(name, spec, family.effect)),
  );
  const linux = (effect: Effect): string[] =>
    [...new Set(entries.filter((entry) => entry.effect === effect).map((entry) => entry.name))].sort();
  return {
    mutating_tools: { linux: linux('mutating'), windows: windowsEntries('mutating') },
    read_only_tools: { linux: linux('read_only'), windows: windowsEntries('read_only') },
  };
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
