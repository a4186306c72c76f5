/** “Retry failed” makes what failed again, and leaves alone what a person cancelled. */
import { expect, openWindow, test } from './program.ts';
import { brokenCard, titleFilm } from './sources.ts';

test('two failed and one cancelled: two new renders', async ({ page, program }) => {
  await openWindow(page, program);
  const retry = page.getByRole('menuitem', { name: /^Retry (\d+ )?failed/ });
  const openMenu = (): Promise<void> =>
    page.getByRole('button', { name: 'More actions for the queue' }).click();

  const { id: cancelled } = await program.createRender(titleFilm('Called off', 400));
  const row = page.getByTestId(`render-row-${cancelled}`);
  await expect(row).toHaveAttribute('data-status', 'rendering');
  await openMenu();
  await expect(retry).toHaveText(/Retry failed\s*, No failed render is shown\./);
  await expect(retry).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Escape');
  await row.focus();
  await page.keyboard.press('Delete');
  await expect(row).toHaveAttribute('data-display', 'Cancelled');

  const failed: string[] = [];
  for (const name of ['First', 'Second']) {
    const { id } = await program.createRender({ source: brokenCard, metadata: name });
    expect((await program.finished(id)).status).toBe('failed');
    failed.push(id);
  }
  const rows = page.locator('[data-row]');
  await expect(rows).toHaveCount(3);
  await openMenu();
  await expect(retry).toHaveText(/Retry 2 failed/);
  await retry.click();
  await expect(rows).toHaveCount(5);
  await expect(page.locator('[data-row][data-display="Failed"]')).toHaveCount(4);

  const ids = await rows.evaluateAll((all) =>
    all.map((element) => element.getAttribute('data-row') ?? ''),
  );
  const made = ids.filter((id) => id !== cancelled && !failed.includes(id));
  const records = await Promise.all(made.map((id) => program.readRender(id)));
  expect(records.map(({ metadata }) => metadata).sort()).toEqual(['First', 'Second']);
  await expect(row).toHaveAttribute('data-display', 'Cancelled');

  // What fails while nobody looks is marked, until somebody does: the page may be there all the time.
  const turn = (hidden: boolean): Promise<void> =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  const mark = page.getByTestId('unseen-failure');
  await expect(mark).toBeHidden();
  await turn(true);
  await program.createRender(brokenCard);
  await expect(mark).toBeVisible();
  await expect(page.getByRole('link', { name: 'Queue' })).toHaveAccessibleDescription(
    'Something failed',
  );
  await turn(false);
  await expect(mark).toBeHidden();
});
