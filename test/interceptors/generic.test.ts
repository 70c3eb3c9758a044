import { expect, test } from 'vitest';
import { userRules } from '../../interceptors/index.js';
import { classify } from '../../src/classify/index.js';
import type { Server } from '../../src/domain/call.js';
import { verifies } from '../e2e/requirements.js';
import { floor, read, schema, sources, ssh } from './support.js';

test('commands are found under the names that servers give them', () => {
  for (const name of ['command', 'cmd', 'cmdString', 'command_line', 'shellCommand', 'Command']) {
    expect(sources(read({ [name]: 'reboot' }).operations), name).toEqual(['bash: reboot']);
  }
  for (const name of ['script', 'code', 'pipeline', 'scriptContent']) {
    expect(sources(read({ [name]: 'reboot' }).operations), name).toEqual(['bash: reboot']);
  }
});

test('two synonymous arguments are both judged', () => {
  expect(sources(read({ command: 'ls', cmd: 'rm -rf /x' }).operations)).toEqual(['bash: ls', 'bash: rm -rf /x']);
});

test('a list under a plural name is judged item by item, and as one line', () => {
  expect(sources(read({ commands: ['ls', 'reboot'] }).operations)).toEqual([
    'bash: ls',
    'bash: reboot',
    'bash: ls reboot',
  ]);
});

test('a list of words is one command line; items that are more than words are judged joined and quoted', () => {
  expect(sources(read({ command: ['ls', '-l'] }).operations)).toEqual(['bash: ls -l']);
  expect(sources(read({ command: ['sh', '-c', 'find . -delete'] }).operations)).toEqual([
    'bash: sh -c find . -delete',
    "bash: sh -c 'find . -delete'",
  ]);
  expect(sources(read({ command: 'echo', args: ["it's", ';', 'reboot'] }).operations)).toEqual([
    "bash: echo it's ; reboot",
    "bash: echo 'it'\\''s' ';' reboot",
  ]);
  expect(floor(read({ args: ['x'] }).operations)).toBe('unknown');
});

test('commands in nested objects and lists of objects are found', () => {
  expect(sources(read({ commands: [{ host: 'a', command: 'reboot' }] }).operations)).toEqual(['bash: reboot']);
  const reading = read({ params: { inner: { command: 'reboot', host: 'a' } } });
  expect(sources(reading.operations)).toEqual(['bash: reboot']);
  expect(reading.hosts).toEqual([{ value: 'a', argument: 'params', role: 'host' }]);
  expect(floor(reading.operations)).toBe('unknown');
});

test('text for a live terminal is unknown at least, and judged as a command too', () => {
  const reading = read({ pid: 4, input: 'rm -rf /x' }, { tool: 'interact_with_process' });
  expect(reading.roles).toEqual({ pid: 'session', input: 'terminal_input' });
  expect(floor(reading.operations)).toBe('unknown');
  expect(sources(reading.operations)).toEqual(['bash: rm -rf /x']);
});

test('a tool that carries no command is never read_only, whatever it is called', () => {
  for (const tool of ['get_status', 'list_files', 'read_file', 'whoami']) {
    expect(floor(read({}, { tool }).operations), tool).toBe('unknown');
    expect(floor(read({ path: '/etc/hosts' }, { tool }).operations), tool).toBe('unknown');
  }
});

test('a tool named after a change is mutating; a tool that stores a command is not judged by it alone', () => {
  expect(floor(read({ path: '/x', content: 'y' }, { tool: 'write_file' }).operations)).toBe('mutating');
  expect(floor(read({ host: 'a' }, { tool: 'rebootServer' }).operations)).toBe('mutating');
  expect(floor(read({ command: 'ls' }, { tool: 'ssh_command_alias' }).operations)).toBe('unknown');
  expect(floor(read({ command: 'ls' }, { tool: 'create_cron_job' }).operations)).toBe('unknown');
});

test(`${verifies('C-6')} a destructive hint raises, a read-only hint lowers nothing, and neither changes what a command is`, () => {
  const hint = (destructiveHint: boolean) => ({
    ...schema('t', {}),
    annotations: { destructiveHint, readOnlyHint: true },
  });
  expect(floor(read({}, { tool: 't', description: hint(true) }).operations)).toBe('mutating');
  expect(floor(read({}, { tool: 't', description: hint(false) }).operations)).toBe('unknown');
  expect(floor(read({ command: 'ls' }, { tool: 't', description: hint(true) }).operations)).toBe('read_only');
});

