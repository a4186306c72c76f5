/** The Queue page live: renders made through the API appear, move, end, and stay, without a click. */
import { expect, openWindow, test } from './program.ts';
import { brokenCard, card, titleFilm } from './sources.ts';

test('without renders the page offers a command that works', async ({ page, program }) => {
  await openWindow(page, program);
  await expect(page.getByTestId('page-queue')).toHaveAttribute('data-state', 'empty');
  await page.getByRole('button', { name: 'Copy command' }).click();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toContain(`${program.apiUrl}/v2/renders`);
  expect(command).toContain(`Bearer ${program.apiKey}`);

  // Run as a person would, in a shell.
  const { execFileSync } = await import('node:child_process');
  const answer = execFileSync('sh', ['-c', command], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { id, errors } = JSON.parse(answer) as { id: string; errors?: string[] };
  expect(errors).toBeUndefined();
  const row = page.getByTestId(`render-row-${id}`);
  await expect(row).toHaveAttribute('data-status', 'succeeded');
});

test('a render appears, progresses, finishes and survives a reload', async ({ page, program }) => {
  await openWindow(page, program);
  const { id } = await program.createRender(titleFilm('Progress', 20));
  const row = page.getByTestId(`render-row-${id}`);
  await expect(row).toBeVisible();

  const seen: number[] = [];
  await expect(row).toHaveAttribute('data-status', 'rendering');
  await expect(page.getByTestId('status-renderer')).toHaveAttribute('data-state', 'rendering');
  await expect
    .poll(
      async () => {
        const [status, progress] = await row.evaluate(
          (element) => [element.dataset['status'], Number(element.dataset['progress'])] as const,
        );
        seen.push(progress);
        return status;
      },
      { intervals: [60] },
    )
    .toBe('succeeded');
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  const between = new Set(seen.filter((percent) => percent > 0 && percent < 100));
  expect(between.size).toBeGreaterThan(2);
  await expect(row).toHaveAttribute('data-progress', '100');
  await expect(row).toContainText('Done in');
  await expect(row).toContainText('mp4 · 640×360');
  await expect(page.getByTestId('status-renderer')).toHaveAttribute('data-state', 'idle');

  await page.reload();
  await expect(row).toHaveAttribute('data-display', 'Done');
});

test('what waits is stopped at once, what runs within 2 seconds', async ({ page, program }) => {
  await openWindow(page, program);
  const running = await program.createRender(titleFilm('Running', 120));
  const waiting = await program.createRender(titleFilm('Waiting', 5));
  const rowOf = (id: string) => page.getByTestId(`render-row-${id}`);
  await expect(rowOf(running.id)).toHaveAttribute('data-status', 'rendering');
  await expect(rowOf(waiting.id)).toContainText('Queued · 1st');

  for (const { id } of [waiting, running]) {
    await rowOf(id).getByRole('button', { name: 'Cancel' }).click();
    await expect(rowOf(id)).toHaveAttribute('data-display', 'Cancelled', { timeout: 3000 });
    await expect(rowOf(id)).toHaveAttribute('data-status', 'failed');
  }
  await expect(page.getByTestId('toasts')).toContainText('Cancelled.');
});

test('a failed render says why, and can be made again', async ({ page, program }) => {
  await openWindow(page, program);
  const { id } = await program.createRender(brokenCard);
  const { error_message: message = '' } = await program.finished(id);
  const row = page.getByTestId(`render-row-${id}`);
  await expect(row).toHaveAttribute('data-display', 'Failed');
  await expect(row).toContainText(message);

  await row.click();
  const details = page.getByRole('region', { name: 'Render details' });
  await expect(details.getByRole('group', { name: 'This render failed' })).toContainText(message);
  await details.getByRole('button', { name: 'Copy error' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(message);

  const before = await page.locator('[data-row]').count();
  await details.getByRole('button', { name: 'Render again' }).click();
  await expect(page.locator('[data-row]')).toHaveCount(before + 1);
});

test('details show the picture, the facts, and close with Esc', async ({ page, program }) => {
  const { id } = await program.createRender(card('Hello'));
  await program.finished(id);
  await openWindow(page, program);
  const row = page.getByTestId(`render-row-${id}`);
  await row.focus();
  await page.keyboard.press('Enter');
  const details = page.getByRole('region', { name: 'Render details' });
  const picture = details.getByRole('img', { name: 'Picture of Direct render' });
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBe(600);
  await expect(details).toContainText(id);
  await details.getByRole('button', { name: 'Copy URL' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${program.apiUrl}/renders/${id}.png`,
  );

  const downloading = page.waitForEvent('download');
  await details.getByRole('link', { name: 'Download file' }).click();
  expect((await downloading).suggestedFilename()).toBe(`${id}.png`);

  await details.getByRole('button', { name: 'Copy ID' }).press('Escape');
  await expect(details).toBeHidden();
  await expect(row).toBeFocused();
});

test('rows are reached by keyboard, filters by name and count', async ({ page, program }) => {
  for (const source of [card('One'), card('Two'), brokenCard]) {
    const { id } = await program.createRender(source);
    await program.finished(id);
  }
  await openWindow(page, program);
  const rows = page.locator('[data-row]');
  await rows.first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press('Home');
  await expect(rows.first()).toBeFocused();

  await page.getByRole('button', { name: /^Failed, \d+$/ }).click();
  const failed = page.locator('[data-row][data-display="Failed"]');
  await expect(rows).toHaveCount(await failed.count());
  await page.keyboard.press('Control+f');
  await page.keyboard.type('nothing has this name');
  await expect(page.getByText('No renders match.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect.poll(() => rows.count()).toBeGreaterThan(2);
});
