import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ManagedClient } from '../../src/fleet/managed.js';
import type { Offered } from './speech.js';

/** The exact version of each, by its package. */
const VERSIONS = JSON.parse(readFileSync(join(import.meta.dirname, 'versions.json'), 'utf8')) as Readonly<
  Record<string, string>
>;

/** A server's entry, in the words that all clients share. */
export interface Entry {
  readonly command: string;
  readonly args: readonly string[];
}

/** What a client's files and options are made of. `home` is the user's, `project` the directory in which the client runs. */
export interface Place {
  readonly home: string;
  readonly project: string;
  /** The made-up model. */
  readonly url: string;
  /** A server that is not behind the proxy. */
  readonly direct: Entry;
}

/** Texts of files by their paths, from the user's home; `app/` is the project. */
export type Files = Readonly<Record<string, string>>;

/** How one client is driven without a person, an account and its makers' servers. */
export interface RealClient {
  readonly name: ManagedClient;
  readonly package: string;
  /** The file with the user's servers. */
  readonly file: string;
  readonly shell: RegExp;
  /** Whether that is the tool of this name of this server. */
  readonly isToolOf: (tool: Offered, server: string, name: string) => boolean;
  /** Arguments of its own shell. */
  readonly running: (command: string) => Readonly<Record<string, unknown>>;
  /** A user who has `ssh` as this entry, and the hook. */
  readonly user: (place: Place, entry: Entry, hook: (event: 'pre' | 'post') => string) => Files;
  /** A user who tries to get round what the administrator laid: other servers, other definitions, no hooks, all allowed. */
  readonly loose: (place: Place, managed: Entry) => Files;
  readonly env: (place: Place) => Readonly<Record<string, string>>;
  readonly args: readonly string[];
  /** Beside `args` in the user's own world, and in that of the loose user. */
  readonly freely?: readonly string[];
  readonly loosely?: readonly string[];
  /** Variables of the loose user's, beside `env`. */
  readonly looseEnv?: Readonly<Record<string, string>>;
}

const json = (value: object): string => JSON.stringify(value);

const claude: RealClient = {
  name: 'claude-code',
  package: '@anthropic-ai/claude-code',
  file: '.claude.json',
  shell: /^Bash$/,
  isToolOf: ({ name }, server, tool) => name === `mcp__${server}__${tool}`,
  running: (command) => ({ command, description: 'x' }),
  user: (_, entry, hook) => {
    const run = (event: 'pre' | 'post') => [
      { matcher: 'Bash|PowerShell', hooks: [{ type: 'command', command: hook(event), timeout: 120 }] },
    ];
    return {
      '.claude.json': json({ mcpServers: { ssh: { type: 'stdio', ...entry } } }),
      '.claude/settings.json': json({
        hooks: { PreToolUse: run('pre'), PostToolUse: run('post'), PostToolUseFailure: run('post') },
      }),
    };
  },
  loose: ({ direct }) => ({
    '.claude.json': json({ mcpServers: { ssh: { type: 'stdio', ...direct }, mine: { type: 'stdio', ...direct } } }),
    'app/.mcp.json': json({ mcpServers: { ssh: direct, ours: direct } }),
    'extra.json': json({ mcpServers: { extra: direct } }),
    '.claude/settings.json': json({
      disableAllHooks: true,
      enableAllProjectMcpServers: true,
      allowManagedMcpServersOnly: false,
      allowedMcpServers: [{ serverName: 'mine' }, { serverName: 'ours' }, { serverName: 'ssh' }],
      permissions: { allow: ['Bash', 'Bash(ssh:*)'], defaultMode: 'bypassPermissions' },
    }),
  }),
  env: ({ url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'made-up',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    ENABLE_TOOL_SEARCH: 'false',
    // Else the first turn begins before the servers are there.
    MCP_CONNECTION_NONBLOCKING: '0',
  }),
  args: ['-p', 'go', '--model', 'claude-sonnet-4-5', '--allowedTools', 'Bash', 'mcp__ssh__ssh_execute'],
  loosely: ['mcp__mine__ssh_execute', '--mcp-config', '../extra.json', '--settings', '{"disableAllHooks":true}'],
  looseEnv: { CLAUDE_CODE_MANAGED_SETTINGS_PATH: '/nowhere' },
};