test('hosts are found singly, in lists, in texts of lists and in UNC paths', () => {
  const hosts = (args: Record<string, unknown>) => read(args).hosts.map(({ value }) => value);
  expect(hosts({ hostname: 'a', command: 'ls' })).toEqual(['a']);
  expect(hosts({ connectionIds: ['a', 'b'], command: 'ls' })).toEqual(['a', 'b']);
  expect(hosts({ computers: 'a, b c' })).toEqual(['a', 'b', 'c']);
  expect(hosts({ connectionIds: [] })).toEqual(['']);
  expect(hosts({ vmid: 101, node: 'pve' })).toEqual(['101', 'pve']);
  expect(hosts({ path: '\\\\files01\\share\\x' })).toEqual(['\\\\files01\\share']);
  expect(hosts({ path: '\\\\?\\C:\\x' })).toEqual([]);
  expect(hosts({ path: '\\\\?\\UNC\\files01\\share\\x' })).toEqual(['\\\\files01\\share']);
  expect(hosts({ path: 'smb://me:secret@files01:445/share/x' })).toEqual(['\\\\files01@445\\share']);
  expect(hosts({ path: '\\\\evil@files01\\share\\x' })).toEqual(['\\\\evil@files01\\share\\x']);
  expect(hosts({ share_name: '//files01/share' })).toEqual(['\\\\files01\\share']);
  expect(hosts({ host: '', command: 'ls' })).toEqual([]);
});

test('a share that stands beside its host is no host', () => {
  const hosts = (args: Record<string, unknown>) => read(args).hosts.map(({ value }) => value);
  expect(hosts({ host: 'app01', share: 'data', path: 'x' })).toEqual(['\\\\app01\\data']);
  expect(hosts({ server: '10.0.0.5', share_name: 'C$', path: 'x' })).toEqual(['\\\\10.0.0.5\\C$']);
  expect(hosts({ computers: ['app01', 'db01'], shareName: 'data' })).toEqual(['\\\\app01\\data', '\\\\db01\\data']);
  expect(hosts({ share: 'data', path: 'x' })).toEqual(['data']);
  expect(hosts({ host: 'app01', share: '\\\\db01\\data' })).toEqual(['app01', '\\\\db01\\data']);
  expect(hosts({ host: 'app01', share: 'a/../b' })).toEqual(['app01', 'a/../b']);
  expect(hosts({ host: 'app*', share: 'data' })).toEqual(['app*', 'data']);
  expect(hosts({ host: 'app01', share: 'data', share_name: 'x' })).toEqual(['app01', 'data', 'x']);
});

test('the path of a share holds nothing for a shell, in whatever language; what could is a doubt as ever', () => {
  const rule = userRules({ read_file: { roles: { path: 'path' }, effect: 'read_only', examples: [] } });
  const doubts = (path: string, family?: Server['family']) =>
    rule
      .read({ server: { name: 's', family }, tool: 'read_file', arguments: { path }, description: undefined })
      .operations.filter((each) => each.kind === 'fixed' && each.effect !== 'read_only').length;
  for (const path of [
    '\\\\app01\\data\\x y.txt',
    '\\\\app01\\C$\\x',
    '\\\\?\\UNC\\app01\\C$',
    '//app01/data/x',
    '\\\\app01\\D$',
  ])
    expect([doubts(path), doubts(path, 'smb'), doubts(path, 'ssh')], path).toEqual([0, 0, 0]);
  for (const path of [
    '\\\\app01\\data\\$(id)',
    '\\\\app01\\data\\x;id',
    '\\\\app01\\$x\\y',
    '\\\\app01\\C$$\\x',
    '\\\\$x\\y\\z',
    '\\\\app01\\data\\%x%',
  ])
    expect(doubts(path), path).toBe(1);
  expect([
    doubts('\\\\app01\\data\\'),
    doubts('\\\\app01\\data\\', 'smb'),
    doubts('C:\\x', 'smb'),
    doubts('C:\\x'),
  ]).toEqual([1, 0, 0, 1]);
});

