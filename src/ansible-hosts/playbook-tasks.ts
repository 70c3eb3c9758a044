import { cannotTell } from './cannot-tell.js';
import { member, type Tree } from './read-yaml.js';
import { variableOf } from './read-yaml-inventory.js';
import { splitWords } from './split-words.js';
import { DECIDING, isDeciding, textValue, type Value } from './variables.js';

/** A host that a task adds to the inventory. */
export interface AddedHost {
  readonly name: string;
  readonly groups: readonly string[];
  readonly variables: ReadonlyMap<string, Value>;
}

/** What is found in tasks: where else they go, and the files and roles that they go on in, as they name them. */
export interface TaskFinds {
  readonly delegates: Set<string>;
  readonly added: AddedHost[];
  readonly taskFiles: Set<string>;
  readonly roles: Set<string>;
  readonly varsFiles: Set<string>;
}

const MAX_DEPTH = 30;
const BLOCKS: readonly string[] = ['block', 'rescue', 'always'];
const ELSEWHERE: readonly string[] = ['delegate_to', 'connection', 'port'];
const INCLUDED_TASKS: readonly string[] = ['include_tasks', 'import_tasks', 'include'];
const INCLUDED_ROLES: readonly string[] = ['include_role', 'import_role'];

/** Looks for everything in a list of tasks that leads to other hosts than those of its play. */
export function findInTasks(tasks: Tree, finds: TaskFinds, depth = 0): void {
  if (tasks.kind === 'null') return;
  if (tasks.kind !== 'list' || depth > MAX_DEPTH) cannotTell('the tasks of the playbook cannot be read');
  else for (const task of tasks.items) findInTask(task, finds, depth);
}

function findInTask(task: Tree, finds: TaskFinds, depth: number): void {
  if (task.kind !== 'map') cannotTell('the tasks of the playbook cannot be read');
  for (const [key, value] of task.entries) {
    if (BLOCKS.includes(key)) findInTasks(value, finds, depth + 1);
    else if (ELSEWHERE.includes(key)) findElsewhere(key, value, finds);
    else if (key === 'local_action' || key === 'action') findInOldForm(key, value, task, finds);
    else findInModule(key, value, member(task, 'args'), finds);
  }
}

/** A connection `local` runs on the controller; any other may undo what play, command line or configuration say of the host's own. */
function findElsewhere(key: string, value: Tree, finds: TaskFinds): void {
  if (key === 'port') cannotTell(PORT);
  else if (key === 'delegate_to') finds.delegates.add(literal(value, 'the host of "delegate_to"'));
  else if (!/^(?:ansible\.(?:builtin|legacy)\.)?local$/.test(literal(value, 'a connection')))
    cannotTell('a task of the playbook has a connection of its own');
  else finds.delegates.add('localhost');
}

/** `action: add_host name=h`, `action: { module: add_host, name: h }`; `local_action` runs on the controller. */
function findInOldForm(key: string, value: Tree, task: Tree, finds: TaskFinds): void {
  if (key === 'local_action') finds.delegates.add('localhost');
  if (value.kind === 'scalar') {
    const [, module = '', rest = ''] = /^\s*(\S+)\s*([\s\S]*)$/.exec(literal(value, 'a module')) ?? [];
    findInModule(module, { kind: 'scalar', text: rest, value: textValue(rest) }, member(task, 'args'), finds);
    return;
  }
  findInModule(literal(member(value, 'module'), 'a module'), value, member(task, 'args'), finds);
}

