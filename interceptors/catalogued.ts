import type {
  AnsibleRun,
  HostName,
  Operation,
  Reading,
  Role,
  Server,
  Shell,
  ToolCall,
  ToolDescription,
} from '../src/domain/call.js';
import type { DownstreamAnswer, Interceptor } from '../src/domain/ports.js';
import { runsOfCommands, type Where } from './ansible-line.js';
import { directoriesOf } from './ansible-run.js';
import { commandOperations, isEmpty } from './commands.js';
import type { Connections } from './connections.js';
import type { Handles, Opening, Sent } from './handles.js';
import { isHarmless } from './harmless.js';
import { handleNames, hostNames, localHosts, withShares } from './hosts.js';
import { languageOf } from './language.js';
import { isSelector } from './names.js';
import { collect, doubt, type Slot } from './roles.js';
import { schemaProperties } from './schema.js';

/**
 * A tool as one version of a server offers it. `by_command`: what it runs decides; without a command it does `idle`. `by_arguments`: what
 * `judge` reads in them decides.
 */
export interface CataloguedTool {
  readonly roles: Readonly<Record<string, Role>>;
  /** Arguments that it takes and does not list. */
  readonly also?: Readonly<Record<string, Role>>;
  readonly effect: 'read_only' | 'unknown' | 'mutating' | 'by_command' | 'by_arguments';
  readonly why: string;
  readonly judge?: (args: Readonly<Record<string, unknown>>) => readonly Operation[];
  /** Arguments that the server hands over without a shell: they may hold any sign. */
  readonly direct?: ReadonlySet<string>;
  /** The hosts of a call, where its arguments name them in another way than by their roles. */
  readonly hosts?: (args: Readonly<Record<string, unknown>>) => readonly HostName[];
  /** The run of ansible that a call asks for. */
  readonly ansible?: (args: Readonly<Record<string, unknown>>) => AnsibleRun;
  /** It opens what later calls name. */
  readonly opens?: Opening;
  readonly idle?: 'read_only';
  readonly destructive?: true;
  /** The language of its commands, where it is another than the server's. */
  readonly shell?: Shell;
}

/** The tools of one published server. A tool whose arguments differ from these is read generically. */
export interface ToolCatalog {
  /** Of the interceptor. */
  readonly name: string;
  /** The package and version that the tools were read from. */
  readonly from: string;
  /** What the server calls itself. */
  readonly server: string;
  readonly tools: ReadonlyMap<string, CataloguedTool>;
  /** The language of its commands, where neither the config nor the tool says another. */
  readonly shell?: Shell;
  /** Its commands and files are those of the machine that the server itself runs on. */
  readonly local?: true;
  /** How its calls name what earlier ones opened. */
  readonly handles?: Handles;
  /** Takes down what a call opens, where `opens` of its tools does not say it; before it is sent, and with its answer. */
  readonly note?: (call: Sent, connections: Connections, known: boolean, answer?: DownstreamAnswer) => void;
  /** What else keeps a call from being read_only. */
  readonly doubts?: (call: Pick<ToolCall, 'server' | 'tool' | 'arguments'>) => readonly Operation[];
}

/** Reads calls of a server whose tools are known one by one. */
export function catalogued(catalog: ToolCatalog): Interceptor {
  return {
    name: catalog.name,
    claims: (server, tool, description) =>
      description !== undefined && knownTool(catalog, server, tool, description) !== undefined,
    read: (call) => read(catalog, call),
  };
}

/** What a catalog says of a tool, where the server's own description of it agrees. */
export function knownTool(
  { server: name, tools }: ToolCatalog,
  server: Server,
  tool: string,
  description: ToolDescription,
): CataloguedTool | undefined {
  const known = tools.get(tool);
  if (known === undefined || (server.info !== undefined && server.info.name !== name)) return undefined;
  return isAsCatalogued(known, description) ? known : undefined;
}

