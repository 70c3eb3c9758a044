import { posix, win32 } from 'node:path';

/** The clients whose configs are known, by the names that `--client` takes. */
export const CLIENTS = [
  'claude-desktop',
  'claude-code',
  'vscode',
  'cursor',
  'opencode',
  'windsurf',
  'codex',
  'gemini',
  'copilot',
] as const;
export type ClientName = (typeof CLIENTS)[number];

/** As people call them. */
export const TITLES: Readonly<Record<ClientName, string>> = {
  'claude-desktop': 'Claude Desktop',
  'claude-code': 'Claude Code',
  vscode: 'VS Code',
  cursor: 'Cursor',
  opencode: 'OpenCode',
  windsurf: 'Windsurf',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  copilot: 'Copilot CLI',
};

/** Where in a file the servers stand: `mcpServers`; `claude` has them for each project too; `servers` is VS Code's; `mcp` is OpenCode's, in two forms; `codex` is TOML. */
export type Layout = 'mcpServers' | 'claude' | 'servers' | 'mcp' | 'codex';

/** A file that a client reads servers from, whether it is there or not. */
export interface Place {
  readonly client: ClientName;
  readonly scope: 'user' | 'project';
  readonly file: string;
  readonly layout: Layout;
}

/** What the places depend on; given as arguments so that every platform can be tested on each. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

/** Names in a directory that there may be several of: profiles, packages of the store. None where the directory is not there. */
export type ListNames = (dir: string) => readonly string[];

/** The user's own files of all clients, at their places for the platform. */
export function userPlaces(machine: Machine, list: ListNames): readonly Place[] {
  const { env, platform, home } = machine;
  const path = platform === 'win32' ? win32 : posix;
  const at = (client: ClientName, layout: Layout, ...parts: readonly string[]): Place => ({
    client,
    scope: 'user',
    file: path.join(...parts),
    layout,
  });
  const directory = (name: string) => {
    const value = env[name];
    return value !== undefined && path.isAbsolute(value) ? value : undefined;
  };
  const apps = appDirectory(machine, directory);
  const xdg = directory('XDG_CONFIG_HOME') ?? path.join(home, '.config');
  const custom = directory('OPENCODE_CONFIG');
  const openCode = [path.join(xdg, 'opencode'), directory('OPENCODE_CONFIG_DIR')].filter((dir) => dir !== undefined);
  return [
    ...claudeDesktop(machine, apps, directory('LOCALAPPDATA'), list).map((dir) =>
      at('claude-desktop', 'mcpServers', dir, 'claude_desktop_config.json'),
    ),
    at('claude-code', 'claude', directory('CLAUDE_CONFIG_DIR') ?? home, '.claude.json'),
    ...vsCode(path, apps, directory('VSCODE_PORTABLE'), list).map((dir) => at('vscode', 'servers', dir, 'mcp.json')),
    at('cursor', 'mcpServers', home, '.cursor', 'mcp.json'),
    ...openCode.flatMap((dir) =>
      ['opencode.json', 'opencode.jsonc', 'config.json'].map((name) => at('opencode', 'mcp', dir, name)),
    ),
    ...(custom === undefined ? [] : [at('opencode', 'mcp', custom)]),
    ...[['windsurf'], ['windsurf-next'], []].map((dir) =>
      at('windsurf', 'mcpServers', home, '.codeium', ...dir, 'mcp_config.json'),
    ),
    at('codex', 'codex', directory('CODEX_HOME') ?? path.join(home, '.codex'), 'config.toml'),
    at('gemini', 'mcpServers', directory('GEMINI_CLI_HOME') ?? home, '.gemini', 'settings.json'),
    at('copilot', 'mcpServers', directory('COPILOT_HOME') ?? path.join(home, '.copilot'), 'mcp-config.json'),
  ];
}

/** The files of a project, in each of its directories from the one that is open up to its root. */
export function projectPlaces(directories: readonly string[], platform: NodeJS.Platform): readonly Place[] {
  const path = platform === 'win32' ? win32 : posix;
  const own: readonly (readonly [ClientName, Layout, ...string[]])[] = [
    ['claude-code', 'mcpServers', '.mcp.json'],
    ['vscode', 'servers', '.vscode', 'mcp.json'],
    ['cursor', 'mcpServers', '.cursor', 'mcp.json'],
    ['opencode', 'mcp', 'opencode.json'],
    ['opencode', 'mcp', 'opencode.jsonc'],
    ['opencode', 'mcp', '.opencode', 'opencode.json'],
    ['opencode', 'mcp', '.opencode', 'opencode.jsonc'],
    ['codex', 'codex', '.codex', 'config.toml'],
    ['gemini', 'mcpServers', '.gemini', 'settings.json'],
    ['copilot', 'mcpServers', '.mcp.json'],
    ['copilot', 'mcpServers', '.github', 'mcp.json'],
  ];
  return directories.flatMap((dir) =>
    own.map(([client, layout, ...parts]): Place => {
      return { client, scope: 'project', file: path.join(dir, ...parts), layout };
    }),
  );
}

/**
 * The directories of the current project: from `cwd` up to the one that holds `.git`; `cwd` alone where there is none. Home is a project's root only
 * where it is `cwd` itself.
 */
export function projectDirectories(
  cwd: string,
  { home, platform }: Pick<Machine, 'home' | 'platform'>,
  exists: (path: string) => boolean,
): readonly string[] {
  const path = platform === 'win32' ? win32 : posix;
  const seen: string[] = [];
  for (let dir = cwd; ; dir = path.dirname(dir)) {
    if (dir === home && dir !== cwd) break;
    seen.push(dir);
    if (exists(path.join(dir, '.git'))) return seen;
    if (path.dirname(dir) === dir) break;
  }
  return [cwd];
}

type Directory = (name: string) => string | undefined;

function appDirectory({ platform, home }: Machine, directory: Directory): string {
  if (platform === 'win32') return directory('APPDATA') ?? win32.join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support');
  return directory('XDG_CONFIG_HOME') ?? posix.join(home, '.config');
}

/** On Windows the packaged application reads a directory of its own. */
function claudeDesktop(
  { platform, home }: Machine,
  apps: string,
  localAppData: string | undefined,
  list: ListNames,
): readonly string[] {
  if (platform !== 'win32') return [posix.join(apps, 'Claude')];
  const packages = win32.join(localAppData ?? win32.join(home, 'AppData', 'Local'), 'Packages');
  const own = list(packages).filter((name) => /^Claude_/i.test(name));
  return [
    win32.join(apps, 'Claude'),
    ...own.map((name) => win32.join(packages, name, 'LocalCache', 'Roaming', 'Claude')),
  ];
}

/** The default profile of each edition, and the profiles that the user made. */
function vsCode(path: typeof posix, apps: string, portable: string | undefined, list: ListNames): readonly string[] {
  const editions = ['Code', 'Code - Insiders', 'VSCodium'].map((name) => path.join(apps, name, 'User'));
  const users = portable === undefined ? editions : [path.join(portable, 'user-data', 'User'), ...editions];
  return users.flatMap((user) => {
    const profiles = path.join(user, 'profiles');
    return [user, ...list(profiles).map((name) => path.join(profiles, name))];
  });
}
