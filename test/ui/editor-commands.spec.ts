/**
 * What the editor offers beyond its panes: its commands in the desktop's menu and the palette, panes that hide, a store
 * that can't be written, a timeline of hundreds of rows, the render dialog.
 */
import type { Locator } from '@playwright/test';
import { mkdirSync, renameSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { desktopBridge, ranByDesktop, tell, told } from './desktop-stand-in.ts';
import { openNewTemplate, openRenderOfCard, titleOf, unfold } from './editor-page.ts';
import { promo } from './editor-sources.ts';
import { expect, test } from './program.ts';

test('the desktop’s menu has the editor’s commands while it is open, and they work', async ({
  page,
  program,
}) => {
  await page.addInitScript(desktopBridge());
  await openNewTemplate(page, program, promo);
  const editor = page.getByTestId('page-editor');
  await expect
    .poll(() => told(page))
    .toMatchObject({
      save: false,
      'render-template': true,
      'undo-edit': false,
      'next-problem': false,
      'format-source': true,
      'go-to-time': true,
      'toggle-source': true,
    });

  await titleOf(page).fill('From the menu');
  await expect.poll(() => told(page)).toMatchObject({ save: true, 'undo-edit': true });
  await tell(page, { type: 'command', command: 'undo-edit' });
  await expect(titleOf(page)).toHaveValue('Hello there');
  await tell(page, { type: 'command', command: 'redo-edit' });
  await tell(page, { type: 'command', command: 'save' });
  await expect(editor).toHaveAttribute('data-dirty', 'false');

  await tell(page, { type: 'command', command: 'go-to-time' });
  await page.getByRole('textbox', { name: 'Go to time' }).fill('2');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-frame', '50');

  await tell(page, { type: 'command', command: 'render-template' });
  await expect(page.getByRole('dialog')).toBeVisible();
  // What lies below a dialog waits.
  await expect.poll(() => told(page)).toMatchObject({ save: false, 'render-template': false });
  await page.keyboard.press('Escape');

  // What can't be drawn leads to the log.
  await page.route('**/api/preview', (route) =>
    route.fulfill({ json: { state: 'failed', message: 'Out of memory.', problems: [] } }),
  );
  await page.keyboard.press('Home');
  await titleOf(page).fill('Too much');
  const preview = page.getByTestId('editor-preview');
  await expect(preview).toHaveAttribute('data-state', 'failed');
  await preview.getByRole('button', { name: 'Show log' }).click();
  await expect.poll(() => ranByDesktop(page)).toContain('show-logs');
  await page.getByRole('button', { name: 'Templates', exact: true }).click();
  await expect.poll(() => told(page)).not.toHaveProperty('format-source');
});

test('panes hide, stay hidden, and come back by key, menu and palette', async ({ page, own }) => {
  // Panes are remembered by the server, and the other tests want all of theirs.
  await openNewTemplate(page, own, promo);
  const source = page.getByRole('textbox', { name: 'Source' });
  const preview = page.getByTestId('editor-preview');
  const flip = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByRole('menuitemcheckbox', { name }).click();
  };
  await flip('Source');
  await expect(source).toHaveCount(0);
  await flip('Preview');
  await expect(preview).toHaveCount(0);
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await expect(page.getByRole('menuitemcheckbox', { name: 'Fields and outline' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await page.keyboard.press('Escape');

  // The browser's own memory belongs to the address, which is another one at the next start.
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await expect(titleOf(page)).toBeVisible();
  await expect(preview).toHaveCount(0);
  await page.keyboard.press('Alt+3');
  await expect(source).toBeFocused();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('show pane preview');
  await page.keyboard.press('Enter');
  await expect(preview).toHaveAttribute('data-state', 'ready');

  // Too narrow for three panes: the source is a tab of the left one.
  await flip('Source');
  await page.setViewportSize({ width: 960, height: 600 });
  await expect(page.getByRole('tab', { name: 'Source' })).toBeVisible();
  await flip('Fields, outline and source');
  await expect(page.getByRole('tab', { name: 'Source' })).toHaveCount(0);
  await page.keyboard.press('Alt+1');
  await expect(page.getByRole('tab', { name: 'Fields' })).toBeFocused();
});

test('while nothing can be saved, Save says why and the source can be copied', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, promo);
  const file = path.join(program.dataFolder, 'store', 'templates.db');
  renameSync(file, `${file}.away`);
  mkdirSync(file);
  await titleOf(page).fill('Kept in memory');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await save.click();
  const bar = page.getByTestId('editor-read-only');
  await expect(bar).toContainText('cannot save data right now');
  await expect(save).toBeDisabled();
  await save.hover();
  await expect(page.locator('.tip')).toContainText('Nothing can be saved');
  await bar.getByRole('button', { name: 'Copy source' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('Kept in memory');
  rmdirSync(file);
  renameSync(`${file}.away`, file);
  await bar.getByRole('button', { name: 'Try again' }).click();
  await expect(bar).toHaveCount(0);
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'false');
});

test('of five hundred rows only those in sight are in the page', async ({ page, program }) => {
  const elements = Array.from({ length: 500 }, (_, index) => ({
    type: 'shape',
    track: index + 1,
    fill_color: '#ffffff',
    name: index === 320 ? 'Zebra' : `Bar ${index + 1}`,
    x: `${index % 100}%`,
    y: '50%',
    width: '1%',
    height: '10%',
    time: (index % 40) / 10,
    // A hint for each.
    fil_color: '#ffffff',
  }));
  await openNewTemplate(page, program, { ...promo, duration: 5, elements });
  const rows = page.getByRole('treegrid', { name: 'Elements over time' });
  expect(await rows.getByRole('gridcell').count()).toBeLessThan(16);
  await rows.evaluate((element) => {
    const box = element.closest('.box');
    if (box) box.scrollTop = box.scrollHeight;
  });
  // In front is on top.
  await expect(rows.getByRole('gridcell', { name: /^Shape Bar 1,/ })).toBeVisible();
  expect(await rows.getByRole('gridcell').count()).toBeLessThan(16);
  // What is selected elsewhere comes into sight.
  await page.getByRole('tab', { name: 'Outline' }).click();
  await page.getByRole('treeitem', { name: /^Bar 498,/ }).click();
  await expect(rows.getByRole('gridcell', { name: /^Shape Bar 498,/ })).toBeVisible();

  await page.getByRole('tab', { name: 'Problems 500' }).click();
  const problems = page.getByRole('list', { name: 'Problems' }).getByRole('listitem');
  await expect(problems.first()).toHaveAttribute('aria-setsize', '500');
  expect(await problems.count()).toBeLessThan(60);
  await problems.last().scrollIntoViewIfNeeded();
  await expect.poll(() => problems.count()).toBeGreaterThan(60);

  await page.getByRole('tab', { name: 'Fields' }).click();
  await page.getByRole('button', { name: 'Add field…' }).click();
  const lines = page.getByRole('menuitem');
  await expect(lines.first()).toBeVisible();
  expect(await lines.count()).toBeLessThan(80);
  await lines.last().scrollIntoViewIfNeeded();
  await expect.poll(() => lines.count()).toBeGreaterThan(80);
  // Keys lead to what is not in the page yet.
  await page.keyboard.type('zeb');
  await expect(page.getByRole('menuitem', { name: 'Zebra' })).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: 'Bar 500' })).toBeFocused();
});

