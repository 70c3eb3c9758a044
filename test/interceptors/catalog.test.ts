import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CATALOGS } from '../../interceptors/catalog/index.js';
import { knownTool } from '../../interceptors/catalogued.js';
import { readCall, readTool } from '../../interceptors/index.js';
import { classify } from '../../src/classify/index.js';
import type { Effect } from '../../src/domain/assessment.js';
import type { Server, ToolDescription } from '../../src/domain/call.js';
import { verifies } from '../e2e/requirements.js';
import { schema } from './support.js';

type Args = Readonly<Record<string, unknown>>;

function of(name: string, tool: string): { server: Server; description: ToolDescription } {
  const catalog = CATALOGS.find((each) => each.name === name);
  const known = catalog?.tools.get(tool);
  if (catalog === undefined || known === undefined) throw new Error(`no ${tool} of ${name}`);
  const properties = Object.fromEntries(Object.keys(known.roles).map((argument) => [argument, {}]));
  const description = schema(tool, properties, { destructiveHint: known.destructive === true });
  return { server: { name: 'wrapped', info: { name: catalog.server, version: '1' } }, description };
}

const read = (name: string, tool: string, args: Args) => readCall({ ...of(name, tool), tool, arguments: args });
const effect = (name: string, tool: string, args: Args): Effect => classify(read(name, tool, args).operations).effect;
const hosts = (name: string, tool: string, args: Args) => read(name, tool, args).hosts.map(({ value }) => value);

