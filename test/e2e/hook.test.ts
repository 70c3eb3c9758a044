import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readCalls } from '../../src/audit/calls.js';
import { entryOf } from '../../src/audit/entry.js';
import { BIN } from '../support/proxy-process.js';

function machine(config: object) {
  const dir = mkdtempSync(join(tmpdir(), 'rewind-hook-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, 'config.json');
  writeFileSync(file, JSON.stringify(config));
  const env = { ...process.env, HOME: dir, XDG_STATE_HOME: dir, XDG_CONFIG_HOME: dir };
  const run = (options: readonly string[], input: string) =>
    new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
      const args = [BIN, '--config', file, 'hook', ...options];
      const child = spawn(process.execPath, args, { env, cwd: dir });
      let stdout = '';
      let stderr = '';
      child.stdout.on('data', (chunk) => (stdout += String(chunk)));
      child.stderr.on('data', (chunk) => (stderr += String(chunk)));
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, stdout, stderr }));
      child.stdin.on('error', () => undefined);
      child.stdin.end(input);
    });
  const bash = (command: string, more: object = {}) =>
    JSON.stringify({
      session_id: 's1',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command },
      tool_use_id: 't1',
      ...more,
    });
  const claude = (command: string, more?: object) => run(['--client', 'claude-code'], bash(command, more));
  const calls = async () => {
    const found = [];
    for await (const call of readCalls(join(dir, 'zerto-rewind-proxy', 'audit')))
      found.push({ ...entryOf(call), intent: call.intent });
    return found.sort((a, b) => (a.at < b.at ? -1 : 1));
  };
  return { run, bash, claude, calls, dir };
}

test('a command that stays here passes in silence and leaves no trace; one that changes a VM has its checkpoint and a receipt', async () => {
  const { claude, run, bash, calls } = machine({ zvm: 'simulator' });
  expect(await claude('npm test')).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await calls()).toEqual([]);
  const changed = await claude('ssh app01 "systemctl restart nginx"');
  expect(changed.code).toBe(0);
  const { hookSpecificOutput: said } = JSON.parse(changed.stdout) as { hookSpecificOutput: Record<string, string> };
  expect(said['additionalContext']).toMatch(
    /checkpoint of "app01" precedes it; receipt r_\w+\. The appliance is SIMULATED/,
  );
  expect(said['permissionDecision']).toBeUndefined();
  const ended = { hook_event_name: 'PostToolUseFailure', error: 'Exit code 1' };
  const options = ['--client', 'claude-code', '--event', 'post'];
  expect(await run(options, bash('ssh app01 "systemctl restart nginx"', ended))).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
  const [call, end] = await calls();
  expect(call).toMatchObject({
    session: 'claude-code:s1',
    agent: 'claude-code',
    tool: 'Bash',
    vms: ['app01'],
    effect: 'mutating',
    decision: 'pin_then_forward',
    outcome: 'outcome_unknown',
    permit: 'pinned',
    simulated: true,
  });
  expect(said['additionalContext']).toContain(call?.receipt);
  expect(call?.tags).toEqual([expect.stringMatching(/^ai:claude-code \| claude-code Bash systemctl \| vm=app01 \|/)]);
  expect(end).toMatchObject({ tool: 'Bash ended', outcome: 'forwarded', result: 'error' });
  expect([call, end].map((each) => each?.intent.arguments)).toMatchObject([
    { tool_use_id: 't1' },
    { tool_use_id: 't1' },
  ]);
});

test('reading passes and is recorded; a host that no VPG protects is put to a person where the client has one, else refused', async () => {
  const { claude, calls } = machine({ zvm: 'simulator' });
  const [read, asked, refused] = await Promise.all([
    claude('ssh app01 uptime'),
    claude('ssh lab01 reboot', { permission_mode: 'default' }),
    claude('ssh lab01 reboot', { permission_mode: 'bypassPermissions' }),
  ]);
  expect(read).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(JSON.parse(asked.stdout)).toMatchObject({
    hookSpecificOutput: { permissionDecision: 'ask', permissionDecisionReason: expect.stringContaining('unprotected') },
  });
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/^TARGET_UNPROTECTED: .*was not sent/) });
  const found = (await calls()).map(({ outcome, permit, effect }) => `${effect} ${outcome} ${permit ?? ''}`).sort();
  expect(found).toEqual(['mutating outcome_unknown waived', 'mutating refused ', 'read_only outcome_unknown ']);
});

