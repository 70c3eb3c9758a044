import type { Effect } from '../src/domain/assessment.js';
import type { Operation, Reading, Role, Server, ToolCall } from '../src/domain/call.js';
import { ProxyError } from '../src/domain/errors.js';
import type { Classify, Interceptor } from '../src/domain/ports.js';
import { quote } from '../src/domain/text.js';
import { genericRoles, readByRoles } from './generic.js';
import type { Opening } from './handles.js';

/** What an operator knows of a tool: the roles of its arguments, its effect where it carries no command, and calls that prove the rule. */
interface ToolRule {
  readonly roles: Readonly<Record<string, Role>>;
  readonly effect?: Effect | undefined;
  readonly why?: string | undefined;
  /** What later calls name is opened by this one: to the host of these arguments, under the name of an argument or of a member of the answer. */
  readonly opens?:
    | {
        readonly hosts: readonly string[];
        readonly named?: string | undefined;
        readonly told?: string | undefined;
      }
    | undefined;
  readonly examples: ReadonlyArray<{ readonly arguments: Readonly<Record<string, unknown>>; readonly effect: Effect }>;
}

/** `tool`, or `server/tool` for the tool of one server. */
export type ToolRules = Readonly<Record<string, ToolRule>>;

/** `opens`: how a call opens something by the operator's rule for its tool; undefined where it does not, and for one that runs a command. */
export interface RuleReader extends Interceptor {
  opens(call: Pick<ToolCall, 'server' | 'tool' | 'arguments' | 'description'>): Opening | undefined;
}

/** An interceptor for the operator's rules. Arguments that a rule does not name, and unsafe values, keep a call from being read_only as ever. */
export function userRules(rules: ToolRules): RuleReader {
  return {
    name: 'user',
    claims: (server, tool) => ruleFor(rules, server, tool) !== undefined,
    read: (call) => readByRule(ruleFor(rules, call.server, call.tool), call),
    opens: (call) => {
      const rule = ruleFor(rules, call.server, call.tool);
      if (rule?.opens === undefined) return undefined;
      // What a command prints is no answer of the server's own.
      if (readByRule(rule, call).operations.some(({ kind }) => kind !== 'fixed')) return undefined;
      const { hosts, named, told } = rule.opens;
      return {
        hosts,
        ...(named !== undefined && { named }),
        ...(told !== undefined && { told: { kind: 'field', name: told } as const }),
      };
    },
  };
}

/** Checks every example of every rule. Throws CONFIG_INVALID that lists the examples that come out otherwise. */
export function checkToolRules(rules: ToolRules, classify: Classify): void {
  const wrong = Object.entries(rules).flatMap(([key, rule]) =>
    rule.examples.flatMap((example, index) => {
      const { server, tool } = exampleOf(key);
      const { effect } = classify(readByRule(rule, { server, tool, arguments: example.arguments }).operations);
      return effect === example.effect
        ? []
        : [`  classifier.tools[${quote(key)}].examples[${index}]: expected ${example.effect}, got ${effect}`];
    }),
  );
  if (wrong.length === 0) return;
  throw new ProxyError(
    'CONFIG_INVALID',
    `Rules for tools contradict their examples:\n${wrong.join('\n')}\nNothing was started. Correct the rule or the example.`,
  );
}

function readByRule(
  rule: ToolRule | undefined,
  call: Pick<ToolCall, 'server' | 'tool' | 'arguments' | 'description'>,
): Reading {
  const byName = genericRoles(call.server, call.tool, call.description);
  const own: Operation | undefined =
    rule?.effect === undefined
      ? undefined
      : { kind: 'fixed', effect: rule.effect, subject: call.tool, why: rule.why ?? 'a rule of the operator says so' };
  const roles = rule?.roles ?? {};
  return readByRoles(
    'user',
    call,
    (name, type) => (Object.hasOwn(roles, name) ? (roles[name] ?? 'unknown') : byName(name, type)),
    own,
  );
}

function ruleFor(rules: ToolRules, server: Server, tool: string): ToolRule | undefined {
  const key = [`${server.name}/${tool}`, tool].find((name) => Object.hasOwn(rules, name));
  return key === undefined ? undefined : rules[key];
}

function exampleOf(key: string): { readonly server: Server; readonly tool: string } {
  const slash = key.indexOf('/');
  return slash < 0
    ? { server: { name: 'example' }, tool: key }
    : { server: { name: key.slice(0, slash) }, tool: key.slice(slash + 1) };
}
