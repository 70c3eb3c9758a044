import type { Handles } from '../handles.js';
import { changes, opening, reads, runs, server, unseen } from './notation.js';

const NAME = 'connectionName:connection';
const HOST = 'hostAlias:host';
const ID = 'connectionId:connection';
const FILES = 'localPath:local_path remotePath:path';
const TERMINAL = 'the state of the terminal that gets this is not known';
const OUTLIVES = 'a tunnel lets other programs reach what they could not';

/** Its connections stand in its config, and no tool changes them. */
const CONFIGURED: Handles = { arguments: new Set(), names: 'operator' };

const FANGJUNJIE = server(
  {
    name: 'ssh-fangjunjie',
    from: 'npm:@fangjunjie/ssh-mcp-server@1.9.0',
    calls: 'ssh-mcp-server',
    shell: 'bash',
    handles: CONFIGURED,
  },
  [
    runs('execute-command', `cmdString:command directory ${NAME} timeout`),
    changes('upload', `${FILES} ${NAME}`, 'writes a file'),
    reads('download', `${FILES} ${NAME}`, 'reads a file of the host'),
    reads('list-servers', '', 'lists the servers of its config'),
  ],
);

const UARLOUSKI = server(
  {
    name: 'ssh-uarlouski',
    from: 'npm:@uarlouski/ssh-mcp-server@1.5.0',
    calls: 'ssh-mcp-server',
    shell: 'bash',
    handles: CONFIGURED,
  },
  [
    runs('ssh_execute_command', `${NAME} command commandTimeout`),
    unseen(
      'ssh_execute_template',
      `${NAME} templateName variables:unknown commandTimeout`,
      'the command stands in its config',
    ),
    reads('ssh_list_templates', '', 'lists the commands of its config'),
    reads('ssh_list_servers', '', 'lists the servers of its config'),
    reads('ssh_list_remote_files', `${NAME} remotePath:path pattern`, 'lists a directory'),
    reads('ssh_download_file', `${NAME} ${FILES}`, 'reads a file of the host'),
    changes('ssh_upload_file', `${NAME} ${FILES} permissions`, 'writes a file'),
    changes('ssh_delete_remote_file', `${NAME} remotePath:path`, 'removes a file'),
    unseen('ssh_port_forward', `${NAME} localPort remoteHost remotePort`, OUTLIVES),
    unseen('ssh_port_forward_service', 'serviceName', OUTLIVES),
    unseen('ssh_close_port_forward', `${NAME} localPort`, 'ends what still runs through it'),
    reads('ssh_list_port_forwards', '', 'lists open tunnels'),
  ],
);

const AIONDA = server(
  { name: 'ssh-aionda', from: 'npm:@aiondadotcom/mcp-ssh@1.3.9', calls: 'mcp-ssh', shell: 'bash' },
  [
    reads('listKnownHosts', '', 'lists the hosts of the ssh config'),
    runs('runRemoteCommand', `${HOST} command timeout`),
    runs('runCommandBatch', `${HOST} commands:command`),
    reads('getHostInfo', HOST, 'shows the ssh config of a host'),
    reads('checkConnectivity', HOST, 'opens a connection and closes it'),
    changes('uploadFile', `${HOST} ${FILES}`, 'writes a file'),
    reads('downloadFile', `${HOST} ${FILES}`, 'reads a file of the host'),
  ],
);

/** Callers name its connections; a call that names none means the one called `default`. */
const ZIBDIE = server(
  {
    name: 'ssh-zibdie',
    from: 'npm:@zibdie/ssh-mcp-server@1.0.10',
    calls: 'ssh-mcp-server',
    shell: 'bash',
    handles: { arguments: new Set(['connectionId']), implicit: 'default', fresh: true },
  },
  [
    opening(
      { hosts: ['host'], named: 'connectionId', otherwise: 'default' },
      reads(
        'ssh_connect',
        `host port username password:secret privateKey:secret passphrase:secret ${ID}`,
        'opens a connection and runs nothing on it',
      ),
    ),
    runs('ssh_execute', `command ${ID} timeout`),
    runs('ssh_execute_script', `script interpreter ${ID} timeout workingDir`, 'runs the script'),
    changes(
      'ssh_upload_and_execute',
      `script filename:path interpreter ${ID} cleanup timeout`,
      'writes a file and runs it',
    ),
    changes('ssh_upload_file', `${FILES} ${ID} createDirs`, 'writes a file'),
    reads('ssh_download_file', `${FILES} ${ID} createDirs`, 'reads a file of the host'),
    reads('ssh_list_files', `remotePath:path ${ID} detailed`, 'lists a directory'),
    reads('ssh_list_connections', '', 'lists open connections'),
    unseen('ssh_disconnect', ID, 'ends what still runs on the connection'),
  ],
);

const SESSION = 'session_id:connection';

/** Each command runs in a channel of its own; the shell of a session keeps its state. */
const REMOTE = server(
  {
    name: 'mcp-remote-ssh',
    from: 'github:faizbawa/mcp-remote-ssh@367d150',
    calls: 'mcp-remote-ssh',
    shell: 'bash',
    handles: { arguments: new Set(['session_id']) },
  },
  [
    opening(
      { hosts: ['host'], told: { kind: 'field', name: 'session_id' } },
      reads(
        'ssh_connect',
        'host username password:secret key_path:secret port timeout',
        'opens a connection and runs nothing on it',
      ),
    ),
    reads('ssh_list_sessions', '', 'lists open connections'),
    unseen('ssh_close_session', SESSION, 'ends what still runs on the connection'),
    runs('ssh_execute', `${SESSION} command timeout`),
    runs('ssh_sudo_execute', `${SESSION} command sudo_password:secret timeout`, 'runs the command as root'),
    changes('ssh_upload_file', `${SESSION} local_path remote_path:path`, 'writes a file'),
    reads('ssh_download_file', `${SESSION} remote_path:path local_path`, 'reads a file of the host'),
    reads('ssh_read_remote_file', `${SESSION} remote_path:path max_bytes`, 'reads a file of the host'),
    changes('ssh_write_remote_file', `${SESSION} remote_path:path content append`, 'writes a file'),
    reads('ssh_list_remote_dir', `${SESSION} remote_path:path`, 'lists a directory'),
    reads('ssh_shell_open', `${SESSION} term width height`, 'opens a shell and runs nothing in it'),
    unseen('ssh_shell_send', `${SESSION} data:terminal_input press_enter wait read_lines`, TERMINAL),
    unseen('ssh_shell_send_control', `${SESSION} key:terminal_input`, TERMINAL),
    reads('ssh_shell_read', `${SESSION} lines`, 'shows what the shell shows'),
    reads('ssh_shell_wait', `${SESSION} pattern:content timeout poll_interval lines`, 'shows what the shell shows'),
  ],
);

export const SSH_CATALOGS = [FANGJUNJIE, UARLOUSKI, AIONDA, ZIBDIE, REMOTE];
