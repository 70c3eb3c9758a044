import { inBash, reads, runs, server, unseen } from './notation.js';

const NEW_TARGET = 'it changes which host later calls reach';

/** `shell` names the language of a command; a connection leads to another host, which has its own. */
const WIN_CLI = server(
  { name: 'win-cli', from: 'npm:@simonb97/server-win-cli@0.2.1', calls: 'windows-cli-server', local: true },
  [
    runs('execute_command', 'shell command workingDir'),
    reads('get_command_history', 'limit:option', 'lists commands that ran before'),
    inBash(runs('ssh_execute', 'connectionId:connection command')),
    unseen('ssh_disconnect', 'connectionId:connection', 'ends what still runs on the connection'),
    unseen('create_ssh_connection', 'connectionId:connection connectionConfig:secret', NEW_TARGET),
    reads('read_ssh_connections', '', 'lists the connections of its config'),
    unseen('update_ssh_connection', 'connectionId:connection connectionConfig:secret', NEW_TARGET),
    unseen('delete_ssh_connection', 'connectionId:connection', NEW_TARGET),
    reads('get_current_directory', '', 'shows where commands run'),
  ],
);

const WIN_MCP = server({ name: 'winrm', from: 'pypi:win-mcp-server@0.3.0', calls: 'WinRM Server' }, [
  runs('win_execute_powershell', 'hostname:host command'),
  reads('win_get_system_info', 'hostname:host', 'shows what is known of the host'),
  reads('win_get_running_services', 'hostname:host', 'lists services'),
  reads('win_get_disk_space', 'hostname:host', 'lists disks'),
  unseen('win_setup_credentials', 'hostname:host', 'asks for a login and keeps it'),
  unseen('win_clear_credentials', 'hostname:host', 'forgets a login'),
]);

const POWERSHELL_EXEC = server(
  {
    name: 'powershell-exec',
    from: 'github:dfinke/mcp-powershell-exec@52562b0',
    calls: 'powershell-integration',
    local: true,
  },
  [runs('run_powershell', 'code:script')],
);

export const WINDOWS_CATALOGS = [WIN_CLI, WIN_MCP, POWERSHELL_EXEC];