test('a share beside a command, or in an argument that is no path, is one more host of the call', () => {
  const hosts = (args: Record<string, unknown>) => read(args).hosts.map(({ value }) => value);
  const share = '\\\\files01\\share';
  expect(hosts({ command: 'ls', cwd: `${share}\\x` })).toEqual(['', share]);
  expect(hosts({ command: 'ls', path: `${share}\\x` })).toEqual(['', share]);
  expect(hosts({ command: 'ls', host: 'app01', cwd: `${share}\\x` })).toEqual(['app01', share]);
  expect(hosts({ command: 'ls', session_id: 's1', cwd: `${share}\\x` })).toEqual([share]);
  expect(hosts({ where_to: `${share}\\x`, name: 'x' })).toEqual(['', share]);
  expect(hosts({ command: 'ls', pattern: '\\\\d+', comment: '// x' })).toEqual([]);
});

test('the language is the server’s, else the family’s, else what tool and schema say, else bash', () => {
  const language = (options: Parameters<typeof read>[1], args = {}) =>
    sources(read({ command: 'dir', ...args }, options).operations);
  expect(language({ server: { name: 's', shell: 'cmd', family: 'ssh' } })).toEqual(['cmd: dir']);
  expect(language({ server: { name: 's', family: 'winrm' } })).toEqual(['powershell: dir']);
  expect(language({ server: { name: 's', family: 'winrm' }, tool: 'winrm_execute_cmd' })).toEqual(['cmd: dir']);
  expect(language({ server: { name: 's' }, tool: 'run_powershell' })).toEqual(['powershell: dir']);
  expect(language({ server: { name: 's' }, tool: 'run_cmd' })).toEqual(['bash: dir']);
  const described = schema('run', { command: { type: 'string', description: 'PowerShell to run' } });
  expect(language({ server: { name: 's' }, tool: 'run', description: described })).toEqual(['powershell: dir']);
  expect(language({ server: { name: 's' } }, { shell: 'pwsh' })).toEqual(['powershell: dir']);
});

test('where sources of the language disagree, or name none that is known, nothing is proved', () => {
  expect(floor(read({ command: 'ls' }, { server: ssh, tool: 'run_powershell' }).operations)).toBe('unknown');
  expect(floor(read({ command: 'ls', shell: 'cmd' }, { server: { name: 's', shell: 'bash' } }).operations)).toBe(
    'unknown',
  );
  expect(floor(read({ command: 'ls', shell: '/tmp/evil' }).operations)).toBe('unknown');
  expect(floor(read({ command: 'ls', interpreter: 'python3' }).operations)).toBe('unknown');
  expect(floor(read({ command: 'ls', shell: ['bash'] }).operations)).toBe('unknown');
  expect(floor(read({ code: 'ls' }, { tool: 'execute_python' }).operations)).toBe('unknown');
  const both = schema('run', { shell: { enum: ['powershell', 'cmd', 'gitbash'] }, command: {} });
  expect(floor(read({ command: 'ls' }, { server: { name: 's' }, tool: 'run', description: both }).operations)).toBe(
    'unknown',
  );
});

const ansible = { tool: 'ansible_adhoc', server: { name: 'a', family: 'ansible' as const } };
const judge = (args: Record<string, unknown>, options: Parameters<typeof read>[1] = ansible) =>
  classify(read(args, options).operations).effect;

test('arguments of ansible keep their roles', () => {
  const reading = read({ pattern: 'web*', module: 'ping', args: 'data=y' }, ansible);
  expect(reading.roles).toEqual({ pattern: 'host_list', module: 'module', args: 'module_args' });
  expect(reading.hosts).toEqual([{ value: 'web*', argument: 'pattern' }]);
});

test('a module of ansible is judged under any of its names', () => {
  expect(judge({ pattern: 'web*', module: 'ping' })).toBe('read_only');
  expect(judge({ hosts: 'web1', module_name: 'setup', inventory: 'hosts.ini', become: true })).toBe('read_only');
  expect(judge({ hosts: ['web1'], module: 'stat', module_args: { path: '/etc/hosts' } })).toBe('read_only');
  expect(judge({ hosts: 'web1', module: 'command', args: 'uptime' })).toBe('read_only');
  expect(judge({ hosts: 'web1', module: 'copy', args: 'src=a dest=/b' })).toBe('mutating');
  expect(judge({ hosts: 'web1', module: 'shell', args: 'rm -rf /srv' })).toBe('mutating');
});

