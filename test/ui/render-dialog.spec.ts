/** The render dialog: what it stores, which files it offers, what it shows, and what it says when files are missing. */
import type { Locator, Page } from '@playwright/test';
import { openNewTemplate, openRenderOfCard, titleOf, unfold } from './editor-page.ts';
import { promo } from './editor-sources.ts';
import { expect, test, type Program } from './program.ts';

const dialogOf = (page: Page): Locator => page.getByRole('dialog');

async function storedText(program: Program, id: string): Promise<string> {
  const headers = { Authorization: `Bearer ${program.apiKey}` };
  return (await fetch(`${program.apiUrl}/v2/templates/${id}`, { headers })).text();
}

test('rendering uses what stands in the editor and saves nothing, cancelled or not', async ({
  page,
  program,
}) => {
  const id = await openNewTemplate(page, program, { ...promo, duration: 1 });
  const before = await storedText(program, id);
  await titleOf(page).fill('Not saved at all');
  await page.getByRole('button', { name: 'Render…' }).click();
  const dialog = dialogOf(page);
  await expect(dialog).toContainText('Renders the unsaved version from the editor.');
  await expect(dialog.getByTestId('render-check')).toHaveAttribute('data-state', 'ok');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await storedText(program, id)).toBe(before);
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'true');

  await page.getByRole('button', { name: 'Render…' }).click();
  await dialog.getByLabel('jpg').check();
  await expect(dialog.getByTestId('render-check')).toHaveAttribute('data-state', 'ok');
  const sent = page.waitForResponse((answer) => answer.status() === 202);
  await dialog.getByRole('button', { name: 'Add to queue' }).click();
  const { id: render } = (await (await sent).json()) as { id: string };
  expect(await program.finished(render)).toMatchObject({ status: 'succeeded', template_id: id });
  expect(await storedText(program, id)).toBe(before);
  await expect(titleOf(page)).toHaveValue('Not saved at all');

  // The render says which it is, and what it was made from can be had again.
  await page.getByTestId('toasts').getByRole('button', { name: 'View' }).click();
  await dialogOf(page).getByRole('button', { name: 'Show in the queue' }).click();
  const row = page.getByTestId(`render-row-${render}`);
  await expect(row).toContainText('Promo – Not saved at all');
  await expect(row).toContainText('Template, not saved');
  await page.getByRole('tab', { name: 'Request' }).click();
  await expect(page.getByRole('region', { name: 'Render details' })).toContainText(
    'Not saved at all',
  );
});

test('a film of any frame rate becomes a gif; quality and frame rate have controls', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, { ...promo, duration: 1, frame_rate: 30 });
  await page.getByRole('button', { name: 'Render…' }).click();
  const dialog = dialogOf(page);
  const check = dialog.getByTestId('render-check');
  const rate = dialog.getByLabel('Frame rate');
  await unfold(dialog, 'Size and frame rate');
  await expect(rate).toHaveAttribute('placeholder', '30');
  await dialog.getByLabel('gif', { exact: true }).check();
  await expect(rate).toHaveAttribute('placeholder', '15');
  await expect(check).toHaveAttribute('data-state', 'ok');

  await rate.fill('30');
  await expect(check).toHaveAttribute('data-state', 'wrong');
  await expect(check).toContainText('Frame rate: Expected a number between 1 and 15');
  await expect(rate).toHaveAccessibleDescription('Expected a number between 1 and 15; found 30');
  await rate.fill('10');
  await dialog.getByLabel('Quality').selectOption('Best colors');
  await dialog.getByLabel('Scale').fill('99');
  await expect(check).toContainText('Scale: Expected a number from 0.1 to 10');
  await dialog.getByLabel('Scale').fill('0.25');
  await expect(dialog.getByTestId('render-size')).toHaveText('160×90 pixels');
  await expect(check).toHaveAttribute('data-state', 'ok');
  const sent = page.waitForResponse((answer) => answer.status() === 202);
  await dialog.getByRole('button', { name: 'Add to queue' }).click();
  const answer = await sent;
  expect(answer.request().postDataJSON()).toMatchObject({
    output_format: 'gif',
    frame_rate: 10,
    render_scale: 0.25,
    modifications: { gif_quality: 'best' },
  });
  const { id } = (await answer.json()) as { id: string };
  expect(await program.finished(id)).toMatchObject({
    status: 'succeeded',
    output_format: 'gif',
    frame_rate: 10,
    width: 160,
  });
});

