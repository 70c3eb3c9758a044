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
  /** `deny`: the client's shell may not start programs that reach other machines, and the hook refuses what slips through; `hook`: the hook alone, which pins. */
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
const ELSEWHERE = 'Other machines are reached through the MCP servers.';
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

/** Where root puts the settings of all Copilot clients, and hooks that no user turns off. */
const COPILOT: Readonly<Record<Platform, { readonly settings: string; readonly hooks: string }>> = {
  linux: { settings: '/etc/github-copilot/', hooks: '/etc/github-copilot/policy.d/' },
  darwin: { settings: '/Library/Application Support/GitHubCopilot/', hooks: '/etc/github-copilot/policy.d/' },
  win32: { settings: 'C:\\Program Files\\GitHubCopilot\\', hooks: 'C:\\ProgramData\\GitHub\\Copilot\\policy.d\\' },
};

/** The first two bind. The last two bring the entries to a user: `mcp-config.json` of Copilot CLI lies in `~/.copilot`, `mcp.json` is VS Code's. */
function copilot(options: ManagedOptions): readonly ManagedFile[] {
  const { platform } = options;
  const dirs = COPILOT[platform];
  const hook = (event: 'pre' | 'post') => {
    const line = hookLine(options, 'copilot', event);
    const command = platform === 'win32' ? { powershell: `& ${line}` } : { bash: line };
    return [
      {
        type: 'command',
        matcher: 'bash|powershell|write_bash|write_powershell',
        ...command,
        timeoutSec: WAITS_SECONDS,
      },
    ];
  };
  return [
    json(`${dirs.settings}managed-settings.json`, { allowedMcpServers: allowlist(options) }),
    json(`${dirs.hooks}zerto-rewind-proxy.json`, {
      version: 1,
      hooks: { preToolUse: hook('pre'), postToolUse: hook('post') },
    }),
    json('mcp-config.json', { mcpServers: entries(options, { type: 'local', tools: ['*'] }) }),
    json('mcp.json', { servers: entries(options, { type: 'stdio' }) }),
  ];
}

function codex(options: ManagedOptions): readonly ManagedFile[] {
  const { platform, launcher, servers, shell } = options;
  const dir = platform === 'win32' ? 'C:\\ProgramData\\OpenAI\\Codex\\' : '/etc/codex/';
  const rules = REMOTE.map((program) => ({
    pattern: [{ token: program }],
    decision: 'forbidden',
    justification: ELSEWHERE,
  }));
  const requirements = {
    mcp_servers: Object.fromEntries(servers.map((name) => [name, { identity: { command: launcher } }])),
    ...(shell === 'deny' && { rules: { prefix_rules: rules } }),
    features: { hooks: true },
  };
  const hook = (event: 'pre' | 'post') => [
    {
      matcher: 'Bash|write_stdin',
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
  linux: '/etc/gemini-cli/',
  darwin: '/Library/Application Support/GeminiCli/',
  win32: 'C:\\ProgramData\\gemini-cli\\',
};

/**
 * The definitions stand above a user's of the same name. Names that a user allows are added to `mcp.allowed`, so the policy denies the tools of every
 * other server: no setting and no option of a user stands above a policy of this place.
 */
function gemini(options: ManagedOptions): readonly ManagedFile[] {
  const { platform, servers } = options;
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
    hooksConfig: { enabled: true },
    hooks: { BeforeTool: hook('pre'), AfterTool: hook('post') },
  };
  const policy = { rule: geminiRules(options) };
  return [
    json(`${GEMINI[platform]}settings.json`, settings),
    {
      path: `${GEMINI[platform]}policies${platform === 'win32' ? '\\' : '/'}zerto-rewind-proxy.toml`,
      content: `${stringify(policy)}\n`,
    },
  ];
}

/** Where a person is there the client asks before a call, as it does on its own; without one the proxy's own policy decides. */
function geminiRules({ servers, shell }: ManagedOptions): readonly object[] {
  const own = (interactive: boolean, decision: string) =>
    servers.map((mcpName) => ({ toolName: '*', mcpName, decision, interactive, priority: 910 }));
  const remote = {
    toolName: 'run_shell_command',
    commandPrefix: REMOTE,
    decision: 'deny',
    priority: 900,
    denyMessage: ELSEWHERE,
  };
  return [
    { toolName: '*', mcpName: '*', decision: 'deny', priority: 900 },
    ...own(true, 'ask_user'),
    ...own(false, 'allow'),
    ...(shell === 'deny' ? [remote] : []),
  ];
}

/** Clients compare the whole command, word for word. */
function allowlist({ launcher, servers }: ManagedOptions): readonly object[] {
  return servers.map((name) => ({ serverCommand: [launcher, '--server', name] }));
}

function entries({ launcher, servers }: ManagedOptions, more: object): Readonly<Record<string, object>> {
  return Object.fromEntries(servers.map((name) => [name, { ...more, command: launcher, args: ['--server', name] }]));
}

/** A program that cannot be started, or that fails in another way, blocks too: clients let a command through on any code but 2. */
function hookLine({ platform, launcher, shell }: ManagedOptions, client: string, event: 'pre' | 'post'): string {
  const program = platform === 'win32' ? `"${launcher}"` : `'${launcher.replaceAll("'", `'\\''`)}'`;
  const line = `${program} hook --client ${client}`;
  if (event === 'post') return `${line} --event post`;
  return `${line}${shell === 'deny' ? ' --deny' : ''} --within ${WITHIN_SECONDS} || exit 2`;
}

function json(path: string, value: object): ManagedFile {
  return { path, content: `${JSON.stringify(value, undefined, 2)}\n` };
}
