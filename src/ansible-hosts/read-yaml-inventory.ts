import { expandEntry } from './addresses.js';
import { cannotTell } from './cannot-tell.js';
import type { Inventory } from './inventory.js';
import type { Tree } from './read-yaml.js';
import { unclear, type Value } from './variables.js';

const INVALID = 'a group of the inventory cannot be read';
const MAX_DEPTH = 30;

/** Adds what an inventory in the YAML form says: a mapping of groups, each with `hosts`, `children` and `vars`. */
export function readYamlInventory(root: Tree & { readonly kind: 'map' }, inventory: Inventory): void {
  for (const [name, group] of root.entries) readGroup(name, group, inventory, 0);
}

function readGroup(name: string, body: Tree, inventory: Inventory, depth: number): void {
  if (depth > MAX_DEPTH || (body.kind !== 'map' && body.kind !== 'null')) cannotTell(INVALID);
  inventory.addGroup(name);
  const sections = body.kind === 'map' ? body.entries : [];
  const entries = sections.flatMap(([key, section]) =>
    entriesOf(key, section).map(([entry, value]) => ({ key, entry, value })),
  );
  for (const { key, entry, value } of entries) {
    if (key === 'vars') inventory.setVariable(inventory.addGroup(name), entry, variableOf(value));
    else if (key === 'hosts') readHosts(entry, value, name, inventory);
    else {
      readGroup(entry, value, inventory, depth + 1);
      inventory.addChild(name, entry);
    }
  }
}

/** A text alone stands for one entry without anything in it; of other keys ansible takes no notice. */
function entriesOf(key: string, section: Tree): readonly (readonly [string, Tree])[] {
  if (key !== 'vars' && key !== 'children' && key !== 'hosts') return [];
  if (section.kind === 'null') return [];
  if (section.kind === 'map') return section.entries;
  if (section.kind === 'scalar' && section.text !== undefined) return [[section.text, { kind: 'null' }]];
  return cannotTell(INVALID);
}

function readHosts(entry: string, body: Tree, group: string, inventory: Inventory): void {
  if (body.kind !== 'map' && body.kind !== 'null')
    cannotTell('the variables of a host in the inventory cannot be read');
  const { hosts, port } = expandEntry(entry);
  for (const name of hosts) {
    const host = inventory.addHost(name, group, port);
    if (body.kind !== 'map') continue;
    for (const [key, value] of body.entries) inventory.setVariable(host, key, variableOf(value));
  }
}

/** A variable's value as far as it decides anything. */
export function variableOf(tree: Tree): Value {
  return tree.kind === 'scalar' ? tree.value : unclear('it is no text');
}
