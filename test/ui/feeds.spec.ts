/** The Feeds page: a table in, mapped, edited like a spreadsheet, rendered, and its results out again. */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { archive, spreadsheet } from '../helpers/spreadsheet.ts';
import { strFromU8, unzipSync } from 'fflate';
import { isLong } from '../helpers/long.ts';
import { checkRules } from './look.ts';
import { expect, openWindow, test, type Program } from './program.ts';

const fixtures = path.join(import.meta.dirname, '../fixtures');

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
  await page.getByRole('button', { name: 'Import…' }).click();
  await choose(page, name, buffer);
  await page.getByRole('button', { name: /^Import \d+ rows?$/ }).click();
  await expect(page.getByRole('grid')).toBeVisible();
}

/** @param fits Whether each column fills something; else the mapping opens, which is closed here. */
async function chooseTemplate(page: Page, name: string, fits = true): Promise<void> {
  await page.getByRole('button', { name: 'Choose a template' }).click();
  await page.getByRole('menuitemradio', { name }).click();
  if (!fits) {
    await expect(page.getByRole('dialog', { name: 'What fills the template' })).toBeVisible();
    await page.keyboard.press('Escape');
  }
  await expect(page.getByRole('button', { name: 'Mapping…' })).not.toHaveAttribute(
    'aria-disabled',
    'true',
  );
}

/** Renders all rows of the open feed. */
async function renderAll(page: Page, count: number): Promise<void> {
  await page.getByRole('button', { name: 'Render…' }).click();
  await page.getByRole('button', { name: new RegExp(`^Render ${count} rows?$`) }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** The content of a file that the menu saves. */
async function exported(page: Page, name: string): Promise<Buffer> {
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name }).click();
  return readFile(await (await saved).path());
}

/** What the window's path answers; the form is the server's. */
async function askWindow<T>(program: Program, address: string, sent?: object): Promise<T> {
  const { origin, hash } = new URL(program.windowUrl);
  const headers = {
    'x-framewright-token': new URLSearchParams(hash.slice(1)).get('token') ?? '',
    'content-type': 'application/json',
  };
  const given = sent && { method: 'PUT', body: JSON.stringify(sent) };
  return (await fetch(`${origin}${address}`, { headers, ...given })).json() as Promise<T>;
}

/** Enough that renders come in several rounds, and rows are far out of sight. */
const many = 200;

