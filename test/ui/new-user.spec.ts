/**
 * What a new user does, who never sees JSON: from an empty start to a vertical video of ten seconds with a photo, a
 * moving title, captions, music and a logo, rendered. `STEP_PICTURES=FOLDER` keeps a picture of each step.
 */
import type { Page } from '@playwright/test';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { findFfmpeg } from '../../server/engine/ffmpeg.ts';
import { openTemplate, unfold } from './editor-page.ts';
import { checkRules } from './look.ts';
import { expect, openWindow, test } from './program.ts';

const folder = process.env['STEP_PICTURES'] ?? '';
const mediaFolder = path.resolve(import.meta.dirname, '../../resources/samples/media');
const files = ['dunes.jpg', 'logo.svg', 'tune.m4a'].map((name) => path.join(mediaFolder, name));

/** What ffmpeg says about a file, with its loudness. */
async function factsOf(file: string): Promise<string> {
  const { path: ffmpeg } = await findFfmpeg(undefined);
  const args = ['-hide_banner', '-i', file, '-af', 'volumedetect', '-f', 'null', '-'];
  return spawnSync(ffmpeg, args, { encoding: 'utf8' }).stderr;
}

test('from an empty start to a rendered vertical video, without JSON', async ({
  page,
  program,
}, info) => {
  test.setTimeout(300_000);
  page.setDefaultTimeout(30_000);
  await program.remember({});
  await page.setViewportSize({ width: 1440, height: 900 });
  await openWindow(page, program);
  let steps = 0;
  const step = async (name: string): Promise<void> => {
    steps += 1;
    if (folder === '') return;
    const number = String(steps).padStart(2, '0');
    await page.screenshot({ path: path.join(folder, `${number}-${name}.png`) });
  };
  const preview = page.getByTestId('editor-preview');
  const isDrawn = async (): Promise<void> =>
    expect(preview).toHaveAttribute('data-state', 'ready', { timeout: 30_000 });
  const panel = page.getByTestId('add-panel');
  const piece = (name: string) =>
    panel.getByTestId('piece-tiles').getByRole('button', { name, exact: true });
  const inspector = page.getByTestId('inspector');

  await page.getByRole('link', { name: 'Templates' }).click();
  await page.getByRole('button', { name: 'New template' }).click();
  await page.getByRole('menuitem', { name: /^By size/ }).click();
  const sizes = page.getByRole('dialog', { name: 'New template' });
  await sizes.getByRole('radio', { name: /^TikTok/ }).check();
  await step('size');
  await sizes.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-state', 'ready');
  await page.getByRole('textbox', { name: 'Template name' }).fill('Desert days');
  await expect(panel.getByTestId('piece-tiles')).toHaveAttribute('data-state', 'ready', {
    timeout: 30_000,
  });
  await step('empty');
  await checkRules(page, 'add panel');

  await test.step('a photo, dragged in from the media', async () => {
    await panel.getByRole('radio', { name: 'Media' }).check();
    const library = panel.getByTestId('media-panel');
    const chooser = page.waitForEvent('filechooser');
    await library.getByRole('button', { name: 'Add files…' }).last().click();
    await (await chooser).setFiles(files);
    await expect(library.getByRole('option')).toHaveCount(3, { timeout: 30_000 });
    await library.getByRole('option', { name: /^dunes/ }).dragTo(page.locator('#editor-stage'));
    await isDrawn();
    await expect(inspector.getByRole('heading', { name: 'dunes' })).toBeVisible();
    await step('photo');
    await checkRules(page, 'media panel');
  });

  await test.step('a title that moves', async () => {
    await panel.getByRole('radio', { name: 'Elements' }).check();
    await piece('Shade').click();
    await piece('Title').click();
    await isDrawn();
    const words = inspector.getByRole('textbox', { name: 'Text', exact: true });
    await words.fill('Above the dunes');
    await isDrawn();
    // Up, by hand.
    const frame = page.locator('#editor-stage .frame');
    const box = await frame.boundingBox();
    if (!box) throw new Error('There is no picture to drag in');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - box.height * 0.2, { steps: 5 });
    await page.mouse.up();
    await inspector.getByRole('button', { name: /^Animation/ }).click();
    await inspector.getByRole('button', { name: 'Add animation' }).click();
    const tiles = page.getByTestId('animation-tiles');
    await expect(tiles.getByRole('button', { name: 'Text slide' })).toBeVisible();
    await step('animation');
    await tiles.getByRole('button', { name: 'Text slide' }).click();
    await isDrawn();
  });

  await test.step('captions, music and a logo', async () => {
    await piece('Captions').click();
    await isDrawn();
    await piece('Logo').click();
    const dialog = page.getByRole('dialog', { name: 'Choose a file' });
    await dialog.getByRole('option', { name: /^logo/ }).click();
    await dialog.getByRole('button', { name: 'Choose', exact: true }).click();
    await expect(dialog).toHaveCount(0);
    await panel.getByRole('radio', { name: 'Media' }).check();
    await panel.getByRole('option', { name: /^tune/ }).click();
    await panel.getByRole('button', { name: 'Add tune.m4a to the template' }).click();
    await isDrawn();
    await step('all');
  });

  await test.step('it plays', async () => {
    await preview.getByRole('button', { name: 'Play', exact: true }).click();
    await expect
      .poll(async () => Number(await preview.getAttribute('data-frame')), { timeout: 30_000 })
      .toBeGreaterThan(20);
    await step('playing');
    await preview.getByRole('button', { name: 'Pause', exact: true }).click();
    await isDrawn();
  });

  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'false');
  await page.getByRole('button', { name: 'Render…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Render “Desert days”' });
  await unfold(dialog, 'Size and frame rate');
  await dialog.getByLabel('Scale').fill('0.25');
  await expect(dialog.getByTestId('render-check')).toHaveAttribute('data-state', 'ok');
  await step('render');
  await dialog.getByRole('button', { name: 'Add to queue' }).click();
  await expect(dialog).toBeHidden();
  await page.getByTestId('toasts').getByRole('button', { name: 'Show' }).last().click();
  const row = page.locator('[data-row]').filter({ hasText: 'Desert days' });
  await expect(row).toHaveAttribute('data-display', 'Done', { timeout: 180_000 });
  await step('done');

  const render = await program.readRender((await row.getAttribute('data-row')) ?? '');
  const file = info.outputPath('desert-days.mp4');
  writeFileSync(file, Buffer.from(await (await fetch(render.url)).arrayBuffer()));
  const facts = await factsOf(file);
  expect(facts).toMatch(/Video: h264.* 270x480/);
  expect(facts).toMatch(/Audio: aac/);
  expect(facts).toMatch(/Duration: 00:00:10\.0/);
  expect(Number(/mean_volume: (-?[\d.]+) dB/.exec(facts)?.[1])).toBeGreaterThan(-50);
  // The source was there all the time, one tab away, and nobody looked.
  expect(await program.remembered()).not.toHaveProperty('editorInspects');
});

