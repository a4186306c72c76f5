/**
 * Tests of the window: Chromium against the real server with a real worker, and the desktop program in Electron where
 * its binary is installed. `npm test` builds first and runs this.
 */
import { defineConfig } from '@playwright/test';
import { findChromium } from './test/chromium.mjs';
import { quickFfmpeg } from './test/packaged-ffmpeg.mjs';
import { keepTemporaryFilesTogether } from './test/temporary-files.mjs';

keepTemporaryFilesTogether();
const isLong = process.env['LONG'] === '1';
if (!isLong) Object.assign(process.env, quickFfmpeg());

/**
 * Every state of every page in both themes and all sizes, by all rules of accessibility, in the test language, and the
 * budgets: minutes of work, so `npm test -- --looks` runs them.
 */
const kinds = {
  /** Those of the states that draw pictures. */
  screens: ['*screens'],
  states: ['*screens', 'axe', 'language', 'editor-large'],
  budgets: ['budget', 'live-speed', 'typing-speed', 'feeds-speed'],
};
const filesOf = (names: readonly string[]): string[] =>
  names.map((name) => `**/test/ui/${name}.spec.ts`);
const looks = filesOf([...kinds.states, ...kinds.budgets]);
/** `screens`, `states`, `budgets` or, by any other word, the last two. */
const wanted = process.env['LOOKS'];
const isKind = (word: string): word is keyof typeof kinds => word in kinds;
const wantedLooks = wanted !== undefined && isKind(wanted) ? filesOf(kinds[wanted]) : looks;

export default defineConfig({
  testDir: 'test',
  testMatch:
    wanted === undefined ? ['**/test/ui/*.spec.ts', '**/test/desktop/*.spec.ts'] : wantedLooks,
  testIgnore: wanted === undefined ? looks : [],
  // In the long form all of them: test/helpers/long.ts.
  ...(!isLong && { grepInvert: /@long/ }),
  outputDir: 'test-results',
  // Each file starts a server with a renderer of its own. `npm test` runs the tests in Node beside them.
  workers: 2,
  // In CI, a page may come too late once on a busy machine; what passes only then is listed as flaky.
  retries: process.env['CI'] === undefined ? 0 : 1,
  // For what never comes: a machine that is busy with other things takes three times as long.
  timeout: 150_000,
  expect: { timeout: 45_000 },
  reporter: [['list']],
  use: {
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
    // What moves only for the eye is a quarter of the browser's work; budget.spec.ts measures with it.
    contextOptions: { reducedMotion: 'reduce' },
    permissions: ['clipboard-read', 'clipboard-write'],
    launchOptions: {
      executablePath: findChromium() ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--no-first-run',
      ],
    },
  },
});
