/**
 * Conditions that last: what the frame, the banner and the actions say while something is missing, and when it is back.
 */
import type { Page } from '@playwright/test';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, openWindow, test } from './program.ts';
import { card, titleFilm } from './sources.ts';

test('an answer that fails holds back no other, and is asked for again', async ({ page, own }) => {
  let fails = true;
  await page.route(/\/api\/(projects|preferences)$/, (route) =>
    fails ? route.fulfill({ status: 500, body: '{}' }) : route.continue(),
  );
  await openWindow(page, own);
  await expect(page.getByTestId('status-api')).toHaveAttribute('data-state', 'on');
  await expect(page.getByTestId('status-renderer')).toHaveAttribute('data-state', 'idle');
  await expect(page.getByTestId('page-queue')).toHaveAttribute('data-state', 'empty');
  await expect(page.getByTestId('banner-partial')).toBeVisible();
  fails = false;
  await expect(page.getByTestId('banner-partial')).toBeHidden();
  await expect(page.getByRole('button', { name: 'My project' })).toBeVisible();
});

test('while it connects, the window calls nothing off', async ({ page, own }) => {
  let connect = (): void => undefined;
  const held = new Promise<void>((resolve) => (connect = resolve));
  await page.route('**/api/events', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(own.windowUrl);
  const renderer = page.getByTestId('status-renderer');
  await expect(renderer).toHaveAttribute('data-state', 'unknown');
  await expect(renderer).toHaveText('Connecting…');
  await expect(page.getByTestId('status-api')).toHaveAttribute('data-state', 'starting');
  await page.getByRole('link', { name: 'API' }).click();
  await expect(page.getByTestId('page-api')).toHaveAttribute('data-state', 'loading');
  await expect(page.getByText('No requests yet')).toBeHidden();
  connect();
  await expect(renderer).toHaveAttribute('data-state', 'idle');
  await expect(page.getByTestId('page-api')).toHaveAttribute('data-state', 'ready');
});

test('while the list of renders loads, and when it can’t be loaded, the toolbar stays', async ({
  page,
  program,
}) => {
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  let fails = true;
  await page.route('**/api/renders', async (route) => {
    await held;
    return fails ? route.fulfill({ status: 500, body: '{}' }) : route.continue();
  });
  await page.goto(`${program.windowUrl}&page=queue`);
  const queue = page.getByTestId('page-queue');
  const toolbar = async (state: string): Promise<void> => {
    await expect(queue).toHaveAttribute('data-state', state);
    await expect(queue.getByRole('heading', { name: 'Queue', exact: true })).toBeVisible();
    await expect(queue.getByRole('button', { name: 'Pause queue' })).toBeVisible();
    // Nothing is counted that is not known.
    await expect(queue.getByRole('button', { name: 'Failed', exact: true })).toBeVisible();
  };
  await toolbar('loading');
  answer();
  await toolbar('error');
  await expect(queue.getByRole('button', { name: 'Save diagnostics' })).toBeVisible();
  await queue.getByRole('button', { name: 'More actions' }).click();
  const remove = page.getByRole('menuitem', { name: /^Remove finished…/ });
  await expect(remove).toContainText('The list of renders is not loaded.');
  await page.keyboard.press('Escape');
  fails = false;
  await queue.getByRole('button', { name: 'Try again' }).click();
  await expect(queue).toHaveAttribute('data-state', 'empty');
});

test('data that can’t be written: said with the reason, and nothing pretends to be saved', async ({
  page,
  own,
}) => {
  const { id } = await own.createTemplate({ name: 'Kept', source: card('Kept', 64, 64) });
  const made = await own.createRender(card('Stays', 64, 64));
  await own.finished(made.id);
  await openWindow(page, own);
  await page.getByRole('link', { name: 'Templates' }).click();
  const kept = page.getByTestId(`template-card-${id}`);
  await expect(kept).toBeVisible();

  // As when its drive is unplugged.
  const [there, away] = ['store', 'store-away'].map((name) => path.join(own.dataFolder, name));
  renameSync(there!, away!);
  await kept.focus();
  await page.keyboard.press('Control+d');
  const banner = page.getByTestId('banner-store');
  await expect(banner).toContainText('Nothing can be saved: the data folder is not there.');
  const render = kept.getByRole('button', { name: 'Render Kept' });
  await expect(render).toHaveAttribute('aria-disabled', 'true');
  await expect(render).toHaveAttribute('title', /^Nothing can be saved/);
  await page.getByRole('button', { name: 'New template' }).click();
  const blank = page.getByRole('menuitem', { name: /^Blank video/ });
  await expect(blank).toHaveAttribute('aria-disabled', 'true');
  await expect(blank).toContainText('Nothing can be saved');
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Queue' }).click();
  const row = page.getByTestId(`render-row-${made.id}`);
  await row.focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Delete');
  await expect(page.getByRole('group', { name: 'Selected renders' })).toBeVisible();
  await expect(row).toBeVisible();

  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByTestId('page-settings')).toContainText('Settings cannot be saved.');
  await page.getByRole('radio', { name: 'Dark' }).check();
  const general = page.locator('#settings-general');
  await expect(general.getByRole('alert')).toContainText('the data folder is not there');
  await expect(general.getByText('Saved')).toBeHidden();
  const battery = page.getByRole('checkbox', { name: 'Pause on battery below 20' });
  await battery.click();
  await expect(page.locator('#settings-rendering').getByRole('alert')).toBeVisible();
  await expect(battery).toBeChecked();

  await banner.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByTestId('toasts')).toContainText('Nothing can be saved');
  expect(existsSync(there!)).toBe(false);
  renameSync(away!, there!);
  await banner.getByRole('button', { name: 'Try again' }).click();
  await expect(banner).toBeHidden();
  await page.getByRole('radio', { name: 'Light' }).check();
  await expect(general.getByText('Saved')).toBeVisible();
  await page.getByRole('link', { name: 'Templates' }).click();
  await kept.focus();
  await page.keyboard.press('Control+d');
  await expect(page.getByRole('article', { name: 'Kept copy' })).toBeVisible();
});

