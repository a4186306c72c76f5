/** Tests that run in Node: everything but the window's Playwright tests. */
import os from 'node:os';
import path from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { quickFfmpeg } from './test/packaged-ffmpeg.mjs';
import { readPassed } from './test/passed.mjs';
import { leftInNode } from './test/quick.mjs';
import { keepTemporaryFilesTogether } from './test/temporary-files.mjs';

keepTemporaryFilesTogether();

/**
 * Tests that need a process of their own: they break the disk, the clock or the network of a whole process, put a
 * stand-in in the place of Electron, or fill the memory. The files of the other projects share processes, which load
 * the program and register its fonts once: for each file, that is a second of work.
 */
const alone = [
  'test/desktop/!(window-*).test.ts',
  'test/store/{backups,compaction,disk,odd-disks,read-only}.test.ts',
  'test/jobs/own-ports.test.ts',
  'test/packages-*.test.ts',
  ...Object.keys(leftInNode).filter((file) => !file.startsWith('test/engine/')),
];
/** Pictures, sound and films: work for the processor, where the rest mostly waits. */
const engine = ['test/{engine,samples}/**/*.test.ts'];
/** What `npm test` leaves to CI; a file that is named is run. */
const inQuick = process.env['QUICK'] === '1' ? Object.keys(leftInNode) : [];
/** What passed on a bare computer and need not run again: test/run.mjs names the list. */
const passedList = process.env['PASSED'];
const left = [...inQuick, ...(passedList === undefined ? [] : readPassed(passedList).passed)];
const sharing = ['test/{shared,clients,api,jobs,store,desktop}/**/*.test.ts', 'test/*.test.ts'];

/**
 * Which ffmpeg: where versions differ, the engine's tests take both by themselves. In the long form the others of the
 * engine take the installed one.
 */
const ffmpeg = { env: quickFfmpeg() };
const ofEngine = process.env['LONG'] === '1' ? {} : ffmpeg;

/**
 * In CI, servers and processes may come too late once on a busy machine; what passes only then is listed at the end.
 * Whoever waits for their tests learns it at once.
 */
const retry = process.env['CI'] === undefined ? 0 : 1;

/** The projects have their number from below, not from `--maxWorkers`; vitest reads the variable for each of them. */
const [, asked] = /--maxWorkers[= ](\d+)/.exec(process.argv.join(' ')) ?? [];
if (asked !== undefined) process.env['VITEST_MAX_WORKERS'] = asked;

export default defineConfig({
  // As its users have it; Vite finds no package by its own name.
  resolve: {
    alias: {
      'framewright/testing': path.join(import.meta.dirname, 'dist/client/testing.mjs'),
    },
  },
  test: {
    environment: 'node',
    pool: 'forks',
    // One more than a small machine has processors: a third of the time is waiting for servers and processes.
    maxWorkers: Math.max(3, os.availableParallelism()),
    // For what never ends: a machine that is busy with other things takes ten times as long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Of a second by default, which a busy machine takes for a start of a process.
    expect: { poll: { timeout: 45_000 } },
    reporters: ['default'],
    globalSetup: ['test/farm-setup.ts'],
    setupFiles: [
      ...(process.env['API_FARM'] === undefined ? [] : ['test/farm-left-out.ts']),
      ...(passedList === undefined ? [] : ['test/passed-packaged.ts']),
      ...(process.env['SOUGHT'] === undefined ? [] : ['test/sought.ts']),
    ],
    projects: [
      {
        extends: true,
        test: {
          name: 'sharing',
          include: sharing,
          exclude: [...alone, ...left],
          isolate: false,
          retry,
          ...ffmpeg,
        },
      },
      // The window's state, made as in a page; its files share a process and a server.
      {
        extends: true,
        plugins: [svelte({ configFile: false })],
        // Svelte as a browser has it: elsewhere its classes follow nothing.
        resolve: { conditions: ['browser'] },
        test: {
          name: 'renderer',
          include: ['test/renderer/*.test.ts'],
          exclude: left,
          globalSetup: ['test/window-setup.ts'],
          environment: path.join(import.meta.dirname, 'test/renderer/window.ts'),
          isolate: false,
          retry,
          server: { deps: { inline: ['svelte'] } },
        },
      },
      // Without a second try: the same input gives the same output.
      {
        extends: true,
        test: { name: 'engine', include: engine, exclude: left, isolate: false, ...ofEngine },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: alone,
          exclude: left,
          retry,
          ...ffmpeg,
        },
      },
    ],
  },
});
