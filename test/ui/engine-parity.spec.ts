/**
 * The window's drawing worker draws what the file will show: its frames beside the accepted pictures of the samples. A dozen of
 * them here; `PARITY=all npx playwright test engine-parity` takes every one and prints a line for each,
 * `PARITY=video` those whose names begin so.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import config from '../../playwright.config.ts';
import { openParity } from './engine/parity.ts';

/**
 * Least dB by the kind of what differs. The samples are 320 pixels wide, so that edges are much of them: the same pictures at
 * the size of a preview are nearer to each other.
 */
const least = {
  /** Nothing but rounding of colours. */
  exact: 50,
  /** Curves of cuts that the page makes of cubics. */
  curves: 35,
  /** Colours of videos, which the browser works out with other rounding. */
  videos: 38,
  /** Edges of letters: the same outlines, laid down with another contrast. */
  letters: 27,
};

const few: readonly (readonly [name: string, kind: keyof typeof least])[] = [
  ['animation-circular-wipe', 'curves'],
  ['captions-karaoke', 'letters'],
  ['composition-blend', 'exact'],
  ['effect-shadow', 'exact'],
  ['image-animated-gif', 'exact'],
  ['image-smart-crop', 'exact'],
  ['keyframes-position', 'exact'],
  ['shape-border-radius', 'exact'],
  ['text-gradient', 'letters'],
  ['text-padding', 'letters'],
  ['layout-repeat-turned', 'curves'],
  ['video-trim', 'videos'],
];

/** What this browser does to letters by itself: without a screen it hints them, which windows on screens don't. */
const { launchOptions } = config.use ?? {};
test.use({
  launchOptions: {
    ...launchOptions,
    args: [...(launchOptions?.args ?? []), '--font-render-hinting=none'],
  },
});

test('the drawing worker’s frames are those of the samples', async ({ page }) => {
  const parity = await openParity(page);
  try {
    for (const [name, kind] of few) {
      for (const { moment, result } of await parity.measure(name)) {
        const place = `${name} at ${moment} s: ${result}`;
        expect(typeof result, place).toBe('number');
        expect(result, place).toBeGreaterThan(least[kind]);
      }
    }
  } finally {
    parity.close();
  }
});

test('every sample, measured', async ({ page }) => {
  const wanted = process.env['PARITY'];
  test.skip(wanted === undefined, 'minutes of work: PARITY=all');
  test.setTimeout(0);
  const samples = path.join(import.meta.dirname, '..', 'samples');
  const parity = await openParity(page);
  try {
    for (const entry of readdirSync(samples, { withFileTypes: true })) {
      const isWanted = wanted === 'all' || entry.name.startsWith(wanted ?? '');
      if (!entry.isDirectory() || !isWanted) continue;
      for (const { name, moment, result } of await parity.measure(entry.name)) {
        const shown = typeof result === 'number' ? `${result.toFixed(1)} dB` : result;
        console.log(`${name} at ${moment} s: ${shown}`);
        // Documents that only the server draws are told apart, and nothing else is.
        if (typeof result === 'string') expect(result).toBe('refused: emoji');
        else expect(result, name).toBeGreaterThan(10);
      }
    }
  } finally {
    parity.close();
  }
});