function read(
  { name: interceptor, tools, doubts: more, local, shell: shellOfAll }: ToolCatalog,
  { server, tool, arguments: args, description }: Parameters<Interceptor['read']>[0],
): Reading {
  const known = tools.get(tool);
  if (known === undefined) return { interceptor, roles: {}, operations: [], hosts: [] };
  const live = 'session' in known.roles && !isEmpty(ownValue(args, 'session'));
  const { roles, slots, doubts } = collect(args, (name) => roleIn(known, name, live));
  const { shell, doubts: unclear } = languageOf(
    speaks(server, known.shell, slots.some((slot) => isSelector(slot.name)) ? undefined : shellOfAll),
    tool,
    description,
    slots,
  );
  const unsafe = slots.filter(
    (slot) => known.direct?.has(slot.argument) !== true && !isHarmless(slot.value, slot.role, shell),
  );
  const fed = slots.filter((slot) => slot.role === 'stdin' && !isEmpty(slot.value));
  const commands = commandOperations(
    slots.map((slot) => (slot.role === 'terminal_input' ? { ...slot, role: 'command' } : slot)),
    shell,
  );
  const operations = [
    ...doubts,
    ...unsafe.map((slot) => doubt(slot.name, 'a shell could read more than a value in this argument')),
    ...fed.map((slot) => doubt(slot.name, 'what the command does with its input cannot be seen')),
    ...(live ? [doubt('session', 'the state of the session that runs this is not known')] : []),
    ...(more?.({ server, tool, arguments: args }) ?? []),
    ...effects(tool, known, commands, args, unclear),
  ];
  const named = [...hostNames(slots), ...(known.hosts?.(args) ?? [])];
  const own = local === true && server.target === undefined;
  const ansible = ansibleRuns(known, args, commands, startsIn(tools, slots, own && !live));
  return {
    interceptor,
    roles,
    operations,
    hosts: withShares(own ? localHosts(named, commands) : named, slots, commands.length > 0),
    ...(own && named.length === 0 && { local: true }),
    handles: handleNames(slots),
    ...(ansible.length > 0 && { ansible }),
  };
}

function ansibleRuns(
  { ansible }: CataloguedTool,
  args: Readonly<Record<string, unknown>>,
  commands: readonly Operation[],
  where: Where,
): readonly AnsibleRun[] {
  return ansible === undefined ? runsOfCommands(commands, where) : [ansible(args)];
}

/** A tool of the server may set the directory of later commands. */
function startsIn(tools: ToolCatalog['tools'], slots: readonly Slot[], here: boolean): Where {
  if (!here) return 'elsewhere';
  const steady = ![...tools.keys()].some((name) => /(?:set|change)\w*(?:dir|cwd)/i.test(name));
  return { directories: directoriesOf(slots), steady };
}

function speaks(server: Server, ofTool: Shell | undefined, ofAll: Shell | undefined): Server {
  if (ofTool !== undefined) return { ...server, shell: ofTool };
  const open = server.shell === undefined && server.family === undefined && ofAll !== undefined;
  return open ? { ...server, shell: ofAll } : server;
}

function effects(
  tool: string,
  known: CataloguedTool,
  commands: readonly Operation[],
  args: Readonly<Record<string, unknown>>,
  unclear: readonly Operation[],
): readonly Operation[] {
  if (known.effect === 'by_command') return ran(tool, known, commands, args, unclear);
  if (known.effect !== 'by_arguments') return [...commands, fixed(tool, known.effect, known.why)];
  const judgedCommands = commands.length === 0 ? [] : [...commands, ...unclear];
  return [
    ...judgedCommands,
    ...(known.judge?.(args) ?? [doubt(tool, 'what the tool does with its arguments is not known')]),
  ];
}

function ran(
  tool: string,
  known: CataloguedTool,
  commands: readonly Operation[],
  args: Readonly<Record<string, unknown>>,
  unclear: readonly Operation[],
): readonly Operation[] {
  if (commands.length > 0) return [...commands, ...unclear];
  const type = ownValue(args, 'type');
  const idle = known.idle !== undefined && (type === undefined || type === 'interactive');
  return [idle ? fixed(tool, 'read_only', known.why) : doubt(tool, 'it is not known what the tool runs')];
}

function isAsCatalogued(known: CataloguedTool, description: ToolDescription): boolean {
  const present = Object.keys(schemaProperties(description));
  const expected = Object.keys(known.roles);
  const same = present.length === expected.length && expected.every((name) => present.includes(name));
  return same && (description.annotations?.destructiveHint !== true || known.destructive === true);
}

function roleIn(known: CataloguedTool, name: string, live: boolean): Role {
  const roles = { ...known.also, ...known.roles };
  const role = Object.hasOwn(roles, name) ? (roles[name] ?? 'unknown') : 'unknown';
  return live && role === 'command' ? 'terminal_input' : role;
}

function fixed(subject: string, effect: 'read_only' | 'unknown' | 'mutating', why: string): Operation {
  return { kind: 'fixed', effect, subject, why };
}

/** An argument's own value: nothing is inherited. */
export function ownValue(args: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(args, name) ? args[name] : undefined;
}
