import type { Operation, Reading, Role, Server, ToolCall, ToolDescription } from '../src/domain/call.js';
import type { Interceptor } from '../src/domain/ports.js';
import { commandOperations, isEmpty } from './commands.js';
import { schemaProperties } from './generic.js';
import { isHarmless } from './harmless.js';
import { hostNames } from './hosts.js';
import { languageOf } from './language.js';
import { collect, doubt } from './roles.js';

/** A tool as one version of a server offers it. `by_command`: what it runs decides; without a command it does `idle`. */
export interface CataloguedTool {
  readonly roles: Readonly<Record<string, Role>>;
  /** Arguments that it takes and does not list. */
  readonly also?: Readonly<Record<string, Role>>;
  readonly effect: 'read_only' | 'unknown' | 'mutating' | 'by_command';
  readonly why: string;
  readonly idle?: 'read_only';
  readonly destructive?: true;
}

/** The tools of one published server. A tool whose arguments differ from these is read generically. */
export interface ToolCatalog {
  /** Of the interceptor. */
  readonly name: string;
  /** What the server calls itself. */
  readonly server: string;
  readonly tools: ReadonlyMap<string, CataloguedTool>;
  /** What else keeps a call from being read_only. */
  readonly doubts?: (call: Pick<ToolCall, 'tool' | 'arguments'>) => readonly Operation[];
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
  { name: interceptor, tools, doubts: more }: ToolCatalog,
  { server, tool, arguments: args, description }: Parameters<Interceptor['read']>[0],
): Reading {
  const known = tools.get(tool);
  if (known === undefined) return { interceptor, roles: {}, operations: [], hosts: [] };
  const live = 'session' in known.roles && !isEmpty(ownValue(args, 'session'));
  const { roles, slots, doubts } = collect(args, (name) => roleIn(known, name, live));
  const { shell, doubts: unclear } = languageOf(server, tool, description, []);
  const unsafe = slots.filter((slot) => !isHarmless(slot.value, slot.role, shell));
  const commands = commandOperations(
    slots.map((slot) => (slot.role === 'terminal_input' ? { ...slot, role: 'command' } : slot)),
    shell,
  );
  const operations = [
    ...doubts,
    ...unsafe.map((slot) => doubt(slot.name, 'a shell could read more than a value in this argument')),
    ...(live ? [doubt('session', 'the state of the session that runs this is not known')] : []),
    ...(more?.({ tool, arguments: args }) ?? []),
    ...(known.effect === 'by_command'
      ? ran(tool, known, commands, args, unclear)
      : [...commands, fixed(tool, known.effect, known.why)]),
  ];
  return { interceptor, roles, operations, hosts: hostNames(slots) };
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
