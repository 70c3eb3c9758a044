import { dirname, extname, isAbsolute, join } from 'node:path';
import { cannotTell } from './cannot-tell.js';
import type { Files } from './files.js';
import { type AddedHost, findInTasks, literal, refuseDeciding, refusePort, type TaskFinds } from './playbook-tasks.js';
import { member, readTopLevel, readTree, type Tree } from './read-yaml.js';
import { refusePlugins } from './settings.js';
import { isDeciding } from './variables.js';

/** The hosts that a playbook asks for: those of each play, as patterns, and those that its tasks name beside them. */
export interface PlaybookHosts {
  readonly plays: readonly Play[];
  readonly delegates: ReadonlySet<string>;
  readonly added: readonly AddedHost[];
}

export interface Play {
  /** Each is split further by whoever matches it. */
  readonly patterns: readonly string[];
  /** Of the file that the play stands in; its variables are those beside that file, also where another one imports it. */
  readonly directory?: string | undefined;
  readonly connection?: string | undefined;
}

/** Where a playbook stands; of one that a call holds as text it is not known, and what it names cannot be found. */
interface Standing {
  readonly files: Files;
  readonly directory?: string | undefined;
  readonly home: string;
}

const MAX_FILES = 300;
const TASKS: readonly string[] = ['tasks', 'pre_tasks', 'post_tasks', 'handlers'];
const YAML: readonly string[] = ['', '.yml', '.yaml', '.json'];

/** Reads a playbook, and every file and role that it names, as data. What a template would decide cannot be told. */
export async function readPlaybook(source: string, standing: Standing): Promise<PlaybookHosts> {
  const reader = new PlaybookReader(standing);
  await reader.playbook(source, standing.directory);
  return reader;
}

class PlaybookReader implements PlaybookHosts {
  readonly plays: Play[] = [];
  readonly delegates = new Set<string>();
  readonly added: AddedHost[] = [];
  readonly #files: Files;
  readonly #home: string;
  readonly #root: string | undefined;
  readonly #read = new Set<string>();
  /** Names without a collection may be of one. */
  #collections = false;

  constructor({ files, home, directory }: Standing) {
    this.#files = files;
    this.#home = home;
    this.#root = directory;
  }

  async playbook(source: string, directory: string | undefined): Promise<void> {
    if (directory !== undefined) await refusePlugins([directory], this.#files);
    for (const play of listOf(source)) {
      if (play.kind !== 'map') cannotTell('a play of the playbook cannot be read');
      else await this.#play(play, directory);
    }
  }

  async #play(play: Tree & { readonly kind: 'map' }, directory: string | undefined): Promise<void> {
    const imported = member(play, 'import_playbook') ?? member(play, 'ansible.builtin.import_playbook');
    if (imported === undefined) this.plays.push({ ...playOf(play), directory });
    else await this.#import(this.#path(literal(imported, 'a playbook'), directory));
    const finds = this.#finds();
    for (const [key, value] of play.entries) findInPlay(key, value, finds);
    this.#collections ||= namesCollections(play);
    await this.#follow(finds, directory === undefined ? [] : [directory]);
  }

