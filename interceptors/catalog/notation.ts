import { type Operation, ROLES, type Role, type Shell } from '../../src/domain/call.js';
import { type RunArguments, runOf } from '../ansible-run.js';
import { type CataloguedTool, ownValue, type ToolCatalog } from '../catalogued.js';
import type { Handles, Opening } from '../handles.js';
import { doubt } from '../roles.js';

type Args = Readonly<Record<string, unknown>>;
type Entry = readonly [name: string, tool: CataloguedTool];

/** A published server with its tools. `from`: the package and version that they were read from. */
export function server(
  about: {
    readonly name: string;
    readonly from: string;
    readonly calls: string;
    readonly local?: true;
    readonly shell?: Shell;
    readonly handles?: Handles;
  },
  tools: readonly Entry[],
): ToolCatalog {
  const { calls, ...rest } = about;
  return { ...rest, server: calls, tools: new Map(tools) };
}

/** The tool only reads on its host. `args`: `name:role` for each argument that it lists; a name alone is an option, or a role of that name. */
export const reads = (name: string, args: string, why: string): Entry => tool(name, args, 'read_only', why);
/** What the tool runs decides. */
export const runs = (name: string, args: string, why = 'runs the command'): Entry =>
  tool(name, args, 'by_command', why);
/** The tool changes its host. */
export const changes = (name: string, args: string, why: string): Entry => tool(name, args, 'mutating', why);
/** What the tool does cannot be seen from a call. */
export const unseen = (name: string, args: string, why: string): Entry => tool(name, args, 'unknown', why);
/** `judge` decides. */
export const judged = (
  name: string,
  args: string,
  judge: (args: Args) => readonly Operation[],
  more: Partial<CataloguedTool> = {},
): Entry => {
  const [, known] = tool(name, args, 'by_arguments', 'its arguments decide');
  return [name, { ...known, judge, ...more }];
};

/** An argument chooses what the tool does: these values only read, the `others` change something, the rest is not known. */
export function byAction(name: string, args: string, argument: string, reading: string, others = ''): Entry {
  const only = new Set(reading.split(' '));
  const changing = new Set(others.split(' '));
  return judged(name, args, (given) => {
    const value = ownValue(given, argument);
    if (typeof value === 'string' && only.has(value))
      return [fixed(name, 'read_only', `${argument} ${value} only reads`)];
    if (typeof value === 'string' && value !== '' && changing.has(value))
      return [fixed(name, 'mutating', `${argument} ${value} changes something`)];
    return [doubt(argument, 'what the tool does with this is not known')];
  });
}

/** The tool says that it is destructive, and the catalog knows it. */
export const destructive = ([name, known]: Entry): Entry => [name, { ...known, destructive: true }];

/** The tool opens what later calls name. */
export const opening = (how: Opening, [name, known]: Entry): Entry => [name, { ...known, opens: how }];

/** The tool runs ansible on hosts that these of its arguments name. */
export const onHosts = (names: RunArguments, [name, known]: Entry): Entry => [
  name,
  { ...known, ansible: (args) => runOf(args, names) },
];

/** Its commands are for bash, whatever the server's own shell is. */
export const inBash = ([name, known]: Entry): Entry => [name, { ...known, shell: 'bash' }];

export function fixed(subject: string, effect: 'read_only' | 'unknown' | 'mutating', why: string): Operation {
  return { kind: 'fixed', effect, subject, why };
}

function tool(name: string, args: string, effect: CataloguedTool['effect'], why: string): Entry {
  return [name, { roles: roles(args), effect, why }];
}

function roles(text: string): Readonly<Record<string, Role>> {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return Object.fromEntries(
    words.map((word): [string, Role] => {
      const [name = '', role = name] = word.split(':');
      const known = ROLES.find((each) => each === role);
      if (known === undefined && word.includes(':')) throw new Error(`no role ${role}`);
      return [name, known ?? 'option'];
    }),
  );
}
