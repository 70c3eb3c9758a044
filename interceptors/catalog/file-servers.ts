import { changes, opening, reads, runs, server, unseen } from './notation.js';

/** No argument can be this. */
const THE_CONNECTION = '';

/** Files on SMB shares; `connect` names the host of all later calls. */
const SMBMAP = server(
  {
    name: 'smb',
    from: 'pypi:mcp-smbmap@0.1.2',
    calls: 'mcp-smbmap',
    handles: { arguments: new Set(), implicit: THE_CONNECTION },
  },
  [
    opening(
      { hosts: ['host'], otherwise: THE_CONNECTION },
      reads('connect', 'host username password:secret', 'opens a connection and runs nothing on it'),
    ),
    reads('list_shares', '', 'lists shares'),
    reads('check_signing', '', 'asks how messages are signed'),
    unseen('exec_command', 'command', 'how it runs the command on the host is not known'),
    changes('upload_file', 'local_path path', 'writes a file'),
    changes('delete_file', 'path', 'removes a file'),
  ],
);

/** One share, named in its environment; nothing of it writes. */
const FILE_SERVER = server(
  { name: 'file-server', from: 'github:nithiin7/remote-file-server-mcp', calls: 'file-server-mcp' },
  [
    reads('list_files', 'path', 'lists a directory'),
    reads('read_file', 'path', 'reads a file'),
    reads('get_file_info', 'path', 'shows what is known of a file'),
    reads('search_files', 'pattern path max_depth', 'searches names of files'),
  ],
);

/** `vmid` is the VM; `node` is the machine that it runs on. */
const PROXMOX = server({ name: 'proxmox', from: 'github:canvrno/ProxmoxMCP@1452cdd', calls: 'ProxmoxMCP' }, [
  reads('get_nodes', '', 'lists nodes'),
  reads('get_node_status', 'node', 'shows the state of a node'),
  reads('get_vms', '', 'lists VMs'),
  reads('get_storage', '', 'lists storage'),
  reads('get_cluster_status', '', 'shows the state of the cluster'),
  runs('execute_vm_command', 'node vmid:host command'),
]);

const ESXI = server({ name: 'esxi', from: 'github:bright8192/esxi-mcp-server@7b12024', calls: 'VMware-MCP-Server' }, [
  reads('authenticate', 'key:secret', 'logs in'),
  reads('listVMs', '', 'lists VMs'),
  changes('createVM', 'name:host cpu memory datastore network', 'makes a VM'),
  changes('cloneVM', 'template_name new_name:host', 'makes a VM'),
  changes('deleteVM', 'name:host', 'removes the VM itself, which no checkpoint brings back'),
  changes('powerOn', 'name:host', 'starts the VM'),
  changes('powerOff', 'name:host', 'stops the VM at once'),
]);

export const SMB_CATALOGS = [SMBMAP, FILE_SERVER];
export const HYPERVISOR_CATALOGS = [PROXMOX, ESXI];
