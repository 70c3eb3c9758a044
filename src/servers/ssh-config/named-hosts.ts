import { includedFiles } from './files.js';
import type { Places } from './places.js';
import { readLine } from './words.js';

const DEPTH = 16;
const MOST_FILES = 1000;

/** The hosts that an account's ssh configuration names one by one, in the order of its `Host` lines; patterns are none. Never rejects. */
export async function namedHosts(places: Places): Promise<readonly string[]> {
  const userDir = places.path.join(places.home, '.ssh');
  const left = [
    { file: places.path.join(userDir, 'config'), base: userDir, depth: 0 },
    { file: places.path.join(places.systemDir, 'ssh_config'), base: places.systemDir, depth: 0 },
  ];
  const found = new Set<string>();
  for (let files = 0; files < MOST_FILES; files += 1) {
    const next = left.shift();
    if (next === undefined) break;
    const { hosts, includes } = await readFile(next.file, places);
    for (const host of hosts) found.add(host);
    if (next.depth >= DEPTH) continue;
    const inner = await Promise.all(includes.map((argument) => includedFiles(argument, next.base, places)));
    const { base, depth } = next;
    left.unshift(...inner.flatMap((names = []) => names.map((file) => ({ file, base, depth: depth + 1 }))));
  }
  return [...found];
}

async function readFile(
  path: string,
  { readText }: Places,
): Promise<{ readonly hosts: readonly string[]; readonly includes: readonly string[] }> {
  const file = await readText(path);
  const lines = file.kind === 'text' ? file.text.split('\n').map(readLine) : [];
  const argumentsOf = (keyword: string): readonly string[] =>
    lines.flatMap((line) => (typeof line === 'object' && line.keyword === keyword ? line.args : []));
  return {
    hosts: argumentsOf('host').filter((name) => name !== '' && !/[*?!]/.test(name)),
    includes: argumentsOf('include'),
  };
}
