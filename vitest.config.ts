import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Several suites start processes and servers of their own; more workers than cores only make them slow.
    maxWorkers: 2,
  },
});
