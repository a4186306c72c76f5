/**
 * Every page and dialog in each theme, and as narrow as on a phone and as low as at 200 % zoom, against every rule of
 * accessibility. Pictures are looked at in the screens specs; here nothing is loaded anew between the states, so that
 * it stays short.
 */
import type { Page } from '@playwright/test';
import { changeSettings } from './desktop-stand-in.ts';
import { promo } from './editor-sources.ts';
import { unfold } from './editor-page.ts';
import { checkRules } from './look.ts';
import { expect, openWindow, test } from './program.ts';
import { brokenCard, card, titleFilm } from './sources.ts';

const dialog = '[role=dialog]';

/** 400 % and 200 % zoom of 1440 × 900 and 1280 × 800, about. */
const narrow = [
  { width: 360, height: 740 },
  { width: 640, height: 400 },
];

/** The state as it is, in both themes, and in narrow windows; the size is the one before afterwards. */
async function check(
  page: Page,
  name: string,
  part?: string,
  except?: readonly string[],
): Promise<void> {
  const size = page.viewportSize();
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await checkRules(page, `${name}, ${colorScheme}`, part, except);
  }
  for (const small of narrow) {
    await page.setViewportSize(small);
    // Two frames: queries of containers and media have been answered.
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    const isThere = part === undefined || (await page.locator(part).count()) > 0;
    await checkRules(page, `${name}, ${small.width} px`, isThere ? part : 'html', except);
  }
  if (size) await page.setViewportSize(size);
}

/** Opens a dialog, checks it, and closes it again. */
async function checkDialog(page: Page, name: string, open: () => Promise<unknown>): Promise<void> {
  await open();
  await expect(page.locator(dialog)).toBeVisible();
  await check(page, name, dialog);
  await page.keyboard.press('Escape');
  await expect(page.locator(dialog)).toHaveCount(0);
}

test('the queue, its details and dialogs', async ({ page, program }) => {
  test.setTimeout(420_000);
  await openWindow(page, program);
  await check(page, 'queue, empty');
  await page.keyboard.press('Control+1');
  await expect(page.getByTestId('page-home')).toHaveAttribute('data-state', 'ready');
  await check(page, 'home');
  await page.keyboard.press('Control+2');
  await changeSettings(page, { freeSpaceLimit: 1e17 });
  const { id: waiting } = await program.createRender(card('Waits', 64, 64));
  await expect(page.getByTestId('banner-space')).toBeVisible();
  await check(page, 'banner, severe', '.page');
  await changeSettings(page, { freeSpaceLimit: 0 });
  await page.getByTestId('banner-space').waitFor({ state: 'hidden' });
  await program.finished(waiting);
  const made = { done: card('Done', 200, 200), failed: brokenCard, film: titleFilm('Film', 1) };
  const ids: Record<string, string> = {};
  for (const [name, source] of Object.entries(made)) {
    ids[name] = (await program.createRender(source)).id;
    await program.finished(ids[name]);
  }
  const rowOf = (name: string) => page.getByTestId(`render-row-${ids[name] ?? ''}`);
  for (const name of ['cancelled', 'running', 'queued']) {
    const long = { ...titleFilm(name, 1200), width: 1280, height: 720 };
    ids[name] = (await program.createRender(long)).id;
    if (name !== 'cancelled') continue;
    await rowOf(name).focus();
    await page.keyboard.press('Delete');
    await expect(rowOf(name)).toHaveAttribute('data-display', 'Cancelled');
  }
  await expect(rowOf('running')).toHaveAttribute('data-status', 'rendering');
  await expect(rowOf('queued')).toContainText('Queued');
  await check(page, 'queue, a row of every status');

  const details = page.getByRole('region', { name: 'Render details' });
  const panel = '[aria-label="Render details"]';
  for (const name of ['film', 'running', 'cancelled', 'failed']) {
    await rowOf(name).click();
    await expect(details).toBeVisible();
    await check(page, `details, ${name}`, panel);
  }
  for (const tab of ['Log', 'Request', 'Webhook']) {
    await details.getByRole('tab', { name: tab }).click();
    await check(page, `details, ${tab}`, panel);
  }
  await details.getByRole('button', { name: 'Close details' }).click();

  await rowOf('done').focus();
  await page.keyboard.press('Space');
  await check(page, 'queue, selected', 'main');
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menu')).toBeVisible();
  await check(page, 'menu of a row', '[role=menu]');
  await page.keyboard.press('Escape');
  await checkDialog(page, 'remove finished', async () => {
    await page.getByRole('button', { name: 'More actions for the queue' }).click();
    await page.getByRole('menuitem', { name: 'Remove finished…' }).click();
  });
  await checkDialog(page, 'shortcuts', () => page.keyboard.press('F1'));
  await checkDialog(page, 'palette with hits', async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('temp');
  });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('nothing is called so');
  await expect(page.locator(dialog)).toContainText('Nothing found.');
  await check(page, 'palette, nothing found', dialog);
  await page.keyboard.press('Escape');

  const search = page.getByRole('searchbox').or(page.getByRole('textbox', { name: /^Search/ }));
  await search.first().fill('nothing is called so');
  await expect(page.locator('[data-row]')).toHaveCount(0);
  await check(page, 'queue, nothing found', 'main');
  await search.first().fill('');

  await page.getByRole('button', { name: 'Pause queue' }).click();
  await expect(page.getByTestId('banner-paused')).toBeVisible();
  await check(page, 'banner, calm', '.page');
});

