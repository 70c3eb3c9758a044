import { readdir, realpath } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { type Facts, nodeHome, packageWord, resolvePath } from './start.js';

/**
 * Every directory that the package of a server may have been started from: where its command line points, where the shell finds it, where npx keeps
 * it. Only those that exist, by their real paths.
 */
export async function packagePlaces(facts: Facts, name: string, script: string): Promise<readonly string[]> {
  const { start, platform } = facts;
  const path = platform === 'win32' ? win32 : posix;
  const word = [start.command, ...start.args][packageWord({ ...start, args: [start.command, ...start.args] }, name)];
  const scripts = start.args.filter((each) => each.endsWith(script.replaceAll('/', path.sep)) || each.endsWith(script));
  const up = script.split('/').map(() => '..');
  const cut = word === undefined ? undefined : cutAt(word, name);
  const below = (directory: string) => path.join(directory, 'node_modules', name);
  const candidates = [
    ...scripts.map((each) => ({ path: resolvePath(facts, each), up })),
    ...(cut === undefined ? [] : [{ path: resolvePath(facts, cut), up: [] }]),
    ...binaries(facts, name).map((each) => ({ path: each, up })),
    ...ancestors(facts.cwd, path).map((each) => ({ path: below(each), up: [] })),
    ...(await npxCaches(facts)).map((each) => ({ path: below(each), up: [] })),
  ];
  const real = await Promise.all(
    candidates.map(async (each) => {
      const found = await realpath(each.path).catch(() => undefined);
      return found === undefined ? [] : [path.join(found, ...each.up)];
    }),
  );
  return [...new Set(real.flat())];
}

/** `…/node_modules/name` of a path into it. */
function cutAt(word: string, name: string): string | undefined {
  const at = word.search(/[\\/]/) < 0 ? -1 : word.lastIndexOf(`${name}`);
  return at < 0 ? undefined : word.slice(0, at + name.length);
}

/** On Windows these are scripts beside the packages, which the ancestors and caches find. */
function binaries(facts: Facts, name: string): readonly string[] {
  if (facts.platform === 'win32') return [];
  const { start } = facts;
  const direct = start.command.includes('/') ? [resolvePath(facts, start.command)] : [];
  const directories = (start.env['PATH'] ?? '').split(':').filter((each) => each !== '');
  return [...direct.filter((each) => each.endsWith(`/${name}`)), ...directories.map((each) => posix.join(each, name))];
}

function ancestors(directory: string, path: typeof posix): readonly string[] {
  const parent = path.dirname(directory);
  return parent === directory ? [directory] : [directory, ...ancestors(parent, path)];
}

async function npxCaches(facts: Facts): Promise<readonly string[]> {
  const { platform, start } = facts;
  const home = nodeHome(facts);
  const local = start.env['LOCALAPPDATA'] ?? resolvePath(facts, home, 'AppData', 'Local');
  const own = start.env['npm_config_cache'] ?? start.env['NPM_CONFIG_CACHE'];
  const cache =
    own ?? (platform === 'win32' ? resolvePath(facts, local, 'npm-cache') : resolvePath(facts, home, '.npm'));
  const root = resolvePath(facts, cache, '_npx');
  const names = await readdir(root).catch(() => []);
  return names.map((each) => resolvePath(facts, root, each));
}
