import { ownValue } from '../catalogued.js';
import { changes, reads, runs, server, unseen } from './notation.js';

const NAME = 'connectionName:connection';
const HOST = 'hostAlias:host';
const ID = 'connectionId:connection';
const FILES = 'localPath:local_path remotePath:path';
const OUTLIVES = 'a tunnel lets other programs reach what they could not';

const FANGJUNJIE = server(
  { name: 'ssh-fangjunjie', from: 'npm:@fangjunjie/ssh-mcp-server@1.9.0', calls: 'ssh-mcp-server', shell: 'bash' },
  [
    runs('execute-command', `cmdString:command directory ${NAME} timeout`),
    changes('upload', `${FILES} ${NAME}`, 'writes a file'),
    reads('download', `${FILES} ${NAME}`, 'reads a file of the host'),
    reads('list-servers', '', 'lists the servers of its config'),
  ],
);

const UARLOUSKI = server(
  { name: 'ssh-uarlouski', from: 'npm:@uarlouski/ssh-mcp-server@1.5.0', calls: 'ssh-mcp-server', shell: 'bash' },
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

/** `ssh_execute` and `ssh_connect` open and use connections by names: see `handles.ts`. */
const ZIBDIE = server(
  { name: 'ssh-zibdie', from: 'npm:@zibdie/ssh-mcp-server@1.0.10', calls: 'ssh-mcp-server', shell: 'bash' },
  [
    reads(
      'ssh_connect',
      `host port username password:secret privateKey:secret passphrase:secret ${ID}`,
      'opens a connection and runs nothing on it',
    ),
    onDefault(runs('ssh_execute', `command ${ID} timeout`)),
    onDefault(runs('ssh_execute_script', `script interpreter ${ID} timeout workingDir`, 'runs the script')),
    onDefault(
      changes(
        'ssh_upload_and_execute',
        `script filename:path interpreter ${ID} cleanup timeout`,
        'writes a file and runs it',
      ),
    ),
    onDefault(changes('ssh_upload_file', `${FILES} ${ID} createDirs`, 'writes a file')),
    reads('ssh_download_file', `${FILES} ${ID} createDirs`, 'reads a file of the host'),
    reads('ssh_list_files', `remotePath:path ${ID} detailed`, 'lists a directory'),
    reads('ssh_list_connections', '', 'lists open connections'),
    unseen('ssh_disconnect', ID, 'ends what still runs on the connection'),
  ],
);

/** A call that names no connection goes to the one called `default`. */
function onDefault([name, known]: ReturnType<typeof runs>): ReturnType<typeof runs> {
  const hosts: typeof known.hosts = (args) =>
    ownValue(args, 'connectionId') === undefined ? [{ value: 'default', argument: 'connectionId' }] : [];
  return [name, { ...known, hosts }];
}

export const SSH_CATALOGS = [FANGJUNJIE, UARLOUSKI, AIONDA, ZIBDIE];
