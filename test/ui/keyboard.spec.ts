/** The main path by keyboard alone, shortcuts that are changed, the palette, and the renders of a feed as one line. */
import type { Locator, Page } from '@playwright/test';
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
  await page.keyboard.press('Control+3');
  await expect(page.getByTestId(`template-card-${id}`)).toBeVisible();
  await pressUntil(page, 'F6', 'article');
  await page.keyboard.press('End');
  await page.keyboard.type('by k');
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

  await page.keyboard.press('Control+2');
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
  expect((await downloading).suggestedFilename()).toMatch(/^By keys – Keys [0-9-]{10}\.png$/);
  await expect(row).toBeFocused();
  await pressUntil(page, 'F6', '[aria-label="Render details"] *');
  await page.keyboard.press('Escape');
  await expect(details).toBeHidden();
  await expect(row).toBeFocused();
});

test('a new shortcut is pressed, holds after a reload, and is reset', async ({ page, program }) => {
  test.setTimeout(120_000);
  await openWindow(page, program);
  await page.keyboard.press('F1');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.getByRole('button', { name: 'Change shortcuts…' }).click();
  const card = page.getByRole('region', { name: 'Keyboard', exact: true });
  const search = card.getByRole('textbox', { name: 'Search commands or keys' });
  await expect(search).toBeFocused();
  await search.fill('trash');
  const row = card.locator('[data-command="show-trash"]');
  const change = row.getByRole('button', { name: /change the keys of “Trash”$/ });
  await expect(change).toHaveText('No keys');

  // Refused with a reason: letters alone, keys of the browser, and Tab, which goes on.
  await change.press('Enter');
  for (const [keys, reason] of [
    ['j', 'J is for typing'],
    ['Control+w', 'Ctrl W belongs to the system'],
    ['Enter', 'Enter moves the focus'],
    ['Tab', 'Tab moves the focus'],
  ] as const) {
    await page.keyboard.press(keys);
    await expect(row.getByRole('alert')).toContainText(reason);
  }
  await expect(change).toHaveText('No keys');
  await expect(change).not.toBeFocused();
  await change.click();
  await page.keyboard.press('Escape');
  await expect(change).toBeFocused();

  await change.press('Enter');
  // No command answers while keys are pressed for another one.
  const kept = (): Promise<unknown> =>
    page.waitForResponse((answer) => answer.url().endsWith('/preferences') && answer.ok());
  const stored = kept();
  await page.keyboard.press('Control+Alt+j');
  await expect(change).toHaveText('Ctrl Alt J');
  await stored;
  await expect(change).toBeFocused();
  await page.keyboard.press('Control+Alt+j');
  await expect(page.getByTestId('page-trash')).toBeVisible();
  await page.reload();
  await page.locator('html[data-app="ready"]').waitFor();
  await page.keyboard.press('Control+Alt+j');
  await expect(page.getByTestId('page-trash')).toBeVisible();
  await page.keyboard.press('F1');
  await expect(page.getByRole('dialog')).toContainText('Trash Ctrl Alt J');
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+,');
  const storedAgain = kept();
  await row.getByRole('button', { name: 'Reset “Trash” to no keys' }).click();
  await storedAgain;
  await expect(change).toHaveText('No keys');
  await page.keyboard.press('Control+Alt+j');
  await expect(page.getByTestId('page-settings')).toBeVisible();
});

test('keys that another command has are shown with its name, and can be taken', async ({
  page,
  program,
}) => {
  test.setTimeout(180_000);
  await openWindow(page, program);
  await page.keyboard.press('Control+,');
  await page.getByRole('link', { name: 'Keyboard', exact: true }).click();
  const row = (id: string): Locator => page.locator(`[data-command="${id}"]`);
  const keys = (id: string): Locator =>
    row(id).getByRole('button', { name: /: change the keys of / });
  await keys('show-trash').click();
  await page.keyboard.press('Control+5');
  await expect(row('show-trash')).toContainText('Ctrl 5 belongs to “API”.');
  await lookAt(page, 'settings-keyboard');
  await row('show-trash').getByRole('button', { name: 'Leave it there' }).click();
  await expect(keys('show-trash')).toHaveText('No keys');

  await keys('show-trash').click();
  await page.keyboard.press('Control+5');
  await row('show-trash').getByRole('button', { name: 'Use it here instead' }).click();
  await expect(keys('show-trash')).toHaveText('Ctrl 5');
  await expect(keys('go-api')).toHaveText('No keys');
  await page.keyboard.press('Control+5');
  await expect(page.getByTestId('page-trash')).toBeVisible();
  await page.keyboard.press('Control+6');
  // Given back alone, both have them, and both say so.
  await row('go-api')
    .getByRole('button', { name: 'Reset “API” to its default keys: Ctrl 5' })
    .click();
  await expect(row('go-api')).toContainText('“Trash” has the same keys.');
  await expect(row('show-trash')).toContainText('“API” has the same keys.');

  // In different places the same keys are no conflict.
  await keys('save').click();
  await page.keyboard.press('Control+Shift+o');
  await expect(keys('save')).toHaveText('Ctrl Shift O');
  await expect(keys('open-file')).toHaveText('Ctrl Shift O');
  await page.getByRole('button', { name: 'Reset all…' }).click();
  await expect(page.getByRole('alertdialog')).toContainText(
    '2 commands get their default keys back.',
  );
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset all' }).click();
  await expect(keys('save')).toHaveText('Ctrl S');
  await expect(keys('show-trash')).toHaveText('No keys');
});

