/**
 * Choosing renders, and what becomes of their files: played, opened and saved, one as it is and several as one archive.
 */
import type { Locator, Page } from '@playwright/test';
import { unzipSync } from 'fflate';
import { readFileSync } from 'node:fs';
import { card, titleFilm } from './sources.ts';
import { expect, openWindow, test, type Program } from './program.ts';

/** Finished renders of these words, the newest first in the list. */
async function made(program: Program, words: readonly string[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const word of words) {
    const { id } = await program.createRender(card(word, 64, 64));
    await program.finished(id);
    ids.push(id);
  }
  return ids;
}

const rowOf = (page: Page, id: string | undefined): Locator =>
  page.getByTestId(`render-row-${id ?? ''}`);
const tickedOf = (page: Page): Locator => page.locator('[data-row][aria-selected="true"]');

test('Ctrl and Shift clicks choose as in other lists, and Shift with arrows goes on from there', async ({
  page,
  program,
}) => {
  const [e, d, c, b, a] = await made(program, ['E', 'D', 'C', 'B', 'A']);
  await openWindow(page, program);
  const details = page.getByRole('region', { name: 'Render details' });
  await rowOf(page, b).click({ modifiers: ['Control'] });
  await rowOf(page, d).click({ modifiers: ['Control'] });
  await expect(tickedOf(page)).toHaveCount(2);
  await expect(details).toHaveCount(0);
  await rowOf(page, b).click({ modifiers: ['Shift'] });
  await expect(tickedOf(page)).toHaveCount(3);
  await expect(rowOf(page, c)).toHaveAttribute('aria-selected', 'true');

  // A plain press is where the next range begins, not what was ticked before.
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await rowOf(page, d).click();
  await expect(details).toBeVisible();
  await page.keyboard.press('Shift+ArrowDown');
  await expect(tickedOf(page)).toHaveCount(2);
  await expect(rowOf(page, e)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Shift+ArrowUp');
  await page.keyboard.press('Shift+ArrowUp');
  await expect(tickedOf(page)).toHaveCount(2);
  await expect(rowOf(page, c)).toHaveAttribute('aria-selected', 'true');
  // Moving on without Shift begins anew there.
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Shift+ArrowUp');
  await expect(rowOf(page, a)).toHaveAttribute('aria-selected', 'true');
  await expect(rowOf(page, d)).toHaveAttribute('aria-selected', 'false');
});

test('a question about several says how many', async ({ page, own }) => {
  const long = { ...titleFilm('Long', 1200), width: 1280, height: 720 };
  for (let count = 0; count < 3; count += 1) await own.createRender(long);
  await openWindow(page, own);
  await expect(page.locator('[data-status="rendering"]')).toHaveCount(1);
  // As if it had been worked on for long: then there is something to lose.
  await page.clock.install();
  await page.clock.fastForward(40_000);
  await page.locator('[data-row]').first().focus();
  await page.keyboard.press('Control+a');
  await page
    .getByRole('group', { name: /select/i })
    .getByRole('button', { name: 'Cancel' })
    .click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('Stop 3 renders?');
  await question.getByRole('button', { name: 'Stop 3 renders' }).click();
  await expect(page.locator('[data-display="Cancelled"]')).toHaveCount(3);
});

test('a finished render plays and opens with one click', async ({ page, program, context }) => {
  const { id } = await program.createRender(titleFilm('Plays', 1));
  await program.finished(id);
  await openWindow(page, program);
  const row = rowOf(page, id);
  await row.hover();
  await row.getByRole('button', { name: 'Play here' }).click();
  const details = page.getByRole('region', { name: 'Render details' });
  await expect(details.locator('video')).toBeFocused();
  // The details beside the row have its buttons, which would lie on the words of the narrow list.
  await row.hover();
  await expect(row.getByRole('button', { name: 'Open file' })).toBeHidden();
  const opened = context.waitForEvent('page');
  await details.getByRole('button', { name: 'Open file' }).click();
  expect((await opened).url()).toContain(`/renders/${id}.mp4`);
});

test('saved files are named by a pattern; several are one archive', async ({ page, program }) => {
  const [one, two] = await made(program, ['Same words', 'Same words']);
  await openWindow(page, program);
  await page.getByRole('link', { name: 'Settings' }).click();
  const pattern = page.getByLabel('Names of saved files');
  await pattern.fill('{titel}');
  await pattern.press('Enter');
  await expect(page.getByText('{titel} is not a placeholder')).toBeVisible();
  await pattern.fill('{title}: film');
  await expect(page.getByText('The newest file would be “Same words film.png”.')).toBeVisible();
  await pattern.press('Enter');
  await expect(page.getByRole('status').getByText('Saved', { exact: true })).toBeVisible();

  await page.getByRole('link', { name: 'Queue' }).click();
  await rowOf(page, one).click({ modifiers: ['Control'] });
  const bar = page.getByRole('group', { name: /select/i });
  const single = page.waitForEvent('download');
  await bar.getByRole('button', { name: /^Download/ }).click();
  expect((await single).suggestedFilename()).toBe('Same words film.png');
  await rowOf(page, two).click({ modifiers: ['Control'] });
  const several = page.waitForEvent('download');
  await bar.getByRole('button', { name: /^Download/ }).click();
  const archive = await several;
  expect(archive.suggestedFilename()).toMatch(/^Framewright \d{4}-\d\d-\d\d\.zip$/);
  const files = unzipSync(readFileSync(await archive.path()));
  expect(Object.keys(files).sort()).toEqual(['Same words film (2).png', 'Same words film.png']);
  for (const bytes of Object.values(files)) {
    expect(Buffer.from(bytes.slice(1, 4)).toString()).toBe('PNG');
  }
});
