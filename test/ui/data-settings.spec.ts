/** Settings ▸ Data and Sources: what takes space, kept downloads, and settings as they were at first. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { desktopBridge } from './desktop-stand-in.ts';
import { lookAt } from './look.ts';
import { card } from './sources.ts';
import { expect, openWindow, test, type Program } from './program.ts';

async function openSettings(page: Page, program: Program): Promise<void> {
  await openWindow(page, program);
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByTestId('page-settings')).toHaveAttribute('data-state', 'ready');
}

test('what takes space is shown by kind, and grows with a render', async ({ page, own }) => {
  await openSettings(page, own);
  const space = page.getByTestId('space');
  const renders = space.locator('[data-kind=renders]');
  await expect(renders).toContainText('0 files');
  await expect(space.getByRole('row', { name: /^Altogether/ })).toContainText(/[1-9]/);
  await own.finished((await own.createRender(card('Counted'))).id);
  await space.getByRole('button', { name: 'Measure again' }).click();
  await expect(renders).toContainText(/[12] files?/);
  expect(Number(await renders.getAttribute('data-bytes'))).toBeGreaterThan(100);
});

test('all settings are reset after a question, those that the window keeps, too', async ({
  page,
  own,
}) => {
  await openSettings(page, own);
  const log = page.getByLabel('Requests kept in the list');
  const first = await log.inputValue();
  await log.fill('7');
  await log.press('Enter');
  await page.getByRole('radio', { name: 'Dark', exact: true }).check();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect.poll(async () => (await own.remembered())['theme']).toBe('dark');
  // What is typed and not kept goes, too.
  await page.getByLabel('Versions kept of each template').fill('3');

  const ask = page.getByRole('button', { name: 'Reset settings…' });
  await ask.click();
  const question = page.getByRole('alertdialog', { name: 'Reset all settings?' });
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(log).toHaveValue('7');
  await ask.press('Enter');
  await question.getByRole('button', { name: 'Reset', exact: true }).press('Enter');
  await expect(page.getByText('The settings are reset.')).toBeVisible();
  await expect(log).toHaveValue(first);
  await expect(page.getByLabel('Versions kept of each template')).not.toHaveValue('3');
  await expect(page.getByRole('radio', { name: 'System', exact: true })).toBeChecked();
  await expect.poll(async () => (await own.remembered())['theme']).toBe('system');
});

test('what the browser and the desktop do with the program is reset, too', async ({
  page,
  own,
}) => {
  await page.addInitScript(() => {
    Object.assign(window.Notification, { requestPermission: () => Promise.resolve('granted') });
    Object.defineProperty(window.Notification, 'permission', { get: () => 'granted' });
  });
  const reset = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Reset settings…' }).click();
    const question = page.getByRole('alertdialog', { name: 'Reset all settings?' });
    await question.getByRole('button', { name: 'Reset', exact: true }).click();
    await expect(page.getByText('The settings are reset.').last()).toBeVisible();
  };
  await openSettings(page, own);
  const notify = page.getByRole('checkbox', { name: 'Notify me when a render has ended' });
  await notify.check();
  await expect.poll(async () => (await own.remembered())['notify']).toBe(true);
  await reset();
  await expect(notify).not.toBeChecked();
  await expect.poll(async () => (await own.remembered())['notify']).toBe(false);

  await page.addInitScript(desktopBridge());
  await page.reload();
  const keep = page.getByRole('checkbox', { name: 'Keep running when the window is closed' });
  await keep.check();
  await reset();
  await expect(keep).not.toBeChecked();
});

test('going to a section scrolls the sections, not the window', async ({ page, own }) => {
  await page.setViewportSize({ width: 640, height: 400 });
  await openSettings(page, own);
  await expect(page.getByTestId('space')).toHaveAttribute('data-state', 'ready');
  // A window this narrow has no room for links.
  const sections = page.getByRole('combobox', { name: 'Sections' });
  for (const name of await sections.getByRole('option').allInnerTexts()) {
    await sections.selectOption(name);
    await expect(page.getByRole('region', { name, exact: true })).toBeInViewport();
    const moved = await page.evaluate(() => [
      document.documentElement.scrollTop + document.body.scrollTop,
      document.documentElement.scrollHeight - innerHeight,
    ]);
    expect(moved, name).toEqual([0, 0]);
  }
  // Also tells where one is.
  await page.getByRole('region', { name: 'General', exact: true }).scrollIntoViewIfNeeded();
  await expect(sections).toHaveValue('general');
});

test('the links to sections say which one is in sight', async ({ page, own }) => {
  await openSettings(page, own);
  const links = page.getByRole('navigation', { name: 'Sections' }).getByRole('link');
  const current = links.and(page.locator('[aria-current=true]'));
  await expect(current).toHaveText('General');
  for (const link of await links.all()) {
    await link.click();
    await expect(current).toHaveText(await link.innerText());
  }
  await page.mouse.move(700, 500);
  await page.mouse.wheel(0, -20_000);
  await expect(current).toHaveText('General');
});

test('downloads that are kept are shown and cleared; how many threads paint is chosen', async ({
  page,
  own,
}) => {
  const picture = readFileSync(path.join(import.meta.dirname, '../fixtures/pattern.png'));
  const site = createServer((_request, response) => {
    response.writeHead(200, { etag: '"one"', 'content-type': 'image/png' }).end(picture);
  });
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
  const { port } = site.address() as AddressInfo;
  const element = { type: 'image', source: `http://127.0.0.1:${port}/a.png` };
  const source = { output_format: 'png', width: 16, height: 16, elements: [element] };
  await own.finished((await own.createRender({ source })).id);
  site.close();

  await openSettings(page, own);
  const kept = page.getByTestId('kept-downloads');
  await expect(kept).toContainText('1 download kept');
  await page.getByPlaceholder('Search settings').fill('downloads');
  await lookAt(page, 'downloads');
  await kept.getByRole('button', { name: 'Clear downloads' }).press('Enter');
  await expect(kept).toContainText('0 downloads kept');
  // Where it was pressed, the focus stays.
  const clear = kept.getByRole('button', { name: 'Clear downloads' });
  await expect(clear).toHaveAttribute('aria-disabled', 'true');
  await expect(clear).toBeFocused();
  await expect(page.getByText('The downloads are removed.')).toBeVisible();
  const limit = page.getByLabel('Downloads kept between renders (GB)');
  await expect(limit).toHaveValue('5');
  await limit.fill('-1');
  await limit.press('Enter');
  await expect(limit).toHaveAttribute('aria-invalid', 'true');

  await page.getByPlaceholder('Search settings').fill('threads');
  const threads = page.getByLabel('Painting threads for each film');
  await expect(threads.locator('option:checked')).toHaveText('Automatic');
  await threads.selectOption('3');
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible();
  await page.reload();
  await page.getByPlaceholder('Search settings').fill('threads');
  await expect(threads).toHaveValue('3');
  await lookAt(page, 'painting-threads');
});
