/**
 * The page with a desktop around it: a stand-in for the bridge tells it what Electron would, and notes what it asks.
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import {
  desktopBridge,
  firstSwitches,
  ranByDesktop,
  shownFiles,
  tell,
  told,
  toldMore,
} from './desktop-stand-in.ts';
import { expect, openWindow, test } from './program.ts';
import { card } from './sources.ts';

test('links, opened files and menu commands only show, and do what the page can', async ({
  page,
  program,
}) => {
  await page.addInitScript(desktopBridge());
  const template = await program.createTemplate({ name: 'Card', source: card('Card', 200, 200) });
  await openWindow(page, program);
  await expect
    .poll(() => told(page))
    .toMatchObject({ 'go-templates': true, palette: true, 'render-again': false });

  await tell(page, { type: 'command', command: 'go-templates' });
  await expect(page.getByTestId('page-templates')).toBeVisible();
  await tell(page, { type: 'command', command: 'palette' });
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');

  await tell(page, { type: 'show-template', id: template.id });
  await expect(page.getByTestId('page-editor')).toBeVisible();

  const text = JSON.stringify(card('From a file', 100, 100));
  const files = [{ name: 'opened.renderscript', text }];
  await tell(page, { type: 'import-files', files });
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('It reads no files and no addresses');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('article', { name: 'Opened' })).toHaveCount(0);

  const { id } = await program.createRender({ source: card('Now', 64, 64) });
  await tell(page, { type: 'show-render', id });
  await expect(page.getByRole('region', { name: 'Render details' })).toBeVisible();
  await expect.poll(() => told(page)).toMatchObject({ 'render-again': true, 'open-file': true });
  await expect(page.locator('[data-row]')).toHaveCount(1);
  await tell(page, { type: 'command', command: 'render-again' });
  await expect(page.locator('[data-row]')).toHaveCount(2);

  // What the system did not show; its button does what a click would have done.
  await tell(page, { type: 'command', command: 'go-templates' });
  const click = { type: 'show-render', id } as const;
  await tell(page, { type: 'notice', text: 'Promo failed. Not shown.', click });
  const notice = page.getByTestId('toasts').getByRole('status').filter({ hasText: 'Promo failed' });
  await notice.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByRole('region', { name: 'Render details' })).toBeVisible();

  // The desktop says where a copy went by a number of its own.
  await tell(page, { type: 'command', command: 'save-copy' });
  const toast = page.getByTestId('toasts').getByRole('status').filter({ hasText: 'Copy saved.' });
  await toast.getByRole('button', { name: 'Show' }).click();
  expect(await shownFiles(page)).toEqual([{ copy: 3 }]);

  // What chips and menus of a list do is a command, too.
  const ticks = async (): Promise<unknown> => (await toldMore(page)).ticked;
  await expect.poll(ticks).toMatchObject({ 'show-renders-all': true, 'sort-renders-queue': true });
  await expect.poll(() => told(page)).toMatchObject({ 'clear-filter': false });
  await tell(page, { type: 'command', command: 'show-renders-cancelled' });
  await expect(page.getByRole('button', { name: 'Failed, 0' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect.poll(ticks).toMatchObject({
    'show-renders-all': false,
    'show-renders-failed': true,
    'show-renders-cancelled': true,
  });
  await tell(page, { type: 'command', command: 'clear-filter' });
  await expect(page.locator('[data-row]')).toHaveCount(2);
  await tell(page, { type: 'command', command: 'sort-renders-oldest' });
  await expect(page.getByRole('button', { name: 'Sort: Oldest' })).toBeVisible();
  await tell(page, { type: 'command', command: 'go-templates' });
  await tell(page, { type: 'command', command: 'sort-templates-name' });
  await expect(page.getByRole('button', { name: 'Sort: Name' })).toBeVisible();
  await expect.poll(ticks).not.toHaveProperty('show-renders-all');
});

test('the menu’s template commands are those of the chosen card, and of the open template', async ({
  page,
  program,
}) => {
  await page.addInitScript(desktopBridge());
  const source = card('Card', 200, 200);
  const { id } = await program.createTemplate({ name: 'Chosen', source });
  await openWindow(page, program);
  await page.keyboard.press('Control+3');
  const chosen = page.getByTestId(`template-card-${id}`);
  await expect(chosen).toBeVisible();
  await expect.poll(() => told(page)).toMatchObject({ 'duplicate-template': false });
  await chosen.focus();
  const able = ['render-template', 'edit-template', 'rename-template', 'duplicate-template'];
  const both = Object.fromEntries([...able, 'export-template'].map((name) => [name, true]));
  await expect.poll(() => told(page)).toMatchObject({ ...both, 'trash-template': true });

  await tell(page, { type: 'command', command: 'duplicate-template' });
  await expect(page.getByRole('article', { name: 'Chosen copy' })).toBeVisible();
  await tell(page, { type: 'command', command: 'rename-template' });
  await page.getByRole('textbox', { name: 'Template name' }).fill('Renamed');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('article', { name: 'Renamed' })).toBeVisible();
  await tell(page, { type: 'command', command: 'render-template' });
  await expect(page.getByRole('dialog', { name: 'Render “Renamed”' })).toBeVisible();
  await page.keyboard.press('Escape');
  await tell(page, { type: 'command', command: 'edit-template' });

  const editor = page.getByTestId('page-editor');
  await expect(editor).toHaveAttribute('data-state', 'ready');
  await expect
    .poll(() => told(page))
    .toMatchObject({ 'edit-template': false, 'duplicate-template': true, 'trash-template': true });
  await tell(page, { type: 'command', command: 'rename-template' });
  await expect(page.getByRole('textbox', { name: 'Template name' })).toBeFocused();
  await page.keyboard.type('In the editor');
  const download = page.waitForEvent('download');
  await tell(page, { type: 'command', command: 'export-template' });
  expect((await download).suggestedFilename()).toBe('In the editor.renderscript');
  await tell(page, { type: 'command', command: 'trash-template' });
  await expect(page.getByTestId('page-templates')).toBeVisible();
  await expect(chosen).toHaveCount(0);
  await tell(page, { type: 'command', command: 'undo-removal' });
  await expect(chosen).toBeVisible();
});

test('the menu ticks what is on, follows changed keys, and does what only it can', async ({
  page,
  program,
}) => {
  const copies = path.join(program.dataFolder, 'copies');
  await page.addInitScript(desktopBridge([path.join(program.dataFolder, 'runtime.json'), copies]));
  const { id } = await program.createTemplate({ name: 'Ticks', source: card('Ticks', 200, 200) });
  await openWindow(page, program);
  const ticked = async (): Promise<unknown> => (await toldMore(page)).ticked;
  await expect.poll(ticked).toMatchObject({ 'pause-queue': false });
  await page.keyboard.press('Control+Shift+P');
  await expect.poll(ticked).toMatchObject({ 'pause-queue': true });
  await tell(page, { type: 'command', command: 'pause-queue' });
  await expect.poll(ticked).toMatchObject({ 'pause-queue': false });

  await page.setViewportSize({ width: 1440, height: 900 });
  await tell(page, { type: 'show-template', id });
  const panes = { 'toggle-left': true, 'toggle-preview': true, 'toggle-source': true };
  await expect.poll(ticked).toMatchObject(panes);
  await tell(page, { type: 'command', command: 'toggle-preview' });
  await expect.poll(ticked).toMatchObject({ ...panes, 'toggle-preview': false });
  await tell(page, { type: 'command', command: 'toggle-preview' });
  await expect.poll(ticked).toMatchObject(panes);

  await tell(page, { type: 'command', command: 'change-shortcuts' });
  const row = page.locator('[data-command="zoom-in"]');
  await row.getByRole('button', { name: /: change the keys of “Zoom in”$/ }).click();
  await page.keyboard.press('Control+F9');
  const keys = async (): Promise<unknown> => (await toldMore(page)).keys;
  await expect.poll(keys).toEqual({ 'zoom-in': ['Ctrl F9'] });
  await row.getByRole('button', { name: /default keys/ }).click();
  await expect.poll(keys).toEqual({});

  await page.keyboard.press('Control+Comma');
  const keep = page.getByRole('checkbox', { name: 'Keep running when the window is closed' });
  await keep.check();
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible();
  await tell(page, { type: 'switches', switches: firstSwitches });
  await expect(keep).not.toBeChecked();
  const login = page.getByRole('checkbox', { name: 'Open at login' });
  await expect(login).toBeDisabled();
  await expect(login).toHaveAccessibleDescription(/^Only an installed Framewright/);

  // A path is chosen in the system's dialog, and kept at once when it can be used.
  const folder = page.getByRole('textbox', { name: 'Folder for “Save a copy”' });
  const choose = page.getByRole('button', { name: 'Choose… Folder for “Save a copy”' });
  await choose.click();
  await expect(folder).toHaveAccessibleDescription(/This folder cannot be written/);
  await choose.click();
  await expect(folder).toHaveValue(copies);
  // The dialog began where the setting was.
  const runtimeFile = path.join(program.dataFolder, 'runtime.json');
  expect(await page.evaluate('window.stub.began')).toEqual(['', runtimeFile]);
  await expect(folder).not.toHaveAttribute('aria-invalid');
  expect(existsSync(copies)).toBe(true);

  await page.keyboard.press('Control+k');
  await page.keyboard.type('open output folder');
  await page.keyboard.press('Enter');
  expect(await ranByDesktop(page)).toEqual(['open-output-folder']);
});

test('what waits is kept before the program ends, and that is said', async ({ page, program }) => {
  await page.addInitScript(desktopBridge());
  const { id } = await program.createTemplate({ name: 'Typed', source: card('Old', 64, 64) });
  await openWindow(page, program);
  await tell(page, { type: 'show-template', id });
  const source = page.getByRole('textbox', { name: 'Source' });
  const folder = path.join(program.dataFolder, 'drafts');
  const before = existsSync(folder) ? readdirSync(folder).length : 0;
  await source.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' ');
  await tell(page, { type: 'closing' });
  await expect.poll(() => page.evaluate('window.stub.isReady')).toBe(true);
  expect(readdirSync(folder)).toHaveLength(before + 1);
});
