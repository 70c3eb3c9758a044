import { expect, test } from 'vitest';
import { HOOK_CLIENTS, readHookInput } from '../../src/hooks/read-input.js';
import { fc } from '../support/property.js';

const read = (client: (typeof HOOK_CLIENTS)[number], input: unknown, platform: NodeJS.Platform = 'linux') =>
  readHookInput(client, typeof input === 'string' ? input : JSON.stringify(input), platform);

const CLAUDE = {
  session_id: 'abc-1',
  cwd: '/w',
  hook_event_name: 'PreToolUse',
  permission_mode: 'default',
  tool_name: 'Bash',
  tool_input: { command: 'ssh db01 uptime', description: 'x' },
  tool_use_id: 'toolu_1',
};

const ofCopilot = (resultType: string, textResultForLlm: string) => {
  return { toolName: 'bash', toolArgs: { command: 'ls' }, toolResult: { resultType, textResultForLlm } };
};

test('what each client writes is read', () => {
  expect(read('claude-code', CLAUDE)).toEqual({
    kind: 'command',
    client: 'claude-code',
    session: 'abc-1',
    tool: 'Bash',
    command: 'ssh db01 uptime',
    language: 'bash',
    cwd: '/w',
    id: 'toolu_1',
    mayAsk: true,
  });
  expect(read('claude-code', { ...CLAUDE, tool_name: 'PowerShell' })).toMatchObject({ language: 'powershell' });
  expect(read('codex', CLAUDE)).toMatchObject({ client: 'codex', mayAsk: false });
  const gemini = { tool_name: 'run_shell_command', tool_input: { command: 'ls', directory: 'sub' }, cwd: '/w' };
  expect(read('gemini', gemini)).toMatchObject({ language: 'bash', cwd: 'sub', mayAsk: false });
  expect(read('gemini', gemini, 'win32')).toMatchObject({ language: 'powershell' });
  const copilot = { sessionId: 's', cwd: '/w', toolName: 'bash', toolArgs: { command: 'ls', description: 'x' } };
  expect(read('copilot', copilot)).toMatchObject({ session: 's', tool: 'bash', language: 'bash', mayAsk: false });
  const written = { ...copilot, toolName: 'powershell', toolArgs: '{"command":"dir"}' };
  expect(read('copilot', written)).toMatchObject({ command: 'dir', language: 'powershell' });
  const cursor = { hook_event_name: 'beforeShellExecution', conversation_id: 'c', command: 'ls', cwd: '/w' };
  expect(read('cursor', cursor)).toMatchObject({ tool: 'Shell', session: 'c', mayAsk: true });
});

test('a person is asked only in modes in which the client shows the question', () => {
  for (const mode of ['bypassPermissions', 'dontAsk', 'auto', undefined, 1])
    expect(read('claude-code', { ...CLAUDE, permission_mode: mode })).toMatchObject({ mayAsk: false });
});

test('tools of MCP servers, as each client writes their names, are the proxy’s', () => {
  const given = { command: 'ssh db01 reboot' };
  for (const name of ['ssh-ssh_execute', 'mcp__ssh__ssh_execute'])
    expect(read('copilot', { sessionId: 's', toolName: name, toolArgs: given })).toEqual({ kind: 'other' });
  expect(read('gemini', { tool_name: 'mcp_ssh_ssh_execute', tool_input: given })).toEqual({ kind: 'other' });
  expect(read('codex', { tool_name: 'mcp__ssh__run', tool_input: given })).toEqual({ kind: 'other' });
  expect(read('codex', { tool_name: 'mcp_ssh', tool_input: given })).toMatchObject({ kind: 'command' });
});

test.each([
  ['another tool', { ...CLAUDE, tool_name: 'Read', tool_input: { file_path: '/x' } }],
  ['a tool of an MCP server, which the proxy guards', { ...CLAUDE, tool_name: 'mcp__ssh__run' }],
])('%s is no command of the shell', (_, input) => {
  expect(read('claude-code', input)).toEqual({ kind: 'other' });
});

test('a tool of an unknown name that has a command is judged; words are one command', () => {
  expect(read('codex', { ...CLAUDE, tool_name: 'Terminal' })).toMatchObject({ kind: 'command' });
  const words = (command: unknown) => read('codex', { ...CLAUDE, tool_name: 'shell', tool_input: { command } });
  expect(words(['bash', '-lc', 'ssh a b'])).toMatchObject({ command: 'ssh a b' });
  expect(words(['ssh', 'a', "it's"])).toMatchObject({ command: `'ssh' 'a' 'it'\\''s'` });
});