test('the dialog shows a moment with most in it, and keeps it in sight', async ({
  page,
  program,
}) => {
  const texts = Array.from({ length: 14 }, (_, index) => ({
    type: 'text',
    name: `Line ${index + 1}`,
    text: `Line ${index + 1}`,
    dynamic: true,
    time: 2,
    duration: 2,
    y: `${index * 7}%`,
    height: '7%',
    fill_color: '#ffffff',
  }));
  const { id } = await program.createTemplate({
    name: 'Filled',
    source: { ...promo, duration: 6, elements: [...promo.elements, ...texts] },
  });
  const dialog = await openRenderOfCard(page, program, id);
  const preview = dialog.getByTestId('render-preview');
  await expect(preview).toHaveAttribute('data-state', 'ready');
  const time = Number(await dialog.getByRole('slider').inputValue()) / 25;
  expect(time).toBeGreaterThan(2);
  expect(time).toBeLessThan(4);
  for (const [width, height] of [
    [1280, 700],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    await dialog.getByLabel('Line 14', { exact: true }).scrollIntoViewIfNeeded();
    await expect(dialog.getByLabel('Line 14', { exact: true })).toBeInViewport();
    await expect(preview).toBeInViewport({ ratio: 0.6 });
  }
});

test('files that are missing are named instead of “No errors”', async ({ page, program }) => {
  const photo = { type: 'image', name: 'Photo', dynamic: true, source: null };
  const logo = { type: 'image', name: 'Logo', dynamic: true, source: '/no/such/logo.png' };
  await openNewTemplate(page, program, { ...promo, elements: [...promo.elements, photo, logo] });
  await page.getByRole('button', { name: 'Render…' }).click();
  const dialog = dialogOf(page);
  await expect(dialog.getByTestId('render-missing')).toHaveText('2 files are missing: Logo, Photo');
  await expect(dialog).not.toContainText('No errors');
  // Also where the rest of the dialog has to be scrolled.
  for (const [width, height] of [
    [960, 600],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(dialog.getByTestId('render-missing')).toBeInViewport({ ratio: 1 });
  }
});

const tall = {
  ...promo,
  ...{ width: 360, height: 640, duration: 2 },
  elements: [
    { type: 'shape', width: '100%', height: '100%', fill_color: '#c92a2a', time: 0, duration: 1 },
    { type: 'shape', width: '100%', height: '100%', fill_color: '#2b8a3e', time: 1, duration: 1 },
  ],
};

test('presets choose the file, and say what they can’t do; the editor’s dialog has no fields', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, tall, 'Reel');
  await page.getByRole('button', { name: 'Render…' }).click();
  const dialog = dialogOf(page);
  const preset = (name: string): Locator => dialog.getByRole('radio', { name, exact: true });
  await expect(preset('As designed')).toBeChecked();
  await expect(dialog.getByRole('group', { name: 'Fields' })).toHaveCount(0);
  await preset('Reels, Stories, Shorts').check();
  await expect(dialog.getByTestId('render-size')).toHaveText('1080×1920 pixels');
  await expect(dialog.getByTestId('preset-enlarged')).toContainText('3 times as large');
  await expect(dialog.getByTestId('preset-shape')).toHaveCount(0);
  await preset('YouTube').check();
  await expect(dialog.getByTestId('preset-shape')).toContainText(
    'YouTube shows 16:9, and this template is 9:16.',
  );
  await preset('720p').check();
  await expect(dialog.getByTestId('render-size')).toHaveText('720×1280 pixels');
  await expect(dialog.getByLabel('Quality')).toHaveValue('20');

  // Another figure is nobody’s preset.
  await unfold(dialog, 'Size and frame rate');
  await dialog.getByLabel('Scale').fill('0.5');
  await expect(preset('720p')).not.toBeChecked();
  await preset('YouTube').check();
  await dialog
    .getByTestId('preset-shape')
    .getByRole('button', { name: 'Change the format…' })
    .click();
  await expect(page.getByRole('dialog', { name: 'Change the format' })).toBeVisible();
});

