import type { Effect } from '../../../domain/assessment.js';
import { splitKeys } from '../../windows/compile.js';
import type { CmdletFamily, CmdletSpec, ParameterRule } from './types.js';

interface Rule {
  readonly effect: Effect;
  readonly match: RegExp | undefined;
  readonly start: RegExp | undefined;
  readonly holds: ParameterRule['holds'];
}

export interface Parameter {
  /** In lower case. */
  readonly name: string;
  readonly takes: boolean;
  readonly rule: Rule | undefined;
}

/** A cmdlet with its parameters by all their names in lower case. */
export interface Cmdlet {
  readonly name: string;
  readonly effect: Effect;
  readonly why: string | undefined;
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly positions: readonly Parameter[];
  readonly needs: string | undefined;
  readonly needsFed: readonly string[] | undefined;
  readonly gives: CmdletSpec['gives'];
}

const CONTINUES: ParameterRule = { match: '^(?:silentlycontinue|continue|stop|ignore|[0124])$' };
const SETS: ParameterRule = { holds: 'variable' };
/** What every cmdlet takes. */
const COMMON = compileParameters('Verbose|vb Debug|db OutBuffer|ob:', {
  'ErrorAction|ea WarningAction|wa InformationAction|infa ProgressAction|proga': CONTINUES,
  'ErrorVariable|ev WarningVariable|wv InformationVariable|iv OutVariable|ov PipelineVariable|pv': SETS,
});

export function compileCmdlet(name: string, spec: CmdletSpec, effect: Effect): Cmdlet {
  const parameters = new Map([...COMMON, ...compileParameters(spec.params ?? '', spec.rules ?? {})]);
  return {
    name,
    effect: spec.effect ?? effect,
    why: spec.why,
    parameters,
    positions: (spec.positions ?? '').split(' ').flatMap((one) => parameters.get(one.toLowerCase()) ?? []),
    needs: spec.needs?.toLowerCase(),
    needsFed: spec.needsFed?.toLowerCase().split(' '),
    gives: spec.gives,
  };
}

function compileParameters(list: string, rules: Readonly<Record<string, ParameterRule>>): Map<string, Parameter> {
  const map = new Map<string, Parameter>();
  const add = (names: string, takes: boolean, rule: Rule | undefined): void => {
    const [name = '', ...others] = names.toLowerCase().split('|');
    const parameter: Parameter = { name, takes, rule };
    for (const one of [name, ...others]) map.set(one, parameter);
  };
  for (const one of list.split(/\s+/).filter((text) => text !== ''))
    add(one.replace(/:$/, ''), one.endsWith(':'), undefined);
  for (const [names, rule] of splitKeys(rules)) add(names, rule.alone !== true, compileRule(rule));
  return map;
}

function compileRule(rule: ParameterRule): Rule {
  const pattern = (source: string | undefined): RegExp | undefined =>
    source === undefined ? undefined : new RegExp(source, 'iu');
  return {
    effect: rule.effect ?? 'unknown',
    match: pattern(rule.match),
    start: pattern(rule.start),
    holds: rule.holds,
  };
}

/** The parameter of this name, or the only one that begins so. */
export function findParameter(cmdlet: Cmdlet, written: string): Parameter | undefined {
  const name = written.toLowerCase();
  const exact = cmdlet.parameters.get(name);
  if (exact !== undefined) return exact;
  const found = new Set(
    [...cmdlet.parameters].flatMap(([full, parameter]) => (full.startsWith(name) ? [parameter] : [])),
  );
  const [only] = found;
  return found.size === 1 ? only : undefined;
}

/** The cmdlets of a family by their names as they are written. */
export function cmdletsOf(family: CmdletFamily): Map<string, CmdletSpec> {
  return splitKeys(family.commands);
}