test.each([
  ['another module beside it', { hosts: 'a', module: 'ping', module_name: 'copy' }],
  ['signs of a shell in its arguments', { hosts: 'a', module: 'shell', args: 'ls | wc -l' }],
  ['signs of a shell in its module', { hosts: 'a', module: 'ping;id' }],
  ['signs of a shell in an argument of an object', { hosts: 'a', module: 'stat', args: { path: '$(id)' } }],
  ['an option among the hosts', { hosts: 'a,-oProxyCommand=x', module: 'ping' }],
  ['an inventory that may be a program', { hosts: 'a', module: 'ping', inventory: './inventory.py' }],
  ['variables', { hosts: 'a', module: 'ping', extra_vars: { x: 1 } }],
  ['a connection', { hosts: 'a', module: 'ping', connection: 'x' }],
  ['a playbook beside it', { hosts: 'a', module: 'ping', playbook: 'x.yml' }],
  ['a promise not to change anything', { hosts: 'a', module: 'copy', args: 'src=a dest=b', check: true }],
  ['a list as its arguments', { hosts: 'a', module: 'ping', args: ['x'] }],
])('%s keeps a module from being read_only', (_, args) => {
  expect(judge(args)).not.toBe('read_only');
});

test('a module is one of ansible’s only where the tool or the server is', () => {
  expect(judge({ module: 'ping' }, { tool: 'load_module', server: { name: 'kernel' } })).toBe('unknown');
  expect(judge({ module: 'ping' }, { tool: 'run', server: { name: 'my-ansible' } })).toBe('read_only');
  expect(judge({ module: 'ping' }, { tool: 'ansible_install_module', server: { name: 'x' } })).toBe('unknown');
});

test('a playbook is judged by its text, not by its name', () => {
  expect(judge({ playbook: 'site.yml' })).toBe('unknown');
  expect(judge({ playbook_content: '- hosts: web1\n  tasks:\n    - ping:\n' })).not.toBe('mutating');
  expect(judge({ playbook_content: '- hosts: web1\n  tasks:\n    - reboot:\n' })).toBe('mutating');
  const hosts = (args: Record<string, unknown>) => read(args, ansible).hosts.map(({ value }) => value);
  expect(hosts({ playbook: 'site.yml' })).toEqual(['']);
  expect(hosts({ playbook: 'site.yml', limit: 'web1' })).toEqual(['web1']);
  expect(hosts({ playbook_content: '- hosts: web1\n  tasks:\n    - reboot:\n' })).toEqual(['web1']);
});

test('what is kept of a tool is never used for another: new list, other names, other server, names that only look alike', () => {
  const fresh = (names: readonly string[], description: ReturnType<typeof schema>, server = ssh) =>
    read(Object.fromEntries(names.map((name) => [name, 'web1'])), {
      description: structuredClone(description),
      server,
    });
  const kept = schema('run_command', { command: {}, args: {} });
  const ansible = schema('run_command', { command: {}, args: {}, module: {} });
  const cases = [
    { names: ['args'], description: kept },
    { names: ['args'], description: ansible },
    { names: ['args', 'module'], description: kept },
    { names: ['args\nmodule'], description: kept },
    { names: ['args'], description: kept, server: { ...ssh, family: 'ansible' as const } },
    { names: ['name', 'node'], description: kept },
    { names: ['name'], description: kept },
    { names: ['name","node'], description: kept },
  ];
  const server = (each: { server?: typeof ssh }) => each.server ?? ssh;
  for (const each of [...cases, ...cases.toReversed()]) {
    const args = Object.fromEntries(each.names.map((name) => [name, 'web1']));
    const again = read(args, { description: each.description, server: server(each) });
    expect(again, each.names.join()).toEqual(fresh(each.names, each.description, server(each)));
  }
});

test('a port beside the only host stays with it', () => {
  const hosts = (args: object) => read({ command: 'id', ...args }).hosts.map(({ value, port }) => [value, port]);
  expect(hosts({ host: 'gw', port: 2202 })).toEqual([['gw', 2202]]);
  expect(hosts({ host: 'gw', sshPort: '2202' })).toEqual([['gw', 2202]]);
  expect(hosts({ host: 'gw', port: 'x' })).toEqual([['gw', undefined]]);
  expect(hosts({ host: 'gw' })).toEqual([['gw', undefined]]);
  expect(hosts({ host: ['a', 'b'] })).toEqual([
    ['a', undefined],
    ['b', undefined],
  ]);
});
