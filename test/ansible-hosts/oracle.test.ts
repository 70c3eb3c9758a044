import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '../e2e/requirements.js';
import { ansiblePython } from '../support/ansible.js';
import { CASES } from './cases.js';
import { generate } from './generate.js';
import { askAnsible, compare, directoryOf, type Query, type Tree } from './support.js';

const python = ansiblePython();
/** More of them by hand: `ANSIBLE_INVENTORIES=2000 ANSIBLE_SEED=7 npx vitest run test/ansible-hosts`. */
const INVENTORIES = Number(process.env['ANSIBLE_INVENTORIES'] ?? 60);
const SEED = Number(process.env['ANSIBLE_SEED'] ?? 20);

async function against(
  cases: readonly { readonly files: Tree; readonly sources: readonly string[]; readonly queries: readonly Query[] }[],
): Promise<{ readonly differences: readonly unknown[]; readonly stops: readonly string[]; readonly pairs: number }> {
  const asked = cases.map(({ files, sources, queries }) => {
    const directory = directoryOf(files);
    return {
      files,
      queries,
      sources: sources.map((source) => (source.includes(',') ? source : join(directory, source))),
    };
  });
  const answers = askAnsible(python ?? '', asked);
  const differences: unknown[] = [];
  const stops: string[] = [];
  for (const [index, { files, sources, queries }] of asked.entries()) {
    const found = await compare(sources, queries, answers[index] ?? { variables: {}, answers: [] });
    for (const difference of found.differences) differences.push({ files, ...difference });
    stops.push(...found.stops);
  }
  return { differences, stops, pairs: asked.flatMap(({ queries }) => queries).length };
}

test.skipIf(python === undefined)(
  `${verifies('R-1')} hosts and addresses are those that ansible-core itself finds, for every inventory and pattern`,
  { timeout: 60_000 },
  async () => {
    const { differences, stops, pairs } = await against(
      CASES.map(({ queries, ...rest }) => ({
        ...rest,
        queries: queries.map(
          (query): Query => (typeof query === 'string' ? { pattern: query } : { pattern: query[0], limit: query[1] }),
        ),
      })),
    );
    expect(differences).toEqual([]);
    expect(pairs).toBeGreaterThan(130);
    // Those that ansible refuses, and what Python's own dialect alone could read.
    expect(stops.length).toBeLessThan(10);
  },
);

test.skipIf(python === undefined)(
  'hosts and addresses are those that ansible-core itself finds, for inventories and patterns that nobody wrote',
  { timeout: 600_000 },
  async () => {
    const { differences, stops, pairs } = await against(generate(SEED, INVENTORIES, 8));
    expect(differences).toEqual([]);
    expect(stops.length).toBeLessThan(pairs * 0.6);
    if (process.env['ANSIBLE_INVENTORIES'] !== undefined) console.error(pairs, counted(stops));
  },
);

function counted(stops: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const stop of stops) {
    const why = stop.replace(/(host|name) \S+/, '$1');
    counts[why] = (counts[why] ?? 0) + 1;
  }
  return counts;
}