test('an output folder that is gone stops the queue, not the renders', async ({ page, own }) => {
  const folder = path.join(own.dataFolder, 'output');
  rmSync(folder, { recursive: true, force: true });
  writeFileSync(folder, 'in the way');
  await openWindow(page, own);
  const { id } = await own.createRender(card('Waits', 64, 64));
  const banner = page.getByTestId('banner-folder');
  await expect(banner).toContainText(folder);
  await expect(page.getByTestId(`render-row-${id}`)).toHaveAttribute('data-status', 'planned');
  await expect(page.getByTestId('status-renderer')).toHaveAttribute('data-state', 'paused');
  await banner.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByTestId('toasts')).toContainText('still cannot be written');
  await banner.getByRole('button', { name: 'Choose another folder' }).click();
  await expect(page.getByRole('textbox', { name: 'Output folder' })).toBeFocused();
  rmSync(folder);
  await banner.getByRole('button', { name: 'Try again' }).click();
  await expect(banner).toBeHidden();
  await page.getByRole('link', { name: 'Queue' }).click();
  await expect(page.getByTestId(`render-row-${id}`)).toHaveAttribute('data-status', 'succeeded');
});

test('after a crash the window says what goes on', async ({ page, own }) => {
  const { id } = await own.createRender({ ...titleFilm('Long', 600), width: 1920, height: 1080 });
  await expect.poll(async () => (await own.readRender(id)).status).toBe('rendering');
  await own.kill();
  await own.start();
  await openWindow(page, own);
  const banner = page.getByTestId('banner-recovered');
  await expect(banner).toContainText('was not closed properly. 1 render goes back into the queue.');
  await page.getByRole('link', { name: 'API' }).click();
  await banner.getByRole('button', { name: 'Show queue' }).click();
  await expect(page.getByTestId(`render-row-${id}`)).toBeVisible();
  await expect(banner).toBeHidden();
});

/** Drops a file on an element, as a file manager does. @returns whether the page has taken it. */
async function drop(page: Page, selector: string, name: string, text: string): Promise<boolean> {
  return page.locator(selector).evaluate(
    (element, file) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([file.text], file.name));
      const options = { dataTransfer, bubbles: true, cancelable: true };
      const over = element.dispatchEvent(new DragEvent('dragover', options));
      return !over && !element.dispatchEvent(new DragEvent('drop', options));
    },
    { name, text },
  );
}

test('a file dropped anywhere stays in the window', async ({ page, program }) => {
  await openWindow(page, program);
  for (const place of ['[data-testid=page-queue]', 'header', 'nav', 'footer']) {
    expect(await drop(page, `${place} >> nth=0`, 'notes.txt', 'Buy milk')).toBe(true);
  }
  await expect(page.getByTestId('toasts')).toContainText(
    '“notes.txt” is not a template. Drop .framewright, .json or .renderscript files.',
  );
  const text = JSON.stringify(card('Dropped'));
  expect(await drop(page, '[data-testid=page-queue]', 'one.json', text)).toBe(true);
  const dialog = page.getByRole('dialog', { name: 'Import templates' });
  await expect(dialog.getByRole('heading', { level: 3 })).toHaveCount(1);
  expect(await drop(page, '[role=dialog]', 'two.renderscript', text)).toBe(true);
  await expect(dialog.getByRole('heading', { level: 3 })).toHaveCount(2);
});

test('projects are managed in one window and followed by the others', async ({ page, own }) => {
  await openWindow(page, own);
  const other = await page.context().newPage();
  await openWindow(other, own);
  await page.getByRole('button', { name: 'My project' }).click();
  await page.getByRole('menuitem', { name: 'Manage projects…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Projects' });
  await expect(dialog.getByRole('listitem')).toHaveCount(1);
  await expect(dialog.getByRole('button', { name: 'Delete My project…' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await dialog.getByRole('button', { name: 'New project…' }).click();
  const naming = page.getByRole('dialog', { name: 'New project' });
  await naming.getByRole('textbox').fill('Second');
  await naming.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Second' })).toContainText('1 key');

  await other.getByRole('button', { name: 'My project' }).click();
  await expect(other.getByRole('menu')).toContainText('Second');
  await other.keyboard.press('Escape');

  await dialog.getByRole('button', { name: 'Rename Second…' }).click();
  const renaming = page.getByRole('dialog', { name: 'Rename this project' });
  await renaming.getByRole('textbox').fill('Third');
  await renaming.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'Delete Third…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(dialog.getByRole('listitem')).toHaveCount(1);
  await other.getByRole('button', { name: 'My project' }).click();
  await expect(other.getByRole('menu')).not.toContainText('Third');
});

test('colours of the system: what a fill tells is told by a line', async ({ page, program }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await openWindow(page, program);
  const outlineOf = (name: string): Promise<string> =>
    page.getByRole('link', { name }).evaluate((element) => getComputedStyle(element).outlineStyle);
  expect(await outlineOf('Queue')).toBe('solid');
  expect(await outlineOf('Templates')).toBe('none');
});