describe(verifies('C-5'), () => {
  test.each<[string, string, Args, Effect]>([
    ['ssh-fangjunjie', 'execute-command', { cmdString: 'uptime', connectionName: 'web1' }, 'read_only'],
    ['ssh-fangjunjie', 'execute-command', { cmdString: 'ls; reboot' }, 'mutating'],
    ['ssh-fangjunjie', 'execute-command', { cmdString: 'ls', directory: '/tmp; reboot' }, 'unknown'],
    ['ssh-fangjunjie', 'download', { remotePath: '/etc/hosts', localPath: 'hosts' }, 'read_only'],
    ['ssh-fangjunjie', 'upload', { remotePath: '/etc/hosts', localPath: 'hosts' }, 'mutating'],
    ['ssh-fangjunjie', 'list-servers', {}, 'read_only'],
    ['ssh-uarlouski', 'ssh_execute_command', { connectionName: 'web1', command: 'df -h' }, 'read_only'],
    [
      'ssh-uarlouski',
      'ssh_list_remote_files',
      { connectionName: 'web1', remotePath: '/etc', pattern: '*.conf' },
      'read_only',
    ],
    ['ssh-uarlouski', 'ssh_execute_template', { connectionName: 'web1', templateName: 'x' }, 'unknown'],
    ['ssh-uarlouski', 'ssh_delete_remote_file', { connectionName: 'web1', remotePath: '/x' }, 'mutating'],
    ['ssh-aionda', 'runRemoteCommand', { hostAlias: 'web1', command: 'uptime' }, 'read_only'],
    ['ssh-aionda', 'runCommandBatch', { hostAlias: 'web1', commands: ['uptime', 'df -h'] }, 'unknown'],
    ['ssh-aionda', 'runCommandBatch', { hostAlias: 'web1', commands: ['uptime', 'reboot'] }, 'mutating'],
    ['ssh-aionda', 'downloadFile', { hostAlias: 'web1', remotePath: '/x', localPath: 'x' }, 'read_only'],
    ['ssh-aionda', 'getHostInfo', { hostAlias: 'web1' }, 'read_only'],
    ['ssh-aionda', 'getHostInfo', { hostAlias: '-oProxyCommand=id' }, 'unknown'],
    ['ssh-zibdie', 'ssh_execute_script', { script: 'uptime\ndf -h' }, 'read_only'],
    ['ssh-zibdie', 'ssh_execute_script', { script: 'uptime', interpreter: 'python' }, 'unknown'],
    ['ssh-zibdie', 'ssh_upload_and_execute', { script: 'uptime' }, 'mutating'],
    ['ssh-zibdie', 'ssh_list_files', { remotePath: '/etc' }, 'read_only'],
    ['sysoperator', 'run_ad_hoc', { pattern: 'web1', module: 'ping' }, 'read_only'],
    ['sysoperator', 'run_ad_hoc', { pattern: 'web1', module: 'setup', inventory: 'hosts.ini' }, 'read_only'],
    ['sysoperator', 'run_ad_hoc', { pattern: 'web1', module: 'command', args: 'uptime' }, 'read_only'],
    ['sysoperator', 'run_ad_hoc', { pattern: 'web1', module: 'ping', inventory: '/tmp/x.sh' }, 'unknown'],
    ['sysoperator', 'run_ad_hoc', { pattern: 'web1; touch /tmp/x', module: 'ping' }, 'unknown'],
    ['sysoperator', 'run_ad_hoc', { pattern: 'web1', module: 'ping', args: '$(touch /tmp/y)' }, 'unknown'],
    ['sysoperator', 'run_ad_hoc', { pattern: 'web1', module: 'ping; id' }, 'unknown'],
    [
      'sysoperator',
      'run_ad_hoc',
      { pattern: 'web1', module: 'ping', extra_vars: { ansible_connection: 'x' } },
      'unknown',
    ],
    ['sysoperator', 'run_ad_hoc', { pattern: 'web1,-oProxyCommand=x', module: 'ping' }, 'unknown'],
    ['sysoperator', 'run_ad_hoc', { pattern: 'web1' }, 'unknown'],
    ['sysoperator', 'run_ad_hoc', { pattern: 'web1', module: 'copy', args: 'src=a dest=/b' }, 'mutating'],
    ['sysoperator', 'run_ad_hoc', { pattern: 'web1', module: 'shell', args: 'rm -rf /srv' }, 'mutating'],
    ['sysoperator', 'run_playbook', { playbook: 'site.yml' }, 'unknown'],
    ['sysoperator', 'check_syntax', { playbook: 'site.yml' }, 'unknown'],
    ['sysoperator', 'list_inventory', {}, 'read_only'],
    ['sysoperator', 'list_inventory', { inventory: 'web1,web2' }, 'read_only'],
    ['sysoperator', 'list_inventory', { inventory: './inventory.sh' }, 'unknown'],
    ['sysoperator', 'vault_decrypt_string', { string: 'abc' }, 'read_only'],
    ['sysoperator', 'vault_decrypt_string', { string: 'abc', vault_password_file: '/tmp/x' }, 'unknown'],
    ['sysoperator', 'aws_ec2', { action: 'list', region: 'eu-west-1' }, 'read_only'],
    ['sysoperator', 'aws_ec2', { action: 'terminate', region: 'eu-west-1' }, 'mutating'],
    ['sysoperator', 'aws_ec2', { region: 'eu-west-1' }, 'unknown'],
    ['sysoperator', 'terraform', { action: 'plan', workingDir: '/x' }, 'unknown'],
    ['sysoperator', 'terraform', { action: 'destroy', workingDir: '/x' }, 'mutating'],
    ['ansible-tools', 'zen_of_ansible', {}, 'read_only'],
    ['ansible-tools', 'ansible_navigator', { userMessage: 'run site.yml' }, 'unknown'],
    ['ansible-mcp', 'ansible-ping', { host_pattern: 'web*' }, 'read_only'],
    [
      'ansible-mcp',
      'ansible-task',
      { host_pattern: 'web1', module: 'stat', args: { path: '/etc/hosts' } },
      'read_only',
    ],
    ['ansible-mcp', 'ansible-task', { host_pattern: 'web1', module: 'shell', args: 'df -h | grep sda' }, 'read_only'],
    [
      'ansible-mcp',
      'ansible-task',
      { host_pattern: 'web1', module: 'copy', args: { src: 'a' }, check: true },
      'read_only',
    ],
    [
      'ansible-mcp',
      'ansible-task',
      { host_pattern: 'web1', module: 'copy', args: { src: 'a' }, check: 'true' },
      'mutating',
    ],
    [
      'ansible-mcp',
      'ansible-task',
      { host_pattern: 'web1', module: 'ping', env: { ANSIBLE_LIBRARY: '/tmp' } },
      'unknown',
    ],
    ['ansible-mcp', 'ansible-playbook', { playbook_path: 'site.yml', check: true }, 'unknown'],
    ['ansible-mcp', 'ansible-remote-command', { host_pattern: 'web1', command: 'uptime' }, 'read_only'],
    [
      'ansible-mcp',
      'ansible-service-manager',
      { host_pattern: 'web1', service_name: 'nginx', action: 'restart' },
      'mutating',
    ],
    [
      'ansible-mcp',
      'ansible-service-manager',
      { host_pattern: 'web1', service_name: 'nginx', action: 'status' },
      'read_only',
    ],
    ['win-cli', 'execute_command', { shell: 'gitbash', command: 'ls' }, 'read_only'],
    ['win-cli', 'execute_command', { shell: 'fish', command: 'ls' }, 'unknown'],
    ['win-cli', 'ssh_execute', { connectionId: 'web1', command: 'uptime' }, 'read_only'],
    ['win-cli', 'update_ssh_connection', { connectionId: 'web1', connectionConfig: { host: 'x' } }, 'unknown'],
    ['winrm', 'win_get_disk_space', { hostname: 'win1' }, 'read_only'],
    ['desktop-commander', 'start_process', { command: 'uptime', timeout_ms: 1000 }, 'read_only'],
    ['desktop-commander', 'start_process', { command: 'rm -rf /srv', timeout_ms: 1000 }, 'mutating'],
    ['desktop-commander', 'start_process', { command: 'bash', timeout_ms: 1000 }, 'unknown'],
    ['desktop-commander', 'interact_with_process', { pid: 4, input: 'ls' }, 'unknown'],
    ['desktop-commander', 'interact_with_process', { pid: 4, input: 'rm -rf /srv' }, 'mutating'],
    ['desktop-commander', 'read_file', { path: '/etc/hosts', offset: 0 }, 'read_only'],
    ['desktop-commander', 'write_file', { path: '/etc/hosts', content: 'a;b' }, 'mutating'],
    ['desktop-commander', 'list_directory', { path: '/etc', depth: 2 }, 'read_only'],
    ['desktop-commander', 'start_search', { path: '/etc', pattern: '--pre=id' }, 'unknown'],
    ['mcp-server-commands', 'run_command', { command: 'cat', stdin: 'x' }, 'unknown'],
    ['agent-infra-commands', 'run_script', { interpreter: 'python', script: 'x' }, 'unknown'],
    ['agent-infra-commands', 'run_script', { interpreter: 'bash', script: 'uptime' }, 'read_only'],
    ['bash-command', 'run', { command: 'ls', cmd: 'reboot' }, 'mutating'],
    ['bash-command', 'run', { cmd: ['ls', '-l'] }, 'read_only'],
    ['bash-command', 'run', { cmd: 'ls', env: { PATH: '/tmp' } }, 'unknown'],
    ['mcp-shell-server', 'shell_execute', { command: 'uptime' }, 'read_only'],
    ['mcp-shell-server', 'shell_execute', { command: 'uptime', session_id: 's' }, 'unknown'],
    ['mcp-shell-server', 'shell_execute', { command: 'uptime', create_terminal: true }, 'unknown'],
    ['mcp-shell-server', 'shell_execute', { command: 'cat', input_output_id: 'x' }, 'unknown'],
    ['mcp-shell-server', 'shell_execute', {}, 'unknown'],
    ['mcp-shell-server', 'terminal_operate', { terminal_id: 't', input: 'ls' }, 'unknown'],
    ['mcp-cli', 'executeCommand', { workingDirectory: '/x', command: 'ls', args: ['-l'] }, 'read_only'],
    ['mcp-cli', 'deleteFile', { workingDirectory: '/x', path: 'y' }, 'mutating'],
    ['mcp-shell-server-tumf', 'shell_execute', { command: ['ls', '-l'] }, 'read_only'],
    ['tmux', 'execute-command', { paneId: '%1', command: 'ls' }, 'unknown'],
    ['tmux', 'capture-pane', { paneId: '%1' }, 'read_only'],
    ['iterm', 'write_to_terminal', { command: 'ls' }, 'unknown'],
    ['iterm', 'send_control_character', { letter: 'C' }, 'unknown'],
    ['smb', 'list_shares', {}, 'read_only'],
    ['smb', 'upload_file', { path: '\\\\files01\\x', local_path: 'x' }, 'mutating'],
    ['proxmox', 'execute_vm_command', { node: 'pve1', vmid: '101', command: 'uptime' }, 'read_only'],
    ['proxmox', 'execute_vm_command', { node: 'pve1', vmid: '101', command: 'reboot' }, 'mutating'],
    ['esxi', 'deleteVM', { name: 'app01' }, 'mutating'],
    ['esxi', 'listVMs', {}, 'read_only'],
  ])('%s: %s %j is %s', (name, tool, args, expected) => {
    expect(effect(name, tool, args)).toBe(expected);
    expect(read(name, tool, args).interceptor).toBe(name);
  });

  test('one argument more, or one of another name, and nothing is proved', () => {
    for (const catalog of CATALOGS) {
      for (const tool of catalog.tools.keys()) {
        const { server, description } = of(catalog.name, tool);
        const reading = readCall({ server, description, tool, arguments: { surprise: 'x' } });
        expect(classify(reading.operations).effect, `${catalog.name} ${tool}`).not.toBe('read_only');
        const drifted = schema(tool, {
          ...(description.inputSchema as { properties: object }).properties,
          surprise: {},
        });
        expect(readTool(server, drifted).interceptor, tool).not.toBe(catalog.name);
      }
    }
  });

  test('a tool that newly calls itself destructive, or one of another server, is read generically', () => {
    const { server, description } = of('tmux', 'capture-pane');
    const args = { paneId: '%1' };
    const call = { tool: 'capture-pane', arguments: args };
    const warns = { ...description, annotations: { destructiveHint: true } };
    expect(readCall({ ...call, server, description: warns }).interceptor).toBe('generic');
    const other = { ...server, info: { name: 'other', version: '1' } };
    expect(readCall({ ...call, server: other, description }).interceptor).toBe('generic');
    expect(readCall({ ...call, server, description: undefined }).interceptor).toBe('generic');
  });
});