function findInModule(name: string, value: Tree, more: Tree | undefined, finds: TaskFinds): void {
  const module = name.replace(/^ansible\.(?:builtin|legacy)\./, '');
  if (/\{[{%#]/.test(module)) cannotTell('a key of the playbook is a template');
  // What a template makes of them may be any argument, and with "set_fact" any variable.
  if (['args', 'set_fact'].includes(module) && value.kind === 'scalar' && TEMPLATE.test(value.text ?? ''))
    cannotTell('arguments of a task are a template');
  if (isDeciding(module)) cannotTell(BY_ITSELF);
  if (module === 'add_host') finds.added.push(addedHost(value, more));
  else if (module === 'group_by') cannotTell('the playbook makes groups of what it finds on its hosts');
  else if (module === 'meta') refuseRefresh(value);
  else if (/^(?:include|import)/.test(module)) findIncluded(module, value, more, finds);
  else refuseDeciding({ kind: 'map', entries: [[name, value]] });
}

function findIncluded(module: string, value: Tree, more: Tree | undefined, finds: TaskFinds): void {
  const given = [value, ...(more === undefined ? [] : [more])];
  if (given.some((each) => member(each, 'apply') !== undefined))
    cannotTell('what the playbook includes gets keywords from outside');
  for (const each of given) refuseDeciding(each);
  const file = value.kind === 'map' ? member(value, 'file') : value;
  if (INCLUDED_TASKS.includes(module)) finds.taskFiles.add(literal(file, 'a file of tasks'));
  else if (INCLUDED_ROLES.includes(module))
    finds.roles.add(literal(member(value, 'name') ?? member(value, 'role'), 'a role'));
  else if (module === 'include_vars') finds.varsFiles.add(literal(file, 'a file of variables'));
  else cannotTell('what the playbook includes is not known');
}

/** A host by its literal name. Variables that are no deciding ones do not matter. */
function addedHost(value: Tree, more: Tree | undefined): AddedHost {
  const given = new Map([...argumentsOf(value), ...(more === undefined ? [] : argumentsOf(more))]);
  const text = (...names: string[]): string | undefined => {
    const found = names.map((name) => given.get(name)).find((each) => each !== undefined);
    return found === undefined
      ? undefined
      : found.kind === 'text'
        ? found.text
        : cannotTell('the host of "add_host" is a template');
  };
  const name = text('name', 'host', 'hostname') ?? cannotTell('the host of "add_host" is not named');
  if (name.includes(':') || name.includes('[')) cannotTell('the host of "add_host" has a port, or is a range');
  const groups = (text('groups', 'group', 'groupname') ?? '').split(',').map((group) => group.trim());
  return {
    name,
    groups: groups.filter((group) => group !== ''),
    variables: new Map([...given].filter(([key]) => isDeciding(key))),
  };
}

function argumentsOf(tree: Tree): readonly (readonly [string, Value])[] {
  if (tree.kind === 'null') return [];
  if (tree.kind === 'map') return tree.entries.map(([key, value]) => [key, listed(value)] as const);
  return splitWords(literal(tree, 'the host of "add_host"')).map((word) => {
    const at = word.indexOf('=');
    return at < 1
      ? cannotTell('the arguments of "add_host" cannot be read')
      : [word.slice(0, at), textValue(word.slice(at + 1))];
  });
}

/** A list of groups stands for its items, joined. */
function listed(tree: Tree): Value {
  if (tree.kind !== 'list') return variableOf(tree);
  return textValue(tree.items.map((item) => literal(item, 'a group of "add_host"')).join(','));
}

function refuseRefresh(value: Tree): void {
  const text = value.kind === 'scalar' ? (value.text ?? '') : '';
  if (text === '' || /refresh|\{/.test(text)) cannotTell('the playbook reads its inventory anew on its way');
}

/** Behind one address each port may be another machine. */
export function refusePort(tree: Tree): void {
  if (member(tree, 'port') !== undefined) cannotTell(PORT);
}

const PORT = 'the playbook says by itself to which port its connections go';

/** Whether anything under a key sets a variable that decides where a host is. Reading one is no matter. */
export function refuseDeciding(tree: Tree, depth = 0): void {
  if (depth > MAX_DEPTH) cannotTell('the playbook is nested too deep');
  if (tree.kind === 'scalar' && sets(tree.text ?? '')) cannotTell(BY_ITSELF);
  if (tree.kind === 'map' && tree.entries.some(names)) cannotTell(BY_ITSELF);
  const inside = tree.kind === 'map' ? tree.entries.map(([, value]) => value) : tree.kind === 'list' ? tree.items : [];
  for (const each of inside) refuseDeciding(each, depth + 1);
}

/** Whether a key, or what stands under it, is the name of a deciding variable, or may be. */
function names([key, value]: readonly [string, Tree]): boolean {
  // Defaults for `add_host` put hosts into groups.
  if (isDeciding(key) || TEMPLATE.test(key) || /(?:^|\.)add_host$/.test(key)) return true;
  return NAMING.includes(key) && value.kind === 'scalar' && isDeciding(value.text ?? '');
}

const BY_ITSELF = 'the playbook says by itself where hosts are';
const TEMPLATE = /\{[{%#]/;

/** What stands under these keys becomes the name of a variable. */
const NAMING: readonly string[] = ['register', 'name', 'loop_var', 'index_var'];

function sets(text: string): boolean {
  return DECIDING.some((name) => new RegExp(`\\b${name}\\s*=(?!=)`).test(text));
}

/** The text of a value that stands there as it is meant. */
export function literal(tree: Tree | undefined, what: string): string {
  if (tree?.kind !== 'scalar' || tree.text === undefined) return cannotTell(`${what} cannot be read in the playbook`);
  return tree.value.kind === 'text' && tree.value.text !== ''
    ? tree.value.text
    : cannotTell(`${what} is a template, which nothing here renders`);
}
