import type { Operation, Role, Server, ToolCall } from '../src/domain/call.js';
import type { DownstreamAnswer } from '../src/domain/ports.js';
import { type CataloguedTool, ownValue, type ToolCatalog } from './catalogued.js';
import type { Connections } from './connections.js';
import { type Sent, type Told, texts, toldName } from './handles.js';
import { doubt } from './roles.js';

type Call = Pick<ToolCall, 'tool' | 'arguments'>;

const LOGIN: Readonly<Record<string, Role>> = {
  host: 'host',
  port: 'option',
  username: 'option',
  password: 'secret',
  privateKey: 'secret',
  passphrase: 'secret',
  connectionId: 'connection',
  sshOptions: 'option',
  profile: 'connection',
};
const JUMP: Readonly<Record<string, Role>> = {
  preset: 'option',
  jumpPromptPattern: 'content',
  jumpExitCommand: 'command',
  jumpReadyTimeout: 'option',
};
const DEVICE: Readonly<Record<string, Role>> = { deviceType: 'option', enablePassword: 'secret' };
const COMMAND: Readonly<Record<string, Role>> = { command: 'command', timeout: 'option' };
const connectionId: Role = 'connection';

/** What the server calls itself. */
export const SECURED = 'ssh-mcp-server-secured';

/** npm:@marian-craciunescu/ssh-mcp-server-secured@1.0.23. */
export const SECURED_TOOLS: ReadonlyMap<string, CataloguedTool> = new Map<string, CataloguedTool>([
  [
    'ssh_connect',
    {
      roles: { ...LOGIN, ...DEVICE, hostname: 'host' },
      effect: 'read_only',
      why: 'opens a connection and runs nothing on it',
    },
  ],
  [
    'ssh_connect_with_jump_command',
    {
      roles: { ...LOGIN, ...JUMP, hostname: 'host', jumpCommand: 'command' },
      effect: 'unknown',
      why: 'starts a program that reads what later calls send',
    },
  ],
  [
    'ssh_load_connections',
    {
      roles: { filePath: 'local_path', connectAll: 'option' },
      effect: 'unknown',
      why: 'opens the connections that a file lists',
    },
  ],
  [
    'ssh_run',
    {
      roles: { ...LOGIN, ...DEVICE, ...COMMAND },
      also: { hostname: 'host' },
      effect: 'by_command',
      why: 'runs the command',
    },
  ],
  [
    'ssh_run_with_jump',
    {
      roles: { ...LOGIN, ...JUMP, ...COMMAND, jumpCommands: 'command' },
      also: { hostname: 'host' },
      effect: 'unknown',
      why: 'sends the command to a program that another command started',
    },
  ],
  ['ssh_execute', { roles: { ...COMMAND, connectionId }, effect: 'by_command', why: 'runs the command' }],
  [
    'ssh_execute_on_multiple',
    { roles: { ...COMMAND, connectionIds: 'host_list' }, effect: 'by_command', why: 'runs the command' },
  ],
  ['ssh_disconnect', { roles: { connectionId }, effect: 'unknown', why: 'ends what still runs on the connection' }],
  ['ssh_disconnect_all', { roles: {}, effect: 'unknown', why: 'ends what still runs on any connection' }],
  [
    'ssh_get_command_filter',
    { roles: { connectionId, command: 'content' }, effect: 'read_only', why: "shows the server's own filter" },
  ],
  [
    'ssh_get_profile_config',
    { roles: { profileName: 'option', command: 'content' }, effect: 'read_only', why: "shows the server's own filter" },
  ],
  ['ssh_list_connections', { roles: {}, effect: 'read_only', why: 'lists open connections' }],
  ['ssh_check_connections', { roles: {}, effect: 'read_only', why: 'lists open connections' }],
  [
    'ssh_upload_file',
    {
      roles: { localPath: 'local_path', remotePath: 'path', connectionId },
      effect: 'mutating',
      why: 'writes a file',
    },
  ],
  [
    'ssh_download_file',
    {
      roles: { localPath: 'local_path', remotePath: 'path', connectionId },
      effect: 'read_only',
      why: 'reads a file of the host',
    },
  ],
  [
    'ssh_list_files',
    { roles: { remotePath: 'path', connectionId, detailed: 'option' }, effect: 'read_only', why: 'lists a directory' },
  ],
  [
    'ssh_failed_connections',
    {
      roles: { period: 'option', since: 'option', until: 'option', host: 'host' },
      effect: 'read_only',
      why: "reads the server's own log",
    },
  ],
]);

