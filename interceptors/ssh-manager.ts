import type { Operation, Role, ToolCall } from '../src/domain/call.js';
import { type CataloguedTool, ownValue, type ToolCatalog } from './catalogued.js';
import { doubt } from './roles.js';

const server: Role = 'host';

/**
 * npm:mcp-ssh-manager@3.8.5, as far as its source shows that a tool without a command only reads. Older releases with the same arguments put
 * some of them into a shell unquoted, so none of these may hold what a shell reads.
 */
export const MANAGER_TOOLS: ReadonlyMap<string, CataloguedTool> = new Map<string, CataloguedTool>([
  ['ssh_list_servers', { roles: {}, effect: 'read_only', why: 'lists the servers of its config' }],
  [
    'ssh_history',
    {
      roles: { limit: 'option', server, success: 'option', search: 'content' },
      effect: 'read_only',
      why: 'lists commands that ran before',
    },
  ],
  ['ssh_session_list', { roles: { server }, effect: 'read_only', why: 'lists open sessions' }],
  ['ssh_tunnel_list', { roles: { server }, effect: 'read_only', why: 'lists open tunnels' }],
  [
    'ssh_connection_status',
    { roles: { action: 'option', server }, effect: 'read_only', why: 'lists open connections' },
  ],
  [
    'ssh_tail',
    {
      roles: { server, file: 'path', lines: 'option', follow: 'option', grep: 'option' },
      effect: 'read_only',
      why: 'reads the end of a file',
    },
  ],
  [
    'ssh_monitor',
    {
      roles: { server, type: 'option', interval: 'option', duration: 'option' },
      effect: 'read_only',
      why: 'reads load, memory, disks and processes',
    },
  ],
  [
    'ssh_health_check',
    { roles: { server, detailed: 'option' }, effect: 'read_only', why: 'reads load, memory, disks' },
  ],
  [
    'ssh_service_status',
    { roles: { server, services: 'option' }, effect: 'read_only', why: 'reads the state of services' },
  ],
  [
    'ssh_process_manager',
    {
      roles: {
        server,
        action: 'option',
        pid: 'option',
        signal: 'option',
        sortBy: 'option',
        limit: 'option',
        filter: 'option',
      },
      effect: 'read_only',
      why: 'lists processes',
    },
  ],
  [
    'ssh_session_start',
    {
      roles: { server, name: 'option' },
      effect: 'read_only',
      why: 'opens a shell and runs nothing in it',
      opens: {
        hosts: ['server'],
        told: { kind: 'lines', first: '🚀 SSH Session Started', name: /^Session ID: (\S+)$/ },
      },
    },
  ],
  [
    'ssh_session_send',
    {
      roles: { session: 'session', command: 'command', timeout: 'option' },
      effect: 'unknown',
      why: 'the state of the session that runs this is not known',
    },
  ],
  [
    'ssh_session_close',
    { roles: { session: 'session' }, effect: 'unknown', why: 'ends what still runs in the session' },
  ],
  [
    'ssh_download',
    {
      roles: { server, remotePath: 'path', localPath: 'local_path' },
      effect: 'read_only',
      why: 'reads a file of the host',
    },
  ],
]);

/** The tools of npm `mcp-ssh-manager` that carry no command and only read, and those of its sessions. The others are read generically. */
export const MANAGER_CATALOG: ToolCatalog = {
  name: 'ssh-manager',
  from: 'npm:mcp-ssh-manager@3.8.5',
  server: 'mcp-ssh-manager',
  tools: MANAGER_TOOLS,
  doubts: otherActions,
};

/** Tools that change what later calls of the server mean: what a server's name stands for, what runs for a command. */
export const MANAGER_NAMES_TOOLS: ReadonlyMap<string, CataloguedTool> = new Map<string, CataloguedTool>([
  ['ssh_alias', { roles: { action: 'option', alias: 'option', server }, effect: 'read_only', why: 'lists aliases' }],
  [
    'ssh_command_alias',
    { roles: { action: 'option', alias: 'option', command: 'command' }, effect: 'read_only', why: 'lists aliases' },
  ],
  [
    'ssh_group_manage',
    {
      roles: {
        action: 'option',
        name: 'option',
        servers: 'host_list',
        description: 'content',
        strategy: 'option',
        delay: 'option',
        stopOnError: 'option',
      },
      effect: 'read_only',
      why: 'lists groups',
    },
  ],
  ['ssh_hooks', { roles: { action: 'option', hook: 'option' }, effect: 'read_only', why: 'lists hooks' }],
  ['ssh_profile', { roles: { action: 'option', profile: 'connection' }, effect: 'read_only', why: 'lists profiles' }],
]);

/** Calls of these that do more than list name no VM that a checkpoint would protect: a person decides, or nobody. */
export const MANAGER_NAMES_CATALOG: ToolCatalog = {
  name: 'ssh-manager-names',
  from: MANAGER_CATALOG.from,
  server: MANAGER_CATALOG.server,
  tools: MANAGER_NAMES_TOOLS,
  doubts: otherActions,
};

const READING: ReadonlyMap<string, ReadonlySet<unknown>> = new Map([
  ['ssh_process_manager', new Set(['list', 'info'])],
  ['ssh_connection_status', new Set(['status'])],
  ['ssh_alias', new Set(['list'])],
  ['ssh_command_alias', new Set(['list', 'suggest'])],
  ['ssh_group_manage', new Set(['list'])],
  ['ssh_hooks', new Set(['list', 'status'])],
  ['ssh_profile', new Set(['list', 'current'])],
]);

function otherActions({ tool, arguments: args }: Pick<ToolCall, 'tool' | 'arguments'>): readonly Operation[] {
  const reading = READING.get(tool);
  const action = ownValue(args, 'action');
  if (reading === undefined || reading.has(action)) return [];
  return action === 'kill'
    ? [{ kind: 'fixed', effect: 'mutating', subject: tool, why: 'ends a process' }]
    : [doubt('action', 'what the tool does with this is not known')];
}
