import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { classifyCommand } from '../../src/classify/index.js';
import { verifies } from '../e2e/requirements.js';
import { fc } from '../support/property.js';
import { commandLine } from './oracle/grammar.js';
import { installedShells, type Outcome, runLines, withoutSandbox } from './oracle/sandbox.js';

// ORACLE_LINES (how many that are read_only are run), ORACLE_SEED and ORACLE_SHELLS=all make a longer search of the same kind.
const WANTED = Number(env['ORACLE_LINES'] ?? 600);
const SEED = Number(env['ORACLE_SEED'] ?? 1);
const SHELLS = installedShells().slice(0, env['ORACLE_SHELLS'] === 'all' ? undefined : 2);

const missing = withoutSandbox();
if (missing !== undefined) console.error(`test/classify/oracle.test.ts: skipped, ${missing}`);

describe.skipIf(missing !== undefined && env['CI'] === undefined)('lines that are really run', () => {
  const { reading, others } = generate();

  it(`${verifies('C-2')} change nothing where the verdict is read_only`, {
    timeout: 60_000 + WANTED * 200,
  }, async () => {
    expect(missing).toBeUndefined();
    const outcomes = (await Promise.all(SHELLS.flatMap((shell) => run(shell, reading)))).flat();
    const holes = outcomes.filter((outcome) => outcome.changed.length > 0);
    console.error(
      `oracle: ${reading.length} lines called read_only were run in ${SHELLS.map(([name]) => name).join(', ')}, seed ${SEED}`,
    );
    expect(holes.map(({ line, shell, changed }) => `${shell}: ${line} => ${changed.join(' ')}`)).toEqual([]);
  });

  it('are seen to change something where they do', async () => {
    expect(missing).toBeUndefined();
    const outcomes = await runLines(
      ['bash'],
      [...others.slice(0, 150), 'touch -r g f', 'chmod 644 f; chmod 600 f', ': > /tmp/new'],
    );
    const changing = outcomes.filter((outcome) => outcome.changed.length > 0);
    console.error(`oracle: of ${outcomes.length} mutating lines ${changing.length} changed something`);
    expect(changing.length).toBeGreaterThan(12);
    expect(outcomes.slice(-3).every((outcome) => outcome.changed.length > 0)).toBe(true);
  });
});

/** Different lines of one seed, until enough of them are read_only. */
function generate(): { readonly reading: readonly string[]; readonly others: readonly string[] } {
  const reading = new Set<string>();
  const others = new Set<string>();
  for (let round = 0; reading.size < WANTED && round < 1000; round += 1) {
    for (const line of fc.sample(commandLine, { seed: SEED * 1000 + round, numRuns: 500 })) {
      const { effect } = classifyCommand('bash', line);
      if (effect === 'read_only' && reading.size < WANTED) reading.add(line);
      if (effect === 'mutating' && others.size < WANTED) others.add(line);
    }
  }
  return { reading: [...reading], others: [...others] };
}

/** Halves run beside each other. */
function run(shell: readonly string[], lines: readonly string[]): Promise<Outcome[]>[] {
  const half = Math.ceil(lines.length / 2);
  return [runLines(shell, lines.slice(0, half)), runLines(shell, lines.slice(half))];
}
