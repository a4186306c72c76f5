/** Settings ▸ Data: what takes space, and settings as they were at first. */
import type { Page } from '@playwright/test';
import { desktopBridge } from './desktop-stand-in.ts';
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
  for (const link of await page
    .getByRole('navigation', { name: 'Sections' })
    .getByRole('link')
    .all()) {
    await link.click();
    const moved = await page.evaluate(() => [
      document.documentElement.scrollTop + document.body.scrollTop,
      document.documentElement.scrollHeight - innerHeight,
    ]);
    expect(moved, await link.innerText()).toEqual([0, 0]);
  }
});