test('the palette has the commands of what is at hand, and shows further actions', async ({
  page,
  program,
}) => {
  test.setTimeout(120_000);
  const { id } = await program.createTemplate({ name: 'At hand', tags: [], source: card('Hand') });
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text());
  });
  await openWindow(page, program);
  const palette = page.getByRole('dialog', { name: 'Search or run a command' });
  const option = (name: string | RegExp): Locator => palette.getByRole('option', { name });
  const find = async (text: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await expect(palette).toBeVisible();
    await page.keyboard.type(text);
  };
  await find('at hand');
  await expect(option(/^At hand/)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Tab');
  await expect(palette.getByRole('combobox', { name: 'Actions for At hand' })).toBeFocused();
  await expect(option(/^Export…/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(option(/^Queue/)).toBeVisible();
  expect(refused).toEqual([]);
  // From the first to the last and back.
  await page.keyboard.press('Home');
  const combobox = palette.getByRole('combobox');
  const first = (await combobox.getAttribute('aria-activedescendant'))!;
  await page.keyboard.press('ArrowUp');
  await expect(combobox).not.toHaveAttribute('aria-activedescendant', first);
  await expect(palette.getByRole('option', { selected: true })).toBeInViewport();
  await page.keyboard.press('ArrowDown');
  await expect(combobox).toHaveAttribute('aria-activedescendant', first);
  await page.keyboard.type('at hand');
  await page.keyboard.press('Tab');
  await page.keyboard.type('edit tags');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Tags' })).toBeFocused();
  await page.keyboard.press('Escape');

  await find('oldest first');
  await expect(option('Sort renders, oldest first')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+3');
  await page.getByTestId(`template-card-${id}`).focus();
  await find('duplicate');
  await expect(option(/^Duplicate/)).toContainText('Ctrl D');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('article', { name: 'At hand copy' })).toBeVisible();

  await page.getByTestId(`template-card-${id}`).click();
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-state', 'ready');
  await find('format');
  await expect(option(/^Format source/)).toContainText('Shift Alt F');
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+2');
  const { id: render } = await program.createRender({ source: card('Queue') });
  await program.finished(render);
  await page.getByTestId(`render-row-${render}`).click();
  await find('render again');
  await expect(option(/^Render again\b(?! with)/)).toContainText('Ctrl Shift Enter');
  await expect(option(/^Render again with changes/)).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Enter');
  const direct = page.locator('[data-row]').filter({ hasText: 'Queue' });
  await expect(direct).toHaveCount(2);
  // The keys of a render hold in its details, too.
  await page.getByRole('button', { name: 'Close details' }).focus();
  await page.keyboard.press('Control+Shift+Enter');
  await expect(direct).toHaveCount(3);
});

test('the keys of the editor come before those of the code editor', async ({ page, program }) => {
  const { id } = await program.createTemplate({ name: 'Code', tags: [], source: card('Code') });
  await page.goto(`${program.windowUrl}&template=${id}`);
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-state', 'ready');
  await page.keyboard.press('Alt+3');
  const source = page.getByRole('textbox', { name: 'Source' });
  await expect(source).toBeFocused();
  await page.keyboard.press('Control+f');
  await expect(page.locator('#editor-source').getByRole('textbox', { name: 'Find' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(source).toBeFocused();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('End');
  await page.keyboard.press('Control+Space');
  await expect(page.locator('#editor-source').getByRole('listbox')).toBeVisible();
  await page.keyboard.press('Escape');
  // Keys of a card are none of the open template's.
  await page.keyboard.press('Delete');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+c');
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'false');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('dialog', { name: 'Render “Code”' })).toBeVisible();
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'false');
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
  await lookAt(page, 'queue-batch');
  await line.focus();
  await page.keyboard.press('Space');
  await expect(page.getByRole('group', { name: 'Selected renders' })).toContainText('3 selected');
  await page.keyboard.press('ArrowLeft');
  await expect(rows).toHaveCount(0);
});
