import { expandEntry } from './addresses.js';
import { cannotTell } from './cannot-tell.js';
import type { Inventory } from './inventory.js';
import { splitWords } from './split-words.js';
import { textValue, unclear, type Value } from './variables.js';

// Characters that one reader takes for the end of a line and another for text, and those that cannot be seen.
const HIDDEN = /[^\P{Cc}\t\n\r]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/u;
const SECTION = /^\[([^:\]\s]+)(?::(\w+))?\]\s*(?:#.*)?$/;
const GROUP = /^([^:\]\s]+)\s*(?:#.*)?$/;

/** Groups that are named before their own section stands there: `parents` wait for it. */
type Pending = Map<string, readonly string[]>;

/** Adds what an inventory in the INI form says. Where ansible would refuse a line, nothing is known of the rest. */
export function readIni(text: string, inventory: Inventory): void {
  if (HIDDEN.test(text)) cannotTell('the inventory holds characters that cannot be seen');
  const pending: Pending = new Map();
  let section: Section = { group: 'ungrouped', kind: 'hosts' };
  for (const line of text.split(/\r\n|\r|\n/).map((raw) => raw.trim())) {
    if (/^(?:$|[#;])/.test(line)) continue;
    const [, group, kind = 'hosts'] = SECTION.exec(line) ?? [];
    if (group === undefined) readLine(line, section, inventory, pending);
    else {
      section = { group, kind };
      open(section, inventory, pending);
    }
  }
  if (pending.size > 0) cannotTell('the inventory names a group that it does not have');
}

interface Section {
  readonly group: string;
  readonly kind: string;
}

function open({ group, kind }: Section, inventory: Inventory, pending: Pending): void {
  if (!['hosts', 'children', 'vars'].includes(kind)) cannotTell('a section of the inventory has an unknown kind');
  if (!inventory.groups.has(group)) {
    if (kind === 'vars' && !pending.has(group)) pending.set(group, []);
    inventory.addGroup(group);
  }
  if (pending.has(group) && kind !== 'vars') addPending(group, inventory, pending);
}

function addPending(group: string, inventory: Inventory, pending: Pending): void {
  for (const parent of pending.get(group) ?? []) {
    inventory.addChild(parent, group);
    if ((pending.get(parent)?.length ?? 0) > 0) addPending(parent, inventory, pending);
  }
  pending.delete(group);
}

function readLine(line: string, { group, kind }: Section, inventory: Inventory, pending: Pending): void {
  if (line.startsWith('[') && line.endsWith(']')) cannotTell('a section of the inventory cannot be read');
  if (kind === 'children') readChild(line, group, inventory, pending);
  else if (kind === 'vars') readVariable(line, group, inventory);
  else readHost(line, group, inventory);
}

function readVariable(line: string, group: string, inventory: Inventory): void {
  const at = line.indexOf('=');
  if (at < 0) cannotTell('a line of variables in the inventory has no "="');
  inventory.setVariable(inventory.addGroup(group), line.slice(0, at).trim(), iniValue(line.slice(at + 1).trim()));
}

function readChild(line: string, parent: string, inventory: Inventory, pending: Pending): void {
  const [, child] = GROUP.exec(line) ?? [];
  if (child === undefined) cannotTell('a line of the inventory names no group where one has to stand');
  if (inventory.groups.has(child)) inventory.addChild(parent, child);
  else pending.set(child, [...(pending.get(child) ?? []), parent]);
}

function readHost(line: string, group: string, inventory: Inventory): void {
  const [entry, ...words] = splitWords(line);
  if (entry === undefined) cannotTell('a line of the inventory names no host');
  const { hosts, port } = expandEntry(entry);
  if ((entry.trim().endsWith(':') && port === undefined) || hosts.some((host) => host.trim() === '---'))
    cannotTell('a host of the inventory cannot be read');
  const variables = words.map((word): [string, string] => {
    const at = word.indexOf('=');
    return at < 0
      ? cannotTell('a word behind a host of the inventory has no "="')
      : [word.slice(0, at), word.slice(at + 1)];
  });
  for (const name of hosts) {
    const host = inventory.addHost(name, group, port);
    for (const [key, value] of variables) inventory.setVariable(host, key, iniValue(value));
  }
}

/** Ansible takes a value for a literal of Python where it can, else for text; here only those that are the same either way. */
function iniValue(value: string): Value {
  const [, quoted] = /^'([^'\\]*)'$/.exec(value) ?? /^"([^"\\]*)"$/.exec(value) ?? [];
  if (quoted !== undefined) return textValue(quoted);
  if (/^[0-9]{1,9}$/.test(value)) return textValue(value);
  // A word with a letter first, or an address, is no literal; neither is what starts with an option.
  const plain =
    /^(?!(?:None|True|False)$)[A-Za-z_][\w.:-]*$/.test(value) || /^(?:[0-9]{1,3}\.){3}[0-9]{1,3}$/.test(value);
  const isText =
    plain ||
    /^\/[\w./-]*$/.test(value) ||
    /^-{1,2}[A-Za-z]/.test(value) ||
    /^[0-9A-Fa-f:]*::?[0-9A-Fa-f:.]*$/.test(value) ||
    isName(value);
  if (isText || /\{[{%#]/.test(value)) return textValue(value);
  return unclear('its value can be read in more than one way');
}

/** A name that begins with a digit, and has a letter that no number has. */
function isName(value: string): boolean {
  return /^[0-9][\w.-]*$/.test(value) && /[g-ik-np-wyz]/i.test(value);
}
