import { matchesPattern } from './patterns.js';
import type { Places } from './places.js';

/** The files that an `Include` names, in the order in which they are read; undefined where that cannot be told. */
export async function includedFiles(
  argument: string,
  base: string,
  places: Places,
): Promise<readonly string[] | undefined> {
  const { path } = places;
  // Newer releases put variables and tokens in here, older ones take them as they stand; names of users need the system's list of them.
  if (/[$%\0]/.test(argument) || /^~[^/\\]/.test(argument)) return undefined;
  const full = argument.startsWith('~')
    ? path.join(places.home, argument.slice(1))
    : path.isAbsolute(argument)
      ? argument
      : path.join(base, argument);
  return /[*?[\]\\]/.test(places.windows ? full.replaceAll('\\', '/') : full) ? expand(full, places) : [full];
}

async function expand(pattern: string, places: Places): Promise<readonly string[] | undefined> {
  const { path, windows } = places;
  const { root } = path.parse(pattern);
  const parts = pattern.slice(root.length).split(windows ? /[\\/]/ : '/');
  // Classes of characters and escapes are rare here, and every reader has its own idea of them.
  if (parts.some((part) => /[[\]\\]/.test(part))) return undefined;
  let found: readonly string[] = [root];
  for (const part of parts) {
    found = (await Promise.all(found.map((directory) => step(directory, part, places)))).flat();
    if (found.length > MOST) return undefined;
  }
  return found;
}

async function step(directory: string, part: string, { path, list }: Places): Promise<readonly string[]> {
  if (!/[*?]/.test(part)) return [path.join(directory, part)];
  const names = (await list(directory)).filter((name) => isShown(name, part) && matchesPattern(name, part));
  return names.sort(byBytes).map((name) => path.join(directory, name));
}

const MOST = 1000;

function isShown(name: string, pattern: string): boolean {
  return !name.startsWith('.') || pattern.startsWith('.');
}

function byBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
