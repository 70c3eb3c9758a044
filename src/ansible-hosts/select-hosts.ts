import { parseAddress } from './addresses.js';
import { cannotTell } from './cannot-tell.js';
import { globMatcher } from './glob.js';
import { type Host, hostsOf, type Inventory, LOCALHOST } from './inventory.js';
import { regexMatcher } from './regex.js';

/** The single patterns of one that a caller wrote: separated by commas, else by colons where the whole is no address. */
export function splitPattern(pattern: string): readonly string[] {
  if (pattern.length > 20_000) cannotTell('the pattern is too long');
  const parts = pattern.includes(',') ? pattern.split(',') : splitColons(pattern);
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function splitColons(pattern: string): readonly string[] {
  if (parseAddress(pattern) !== undefined) return [pattern];
  return pattern.match(/(?:[^\s:[\]]|\[[^\]]*\])+/g) ?? [];
}

/** The hosts of a pattern, within a limit (single patterns, as `--limit` gives them), each once. Rejects a pattern that ansible would not take. */
export function selectHosts(
  inventory: Inventory,
  patterns: readonly string[],
  limit: readonly string[] | undefined,
): readonly Host[] {
  const selected = evaluate(inventory, patterns);
  if (limit === undefined || limit.length === 0) return [...new Set(selected)];
  const within = new Set(evaluate(inventory, limit));
  return [...new Set(selected)].filter((host) => within.has(host));
}

/** Unions first, then intersections, then exclusions, wherever they stand. */
function evaluate(inventory: Inventory, patterns: readonly string[]): readonly Host[] {
  const given = patterns.filter((pattern) => pattern !== '');
  const unions = given.filter((pattern) => !/^[!&]/.test(pattern));
  const both = given.filter((pattern) => pattern.startsWith('&'));
  const without = given.filter((pattern) => pattern.startsWith('!'));
  let hosts: readonly Host[] = [];
  for (const pattern of [...(unions.length === 0 ? ['all'] : unions), ...both, ...without]) {
    const named = inventory.hosts.get(pattern);
    if (named !== undefined) hosts = [...hosts, named];
    else hosts = combine(hosts, pattern, matchOne(inventory, pattern.replace(/^[!&]/, '')));
  }
  return hosts;
}

function combine(hosts: readonly Host[], pattern: string, found: readonly Host[]): readonly Host[] {
  const those = new Set(found);
  if (pattern.startsWith('!')) return hosts.filter((host) => !those.has(host));
  if (pattern.startsWith('&')) return hosts.filter((host) => those.has(host));
  return [...hosts, ...found];
}

const SUBSCRIPT = /^(.+)\[(?:(-?[0-9]{1,9})|([0-9]{1,9})[:-]([0-9]{0,9}))\]$/;

function matchOne(inventory: Inventory, pattern: string): readonly Host[] {
  if (pattern === '') return cannotTell('a part of the pattern is empty');
  const [, inner, index, from, to = ''] = pattern.startsWith('~') ? [] : (SUBSCRIPT.exec(pattern) ?? []);
  const { hosts, ordered } = matches(inventory, inner ?? pattern);
  if (inner === undefined || hosts.length === 0) return hosts;
  if (!ordered)
    return cannotTell('the order of the hosts in a group of groups, which the pattern counts on, is not fixed');
  if (index !== undefined) return one(hosts, Number(index));
  const end = to === '' ? hosts.length - 1 : Number(to);
  // As in ansible, an end of 0 is no end: the first number alone counts.
  return end === 0 && to !== '' ? one(hosts, Number(from)) : hosts.slice(Number(from), end + 1);
}

function one(hosts: readonly Host[], index: number): readonly Host[] {
  return [hosts.at(index) ?? cannotTell('the pattern counts beyond the hosts of its group')];
}

function matches(
  inventory: Inventory,
  pattern: string,
): { readonly hosts: readonly Host[]; readonly ordered: boolean } {
  const matcher = pattern.startsWith('~') ? regexMatcher(pattern.slice(1)) : globMatcher(pattern);
  const groups = [...inventory.groups.values()]
    .filter(({ name }) => matcher(name))
    .map((group) => hostsOf(group, inventory.inOrder));
  const hosts = groups.flatMap((group) => group.hosts);
  const ordered = groups.every((group) => group.ordered);
  if (groups.length === 0 || pattern.startsWith('~') || /[.?*[]/.test(pattern))
    hosts.push(...[...inventory.hosts.values()].filter(({ name }) => matcher(name)));
  if (hosts.length === 0 && LOCALHOST.includes(pattern)) hosts.push(inventory.localhost(pattern));
  return { hosts, ordered };
}
