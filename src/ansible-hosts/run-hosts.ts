import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { AnsibleRun } from '../domain/call.js';
import type { Machine, Meaning } from '../domain/target.js';
import { cannotTell } from './cannot-tell.js';
import type { Files } from './files.js';
import { type Host, type Inventory, LOCALHOST, thisMachine } from './inventory.js';
import { bySsh, machineOf, variablesOf } from './machines.js';
import { type Play, type PlaybookHosts, readPlaybook } from './playbook.js';
import type { AddedHost } from './playbook-tasks.js';
import { selectHosts, splitPattern } from './select-hosts.js';
import { absolute, type Place, type Settings } from './settings.js';
import { DECIDING } from './variables.js';
import { varsFiles } from './vars-files.js';

/** An inventory with the directories whose files give its hosts variables. */
export interface Loaded {
  readonly inventory: Inventory;
  readonly beside: readonly string[];
  /** What ansible-inventory printed: variables of groups are those of their hosts already. */
  readonly merged?: boolean | undefined;
}

/** What a run's hosts are found with. */
export interface RunContext {
  readonly place: Place;
  readonly files: Files;
  readonly settings: Settings;
  readonly loaded: Loaded;
  /** Where ssh(1) connects to for a host; absent where its configuration is not seen. */
  readonly ssh?: ((host: string) => Promise<Meaning>) | undefined;
}

/** Every machine that a run may reach, each once. Rejects with CannotTell where that cannot be known. */
export async function machinesOfRun(run: AnsibleRun, context: RunContext): Promise<readonly Machine[]> {
  const { loaded, place, files } = context;
  if (run.unclear !== undefined) cannotTell(run.unclear);
  if (run.connection !== undefined && /[^\w.]/.test(run.connection))
    cannotTell('the connection of the run cannot be read');
  refuseExtraVars(run.extraVars ?? []);
  const limit = run.limit === undefined ? undefined : await limitOf(run.limit, place, files);
  const sources = { ...loaded, files: varsFiles(files) };
  const machines = new Map<string, Machine>();
  const add = async (host: Host, playbookDir: string | undefined, connection: string | undefined): Promise<void> => {
    const variables = await variablesOf(host, { ...sources, playbookDir });
    const found = machineOf(host.name, variables, context.settings, connection);
    const { ssh } = context;
    const machine = found.ssh && ssh !== undefined ? await bySsh(found.machine, ssh) : found.machine;
    machines.set(JSON.stringify(machine), machine);
  };
  if (run.pattern !== undefined)
    // A command of its own takes the directory that it is started in for that of a playbook.
    for (const host of adHocHosts(loaded.inventory, run.pattern, limit)) await add(host, place.cwd, run.connection);
  for (const playbook of run.playbooks ?? []) {
    const hosts = await readFrom(playbook, context);
    for (const { host, directory, connection } of hostsOfPlaybook(hosts, loaded.inventory, limit, run.connection))
      await add(host, directory, connection);
  }
  return [...machines.values()];
}

/** This machine is listed where nothing else is, whatever the limit. */
function adHocHosts(inventory: Inventory, pattern: string, limit: readonly string[] | undefined): readonly Host[] {
  const hosts = selectHosts(inventory, splitPattern(pattern), limit);
  return hosts.length === 0 && LOCALHOST.includes(pattern) ? [thisMachine(pattern)] : hosts;
}

interface Reached {
  readonly host: Host;
  /** Of the playbook: files of variables beside it count. */
  readonly directory: string | undefined;
  readonly connection?: string | undefined;
}

function hostsOfPlaybook(
  { plays, delegates, added }: PlaybookHosts,
  inventory: Inventory,
  limit: readonly string[] | undefined,
  connection: string | undefined,
): readonly Reached[] {
  for (const host of added) addTo(inventory, host);
  inventory.reconcile();
  const counting = [...plays.flatMap(({ patterns }) => patterns), ...(limit ?? [])].some((each) => each.includes('['));
  if (added.length > 0 && counting) cannotTell('the playbook adds hosts, and its patterns count on their order');
  const ofPlay = (play: Play): readonly Reached[] =>
    selectHosts(inventory, play.patterns.flatMap(splitPattern), limit).map((host) => ({
      host,
      directory: play.directory,
      connection: play.connection ?? connection,
    }));
  const named = [...delegates, ...added.map(({ name }) => name)].map((name) => delegate(name, inventory));
  // Which play a task belongs to is not kept: it may be any of them.
  const directories = [...new Set(plays.map(({ directory }) => directory))];
  return [...plays.flatMap(ofPlay), ...named.flatMap((host) => directories.map((directory) => ({ host, directory })))];
}

/** Ansible adds it later than this: a host that is there already would leave and enter groups on the way. */
function addTo(inventory: Inventory, { name, groups, variables }: AddedHost): void {
  if (inventory.hosts.has(name) || inventory.groups.has(name))
    cannotTell('the playbook adds a host that the inventory has already');
  for (const group of groups.length === 0 ? ['ungrouped'] : groups) {
    inventory.addGroup(group);
    const host = inventory.addHost(name, group);
    for (const [key, value] of variables) inventory.setVariable(host, key, value);
  }
}

/** A host that a task names: of the inventory, this machine, or one of that name. */
function delegate(name: string, inventory: Inventory): Host {
  const known = inventory.hosts.get(name);
  if (known !== undefined) return known;
  if (LOCALHOST.includes(name)) return inventory.localhost(name);
  return { name, implicit: false, variables: new Map() };
}

async function readFrom(
  playbook: NonNullable<AnsibleRun['playbooks']>[number],
  { place, files, loaded }: RunContext,
): Promise<PlaybookHosts> {
  if ('path' in playbook) {
    const path = absolute(playbook.path, place.cwd, place);
    return readPlaybook(await files.read(path), { files, directory: dirname(path), home: place.home });
  }
  // Where the server writes the text is not known; wherever that is, files of variables beside it would count.
  for (const directory of [place.cwd, tmpdir()]) {
    if (loaded.beside.includes(directory)) continue;
    for (const name of ['group_vars', 'host_vars'])
      if ((await files.entry(join(directory, name))).kind !== 'none')
        cannotTell('files of variables lie where the playbook may be written to');
  }
  return readPlaybook(playbook.text, { files, home: place.home });
}

/** The single patterns of a limit; `@file` has one on each line. */
async function limitOf(limit: string, place: Place, files: Files): Promise<readonly string[]> {
  const found: string[] = [];
  for (const part of splitPattern(limit)) {
    if (!part.startsWith('@')) {
      found.push(part);
      continue;
    }
    const path = asGiven(part.slice(1), place);
    if ((await files.entry(path)).kind !== 'file') cannotTell('the file of the limit is not there');
    found.push(...(await files.read(path)).split('\n').map((line) => line.trim()));
  }
  return found;
}

/** Ansible opens the file of a limit as it is called: behind a link, `..` is not what the text says. */
function asGiven(path: string, place: Place): string {
  const plain = absolute(path, place.cwd, place);
  if (path.startsWith('~') || !path.split('/').includes('..')) return plain;
  return isAbsolute(path) ? path : `${place.cwd}/${path}`;
}

/** Variables for the run go before those of the inventory: none of them may say where a host is. */
function refuseExtraVars(values: readonly unknown[]): void {
  for (const value of values) {
    const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
    const fromFile = typeof value === 'string' && /(?:^|\s)@/.test(value);
    const hidden = typeof value === 'string' ? value.includes('\\') : /\\u/.test(text);
    if (fromFile || hidden || DECIDING.some((name) => text.includes(name)))
      cannotTell('variables for the run may say where hosts are');
  }
}
