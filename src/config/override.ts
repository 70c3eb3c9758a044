import { resolve } from 'node:path';

type Values = Readonly<Record<string, unknown>>;

/** The system's keys with what a user may add; `ignored`: the user's keys that do not hold, by their dotted paths. */
export interface Added {
  readonly value: Values;
  readonly ignored: readonly string[];
}

/** Maps from names that people choose: a user's name adds an entry, and never replaces one. */
const MAPS: readonly string[] = ['mcpServers', 'targets', 'classifier.commands', 'classifier.tools'];
/** Lists that a user's entries are added to. */
const LISTS: readonly string[] = ['exempt', 'recovery.denyPaths', 'recovery.allowPaths'];
/** Values that are taken whole or not at all. */
const WHOLE: readonly string[] = ['zvm', 'ansible.inventorySnapshot'];
/** They say nothing that holds. */
const SILENT: readonly string[] = ['$schema', 'version'];

/**
 * What holds where a user's config stands beside the system's: of the user's keys those that `allow` names. Pure; both are what the files say,
 * without defaults.
 */
export function addUserConfig(system: Values, user: Values, allow: readonly string[]): Added {
  const ignored: string[] = [];
  return { value: add({ allow, ignored }, system, user, '', false), ignored };
}

interface Rules {
  readonly allow: readonly string[];
  readonly ignored: string[];
}

/** `isFree`: a key above was named. */
function add(rules: Rules, system: Values, user: Values, path: string, isFree: boolean): Values {
  const result = new Map(Object.entries(system));
  for (const [key, value] of Object.entries(user)) {
    const at = path === '' ? key : `${path}.${key}`;
    if (SILENT.includes(at)) continue;
    const isTaken = MAPS.includes(path) && hasName(system, key);
    const added = addOne(rules, result.get(key), value, at, isFree && !isTaken);
    if (added === undefined) rules.ignored.push(at);
    else result.set(key, added);
  }
  return Object.fromEntries(result);
}

/** Undefined where the user may not set it, nor anything below it. */
function addOne({ allow, ...rules }: Rules, own: unknown, value: unknown, at: string, isFree: boolean): unknown {
  if (isFree || allow.includes(at)) return joined({ allow, ...rules }, own, value, at);
  const isBelow = allow.some((each) => each.startsWith(`${at}.`));
  if (!isBelow || !isValues(value)) return undefined;
  // What the system sets to a text or a list has nothing below it that could be added to.
  if (own !== undefined && !isValues(own)) return undefined;
  return add({ allow, ...rules }, own ?? {}, value, at, false);
}

function joined(rules: Rules, own: unknown, value: unknown, at: string): unknown {
  if (WHOLE.includes(at)) return value;
  if (LISTS.includes(at) && Array.isArray(own) && Array.isArray(value)) return [...own, ...value];
  return isValues(own) && isValues(value) ? add(rules, own, value, at, true) : value;
}

/** Callers' names mean the same in every letter case. */
function hasName(map: Values, name: string): boolean {
  return Object.keys(map).some((each) => each.toLowerCase() === name.toLowerCase());
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same with the paths of files made absolute, which in a user's file start where that file lies. */
export function withAbsolutePaths(value: unknown, base: string): unknown {
  if (Array.isArray(value)) return value.map((each) => withAbsolutePaths(each, base));
  if (!isValues(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withAbsolutePath(key, each, base)]));
}

function withAbsolutePath(key: string, value: unknown, base: string): unknown {
  if (PATHS.has(key) && typeof value === 'string') return resolve(base, value);
  if (MAPS_OF_PATHS.has(key) && isValues(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, path]) => [name, typeof path === 'string' ? resolve(base, path) : path]),
    );
  return NAMED.has(key) ? value : withAbsolutePaths(value, base);
}

const PATHS = new Set([
  'passwordFile',
  'clientSecretFile',
  'caFile',
  'certFile',
  'keyFile',
  'inventorySnapshot',
  'file',
  'dir',
  'headsTo',
]);
/** Maps from names to paths. */
const MAPS_OF_PATHS = new Set(['headersFile']);
/** What stands below is the user's own words, no key of the config. */
const NAMED = new Set(['mcpServers', 'targets', 'classifier', '$schema', 'exempt']);
