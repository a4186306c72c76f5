/** Backups from the window: one is made and listed, and one is put back through the restart of the real program. */
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect, openWindow, test, type Program } from './program.ts';

const source = {
  output_format: 'png',
  width: 16,
  height: 16,
  elements: [],
  note: 'n'.repeat(30_000),
};

/** Opens the settings at their backups. */
async function openBackups(page: Page, program: Program): Promise<void> {
  await openWindow(page, program);
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByTestId('backups')).toHaveAttribute('data-state', 'ready');
  await page.getByTestId('backups').scrollIntoViewIfNeeded();
}

test('made by hand, listed, and put back by keyboard: the page comes back with what was', async ({
  page,
  own,
}) => {
  const { id } = await own.createTemplate({ name: 'Spring sale', tags: [], source });
  await openBackups(page, own);
  const rows = page.getByRole('list', { name: 'Backups' }).getByRole('listitem');
  await page.getByRole('button', { name: 'Back up now' }).click();
  await expect(
    page.getByRole('status').filter({ hasText: 'The backup was made.' }).first(),
  ).toBeVisible();
  await expect(rows.first()).toContainText('Made by hand');
  await expect(rows.first()).toContainText(/\d+ templates · 0 feeds · 0 renders · [\d.]+\skB/);
  await own.changeTemplate(id, { name: 'Broken' });
  await own.createTemplate({ name: 'Later', tags: [], source });

  // The list knows what there is now when it is loaded.
  await openBackups(page, own);
  await rows
    .first()
    .getByRole('button', { name: /^Restore the backup: today/ })
    .press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Restore this backup?' });
  await expect(dialog.getByRole('radio', { name: 'Templates and feeds' })).toBeFocused();
  const line = (name: string) => dialog.getByRole('row', { name: new RegExp(`^${name}`) });
  const [before, after] = await Promise.all([
    line('Templates').getByRole('cell').nth(0).textContent(),
    line('Templates').getByRole('cell').nth(1).textContent(),
  ]);
  expect(Number(before)).toBe(Number(after) + 1);
  await expect(line('Keys')).toContainText('unchanged');
  await page.keyboard.press('ArrowDown');
  await expect(dialog.getByRole('radio', { name: 'Everything' })).toBeChecked();
  await expect(line('Keys').getByRole('cell').nth(1)).toHaveText('1');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  await rows
    .first()
    .getByRole('button', { name: /^Restore the backup/ })
    .click();
  await dialog.getByRole('button', { name: 'Restore', exact: true }).press('Enter');
  // Loaded again, at the start page.
  await expect(page.getByTestId('banner-notice')).toContainText('was restored', {
    timeout: 90_000,
  });
  await page.getByRole('link', { name: 'Templates' }).click();
  await expect(page.getByText('Spring sale')).toBeVisible();
  await expect(page.getByText('Broken')).toHaveCount(0);
  await expect(page.getByText('Later', { exact: true })).toHaveCount(0);
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(rows.filter({ hasText: 'Replaced by a restore' })).toHaveCount(1);
});

test('a running render is spoken of, and goes on after the restart', async ({ page, own }) => {
  // The film is long enough to be under way when the server restarts, and is then made from its beginning.
  test.slow();
  const noise = { output_format: 'mp4', width: 640, height: 360, duration: 40 };
  const spin = { type: 'text', text: 'Long', animations: [{ type: 'spin', duration: 40 }] };
  const { id } = await own.createRender({ source: { ...noise, elements: [spin] } });
  await openBackups(page, own);
  await expect.poll(async () => (await own.readRender(id)).status).toBe('rendering');
  const rows = page.getByRole('list', { name: 'Backups' }).getByRole('listitem');
  await page.getByRole('button', { name: 'Back up now' }).click();
  await expect(rows.first()).toContainText('Made by hand');
  await rows
    .first()
    .getByRole('button', { name: /^Restore/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Restore this backup?' });
  await expect(dialog).toContainText('1 render is running. It goes back into the queue');
  await dialog.getByRole('radio', { name: 'Everything' }).check();
  await expect(dialog).toContainText('1 render is running and is stopped.');
  await dialog.getByRole('radio', { name: 'Templates and feeds' }).check();
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect(page.getByTestId('banner-notice')).toContainText('was restored', {
    timeout: 90_000,
  });
  expect((await own.finished(id)).status).toBe('succeeded');
});

test('a folder for backups is used, one that can’t be is refused beside it', async ({
  page,
  own,
}) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'framewright-drive-'));
  await openBackups(page, own);
  const field = page.getByLabel('Folder for “Back up now”');
  await field.fill('/proc/none');
  await field.press('Enter');
  await expect(page.getByText('This folder cannot be written: /proc/none.')).toBeVisible();
  await field.fill(folder);
  await field.press('Enter');
  await expect(page.getByText('This folder cannot be written: /proc/none.')).toHaveCount(0);
  await page.getByRole('button', { name: 'Back up now' }).click();
  await expect.poll(() => existsSync(path.join(folder, 'Framewright backups'))).toBe(true);
  await expect
    .poll(() => readdirSync(path.join(folder, 'Framewright backups')))
    .toEqual([expect.stringMatching(/^own-[\w-]+$/)]);
  rmSync(folder, { recursive: true });
});

test('deleted by keyboard after a question, the day’s own, too; the focus goes to the next one', async ({
  page,
  own,
}) => {
  await openBackups(page, own);
  const rows = page.getByRole('list', { name: 'Backups' }).getByRole('listitem');
  await page.getByRole('button', { name: 'Back up now' }).click();
  await expect(rows.first()).toContainText('Made by hand');
  // As the first start of a day makes it, and newer than the other.
  const backups = path.join(own.dataFolder, 'store', 'backups');
  const made = readdirSync(backups).find((name) => name.startsWith('own-')) ?? '';
  cpSync(path.join(backups, made), path.join(backups, 'day-2030-01-01'), { recursive: true });
  const facts = { madeAt: Date.now() + 60_000, bytes: 1, contents: null };
  writeFileSync(path.join(backups, 'day-2030-01-01', 'backup.json'), JSON.stringify(facts));
  await openBackups(page, own);
  await expect(rows.first()).toContainText('Of the day');
  const before = await rows.count();
  const openers = page.getByRole('button', { name: /^Delete the backup: / });

  const opener = page.getByRole('button', { name: /^Delete the backup: today.*, Of the day…$/ });
  await opener.first().press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Delete this backup?' });
  await expect(question).toContainText('Of the day');
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(opener.first()).toBeFocused();
  await expect(rows).toHaveCount(before);
  expect(existsSync(path.join(backups, 'day-2030-01-01'))).toBe(true);

  await page.keyboard.press('Enter');
  await question.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await expect(
    page.getByRole('status').filter({ hasText: 'The backup was deleted.' }).first(),
  ).toBeVisible();
  await expect(rows).toHaveCount(before - 1);
  expect(existsSync(path.join(backups, 'day-2030-01-01'))).toBe(false);
  expect(existsSync(path.join(backups, made))).toBe(true);
  await expect(openers.first()).toBeFocused();

  // One that somebody else has removed meanwhile: said, and gone from the list.
  rmSync(path.join(backups, made), { recursive: true });
  await page.keyboard.press('Enter');
  await question.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await expect(page.getByText(`There is no backup with the name ${made}.`).first()).toBeVisible();
  await expect(rows.filter({ hasText: 'Made by hand' })).toHaveCount(0);
});
