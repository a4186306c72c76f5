/**
 * Choosing files for elements: the media library as a dialog, by pointer and by keyboard, what goes wrong with it, and
 * the desktop's files that stay where they lie.
 */
import type { Locator, Page } from '@playwright/test';
import path from 'node:path';
import { changeSettings, desktopBridge } from './desktop-stand-in.ts';
import {
  fieldsOf,
  openNewTemplate,
  openRenderOfCard,
  openTemplate,
  sourceOf,
} from './editor-page.ts';
import { promo } from './editor-sources.ts';
import { checkRules } from './look.ts';
import { expect, test, type Program } from './program.ts';
import { waveOf } from './wave.ts';

const fixtures = path.resolve(import.meta.dirname, '../fixtures');
const fixture = (name: string): string => path.join(fixtures, name);

const photo = { type: 'image', name: 'Photo', dynamic: true, source: null };

async function openEditor(page: Page, program: Program, ...elements: object[]): Promise<string> {
  // First, so that they are among the lines of the source that are in the page.
  const source = { ...promo, elements: [...elements, ...promo.elements] };
  return openNewTemplate(page, program, source, 'With files');
}

const library = (page: Page): Locator => page.getByRole('dialog', { name: 'Choose a file' });

async function openLibrary(page: Page, field: string): Promise<Locator> {
  await page.getByRole('button', { name: `Choose a file for ${field}` }).click();
  const dialog = library(page);
  await expect(dialog.getByTestId('media-library')).toHaveAttribute('data-state', 'ready');
  return dialog;
}

