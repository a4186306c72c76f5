/** The main path by keyboard alone, and the renders of a feed as one line of the list. */
import type { Page } from '@playwright/test';
import { windowTokenHeader } from '../../shared/api.ts';
import { lookAt } from './look.ts';
import { expect, openWindow, test } from './program.ts';
import { card } from './sources.ts';

/** Presses a key until what has the focus matches. */
async function pressUntil(page: Page, key: string, selector: string): Promise<void> {
  for (let press = 0; press < 40; press += 1) {
    await page.keyboard.press(key);
    const is = await page.evaluate(
      (wanted) => document.activeElement?.matches(wanted) === true,
      selector,
    );
    if (is) return;
  }
  throw new Error(`${key} never came to ${selector}`);
}

test('template, render dialog, queue, details and file without a pointer', async ({
  page,
  program,
}) => {
  test.setTimeout(120_000);
  const { id } = await program.createTemplate({ name: 'By keys', tags: [], source: card('Keys') });
  await openWindow(page, program);
  await page.keyboard.press('Control+2');
  await expect(page.getByTestId(`template-card-${id}`)).toBeVisible();
  await pressUntil(page, 'F6', 'article');
  await expect(page.getByTestId(`template-card-${id}`)).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  const add = page.getByRole('button', { name: 'Add to queue' });
  await expect(add).toBeEnabled();
  for (let press = 0; press < 40; press += 1) {
    if (await add.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(add).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();

  await page.keyboard.press('Control+1');
  const row = page.locator('[data-row]').filter({ hasText: 'By keys' });
  await expect(row).toHaveAttribute('data-display', 'Done');
  await pressUntil(page, 'F6', '[data-row]');
  await expect(row).toBeFocused();
  await page.keyboard.press('Enter');
  const details = page.getByRole('region', { name: 'Render details' });
  await expect(details).toContainText('By keys');
  await page.keyboard.press('Control+c');
  const renderId = await row.getAttribute('data-row');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(renderId);
  const downloading = page.waitForEvent('download');
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menu')).toBeVisible();
  // Its keys are the menu's only once it has the focus.
  await page.waitForFunction(() => Boolean(document.activeElement?.closest('[role=menu]')));
  await page.keyboard.type('Download');
  await page.keyboard.press('Enter');
  expect((await downloading).suggestedFilename()).toBe('By keys.png');
  await expect(row).toBeFocused();
  await pressUntil(page, 'F6', '[aria-label="Render details"] *');
  await page.keyboard.press('Escape');
  await expect(details).toBeHidden();
  await expect(row).toBeFocused();
});

test('the renders of a feed are one line that unfolds', async ({ page, program }) => {
  test.setTimeout(120_000);
  const { id } = await program.createTemplate({ name: 'Row', tags: [], source: card('Word') });
  const [address = '', token = ''] = program.windowUrl.split('/#token=');
  const ask = async (
    method: string,
    path: string,
    body: string | object,
  ): Promise<{ id: string }> => {
    const isText = typeof body === 'string';
    const response = await fetch(`${address}/api${path}`, {
      method,
      headers: {
        [windowTokenHeader]: token,
        'Content-Type': isText ? 'text/csv' : 'application/json',
      },
      body: isText ? body : JSON.stringify(body),
    });
    // Of the form that server/window/feeds.ts answers.
    return (await response.json()) as { id: string };
  };
  await openWindow(page, program);
  const feed = await ask(
    'POST',
    '/feeds?name=Autumn%20list&project=default',
    'Word\nOne\nTwo\nThree',
  );
  await ask('PATCH', `/feeds/${feed.id}`, { template: id });
  const { id: batch } = await ask('POST', `/feeds/${feed.id}/render`, {});
  const line = page.getByTestId(`batch-row-${batch}`);
  await expect(line).toContainText('Autumn list');
  await expect(line).toContainText('3 rows · 3 done');
  const rows = page.locator('[data-row][data-status]').filter({ hasText: 'Feed Autumn list' });
  await expect(rows).toHaveCount(0);
  await line.focus();
  await page.keyboard.press('ArrowRight');
  await expect(rows).toHaveCount(3);
  await page.getByRole('button', { name: 'Hide this card' }).click();
  await lookAt(page, 'queue-batch');
  await line.focus();
  await page.keyboard.press('Space');
  await expect(page.getByRole('group', { name: 'Selected renders' })).toContainText('3 selected');
  await page.keyboard.press('ArrowLeft');
  await expect(rows).toHaveCount(0);
});
