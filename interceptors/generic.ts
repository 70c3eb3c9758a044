import type { Operation, Reading, Role, Server, ToolDescription } from '../src/domain/call.js';
import type { Interceptor } from '../src/domain/ports.js';
import { runsOfCommands } from './ansible-line.js';
import { directoriesOf, runOfSlots } from './ansible-run.js';
import { ansibleOperations, runHosts } from './ansible-slots.js';
import { commandOperations, isEmpty } from './commands.js';
import { describedRoles } from './described.js';
import { isHarmless } from './harmless.js';
import { doesMoreThanRun, raisedByHint } from './hints.js';
import { handleNames, hostNames, withShares } from './hosts.js';
import { languageOf } from './language.js';
import { isForeign, isProse, roleOfName, type ValueType } from './names.js';
import { type Collected, collect, doubt, type RoleOf, type Slot } from './roles.js';
import { schemaProperties } from './schema.js';
import { words } from './words.js';

/** What a command may stand beside and still decide alone. */
const BESIDE: ReadonlySet<Role> = new Set([
  'command',
  'script',
  'args',
  'host',
  'host_list',
  'connection',
  'secret',
  'option',
  'unknown',
]);
/** What an ansible run stands beside, once its module or playbook is judged. */
const ANSIBLE: ReadonlySet<Role> = new Set(['module', 'module_args', 'playbook', 'inventory', 'limit']);
const WHY: Partial<Record<Role, string>> = {
  stdin: 'what the command does with its input cannot be seen',
  terminal_input: 'the state of the terminal that gets this is not known',
  session: 'the state of the session that runs this is not known',
};

/** Claims every tool: finds commands and hosts by names and schemas. It never proves a tool read_only that carries no command. */
export const generic: Interceptor = {
  name: 'generic',
  claims: () => true,
  read: (call) => {
    const names = Object.keys(call.arguments);
    const known = knownOf(call, names);
    const reading = readByRoles('generic', call, known.roleOf, undefined);
    const told = names.filter((name) => known.toldOnly.has(name));
    if (told.length === 0) return reading;
    const doubts = told.map((name) => doubt(name, 'only the description of the argument says what it is'));
    return { ...reading, operations: [...reading.operations, ...doubts] };
  },
};

/** Reads a call whose arguments have these roles. `own` is what the tool does where it carries no command; undefined: not known. */
export function readByRoles(
  interceptor: string,
  { server, tool, arguments: args, description }: Parameters<Interceptor['read']>[0],
  roleOf: RoleOf,
  own: Operation | undefined,
): Reading {
  const collected = collect(args, roleOf);
  const { shell, doubts } = languageOf(server, tool, description, collected.slots);
  const unsafe = collected.slots.filter((slot) => !isHarmless(slot.value, slot.role, shell, isProse(slot.name)));
  const foreign = collected.slots.filter((slot) => slot.role === 'script' && isForeign(slot.name));
  const commands = [
    ...commandOperations(runs(collected.slots.filter((slot) => !foreign.includes(slot))), shell),
    ...(isAbout(server, tool) ? ansibleOperations(collected.slots) : []),
  ];
  const operations = [
    ...collected.doubts,
    ...unsafe.map((slot) => doubt(slot.name, 'a shell could read more than a value in this argument')),
    ...foreign.map((slot) => doubt(slot.name, 'it is in a language that is not read')),
    ...(own !== undefined && commands.length === 0 ? [own] : effects(tool, description, collected, commands, doubts)),
  ];
  const named = [...hostNames(collected.slots), ...runHosts(collected.slots)];
  const hosts = withShares(named, collected.slots, commands.length > 0);
  const isHere = server.family === 'shell' && server.target === undefined;
  const isRun =
    isAbout(server, tool) ||
    collected.slots.some(({ role, value }) => (role === 'playbook' || role === 'inventory') && !isEmpty(value));
  const ansible = [
    ...(isRun ? [runOfSlots(collected.slots)] : []),
    ...runsOfCommands(commands, isHere ? { directories: directoriesOf(collected.slots), steady: false } : 'elsewhere'),
  ].filter((run) => run !== undefined);
  return {
    interceptor,
    roles: collected.roles,
    operations,
    hosts,
    handles: handleNames(collected.slots),
    ...(ansible.length > 0 && { ansible }),
  };
}

