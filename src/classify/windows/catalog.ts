import type { Effect } from '../../domain/assessment.js';
import { cmdletsOf } from '../powershell/cmdlets/compile.js';
import { CMDLET_FAMILIES } from '../powershell/cmdlets/index.js';
import { toolsOf } from './compile.js';
import { TOOL_FAMILIES } from './index.js';
import type { ToolSpec } from './types.js';

/** What is known of Windows, sorted: cmdlets and programs, a program with a verb or a flag where that decides. */
export function windowsEntries(effect: Effect): string[] {
  const tools = TOOL_FAMILIES.flatMap((family) =>
    [...toolsOf(family)].flatMap(([name, spec]) => toolEntries(name, spec, family.effect, 'unknown', effect)),
  );
  return [...new Set([...cmdletEntries(effect), ...tools])].sort();
}

function cmdletEntries(effect: Effect): string[] {
  return CMDLET_FAMILIES.flatMap((family) =>
    [...cmdletsOf(family)].flatMap(([name, spec]) => {
      const rules = Object.entries(spec.rules ?? {}).filter(([, rule]) => rule.effect === effect);
      const flags = rules.flatMap(([names]) => names.split(' ').map((one) => `${name} -${one.split('|')[0]}`));
      return (spec.effect ?? family.effect) === effect ? [name, ...flags] : flags;
    }),
  );
}

function toolEntries(name: string, spec: ToolSpec, inherited: Effect, rest: Effect, effect: Effect): string[] {
  const own = spec.effect ?? inherited;
  const otherwise = spec.otherwise ?? rest;
  const rules = Object.entries(spec.rules ?? {}).filter(([, rule]) => rule.effect === effect);
  const flags = rules.flatMap(([names]) => names.split(' ').map((one) => `${name} /${one}`));
  if (spec.verbs !== undefined) {
    const verbs = Object.entries(spec.verbs).flatMap(([names, verb]) =>
      names.split(' ').flatMap((one) => {
        const full = `${name} ${one}`;
        if (typeof verb === 'string') return verb === effect ? [full] : [];
        return toolEntries(full, verb, own, otherwise, effect);
      }),
    );
    return spec.bare === effect ? [name, ...verbs, ...flags] : [...verbs, ...flags];
  }
  if (spec.check !== undefined) return flags;
  const forms =
    own === effect
      ? [spec.requires === undefined ? name : `${name} /${spec.requires.split(' ').join(` | ${name} /`)}`]
      : [];
  return otherwise === effect && own !== effect ? [...forms, name, ...flags] : [...forms, ...flags];
}
