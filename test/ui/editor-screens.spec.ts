/**
 * The editor in all its states, in both themes: no rule of accessibility is broken, nothing is cut off or overlaps the
 * frame at the smallest size and at 200 % zoom. `npm test -- --screens` draws them into test/ui/screens/.
 */
import path from 'node:path';
import { fits, look, lookAtEditor, openEditor } from './editor-look.ts';
import { unfold } from './editor-page.ts';
import { promo } from './editor-sources.ts';
import { expect, test } from './program.ts';

test.beforeEach(async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('fields, outline, source and their menus', async ({ page, program }) => {
  test.setTimeout(150_000);
  await openEditor(page, program, 'Promo square', promo);
  await page.getByRole('slider', { name: 'Time', exact: true }).fill('50');
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-frame', '50');
  await lookAtEditor(page, 'fields');
  await page.getByRole('tab', { name: 'Outline' }).click();
  await page.getByRole('treeitem', { name: /^Badge/ }).click();
  await lookAtEditor(page, 'outline', '.left-pane');
  await page.getByRole('button', { name: 'Use', exact: true }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await lookAtEditor(page, 'menu', '.menu');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Alt+3');
  await page.keyboard.press('Control+f');
  await page.keyboard.type('Title');
  await lookAtEditor(page, 'search', '.right-pane');
});

test('problems, and what stands in the way of a picture', async ({ page, program }) => {
  test.setTimeout(150_000);
  const [ground, title, badge] = promo.elements;
  const broken = {
    ...promo,
    letter_spacing: 'wide',
    elements: [
      { ...ground, fill_colour: 'red', y: 'low' },
      { ...title, letter_spacing: 'wide', opacity: 300 },
      badge,
    ],
  };
  await openEditor(page, program, 'Broken', broken, /stale|failed/);
  await page.getByRole('tab', { name: 'Problems' }).click();
  await lookAtEditor(page, 'problems');
  const clip = {
    type: 'image',
    name: 'Photo of the shop',
    source: 'shop.jpg',
    x: '28%',
    y: '36%',
    width: '44%',
    height: '50%',
  };
  await openEditor(page, program, 'Missing media', {
    ...promo,
    elements: [ground, { ...title, x: '76%', width: '44%' }, clip],
  });
  await page.getByRole('tab', { name: 'Problems' }).click();
  await lookAtEditor(page, 'missing', '.right-pane');
  const empty = { output_format: 'mp4', width: 640, height: 360, elements: [] };
  await openEditor(page, program, 'Blank', empty, /blank/);
  await lookAtEditor(page, 'blank', '[data-testid=editor-preview]');
});

test('the render dialog, with and without errors', async ({ page, program }) => {
  test.setTimeout(120_000);
  await openEditor(page, program, 'Promo square', promo);
  await page.getByRole('button', { name: 'Render…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByTestId('render-check')).toHaveAttribute('data-state', 'ok');
  await expect(dialog.getByTestId('render-preview')).toHaveAttribute('data-state', 'ready');
  await dialog.getByRole('radio', { name: 'Reels, Stories, Shorts' }).check();
  await expect(dialog.getByTestId('preset-shape')).toBeVisible();
  await lookAtEditor(page, 'render', '[role=dialog]');
  await dialog.getByRole('radio', { name: 'Picture', exact: true }).check();
  await expect(dialog.getByTestId('moment-strip').locator('[data-frame]').last()).toBeVisible();
  await lookAtEditor(page, 'render-picture', '[role=dialog]');
  await unfold(dialog, 'For developers');
  await dialog.getByLabel('Other changes (JSON)').fill('{ "Ground.fill_color": "sky" }');
  await expect(dialog.getByTestId('render-check')).toHaveAttribute('data-state', 'wrong');
  await expect(dialog.getByRole('button', { name: 'Add to queue' })).toBeDisabled();
  await lookAtEditor(page, 'render-wrong', '[role=dialog]');
});

test('the media library: empty, with files, with one that can’t be used', async ({
  page,
  program,
}) => {
  test.setTimeout(150_000);
  const photo = { type: 'image', name: 'Photo', dynamic: true, source: null };
  await openEditor(page, program, 'With files', { ...promo, elements: [...promo.elements, photo] });
  await page.getByRole('button', { name: 'Choose a file for Photo' }).click();
  const dialog = page.getByRole('dialog', { name: 'Choose a file' });
  await expect(dialog.getByText('The media library is empty.')).toBeVisible();
  await lookAtEditor(page, 'media-empty', '[role=dialog]');
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Add files…' }).click();
  const files = ['photo.jpg', 'mark.svg', 'numbers.mp4', 'captions.srt'];
  const folder = path.resolve(import.meta.dirname, '../fixtures');
  await (await chooser).setFiles(files.map((name) => path.join(folder, name)));
  await expect(dialog.getByRole('alert')).toBeVisible({ timeout: 60_000 });
  await lookAtEditor(page, 'media', '[role=dialog]');
});

test('recovered work, a change made elsewhere, the difference', async ({ page, program }) => {
  test.setTimeout(120_000);
  const id = await openEditor(page, program, 'Shared', promo);
  const title = page.getByRole('group', { name: 'Fields' }).getByLabel('Title', { exact: true });
  const kept = page.waitForResponse((answer) => answer.url().endsWith('/draft') && answer.ok());
  await title.fill('Winter sale');
  await kept;
  await page.reload();
  await expect(page.getByTestId('editor-recovered')).toBeVisible();
  await fetch(`${program.apiUrl}/v2/templates/${id}`, {
    method: 'PATCH',
    headers: { Authorization: `Bearer ${program.apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ source: { ...promo, duration: 6, fill_color: '#087f5b' } }),
  });
  await expect(page.getByTestId('editor-conflict')).toBeVisible();
  await lookAtEditor(page, 'conflict');
  await page.getByRole('button', { name: 'Show difference' }).click();
  await lookAtEditor(page, 'difference', '[role=dialog]');
});

test('a store that can’t be written, with the source pane hidden', async ({ page, program }) => {
  await openEditor(page, program, 'Promo square', promo);
  await page.route('**/api/editor/*', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({
          status: 503,
          json: { hint: 'The app cannot save data right now: the disk is full.' },
        })
      : route.continue(),
  );
  await page.getByRole('group', { name: 'Fields' }).getByLabel('Title', { exact: true }).fill('Hi');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByTestId('editor-read-only')).toBeVisible();
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Source' }).click();
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await lookAtEditor(page, 'read-only');
});

test('200 % zoom: everything is reached by scrolling one way', async ({ browser, program }) => {
  const context = await browser.newContext({
    viewport: { width: 640, height: 400 },
    deviceScaleFactor: 2,
  });
  const page = await context.newPage();
  await openEditor(page, program, 'Zoomed', promo);
  const panes = page.locator('.panes');
  const inDark = async (name: string): Promise<void> => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await fits(page, `${name}-dark`);
    expect(await panes.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(
      0,
    );
    await page.emulateMedia({ colorScheme: 'light' });
  };
  await look(page, 'editor-zoom-200');
  expect(await panes.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  await inDark('editor-zoom-200');
  await page.getByRole('tab', { name: 'Outline' }).click();
  await expect(page.getByRole('treeitem', { name: /^Price/ })).toBeVisible();
  await look(page, 'editor-zoom-200-outline');
  await inDark('editor-zoom-200-outline');
  await page.getByRole('button', { name: 'Render…' }).click();
  await expect(page.getByRole('button', { name: 'Add to queue' })).toBeInViewport();
  await look(page, 'editor-zoom-200-render');
  await inDark('editor-zoom-200-render');
  await context.close();
});
