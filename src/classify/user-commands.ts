import { z } from 'zod';
import { EFFECTS } from '../domain/assessment.js';
import { ProxyError } from '../domain/errors.js';
import { quote } from '../domain/text.js';
import { classifyCommand, createClassify } from './index.js';
import { type Compiled, compile } from './specs/compile.js';
import { type FindProgram, findProgram, programNames } from './specs/index.js';
import type { CommandSpec } from './specs/types.js';

const effect = z.enum(EFFECTS);
const text = z.string().min(1).max(2000);
const flag = z.union([
  z.enum(['none', 'value', 'optional']),
  z.strictObject({
    arg: z.enum(['none', 'value', 'optional']),
    effect: effect.optional(),
    only: z.array(z.string()).optional(),
  }),
]);
const operands = z.strictObject({ min: z.int().min(0).optional(), max: z.int().min(0).optional() });
const shape = {
  effect: effect.optional(),
  otherwise: effect.optional(),
  why: text.optional(),
  short: z
    .string()
    .regex(/^([A-Za-z0-9]:{0,2})*$/, 'expected letters as for getopt, such as "hn:"')
    .optional(),
  long: z
    .string()
    .regex(/^([a-z0-9][\w-]*:{0,2} ?)*$/i, 'expected names as for getopt, such as "help lines:"')
    .optional(),
  flags: z.record(z.string().regex(/^-/), flag).optional(),
  bare: effect.optional(),
  requires: text.optional(),
  operands: operands.optional(),
};
const call = z.strictObject(shape);
const program = z.strictObject({
  ...shape,
  subcommands: z.record(text, z.union([effect, call])).optional(),
  override: z.boolean().optional(),
  examples: z.strictObject({
    read_only: z.array(text).default([]),
    unknown: z.array(text).default([]),
    mutating: z.array(text).default([]),
  }),
});

/**
 * The built-in programs and the operator's own, from `classifier.commands`: program → its flags, subcommands, effects and examples,
 * the format of the built-in specs. A built-in program is replaced only with `override: true`. Every example is checked;
 * a rule that reads needs one that must not. Throws CONFIG_INVALID that lists all mistakes; then nothing may start.
 */
export function userPrograms(rules: Readonly<Record<string, unknown>>): FindProgram {
  const own = new Map<string, Compiled>();
  const wrong: string[] = [];
  const known = new Set(programNames());
  for (const [name, rule] of Object.entries(rules)) {
    const at = `classifier.commands[${quote(name)}]`;
    const parsed = program.safeParse(rule);
    if (!/^[A-Za-z0-9_][\w.+-]*$/.test(name)) wrong.push(`${at}: expected the name of a program, without a path`);
    else if (!parsed.success)
      wrong.push(...parsed.error.issues.map((issue) => `${at}${pathOf(issue.path)}: ${issue.message}`));
    else if (known.has(name) && parsed.data.override !== true)
      wrong.push(`${at}: the program is known already; "override": true replaces what is known of it`);
    else own.set(name, compiledOf(name, parsed.data));
  }
  const find: FindProgram = (name) => own.get(name) ?? findProgram(name);
  if (wrong.length === 0) wrong.push(...wrongExamples(rules, find));
  if (wrong.length === 0) return find;
  const message = `Rules for programs are wrong:\n${wrong.map((line) => `  ${line}`).join('\n')}\nNothing was started. Correct the rule or its examples.`;
  throw new ProxyError('CONFIG_INVALID', message);
}

function compiledOf(name: string, { override: _, examples: __, ...spec }: z.infer<typeof program>): Compiled {
  // Absent members are left out: the spec's own type knows no undefined.
  return compile(name, JSON.parse(JSON.stringify(spec)) as CommandSpec, spec.effect ?? 'unknown');
}

function wrongExamples(rules: Readonly<Record<string, unknown>>, find: FindProgram): string[] {
  const judge = createClassify(find);
  return Object.entries(rules).flatMap(([name, rule]) => {
    const { examples } = program.parse(rule);
    const at = `classifier.commands[${quote(name)}].examples`;
    const failing = EFFECTS.flatMap((expected) =>
      examples[expected].flatMap((example) => {
        const verdict = classifyCommand('bash', example, judge).effect;
        return verdict === expected ? [] : [`${at}.${expected}: ${quote(example)} comes out ${verdict}`];
      }),
    );
    const reads = examples.read_only.length > 0;
    const refutes = examples.unknown.length + examples.mutating.length > 0;
    return reads && refutes ? failing : [...failing, `${at}: give at least one that is read_only, and one that is not`];
  });
}

function pathOf(path: readonly PropertyKey[]): string {
  return path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
}
