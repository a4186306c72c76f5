/** Tests that run in Node: everything but the window's Playwright tests. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'test/{shared,engine,samples,api,clients,jobs,store,desktop}/**/*.test.ts',
      'test/*.test.ts',
    ],
    environment: 'node',
    // The canvas keeps its fonts per process, so every file gets a process of its own.
    pool: 'forks',
    // One more than the processors of a small machine: a third of the time is waiting for servers and processes.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default'],
  },
});
