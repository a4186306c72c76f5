/** The Feeds page: a table in, mapped, edited like a spreadsheet, rendered, and its results out again. */
import { AxeBuilder } from '@axe-core/playwright';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { archive, spreadsheet } from '../helpers/spreadsheet.ts';
import { expect, openWindow, test } from './program.ts';

const tiny = {
  output_format: 'png',
  width: 16,
  height: 16,
  elements: [{ type: 'text', name: 'Headline', text: 'x', font_size: 8 }],
};

/** Chooses a file in the import dialog. */
async function choose(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page
    .getByRole('dialog')
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
}

async function importTable(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.getByRole('link', { name: 'Feeds' }).click();
  await page.getByRole('button', { name: 'Import…' }).first().click();
  await choose(page, name, buffer);
  await page.getByRole('button', { name: /^Import \d+ rows?$/ }).click();
  await expect(page.getByRole('grid')).toBeVisible();
}

test('200 rows of a spreadsheet become 200 renders and a table of results', async ({
  page,
  program,
}) => {
  test.setTimeout(240_000);
  await program.createTemplate({ name: 'Tiny card', source: tiny });
  await openWindow(page, program);
  const rows = Array.from({ length: 200 }, (_, index) => [
    index === 4 ? '=SUM(A1)' : `Row ${index + 1}`,
    index,
  ]);
  await importTable(
    page,
    'Autumn list.xlsx',
    archive(spreadsheet([['headline', 'price'], ...rows])),
  );
  await expect(page.getByRole('heading', { name: 'Autumn list' })).toBeVisible();
  const all = page.getByRole('button', { name: 'Render all 200 rows' });
  await expect(all).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('button', { name: 'Choose a template' }).click();
  await page.getByRole('menuitemradio', { name: 'Tiny card' }).click();
  await expect(page.getByText('Fills Headline')).toBeVisible();

  await all.click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Render' }).click();
  await expect(page.getByText('200 renders were queued.')).toBeVisible();
  const grid = page.getByRole('grid', { name: 'Autumn list' });
  await grid.focus();
  await page.keyboard.press('Control+End');
  await expect(page.getByTestId('feed-row-200')).toHaveAttribute('data-status', 'succeeded', {
    timeout: 200_000,
  });
  await page.keyboard.press('Control+Home');
  await expect(page.getByTestId('feed-row-1')).toHaveAttribute('data-status', 'succeeded');

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export results' }).click();
  const text = await readFile(await (await saved).path(), 'utf8');
  const lines = text.replace('\ufeff', '').trim().split('\r\n');
  expect(lines).toHaveLength(201);
  expect(lines[0]).toBe('headline,price,render_id,status,url,error');
  expect(lines[5]).toMatch(/^'=SUM\(A1\),4,/);
  expect(lines.slice(1).every((line) => /,succeeded,http:\/\/[^,]+,$/.test(line))).toBe(true);
  expect(new Set(lines.slice(1).map((line) => line.split(',')[2])).size).toBe(200);
});

test('cells are edited by the keys of spreadsheets, kept by the server, and taken back', async ({
  page,
  program,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openWindow(page, program);
  await importTable(page, 'Keys.csv', Buffer.from('A,B,C\n1,2,3\n4,5,6\n7,8,9\n'));
  const grid = page.getByRole('grid', { name: 'Keys' });
  const row = (number: number): Promise<string[]> =>
    page.getByTestId(`feed-row-${number}`).getByRole('gridcell').allInnerTexts();
  await grid.focus();
  // Typing replaces, Enter goes down, F2 adds to what is there, Esc takes nothing over.
  await page.keyboard.type('one');
  await page.keyboard.press('Enter');
  await page.keyboard.press('F2');
  await page.keyboard.type('!');
  await page.keyboard.press('Tab');
  await page.keyboard.type('lost');
  await page.keyboard.press('Escape');
  expect(await row(1)).toEqual(['one', '2', '3', '']);
  expect(await row(2)).toEqual(['4!', '5', '6', '']);
  // A range goes over the clipboard as tab-separated text; rows and columns that it needs are made.
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Control+c');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('one\t2\n4!\t5');
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Control+v');
  await expect(grid).toHaveAttribute('aria-rowcount', '5');
  await expect(grid).toHaveAttribute('aria-colcount', '6');
  expect(await row(3)).toEqual(['7', '8', 'one', '2', '']);
  expect(await row(4)).toEqual(['', '', '4!', '5', '']);
  await page.keyboard.press('Delete');
  expect(await row(4)).toEqual(['', '', '', '', '']);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect(grid).toHaveAttribute('aria-rowcount', '4');
  await page.keyboard.press('Control+y');
  await expect(grid).toHaveAttribute('aria-rowcount', '5');
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible();
  // Esc, then Tab leaves; without it Tab moves within.
  await page.keyboard.press('Tab');
  await expect(grid).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+Tab');
  await expect(grid).not.toBeFocused();

  await page.reload();
  await page.getByRole('button', { name: 'Open Keys' }).click();
  await expect(grid).toHaveAttribute('aria-rowcount', '5');
  expect(await row(4)).toEqual(['', '', '4!', '5', '']);
});

test('what another window has stored is not overwritten unasked', async ({ page, program }) => {
  await openWindow(page, program);
  await importTable(page, 'Shared.csv', Buffer.from('A\n1\n'));
  const { origin, hash } = new URL(program.windowUrl);
  const headers = {
    'x-framewright-token': new URLSearchParams(hash.slice(1)).get('token') ?? '',
    'content-type': 'application/json',
  };
  // The form is the server's.
  const [feed] = (await (await fetch(`${origin}/api/feeds`, { headers })).json()) as {
    id: string;
    columns: { id: string }[];
  }[];
  const address = `${origin}/api/feeds/${feed!.id}/rows`;
  const rows = [{ id: 'theirs', values: { [feed!.columns[0]!.id]: 'theirs' } }];
  await fetch(address, { method: 'PUT', headers, body: JSON.stringify({ rows }) });
  await page.getByRole('grid').focus();
  await page.keyboard.type('mine');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('changed elsewhere');
  expect(await (await fetch(address, { headers })).text()).toContain('theirs');
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible();
  expect(await (await fetch(address, { headers })).text()).toContain('mine');
});

test('the import shows how a file is read, and reads it otherwise by keyboard', async ({
  page,
  own: program,
}) => {
  await openWindow(page, program);
  await page.keyboard.press('Control+3');
  await expect(page.getByText('No feeds yet')).toBeVisible();
  await page.getByRole('button', { name: 'Import…' }).first().focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Import a table' });
  await expect(dialog.getByRole('button', { name: 'Choose a file…' })).toBeFocused();
  await choose(page, 'Preise.csv', Buffer.from('Name;Preis\nÄpfel;3,50\n', 'latin1'));
  await expect(dialog.getByRole('columnheader')).toHaveText(['Name', 'Preis']);
  await expect(dialog.getByLabel('Character set')).toHaveValue('windows-1252');
  await expect(dialog.getByRole('cell').first()).toHaveText('Äpfel');
  await dialog.getByLabel('Separator').focus();
  await page.keyboard.press('ArrowUp');
  await expect(dialog.getByRole('alert')).toContainText('more values than there are columns');
  await page.keyboard.press('ArrowDown');
  await dialog.getByRole('checkbox').focus();
  await page.keyboard.press('Space');
  await expect(dialog.getByRole('columnheader').first()).toHaveText('Column 1');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    await page.screenshot({ path: `test/ui/screens/feed-import-${colorScheme}.png` });
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await choosePlain(page);
});

/** Both themes of an open feed, by the rules of accessibility. */
async function choosePlain(page: Page): Promise<void> {
  await importTable(page, 'Looks.csv', Buffer.from('Title,Price\nPumpkin week,3\nSoup day,4\n'));
  await page.getByRole('grid').focus();
  await page.keyboard.press('Shift+ArrowDown');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    await page.screenshot({ path: `test/ui/screens/feed-${colorScheme}.png` });
  }
  await page.getByRole('button', { name: 'Back to feeds' }).click();
  await expect(page.getByRole('heading', { name: 'Feeds' })).toBeVisible();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await page.screenshot({ path: 'test/ui/screens/feeds-dark.png' });
}
