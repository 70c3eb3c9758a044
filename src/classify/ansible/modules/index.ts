import { BUILTIN } from './builtin.js';
import { GENERAL } from './general.js';
import { CRYPTO, POSIX } from './system.js';
import type { Collection } from './types.js';
import { VMWARE } from './vmware.js';
import { ACTIVE_DIRECTORY, CHOCOLATEY, COMMUNITY_WINDOWS, WINDOWS } from './windows.js';

/** What is known of a module: `predicts` changes its host, but not with `--check`. */
export type Label = 'read_only' | 'predicts' | 'mutating' | 'depends';

/** A module by its full name. */
export interface Module {
  readonly name: string;
  readonly label: Label;
}

const COLLECTIONS: readonly Collection[] = [
  BUILTIN,
  WINDOWS,
  COMMUNITY_WINDOWS,
  ACTIVE_DIRECTORY,
  CHOCOLATEY,
  GENERAL,
  VMWARE,
  POSIX,
  CRYPTO,
];
const LABELS: readonly Label[] = ['read_only', 'predicts', 'mutating', 'depends'];
const LOCAL = /^ansible\.(?:builtin|legacy)\./;

const byName = new Map<string, Module>();
const byShortName = new Map<string, Module[]>();
for (const collection of COLLECTIONS) addAll(collection);

/**
 * The module that a name stands for. A short name is the one of ansible.builtin, else the only one that ansible-core finds by it. Like any
 * program, a module is taken for what its name says: a file of that name beside the playbook is the operator's.
 */
export function findModule(name: string): Module | undefined {
  const local = name.replace(LOCAL, '');
  if (local.includes('.')) return byName.get(local);
  const builtin = byName.get(`${BUILTIN.name}.${local}`);
  if (builtin !== undefined || local !== name) return builtin ?? windowsAlias(name, local);
  const [only, ...others] = byShortName.get(local) ?? [];
  return others.length === 0 ? only : undefined;
}

/** Every module of one kind, by full name. */
export function modulesOf(label: Label): readonly string[] {
  return [...byName.values()].filter((module) => module.label === label).map((module) => module.name);
}

function addAll(collection: Collection): void {
  const unrouted = new Set(split(collection.unrouted));
  for (const label of LABELS) {
    for (const short of split(collection[label])) {
      const module = { name: `${collection.name}.${short}`, label };
      byName.set(module.name, module);
      if (!unrouted.has(short)) byShortName.set(short, [...(byShortName.get(short) ?? []), module]);
    }
  }
}

/** `ansible.builtin.win_shell` and the like are other names of modules of ansible.windows. */
function windowsAlias(name: string, local: string): Module | undefined {
  return name !== local && local.startsWith('win_') ? byName.get(`${WINDOWS.name}.${local}`) : undefined;
}

function split(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.split(/\s+/).filter((word) => word !== '');
}