const codexServer = (name: string, { command, args }: Entry): string =>
  `[mcp_servers.${name}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;
const codexConfig = ({ url, project }: Place): string => `model = "made-up"
model_provider = "made-up"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.made-up]
name = "made-up"
base_url = "${url}/v1"
wire_api = "responses"
[projects."${project}"]
trust_level = "trusted"
`;

const codex: RealClient = {
  name: 'codex',
  package: '@openai/codex',
  file: '.codex/config.toml',
  shell: /^exec_command$/,
  isToolOf: ({ name, namespace = '' }, server, tool) => name === tool && namespace.includes(server),
  running: (cmd) => ({ cmd }),
  user: (place, entry, hook) => {
    const run = (name: string, event: 'pre' | 'post') =>
      `[[hooks.${name}]]\nmatcher = "Bash"\n[[hooks.${name}.hooks]]\ntype = "command"\ncommand = ${JSON.stringify(hook(event))}\ntimeout = 120\n`;
    const hooks = run('PreToolUse', 'pre') + run('PostToolUse', 'post');
    return { '.codex/config.toml': `${codexConfig(place)}${codexServer('ssh', entry)}required = true\n${hooks}` };
  },
  loose: (place) => {
    const { direct } = place;
    const servers = codexServer('ssh', direct) + codexServer('mine', direct);
    return {
      '.codex/config.toml': `${codexConfig(place)}${servers}[features]\nhooks = false\n`,
      'app/.codex/config.toml': codexServer('ours', direct),
    };
  },
  env: () => ({}),
  args: ['exec', '--json', '--skip-git-repo-check', 'go'],
  freely: ['--dangerously-bypass-hook-trust'],
  loosely: [
    '--dangerously-bypass-approvals-and-sandbox',
    '--disable',
    'hooks',
    '-c',
    'hooks.PreToolUse=[]',
    '-c',
    'mcp_servers.ssh.command="/bin/false"',
  ],
};

const gemini: RealClient = {
  name: 'gemini',
  package: '@google/gemini-cli',
  file: '.gemini/settings.json',
  shell: /^run_shell_command$/,
  isToolOf: ({ name }, server, tool) => name === `mcp_${server}_${tool}`,
  running: (command) => ({ command }),
  user: (_, entry, hook) => {
    const run = (event: 'pre' | 'post') => [
      { matcher: 'run_shell_command', hooks: [{ type: 'command', command: hook(event), timeout: 120_000 }] },
    ];
    return {
      '.gemini/settings.json': json({
        security: { auth: { selectedType: 'gemini-api-key' } },
        mcpServers: { ssh: { ...entry, trust: true } },
        hooks: { BeforeTool: run('pre'), AfterTool: run('post') },
      }),
    };
  },
  loose: ({ direct }) => ({
    '.gemini/settings.json': json({
      security: { auth: { selectedType: 'gemini-api-key' }, disableYoloMode: false },
      mcp: { allowed: ['mine', 'ours', 'ssh', 'ssh_mine', 'ssh-mine'] },
      // A name that begins with the managed one: a policy that cuts the tool's name at the first underscore would take it for that.
      mcpServers: Object.fromEntries(
        ['ssh', 'mine', 'ssh_mine', 'ssh-mine'].map((name) => [name, { ...direct, trust: true }]),
      ),
      hooksConfig: { enabled: false },
      tools: { allowed: ['run_shell_command', 'mcp_mine_ssh_execute'] },
    }),
    'app/.gemini/settings.json': json({ mcpServers: { ours: { ...direct, trust: true } } }),
    '.gemini/policies/mine.toml':
      '[[rule]]\ntoolName = "*"\nmcpName = "*"\ndecision = "allow"\npriority = 999\n[[rule]]\ntoolName = "run_shell_command"\ndecision = "allow"\npriority = 999\n',
  }),
  env: ({ url }) => ({ GEMINI_API_KEY: 'made-up', GOOGLE_GEMINI_BASE_URL: url }),
  args: ['-p', 'go', '-m', 'gemini-2.5-pro', '--skip-trust'],
  freely: ['--yolo'],
  loosely: ['--allowed-tools', 'run_shell_command'],
};

const copilot: RealClient = {
  name: 'copilot',
  package: '@github/copilot',
  file: '.copilot/mcp-config.json',
  shell: /^bash$/,
  isToolOf: ({ name }, server, tool) => name === `${server}-${tool}`,
  running: (command) => ({ command, description: 'x' }),
  user: (_, entry, hook) => {
    const run = (event: 'pre' | 'post') => [
      { type: 'command', matcher: 'bash|powershell', bash: hook(event), timeoutSec: 120 },
    ];
    return {
      '.copilot/mcp-config.json': json({ mcpServers: { ssh: { type: 'local', ...entry, tools: ['*'] } } }),
      '.copilot/settings.json': json({ hooks: { preToolUse: run('pre'), postToolUse: run('post') } }),
    };
  },
  // This client has no place for servers that an administrator gives: the entry is the user's own, and may be the managed one alone.
  loose: ({ direct }, managed) => ({
    '.copilot/mcp-config.json': json({
      mcpServers: {
        ssh: { type: 'local', ...managed, tools: ['*'] },
        mine: { type: 'local', ...direct, tools: ['*'] },
      },
    }),
    'app/.mcp.json': json({ mcpServers: { ours: { type: 'local', ...direct, tools: ['*'] } } }),
    '.copilot/settings.json': json({ disableAllHooks: true }),
  }),
  env: ({ url }) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: 'made-up',
    COPILOT_MODEL: 'gpt-5.4',
    COPILOT_AUTO_UPDATE: 'false',
  }),
  args: ['-p', 'go', '--allow-all-tools'],
  loosely: ['--allow-all'],
};

/** All that can be driven so. */
export const REAL_CLIENTS: readonly RealClient[] = [claude, codex, gemini, copilot];

/** Where `npm run test:clients` installed them. */
const DIR = process.env['REWIND_CLIENTS'];

/** Why that client is not run, for a test's title; undefined where it is. Throws where another version than the wanted is there. */
export function whyNotRun({ package: name }: RealClient): string | undefined {
  if (DIR === undefined) return 'npm run test:clients installs it, about 1.1 GB for all, and runs this';
  const found = JSON.parse(readFileSync(join(DIR, 'node_modules', name, 'package.json'), 'utf8')) as {
    version: string;
  };
  if (found.version !== VERSIONS[name])
    throw new Error(`${name} ${found.version} is in ${DIR}, ${VERSIONS[name]} is wanted: npm run test:clients`);
  return undefined;
}

/** Its program, by a full path. */
export function programOf({ package: name }: RealClient): string {
  const file = join(DIR ?? '', 'node_modules', name, 'package.json');
  const { bin } = JSON.parse(readFileSync(file, 'utf8')) as { bin: string | Readonly<Record<string, string>> };
  const program = typeof bin === 'string' ? bin : (Object.values(bin)[0] ?? '');
  const path = join(dirname(file), program);
  if (!existsSync(path)) throw new Error(`${path} is not there`);
  return path;
}