test('the same way by keys alone; then another format, as one step and as a copy', async ({
  page,
  program,
}) => {
  test.setTimeout(180_000);
  await program.remember({});
  await page.setViewportSize({ width: 1440, height: 900 });
  await openWindow(page, program);
  await page.keyboard.press('Control+n');
  const sizes = page.getByRole('dialog', { name: 'New template' });
  await expect(sizes.getByRole('radio', { name: /^Instagram Reel/ })).toBeFocused();
  // The next group begins behind the four vertical ones.
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight']) {
    await page.keyboard.press(key);
  }
  await expect(sizes.getByRole('radio', { name: /^Full HD/ })).toBeFocused();
  await checkRules(page, 'new template', '[role=dialog]');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-state', 'ready');
  await page.keyboard.press('Alt+1');
  await expect(page.getByRole('tab', { name: 'Add' })).toBeFocused();
  const name = (): Promise<string> =>
    page.evaluate(() => document.activeElement?.textContent.trim() ?? '');
  for (let presses = 0; (await name()) !== 'Title' && presses < 12; presses += 1) {
    await page.keyboard.press('Tab');
  }
  expect(await name()).toBe('Title');
  await page.keyboard.press('Enter');
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'Enter'])
    await page.keyboard.press(key);
  expect(await name()).toBe('Lower third');
  const preview = page.getByTestId('editor-preview');
  await expect(preview).toHaveAttribute('data-state', 'ready', { timeout: 30_000 });
  await expect(page.getByRole('gridcell', { name: /^Composition Lower third,/ })).toHaveCount(1);
  await page.keyboard.press('Control+s');
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'false');

  await test.step('another format', async () => {
    await page.keyboard.press('Alt+2');
    await page.keyboard.press('Escape');
    const open = page.getByRole('button', { name: 'Change the format…' });
    await open.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Change the format' });
    await expect(dialog.getByTestId('resized-picture').locator('img')).toBeVisible();
    await checkRules(page, 'another format', '[role=dialog]');
    if (folder !== '') await page.screenshot({ path: path.join(folder, '20-format.png') });
    await dialog.getByRole('button', { name: 'Save as a copy' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('toasts')).toContainText('“Untitled (1080×1920)” was created.');
    await expect(open).toBeFocused();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Change', exact: true }).focus();
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    await expect(inspectedWidth(page)).toHaveValue('1080');
    await page.keyboard.press('Control+z');
    await expect(inspectedWidth(page)).toHaveValue('1920');
    await expect(page.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'false');
  });
});

test('what a brand has comes first, and new elements use it', async ({ page, program }) => {
  await program.remember({});
  const source = { output_format: 'mp4', width: 640, height: 360, duration: 2, elements: [] };
  const { id } = await program.createTemplate({ name: 'Branded', source });
  await page.setViewportSize({ width: 1440, height: 900 });
  await openTemplate(page, program, id);
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Brand…' }).click();
  const dialog = page.getByRole('dialog', { name: /^Brand of/ });
  await dialog.getByRole('button', { name: 'Add a colour' }).click();
  await dialog.getByLabel('Colour 1', { exact: true }).fill('#c0267f');
  await dialog.getByLabel('Font of titles').selectOption('Lobster');
  await checkRules(page, 'brand', '[role=dialog]');
  if (folder !== '') await page.screenshot({ path: path.join(folder, '21-brand.png') });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByTestId('toasts')).toContainText('The brand is saved.');

  const piece = (name: string) =>
    page.getByTestId('piece-tiles').getByRole('button', { name, exact: true });
  await piece('Title').click();
  const inspector = page.getByTestId('inspector');
  await expect(inspector.getByRole('button', { name: 'Font: Lobster' })).toBeVisible();
  await piece('Star').click();
  await inspector
    .getByRole('button', { name: /colour picker/ })
    .first()
    .click();
  const known = page.getByRole('group', { name: 'Brand colours' }).getByRole('button');
  await expect(known.first()).toHaveAttribute('aria-label', '#c0267f');
  if (folder !== '') await page.screenshot({ path: path.join(folder, '22-branded.png') });
});

const inspectedWidth = (page: Page) =>
  page.getByTestId('inspector').getByRole('group', { name: 'Size' }).getByRole('textbox').first();