  async #import(path: string): Promise<void> {
    const text = await this.#once(path);
    if (text !== undefined) await this.playbook(text, dirname(path));
  }

  /** `bases`: the directories that a file may be taken from; all that are there count. */
  async #follow({ taskFiles, roles, varsFiles }: TaskFinds, bases: readonly string[]): Promise<void> {
    const around = [...new Set([...bases, ...(this.#root === undefined ? [] : [this.#root])])];
    for (const file of varsFiles)
      for (const path of await this.#find(file, around, ['vars', '.'])) await this.#variables(path);
    for (const file of taskFiles)
      for (const path of await this.#find(file, around, ['tasks', '.']))
        await this.#tasks(path, [dirname(path), ...bases]);
    for (const role of roles) await this.#role(role, around);
  }

  async #tasks(path: string, bases: readonly string[]): Promise<void> {
    const text = await this.#once(path);
    if (text === undefined) return;
    const finds = this.#finds();
    findInTasks({ kind: 'list', items: listOf(text) }, finds);
    await this.#follow(finds, bases);
  }

  async #role(role: string, bases: readonly string[]): Promise<void> {
    if (this.#collections || !/^[\w-]+$/.test(role)) cannotTell('a role of the playbook is not one beside it');
    const places = [...bases.flatMap((base) => [join(base, 'roles'), base]), join(this.#home, '.ansible/roles')];
    const paths = [...places, '/usr/share/ansible/roles', '/etc/ansible/roles'].map((place) => join(place, role));
    const found: string[] = [];
    for (const path of new Set(paths)) if ((await this.#files.entry(path)).kind === 'directory') found.push(path);
    if (found.length === 0) cannotTell('a role of the playbook is not where it is looked for');
    for (const path of found) if (!this.#read.has(path)) await this.#roleIn(path);
  }

  async #roleIn(directory: string): Promise<void> {
    this.#read.add(directory);
    await refusePlugins([directory], this.#files);
    for (const path of await this.#yamlIn(join(directory, 'meta'))) {
      const meta = treesOf(await this.#files.read(path));
      this.#collections ||= meta.some(namesCollections);
      for (const role of dependenciesIn(meta)) await this.#role(role, [dirname(dirname(directory))]);
    }
    for (const part of ['tasks', 'handlers'].map((name) => join(directory, name)))
      for (const path of await this.#yamlIn(part)) await this.#tasks(path, [dirname(path), part, directory]);
    for (const part of ['vars', 'defaults'].map((name) => join(directory, name)))
      for (const path of await this.#yamlIn(part)) await this.#variables(path);
  }

  async #yamlIn(directory: string, depth = 0): Promise<readonly string[]> {
    if ((await this.#files.entry(directory)).kind !== 'directory') return [];
    if (depth > 10) cannotTell('the files of a role lie too deep');
    const found: string[] = [];
    for (const name of await this.#files.list(directory)) {
      const path = join(directory, name);
      const { kind } = await this.#files.entry(path);
      if (kind === 'directory') found.push(...(await this.#yamlIn(path, depth + 1)));
      else if (YAML.includes(extname(name))) found.push(path);
    }
    return found;
  }

  async #variables(path: string): Promise<void> {
    const read = readTopLevel(await this.#files.read(path), isDeciding);
    if (read.kind === 'unreadable') cannotTell(`a file of variables of the playbook cannot be read: ${read.why}`);
    else if (read.entries.length > 0) cannotTell('the playbook says by itself where hosts are');
  }

  async #find(name: string, bases: readonly string[], within: readonly string[]): Promise<readonly string[]> {
    const paths = isAbsolute(name) ? [name] : bases.flatMap((base) => within.map((part) => join(base, part, name)));
    const found: string[] = [];
    for (const path of new Set(paths)) if ((await this.#files.entry(path)).kind === 'file') found.push(path);
    return found.length > 0 ? found : cannotTell('a file that the playbook goes on in is not seen');
  }

  async #once(path: string): Promise<string | undefined> {
    if (this.#read.has(path)) return undefined;
    this.#read.add(path);
    if (this.#read.size > MAX_FILES) cannotTell('the playbook goes on in too many files');
    return this.#files.read(path);
  }

  #path(name: string, directory: string | undefined): string {
    if (isAbsolute(name)) return name;
    return directory === undefined ? cannotTell('a playbook that it goes on in is not seen') : join(directory, name);
  }

  #finds(): TaskFinds {
    return {
      delegates: this.delegates,
      added: this.added,
      taskFiles: new Set(),
      roles: new Set(),
      varsFiles: new Set(),
    };
  }
}

function findInPlay(key: string, value: Tree, finds: TaskFinds): void {
  if (TASKS.includes(key)) findInTasks(value, finds);
  else if (key === 'roles') for (const role of rolesIn(value)) finds.roles.add(role);
  else if (key === 'vars_files') for (const file of textsIn(value, 'a file of variables')) finds.varsFiles.add(file);
  else refuseDeciding({ kind: 'map', entries: [[key, value]] });
}

/** Whether roles and modules of a play or role are looked for in collections first; those that ansible always has do not count. */
function namesCollections(tree: Tree): boolean {
  const named = textsIn(member(tree, 'collections') ?? { kind: 'null' }, 'a collection');
  return named.some((name) => !/^ansible\.(?:builtin|legacy)$/.test(name));
}

function dependenciesIn(meta: readonly Tree[]): readonly string[] {
  const dependencies = meta.map((root) => member(root, 'dependencies'));
  return dependencies.flatMap((each) => (each === undefined ? [] : rolesIn(each)));
}

function playOf(play: Tree): Play {
  const connection = member(play, 'connection');
  const patterns = textsIn(member(play, 'hosts') ?? { kind: 'null' }, 'the hosts of a play');
  if (patterns.length === 0) cannotTell('a play of the playbook names no hosts');
  refusePort(play);
  return { patterns, ...(connection !== undefined && { connection: literal(connection, 'a connection') }) };
}

function textsIn(tree: Tree, what: string): readonly string[] {
  if (tree.kind === 'null') return [];
  if (tree.kind === 'list') return tree.items.flatMap((item) => textsIn(item, what));
  return [literal(tree, what)];
}

function rolesIn(tree: Tree): readonly string[] {
  if (tree.kind === 'null') return [];
  if (tree.kind !== 'list') return cannotTell('the roles of the playbook cannot be read');
  return tree.items.map((item) => {
    if (item.kind !== 'map') return literal(item, 'a role');
    if (item.entries.some(([key]) => ['delegate_to', 'connection', 'port'].includes(key)))
      cannotTell('a role of the playbook runs elsewhere');
    refuseDeciding(item);
    return literal(member(item, 'role') ?? member(item, 'name') ?? member(item, 'src'), 'a role');
  });
}

function listOf(text: string): readonly Tree[] {
  return treesOf(text).flatMap((root) => {
    if (root.kind === 'null') return [];
    return root.kind === 'list' ? root.items : cannotTell('the playbook, or a file of tasks, is no list');
  });
}

function treesOf(text: string): readonly Tree[] {
  const read = readTree(text);
  return read.kind === 'read' ? read.trees : cannotTell(`the playbook cannot be read: ${read.why}`);
}
