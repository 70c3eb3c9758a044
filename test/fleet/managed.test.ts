import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import {
  LAUNCHER,
  MANAGED_CLIENTS,
  type ManagedClient,
  managedFiles,
  PLATFORMS,
  type Platform,
} from '../../src/fleet/managed.js';
import { verifies } from '../e2e/requirements.js';

const filesOf = (client: ManagedClient, platform: Platform = 'linux', shell: 'deny' | 'hook' = 'deny') =>
  managedFiles(client, { platform, launcher: LAUNCHER[platform], servers: ['ssh', 'win 1'], shell });
const contents = (client: ManagedClient, shell: 'deny' | 'hook' = 'deny') =>
  filesOf(client, 'linux', shell).map(({ path, content }): unknown =>
    path.endsWith('.toml') ? parse(content) : JSON.parse(content),
  );
const AT = '/usr/local/bin/zerto-rewind-proxy';
const MAC = '/Library/Application Support';

test.each<[ManagedClient, Platform, readonly string[]]>([
  ['claude-code', 'linux', ['/etc/claude-code/managed-mcp.json', '/etc/claude-code/managed-settings.json']],
  ['claude-code', 'darwin', [`${MAC}/ClaudeCode/managed-mcp.json`, `${MAC}/ClaudeCode/managed-settings.json`]],
  [
    'claude-code',
    'win32',
    ['C:\\Program Files\\ClaudeCode\\managed-mcp.json', 'C:\\Program Files\\ClaudeCode\\managed-settings.json'],
  ],
  ['gemini', 'linux', ['/etc/gemini-cli/settings.json', '/etc/gemini-cli/policies/zerto-rewind-proxy.toml']],
  ['gemini', 'darwin', [`${MAC}/GeminiCli/settings.json`, `${MAC}/GeminiCli/policies/zerto-rewind-proxy.toml`]],
  [
    'gemini',
    'win32',
    ['C:\\ProgramData\\gemini-cli\\settings.json', 'C:\\ProgramData\\gemini-cli\\policies\\zerto-rewind-proxy.toml'],
  ],
  [
    'copilot',
    'linux',
    [
      '/etc/github-copilot/managed-settings.json',
      '/etc/github-copilot/policy.d/zerto-rewind-proxy.json',
      'mcp-config.json',
      'mcp.json',
    ],
  ],
  ['codex', 'linux', ['/etc/codex/requirements.toml', '/etc/codex/managed_config.toml']],
])('%s on %s: %j', (client, platform, paths) => {
  expect(filesOf(client, platform).map(({ path }) => path)).toEqual(paths);
});

