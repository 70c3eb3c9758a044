import { expect, test } from 'vitest';
import { readTool } from '../../interceptors/index.js';
import { SSH_TOOLS } from '../../interceptors/ssh.js';
import type { ToolDescription } from '../../src/domain/call.js';
import { floor, read, schema, sources, ssh } from './support.js';

const described = (name: string): ToolDescription => {
  const known = SSH_TOOLS.get(name);
  const properties = Object.fromEntries(Object.keys(known?.roles ?? {}).map((argument) => [argument, {}]));
  return { ...schema(name, properties), annotations: { destructiveHint: known?.destructive === true } };
};
const call = (tool: string, args: Record<string, unknown> = {}, description = described(tool), server = ssh) =>
  read(args, { tool, server, description });

test.each([
  ['list-connections', {}, 'read_only'],
  ['list-sessions', { profile: 'app01' }, 'read_only'],
  ['open-session', { name: 's' }, 'read_only'],
  ['open-session', { name: 's', type: 'interactive' }, 'read_only'],
  ['open-session', { name: 's', type: 'background' }, 'unknown'],
  ['close-session', { name: 's' }, 'mutating'],
  ['read-session-output', { name: 's', lines: 5 }, 'read_only'],
  ['run-command', { command: 'ls', tty: true }, 'read_only'],
  ['run-command', { command: 'ls', session: 's' }, 'unknown'],
  ['run-command', {}, 'unknown'],
  ['privileged-command', { command: 'ls' }, 'read_only'],
  ['signal-process', { pid: 1 }, 'mutating'],
  ['sftp-upload', { remotePath: '/x', content: 'a;b' }, 'mutating'],
  ['sftp-download', { remotePath: '/x' }, 'read_only'],
  ['sftp-download', { remotePath: '/x;id' }, 'unknown'],
  ['sftp-list', { remotePath: '/x', depth: 2 }, 'unknown'],
  ['sftp-list', { remotePath: '/x', RemotePath: '/y' }, 'unknown'],
  ['sftp-upload-file', { localPath: 'a', remotePath: 'b' }, 'mutating'],
  ['sftp-download-file', { localPath: 'a', remotePath: 'b' }, 'read_only'],
])('%s %j is %s apart from its command', (tool, args, effect) => {
  const reading = call(tool, args);
  expect(reading.interceptor).toBe('ssh');
  expect(floor(reading.operations)).toBe(effect);
});

test('the command decides, the profile is the host, a session turns the command into terminal input', () => {
  const reading = call('run-command', { command: 'reboot', profile: 'app01', session: 's' });
  expect(sources(reading.operations)).toEqual(['bash: reboot']);
  expect(reading.hosts).toEqual([{ value: 'app01', argument: 'profile' }]);
  expect(reading.roles).toEqual({ command: 'terminal_input', profile: 'connection', session: 'session' });
});

test('a tool that is not as catalogued is read generically', () => {
  const more = schema('sftp-list', { remotePath: {}, maxEntries: {}, profile: {}, deleteAfter: {} });
  expect(call('sftp-list', { remotePath: '/' }, more).interceptor).toBe('generic');
  const destructive = { ...described('sftp-list'), annotations: { destructiveHint: true } };
  expect(call('sftp-list', { remotePath: '/' }, destructive).interceptor).toBe('generic');
  const other = { ...ssh, info: { name: 'another server', version: '2.11.0' } };
  expect(call('sftp-list', { remotePath: '/' }, described('sftp-list'), other).interceptor).toBe('generic');
  expect(read({ remotePath: '/' }, { tool: 'sftp-list' }).interceptor).toBe('generic');
  expect(floor(call('sftp-list', { remotePath: '/' }, more).operations)).toBe('unknown');
});

test('before any call a tool is what its arguments cannot change', () => {
  const effect = (name: string) => floor(readTool(ssh, described(name)).operations);
  expect(effect('sftp-list')).toBe('read_only');
  expect(effect('run-command')).toBe('unknown');
  expect(effect('sftp-upload')).toBe('mutating');
  expect(readTool(ssh, described('run-command')).roles).toEqual({
    command: 'command',
    profile: 'connection',
    session: 'session',
    tty: 'option',
  });
});