async function addFiles(page: Page, files: readonly string[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await library(page).getByRole('button', { name: 'Add files…' }).click();
  await (await chooser).setFiles(files.map(fixture));
}

test('a file is added, found, chosen by keyboard and shown by its name', async ({
  page,
  program,
}) => {
  // Each file is looked at by a process of its own.
  test.setTimeout(120_000);
  await openEditor(page, program, photo);
  const dialog = await openLibrary(page, 'Photo');
  await expect(dialog.getByText('The media library is empty.')).toBeVisible();
  await expect(dialog.getByRole('textbox', { name: 'Search by name' })).toBeFocused();
  await checkRules(page, 'an empty library', '[role=dialog]');

  await addFiles(page, ['photo.jpg', 'captions.srt', 'numbers.mp4', 'pattern.png']);
  const list = dialog.getByRole('listbox', { name: 'Media library' });
  // What can't be used stays with its reason; the others are there.
  const failed = dialog.getByRole('list', { name: 'Files being added' }).getByRole('listitem');
  await expect(failed).toHaveText([/captions\.srt.*can't be used/s], { timeout: 60_000 });
  await expect(list.getByRole('option', { name: /^pattern\.png, picture, 80×80/ })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await dialog.getByRole('button', { name: 'Remove captions.srt from the list' }).click();
  await expect(failed).toHaveCount(0);

  // Pictures were shown first, because the element is one; a film among the new files shows all.
  await expect(list.getByRole('option')).toHaveText([/pattern\.png/, /numbers\.mp4/, /photo\.jpg/]);
  await expect(dialog.getByRole('radio', { name: 'All, 3' })).toBeChecked();
  await dialog.getByRole('radio', { name: 'All, 3' }).press('ArrowRight');
  await expect(dialog.getByRole('radio', { name: 'Pictures, 2' })).toBeChecked();
  await expect(list.getByRole('option')).toHaveCount(2);
  await dialog.getByRole('textbox', { name: 'Search by name' }).fill('no such file');
  await expect(dialog.getByText('No files match.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Clear filter' }).click();
  await checkRules(page, 'the library', '[role=dialog]');

  await list.getByRole('option').first().focus();
  await page.keyboard.press('End');
  await expect(list.getByRole('option').last()).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await expect(list.getByRole('option', { name: /^numbers/ })).toBeFocused();
  await page.keyboard.press('p');
  await expect(list.getByRole('option', { name: /^photo/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Choose a file for Photo' })).toBeFocused();

  // The field names the file; the source has its ID.
  const field = fieldsOf(page).getByLabel('Photo', { exact: true });
  await expect(field).toHaveValue('photo.jpg');
  await expect(sourceOf(page)).toContainText(/"source": "media:[\da-f]{32}"/);
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-state', 'ready');
  await expect(page.getByText('No problems', { exact: true })).toBeVisible();
  await field.press('Delete');
  await expect(field).toHaveValue('');
  await field.fill('media:gone');
  await expect(page.getByText('This file is no longer in the media library.')).toBeVisible();
});

test('sounds of the library are heard: by a press on the tile, by Space and by the button', async ({
  page,
  program,
}) => {
  test.setTimeout(120_000);
  const source = { ...promo, elements: [] };
  const { id } = await program.createTemplate({ name: 'With sounds', source });
  await page.setViewportSize({ width: 1440, height: 900 });
  await openTemplate(page, program, id);
  const panel = page.getByTestId('media-panel');
  await page.getByRole('radio', { name: 'Media' }).check({ force: true });
  const sounds = ['first.wav', 'second.wav'].map((name, index) => {
    const samples = Buffer.alloc(2 * 8_000 * 30, index + 1);
    return { name, mimeType: 'audio/wav', buffer: waveOf(samples) };
  });
  await panel.locator('input[type="file"]').setInputFiles(sounds);
  const [first, second] = sounds.map(({ name }) =>
    panel.getByRole('option', { name: new RegExp(`^${name}`) }),
  ) as [Locator, Locator];
  await expect(first).toBeVisible({ timeout: 60_000 });
  await expect(second).toBeVisible({ timeout: 60_000 });
  await first.getByTestId('media-play').click();
  await expect(panel.getByRole('button', { name: 'Pause first.wav' })).toBeVisible();
  const progress = first.getByTestId('media-progress');
  await expect.poll(async () => (await progress.boundingBox())?.width ?? 0).toBeGreaterThan(1);
  await checkRules(page, 'a sound that plays', '[data-testid=media-panel]');
  const folder = process.env['LOOK_AT'];
  if (folder !== undefined) await page.screenshot({ path: path.join(folder, 'sounds.png') });
  // Another one takes its place.
  await second.focus();
  await page.keyboard.press('Space');
  await expect(second.getByTestId('media-progress')).toBeAttached();
  await expect(progress).toHaveCount(0);
  await panel.getByRole('button', { name: 'Pause second.wav' }).press('Enter');
  await expect(panel.getByRole('button', { name: 'Play second.wav' })).toBeFocused();
  // A right click keeps several that are selected.
  await first.click();
  await second.click({ modifiers: ['Control'] });
  await second.click({ button: 'right' });
  await expect(page.getByRole('menuitem')).toHaveText([
    'Add 2 files to the film',
    'Play second.wav',
    'Remove second.wav from the library…',
  ]);
  if (folder !== undefined) await page.screenshot({ path: path.join(folder, 'menu.png') });
  await page.getByRole('menuitem', { name: 'Add 2 files' }).click();
  await expect(second).toBeFocused();
  await expect(page.getByTestId('timeline').getByText('second', { exact: true })).toBeVisible();
});

test('dropped files go into the library; removing one says who uses it', async ({
  page,
  program,
}) => {
  await openEditor(page, program, photo);
  const dialog = await openLibrary(page, 'Photo');
  const drop = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'sign.svg', { type: 'image/svg+xml' }));
    return data;
  }, '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="20" height="10" fill="#c00"/></svg>');
  await dialog.getByTestId('media-library').dispatchEvent('dragover', { dataTransfer: drop });
  await expect(dialog.getByText('Drop files to add them to the library')).toBeVisible();
  await dialog.getByTestId('media-library').dispatchEvent('drop', { dataTransfer: drop });
  const sign = dialog.getByRole('option', { name: /^sign\.svg/ });
  await expect(sign).toHaveAttribute('aria-selected', 'true');
  await dialog.getByRole('button', { name: 'Choose', exact: true }).click();
  await expect(fieldsOf(page).getByLabel('Photo', { exact: true })).toHaveValue('sign.svg');
  await page.keyboard.press('Control+s');
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'false');

  await openLibrary(page, 'Photo');
  await expect(sign).toHaveAttribute('aria-selected', 'true');
  await sign.focus();
  await page.keyboard.press('Delete');
  const question = page.getByRole('alertdialog', {
    name: 'Remove “sign.svg” from the media library?',
  });
  await expect(question).toContainText('1 template uses it: “With files”.');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(sign).toBeVisible();
  await sign.focus();
  await page.keyboard.press('Delete');
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect(sign).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('how much of a large file was sent is shown; it can be stopped; a library that can’t be read says so', async ({
  page,
  program,
}) => {
  await openEditor(page, program, photo);
  let broken = true;
  await page.route('**/api/media', (route) =>
    broken ? route.fulfill({ status: 500, json: {} }) : route.continue(),
  );
  // Never answered, as a slow line would be.
  await page.route('**/api/media?name=*', () => undefined);
  await page.getByRole('button', { name: 'Choose a file for Photo' }).click();
  const dialog = library(page);
  await expect(dialog.getByText('The media library could not be loaded.')).toBeVisible();
  broken = false;
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog.getByTestId('media-library')).toHaveAttribute('data-state', 'ready');
  await addFiles(page, ['rings.png', 'photo.jpg']);
  const uploads = dialog.getByRole('list', { name: 'Files being added' });
  await expect(uploads.getByRole('progressbar', { name: 'Adding rings.png' })).toBeVisible();
  await expect(uploads).toContainText('Waiting…');
  await dialog.getByRole('button', { name: 'Stop adding rings.png' }).click();
  await expect(uploads.getByRole('progressbar', { name: 'Adding photo.jpg' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Stop adding photo.jpg' }).click();
  await expect(uploads).toHaveCount(0);
});

test('the render dialog chooses files, too: they become modifications', async ({
  page,
  program,
}) => {
  const source = { ...promo, elements: [photo, ...promo.elements] };
  const { id } = await program.createTemplate({ name: 'With files', source });
  const dialog = await openRenderOfCard(page, program, id);
  await dialog.getByRole('button', { name: 'Choose a file for Photo' }).click();
  await addFiles(page, ['exif-1.jpg']);
  await library(page)
    .getByRole('option', { name: /^exif-1/ })
    .dblclick();
  await expect(library(page)).toHaveCount(0);
  await expect(dialog.getByLabel('Photo', { exact: true })).toHaveValue('exif-1.jpg');
  await expect(dialog.getByTestId('render-check')).toHaveAttribute('data-state', 'ok');
  const sent = page.waitForRequest((request) => {
    const body = request.postDataJSON() as { dry_run?: boolean } | null;
    return request.url().endsWith('/renders') && body?.dry_run !== true;
  });
  // With Shift the dialog stays, and says that it was done.
  await dialog.getByRole('button', { name: 'Add to queue' }).click({ modifiers: ['Shift'] });
  const body = (await sent).postDataJSON() as { template_id: string; modifications: object };
  expect(body.template_id).toBe(id);
  expect(body.modifications).toEqual({
    Photo: expect.stringMatching(/^media:[\da-f]{32}$/),
    // The quality of a film that names none.
    crf: 20,
  });
  await expect(dialog.getByText('Added to the queue.')).toBeVisible();
});

test('on the desktop a file of the media folders is named where it lies', async ({
  page,
  program,
}) => {
  const inside = fixture('exif-2.jpg');
  await page.addInitScript(desktopBridge([inside, '/elsewhere/photo.jpg']));
  await openEditor(page, program, photo);
  await changeSettings(page, { mediaFolders: [fixtures] });
  const field = fieldsOf(page).getByLabel('Photo', { exact: true });
  const dialog = await openLibrary(page, 'Photo');
  const local = dialog.getByRole('button', { name: 'Use a file in place…' });
  await local.click();
  await expect(dialog).toHaveCount(0);
  await expect(field).toHaveValue(inside);
  await openLibrary(page, 'Photo');
  await local.click();
  await expect(dialog.getByRole('alert')).toContainText('“photo.jpg” is outside');
  await expect(field).toHaveValue(inside);
  await addFiles(page, ['exif-3.jpg']);
  await dialog.getByRole('button', { name: 'Choose', exact: true }).click();
  await expect(field).toHaveValue('exif-3.jpg');
  await changeSettings(page, { mediaFolders: [] });
});

test('a Lottie animation is added, and its words and colours are changed', async ({
  page,
  program,
}) => {
  test.setTimeout(120_000);
  await openNewTemplate(page, program, { ...promo, elements: [{ type: 'shape' }] }, 'Animated');
  await page.getByRole('tab', { name: 'Add' }).click();
  await page.getByRole('button', { name: 'Lottie', exact: true }).click();
  const dialog = library(page);
  await expect(dialog.getByRole('radio', { name: 'Lottie, 0' })).toBeChecked();
  await addFiles(page, ['badge.json']);
  await expect(dialog.getByRole('option', { name: /^badge\.json, Lottie animation/ })).toBeVisible({
    timeout: 60_000,
  });
  await dialog.getByRole('button', { name: 'Choose', exact: true }).click();

  // What its file has is shown, and is what is changed.
  const pane = (name: string): Promise<void> => page.getByRole('tab', { name }).click();
  await pane('Inspector');
  const inspector = page.getByTestId('inspector');
  const title = inspector.getByRole('textbox', { name: 'Title', exact: true });
  await expect(title).toHaveValue('Grand opening', { timeout: 60_000 });
  await title.fill('Last day');
  await inspector.getByRole('textbox', { name: 'New color for #4f46e5', exact: true }).fill('teal');
  await checkRules(page, 'a Lottie animation', '[data-testid=inspector]');
  await pane('Source');
  await expect(sourceOf(page)).toContainText(/"texts": \{\s*"Title":\s*"Last day"/);
  await expect(sourceOf(page)).toContainText(/"colors": \{\s*"#4f46e5":\s*"teal"/);
  // Its own words again: nothing is left of the change.
  await pane('Inspector');
  await title.fill('Grand opening');
  await pane('Source');
  await expect(sourceOf(page)).not.toContainText('"texts"');
});

test('a table of colors is added, chosen for a look, and used from the panel', async ({
  page,
  program,
}) => {
  test.setTimeout(120_000);
  await openEditor(page, program, photo);
  const field = page.getByRole('textbox', { name: 'LUT (.cube)' });
  await page.getByRole('tab', { name: 'Outline' }).click();
  await page.getByRole('treeitem', { name: /Photo/ }).click();
  await page.getByRole('tab', { name: 'Inspector' }).click();
  await page.getByRole('button', { name: 'Look', exact: true }).click();
  const dialog = await openLibrary(page, 'LUT (.cube)');
  await expect(dialog.getByText('There are no LUTs yet.')).toBeVisible();
  await addFiles(page, ['teal-orange.cube', 'pattern.png']);
  const list = dialog.getByRole('listbox', { name: 'Media library' });
  const table = list.getByRole('option', { name: 'teal-orange.cube, color table (LUT)' });
  await expect(table).toHaveAttribute('aria-selected', 'true', { timeout: 60_000 });
  // The picture is in the library, but can't be a look.
  await expect(page.getByText('“pattern.png” is in the media library.')).toBeVisible();
  await expect(list.getByRole('option')).toHaveCount(1);
  await table.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(field).toHaveValue('teal-orange.cube');

  // For a file of an element, tables are not offered.
  const files = await openLibrary(page, 'File');
  await expect(files.getByRole('option', { name: /^pattern/ })).toBeVisible();
  await expect(files.getByRole('option', { name: /cube/ })).toHaveCount(0);
  await page.keyboard.press('Escape');

  await page.getByRole('tab', { name: 'Add' }).click();
  await page.getByTestId('add-panel').getByText('Media', { exact: true }).click();
  await page.getByRole('option', { name: /teal-orange/ }).click();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(field).toHaveValue('');
  await page.getByRole('button', { name: 'Use teal-orange.cube on the selection' }).click();
  await expect(field).toHaveValue('teal-orange.cube');
});
