/**
 * What the page's own drawing costs, printed and not judged: the first picture after opening, frames a second while the samples
 * that the program brings play, and the time from a key to its letter on the screen. `npm run test:looks`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { openTemplate, titleOf } from './editor-page.ts';
import { promo } from './editor-sources.ts';
import { expect, test } from './program.ts';

declare global {
  /** What the page has seen, ms since it was loaded. */
  var seen: {
    /** Its worker's frames, as the page was told of them. */
    drawn: number[];
    /** The first picture in the editor, and the worker ready to draw the document. */
    picture: number;
    live: number;
    /** From a key to the frame that shows it. */
    typed: number[];
  };
}

const samples = path.join(import.meta.dirname, '..', '..', 'resources', 'samples');
/** Seconds that are played of each, at most. */
const longest = 4;

async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    globalThis.seen = { drawn: [], picture: 0, live: 0, typed: [] };
    let pressed = 0;
    addEventListener('input', () => (pressed ||= performance.now()), true);
    let newest = 0;
    const Native = Worker;
    globalThis.Worker = class extends Native {
      constructor(...given: ConstructorParameters<typeof Native>) {
        super(...given);
        this.addEventListener(
          'message',
          ({ data }: MessageEvent<{ type: string; document: number }>) => {
            if (data.type !== 'drawn') return;
            seen.drawn.push(performance.now());
            if (data.document <= newest) return;
            newest = data.document;
            const from = pressed;
            pressed = 0;
            if (from > 0) requestAnimationFrame(() => seen.typed.push(performance.now() - from));
          },
        );
      }
    };
    const look = (): void => {
      const preview = document.querySelector<HTMLElement>('[data-testid="editor-preview"]');
      if (preview?.querySelector('img')) seen.picture ||= performance.now();
      if (preview?.dataset.live === 'ready') seen.live ||= performance.now();
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

test('the first picture, and frames a second while the samples play', async ({ page, program }) => {
  test.setTimeout(240_000);
  await page.setViewportSize({ width: 1920, height: 1080 });
  await watch(page);
  for (const name of readdirSync(samples)) {
    const file = path.join(samples, name, 'source.json');
    if (!existsSync(file)) continue;
    // A sample that the program brings.
    const source = JSON.parse(readFileSync(file, 'utf8')) as object;
    const { id } = await program.createTemplate({ name, source });
    // A window that is open already, as a person comes from the list.
    await page.goto(`${program.windowUrl}&page=templates`);
    await page.reload();
    await page.waitForTimeout(1000);
    const begun = await page.evaluate(() => {
      seen.picture = seen.live = 0;
      return performance.now();
    });
    await openTemplate(page, program, id);
    const preview = page.getByTestId('editor-preview');
    await expect(preview).toHaveAttribute('data-state', 'ready');
    await expect(preview).toHaveAttribute('data-live', 'ready');
    const play = page.getByRole('button', { name: 'Play', exact: true });
    const { picture, live } = await page.evaluate(() => seen);
    const opened = `picture after ${(picture - begun).toFixed(0)} ms, worker after ${(live - begun).toFixed(0)} ms`;
    if (!(await play.isVisible())) {
      console.log(`${name}: ${opened}`);
      continue;
    }
    await play.click();
    await page.waitForTimeout(longest * 1000 + 300);
    const state = await preview.getAttribute('data-live');
    const { times, size } = await page.evaluate(() => {
      const canvas = document.querySelector('canvas');
      return { times: seen.drawn, size: `${canvas?.width}×${canvas?.height}` };
    });
    const [first = 0, last = 0] = [times[1], times.at(-1)];
    const rate = ((times.length - 2) / (last - first)) * 1000;
    console.log(
      `${name}: ${opened}; ${rate.toFixed(1)} frames a second of ${String((source as { frame_rate?: number }).frame_rate ?? 'its rate')} at ${size} (${state})`,
    );
  }
});

test('from a key to its letter on the screen', async ({ page, program }) => {
  await watch(page);
  const { id } = await program.createTemplate({ name: 'Promo', source: promo });
  await page.setViewportSize({ width: 1440, height: 900 });
  await openTemplate(page, program, id);
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-live', 'ready');
  await titleOf(page).click();
  await page.keyboard.type('The quick brown fox jumps over the lazy dog', { delay: 120 });
  await page.waitForTimeout(500);
  const typed = (await page.evaluate(() => seen.typed)).sort((a, b) => a - b);
  const at = (share: number): string =>
    (typed[Math.min(typed.length - 1, Math.floor(typed.length * share))] ?? NaN).toFixed(0);
  console.log(
    `${typed.length} letters: half within ${at(0.5)} ms, 95 of 100 within ${at(0.95)} ms`,
  );
});
