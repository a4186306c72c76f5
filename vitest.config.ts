/** Tests that run in Node: everything but the window's Playwright tests. */
import { defineConfig } from 'vitest/config';

/**
 * Tests that touch nothing but what they make: files of a process share its modules, which are half of their time. The
 * others get a process for each file, since the canvas keeps its fonts, and a broken disk stays broken, in a whole process.
 */
const sharing = [
  'test/{shared,clients}/**/*.test.ts',
  'test/api/**/*.test.ts',
  'test/desktop/window-*.test.ts',
];
/** Pictures, sound and films: work for the processor, where the rest mostly waits. */
const engine = ['test/{engine,samples}/**/*.test.ts'];
const alone = ['test/{jobs,store,desktop}/**/*.test.ts', 'test/*.test.ts'];

export default defineConfig({
  test: {
    environment: 'node',
    pool: 'forks',
    // Room for young objects: files that share a process need a quarter less of its time.
    execArgv: ['--max-semi-space-size=64'],
    // One more than the processors of a small machine: a third of the time is waiting for servers and processes.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Of a second by default, which a busy machine takes for a start of a process.
    expect: { poll: { timeout: 20_000 } },
    reporters: ['default'],
    projects: [
      { extends: true, test: { name: 'sharing', include: sharing, isolate: false } },
      { extends: true, test: { name: 'engine', include: engine } },
      { extends: true, test: { name: 'alone', include: alone, exclude: sharing } },
    ],
  },
});
