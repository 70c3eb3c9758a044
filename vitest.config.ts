import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Many suites wait for processes and servers of their own more than they compute.
    maxWorkers: 3,
  },
});
