/**
 * Pictures of every page in both themes and two sizes, for people to look at: test/ui/screens/. They are made anew with
 * UPDATE_SCREENS=1; otherwise only the layout is checked: nothing may overlap the frame or be cut off by it.
 */
import type { Page } from '@playwright/test';
import path from 'node:path';
import { expect, openWindow, test } from './program.ts';
import { brokenCard, card, titleFilm } from './sources.ts';

const sizes = [
  { width: 1280, height: 800 },
  { width: 960, height: 600 },
];
const themes = ['light', 'dark'] as const;

/** Keeps a picture when they are asked for, and checks that the page fits the window. */
async function look(page: Page, name: string): Promise<void> {
  const { scrolls, wide } = await page.evaluate(() => ({
    scrolls: document.documentElement.scrollHeight > innerHeight,
    wide: document.documentElement.scrollWidth > innerWidth,
  }));
  expect({ name, scrolls, wide }).toEqual({ name, scrolls: false, wide: false });
  if (process.env['UPDATE_SCREENS'] !== '1') return;
  const file = path.join(import.meta.dirname, 'screens', `${name}.png`);
  await page.screenshot({ path: file, animations: 'disabled' });
}

test('every page in both themes and sizes', async ({ page, program }) => {
  test.setTimeout(180_000);
  const eachSize = async (name: string, prepare?: () => Promise<void>): Promise<void> => {
    for (const size of sizes) {
      for (const colorScheme of themes) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme });
        await prepare?.();
        await look(page, `${name}-${colorScheme}-${size.width}`);
      }
    }
  };

  await openWindow(page, program);
  await eachSize('empty');

  await program.createTemplate({
    name: 'Quote card',
    tags: ['quote'],
    source: card('Less, but better', 1200, 628, '#5f3dc4'),
  });
  await program.createTemplate({
    name: 'Story',
    tags: ['vertical', 'promo'],
    source: card('Story', 540, 960, '#087f5b'),
  });
  const finished = [
    await program.createRender(card('Autumn')),
    await program.createRender(card('Wide', 1200, 500, '#1864ab')),
    await program.createRender(brokenCard),
    await program.createRender(card('Tall', 540, 960, '#087f5b')),
    await program.createRender(titleFilm('Moving', 3)),
  ];
  for (const { id } of finished) await program.finished(id);
  const running = await program.createRender({
    ...titleFilm('Running', 600),
    width: 1920,
    height: 1080,
  });
  await program.createRender(titleFilm('Waiting', 5));
  await expect(page.getByTestId(`render-row-${running.id}`)).toHaveAttribute(
    'data-status',
    'rendering',
  );
  await page.waitForTimeout(4500);
  await eachSize('queue');

  const rows = {
    running: running.id,
    failed: finished[2]!.id,
    film: finished[4]!.id,
  };
  for (const [name, id] of Object.entries(rows)) {
    await page.getByTestId(`render-row-${id}`).click();
    await expect(page.getByRole('region', { name: 'Render details' })).toBeVisible();
    // A player shows its first frame, not the sign that it is loading.
    await page.waitForFunction(() =>
      [...document.querySelectorAll('video')].every((video) => video.readyState >= 2),
    );
    await page.waitForTimeout(400);
    await eachSize(`details-${name}`);
  }
  await page.getByRole('button', { name: 'Close details' }).click();
  await page.getByRole('button', { name: 'Use the API' }).click();
  await eachSize('connect');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Templates' }).click();
  await eachSize('templates');
});
