/**
 * The Templates page: listed live, drawn by the engine, made, imported, exported, renamed, deleted and brought back.
 */
import { readFile } from 'node:fs/promises';
import { expect, openWindow, test } from './program.ts';
import { card, titleFilm } from './sources.ts';

test('a template appears with its picture and renders through the dialog', async ({
  page,
  program,
}) => {
  await openWindow(page, program);
  await page.getByRole('link', { name: 'Templates' }).click();
  await expect(page.getByTestId('page-templates')).toBeVisible();

  const { id } = await program.createTemplate({
    name: 'Wide card',
    tags: ['quote', 'card'],
    source: card('Less, but better', 800, 420),
  });
  const article = page.getByTestId(`template-card-${id}`);
  await expect(article).toContainText('png · 800×420');
  await expect(article).toContainText('quote');
  // Drawn by the engine in the template's shape.
  const picture = article.locator('img');
  await expect(picture).toBeVisible({ timeout: 50_000 });
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBe(480);

  await article.getByRole('button', { name: 'Render Wide card' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add to queue' }).click();
  await page.getByRole('link', { name: 'Queue' }).click();
  const row = page.locator('[data-row]').filter({ hasText: 'Wide card' });
  await expect(row).toHaveAttribute('data-status', 'succeeded');
  await expect(row).toContainText('Template');
});

test('17: one click on a card opens its template, as its button and Enter do', async ({
  page,
  program,
}) => {
  const { id } = await program.createTemplate({ name: 'Opened', source: card('O', 64, 64) });
  await openWindow(page, program);
  const article = page.getByTestId(`template-card-${id}`);
  const openedBy = async (open: () => Promise<void>): Promise<void> => {
    await page.getByRole('link', { name: 'Templates' }).click();
    await expect(article).toHaveCSS('cursor', 'pointer');
    await open();
    await expect(page.getByTestId('page-editor')).toHaveAttribute('data-state', 'ready');
    await expect(page).toHaveTitle('Opened – Framewright');
  };
  await openedBy(() => article.locator('.card-field').click());
  await openedBy(() => article.getByRole('button', { name: 'Edit Opened' }).click());
  await openedBy(async () => {
    await article.focus();
    await page.keyboard.press('Enter');
  });
});

test('search and tags find templates; cards and rows', async ({ page, program }) => {
  await program.createTemplate({
    name: 'Upright',
    tags: ['upright'],
    source: card('Story', 540, 960),
  });
  await openWindow(page, program);
  await page.getByRole('link', { name: 'Templates' }).click();
  const search = page.getByRole('textbox', { name: 'Search on this page' });
  await search.fill('upright');
  await expect(page.getByRole('article')).toHaveCount(1);
  await search.fill('no such thing');
  await expect(page.getByText('No templates match.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await page.getByRole('button', { name: 'Tags: all' }).click();
  await page.getByRole('menuitemcheckbox', { name: '#upright' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('article', { name: 'Upright' })).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(1);
  await page.getByRole('button', { name: 'Show as a list' }).click();
  await expect(page.getByRole('article')).toContainText('540×960');
});

test('Trash and back: name, tags and source are equal in values', async ({ page, program }) => {
  const source = { ...card('Kept', 300, 200), nothing: null, deep: { list: [1, 'zwei', [true]] } };
  const { id } = await program.createTemplate({ name: 'Kept card', tags: ['a', 'b'], source });
  const read = async (): Promise<unknown> => {
    const response = await fetch(`${program.apiUrl}/v2/templates/${id}`, {
      headers: { Authorization: `Bearer ${program.apiKey}` },
    });
    return response.status === 200 ? response.json() : response.status;
  };
  const before = await read();
  await openWindow(page, program);
  await page.getByRole('link', { name: 'Templates' }).click();
  const article = page.getByTestId(`template-card-${id}`);
  await article.focus();
  await page.keyboard.press('Delete');
  await expect(article).toBeHidden();
  expect(await read()).toBe(404);
  await page.keyboard.press('Control+z');
  await expect(article).toBeVisible();

  await article.focus();
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: 'Trash (1)' }).click();
  await expect(page.getByTestId(`trash-card-${id}`)).toContainText('30 days left');
  await page.getByRole('button', { name: 'Restore Kept card' }).click();
  await expect(page.getByRole('heading', { name: 'Trash is empty.' })).toBeVisible();
  expect(await read()).toMatchObject({ name: 'Kept card', tags: ['a', 'b'], source });
  expect(before).toMatchObject({ source });

  await page.getByRole('button', { name: 'Back to templates' }).click();
  await article.focus();
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: 'Trash (1)' }).click();
  await page.getByRole('button', { name: 'Empty Trash…' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete “Kept card” for good?' });
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('heading', { name: 'Trash is empty.' })).toBeVisible();
});

test('a full Trash puts the cards into the page as they come near', async ({ page, program }) => {
  const source = card('Old', 30, 20);
  for (let made = 0; made < 130; made++) {
    const { id } = await program.createTemplate({ name: `Old ${made}`, source });
    await fetch(`${program.apiUrl}/v2/templates/${id}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${program.apiKey}` },
    });
  }
  await openWindow(page, program);
  await page.getByRole('link', { name: 'Templates' }).click();
  await page.getByRole('button', { name: 'Trash (130)' }).click();
  const cards = page.getByRole('list', { name: 'Trash' }).getByRole('article');
  await expect(cards.first()).toBeVisible();
  expect(await cards.count()).toBeLessThan(90);
  const oldest = page.getByRole('article', { name: 'Old 0', exact: true });
  await expect(async () => {
    await cards.last().scrollIntoViewIfNeeded();
    await expect(oldest).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 20_000 });
  await expect(cards).toHaveCount(130);
});