/** What each argument of a tool is taken for, by its name and the type that the schema gives it, else by the schema's own words. */
export function genericRoles(
  server: Server,
  tool: string,
  description: ToolDescription | undefined,
  present: readonly string[] = [],
): RoleOf {
  const byName = rolesByName(server, tool, description, present);
  const told = describedRoles(description);
  return (name, type) => {
    const role = byName(name, type);
    return role === 'unknown' ? (told.get(name) ?? role) : role;
  };
}

function rolesByName(
  server: Server,
  tool: string,
  description: ToolDescription | undefined,
  present: readonly string[],
): (name: string, type: ValueType) => Role {
  const about = [...words(tool), ...words(server.name)];
  const properties = [...Object.keys(schemaProperties(description)), ...present];
  const ansible =
    server.family === 'ansible' ||
    about.includes('ansible') ||
    ['module', 'module_name', 'playbook', 'playbook_path'].some((name) => properties.includes(name));
  const lone = !properties.some((name) => PLACES.has(roleOfName(name, 'string', { ansible })));
  return (name, type) => roleOfName(name, type, { ansible, lone });
}

const PLACES: ReadonlySet<Role> = new Set(['host', 'host_list', 'connection']);

/** What was found of a tool for arguments of these names (as JSON). */
interface Known {
  readonly server: Server;
  readonly names: string;
  readonly roleOf: RoleOf;
  /** Arguments whose role is the schema's word alone. */
  readonly toldOnly: ReadonlySet<string>;
}

/** The last finding for each tool: most calls of a tool carry the same arguments. A new tool list brings new descriptions, and so new findings. */
const lastKnown = new WeakMap<ToolDescription, Known>();

function knownOf({ server, tool, description }: Parameters<Interceptor['read']>[0], present: readonly string[]): Known {
  const names = JSON.stringify([tool, ...present]);
  const last = description && lastKnown.get(description);
  if (last?.server === server && last.names === names) return last;
  const byName = rolesByName(server, tool, description, present);
  const told = present.filter((name) => describedRoles(description).has(name) && byName(name, 'any') === 'unknown');
  const roleOf = genericRoles(server, tool, description, present);
  const known: Known = { server, names, roleOf: remembered(roleOf), toldOnly: new Set(told) };
  if (description !== undefined) lastKnown.set(description, known);
  return known;
}

/** The same function, which works out each of its first answers once. */
function remembered(roleOf: RoleOf): RoleOf {
  const known = new Map<string, Role>();
  return (name, type) => {
    const key = `${type} ${name}`;
    const role = known.get(key) ?? roleOf(name, type);
    if (known.size < MOST_ROLES) known.set(key, role);
    return role;
  };
}

const MOST_ROLES = 100;

/** Whether a tool is ansible's by more than the names of its arguments. */
function isAbout(server: Server, tool: string): boolean {
  const about = [tool, server.name, server.info?.name ?? ''].flatMap(words);
  return server.family === 'ansible' || about.includes('ansible');
}

/** Text for a live terminal is judged as a command too: that can only raise what is unknown already. */
function runs(slots: readonly Slot[]): readonly Slot[] {
  return slots.flatMap((slot): Slot[] => {
    if (slot.role !== 'terminal_input') return [slot];
    return typeof slot.value === 'string' ? [{ ...slot, role: 'command' }] : [];
  });
}

function effects(
  tool: string,
  description: ToolDescription | undefined,
  { slots }: Collected,
  commands: readonly Operation[],
  language: readonly Operation[],
): readonly Operation[] {
  const judged = commands.some(({ kind }) => kind === 'ansible_module' || kind === 'ansible_playbook');
  const beside = slots.filter(
    (slot) => !BESIDE.has(slot.role) && !isEmpty(slot.value) && !(judged && ANSIBLE.has(slot.role)),
  );
  const reasons = beside.map((slot) => doubt(slot.name, WHY[slot.role] ?? 'what the tool does with this is not known'));
  if (commands.length === 0)
    return [...reasons, doubt(tool, 'what the tool does is not known'), ...raisedByHint(tool, description)];
  const more = doesMoreThanRun(tool) ? [doubt(tool, 'the tool may do more with the command than run it')] : [];
  return [...commands, ...language, ...reasons, ...more];
}
