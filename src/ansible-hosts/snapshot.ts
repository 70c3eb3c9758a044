import { cannotTell } from './cannot-tell.js';
import { Inventory } from './inventory.js';
import type { Loaded } from './run-hosts.js';
import { isDeciding, textValue, unclear, type Value } from './variables.js';

/** Reads what `ansible-inventory --list` printed; its hosts have all their variables already. Throws CannotTell where it has not that shape. */
export function readSnapshot(text: string): Loaded {
  const inventory = new Inventory();
  // It sorts what it prints.
  inventory.inOrder = false;
  const { _meta: meta, ...groups } = objectOf(parsed(text));
  const names = new Set([
    ...Object.keys(groups),
    ...Object.values(groups).flatMap((group) => listOf(group, 'children')),
  ]);
  for (const name of names) inventory.addGroup(name);
  for (const [name, group] of Object.entries(groups)) addGroup(name, group, inventory);
  const variables = objectOf(objectOf(meta)['hostvars']);
  for (const [name, own] of Object.entries(variables)) {
    const host = inventory.hosts.get(name) ?? invalid();
    for (const [key, value] of Object.entries(objectOf(own))) inventory.setVariable(host, key, valueOfJson(value));
  }
  inventory.reconcile();
  return { inventory, beside: [], merged: true };
}

function addGroup(name: string, group: unknown, inventory: Inventory): void {
  for (const host of listOf(group, 'hosts')) inventory.addHost(host, name);
  for (const child of listOf(group, 'children')) inventory.addChild(name, child);
  const own = Object.keys(objectOf(objectOf(group)['vars'] ?? {}));
  if (own.some(isDeciding))
    cannotTell('the snapshot of the inventory was made with --export; it has to be made without');
}

function listOf(group: unknown, key: 'hosts' | 'children'): readonly string[] {
  const list = objectOf(group)[key] ?? [];
  if (!Array.isArray(list)) return invalid();
  return list.map((item: unknown) => (typeof item === 'string' ? item : invalid()));
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return invalid();
  return value as Readonly<Record<string, unknown>>;
}

function valueOfJson(value: unknown): Value {
  if (typeof value === 'string') return textValue(value);
  return typeof value === 'number' && Number.isInteger(value) ? textValue(String(value)) : unclear('it is no text');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return invalid();
  }
}

function invalid(): never {
  return cannotTell('the snapshot of the inventory is not what "ansible-inventory --list" prints');
}