describe('hosts', () => {
  test.each<[string, string, Args, string[]]>([
    ['ssh-aionda', 'runRemoteCommand', { hostAlias: 'web1', command: 'x' }, ['web1']],
    ['sysoperator', 'run_ad_hoc', { pattern: 'web1,web2', module: 'ping' }, ['web1', 'web2']],
    ['sysoperator', 'run_ad_hoc', { module: 'ping' }, ['']],
    ['sysoperator', 'run_playbook', { playbook: 'site.yml' }, ['']],
    ['sysoperator', 'run_playbook', { playbook: 'site.yml', limit: 'web1' }, ['web1']],
    ['sysoperator', 'run_playbook', { playbook: '- hosts: web1,web2\n  tasks:\n    - reboot:\n' }, ['web1', 'web2']],
    [
      'sysoperator',
      'run_playbook',
      { playbook: '- hosts: web1\n  tasks:\n    - reboot:\n      delegate_to: x\n' },
      [''],
    ],
    ['sysoperator', 'run_playbook', { playbook: '- hosts: web1\n- {hosts: x}\n' }, ['']],
    ['sysoperator', 'run_playbook', { playbook: '- hosts: web1\n- "h\\x6fsts": x\n' }, ['']],
    ['ansible-tools', 'ansible_navigator', { userMessage: 'x' }, ['']],
    ['ansible-mcp', 'ansible-role', { role_name: 'x' }, ['']],
    ['desktop-commander', 'write_file', { path: '/x', content: 'y' }, ['localhost']],
    ['desktop-commander', 'start_process', { command: 'rm /x' }, ['localhost']],
    ['desktop-commander', 'start_process', { command: 'ssh web1 rm /x' }, ['web1']],
    ['desktop-commander', 'start_process', { command: "ssh -tt -p 22 ops@web1 'rm /x; ls'" }, ['web1']],
    ['desktop-commander', 'start_process', { command: 'ssh web1 rm /x; rm /y' }, ['']],
    ['desktop-commander', 'start_process', { command: 'ssh web1 "$(rm /y)"' }, ['']],
    ['desktop-commander', 'start_process', { command: 'ssh -o HostName=db1 web1 rm /x' }, ['']],
    ['desktop-commander', 'start_process', { command: 'ssh web1 ssh db1 rm /x' }, ['']],
    ['desktop-commander', 'start_process', { command: 'scp x web1:/y' }, ['']],
    ['desktop-commander', 'start_process', { command: 'ansible all -m reboot' }, ['']],
    ['desktop-commander', 'start_process', { command: 'Restart-Computer -ComputerName win1' }, ['']],
    ['win-cli', 'ssh_execute', { connectionId: 'web1', command: 'rm /x' }, ['web1']],
    ['ssh-zibdie', 'ssh_upload_file', { localPath: 'a', remotePath: '/b', connectionId: 'web' }, ['web']],
    ['tmux', 'execute-command', { paneId: '%1', command: 'rm /x' }, ['']],
    ['proxmox', 'execute_vm_command', { node: 'pve1', vmid: '101', command: 'reboot' }, ['101']],
    ['esxi', 'powerOff', { name: 'app01' }, ['app01']],
  ])('%s: %s %j: %j', (name, tool, args, expected) => {
    expect(hosts(name, tool, args)).toEqual(expected);
  });

  test('where the config says which VM the server serves, its own machine is that VM', () => {
    const { server, description } = of('desktop-commander', 'write_file');
    const one = { ...server, target: 'app01' };
    const call = { tool: 'write_file', arguments: { path: '/x', content: 'y' }, description };
    expect(readCall({ ...call, server: one }).hosts).toEqual([]);
  });
});