test('what a render will come to is told once one like it was measured', async ({
  page,
  program,
}) => {
  const id = await openNewTemplate(page, program, { ...promo, duration: 1 });
  const openDialog = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Render…' }).click();
    await expect(page.getByTestId('render-check')).toHaveAttribute('data-state', 'ok');
    await expect(page.getByTestId('render-preview')).toHaveAttribute('data-state', 'ready');
  };
  await openDialog();
  await expect(page.getByTestId('render-estimate')).toHaveCount(0);
  await page.keyboard.press('Escape');
  const { id: render } = await program.createRender({ template_id: id });
  expect((await program.finished(render)).status).toBe('succeeded');
  await openDialog();
  await expect(page.getByTestId('render-estimate')).toHaveText(
    /^About\s.+B \(± \d+\s%\) · less than 10\ss$/,
  );
});

test('the render dialog keeps the focus, says what is wrong, and remembers', async ({
  page,
  program,
}) => {
  const { id } = await program.createTemplate({
    name: 'Promo',
    source: { ...promo, duration: 1 },
  });
  const dialog = await openRenderOfCard(page, program, id);
  const check = dialog.getByTestId('render-check');
  const add = dialog.getByRole('button', { name: 'Add to queue' });
  const field = (name: string): Locator => dialog.getByLabel(name, { exact: true });
  await expect(field('Ground · Fill')).toBeFocused();

  // Enter waits for the check of what was typed just before, and leads to what is wrong.
  await field('Title · Fill').fill('no color');
  await field('Ground · Fill').press('Enter');
  await expect(field('Title · Fill')).toBeFocused();
  await expect(add).toBeDisabled();
  await add.hover();
  await expect(page.locator('.tip')).toHaveText("Title · Fill: Expected a color; found 'no color'");
  await dialog.getByRole('button', { name: 'Use the template’s value for Title · fill' }).click();
  await expect(field('Title · Fill')).toBeFocused();
  await expect(field('Title · Fill')).toHaveValue('#ffffff');

  await unfold(dialog, 'For developers');
  await field('Other changes (JSON)').pressSequentially('{ "Title');
  await expect(check).toHaveText('Other changes: this is not a JSON object.');
  await expect(add).toBeDisabled();
  await field('Other changes (JSON)').pressSequentially('": "Hi" }');
  await field('jpg').check();
  await add.focus();
  await page.keyboard.press('Shift+Enter');
  await expect(dialog.getByText('Added to the queue.')).toBeVisible();
  await expect(add).toBeFocused();

  // The last choices are there again, whatever the address of the window is.
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await page.getByTestId(`template-card-${id}`).focus();
  await page.keyboard.press('Control+Enter');
  await expect(field('Other changes (JSON)')).toHaveValue('{ "Title": "Hi" }');
  // Another format than the template's was wanted once.
  await expect(field('mp4')).toBeChecked();
  await expect(dialog.getByTestId('render-remembered')).toBeVisible();
  await dialog.getByRole('button', { name: 'Start over' }).click();
  await expect(field('Other changes (JSON)')).toHaveValue('');
});

test('the palette leads to captions, brand and another format', async ({ page, program }) => {
  await openNewTemplate(page, program, promo);
  const run = async (words: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill(words);
    await expect(page.getByRole('option', { name: new RegExp(`^${words}`) }).first()).toBeVisible();
    await page.keyboard.press('Enter');
  };
  await run('Show the captions');
  await expect(page.getByRole('tab', { name: 'Captions' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await run('Change the format');
  await expect(page.getByRole('dialog')).toContainText(/format/i);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await run('Brand');
  await expect(page.getByRole('dialog')).toContainText(/brand/i);
});

test('Shift and a click in the outline add to the selection, and select no words of the page', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, promo);
  await page.getByRole('tab', { name: 'Outline' }).click();
  await page.getByRole('treeitem', { name: /^Ground/ }).click();
  await page.getByRole('treeitem', { name: /^Title/ }).click({ modifiers: ['Shift'] });
  for (const name of [/^Ground/, /^Title/])
    await expect(page.getByRole('treeitem', { name })).toHaveAttribute('aria-selected', 'true');
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('');
});
