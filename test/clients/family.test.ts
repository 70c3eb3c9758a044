import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recognise } from '../../src/clients/family.js';
import { packageOfScript } from '../../src/clients/package-of.js';
import { wrappingOf } from '../../src/clients/wrapping.js';
import { fleeting } from '../../src/commands/install-setting.js';
import { scratch } from './bench.js';

const familyOf = (name: string, line: string, tools: readonly string[] = []) =>
  recognise({ name, tools }, line.split(' '), packageOfScript)?.family;

test.each([
  ['ssh', 'x'],
  ['prod-ssh', 'x'],
  ['mySSHServer', 'x'],
  ['openssh', 'x'],
  ['p', 'npx -y ssh-mcp@2.11.0 --host=h'],
  ['p', 'npx --package=@fangjunjie/ssh-mcp-server ssh-mcp-server'],
  ['p', '/usr/local/bin/mcp-ssh-manager'],
  ['p', 'cmd /c npx -y ssh-mcp'],
  ['p', 'env A=1 B=2 npx ssh-mcp'],
  ['p', 'sh -c cd /srv && exec npx ssh-mcp'],
  ['p', 'pnpm dlx github:acme/ssh-mcp#main'],
  ['p', 'deno run -A npm:ssh-mcp'],
  ['p', 'node --no-warnings /opt/x/node_modules/@aiondadotcom/mcp-ssh/server.mjs'],
  ['p', 'node C:\\x\\node_modules\\ssh-mcp\\build\\index.js'],
  ['p', 'docker run -i --rm -v /srv/x:/y ghcr.io/acme/mcp-ssh:1'],
])('%s %s is ssh', (name, line) => {
  expect(familyOf(name, line)).toBe('ssh');
});

test.each([
  ['ansible-tower', 'x', 'ansible'],
  ['p', 'uvx ansible-mcp-server==1.0', 'ansible'],
  ['p', 'python3 -m mcp_ansible /srv/ssh', 'ansible'],
  ['p', 'npx -y @ansible/ansible-mcp-server', 'ansible'],
  ['p', 'uvx win-mcp-server', 'winrm'],
  ['WinRM', 'x', 'winrm'],
])('%s %s is %s', (name, line, family) => {
  expect(familyOf(name, line)).toBe(family);
});

test.each([
  ['files', 'npx -y @modelcontextprotocol/server-filesystem /home/me/.ssh /srv/ansible ssh'],
  ['files', 'node /home/ssh/files/index.js'],
  ['files', '/opt/ssh/bin/files --root /srv/winrm'],
  ['files', 'docker run -v /srv/ssh:/ssh --name ssh -e ssh acme/files ssh'],
  ['files', 'uv --directory /srv/ansible run server.py'],
  ['business-hub', 'crossshell'],
  ['git', 'npx git-mcp ssh://git@host/x'],
])('%s %s is none of them: a path says nothing', (name, line) => {
  expect(familyOf(name, line)).toBeUndefined();
});

test('a script counts by the package that it lies in', () => {
  const dir = scratch();
  mkdirSync(join(dir, 'a', 'build'), { recursive: true });
  mkdirSync(join(dir, 'ssh', 'src'), { recursive: true });
  writeFileSync(join(dir, 'a', 'package.json'), '{"name":"@acme/ssh-mcp"}');
  writeFileSync(join(dir, 'ssh', 'pyproject.toml'), '[project]\nname = "weather"\n');
  expect(familyOf('p', `node ${join(dir, 'a', 'build', 'index.js')}`)).toBe('ssh');
  expect(familyOf('p', `python ${join(dir, 'ssh', 'src', 'main.py')}`)).toBeUndefined();
});

test('tools say it where nothing else does', () => {
  expect(familyOf('p', 'x', ['read', 'ssh_execute'])).toBe('ssh');
  expect(familyOf('p', 'x', ['ansible_playbook_run'])).toBe('ansible');
  expect(familyOf('p', 'x', ['win_execute_powershell'])).toBe('winrm');
  expect(familyOf('p', 'x', ['read_file', 'windows_list'])).toBeUndefined();
});

const PROGRAM = '/opt/zerto-rewind-proxy/dist/src/main.js';

test.each([
  [`node ${PROGRAM} -- npx x`, 3],
  [`C:\\node\\node.exe C:\\a\\zerto-rewind-proxy\\dist\\src\\main.js --as s --config=c -- x`, 6],
  ['zerto-rewind-proxy -- x', 2],
  ['npx -y zerto-rewind-proxy@1 -- x', 4],
  ['cmd /c npx zerto-rewind-proxy -- x', 5],
  ['node /clone/dist/src/main.js -- x', 3],
])('%s is wrapped, and the server begins at word %i', (line, inner) => {
  expect(wrappingOf(line.split(' '), ['/clone/dist/src/main.js'])).toMatchObject({ kind: 'wrapped', inner });
});

test.each(['zerto-rewind-proxy', 'zerto-rewind-proxy --server ssh', `node ${PROGRAM} --url https://x`])(
  '%s is wrapped, and the server stands elsewhere',
  (line) => {
    expect(wrappingOf(line.split(' '), [])).toMatchObject({ kind: 'wrapped', inner: undefined });
  },
);

test.each([
  'node /else/dist/src/main.js -- x',
  'npx -y @modelcontextprotocol/server-filesystem /src/zerto-rewind-proxy',
  `cat ${PROGRAM} -- x`,
  'zerto-rewind-proxy audit list',
  'ssh-mcp -- zerto-rewind-proxy',
])('%s is not', (line) => {
  expect(wrappingOf(line.split(' '), []).kind).toBe('plain');
});

test('a program in the cache of npx is warned about', () => {
  expect(fleeting('/home/me/.npm/_npx/1a2b/node_modules/zerto-rewind-proxy/dist/src/main.js')).toContain('npx');
  expect(fleeting('C:\\npm-cache\\_npx\\1a2b\\main.js')).toContain('npx');
  expect(fleeting(PROGRAM)).toBeUndefined();
});
