import type { Finding } from '../../domain/assessment.js';
import { type Arguments, readArguments } from './arguments.js';
import { elsewhere, placeOf, renderFindings } from './controller.js';
import { findModule, type Module } from './modules/index.js';
import { judgeReader } from './readers.js';
import { type JudgeCommand, mutating, type Ruling, readOnly, unknown } from './ruling.js';
import { RUNNERS, takesLine } from './runners.js';
import { hasTemplate } from './text.js';

/** One call of a module, as it was written. `json`: its arguments stand on a command line, where they may be JSON. */
export interface ModuleCall {
  readonly module: string;
  readonly args: unknown;
  readonly check: boolean;
  readonly json: boolean;
}

/** Arguments with which modules that predict under `--check` do something all the same. */
const DONE_IN_CHECK: ReadonlySet<string> = new Set(
  'validate clean deb executable update_cache cache_valid_time autoclean'.split(' '),
);

/** The findings for one module call: its own, and those of the command that it runs. Their subject is never an argument: that may be a secret. */
export function judgeModule(call: ModuleCall, judge: JudgeCommand): readonly Finding[] {
  const { module: name } = call;
  const module = findModule(name);
  const subject = name.slice(0, 100);
  if (module === undefined) return [{ effect: 'unknown', subject, why: 'the module is not known' }];
  const args = readArguments(call.args, { free: takesLine(module.name), json: call.json });
  const own = judgeRead(module, args, call.check, hasTemplate(call.args), subject, judge);
  return [...own, ...renderFindings(call.args, subject)];
}

/** The same for arguments that were read already. `templated`: the controller renders part of them. */
export function judgeRead(
  module: Module,
  args: Arguments,
  check: boolean,
  templated: boolean,
  subject: string,
  judge: JudgeCommand,
): readonly Finding[] {
  const ruling = rule(module, args, templated, judge);
  const changed = check ? checked(module, args, templated, ruling) : ruling;
  const own: Finding = { effect: changed.effect, subject, why: changed.why, program: module.name };
  const inner = changed.findings ?? [];
  const place = placeOf(module, args);
  if (place === 'host') return [own, ...inner];
  return [
    ...elsewhere([{ ...own, ...(own.effect === 'mutating' && { why: CONTROLLER }) }, ...inner]),
    ...(place === 'either' ? [own] : []),
  ];
}

const CONTROLLER = 'the module changes the controller, or what that reaches by itself';

function rule(module: Module, args: Arguments, templated: boolean, judge: JudgeCommand): Ruling {
  if (module.label === 'mutating' || module.label === 'predicts') return mutating('the module changes the host');
  const ruling = args.kind === 'unclear' ? unknown(args.why) : ruleOf(module, args, judge);
  return templated && ruling.effect !== 'mutating' ? { ...ruling, ...RENDERED } : ruling;
}

const RENDERED = unknown('the controller renders a template in it');

function ruleOf(module: Module, args: Arguments & { kind: 'read' }, judge: JudgeCommand): Ruling {
  const runner = RUNNERS.get(module.name);
  if (runner !== undefined) return runner(args, judge);
  return module.label === 'read_only'
    ? judgeReader(module.name, args.options)
    : unknown('what it runs or adds is not seen');
}

/** `--check` is the module's own promise: it counts only where the module is known to keep it. */
function checked(module: Module, args: Arguments, templated: boolean, ruling: Ruling): Ruling {
  const known = module.label === 'predicts' && args.kind === 'read' && !templated;
  if (known && ![...args.options.keys()].some((name) => DONE_IN_CHECK.has(name)))
    return readOnly('with --check the module only says what it would change');
  if (ruling.effect === 'read_only' && ruling.findings === undefined) return ruling;
  const findings = ruling.findings?.map(
    (part): Finding => (part.effect === 'mutating' ? { ...part, effect: 'unknown' } : part),
  );
  const effect = ruling.effect === 'read_only' ? 'read_only' : 'unknown';
  return {
    effect,
    why: effect === 'read_only' ? ruling.why : 'the module is not known to change nothing with --check',
    findings,
  };
}
