import type { Role } from '../src/domain/call.js';
import { type CataloguedTool, catalogued, type ToolCatalog } from './catalogued.js';

const profile: Role = 'connection';

/** npm:ssh-mcp@2.11.0. */
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

/** The tools of npm `ssh-mcp`, with what is known of each. Profiles stand in its config, and a session belongs to one of them. */
export const SSH_CATALOG: ToolCatalog = {
  name: 'ssh',
  from: 'npm:ssh-mcp@2.11.0',
  server: 'SSH MCP Server',
  tools: SSH_TOOLS,
  handles: { arguments: new Set(), names: 'operator' },
};

export const ssh = catalogued(SSH_CATALOG);
