/** The result of a render plays: in the render dialog and in the details, before its file is there as a preview. */
import type { Locator } from '@playwright/test';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { openNewTemplate, openRenderOfCard } from './editor-page.ts';
import { expect, openWindow, test } from './program.ts';

/**
 * A whole picture in one colour, that of a placeholder where none is given. Long enough to still play when a busy
 * machine comes to look at it: at its end the server's picture takes the canvas's place.
 */
const groundOf = (duration: number): object => ({
  output_format: 'mp4',
  width: 640,
  height: 360,
  frame_rate: 10,
  duration,
  fill_color: '#000000',
  elements: [
    {
      type: 'shape',
      name: 'Ground',
      dynamic: true,
      width: '100%',
      height: '100%',
      fill_color: '#12355b',
    },
    {
      type: 'shape',
      y: '90%',
      width: '10%',
      height: '10%',
      fill_color: '#ffffff',
      x: [
        { time: 0, value: '0%' },
        { time: duration, value: '100%' },
      ],
    },
  ],
});
const ground = groundOf(20);

/** The colour in the middle of what the page has drawn. */
const middleOf = (canvas: Locator): Promise<string> =>
  canvas.evaluate((element: HTMLCanvasElement) => {
    const context = new OffscreenCanvas(1, 1).getContext('2d');
    context?.drawImage(element, -element.width / 2, -element.height / 2);
    const { data = [] } = context?.getImageData(0, 0, 1, 1) ?? {};
    return [...data].slice(0, 3).join(' ');
  });

async function moves(film: Locator): Promise<void> {
  await expect(film).toBeVisible();
  const first = await film.screenshot();
  await expect.poll(async () => first.equals(await film.screenshot())).toBe(false);
}

test('the render dialog plays what was chosen, and then the file', async ({ page, program }) => {
  const { id } = await program.createTemplate({ name: 'Promo', source: ground });
  const dialog = await openRenderOfCard(page, program, id);
  const colour = dialog.getByRole('textbox', { name: 'Ground · Fill', exact: true });
  await expect(dialog.getByTestId('render-check')).toHaveAttribute('data-state', 'ok');
  await colour.fill('#c92a2a');
  await expect(dialog.getByTestId('render-check')).toHaveAttribute('data-state', 'ok');
  const preview = dialog.getByTestId('render-preview');
  await expect(preview).toHaveAttribute('data-state', 'ready');
  await dialog.getByRole('button', { name: 'Play', exact: true }).click();
  const film = preview.locator('canvas.front');
  await moves(film);
  expect(await middleOf(film)).toBe('201 42 42');

  const sent = page.waitForResponse((answer) => answer.status() === 202);
  await page.keyboard.down('Shift');
  await dialog.getByRole('button', { name: 'Add to queue' }).click();
  await page.keyboard.up('Shift');
  const { id: render } = (await (await sent).json()) as { id: string };
  expect(await program.finished(render)).toMatchObject({ status: 'succeeded', template_id: id });
  const player = preview.locator('video');
  await expect(player).toHaveAttribute('src', new RegExp(`${render}\\.mp4`));
  await player.evaluate((video: HTMLVideoElement) => video.play());
  await expect
    .poll(() => player.evaluate((video: HTMLVideoElement) => video.currentTime))
    .toBeGreaterThan(0);

  // What is chosen then is another film.
  await colour.fill('#2b8a3e');
  await expect(player).toHaveCount(0);
  await expect(preview.getByRole('img')).toBeVisible();
});

