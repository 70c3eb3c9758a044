import { expect, test } from 'vitest';
import { projectDirectories, projectPlaces, userPlaces } from '../../src/clients/places.js';
import { verifies } from '../e2e/requirements.js';

const filesOf = (...[machine, list = () => []]: Parameters<typeof userPlaces> | [Parameters<typeof userPlaces>[0]]) =>
  userPlaces(machine, list).map(({ client, file }) => `${client} ${file}`);

test(`${verifies('F-4')} the user's places on each platform`, () => {
  const linux = filesOf({ env: {}, platform: 'linux', home: '/home/me' });
  expect(linux).toEqual(
    expect.arrayContaining([
      'claude-desktop /home/me/.config/Claude/claude_desktop_config.json',
      'claude-code /home/me/.claude.json',
      'vscode /home/me/.config/Code/User/mcp.json',
      'cursor /home/me/.cursor/mcp.json',
      'opencode /home/me/.config/opencode/opencode.json',
      'opencode /home/me/.config/opencode/opencode.jsonc',
      'windsurf /home/me/.codeium/windsurf/mcp_config.json',
      'codex /home/me/.codex/config.toml',
      'gemini /home/me/.gemini/settings.json',
      'copilot /home/me/.copilot/mcp-config.json',
    ]),
  );
  const mac = filesOf({ env: {}, platform: 'darwin', home: '/Users/me' });
  expect(mac).toEqual(
    expect.arrayContaining([
      'claude-desktop /Users/me/Library/Application Support/Claude/claude_desktop_config.json',
      'vscode /Users/me/Library/Application Support/Code/User/mcp.json',
      'opencode /Users/me/.config/opencode/opencode.json',
      'codex /Users/me/.codex/config.toml',
    ]),
  );
  const packages = 'D:\\Local\\Packages';
  const windows = filesOf(
    { env: { APPDATA: 'D:\\Roaming', LOCALAPPDATA: 'D:\\Local' }, platform: 'win32', home: 'C:\\Users\\me' },
    (dir) => (dir === packages ? ['Claude_abc', 'Other'] : dir.endsWith('Code\\User\\profiles') ? ['-1a2b'] : []),
  );
  expect(windows).toEqual(
    expect.arrayContaining([
      'claude-desktop D:\\Roaming\\Claude\\claude_desktop_config.json',
      'claude-desktop D:\\Local\\Packages\\Claude_abc\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json',
      'claude-code C:\\Users\\me\\.claude.json',
      'vscode D:\\Roaming\\Code\\User\\mcp.json',
      'vscode D:\\Roaming\\Code\\User\\profiles\\-1a2b\\mcp.json',
      'cursor C:\\Users\\me\\.cursor\\mcp.json',
      'codex C:\\Users\\me\\.codex\\config.toml',
    ]),
  );
  expect(windows.some((file) => file.includes('Other'))).toBe(false);
});

test('the environment moves places, a relative path does not', () => {
  const env = {
    CLAUDE_CONFIG_DIR: '/c',
    CODEX_HOME: '/x',
    XDG_CONFIG_HOME: '/g',
    OPENCODE_CONFIG: 'rel',
    GEMINI_CLI_HOME: '..',
  };
  const files = filesOf({ env, platform: 'linux', home: '/home/me' });
  expect(files).toEqual(
    expect.arrayContaining(['claude-code /c/.claude.json', 'codex /x/config.toml', 'vscode /g/Code/User/mcp.json']),
  );
  expect(files).toContain('gemini /home/me/.gemini/settings.json');
  expect(files.filter((file) => file.includes('rel'))).toEqual([]);
});

test('a project goes up to its root, and home is none', () => {
  const roots = new Set(['/home/me/app/.git', '/home/me/.git']);
  const directories = (cwd: string) =>
    projectDirectories(cwd, { home: '/home/me', platform: 'linux' }, (path) => roots.has(path));
  expect(directories('/home/me/app/a/b')).toEqual(['/home/me/app/a/b', '/home/me/app/a', '/home/me/app']);
  expect(directories('/home/me/loose/a')).toEqual(['/home/me/loose/a']);
  expect(directories('/home/me')).toEqual(['/home/me']);
  expect(directories('/srv/x')).toEqual(['/srv/x']);
  expect(projectPlaces(['C:\\app'], 'win32').map(({ file }) => file)).toEqual([
    'C:\\app\\.mcp.json',
    'C:\\app\\.vscode\\mcp.json',
    'C:\\app\\.cursor\\mcp.json',
    'C:\\app\\opencode.json',
    'C:\\app\\opencode.jsonc',
    'C:\\app\\.opencode\\opencode.json',
    'C:\\app\\.opencode\\opencode.jsonc',
    'C:\\app\\.codex\\config.toml',
    'C:\\app\\.gemini\\settings.json',
    'C:\\app\\.mcp.json',
    'C:\\app\\.github\\mcp.json',
  ]);
});
