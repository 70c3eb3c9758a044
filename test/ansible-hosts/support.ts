import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CannotTell } from '../../src/ansible-hosts/cannot-tell.js';
import { besideOf, loadInventory } from '../../src/ansible-hosts/load-inventory.js';
import { localFiles } from '../../src/ansible-hosts/local-files.js';
import { machinesOfRun } from '../../src/ansible-hosts/run-hosts.js';
import type { AnsibleRun } from '../../src/domain/call.js';
import type { Machine } from '../../src/domain/target.js';

/** Paths and texts; a path that ends with `!` is made executable. */
export type Tree = Readonly<Record<string, string>>;

export interface Query {
  readonly pattern: string;
  readonly limit?: string;
}

/** A new directory with these files. */
export function directoryOf(tree: Tree): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'ansible-hosts-')));
  for (const [name, text] of Object.entries(tree)) {
    const path = join(directory, name.replace(/!$/, ''));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    if (name.endsWith('!')) chmodSync(path, 0o755);
  }
  return directory;
}

/** The machines of a run, or why they cannot be told. */
export async function hostsOf(
  run: Partial<AnsibleRun>,
  sources: readonly string[],
  cwd = tmpdir(),
): Promise<{ readonly machines: readonly Machine[] } | { readonly stop: string }> {
  const files = localFiles();
  const place = { cwd, home: cwd, env: {} };
  try {
    const inventory = await loadInventory(sources, files);
    const loaded = { inventory, beside: await besideOf(sources, files) };
    const settings = { inventories: [], ssh: {} };
    return {
      machines: await machinesOfRun({ inventories: [], argument: '', ...run }, { place, files, settings, loaded }),
    };
  } catch (error) {
    if (error instanceof CannotTell) return { stop: error.message };
    throw error;
  }
}

export interface Answers {
  readonly variables: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly answers: readonly (readonly string[] | null)[];
}

const ORACLE = new URL('oracle.py', import.meta.url).pathname;

/** What ansible-core itself answers, all in one process. */
export function askAnsible(
  python: string,
  cases: readonly { readonly sources: readonly string[]; readonly queries: readonly Query[] }[],
): readonly Answers[] {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'ansible-home-')));
  const answer = execFileSync(python, [ORACLE], {
    cwd: home,
    input: JSON.stringify(cases),
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    env: { PATH: process.env['PATH'], HOME: home, ANSIBLE_LOCALHOST_WARNING: 'false' },
  });
  return JSON.parse(answer) as Answers[];
}

export type Difference = { readonly query: Query; readonly ours: unknown; readonly theirs: unknown };

/** How far our answers and ansible's differ; a stop is no difference. */
export async function compare(
  sources: readonly string[],
  queries: readonly Query[],
  theirs: Answers,
): Promise<{ readonly differences: readonly Difference[]; readonly stops: readonly string[] }> {
  const differences: Difference[] = [];
  const stops: string[] = [];
  for (const [index, query] of queries.entries()) {
    const ours = await hostsOf(query, sources);
    const names = theirs.answers[index] ?? null;
    if ('stop' in ours) stops.push(ours.stop);
    else {
      const expected = names?.map((name) => describe(name, theirs.variables[name])).sort();
      const found = ours.machines.map(({ name, address, local, port }) =>
        [name, local ? 'local' : (address ?? name), port ?? ''].join(' '),
      );
      if (JSON.stringify([...new Set(found)].sort()) !== JSON.stringify(expected))
        differences.push({ query, ours: found, theirs: expected ?? names });
    }
  }
  return { differences, stops };
}

function describe(listed: string, variables: Readonly<Record<string, string>> | undefined): string {
  const name = listed.replace(' (listed)', '');
  if (variables === undefined || variables['ansible_connection'] === 'local') return `${name} local `;
  return [name, variables['ansible_host'] ?? name, variables['ansible_port'] ?? ''].join(' ');
}
