/** Cards of templates that play: drawn by the page, one at a time, while the pointer or the focus rests on them. */
import type { Locator, Page } from '@playwright/test';
import { card } from './sources.ts';
import { promo } from './editor-sources.ts';
import { expect, openWindow, test } from './program.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** A ball that crosses the picture: no two moments are the same. */
const moving = {
  ...promo,
  elements: [
    {
      type: 'shape',
      width: '20%',
      height: '30%',
      fill_color: '#ffd43b',
      x: [
        { time: 0, value: '0%' },
        { time: 4, value: '100%' },
      ],
    },
  ],
};

const cardOf = (page: Page, id: string): Locator => page.getByTestId(`template-card-${id}`);
const filmOf = (page: Page, id: string): Locator => cardOf(page, id).locator('canvas.front');

async function openTemplates(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Templates' }).click();
  await expect(page.getByRole('list', { name: 'Templates' })).toBeVisible();
}

test('a card plays while the pointer rests on it, one at a time, without sound and drawn by the page', async ({
  page,
  program,
}) => {
  const { id: one } = await program.createTemplate({ name: 'One', source: moving });
  const { id: two } = await program.createTemplate({ name: 'Two', source: moving });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await openWindow(page, program);
  await openTemplates(page);
  await expect(cardOf(page, one).getByRole('presentation')).toBeVisible();
  await cardOf(page, one).hover();
  const film = filmOf(page, one);
  await expect(film).toBeVisible();
  const first = await film.screenshot();
  await expect.poll(async () => first.equals(await film.screenshot())).toBe(false);
  expect(page.workers()).toHaveLength(1);

  await cardOf(page, two).hover();
  await expect(filmOf(page, two)).toBeVisible();
  await expect(page.locator('canvas')).toHaveCount(1);
  expect(page.workers()).toHaveLength(1);

  await page.mouse.move(2, 2);
  await expect(page.locator('canvas')).toHaveCount(0);
  await expect.poll(() => page.workers().length).toBe(0);
  await expect(cardOf(page, two).getByRole('presentation')).toBeVisible();
  expect(asked.filter((path) => path === '/api/preview')).toHaveLength(2);
  expect(asked).not.toContain('/api/preview/sound');
});

test('a card plays while the focus came to it by keyboard, until the focus goes on or a dialog opens', async ({
  page,
  program,
}) => {
  const { id: one } = await program.createTemplate({ name: 'First', source: moving });
  await openWindow(page, program);
  await openTemplates(page);
  await cardOf(page, one).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await expect(cardOf(page, one)).toBeFocused();
  await expect(filmOf(page, one)).toBeVisible();
  await page.keyboard.press('Shift+F10');
  await expect(page.locator('canvas')).toHaveCount(0);
});

test('pictures do not play, nor does anything where little motion is wanted', async ({
  page,
  program,
}) => {
  const { id: still } = await program.createTemplate({ name: 'Still', source: card('S') });
  const { id: film } = await program.createTemplate({ name: 'Film', source: moving });
  await openWindow(page, program);
  await openTemplates(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  // Longer than a card waits.
  const rest = 600;
  await cardOf(page, still).hover();
  await page.waitForTimeout(rest);
  await cardOf(page, film).hover();
  await expect(filmOf(page, film)).toBeVisible();
  expect(asked.filter((path) => path === '/api/preview')).toHaveLength(1);
  await page.mouse.move(2, 2);
  await expect(page.locator('canvas')).toHaveCount(0);

  await page.emulateMedia({ reducedMotion: 'reduce' });
  await cardOf(page, film).hover();
  await page.waitForTimeout(rest);
  await cardOf(page, still).hover();
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await cardOf(page, film).hover();
  await expect(filmOf(page, film)).toBeVisible();
  // Once for each time that it played.
  expect(asked.filter((path) => path === '/api/preview')).toHaveLength(2);
});

test('what the page can’t draw keeps the server’s picture', async ({ page, program }) => {
  const { id } = await program.createTemplate({ name: 'Gone', source: moving });
  await openWindow(page, program);
  await openTemplates(page);
  const told: string[] = [];
  await page.route('**/api/preview', async (route) => {
    const answer = await route.fetch();
    // As for a document whose kit can't be had.
    const drawn = (await answer.json()) as Record<string, unknown>;
    delete drawn['kit'];
    await route.fulfill({ response: answer, json: drawn });
    told.push('answered');
  });
  await cardOf(page, id).hover();
  await expect.poll(() => told.length).toBe(1);
  await expect(cardOf(page, id).getByRole('presentation')).toBeVisible();
  await expect(filmOf(page, id)).toHaveCount(0);
});