test('with --deny what would change another machine is refused without a checkpoint, and recorded; the rest goes as without', async () => {
  const { run, bash, calls } = machine({ zvm: 'simulator' });
  const deny = ['--client', 'codex', '--deny'];
  const [sent, read, local] = await Promise.all([
    run(deny, bash('env ssh app01 "touch x"')),
    run(deny, bash('ssh app01 uptime')),
    run(deny, bash('touch x')),
  ]);
  const text = 'APPROVAL_DENIED: The administrator of this machine does not let its shell change other machines.';
  expect(sent).toMatchObject({ code: 2, stderr: expect.stringMatching(new RegExp(`^${text} .*not sent`)) });
  expect([read, local]).toEqual([
    { code: 0, stdout: '', stderr: '' },
    { code: 0, stdout: '', stderr: '' },
  ]);
  const found = (await calls()).map(({ rule, outcome, tags }) => ({ rule, outcome, tags }));
  expect(found).toHaveLength(2);
  expect(found).toContainEqual({ rule: 'hook --deny', outcome: 'refused', tags: [] });
});

test('with --deny what may change another machine and cannot be told is refused too, in mode observe as well', async () => {
  const { run, bash, calls } = machine({ zvm: 'simulator', mode: 'observe' });
  const commands = ["X=ssh; $X app01 'rm -rf /srv'", 'eval "$(cat x)"', 'python3 -c "import paramiko; x()"'];
  const typed = (tool_name: string, tool_input: object) => bash('', { tool_name, tool_input });
  const copilot = {
    sessionId: 's',
    toolName: 'write_bash',
    toolArgs: { shellId: '1', input: 'ssh app01 reboot{enter}' },
  };
  const ended = await Promise.all([
    ...commands.map((command) => run(['--client', 'codex', '--deny'], bash(command))),
    run(['--client', 'codex', '--deny'], typed('write_stdin', { session_id: 1, chars: 'ssh app01 reboot\n' })),
    run(['--client', 'copilot', '--deny'], JSON.stringify(copilot)),
  ]);
  for (const { code, stderr } of ended) {
    expect(code).toBe(2);
    expect(stderr).toMatch(/^APPROVAL_DENIED: .*cannot be told from its text/);
  }
  const found = (await calls()).map(({ rule, outcome }) => `${rule} ${outcome}`);
  expect(found).toEqual(ended.map(() => 'hook --deny refused'));
});

const SITE = {
  zvm: {
    sites: [{ name: 'a', url: 'https://127.0.0.1:1', auth: { grant: 'password', username: 'u', password: 'p' } }],
  },
};

test('it fails closed, with exit code 2 and the proxy’s own text: no appliance, none that answers, no config, malformed input', async () => {
  const [none, dead, broken] = [machine({}), machine(SITE), machine({ polic: 1 })];
  const results = await Promise.all([
    none.claude('ssh app01 reboot'),
    dead.claude('ssh app01 reboot'),
    broken.claude('ssh app01 reboot'),
    none.run(['--client', 'claude-code'], 'no JSON'),
    none.run(['--client', 'gemini'], '{"tool_name":"run_shell_command","tool_input":{}}'),
    none.run(['--client', 'nobody'], ''),
    none.claude('X=ssh; $X app01 reboot', { permission_mode: 'default' }),
  ]);
  const codes = [
    'CHECKPOINT_NOT_PINNED',
    'ZVM_UNREACHABLE',
    'CONFIG_INVALID',
    'INVALID_ARGUMENTS',
    'INVALID_ARGUMENTS',
    '--client',
    'CHECKPOINT_NOT_PINNED',
  ];
  expect(results.map(({ code }) => code)).toEqual(codes.map(() => 2));
  for (const [index, { stderr }] of results.entries()) expect(stderr).toContain(codes[index]);
  expect(await broken.claude('npm test')).toMatchObject({ code: 0 });
});
