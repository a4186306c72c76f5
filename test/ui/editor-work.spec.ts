/** What is not saved is never lost from sight: a broken draft, a deleted template, a name that is missing. */
import { openTemplate, titleOf } from './editor-page.ts';
import { promo } from './editor-sources.ts';
import { expect, openWindow, test } from './program.ts';

test('a recovered draft that is no JSON: form, outline and preview show what is stored', async ({
  page,
  program,
}) => {
  const { id } = await program.createTemplate({ name: 'Broken draft', source: promo });
  await openTemplate(page, program, id);
  const kept = page.waitForResponse((answer) => answer.url().endsWith('/draft') && answer.ok());
  await page.getByRole('textbox', { name: 'Source' }).fill('{ "width": 640, "elements": [');
  await kept;
  await page.reload();
  await expect(page.getByTestId('editor-recovered')).toContainText('were recovered');
  await expect(page.getByRole('textbox', { name: 'Source' })).toHaveText(/"elements": \[$/);
  await expect(titleOf(page)).toHaveValue('Hello there');
  const preview = page.getByTestId('editor-preview');
  await expect(preview).toHaveAttribute('data-state', 'stale');
  await expect(preview.getByRole('img', { name: /Preview at/ })).toBeVisible();
  await page.getByRole('tab', { name: 'Outline' }).click();
  await expect(page.getByRole('treeitem')).toHaveCount(promo.elements.length + 2);
});

test('a template that is deleted with unsaved work stays open, and goes on when it is back', async ({
  page,
  program,
}) => {
  const { id } = await program.createTemplate({ name: 'Deleted', source: promo });
  await openTemplate(page, program, id);
  await titleOf(page).fill('Not saved');
  await program.trashTemplate(id);
  const bar = page.getByTestId('editor-trashed');
  await expect(bar).toContainText('was moved to the Trash');
  await expect(titleOf(page)).toHaveValue('Not saved');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await expect(save).toBeDisabled();
  await bar.getByRole('button', { name: 'Copy source' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain('Not saved');
  await titleOf(page).fill('Typed in the Trash');
  await bar.getByRole('button', { name: 'Restore' }).click();
  await expect(bar).toBeHidden();
  await expect(titleOf(page)).toHaveValue('Typed in the Trash');
  await expect(page.getByTestId('editor-conflict')).toHaveCount(0);

  await page.reload();
  await expect(titleOf(page)).toHaveValue('Typed in the Trash');
  await expect(page.getByTestId('editor-recovered')).toBeVisible();
  await expect(page.getByTestId('editor-conflict')).toHaveCount(0);
  await page.keyboard.press('Control+s');
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'false');

  // Without unsaved work there is nothing to keep in sight; restored from anywhere, it opens again.
  await program.trashTemplate(id);
  await expect(page.getByText('This template is in the Trash.')).toBeVisible();
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(titleOf(page)).toHaveValue('Typed in the Trash');
});

test('without a name nothing is saved, and the field says why', async ({ page, program }) => {
  const { id } = await program.createTemplate({ name: 'Named', source: promo });
  await openTemplate(page, program, id);
  const name = page.getByRole('textbox', { name: 'Template name' });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await save.hover();
  await expect(page.locator('.tip')).toContainText('Everything is saved.');
  await name.fill('  ');
  await expect(name).toHaveAccessibleDescription(/Type a name first/);
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await save.hover();
  await expect(page.locator('.tip')).toContainText('Type a name first');
  await titleOf(page).focus();
  await page.keyboard.press('Control+s');
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'true');
  await expect(page.getByTestId('toasts')).not.toContainText('parameter');
  await name.fill('Named again');
  await save.click();
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'false');
});

test('opening has a sensible place for the focus', async ({ page, program }) => {
  const fields = await program.createTemplate({ name: 'With fields', source: promo });
  await openTemplate(page, program, fields.id);
  await expect(page.locator('#field-0')).toBeFocused();
  const bare = await program.createTemplate({
    name: 'Bare',
    source: { output_format: 'png', width: 64, height: 64, elements: [{ type: 'shape' }] },
  });
  await page.goto('about:blank');
  await openTemplate(page, program, bare.id);
  await expect(page.getByRole('textbox', { name: 'Template name' })).toBeFocused();
});

