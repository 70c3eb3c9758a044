import { isAbsolute, join, normalize } from 'node:path';
import { cannotTell } from './cannot-tell.js';
import type { Files } from './files.js';
import { DEFAULT_INVENTORY } from './load-inventory.js';

/** Where ansible is started: paths are taken from `cwd`, `~` is `home`. */
export interface Place {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What ansible's own configuration says of hosts and connections. */
export interface Settings {
  /** Of a run that names none. */
  readonly inventories: readonly string[];
  readonly transport?: string | undefined;
  /** Options of ssh for every host, by the variable that takes their place. */
  readonly ssh: Readonly<Record<string, string | undefined>>;
}

/** Settings that change which hosts an inventory has or what their variables are: nothing of that is read here. */
const CHANGING: readonly (readonly [section: string, key: string, variable: string])[] = [
  ['defaults', 'precedence', 'ANSIBLE_PRECEDENCE'],
  ['defaults', 'inventory_ignore_extensions', 'ANSIBLE_INVENTORY_IGNORE'],
  ['defaults', 'inventory_ignore_patterns', 'ANSIBLE_INVENTORY_IGNORE_REGEX'],
  ['inventory', 'ignore_extensions', 'ANSIBLE_INVENTORY_IGNORE'],
  ['inventory', 'ignore_patterns', 'ANSIBLE_INVENTORY_IGNORE_REGEX'],
  ['inventory', 'enable_plugins', 'ANSIBLE_INVENTORY_ENABLED'],
  ['defaults', 'inventory_plugins', 'ANSIBLE_INVENTORY_PLUGINS'],
  ['defaults', 'vars_plugins', 'ANSIBLE_VARS_PLUGINS'],
  ['defaults', 'vars_plugins_enabled', 'ANSIBLE_VARS_ENABLED'],
  ['defaults', 'run_vars_plugins', 'ANSIBLE_RUN_VARS_PLUGINS'],
  ['defaults', 'connection_plugins', 'ANSIBLE_CONNECTION_PLUGINS'],
  ['defaults', 'playbook_vars_root', 'ANSIBLE_PLAYBOOK_VARS_ROOT'],
  ['defaults', 'yaml_valid_extensions', 'ANSIBLE_YAML_FILENAME_EXT'],
  ['defaults', 'playbook_dir', 'ANSIBLE_PLAYBOOK_DIR'],
  ['defaults', 'remote_port', 'ANSIBLE_REMOTE_PORT'],
  ['defaults', 'roles_path', 'ANSIBLE_ROLES_PATH'],
  ['defaults', 'playbook_dir', 'ANSIBLE_PLAYBOOK_DIR'],
  ['defaults', 'home', 'ANSIBLE_HOME'],
  ['paramiko_connection', 'proxy_command', 'ANSIBLE_PARAMIKO_PROXY_COMMAND'],
  ['vars_host_group_vars', 'stage', 'ANSIBLE_VARS_PLUGIN_STAGE'],
];
const RENAMES: readonly string[] = ['always', 'silently'];
const PLUGINS: readonly string[] = ['inventory', 'vars', 'connection'];

const SSH: readonly (readonly [key: string, environment: string, variable: string])[] = [
  ['ssh_args', 'ANSIBLE_SSH_ARGS', 'ansible_ssh_args'],
  ['ssh_common_args', 'ANSIBLE_SSH_COMMON_ARGS', 'ansible_ssh_common_args'],
  ['ssh_extra_args', 'ANSIBLE_SSH_EXTRA_ARGS', 'ansible_ssh_extra_args'],
  ['ssh_executable', 'ANSIBLE_SSH_EXECUTABLE', 'ansible_ssh_executable'],
  ['scp_extra_args', 'ANSIBLE_SCP_EXTRA_ARGS', 'ansible_scp_extra_args'],
  ['sftp_extra_args', 'ANSIBLE_SFTP_EXTRA_ARGS', 'ansible_sftp_extra_args'],
  ['scp_executable', 'ANSIBLE_SCP_EXECUTABLE', 'ansible_scp_executable'],
  ['sftp_executable', 'ANSIBLE_SFTP_EXECUTABLE', 'ansible_sftp_executable'],
  ['control_path', 'ANSIBLE_SSH_CONTROL_PATH', 'ansible_control_path'],
];

/** Reads the first of ansible's configuration files that is there, and the environment that goes before it. */
export async function readSettings(place: Place, files: Files): Promise<Settings> {
  const path = await configPath(place, files);
  const config = path === undefined ? new Map<string, string>() : parseConfig(await files.read(path));
  const setting = (section: string, key: string, variable: string): string | undefined =>
    place.env[variable] ?? config.get(`${section}.${key}`);
  const changed = CHANGING.find((each) => setting(...each) !== undefined);
  if (changed !== undefined) cannotTell(`ansible's own setting "${changed[1]}" changes what an inventory means`);
  if (RENAMES.includes(setting('defaults', 'force_valid_group_names', 'ANSIBLE_TRANSFORM_INVALID_GROUP_CHARS') ?? ''))
    cannotTell('ansible\'s own setting "force_valid_group_names" changes what an inventory means');
  await refusePlugins([join(place.home, '.ansible/plugins'), '/usr/share/ansible/plugins'], files);
  return {
    inventories: inventories(place, config.get('defaults.inventory'), path),
    transport: setting('defaults', 'transport', 'ANSIBLE_TRANSPORT'),
    ssh: Object.fromEntries(
      SSH.map(([key, environment, variable]) => [variable, setting('ssh_connection', key, environment)]),
    ),
  };
}

/** Plugins of one's own are loaded by themselves, and may give hosts and variables that nothing here sees. */
export async function refusePlugins(directories: readonly string[], files: Files): Promise<void> {
  const paths = directories.flatMap((directory) =>
    PLUGINS.flatMap((kind) => [join(directory, kind), join(directory, `${kind}_plugins`)]),
  );
  for (const path of paths) {
    const names = (await files.entry(path)).kind === 'directory' ? await files.list(path) : [];
    if (names.some((name) => name.endsWith('.py')))
      cannotTell('plugins of its own change what ansible takes for hosts');
  }
}

/** A path as ansible takes it: `~` and a relative one are resolved, a variable in it is not. */
export function absolute(path: string, base: string, { home }: Pick<Place, 'home'>): string {
  if (/\$|^~[^/]/.test(path) && path !== '~') return cannotTell('a path has a variable or the home of a user in it');
  const expanded = path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
  return normalize(isAbsolute(expanded) ? expanded : join(base, expanded)).replace(/(?<=.)\/+$/, '');
}

function inventories(place: Place, configured: string | undefined, path: string | undefined): readonly string[] {
  const fromEnvironment = place.env['ANSIBLE_INVENTORY'];
  const value = fromEnvironment ?? configured;
  if (value === undefined) return [DEFAULT_INVENTORY];
  const base = fromEnvironment === undefined && path !== undefined ? join(path, '..') : place.cwd;
  const items = value.split(',').map((item) => item.trim());
  if (items.some((item) => item === '' || /["'{\n]/.test(item)))
    cannotTell("ansible's own inventory setting cannot be read");
  return items.map((item) => absolute(item, base, place));
}

async function configPath(place: Place, files: Files): Promise<string | undefined> {
  const candidates: string[] = [];
  const named = place.env['ANSIBLE_CONFIG'];
  if (named !== undefined) {
    const path = absolute(named, place.cwd, place);
    candidates.push((await files.entry(path)).kind === 'directory' ? join(path, 'ansible.cfg') : path);
  }
  const cwd = await files.entry(place.cwd);
  if (cwd.kind !== 'directory')
    cannotTell('the directory that ansible is started in is not there, as far as this machine can see');
  if (!cwd.open) candidates.push(join(place.cwd, 'ansible.cfg'));
  candidates.push(join(place.home, '.ansible.cfg'), '/etc/ansible/ansible.cfg');
  for (const path of candidates) {
    const { kind } = await files.entry(path);
    if (kind === 'file') return path;
    if (kind !== 'none') cannotTell("ansible's own configuration is no ordinary file");
  }
  return undefined;
}

/** `section.key` to value, as Python's configparser reads it. A key that stands twice cannot be told. */
function parseConfig(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let section = '';
  let last = '';
  for (const raw of text.split(/\r\n|\r|\n/)) {
    if (/^\s*(?:[#;]|$)/.test(raw)) continue;
    const line = raw.replace(/(?:^|\s);.*$/, '').trimEnd();
    const [, header] = /^\[([^\]]+)\]/.exec(line) ?? [];
    if (header !== undefined) section = header;
    else if (/^\s/.test(raw)) found.set(last, `${found.get(last) ?? ''}\n${line.trim()}`);
    else last = addSetting(section, line, found);
  }
  return found;
}

function addSetting(section: string, line: string, found: Map<string, string>): string {
  const [, key, value = ''] = /^([^\s=:][^=:]*?)\s*[=:]\s*(.*)$/.exec(line) ?? [];
  const name = `${section}.${key?.toLowerCase() ?? ''}`;
  if (key === undefined || found.has(name)) cannotTell("ansible's own configuration cannot be read");
  found.set(name, value);
  return name;
}
