import type { Operation, Reading, Role, ToolDescription } from '../src/domain/call.js';
import type { Interceptor } from '../src/domain/ports.js';
import { commandOperations, isEmpty } from './commands.js';
import { schemaProperties } from './generic.js';
import { isHarmless } from './harmless.js';
import { hostNames } from './hosts.js';
import { languageOf } from './language.js';
import { collect, doubt } from './roles.js';

/** A tool as one version of a server offers it. `by_command`: what it runs decides; without a command it does `idle`. */
interface CataloguedTool {
  readonly roles: Readonly<Record<string, Role>>;
  readonly effect: 'read_only' | 'mutating' | 'by_command';
  readonly why: string;
  readonly idle?: 'read_only';
  readonly destructive?: true;
}

const SERVER = 'SSH MCP Server';
const profile: Role = 'connection';

/** npm:ssh-mcp@2.11.0. A tool whose arguments differ from these is read generically. */
export const SSH_TOOLS: ReadonlyMap<string, CataloguedTool> = new Map<string, CataloguedTool>([
  ['list-connections', { roles: {}, effect: 'read_only', why: 'lists the profiles of the server' }],
  ['list-sessions', { roles: { profile }, effect: 'read_only', why: 'lists open sessions' }],
  [
    'open-session',
    {
      roles: { name: 'session', type: 'option', command: 'command', profile },
      effect: 'by_command',
      idle: 'read_only',
      why: 'opens a shell and runs nothing in it',
    },
  ],
  [
    'close-session',
    {
      roles: { name: 'session', profile },
      effect: 'mutating',
      destructive: true,
      why: 'ends the command that runs in the session',
    },
  ],
  [
    'read-session-output',
    { roles: { name: 'session', lines: 'option', profile }, effect: 'read_only', why: 'reads the output of a session' },
  ],
  ['read-command', { roles: { command: 'command', profile }, effect: 'by_command', why: 'runs the command' }],
  [
    'run-command',
    {
      roles: { command: 'command', profile, session: 'session', tty: 'option' },
      effect: 'by_command',
      destructive: true,
      why: 'runs the command',
    },
  ],
  [
    'privileged-command',
    {
      roles: { command: 'command', profile },
      effect: 'by_command',
      destructive: true,
      why: 'runs the command as root',
    },
  ],
  [
    'signal-process',
    {
      roles: { pid: 'option', signal: 'option', profile },
      effect: 'mutating',
      destructive: true,
      why: 'signals a process',
    },
  ],
  [
    'sftp-upload',
    {
      roles: { remotePath: 'path', content: 'content', profile },
      effect: 'mutating',
      destructive: true,
      why: 'writes a file',
    },
  ],
  ['sftp-download', { roles: { remotePath: 'path', profile }, effect: 'read_only', why: 'reads a file' }],
  [
    'sftp-list',
    { roles: { remotePath: 'path', maxEntries: 'option', profile }, effect: 'read_only', why: 'lists a directory' },
  ],
  [
    'sftp-upload-file',
    {
      roles: { localPath: 'local_path', remotePath: 'path', overwrite: 'option', mode: 'option', profile },
      effect: 'mutating',
      destructive: true,
      why: 'writes a file',
    },
  ],
  [
    'sftp-download-file',
    {
      roles: { remotePath: 'path', localPath: 'local_path', overwrite: 'option', profile },
      effect: 'read_only',
      destructive: true,
      why: 'reads a file of the host',
    },
  ],
]);

/** The tools of npm `ssh-mcp`, with what is known of each. */
export const ssh: Interceptor = {
  name: 'ssh',
  claims: (server, tool, description) => {
    const known = SSH_TOOLS.get(tool);
    if (known === undefined || description === undefined) return false;
    return (server.info === undefined || server.info.name === SERVER) && isAsCatalogued(known, description);
  },
  read: ({ server, tool, arguments: args, description }): Reading => {
    const known = SSH_TOOLS.get(tool);
    if (known === undefined) return { interceptor: 'ssh', roles: {}, operations: [], hosts: [] };
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
      ...(known.effect === 'by_command'
        ? ran(tool, known, commands, args, unclear)
        : [fixed(tool, known.effect, known.why)]),
    ];
    return { interceptor: 'ssh', roles, operations, hosts: hostNames(slots) };
  },
};

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
  const role = Object.hasOwn(known.roles, name) ? (known.roles[name] ?? 'unknown') : 'unknown';
  return live && role === 'command' ? 'terminal_input' : role;
}

function fixed(subject: string, effect: 'read_only' | 'mutating', why: string): Operation {
  return { kind: 'fixed', effect, subject, why };
}

function ownValue(args: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(args, name) ? args[name] : undefined;
}