test('rows of a spreadsheet become as many renders and a table of results', async ({
  page,
  program,
}) => {
  test.setTimeout(240_000);
  await program.createTemplate({ name: 'Tiny card', source: tiny });
  await openWindow(page, program);
  const rows = Array.from({ length: many }, (_, index) => [
    index === 4 ? '=SUM(A1)' : `Row ${index + 1}`,
    index,
  ]);
  await importTable(
    page,
    'Autumn list.xlsx',
    archive(spreadsheet([['headline', 'price'], ...rows])),
  );
  await expect(page.getByRole('heading', { name: 'Autumn list' })).toBeVisible();
  const render = page.getByRole('button', { name: 'Render…' });
  await expect(render).toHaveAttribute('aria-disabled', 'true');
  // What it waits for is said on the page, too.
  await expect(page.getByText('Choose a template first')).toBeVisible();
  await chooseTemplate(page, 'Tiny card', false);
  await expect(page.getByText('Fills Headline')).toBeVisible();

  await render.click();
  const dialog = page.getByRole('dialog', { name: 'Render “Autumn list”' });
  await expect(dialog.getByText('All of these rows are fine.')).toBeVisible();
  await expect(dialog.getByTestId('feed-row-picture').getByRole('img')).toBeVisible();
  await dialog.getByLabel('Names of the files').fill('{feed} {price}');
  await expect(dialog.getByText('This row: Autumn list 0')).toBeVisible();
  await dialog.getByRole('button', { name: `Render ${many} rows` }).click();
  await expect(page.getByText(`${many} renders were queued.`)).toBeVisible();
  const grid = page.getByRole('grid', { name: 'Autumn list' });
  await expect(page.getByTestId('feed-batch')).toContainText(`of ${many} rows done`);
  await grid.focus();
  await page.keyboard.press('Control+End');
  await expect(page.getByTestId(`feed-row-${many}`)).toHaveAttribute('data-status', 'succeeded', {
    timeout: 200_000,
  });
  await page.keyboard.press('Control+Home');
  await expect(page.getByTestId('feed-row-1')).toHaveAttribute('data-status', 'succeeded');
  await expect(page.getByTestId('feed-batch')).toBeHidden();

  const text = (await exported(page, 'Results as CSV')).toString();
  const lines = text.replace('\ufeff', '').trim().split('\r\n');
  expect(lines).toHaveLength(many + 1);
  expect(lines[0]).toBe('headline,price,render_id,status,url,error');
  expect(lines[5]).toMatch(/^'=SUM\(A1\),4,/);
  expect(lines.slice(1).every((line) => /,succeeded,http:\/\/[^,]+,$/.test(line))).toBe(true);
  expect(new Set(lines.slice(1).map((line) => line.split(',')[2])).size).toBe(many);
  const sheet = strFromU8(
    unzipSync(await exported(page, 'Results as a spreadsheet (XLSX)'))['xl/worksheets/sheet1.xml']!,
  );
  expect(sheet.match(/>succeeded</g)).toHaveLength(many);
  expect(sheet).toContain('>=SUM(A1)<');
  expect(sheet).not.toContain('<f>');
  const files = unzipSync(await exported(page, `The ${many} files`));
  expect(Object.keys(files)).toHaveLength(many);
  expect(Object.keys(files)).toContain(`Autumn list ${many - 1}.png`);
});

test('a batch that is killed half-way goes on without doubles', async ({ page, own }) => {
  test.setTimeout(240_000);
  await own.createTemplate({ name: 'Tiny card', source: tiny });
  await openWindow(page, own);
  const rows = Array.from({ length: 60 }, (_, index) => `Row ${index}\n`).join('');
  await importTable(page, 'Killed.csv', Buffer.from(`headline\n${rows}`));
  await chooseTemplate(page, 'Tiny card');
  await renderAll(page, 60);
  await expect(page.getByTestId('feed-batch')).toContainText(/[1-9]\d* of 60 rows done/);
  await own.kill();
  await own.start();
  await page.reload();
  await expect(page.getByTestId('feed-row-1')).toHaveAttribute('data-status', /./);
  await expect(page.getByTestId('feed-batch')).toBeHidden({ timeout: 200_000 });
  const lines = (await exported(page, 'Results as CSV')).toString().trim().split('\r\n').slice(1);
  expect(lines.every((line) => line.includes(',succeeded,'))).toBe(true);
  const list = await askWindow<{ renders: { batch?: { row: string } }[] }>(own, '/api/renders');
  expect(list.renders).toHaveLength(60);
  expect(new Set(list.renders.map(({ batch }) => batch?.row)).size).toBe(60);
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
  await expect(page).toHaveTitle(/^Keys/);
  await expect(grid).toHaveAttribute('aria-rowcount', '5');
  expect(await row(4)).toEqual(['', '', '4!', '5', '']);
});

test('what another window has stored is not overwritten unasked', async ({ page, program }) => {
  await openWindow(page, program);
  await importTable(page, 'Shared.csv', Buffer.from('A\n1\n'));
  const [feed] = await askWindow<{ id: string; columns: { id: string }[] }[]>(
    program,
    '/api/feeds',
  );
  const address = `/api/feeds/${feed!.id}/rows`;
  const column = feed!.columns[0]!.id;
  const rowsNow = async () =>
    (await askWindow<{ values: Record<string, string> }[]>(program, address)).map(
      ({ values }) => values[column],
    );
  const store = (value: string) =>
    askWindow(program, address, { rows: [{ id: 'theirs', values: { [column]: value } }] });
  // What nobody is changing here is shown as it is there.
  await store('first');
  await expect(page.getByRole('gridcell', { name: 'first' })).toBeVisible();
  await page.getByRole('grid').focus();
  await page.keyboard.type('mine');
  await page.keyboard.press('Enter');
  await store('theirs');
  await expect(page.getByRole('alert')).toContainText('changed elsewhere');
  expect(await rowsNow()).toEqual(['theirs']);
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible();
  expect(await rowsNow()).toEqual(['mine']);
});

test('the import shows how a file is read, and reads it otherwise by keyboard', async ({
  page,
  own: program,
}) => {
  await openWindow(page, program);
  await page.keyboard.press('Control+4');
  await expect(page.getByText('No feeds yet')).toBeVisible();
  await page.getByRole('button', { name: 'Import…' }).focus();
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
  await lookAtBoth(page, 'feed-import');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await choosePlain(page);
});

/** Both themes of an open feed, by the rules of accessibility. */
async function choosePlain(page: Page): Promise<void> {
  await importTable(page, 'Looks.csv', Buffer.from('Title,Price\nPumpkin week,3\nSoup day,4\n'));
  await page.getByRole('grid').focus();
  await page.keyboard.press('Shift+ArrowDown');
  await lookAtBoth(page, 'feed');
  await page.getByRole('button', { name: 'Back to feeds' }).click();
  await expect(page.getByRole('heading', { name: 'Feeds' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('grid', { name: 'Looks' })).toBeVisible();
  await page.goForward();
  await expect(page.getByRole('heading', { name: 'Feeds' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('looks');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('grid', { name: 'Looks' })).toBeVisible();
  await page.getByRole('link', { name: 'Feeds' }).click();
  await expect(page.getByRole('button', { name: 'Open Looks' })).toBeVisible();
  await lookAtBoth(page, 'feeds');
}

test('rows are mapped, checked and rendered, and what failed is tried again', async ({
  page,
  own,
}) => {
  test.setTimeout(120_000);
  await own.createTemplate({ name: 'Tiny card', source: tiny });
  await openWindow(page, own);
  const table = 'Text,Colour\nOne,#ff0000\nTwo,reddish-ish\nThree,\n';
  await importTable(page, 'Checked.csv', Buffer.from(table));
  await chooseTemplate(page, 'Tiny card', false);
  await expect(page.getByText('Map a column to a field first')).toBeVisible();
  // By hand, by keyboard: no name fits.
  await page.getByRole('button', { name: 'Mapping…' }).focus();
  await page.keyboard.press('Enter');
  const mapping = page.getByRole('dialog', { name: 'What fills the template' });
  await expect(mapping.getByText('These columns fill nothing: Text, Colour')).toBeVisible();
  await expect(mapping.getByLabel('Headline is filled with')).toBeFocused();
  await page.keyboard.type('Te');
  await expect(mapping.getByText('One', { exact: true })).toBeVisible();
  for (const property of ['fill_color', 'x']) {
    await mapping.getByLabel('Another element or property').fill(`Headline.${property}`);
    await page.keyboard.press('Enter');
  }
  await mapping.getByLabel('Headline.fill_color is filled with').selectOption('Colour');
  await mapping.getByLabel('Headline.x is filled with').selectOption('The same in all rows');
  await mapping.getByLabel('Value of Headline.x in all rows').fill('4 px');
  await lookAtBoth(page, 'feed-mapping');
  await mapping.getByRole('button', { name: 'Save' }).click();
  await expect(mapping).toBeHidden();
  await expect(page.getByText('Fills Headline.fill_color')).toBeVisible();

  await page.getByRole('button', { name: 'Render…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Render “Checked”' });
  await expect(dialog.getByTestId('feed-check')).toHaveText('1 row has a problem.');
  await dialog.getByRole('list').getByRole('button').click();
  await expect(dialog.getByTestId('feed-row-picture')).toContainText('No picture: Headline');
  await expect(dialog.getByText('Row 2 of 3')).toBeVisible();
  await lookAtBoth(page, 'feed-render');
  await dialog.getByRole('button', { name: 'Show in the table' }).click();
  await expect(page.getByTestId('feed-row-2')).toContainText('Headline.fill_color: ');
  await expect(page.getByRole('grid')).toBeFocused();
  await lookAtBoth(page, 'feed-problem');

  // One that will fail only when it is tried is let in; the others wait meanwhile.
  await page.getByRole('button', { name: 'Render…' }).click();
  await dialog.getByRole('checkbox', { name: 'Leave out' }).uncheck();
  await dialog.getByRole('button', { name: 'Render 3 rows' }).click();
  const bar = page.getByTestId('feed-batch');
  await expect(bar).toContainText('2 of 3 rows done · 1 failed');
  await lookAtBoth(page, 'feed-failed');
  await bar.getByRole('button', { name: 'Retry 1 failed' }).click();
  // Its row has another render, and the batch as many rows as before.
  const renders = async () =>
    (await askWindow<{ renders: { record: { status: string } }[] }>(own, '/api/renders')).renders;
  await expect
    .poll(async () => (await renders()).filter(({ record }) => record.status === 'failed').length)
    .toBe(2);
  await expect(bar).toContainText('2 of 3 rows done · 1 failed');

  // The row is mended; only it is rendered.
  await page.getByRole('grid').focus();
  await page.keyboard.type('#00ff00');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Render…' }).click();
  await expect(
    dialog.getByRole('radio', { name: '1 row that is new or has changed' }),
  ).toBeChecked();
  await dialog.getByRole('button', { name: 'Render 1 row' }).click();
  await expect(page.getByTestId('feed-row-2')).toHaveAttribute('data-status', 'succeeded');
});

/** Sends a file to the media library. */
async function addMedia(program: Program, name: string, file: string): Promise<void> {
  const { origin, hash } = new URL(program.windowUrl);
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  const body = new Uint8Array(await readFile(path.join(fixtures, file)));
  const headers = { 'x-framewright-token': token, 'content-type': 'application/octet-stream' };
  const answer = await fetch(`${origin}/api/media?name=${name}`, { method: 'POST', headers, body });
  expect(answer.status).toBe(201);
}

/** Drops files of the computer on an element. */
async function dropFiles(page: Page, target: Locator, files: readonly string[]): Promise<void> {
  const sent = await Promise.all(
    files.map(async (file) => ({
      name: file,
      content: (await readFile(path.join(fixtures, file))).toString('base64'),
    })),
  );
  const carried = await page.evaluateHandle((list) => {
    const transfer = new DataTransfer();
    for (const { name, content } of list) {
      const bytes = Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type: 'image/jpeg' }));
    }
    return transfer;
  }, sent);
  for (const type of ['dragover', 'drop']) {
    await target.dispatchEvent(type, { dataTransfer: carried });
  }
}

test('3: a column names pictures of the library, by mouse, by keyboard, by drop; its rows are rendered', async ({
  page,
  own,
}) => {
  test.setTimeout(120_000);
  await addMedia(own, 'IMG_2041.jpg', 'photo.jpg');
  await addMedia(own, 'IMG_2042.jpg', 'exif-1.jpg');
  const photo = { type: 'image', name: 'Photo', source: '', dynamic: true };
  const source = { ...tiny, elements: [photo, ...tiny.elements] };
  await own.createTemplate({ name: 'Photo card', source });
  await openWindow(page, own);
  const table = 'headline,Bild\nOne,IMG_2041.jpg\nTwo,IMG_2099.jpg\nThree,\nFour,\n';
  await importTable(page, 'Offers.csv', Buffer.from(table));
  // The mapping opens by itself; what is chosen there counts.
  await page.getByRole('button', { name: 'Choose a template' }).click();
  await page.getByRole('menuitemradio', { name: 'Photo card' }).click();
  const mapping = page.getByRole('dialog', { name: 'What fills the template' });
  await mapping.getByLabel('Photo is filled with').selectOption('Bild');
  await mapping.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Fills Photo')).toBeVisible();
  const cell = (row: number): Locator =>
    page.getByTestId(`feed-row-${row}`).getByRole('gridcell').nth(1);
  const files = page.getByTestId('feed-files');
  await expect(files).toContainText('1 file of this table is missing.');
  await expect(page.getByTestId('feed-row-2')).toContainText('neither in the media library nor');
  await expect(cell(1).locator('.mark')).toHaveCSS('background-image', /blob:/);
  // The check names it, and calls nothing fine.
  await page.getByRole('button', { name: 'Render…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Render “Offers”' });
  await expect(dialog.getByTestId('feed-check')).toHaveText('1 row has a problem.');
  await expect(dialog.getByRole('list')).toContainText('IMG_2099.jpg');
  await lookAtBoth(page, 'feed-files-check');
  await dialog.getByRole('button', { name: 'Show in the table' }).click();
  // By keyboard: Enter opens the library, a file is chosen, the table has the focus again.
  const grid = page.getByRole('grid', { name: 'Offers' });
  await expect(grid).toBeFocused();
  await expect(files).toContainText('“IMG_2099.jpg” is neither');
  await lookAtBoth(page, 'feed-files');
  await page.keyboard.press('Enter');
  const library = page.getByRole('dialog', { name: 'Choose a file' });
  await library.getByRole('option', { name: /^IMG_2042/ }).focus();
  await page.keyboard.press('Enter');
  await expect(cell(2)).toContainText('IMG_2042.jpg');
  await expect(grid).toBeFocused();
  await expect(files).not.toContainText('missing');
  // By mouse: the button in the cell, and the column's menu.
  await cell(3).click();
  await cell(3).getByRole('button', { name: 'Choose a file…' }).click();
  await library.getByRole('option', { name: /^IMG_2041/ }).dblclick();
  await expect(cell(3)).toContainText('IMG_2041.jpg');
  await page.getByRole('button', { name: 'Column Bild' }).click();
  await page.getByRole('menuitem', { name: 'Choose a file…' }).click();
  await library.getByRole('button', { name: 'Cancel' }).click();
  // Several at once: they fill the column downwards, in the order of their names, as one step.
  await dropFiles(page, cell(3), ['portrait-top.jpg', 'exif-3.jpg']);
  await expect(cell(3)).toContainText('exif-3.jpg');
  await expect(cell(4)).toContainText('portrait-top.jpg');
  await grid.focus();
  await page.keyboard.press('Control+z');
  await expect(cell(4)).toHaveText('');
  await expect(cell(3)).toContainText('IMG_2041.jpg');
  await page.keyboard.press('Control+y');
  await page.getByRole('button', { name: 'Render…' }).click();
  await expect(dialog.getByText('All of these rows are fine.')).toBeVisible();
  await expect(dialog.getByTestId('feed-row-picture').getByRole('img')).toBeVisible();
  await dialog.getByRole('button', { name: 'Render 4 rows' }).click();
  for (const row of [1, 2, 3, 4]) {
    await expect(page.getByTestId(`feed-row-${row}`)).toHaveAttribute('data-status', 'succeeded');
  }
});

test('3: files that lie beside a table are found once their folder is chosen', async ({
  page,
  own,
}) => {
  const photo = { type: 'image', name: 'Photo', source: '', dynamic: true };
  await own.createTemplate({ name: 'Photo card', source: { ...tiny, elements: [photo] } });
  const folder = path.join(own.dataFolder, 'pictures');
  await mkdir(folder);
  await copyFile(path.join(fixtures, 'photo.jpg'), path.join(folder, 'beside.jpg'));
  await openWindow(page, own);
  await importTable(page, 'Beside.csv', Buffer.from('Photo\nbeside.jpg\n'));
  await chooseTemplate(page, 'Photo card');
  const files = page.getByTestId('feed-files');
  await expect(files).toContainText('“beside.jpg” is neither');
  await files.getByRole('button', { name: 'Their folder…' }).click();
  await expect(page.getByLabel('Folder', { exact: true })).toBeFocused();
  await page.keyboard.type(path.join(folder, 'none'));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toContainText('a folder');
  await page.getByLabel('Folder', { exact: true }).fill(folder);
  await lookAtBoth(page, 'feed-folder');
  await page.keyboard.press('Enter');
  await expect(page.getByText(`Renders may now read ${folder}.`)).toBeVisible();
  await expect(files).not.toContainText('neither');
  await page.getByRole('button', { name: 'Render…' }).click();
  await expect(page.getByText('All of these rows are fine.')).toBeVisible();
});

test('a batch is paused, goes on, and is cancelled', async ({ page, own }) => {
  test.setTimeout(120_000);
  const film = { ...tiny, output_format: 'mp4', duration: 60, width: 640, height: 360 };
  await own.createTemplate({ name: 'Long film', source: film });
  await openWindow(page, own);
  const rows = Array.from({ length: 15 }, (_, index) => `Row ${index}\n`).join('');
  await importTable(page, 'Paused.csv', Buffer.from(`headline\n${rows}`));
  await chooseTemplate(page, 'Long film');
  await renderAll(page, 15);
  const bar = page.getByTestId('feed-batch');
  await bar.getByRole('button', { name: 'Pause' }).click();
  await expect(bar).toContainText('paused');
  await expect(page.getByTestId('feed-row-15')).toContainText('Queued – paused');
  await lookAtBoth(page, 'feed-paused');
  await bar.getByRole('button', { name: 'Resume' }).click();
  await expect(bar).not.toContainText('paused');
  await bar.getByRole('button', { name: 'Cancel' }).click();
  const sure = page.getByRole('alertdialog');
  await expect(sure.or(page.getByText(/^Cancelled/)).first()).toBeVisible();
  if (await sure.isVisible()) await sure.getByRole('button').last().click();
  await expect(bar).toBeHidden();
  await expect(page.getByTestId('feed-row-15')).toContainText('Cancelled');
});

test('the last feed is deleted by keyboard: the focus stays in the page', async ({ page, own }) => {
  await openWindow(page, own);
  await importTable(page, 'Only.csv', Buffer.from('Name\nOne\n'));
  await page.getByRole('link', { name: 'Feeds' }).click();
  await page.getByRole('button', { name: 'Delete Only' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Feeds', exact: true })).toBeFocused();
  await expect(page.getByRole('button', { name: 'Import…' })).toHaveCount(1);
});

test('a feed follows a file: its rows are shown and rendered when it changes', async ({
  page,
  own,
}) => {
  test.setTimeout(120_000);
  await own.createTemplate({ name: 'Tiny card', source: tiny });
  await openWindow(page, own);
  await importTable(page, 'Followed.csv', Buffer.from('headline\nOne\n'));
  await chooseTemplate(page, 'Tiny card');
  const file = path.join(own.dataFolder, 'followed.csv');
  await page.getByRole('button', { name: 'Rows and columns' }).click();
  await page.getByRole('menuitem', { name: 'Follow a file…' }).click();
  await expect(page.getByLabel('File or folder')).toBeFocused();
  await page.keyboard.type(file);
  await lookAtBoth(page, 'feed-follow');
  await page.keyboard.press('Enter');
  await expect(page.getByText('There is no such file or folder')).toBeVisible();
  await lookAtBoth(page, 'feed-follow-problem');
  await writeFile(file, 'headline\nOne\nTwo\n');
  for (const row of [1, 2]) {
    await expect(page.getByTestId(`feed-row-${row}`)).toHaveAttribute('data-status', 'succeeded');
  }
  await writeFile(file, 'headline\nOne\nThree\n');
  await expect(page.getByRole('gridcell', { name: 'Three' })).toBeVisible();
  await expect
    .poll(async () => (await askWindow<{ renders: [] }>(own, '/api/renders')).renders.length)
    .toBe(3);
});

/** By the rules of accessibility, in both themes; in the short form in the one that others look at less. */
async function lookAtBoth(page: Page, name: string): Promise<void> {
  for (const colorScheme of isLong ? (['light', 'dark'] as const) : (['dark'] as const)) {
    await page.emulateMedia({ colorScheme });
    await checkRules(page, `${name}, ${colorScheme}`);
  }
}
