/** Tests that run in Node: everything but the window's Playwright tests. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { keepTemporaryFilesTogether } from './test/temporary-files.mjs';

keepTemporaryFilesTogether();

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

/**
 * The packaged ffmpeg, for tests to which its version means nothing: one of Debian's is linked with two hundred libraries, and
 * starts 50 times slower. The engine's tests take the installed one, and where versions differ both. One that is named for
 * all tests stays.
 */
function packagedFfmpeg(): Record<string, string> {
  if (process.env['FFMPEG_PATH'] !== undefined) return {};
  try {
    const found = createRequire(import.meta.url)('@ffmpeg-installer/ffmpeg') as { path: string };
    return { FFMPEG_PATH: found.path };
  } catch {
    // Not for this system: the installed one, then.
    return {};
  }
}
const ffmpeg = { env: packagedFfmpeg() };

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
    // One more than the processors of a small machine: a third of the time is waiting for servers and processes.
    maxWorkers: 3,
    // For what never ends: a machine that is busy with other things takes ten times as long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Of a second by default, which a busy machine takes for a start of a process.
    expect: { poll: { timeout: 20_000 } },
    reporters: ['default'],
    globalSetup: ['test/farm-setup.ts'],
    ...(process.env['API_FARM'] !== undefined && { setupFiles: ['test/farm-left-out.ts'] }),
    projects: [
      // Servers and processes may come too late once on a busy machine; what passes only then is listed at the end. The
      // engine has no second try: the same input gives the same output.
      {
        extends: true,
        test: { name: 'sharing', include: sharing, isolate: false, retry: 1, ...ffmpeg },
      },
      { extends: true, test: { name: 'engine', include: engine } },
      {
        extends: true,
        test: { name: 'alone', include: alone, exclude: sharing, retry: 1, ...ffmpeg },
      },
    ],
  },
});
