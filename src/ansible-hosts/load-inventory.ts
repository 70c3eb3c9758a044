import { dirname, extname, join } from 'node:path';
import { parseAddress } from './addresses.js';
import { CannotTell, cannotTell } from './cannot-tell.js';
import type { Files } from './files.js';
import { Inventory } from './inventory.js';
import { readIni } from './read-ini.js';
import { member, readTree, type Tree } from './read-yaml.js';
import { readYamlInventory } from './read-yaml-inventory.js';

/** Where an inventory is a program, or the settings of one: ansible would run it. */
export class NeedsRun extends CannotTell {}

/** Where ansible finds its hosts when nobody says where; that it is missing is nothing special. */
export const DEFAULT_INVENTORY = '/etc/ansible/hosts';

const YAML: readonly string[] = ['', '.yml', '.yaml', '.json'];
const IGNORED =
  /^(?:\.|host_vars$|group_vars$|vars_plugins$)|(?:\.(?:pyc|pyo|swp|bak|rpm|md|txt|rst|orig|ini|cfg|retry)|~)$/;
const MAX_DEPTH = 10;

/** Reads sources (absolute paths, or lists of hosts with a comma in them) as `-i` takes them, one after another into one inventory. */
export async function loadInventory(sources: readonly string[], files: Files): Promise<Inventory> {
  const inventory = new Inventory();
  for (const source of sources) await readSource(source, files, inventory, 0);
  inventory.reconcile();
  return inventory;
}

/** The directories whose files give variables to the hosts of these sources, in their order. */
export async function besideOf(sources: readonly string[], files: Files): Promise<readonly string[]> {
  const found: string[] = [];
  for (const source of sources) {
    const { kind } = await files.entry(source);
    if (kind !== 'none' || !source.includes(',')) found.push(kind === 'directory' ? source : dirname(source));
  }
  return found;
}

async function readSource(source: string, files: Files, inventory: Inventory, depth: number): Promise<void> {
  const { kind, executable } = await files.entry(source);
  if (kind === 'none' && source.includes(',')) {
    readList(source, inventory);
    return;
  }
  if (kind === 'none' && source === DEFAULT_INVENTORY) return;
  if (kind === 'none') cannotTell('an inventory is not there, as far as this machine can see');
  if (kind === 'other') cannotTell('an inventory is no ordinary file');
  if (kind === 'directory') await readDirectory(source, files, inventory, depth);
  else if (executable) throw new NeedsRun(PROGRAM);
  else readText(await files.read(source), extname(source), inventory);
}

async function readDirectory(path: string, files: Files, inventory: Inventory, depth: number): Promise<void> {
  if (depth > MAX_DEPTH) cannotTell('an inventory has directories too deep in each other');
  for (const name of await files.list(path))
    if (!IGNORED.test(name)) await readSource(join(path, name), files, inventory, depth + 1);
}

function readList(source: string, inventory: Inventory): void {
  for (const entry of source.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const address = parseAddress(entry);
    const { host, port } =
      address === undefined || address.host.includes('[') ? { host: entry, port: undefined } : address;
    if (!inventory.hosts.has(host)) inventory.addHost(host, 'ungrouped', port);
  }
}

/** Ansible tries its forms one after another; a text that two of them could take, in different ways, is not read. */
function readText(text: string, extension: string, inventory: Inventory): void {
  if (text.startsWith('#!')) throw new NeedsRun(PROGRAM);
  if (text.startsWith('$ANSIBLE_VAULT')) cannotTell('an inventory is encrypted');
  if (extension === '.toml') cannotTell('an inventory is in TOML, which is not read');
  const root = YAML.includes(extension) ? rootOf(text) : undefined;
  if (root === undefined) readIni(text, inventory);
  else if ((member(root, 'plugin') ?? NOTHING).kind === 'null') readYamlInventory(root, inventory);
  else throw new NeedsRun('an inventory is the settings of a plugin, which nothing here runs');
}

const PROGRAM = 'an inventory is a program, which nothing here runs';
const NOTHING: Tree = { kind: 'null' };

function rootOf(text: string): (Tree & { readonly kind: 'map' }) | undefined {
  const read = readTree(text);
  const [root, ...more] = read.kind === 'read' ? read.trees : [];
  if (more.length > 0) cannotTell('an inventory holds several documents');
  if (root?.kind === 'map' && root.entries.length > 0) return root;
  const why = read.kind === 'read' ? 'it is no mapping' : read.why;
  return mayBeMapping(text) ? cannotTell(`an inventory cannot be read: ${why}`) : undefined;
}

/** Whether any reader of YAML could take a text for a mapping: then a colon ends a word somewhere, or a brace opens. */
function mayBeMapping(text: string): boolean {
  return text.split(/[\r\n]+/).some((line) => !/^\s*[#;]/.test(line) && /:(?:\s|$)|^\s*[{?]/.test(line));
}