/** Its tools; whether a connection takes plain commands is known from the calls that opened it. */
export function securedCatalog(of: (server: Server) => Pick<Connections, 'find' | 'mayBeOpen'>): ToolCatalog {
  return {
    name: 'ssh-secured',
    from: 'npm:@marian-craciunescu/ssh-mcp-server-secured@1.0.23',
    server: SECURED,
    tools: SECURED_TOOLS,
    handles: { arguments: HANDLES, logins: new Set([PROFILE]), implicit: CHOSEN_BY_SERVER, fresh: true },
    doubts: (call) => [...deviceDoubts(call), ...connectionDoubts(call, of(call.server))],
    note: noteOpened,
  };
}

/** It supplies who logs in and how, never a host. */
const PROFILE = 'profile';
/** Arguments of that server that name connections. */
const HANDLES: ReadonlySet<string> = new Set(['connectionId', 'connectionIds']);

const CONNECTED: Told = { kind: 'lines', first: 'connectionId=', name: /^connectionId=([\w.:-]+) \| connected to / };
/** The text of an answer to these holds what a command wrote; a run that failed names its connection beside it. */
const LEFT_OPEN: Told = { kind: 'structured', name: 'connectionId' };
const OPENS: ReadonlyMap<string, Told> = new Map<string, Told>([
  ['ssh_connect', CONNECTED],
  ['ssh_connect_with_jump_command', CONNECTED],
  ['ssh_run', LEFT_OPEN],
  ['ssh_run_with_jump', LEFT_OPEN],
]);
/** The name stands for a connection of this server's own making. */
const CHOSEN_BY_SERVER = 'default';

/**
 * Takes down which connections a call opens: by its arguments before it is sent, by its answer where the server chose the name. `known`: the
 * tool is as catalogued.
 */
function noteOpened(call: Sent, connections: Connections, known: boolean, answer?: DownstreamAnswer): void {
  const { id, tool, arguments: args } = call;
  if (tool === 'ssh_load_connections') connections.addUnseen();
  const told = OPENS.get(tool);
  if (told === undefined) return;
  if (answer?.isError === true && tool.startsWith('ssh_connect')) {
    connections.remove(id);
    return;
  }
  const hosts = ['host', 'hostname'].flatMap((name) => texts(args, name));
  if (hosts.length === 0) return;
  const plain = known && !tool.includes('jump') && deviceDoubts({ tool, arguments: args }).length === 0;
  for (const handle of namesOf(args, told, answer)) connections.add(id, { handle, hosts, plain });
}

function namesOf(
  args: Readonly<Record<string, unknown>>,
  told: Told,
  answer: DownstreamAnswer | undefined,
): readonly string[] {
  const [given] = texts(args, 'connectionId');
  if (given !== undefined && given !== CHOSEN_BY_SERVER) return attempts(given, args);
  const chosen = answer === undefined ? undefined : toldName(told, answer.raw);
  return chosen === undefined ? [] : [chosen];
}

/** A jump that fails is tried again under a name with a number. */
function attempts(handle: string, args: Readonly<Record<string, unknown>>): readonly string[] {
  const jumps = ownValue(args, 'jumpCommands');
  const count = Array.isArray(jumps) ? jumps.length : 1;
  return [handle, ...Array.from({ length: Math.max(0, count - 1) }, (_, index) => `${handle}_r${index + 2}`)];
}

/** On network devices, and whatever else a profile may choose, the command is in another language. */
function deviceDoubts({ arguments: args }: Call): readonly Operation[] {
  const device = ownValue(args, 'deviceType');
  const profile = ownValue(args, PROFILE);
  return [
    ...(device === undefined || device === 'linux' ? [] : [doubt('deviceType', 'it is not known to be a plain shell')]),
    ...(profile === undefined ? [] : [doubt(PROFILE, 'the profile may choose another kind of device')]),
  ];
}

const RUNS: ReadonlySet<string> = new Set(['ssh_run', 'ssh_execute', 'ssh_execute_on_multiple']);

function connectionDoubts(
  { tool, arguments: args }: Call,
  connections: Pick<Connections, 'find' | 'mayBeOpen'>,
): readonly Operation[] {
  if (!RUNS.has(tool)) return [];
  const opensItself = tool === 'ssh_run' && ['host', 'hostname'].some((name) => texts(args, name).length > 0);
  const names = [ownValue(args, 'connectionId'), ownValue(args, 'connectionIds')].flat();
  const handles = names.filter((name) => name !== undefined);
  const unclear = handles.filter((handle) => {
    if (typeof handle !== 'string') return true;
    if (opensItself && !connections.mayBeOpen(handle)) return false;
    return connections.find(handle)?.plain !== true;
  });
  const none = tool === 'ssh_execute_on_multiple' && handles.length === 0;
  return unclear.length > 0 || none
    ? [doubt(tool, 'the connection is not known to be a plain shell that this session opened')]
    : [];
}