test('templates, Trash and projects', async ({ page, program }) => {
  test.setTimeout(360_000);
  const { id } = await program.createTemplate({
    name: 'Card',
    tags: ['promo', 'quote'],
    source: card('Card', 300, 200),
  });
  await openWindow(page, program);
  await page.getByRole('link', { name: 'Templates' }).click();
  const own = page.getByTestId(`template-card-${id}`);
  await expect(own.locator('img')).toBeVisible();
  await check(page, 'templates, cards');
  await page.getByRole('button', { name: 'Show as a list' }).click();
  await expect(page.getByRole('button', { name: 'Show as cards' })).toBeVisible();
  await check(page, 'templates, list', 'main');
  await page.getByRole('button', { name: 'New template' }).click();
  await check(page, 'menu of new templates', '[role=menu]');
  await page.getByRole('menuitem', { name: /^By size/ }).click();
  await check(page, 'new template', '[role=dialog]');
  await page.getByRole('tab', { name: 'From a sample' }).click();
  await check(page, 'new template from a sample', '[role=dialog]');
  await page.keyboard.press('Escape');
  const search = page.getByRole('textbox', { name: /^Search/ }).or(page.getByRole('searchbox'));
  await search.first().fill('nothing is called so');
  await expect(page.getByRole('article')).toHaveCount(0);
  await check(page, 'templates, nothing found', 'main');
  await search.first().fill('');

  const chooser = page.waitForEvent('filechooser');
  await page.keyboard.press('Control+o');
  await page.getByRole('button', { name: 'Choose files…' }).click();
  const asFile = (name: string, text: string) => ({
    name,
    mimeType: 'application/json',
    buffer: Buffer.from(text),
  });
  await (
    await chooser
  ).setFiles([
    asFile('good.renderscript', JSON.stringify({ name: 'Good', source: titleFilm('Hi', 3) })),
    asFile('broken.json', JSON.stringify(brokenCard)),
    asFile('notes.json', 'Buy milk'),
  ]);
  await expect(page.getByText('is not valid JSON')).toBeVisible();
  await checkDialog(page, 'import', () => Promise.resolve());
  await checkDialog(page, 'rename', async () => {
    await own.focus();
    await page.keyboard.press('F2');
  });
  await checkDialog(page, 'render a card', async () => {
    await own.focus();
    await page.keyboard.press('Control+Enter');
    await expect(page.getByTestId('render-check')).toHaveAttribute('data-state', 'ok');
  });
  await checkDialog(page, 'share', async () => {
    await own.focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Share with its files…' }).click();
    await expect(page.getByRole('button', { name: 'Save file' })).toBeVisible();
  });
  await checkDialog(page, 'brand', async () => {
    await page.getByRole('button', { name: 'My project' }).click();
    await page.getByRole('menuitem', { name: 'Brand…' }).click();
  });
  await checkDialog(page, 'new project', async () => {
    await page.getByRole('button', { name: 'My project' }).click();
    await page.getByRole('menuitem', { name: 'New project…' }).click();
  });
  await checkDialog(page, 'projects', async () => {
    await page.getByRole('button', { name: 'My project' }).click();
    await page.getByRole('menuitem', { name: 'Manage projects…' }).click();
  });

  await own.focus();
  await page.keyboard.press('Delete');
  await expect(page.getByTestId('toasts')).toContainText('Trash');
  await check(page, 'toast', '[data-testid=toasts]');
  await page.getByRole('button', { name: 'Trash (1)' }).click();
  await expect(page.getByTestId(`trash-card-${id}`)).toBeVisible();
  await check(page, 'trash', 'main');
  await page.getByRole('button', { name: /for good/ }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await check(page, 'question', '[role=alertdialog]');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByTestId('page-trash')).toHaveAttribute('data-state', 'empty');
  await check(page, 'trash, empty', 'main');
});