const TOOLS = join('..', 'shared', 'downstream', 'tools');
const there = existsSync(TOOLS);

describe.skipIf(!there)(
  `against lists of real servers${there ? '' : ' (skipped: ../shared/downstream is not there)'}`,
  () => {
    const lists: { init: { serverInfo: { name: string } }; tools: ToolDescription[] }[] = there
      ? readdirSync(TOOLS).map((file) => JSON.parse(readFileSync(join(TOOLS, file), 'utf8')))
      : [];

    test.each(
      CATALOGS.filter(({ server }) => lists.some(({ init }) => init.serverInfo.name === server)).map(
        (each) => [each.from, each] as const,
      ),
    )('every tool of %s is as catalogued', (_, catalog) => {
      const server: Server = { name: 's', info: { name: catalog.server, version: '1' } };
      const tools = lists.flatMap((list) => (list.init.serverInfo.name === catalog.server ? list.tools : []));
      const known = tools.filter((tool) => knownTool(catalog, server, tool.name, tool) !== undefined);
      // Two packages call themselves ssh-mcp-server, and two mcp-shell-server: one of each is among the lists.
      const same = tools.filter(({ name }) => catalog.tools.has(name));
      if (!['ssh-uarlouski', 'ssh-zibdie', 'mcp-shell-server-tumf'].includes(catalog.name)) {
        expect(known.map(({ name }) => name).sort()).toEqual([...catalog.tools.keys()].sort());
        expect(same.length).toBe(tools.length);
      }
    });
  },
);
