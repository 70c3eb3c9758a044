import type { Entry } from './document.js';
import { programWords } from './program-words.js';

/** The kinds of servers that are put behind the proxy. */
export const GUARDED = ['ssh', 'ansible', 'winrm'] as const;
export type GuardedFamily = (typeof GUARDED)[number];

/** What a server is taken for, and by which word. */
export interface Recognised {
  readonly family: GuardedFamily;
  readonly by: 'name' | 'package' | 'tool';
  readonly word: string;
}

/** The name of the package that a script belongs to, from what lies beside it; undefined where nothing says one. */
export type PackageOf = (script: string) => string | undefined;

/** By its name, else its package, else the tools that its entry names. A path says nothing: neither where a program lies nor what a server works on. */
export function recognise(
  { name, tools }: Pick<Entry, 'name' | 'tools'>,
  words: readonly string[],
  packageOf: PackageOf,
): Recognised | undefined {
  const [command, ...args] = words;
  const programs = command === undefined ? [] : programWords(command, args);
  const packages = programs.map(({ kind, word }) => (kind === 'name' ? word : packageOf(word)));
  return (
    first('name', [name], familyOfName) ??
    first('package', packages, familyOfName) ??
    first('tool', tools, familyOfTool)
  );
}

function first(
  by: Recognised['by'],
  names: readonly (string | undefined)[],
  familyOf: (name: string) => GuardedFamily | undefined,
): Recognised | undefined {
  for (const word of names) {
    const family = word === undefined ? undefined : familyOf(word);
    if (word !== undefined && family !== undefined) return { family, by, word };
  }
  return undefined;
}

/** Published servers whose names do not say it. */
const PUBLISHED: ReadonlyMap<string, GuardedFamily> = new Map([
  ['win-mcp-server', 'winrm'],
  ['mcp-sysoperator', 'ansible'],
]);
const WORDS: readonly (readonly [GuardedFamily, RegExp])[] = [
  ['ansible', /ansible|^awx$|^aap$/],
  ['winrm', /winrm|wsman|psremoting/],
  // At the start or end of a word: `business-hub` has no ssh, and neither has `crossshell`.
  ['ssh', /^ssh|ssh\d?$|^sftp$/],
];

function familyOfName(name: string): GuardedFamily | undefined {
  const published = PUBLISHED.get(name.toLowerCase());
  if (published !== undefined) return published;
  const parts = wordsOf(name);
  return WORDS.find(([, pattern]) => parts.some((part) => pattern.test(part)))?.[0];
}

function familyOfTool(name: string): GuardedFamily | undefined {
  const parts = wordsOf(name);
  if (parts.includes('playbook')) return 'ansible';
  return /^win_./i.test(name) ? 'winrm' : familyOfName(name);
}

/** Cut at capital letters too, and not: `prodSsh`, `WinRM`. */
function wordsOf(name: string): readonly string[] {
  const plain = name.normalize('NFKC');
  const cut = plain.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2');
  return [cut, plain].flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u));
}