test('a failed render opens the template at what failed', async ({ page, program }) => {
  const source = {
    output_format: 'png',
    width: 64,
    height: 64,
    elements: [
      { type: 'shape', name: 'Ground', fill_color: '#ffffff' },
      { type: 'image', name: 'Logo', source: '/no/such/file.png' },
    ],
  };
  const { id } = await program.createTemplate({ name: 'Failing', source });
  const { id: made } = await program.createRender({ template_id: id });
  expect((await program.finished(made)).status).toBe('failed');
  await openWindow(page, program);
  await page.getByTestId(`render-row-${made}`).click();
  await page.getByRole('button', { name: 'Open template' }).click();
  await expect(page.getByRole('textbox', { name: 'Source' })).toBeFocused();
  await expect(page.getByText(/Ln 1[3-6],/)).toBeVisible();
  await expect(page.getByRole('treeitem', { name: /^Logo/ })).toHaveAttribute(
    'aria-selected',
    'true',
  );
});

test('many tags take one line; the others are a press away', async ({ page, program }) => {
  const tags = Array.from({ length: 30 }, (_, index) => `label ${index}`);
  const { id } = await program.createTemplate({ name: 'Tagged', tags, source: promo });
  await page.setViewportSize({ width: 960, height: 600 });
  await openTemplate(page, program, id);
  const group = page.getByRole('group', { name: 'Tags' });
  const header = page.locator('header').filter({ has: group });
  const before = (await header.boundingBox())!.height;
  expect(before).toBeLessThan(100);
  const all = group.getByRole('button', { name: 'Show all 30 tags' });
  await all.click();
  await expect(group.getByRole('button', { name: 'Remove tag label 29' })).toBeVisible();
  expect((await header.boundingBox())!.height).toBeLessThan(before + 100);
  await group.getByRole('button', { name: 'Remove tag label 29' }).click();
  await group.getByRole('button', { name: 'Show 29 tags on one line' }).click();
  await expect(group.getByRole('button', { name: 'Remove tag label 28' })).toHaveCount(0);

  // The focus stays among the tags, whatever is added, given up or removed.
  await openTemplate(
    page,
    program,
    (await program.createTemplate({ name: 'T', source: promo })).id,
  );
  await page.reload();
  const add = group.getByRole('button', { name: 'Add tag' });
  const box = group.getByRole('textbox', { name: 'New tag' });
  await add.click();
  await box.press('Escape');
  await expect(add).toBeFocused();
  await page.keyboard.press('Enter');
  await box.fill('#autumn');
  await box.press('Enter');
  await expect(add).toBeFocused();
  await expect(group).toContainText('#autumn');
  await group.getByRole('button', { name: 'Remove tag autumn' }).press('Enter');
  await expect(group).not.toContainText('autumn');
  await expect(add).toBeFocused();
});

test('the selected element is framed in the preview while it is there', async ({
  page,
  program,
}) => {
  const { id } = await program.createTemplate({ name: 'Framed', source: promo });
  await openTemplate(page, program, id);
  const preview = page.getByTestId('editor-preview');
  const frame = preview.getByTestId('selection-frame');
  await expect(preview).toHaveAttribute('data-state', 'ready');
  await expect(frame).toHaveCount(0);
  await page.getByRole('tab', { name: 'Outline' }).click();
  await page.getByRole('treeitem', { name: /^Badge/ }).click();
  // Its middle is at 88 % by 18 %, its size 16 % by 24 %.
  const points = frame.locator('polygon').first();
  await expect(points).toBeVisible();
  const corners = (await points.getAttribute('points'))!
    .split(' ')
    .map((point) => point.split(',').map(Number));
  // In pixels of the document.
  const shares = corners.map(([x, y]) => [(x! / 640) * 100, (y! / 360) * 100].map(Math.round));
  expect(shares).toEqual([
    [80, 6],
    [96, 6],
    [96, 30],
    [80, 30],
  ]);
  const picture = (await preview.getByRole('img', { name: /Preview at/ }).boundingBox())!;
  const shown = (await points.boundingBox())!;
  expect(shown.x + shown.width / 2).toBeCloseTo(picture.x + picture.width * 0.88, -0.5);
  expect(shown.y + shown.height / 2).toBeCloseTo(picture.y + picture.height * 0.18, -0.5);
  // It begins at 1 s.
  await page.keyboard.press('Alt+2');
  await page.keyboard.press('Home');
  await expect(preview).toHaveAttribute('data-frame', '0');
  await expect(frame).toHaveCount(0);
});
