/** Conditions that last: each has its banner with its words, and buttons that do what they say. */
import type { Page } from '@playwright/test';
import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { changeSettings, desktopBridge, shownFiles } from './desktop-stand-in.ts';
import { expect, openWindow, test } from './program.ts';
import { card } from './sources.ts';

/** Lets the server's state be what a test can't cause: a battery, a crash. No event tells how it really is. */
async function pretend(page: Page, change: object): Promise<void> {
  await page.addInitScript(() => {
    const real = window.fetch.bind(window);
    const hello = 'data: {"type":"hello","number":0}\n\n';
    const stream = (): ReadableStream =>
      new ReadableStream({ start: (sink) => sink.enqueue(new TextEncoder().encode(hello)) });
    window.fetch = (input, init) =>
      input === '/api/events' ? Promise.resolve(new Response(stream())) : real(input, init);
  });
  await page.route('**/api/state', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...((await answer.json()) as object), ...change } });
  });
}

test('the output folder is missing: looked at again, it is used', async ({ page, own }) => {
  await openWindow(page, own);
  const drive = path.join(own.dataFolder, 'drive');
  const outputFolder = path.join(drive, 'out');
  await changeSettings(page, { outputFolder });
  rmSync(drive, { recursive: true });
  const { id } = await own.createRender(card('Waits', 64, 64));
  const banner = page.getByTestId('banner-folder');
  await expect(banner).toContainText(
    `The output folder is missing: ${outputFolder}. It may be on a drive that is not connected. The queue is paused.`,
  );
  // Nothing to choose with in a browser: the setting is typed.
  await banner.getByRole('button', { name: 'Choose another folder' }).click();
  await expect(page.getByRole('textbox', { name: 'Output folder' })).toBeFocused();
  await banner.getByRole('button', { name: 'Try again' }).hover();
  mkdirSync(drive);
  // At once: the program looks by itself now and then.
  await page.mouse.down();
  await page.mouse.up();
  await expect(banner).toBeHidden();
  expect((await own.finished(id)).status).toBe('succeeded');
});

test('the output drive is almost full: what can be done is offered', async ({ page, own }) => {
  await openWindow(page, own);
  const { id: before } = await own.createRender(card('Before', 64, 64));
  await own.finished(before);
  await changeSettings(page, { freeSpaceLimit: 1e17 });
  const { id } = await own.createRender(card('Waits', 64, 64));
  const banner = page.getByTestId('banner-space');
  await expect(banner).toContainText(
    /The output drive is almost full \(\S+.[kMGT]B left\)\. The queue is paused\./,
  );
  await banner.getByRole('button', { name: 'Remove finished…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove 1 render?' });
  await expect(dialog).toContainText(
    /^.*Its file \(\S+.k?B\) is deleted from the output folder\./s,
  );
  // The words are as good as their box.
  await dialog.getByText('Done').click();
  await expect(page.getByRole('dialog', { name: 'Remove 0 renders?' })).toBeVisible();
  await page.keyboard.press('Escape');
  await banner.getByRole('button', { name: 'Change limit' }).click();
  const limit = page.getByRole('textbox', { name: 'Pause the queue when free space is below' });
  await expect(limit).toBeFocused();
  await limit.fill('0');
  await limit.press('Enter');
  await expect(banner).toBeHidden();
  expect((await own.finished(id)).status).toBe('succeeded');
});

test('a low battery: the queue can go on all the same', async ({ page, program }) => {
  await pretend(page, { lowBattery: 17 });
  await openWindow(page, program);
  const banner = page.getByTestId('banner-battery');
  await expect(banner).toContainText(/The queue is paused: battery at 17.%\./);
  const asked = page.waitForRequest('**/api/power/overrule');
  await banner.getByRole('button', { name: 'Resume anyway' }).click();
  expect((await (await asked).response())?.status()).toBe(200);
});

