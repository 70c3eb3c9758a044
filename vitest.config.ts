import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Those that take longest begin first, the longest of all at the top: a file that is left for the end has the machine to itself. */
const LONGEST = [
  'commands/recover',
  'rollout/clients',
  'e2e/conformance',
  'e2e/lifecycle',
  'e2e/crash',
  'e2e/patience',
  'e2e/recovery',
  'zerto/recover-roundtrip',
  'zerto/recover-killed',
  'e2e/failures',
  'e2e/real-clients',
  'e2e/real-servers',
  'e2e/soak',
  'e2e/winrm',
  'e2e/serve',
  'classify/oracle',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rest = await super.sort(files);
    const first = LONGEST.flatMap((name) => rest.filter(({ moduleId }) => moduleId.endsWith(`/test/${name}.test.ts`)));
    return [...new Set([...first, ...rest])];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Many suites wait for processes and servers of their own more than they compute.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
  },
});
