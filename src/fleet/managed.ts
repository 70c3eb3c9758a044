import { stringify } from 'smol-toml';

/** Clients that an administrator can bind by files. */
export const MANAGED_CLIENTS = ['claude-code', 'copilot', 'codex', 'gemini'] as const;
export type ManagedClient = (typeof MANAGED_CLIENTS)[number];

export const PLATFORMS = ['linux', 'darwin', 'win32'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** A file that root puts onto each machine. */
export interface ManagedFile {
  readonly path: string;
  readonly content: string;
}

export interface ManagedOptions {
  readonly platform: Platform;
  /** The launcher's absolute path: the constant command of every entry. */
  readonly launcher: string;
  readonly servers: readonly string[];
  /** `deny`: the client's shell may not start programs that reach other machines, and the hook sees what slips through; `hook`: the hook alone. */
  readonly shell: 'deny' | 'hook';
}

/** Where launchers lie unless told otherwise. */
export const LAUNCHER: Readonly<Record<Platform, string>> = {
  linux: '/usr/local/bin/zerto-rewind-proxy',
  darwin: '/usr/local/bin/zerto-rewind-proxy',
  win32: 'C:\\Program Files\\zerto-rewind-proxy\\zerto-rewind-proxy.cmd',
};

/** Programs by which a shell reaches other machines. A list of names: what it misses is the hook's. */
const REMOTE =
  'ssh scp sftp rsync sshpass plink pscp mosh pssh ansible ansible-playbook ansible-console winrs psexec'.split(' ');
/** How long a client waits for the hook, and what the hook itself allows. */
const WAITS_SECONDS = 120;
const WITHIN_SECONDS = WAITS_SECONDS - 10;

/** The files for one client, exact arrays and constant entries throughout. */
export function managedFiles(client: ManagedClient, options: ManagedOptions): readonly ManagedFile[] {
  switch (client) {
    case 'claude-code':
      return claudeCode(options);
    case 'copilot':
      return copilot(options);
    case 'codex':
      return codex(options);
    case 'gemini':
      return gemini(options);
  }
}

const CLAUDE: Readonly<Record<Platform, string>> = {
  linux: '/etc/claude-code/',
  darwin: '/Library/Application Support/ClaudeCode/',
  win32: 'C:\\Program Files\\ClaudeCode\\',
};

function claudeCode(options: ManagedOptions): readonly ManagedFile[] {
  const { platform, shell } = options;
  const dir = CLAUDE[platform];
  const hook = (event: 'pre' | 'post') => [
    {
      matcher: 'Bash|PowerShell',
      hooks: [{ type: 'command', command: hookLine(options, 'claude-code', event), timeout: WAITS_SECONDS }],
    },
  ];
  const deny = [...REMOTE.map((program) => `Bash(${program}:*)`)];
  const settings = {
    allowManagedMcpServersOnly: true,
    allowedMcpServers: allowlist(options),
    permissions: { ...(shell === 'deny' && { deny }), disableBypassPermissionsMode: 'disable' },
    hooks: { PreToolUse: hook('pre'), PostToolUse: hook('post'), PostToolUseFailure: hook('post') },
  };
  return [
    json(`${dir}managed-mcp.json`, { mcpServers: entries(options, { type: 'stdio' }) }),
    json(`${dir}managed-settings.json`, settings),
  ];
}

/** Where an enterprise delivers this file from is its own; the allowlist has Claude Code's form. */
function copilot(options: ManagedOptions): readonly ManagedFile[] {
  return [
    json('managed-settings.json', { allowedMcpServers: allowlist(options) }),
    json('mcp.json', { servers: entries(options, { type: 'stdio' }) }),
  ];
}

function codex(options: ManagedOptions): readonly ManagedFile[] {
  const { platform, launcher, servers, shell } = options;
  const dir = platform === 'win32' ? 'C:\\ProgramData\\OpenAI\\Codex\\' : '/etc/codex/';
  const rules = REMOTE.map((program) => ({
    pattern: [{ token: program }],
    decision: 'forbidden',
    justification: 'Other machines are reached through the MCP servers.',
  }));
  const requirements = {
    mcp_servers: Object.fromEntries(servers.map((name) => [name, { identity: { command: launcher } }])),
    ...(shell === 'deny' && { rules: { prefix_rules: rules } }),
    features: { hooks: true },
  };
  const hook = (event: 'pre' | 'post') => [
    {
      matcher: 'Bash',
      hooks: [{ type: 'command', command: hookLine(options, 'codex', event), timeout: WAITS_SECONDS }],
    },
  ];
  const config = {
    mcp_servers: Object.fromEntries(
      servers.map((name) => [name, { command: launcher, args: ['--server', name], required: true }]),
    ),
    hooks: { PreToolUse: hook('pre'), PostToolUse: hook('post') },
  };
  return [
    { path: `${dir}requirements.toml`, content: `${stringify(requirements)}\n` },
    { path: `${dir}managed_config.toml`, content: `${stringify(config)}\n` },
  ];
}

const GEMINI: Readonly<Record<Platform, string>> = {
  linux: '/etc/gemini-cli/settings.json',
  darwin: '/Library/Application Support/GeminiCli/settings.json',
  win32: 'C:\\ProgramData\\gemini-cli\\settings.json',
};

/** Both the names and the definitions: without the list users could add servers, without the definitions they could give a name another command. */
function gemini(options: ManagedOptions): readonly ManagedFile[] {
  const { platform, servers, shell } = options;
  const hook = (event: 'pre' | 'post') => [
    {
      matcher: 'run_shell_command',
      hooks: [{ type: 'command', command: hookLine(options, 'gemini', event), timeout: WAITS_SECONDS * 1000 }],
    },
  ];
  const settings = {
    mcp: { allowed: servers },
    mcpServers: entries(options, { trust: false }),
    security: { disableYoloMode: true },
    ...(shell === 'deny' && { tools: { exclude: REMOTE.map((program) => `run_shell_command(${program})`) } }),
    hooks: { BeforeTool: hook('pre'), AfterTool: hook('post') },
  };
  return [json(GEMINI[platform], settings)];
}

/** Clients compare the whole command, word for word. */
function allowlist({ launcher, servers }: ManagedOptions): readonly object[] {
  return servers.map((name) => ({ serverCommand: [launcher, '--server', name] }));
}

function entries({ launcher, servers }: ManagedOptions, more: object): Readonly<Record<string, object>> {
  return Object.fromEntries(servers.map((name) => [name, { ...more, command: launcher, args: ['--server', name] }]));
}

/** A program that cannot be started, or that fails in another way, blocks too: clients let a command through on any code but 2. */
function hookLine({ platform, launcher }: ManagedOptions, client: string, event: 'pre' | 'post'): string {
  const program = platform === 'win32' ? `"${launcher}"` : `'${launcher.replaceAll("'", `'\\''`)}'`;
  const line = `${program} hook --client ${client}`;
  return event === 'post' ? `${line} --event post` : `${line} --within ${WITHIN_SECONDS} || exit 2`;
}

function json(path: string, value: object): ManagedFile {
  return { path, content: `${JSON.stringify(value, undefined, 2)}\n` };
}