test('text typed into a shell that is already open is judged as a command; looking alone is not', () => {
  const copilot = (toolName: string, toolArgs: unknown) => read('copilot', { sessionId: 's', toolName, toolArgs });
  const line = { shellId: '1', input: "ssh db01 'rm x'{enter}ls{ENTER}" };
  expect(copilot('write_bash', line)).toMatchObject({ command: "ssh db01 'rm x'\nls\n", language: 'bash' });
  expect(copilot('write_powershell', line)).toMatchObject({ kind: 'command', language: 'powershell' });
  const codex = (tool_input: unknown) => read('codex', { ...CLAUDE, tool_name: 'write_stdin', tool_input });
  const chars = "ssh db01 'rm {enter}'\n";
  expect(codex({ session_id: 1, chars })).toMatchObject({ tool: 'write_stdin', command: chars, session: 'abc-1' });
  for (const none of [{ session_id: 1 }, { session_id: 1, chars: '' }]) expect(codex(none)).toEqual({ kind: 'other' });
  expect(copilot('write_bash', { shellId: '1' })).toEqual({ kind: 'other' });
  expect(codex({ command: 'ssh db01 reboot' })).toMatchObject({ command: 'ssh db01 reboot' });
  expect(codex({ session_id: 1, chars: ['ssh'] })).toMatchObject({ kind: 'malformed' });
  expect(codex(undefined)).toMatchObject({ kind: 'malformed' });
  expect(copilot('apply_patch', { input: 'ssh db01 reboot' })).toEqual({ kind: 'other' });
});

test.each([
  ['nothing', ''],
  ['no JSON', 'x'],
  ['a list', []],
  ['null', 'null'],
  ['no tool', {}],
  ['a tool that is no text', { ...CLAUDE, tool_name: 1 }],
  ['no input', { ...CLAUDE, tool_input: undefined }],
  ['an input that is a text', { ...CLAUDE, tool_input: 'ssh db01' }],
  ['no command', { ...CLAUDE, tool_input: {} }],
  ['a command that is no text', { ...CLAUDE, tool_input: { command: { a: 1 } } }],
  ['words that are not all texts', { ...CLAUDE, tool_input: { command: ['ssh', 1] } }],
])('%s is malformed, for every client', (_, input) => {
  for (const client of HOOK_CLIENTS) expect(read(client, input)).toMatchObject({ kind: 'malformed' });
});

test.each([
  ['claude-code', { ...CLAUDE, hook_event_name: 'PostToolUse', tool_response: { stdout: '' } }, 'ok'],
  ['claude-code', { ...CLAUDE, hook_event_name: 'PostToolUse', tool_response: { interrupted: true } }, 'unknown'],
  ['claude-code', { ...CLAUDE, hook_event_name: 'PostToolUseFailure', error: 'Exit code 1' }, 'error'],
  ['codex', { ...CLAUDE, hook_event_name: 'PostToolUse', tool_response: { exit_code: 3 } }, 'error'],
  ['codex', { ...CLAUDE, hook_event_name: 'PostToolUse', tool_response: 'text' }, 'unknown'],
  ['gemini', { ...CLAUDE, hook_event_name: 'AfterTool', tool_response: { error: 'x' } }, 'error'],
  ['cursor', { command: 'ls', hook_event_name: 'afterShellExecution', output: '' }, 'unknown'],
  ['copilot', ofCopilot('success', 'x\n<shellId: 0 completed with exit code 0>'), 'ok'],
  ['copilot', ofCopilot('success', '<shellId: 1 completed with exit code 3>'), 'error'],
  ['copilot', ofCopilot('success', 'still running'), 'unknown'],
  ['copilot', ofCopilot('failure', ''), 'error'],
] as const)('%s says how it ended: %j is %s', (client, input, ended) => {
  expect(read(client, input)).toMatchObject({ ended });
});

test('names of sessions stand in records: what is none becomes "unnamed"', () => {
  for (const session of ['a b', 'x'.repeat(101), 'a\u202e', 3, undefined])
    expect(read('claude-code', { ...CLAUDE, session_id: session })).toMatchObject({ session: 'unnamed' });
});

test('property: whatever comes, it is read or malformed, and never throws', () => {
  fc.assert(
    fc.property(fc.constantFrom(...HOOK_CLIENTS), fc.oneof(fc.string(), fc.json()), (client, text) => {
      expect(['command', 'other', 'malformed']).toContain(readHookInput(client, text, 'linux').kind);
    }),
  );
});