test('ffmpeg is missing: the banner leads to its setting, whatever is shown', async ({
  page,
  program,
}) => {
  await pretend(page, { encoder: 'missing' });
  await openWindow(page, program);
  const open = page.getByTestId('banner-encoder').getByRole('button', { name: 'Settings' });
  await open.click();
  const field = page.getByRole('textbox', { name: 'ffmpeg' });
  await expect(field).toBeFocused();
  await page.getByPlaceholder('Search settings').fill('theme');
  await expect(field).toBeHidden();
  await open.click();
  await expect(field).toBeFocused();

  // The port of this program was named at its start: its button says so.
  await page.keyboard.press('Control+5');
  await page.getByTestId('page-api').getByRole('button', { name: 'Settings' }).click();
  await expect(page.getByRole('button', { name: 'Test the port' })).toBeFocused();
});

test('not closed properly: what was being worked on is in the queue again', async ({
  page,
  program,
}) => {
  await pretend(page, { recovered: 1 });
  await openWindow(page, program);
  await page.getByRole('link', { name: 'Templates' }).click();
  const banner = page.getByTestId('banner-recovered');
  await expect(banner).toContainText(
    'Framewright was not closed properly. 1 render goes back into the queue. Nothing else was lost.',
  );
  await banner.getByRole('button', { name: 'Show queue' }).click();
  await expect(page.getByTestId('page-queue')).toBeVisible();
  await expect(banner).toBeHidden();
});

test('the renderer is started again: which try it is, of how many', async ({ page, program }) => {
  const restart = { attempt: 2, most: 5 };
  await pretend(page, { renderer: { state: 'restarting', reason: 'the worker ended', restart } });
  await openWindow(page, program);
  await expect(page.getByTestId('banner-renderer')).toContainText(
    'The renderer stopped and is restarting (try 2 of 5).',
  );
  await expect(page.getByTestId('status-renderer')).toHaveAttribute('data-state', 'restarting');
});

test('the renderer gave up: it can be started again', async ({ page, program }) => {
  await pretend(page, { renderer: { state: 'off' } });
  await openWindow(page, program);
  const banner = page.getByTestId('banner-renderer');
  await expect(banner).toContainText(
    'The renderer keeps stopping. Renders wait. It is tried again automatically, or start it now.',
  );
  await expect(page.getByTestId('status-renderer')).toHaveText('Renderer off');
  const saving = page.waitForEvent('download');
  await banner.getByRole('button', { name: 'Save diagnostics' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/^framewright-diagnostics-\d{4}-\d\d-\d\d\.zip$/);
  expect(readFileSync(await saved.path(), 'latin1')).toMatch(/^PK/);
  const asked = page.waitForRequest('**/api/renderer/start');
  await banner.getByRole('button', { name: 'Start again' }).click();
  expect((await (await asked).response())?.status()).toBe(200);
});

test('a damaged record was set aside: its file is shown, or saved where nothing can show it', async ({
  page,
  own,
}) => {
  await own.stop();
  appendFileSync(path.join(own.dataFolder, 'store', 'templates.db'), 'not a record\n');
  await own.start();
  await openWindow(page, own);
  const banner = page.getByTestId('banner-set-aside');
  await expect(banner).toContainText(
    '1 damaged record was set aside while opening the data. Everything else is here.',
  );
  const saving = page.waitForEvent('download');
  await banner.getByRole('button', { name: 'Show file' }).click();
  const saved = await saving;
  const name = saved.suggestedFilename();
  expect(name).toMatch(/^damaged-templates-.*\.jsonl$/);
  expect(readFileSync(await saved.path(), 'utf8')).toBe('not a record\n');
  await page.addInitScript(desktopBridge());
  await page.reload();
  await banner.getByRole('button', { name: 'Show file' }).click();
  expect(await shownFiles(page)).toEqual([name]);
  await banner.getByRole('button', { name: 'OK' }).click();
  await expect(banner).toBeHidden();
});