test('a preview plays on when the page begins to draw, and when it stops', async ({
  page,
  program,
}) => {
  const { id } = await program.createTemplate({ name: 'Long', source: groundOf(120) });
  let begins = (): void => undefined;
  const held = new Promise<void>((resolve) => (begins = resolve));
  await page.route('**/drawing-worker*', async (route) => {
    await held;
    await route.continue();
  });
  const dialog = await openRenderOfCard(page, program, id);
  const preview = dialog.getByTestId('render-preview');
  await expect(preview).toHaveAttribute('data-state', 'ready');
  await dialog.getByRole('button', { name: 'Play', exact: true }).click();
  await moves(preview.locator('img'));
  begins();
  await moves(preview.locator('canvas.front'));
  // It answers nothing any more: after a while, the page goes on without it.
  await page.workers()[0]?.evaluate(() => (self.onmessage = null));
  await expect(preview.locator('canvas')).toHaveCount(0);
  await moves(preview.locator('img'));
});

test('details play the preview of a render that waits, and its file once it is there', async ({
  page,
  program,
}) => {
  await openWindow(page, program);
  const renderer = page.getByTestId('status-renderer');
  // Until it is known how the queue is, nothing is paused.
  await expect(renderer).toHaveAttribute('data-state', 'idle');
  // By the key: an empty queue has no button for it.
  await page.keyboard.press('Control+Shift+p');
  await expect(renderer).toHaveAttribute('data-state', 'paused');
  const { id } = await program.createRender({
    source: ground,
    modifications: { 'Ground.fill_color': '#c92a2a' },
  });
  await page.getByTestId(`render-row-${id}`).click();
  const details = page.getByRole('region', { name: 'Render details' });
  await details.getByRole('button', { name: 'Play preview' }).click();
  const film = details.locator('canvas.front');
  await moves(film);
  expect(await middleOf(film)).toBe('201 42 42');
  await expect(details).toContainText('The file is not finished yet.');

  await page.getByTestId('banner-paused').getByRole('button', { name: 'Resume queue' }).click();
  await expect(details.locator('video')).toHaveAttribute('src', new RegExp(`${id}\\.mp4`));
  await expect(details.locator('canvas')).toHaveCount(0);
  await expect.poll(() => page.workers().length).toBe(0);
});

test('fault 11: from the editor to the finished file: how far it is, its end, and what to do with it', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, { ...ground, duration: 6 }, 'Ground film');
  await page.getByRole('button', { name: 'Render…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Reels, Stories, Shorts' }).check();
  await expect(dialog.getByTestId('render-check')).toHaveAttribute('data-state', 'ok');
  const sent = page.waitForResponse((answer) => answer.status() === 202);
  await dialog.getByRole('button', { name: 'Add to queue' }).click();
  const { id } = (await (await sent).json()) as { id: string };
  const toasts = page.getByTestId('toasts');
  await expect(toasts.getByTestId('toast-progress').getByRole('progressbar')).toBeVisible();

  await expect(toasts).toContainText('Ground film is done');
  await expect(toasts.getByTestId('toast-progress')).toHaveCount(0);
  await toasts.getByRole('button', { name: 'Watch' }).click();
  await expect(dialog).toHaveAccessibleName('Ground film');
  await expect(page.getByTestId('page-editor')).toBeAttached();
  const player = dialog.locator('video');
  await expect(player).toHaveAttribute('src', new RegExp(`${id}\\.mp4`));
  await expect
    .poll(() => player.evaluate((video: HTMLVideoElement) => video.currentTime))
    .toBeGreaterThan(0);
  await dialog.getByRole('button', { name: 'Copy URL' }).click();
  await expect(toasts).toContainText('Copied.');
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download file' }).click();
  expect((await download).suggestedFilename()).toMatch(/^Ground film .*\.mp4$/);
  await page.keyboard.press('Escape');
  // Fault 40: in the folder it has its name, too.
  const files = readdirSync(path.join(program.dataFolder, 'output'));
  expect(files).toContain(`Ground film ${id.slice(0, 13)}.mp4`);

  // What is remembered leads to the render, too.
  await page.getByRole('button', { name: 'Recent messages' }).click();
  await page.getByRole('button', { name: 'Ground film is done' }).click();
  await expect(page.getByRole('region', { name: 'Render details' })).toContainText(id.slice(0, 8));
});
