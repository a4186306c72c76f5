/**
 * From nothing to a film that plays: a template made in the window, seen in its preview by pixels, and rendered
 * changed.
 */
import type { Page } from '@playwright/test';
import { differenceOf, pixelsOf, type Pixels } from './pixels.ts';
import { fieldsOf, unfold } from './editor-page.ts';
import { expect, openWindow, test } from './program.ts';

/** The preview's picture once it is another one than `last`, by the address of its picture. */
async function nextPicture(page: Page, last: string | null): Promise<[Pixels, string | null]> {
  const image = page.getByTestId('editor-preview').getByRole('img');
  await expect(image).not.toHaveAttribute('src', last ?? '');
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-state', 'ready');
  return [await pixelsOf(image), await image.getAttribute('src')];
}

test('a new template is edited, seen, saved, rendered with other values, and plays', async ({
  page,
  program,
}) => {
  test.setTimeout(120_000);
  await openWindow(page, program);
  await page.getByRole('link', { name: 'Templates' }).click();
  await page.getByRole('button', { name: 'New template' }).click();
  await page.getByRole('menuitem', { name: 'Blank video' }).click();
  const editor = page.getByTestId('page-editor');
  await expect(editor).toHaveAttribute('data-state', 'ready');
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-state', 'blank');

  await page.getByRole('tab', { name: 'Outline' }).click();
  const outline = page.getByRole('tabpanel', { name: 'Outline' });
  await outline.getByRole('button', { name: 'Add element' }).click();
  await page.getByRole('menuitem', { name: 'Text' }).click();
  await expect(page.getByRole('treeitem', { name: /^Text,/ })).toBeFocused();
  const [begun, beginning] = await nextPicture(page, null);

  await page.getByRole('tab', { name: 'Fields' }).click();
  await page.getByRole('button', { name: 'Add field…' }).click();
  await page.getByRole('menuitem', { name: 'Text' }).click();
  await fieldsOf(page).getByLabel('Text', { exact: true }).fill('Summer in the city');
  const [written, writing] = await nextPicture(page, beginning);
  // A new text stands in the middle: 80 % wide, 20 % high. Letters may reach a little over their lines.
  expectInBox(begun, written);

  await page.getByRole('textbox', { name: 'Template name' }).fill('City film');
  await expect(page.getByRole('textbox', { name: 'Source' })).toContainText('Summer in the city');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(editor).toHaveAttribute('data-dirty', 'false');
  expect(await page.getByTestId('editor-preview').getByRole('img').getAttribute('src')).toBe(
    writing,
  );

  await page.getByRole('button', { name: 'Render…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Render “City film”' });
  await unfold(dialog, 'Size and frame rate');
  await dialog.getByLabel('Scale').fill('0.25');
  await unfold(dialog, 'For developers');
  await dialog.getByLabel('Other changes (JSON)').fill('{ "Text": "Winter" }');
  await expect(dialog.getByTestId('render-check')).toHaveAttribute('data-state', 'ok');
  await dialog.getByRole('button', { name: 'Add to queue' }).click();
  await expect(dialog).toBeHidden();
  await page.getByTestId('toasts').getByRole('button', { name: 'Show' }).click();
  const row = page.locator('[data-row]').filter({ hasText: 'City film' });
  await expect(row).toHaveAttribute('data-display', 'Done', { timeout: 60_000 });
  expect(await program.readRender((await row.getAttribute('data-row')) ?? '')).toMatchObject({
    status: 'succeeded',
    modifications: { Text: 'Winter' },
    width: 480,
    height: 270,
    duration: 5,
  });

  const film = page.getByRole('region', { name: 'Render details' }).locator('video');
  if (!(await film.isVisible())) await row.click();
  await film.evaluate((video: HTMLVideoElement) => {
    video.muted = true;
    return video.play();
  });
  await expect
    .poll(() => film.evaluate((video: HTMLVideoElement) => video.currentTime))
    .toBeGreaterThan(0.2);
  const white = await film.evaluate((video: HTMLVideoElement) => {
    const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
    const context = canvas.getContext('2d');
    context?.drawImage(video, 0, 0);
    const [x, y] = [canvas.width * 0.1, canvas.height * 0.38];
    const { data } = context!.getImageData(x, y, canvas.width * 0.8, canvas.height * 0.24);
    return data.filter((value, at) => at % 4 === 0 && value > 200).length;
  });
  expect(white).toBeGreaterThan(300);
});

function expectInBox(before: Pixels, after: Pixels): void {
  const difference = differenceOf(before, after);
  // More than a caret or a line of progress would be.
  expect(difference.count).toBeGreaterThan(before.width * before.height * 0.005);
  expect(difference.left).toBeGreaterThan(0.08);
  expect(difference.right).toBeLessThan(0.92);
  expect(difference.top).toBeGreaterThan(0.36);
  expect(difference.bottom).toBeLessThan(0.64);
}

test('a size is chosen, and its editor begins with the controls, not with the source', async ({
  page,
  program,
}) => {
  await program.remember({});
  await openWindow(page, program);
  await page.keyboard.press('Control+n');
  const dialog = page.getByRole('dialog', { name: 'New template' });
  await expect(dialog.getByRole('radio', { name: /^Instagram Reel/ })).toBeFocused();
  await dialog.getByRole('radio', { name: /^Square GIF/ }).check();
  await expect(dialog.getByLabel('Frames per second')).toHaveValue('15');
  await dialog.getByRole('textbox', { name: 'Width' }).fill('9000');
  await expect(dialog.getByRole('status')).toContainText('16 to 8,192 pixels');
  await dialog.getByRole('textbox', { name: 'Width' }).fill('600');
  await expect(dialog.getByRole('radio', { name: /^Own size, 600×480, 5:4/ })).toBeChecked();
  await dialog.getByLabel('Background').fill('#204060');
  await dialog.getByRole('textbox', { name: 'Width' }).press('Enter');
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-state', 'ready');
  await expect(dialog).toBeHidden();
  // 21: what is typed is its name, and is not added to the name that it has.
  await expect(page.locator('#template-name')).toBeFocused();
  await page.keyboard.type('Ridge reel');
  await expect(page.locator('#template-name')).toHaveValue('Ridge reel');
  await expect(page.getByRole('tab', { name: 'Inspector' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await page.getByRole('tab', { name: 'Source' }).click();
  const source = page.getByRole('textbox', { name: 'Source' });
  await expect(source).toContainText('"output_format": "gif"');
  await expect(source).toContainText('"width": 600');
  await expect(source).toContainText('"fill_color": "#204060"');
  // What was chosen stays.
  await expect.poll(() => program.remembered()).toMatchObject({ editorInspects: false });
  await page.reload();
  await expect(source).toBeVisible();
});

test('a new photo lasts as long as the settings say, from the next one on', async ({
  page,
  program,
}) => {
  await openWindow(page, program);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page
    .getByRole('radiogroup', { name: 'A new photo lasts' })
    .getByRole('radio', { name: '7 s' })
    .check();
  await page.getByRole('link', { name: 'Templates' }).click();
  await page.getByRole('button', { name: 'New template' }).click();
  await page.getByRole('menuitem', { name: 'Blank video' }).click();
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-state', 'ready');
  await page.getByRole('tab', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'Color', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Source' })).toContainText('"duration": 7');
});