test('sound only: neither size nor quality is asked for, and the file is played', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, tall, 'Silence');
  await page.getByRole('button', { name: 'Render…' }).click();
  const dialog = dialogOf(page);
  await dialog.getByRole('radio', { name: 'Sound', exact: true }).check();
  const format = dialog.getByRole('radio', { name: 'mp3', exact: true });
  await expect(format).toBeChecked();
  await expect(format).toHaveAccessibleDescription('Sound only');
  await expect(dialog.getByLabel('Quality')).toHaveCount(0);
  await expect(dialog.getByText('Size and frame rate')).toHaveCount(0);
  await dialog.getByRole('radio', { name: 'wav', exact: true }).check();
  await expect(dialog.getByTestId('render-estimate')).toContainText('384 kB');
  const sent = page.waitForResponse((answer) => answer.status() === 202);
  await dialog.getByRole('button', { name: 'Add to queue' }).click();
  const { id } = (await (await sent).json()) as { id: string };
  expect(await program.finished(id)).toMatchObject({ status: 'succeeded', duration: 2 });
  await page.getByTestId('toasts').getByRole('button', { name: 'Listen' }).click();
  const player = page.getByLabel(/^Player of Silence/);
  await expect.poll(() => player.evaluate((one: HTMLAudioElement) => one.duration)).toBe(2);
  await dialogOf(page).getByRole('button', { name: 'Show in the queue' }).click();
  const row = page.getByTestId(`render-row-${id}`);
  await expect(row).toContainText('wav');
  await expect(row.locator('img, video')).toHaveCount(0);
});

test('fault 18: a GIF that would be large says so before, and is made smaller with one click', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, { ...tall, width: 1080, height: 1920, duration: 12 });
  await page.getByRole('button', { name: 'Render…' }).click();
  const dialog = dialogOf(page);
  await dialog.getByLabel('gif', { exact: true }).check();
  const warning = dialog.getByTestId('gif-large');
  await expect(warning).toContainText(/may come to 60\sMB/);
  await expect(dialog.getByTestId('render-estimate')).toHaveText(/^At most about 60\sMB$/);
  await warning.getByRole('button').click();
  await expect(warning).toHaveCount(0);
  await expect(dialog.getByTestId('render-size')).toHaveText('270×480 pixels');
  await expect(dialog.getByRole('radio', { name: 'GIF for the web' })).toBeChecked();
});

test('fault 9: a picture shows the moment that is chosen, and is not offered again unasked', async ({
  page,
  program,
}) => {
  const id = await openNewTemplate(page, program, tall, 'Reel');
  const dialog = dialogOf(page);
  const pictureOf = async (): Promise<readonly number[]> => {
    const sent = page.waitForResponse((answer) => answer.status() === 202);
    await dialog.getByRole('button', { name: 'Add to queue' }).click();
    const answer = await sent;
    const made = (await answer.json()) as { id: string };
    expect(answer.request().postDataJSON()).toMatchObject({ output_format: 'png' });
    const { url } = await program.finished(made.id);
    return page.evaluate(async (address) => {
      const bitmap = await createImageBitmap(await (await fetch(address)).blob());
      const context = new OffscreenCanvas(1, 1).getContext('2d')!;
      context.drawImage(bitmap, 0, 0, 1, 1);
      return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
    }, new URL(url).pathname);
  };

  // The editor’s moment is the first one that is offered.
  await page.getByTestId('editor-preview').getByRole('slider', { name: 'Time' }).focus();
  await page.keyboard.press('End');
  await page.getByRole('button', { name: 'Render…' }).click();
  await dialog.getByRole('radio', { name: 'Picture', exact: true }).check();
  const moment = dialog.getByRole('slider', { name: 'Moment of the picture' });
  await expect(moment).toHaveValue('49');
  const frames = dialog.getByTestId('moment-strip').locator('img');
  await expect.poll(() => frames.count()).toBeGreaterThan(4);
  expect(await pictureOf()).toEqual([43, 138, 62]);

  await page.getByRole('button', { name: 'Render…' }).click();
  await expect(dialog.getByLabel('mp4', { exact: true })).toBeChecked();
  await dialog.getByRole('radio', { name: 'Picture', exact: true }).check();
  await moment.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await expect(moment).toHaveAttribute('aria-valuetext', /0:00\.04/);
  expect(await pictureOf()).toEqual([201, 42, 42]);
  expect(await storedText(program, id)).not.toContain('snapshot_time');
});