test('export and import; rename, tags, duplicate by key', async ({ page, program }) => {
  const source = titleFilm('Travelling', 2);
  const { id } = await program.createTemplate({ name: 'Traveller', tags: ['road'], source });
  await openWindow(page, program);
  await page.getByRole('link', { name: 'Templates' }).click();
  const article = page.getByTestId(`template-card-${id}`);
  await article.focus();
  await page.keyboard.press('F2');
  const name = page.getByRole('textbox', { name: 'Template name' });
  await name.fill('');
  await name.press('Enter');
  await expect(page.getByText('Type a name first.')).toBeVisible();
  await name.fill('Voyager');
  await name.press('Enter');
  await expect(article).toContainText('Voyager');

  await article.focus();
  await page.keyboard.press('Control+d');
  await expect(page.getByRole('article', { name: 'Voyager copy' })).toBeVisible();

  const downloading = page.waitForEvent('download');
  await article.focus();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: /^Export/ }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('Voyager.renderscript');
  const file = await readFile(await download.path(), 'utf8');
  expect(JSON.parse(file)).toEqual({
    renderscript: 1,
    id,
    name: 'Voyager',
    tags: ['road'],
    source,
  });

  const choosing = page.waitForEvent('filechooser');
  await page.keyboard.press('Control+o');
  await page.getByRole('button', { name: 'Choose files…' }).click();
  const chooser = await choosing;
  const other = {
    ...card('Read'),
    elements: [{ type: 'image', source: 'https://a.example/b.png' }],
  };
  await chooser.setFiles([
    { name: 'one.renderscript', mimeType: 'application/json', buffer: Buffer.from(file) },
    {
      name: 'two-words.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(other)),
    },
    { name: 'three.json', mimeType: 'application/json', buffer: Buffer.from('{"a": 1}') },
  ]);
  const dialog = page.getByRole('dialog', { name: 'Import templates' });
  await expect(dialog).toContainText('It reads 1 web address');
  // What it would read is listed, without being asked for.
  await expect(dialog.getByRole('listitem').filter({ hasText: 'https://' })).toBeVisible();
  await expect(dialog).toContainText('“three.json” is not a template.');
  await dialog.getByRole('checkbox', { name: 'Import one.renderscript' }).click();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByTestId('toasts')).toContainText('Imported 1 template.');
  await expect(page.getByRole('article', { name: 'Two words' })).toBeVisible();
});

test('a new template from a sample opens in the editor', async ({ page, program }) => {
  await openWindow(page, program);
  await page.getByRole('link', { name: 'Templates' }).click();
  await page.getByRole('button', { name: 'New template' }).click();
  await page.getByRole('menuitem', { name: /^By size or from a sample/ }).click();
  const dialog = page.getByRole('dialog', { name: 'New template' });
  await dialog.getByRole('tab', { name: 'From a sample' }).click();
  await dialog.getByRole('button', { name: 'Titles and names' }).click();
  await expect(dialog.getByRole('button', { name: 'Promo square' })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Lower third' }).click();
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-state', 'ready');
  // With the tags of the sample, which is in the list already.
  await page.getByRole('button', { name: 'Templates' }).click();
  const made = page.getByRole('article', { name: 'Lower third' });
  await expect(made).toHaveCount(2);
  for (const one of await made.all()) await expect(one).toContainText('title');
});