test('feeds and their dialogs', async ({ page, own }) => {
  test.setTimeout(360_000);
  await own.createTemplate({ name: 'Card', source: card('Card', 300, 200) });
  await openWindow(page, own);
  await page.getByRole('link', { name: 'Feeds' }).click();
  await check(page, 'feeds, empty');
  const bring = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Import…' }).first().click();
    await page.locator(`${dialog} input[type=file]`).setInputFiles({
      name: 'Autumn.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`Word,Word.fill_color,Price\nOne,#ff0000,1\nTwo,nonsense,2\n`),
    });
    await expect(page.locator(dialog).getByRole('columnheader')).toHaveCount(3);
  };
  await checkDialog(page, 'import of a table', bring);
  await bring();
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await check(page, 'feed without a template');
  await page.getByRole('button', { name: 'Choose a template' }).click();
  await page.getByRole('menuitemradio', { name: 'Card', exact: true }).click();
  // Choosing one leads to what fills it.
  await check(page, 'mapping', dialog);
  await page.keyboard.press('Escape');
  await checkDialog(page, 'render of rows', async () => {
    await page.getByRole('button', { name: 'Render…' }).click();
    await expect(page.getByTestId('feed-check')).toContainText('1 row has a problem.');
  });
  await check(page, 'feed with a problem');
  await page.getByRole('button', { name: 'Rows and columns' }).click();
  await check(page, 'menu of a feed', '[role=menu]');
  await page.getByRole('menuitem', { name: 'Follow a file…' }).click();
  await page.getByLabel('File or folder').fill('/nothing/is/here.csv');
  await check(page, 'following a file', dialog);
  await page.getByRole('button', { name: 'Follow', exact: true }).click();
  await expect(page.getByText('There is no such file or folder')).toBeVisible();
  await page.getByRole('button', { name: 'Render…' }).click();
  await page.getByRole('checkbox', { name: 'Leave out' }).uncheck();
  await page.getByRole('button', { name: 'Render 2 rows' }).click();
  await expect(page.getByTestId('feed-batch')).toContainText('1 failed');
  await check(page, 'feed with a batch');
  await page.getByRole('button', { name: 'Back to feeds' }).click();
  await check(page, 'feeds');
});

test('the API page and the settings', async ({ page, program }) => {
  test.setTimeout(360_000);
  await openWindow(page, program);
  await page.getByRole('link', { name: 'API' }).click();
  for (const key of [program.apiKey, 'a-wrong-key']) {
    const headers = { Authorization: `Bearer ${key}` };
    await fetch(`${program.apiUrl}/v2/templates?tags=promo`, { headers });
  }
  const refused = page.getByRole('grid', { name: 'Requests' }).locator('[data-status-code="401"]');
  await expect(refused.first()).toBeVisible();
  await check(page, 'API');
  await checkDialog(page, 'request', () => refused.first().click());
  await checkDialog(page, 'new key', () => page.getByRole('button', { name: 'New key' }).click());
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByTestId('page-settings')).toHaveAttribute('data-state', 'ready');
  await page.getByLabel('Add a folder').fill('/no/such/folder');
  await page.getByLabel('Add a folder').press('Enter');
  await expect(page.getByText('Expected a folder, found none at')).toBeVisible();
  await expect(page.getByTestId('space')).toHaveAttribute('data-state', 'ready');
  await page.getByRole('button', { name: 'Back up now' }).click();
  await expect(page.getByText('The backup was made.').first()).toBeVisible();
  await check(page, 'settings, all sections', 'main');
  await checkDialog(page, 'restore', () =>
    page
      .getByRole('button', { name: /^Restore the backup/ })
      .first()
      .click(),
  );
  await page.getByRole('button', { name: 'Reset settings…' }).click();
  await check(page, 'question before a reset', '[role=alertdialog]');
  await page.keyboard.press('Escape');
  await page.locator('[data-command="show-trash"]').getByRole('button').first().click();
  await page.keyboard.press('Control+5');
  await expect(page.locator('[data-command="show-trash"]')).toContainText('belongs to');
  await check(page, 'settings, keys taken', '#settings-keyboard');
});

test('the editor, its panes and dialogs', async ({ page, program }) => {
  test.setTimeout(360_000);
  await page.setViewportSize({ width: 1440, height: 900 });
  const photo = { type: 'image', name: 'Photo', dynamic: true, source: null, fill_colour: 'red' };
  const { id } = await program.createTemplate({
    name: 'Promo',
    tags: ['promo'],
    source: { ...promo, elements: [...promo.elements, photo] },
  });
  await openWindow(page, program);
  await page.getByRole('link', { name: 'Templates' }).click();
  await page.getByTestId(`template-card-${id}`).click();
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-state', 'ready');
  await check(page, 'editor, fields and source');
  await checkDialog(page, 'media', () =>
    page.getByRole('button', { name: 'Choose a file for Photo' }).click(),
  );
  await page.getByRole('tab', { name: 'Outline' }).click();
  await page.getByRole('treeitem', { name: /^Badge/ }).click();
  await check(page, 'editor, outline', '.left-pane');
  await page.getByRole('tab', { name: 'Problems' }).click();
  await check(page, 'editor, problems', '.panes');
  await page.keyboard.press('Alt+3');
  await page.keyboard.press('Control+f');
  await page.keyboard.type('Title');
  await check(page, 'editor, search in the source', '.right-pane');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('End');
  await page.keyboard.press('Control+Space');
  await expect(page.locator('#editor-source').getByRole('listbox')).toBeVisible();
  // The list scrolls with the arrow keys, while the focus stays in the text.
  await check(page, 'editor, completion', '.right-pane', ['scrollable-region-focusable']);
  await page.keyboard.press('Escape');
  await checkDialog(page, 'render with changes', async () => {
    await page.getByRole('button', { name: 'Render…' }).click();
    await expect(page.getByTestId('render-check')).toHaveAttribute('data-state', 'ok');
    await unfold(page.locator(dialog), 'For developers');
  });
});
