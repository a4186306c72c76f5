/** Adding to a template: from an empty preview, with a file, by dropping one; and seeing what is selected. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openNewTemplate, openTemplate, sourceOf } from './editor-page.ts';
import { promo } from './editor-sources.ts';
import { checkRules } from './look.ts';
import { expect, test } from './program.ts';

const photo = path.resolve(import.meta.dirname, '../../resources/samples/media/logo.svg');
const blank = { output_format: 'mp4', width: 640, height: 360, duration: 5, elements: [] };

test('an empty preview has the button it speaks of; images and videos ask for their file', async ({
  page,
  program,
}) => {
  const { id } = await program.createTemplate({ name: 'Blank', source: blank });
  await openTemplate(page, program, id);
  const preview = page.getByTestId('editor-preview');
  await expect(preview).toContainText('Add an element to see it here.');
  await preview.getByRole('button', { name: 'Add element' }).click();
  await page.getByRole('menuitem', { name: 'Image' }).click();
  const dialog = page.getByRole('dialog', { name: 'Choose a file' });
  await expect(dialog).toBeVisible();
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Add files…' }).click();
  await (await chooser).setFiles(photo);
  await dialog
    .getByRole('button', { name: /^Use|^Choose/ })
    .last()
    .click();
  await expect(dialog).toHaveCount(0);
  await expect(sourceOf(page)).toContainText('"source": "media:');
  await expect(preview).toHaveAttribute('data-state', 'ready');

  await page.getByRole('tab', { name: 'Outline' }).click();
  await page.getByRole('button', { name: 'Add element' }).click();
  await page.getByRole('menuitem', { name: 'Video' }).click();
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole('radio', { name: /^Videos/ })).toBeChecked();
});

test('a picture that is dropped on the preview is added', async ({ page, program }) => {
  const { id } = await program.createTemplate({ name: 'Dropped on', source: blank });
  await openTemplate(page, program, id);
  const text = readFileSync(photo, 'utf8');
  const data = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], 'logo.svg', { type: 'image/svg+xml' }));
    return transfer;
  }, text);
  await page.locator('#editor-stage').dispatchEvent('drop', { dataTransfer: data });
  await expect(sourceOf(page)).toContainText('"source": "media:');
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-state', 'ready');
  await expect(page.getByRole('img', { name: /Preview at/ })).toBeVisible();
});

test('selecting an element goes to a moment at which it can be seen', async ({ page, program }) => {
  await openNewTemplate(page, program, promo);
  const preview = page.getByTestId('editor-preview');
  await expect(preview).toHaveAttribute('data-frame', '0');
  await page.getByRole('tab', { name: 'Outline' }).click();
  await page.getByRole('treeitem', { name: /^Badge/ }).click();
  // It is there from 1 s to 3 s.
  await expect(preview).toHaveAttribute('data-frame', '50');
  await page.getByRole('treeitem', { name: /^Title/ }).click();
  await expect(preview).toHaveAttribute('data-frame', '50');
});

test('what is ready-made is found, added with mouse and keyboard, and seen at once', async ({
  page,
  program,
}) => {
  const { id } = await program.createTemplate({ name: 'Shelf', source: blank });
  await openTemplate(page, program, id);
  await page.getByRole('tab', { name: 'Add' }).click();
  await page.getByRole('radio', { name: 'Ready-made' }).check({ force: true });
  const shelf = page.getByTestId('shelf');
  await shelf.getByRole('radio', { name: 'Charts' }).check({ force: true });
  await expect(shelf.getByRole('button', { name: 'Ring chart' })).toBeVisible();
  await expect(shelf.getByTestId('shelf-tiles')).toHaveAttribute('data-state', 'ready');
  await checkRules(page, 'shelf', '[data-testid=add-panel]');
  const search = shelf.getByRole('textbox', { name: 'Search all pieces' });
  await search.fill('rising');
  await shelf.getByRole('button', { name: 'Rising title' }).click();
  await expect(sourceOf(page)).toContainText('"name": "Rising title"');
  // Its entrance is over.
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-frame', /^[1-9]\d+$/);
  await search.fill('double arrow');
  await expect(shelf.getByRole('status')).toHaveText(/^\d+ pieces$/);
  await search.press('Tab');
  await page.keyboard.press('Tab');
  await expect(shelf.getByRole('button', { name: 'Double arrow' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(sourceOf(page)).toContainText('"name": "Double arrow"');
  // Icons and emoji come with the search.
  await search.fill('house');
  await shelf.getByRole('button', { name: 'House', exact: true }).first().click();
  await expect(sourceOf(page)).toContainText('"name": "House"');
  await expect(sourceOf(page)).toContainText('"stroke_cap": "round"');
  await search.fill('');
  await shelf.getByRole('radio', { name: 'Emoji' }).check({ force: true });
  await expect(shelf.getByText(/^These are 72 of \d/)).toBeVisible();
  await shelf.getByRole('button', { name: 'Party popper' }).click();
  await expect(sourceOf(page)).toContainText('🎉');
});