test(`${verifies('F-1')} Claude Code: a fixed set, the whole command word for word, deny rules, hooks that block when they fail`, () => {
  const [mcp, settings] = contents('claude-code');
  expect(mcp).toEqual({
    mcpServers: {
      ssh: { type: 'stdio', command: AT, args: ['--server', 'ssh'] },
      'win 1': { type: 'stdio', command: AT, args: ['--server', 'win 1'] },
    },
  });
  const command = `'${AT}' hook --client claude-code --deny --within 110 || exit 2`;
  expect(settings).toMatchObject({
    allowManagedMcpServersOnly: true,
    allowedMcpServers: [{ serverCommand: [AT, '--server', 'ssh'] }, { serverCommand: [AT, '--server', 'win 1'] }],
    permissions: {
      deny: expect.arrayContaining(['Bash(ssh:*)', 'Bash(scp:*)', 'Bash(ansible-playbook:*)']),
      disableBypassPermissionsMode: 'disable',
    },
    hooks: {
      PreToolUse: [{ matcher: 'Bash|PowerShell', hooks: [{ type: 'command', command, timeout: 120 }] }],
      PostToolUse: [{ hooks: [{ command: `'${AT}' hook --client claude-code --event post` }] }],
      PostToolUseFailure: [{}],
    },
  });
  expect(JSON.stringify(contents('claude-code', 'hook'))).not.toMatch(/Bash\(ssh|--deny/);
});

test(`${verifies('F-1')} Copilot: the same form of allowlist, hooks of the machine, and the entries for a user`, () => {
  const [settings, policy, own, mcp] = contents('copilot');
  const allowed = [{ serverCommand: [AT, '--server', 'ssh'] }, { serverCommand: [AT, '--server', 'win 1'] }];
  expect(settings).toEqual({ allowedMcpServers: allowed });
  const bash = `'${AT}' hook --client copilot --deny --within 110 || exit 2`;
  expect(policy).toMatchObject({
    version: 1,
    hooks: {
      preToolUse: [{ matcher: 'bash|powershell|write_bash|write_powershell', bash, timeoutSec: 120 }],
      postToolUse: [{}],
    },
  });
  expect(own).toMatchObject({ mcpServers: { ssh: { type: 'local', command: AT, tools: ['*'] } } });
  expect(mcp).toMatchObject({ servers: { ssh: { type: 'stdio', command: AT, args: ['--server', 'ssh'] } } });
});

test(`${verifies('F-1')} Codex: name and identity of each server; the entry itself in the managed config`, () => {
  const [requirements, config] = contents('codex');
  const rule = expect.objectContaining({ pattern: [{ token: 'ssh' }], decision: 'forbidden' });
  expect(requirements).toMatchObject({
    mcp_servers: { ssh: { identity: { command: AT } }, 'win 1': { identity: { command: AT } } },
    rules: { prefix_rules: expect.arrayContaining([rule]) },
  });
  expect(config).toMatchObject({
    mcp_servers: { ssh: { command: AT, args: ['--server', 'ssh'], required: true } },
    hooks: { PreToolUse: [{ matcher: 'Bash|write_stdin', hooks: [{ timeout: 120 }] }] },
  });
});

test(`${verifies('F-1')} Gemini CLI: names and definitions both, times in milliseconds; other servers' tools are denied by a policy`, () => {
  const [settings, policy] = contents('gemini');
  expect(settings).toMatchObject({
    mcp: { allowed: ['ssh', 'win 1'] },
    mcpServers: { ssh: { command: AT, args: ['--server', 'ssh'], trust: false } },
    security: { disableYoloMode: true },
    hooksConfig: { enabled: true },
    hooks: { BeforeTool: [{ matcher: 'run_shell_command', hooks: [{ timeout: 120_000 }] }], AfterTool: [{}] },
  });
  const { rule: rules } = policy as {
    readonly rule: readonly { readonly mcpName?: string; readonly priority: number }[];
  };
  const others = { toolName: '*', mcpName: '*', decision: 'deny', priority: 900 };
  const shell = expect.objectContaining({ commandPrefix: expect.arrayContaining(['ssh', 'scp']), decision: 'deny' });
  expect(rules).toEqual(expect.arrayContaining([others, shell]));
  for (const name of ['ssh', 'win 1'])
    expect(rules.filter(({ mcpName, priority }) => mcpName === name && priority > 900)).toMatchObject([
      { decision: 'ask_user', interactive: true },
      { decision: 'allow', interactive: false },
    ]);
});

test('every file of every client names the launcher and nothing else to start', () => {
  for (const client of MANAGED_CLIENTS)
    for (const platform of PLATFORMS)
      for (const { path, content } of filesOf(client, platform)) {
        const escaped = JSON.stringify(LAUNCHER[platform]).slice(1, -1);
        const names = content.includes(escaped) || content.includes(LAUNCHER[platform]);
        expect(
          names ||
            path.endsWith('policies/zerto-rewind-proxy.toml') ||
            path.endsWith('policies\\zerto-rewind-proxy.toml'),
        ).toBe(true);
        expect(content).not.toMatch(/npx|node /);
      }
});
