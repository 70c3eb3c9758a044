import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, onTestFinished, test } from 'vitest';
import { knownTool } from '../../interceptors/catalogued.js';
import { readTool, sessionReaders } from '../../interceptors/index.js';
import {
  MANAGER_CATALOG,
  MANAGER_NAMES_CATALOG,
  MANAGER_NAMES_TOOLS,
  MANAGER_TOOLS,
} from '../../interceptors/ssh-manager.js';
import type { Server } from '../../src/domain/call.js';
import { verifies } from '../e2e/requirements.js';
import { programOf } from '../support/real-servers.js';
import { floor, read, schema } from './support.js';

const server: Server = { name: 'ssh', info: { name: 'mcp-ssh-manager', version: '3.8.5' } };
const toolNamed = (tool: string) => MANAGER_TOOLS.get(tool) ?? MANAGER_NAMES_TOOLS.get(tool);
const described = (tool: string) =>
  schema(tool, Object.fromEntries(Object.keys(toolNamed(tool)?.roles ?? {}).map((name) => [name, {}])));
const call = (tool: string, args: Record<string, unknown>, description = described(tool)) =>
  read(args, { tool, server, description });

test('what is catalogued is as the installed server offers it', async () => {
  const home = await mkdtemp(join(tmpdir(), 'rewind-manager-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [programOf('mcp-ssh-manager')],
      env: { HOME: home, PATH: process.env['PATH'] ?? '', SSH_LOG_FILE: join(home, 'log') },
      stderr: 'ignore',
    }),
  );
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  expect(client.getServerVersion()?.name).toBe(MANAGER_CATALOG.server);
  for (const catalog of [MANAGER_CATALOG, MANAGER_NAMES_CATALOG]) {
    const asCatalogued = tools.filter((tool) => knownTool(catalog, server, tool.name, tool as never));
    expect(asCatalogued.map(({ name }) => name).sort()).toEqual([...catalog.tools.keys()].sort());
  }
});

test.each([
  ['ssh_list_servers', {}, 'read_only'],
  ['ssh_health_check', { server: 'app01', detailed: true }, 'read_only'],
  ['ssh_service_status', { server: 'app01', services: ['nginx', 'getty@tty1.service'] }, 'read_only'],
  ['ssh_service_status', { server: 'app01', services: ['nginx; touch /x'] }, 'unknown'],
  ['ssh_service_status', { server: 'app01', services: ['$(touch /x)'] }, 'unknown'],
  ['ssh_service_status', { server: 'app01', services: ['--root=/x'] }, 'unknown'],
  ['ssh_tail', { server: 'app01', file: '/var/log/syslog', lines: 5, follow: false, grep: 'error' }, 'read_only'],
  ['ssh_tail', { server: 'app01', file: '/var/log/syslog", touch /x' }, 'unknown'],
  ['ssh_tail', { server: 'app01', file: '/x', grep: '`id`' }, 'unknown'],
  ['ssh_monitor', { server: 'app01', type: 'cpu' }, 'read_only'],
  ['ssh_process_manager', { server: 'app01', action: 'list', sortBy: 'memory' }, 'read_only'],
  ['ssh_process_manager', { server: 'app01', action: 'info', pid: 7 }, 'read_only'],
  ['ssh_process_manager', { server: 'app01', action: 'kill', pid: 7 }, 'mutating'],
  ['ssh_process_manager', { server: 'app01', action: 'Kill', pid: 7 }, 'unknown'],
  ['ssh_process_manager', { server: 'app01', pid: 7 }, 'unknown'],
  ['ssh_connection_status', { action: 'status' }, 'read_only'],
  ['ssh_connection_status', { action: 'disconnect', server: 'app01' }, 'unknown'],
  ['ssh_download', { server: 'app01', remotePath: '/etc/hosts', localPath: 'hosts' }, 'read_only'],
  ['ssh_history', { search: 'rm -rf; $(x)', limit: 5 }, 'read_only'],
  ['ssh_history', { search: 'x', Search: 'y' }, 'unknown'],
  ['ssh_list_servers', { surprise: 1 }, 'unknown'],
  ['ssh_health_check', { server: 'x$(touch /tmp/x)' }, 'unknown'],
])(`${verifies('C-5')} %s %j is %s`, (tool, args, effect) => {
  const reading = call(tool, args);
  expect(reading.interceptor).toBe('ssh-manager');
  expect(floor(reading.operations)).toBe(effect);
});

test.each([
  ['ssh_alias', { action: 'list' }, 'read_only'],
  ['ssh_command_alias', { action: 'suggest', command: 'uptime' }, 'read_only'],
  ['ssh_group_manage', { action: 'list' }, 'read_only'],
  ['ssh_hooks', { action: 'status' }, 'read_only'],
  ['ssh_profile', { action: 'current' }, 'read_only'],
  ['ssh_alias', { action: 'add', alias: 'app01', server: 'db01' }, 'unknown'],
  ['ssh_command_alias', { action: 'add', alias: 'uptime', command: 'uptime' }, 'unknown'],
  ['ssh_group_manage', { action: 'add-servers', name: 'web', servers: ['db01'] }, 'unknown'],
  ['ssh_hooks', { action: 'enable', hook: 'pre-connect' }, 'unknown'],
  ['ssh_profile', { action: 'switch', profile: 'docker' }, 'unknown'],
])(
  `${verifies('C-2', 'R-1')} %s %j is %s; what changes the meaning of later calls is no VM's matter`,
  async (tool, args, effect) => {
    const reading = call(tool, args);
    expect(reading.interceptor).toBe('ssh-manager-names');
    expect(floor(reading.operations)).toBe(effect);
    const aim = sessionReaders().aim(() => Promise.reject(new Error('nothing is to be looked up')));
    const { targets, problems } = await aim(reading, server, new AbortController().signal);
    expect(targets).toEqual([]);
    expect(problems).toMatchObject([{ kind: 'unresolved', why: expect.stringContaining('later calls') }]);
  },
);

test('before any call a tool is read_only only where no argument could make it more', () => {
  const effect = (tool: string) => floor(readTool(server, described(tool)).operations);
  expect(effect('ssh_health_check')).toBe('read_only');
  expect(effect('ssh_process_manager')).toBe('unknown');
});

test('the server that a call names is its host; a tool that differs, or another server, is read generically', () => {
  expect(call('ssh_tail', { server: 'app01', file: '/x' }).hosts).toEqual([{ value: 'app01', argument: 'server' }]);
  const more = schema('ssh_list_servers', { remove: {} });
  expect(call('ssh_list_servers', {}, more).interceptor).toBe('generic');
  const other = { ...server, info: { name: 'another', version: '1' } };
  const description = described('ssh_list_servers');
  expect(read({}, { tool: 'ssh_list_servers', server: other, description }).interceptor).toBe('generic');
});
