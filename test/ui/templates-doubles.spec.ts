/**
 * What stands twice, what is refused and what can't be drawn: no page goes blank, and nothing is lost or stored twice.
 */
import type { Locator, Page } from '@playwright/test';
import { changeSettings } from './desktop-stand-in.ts';
import { expect, openWindow, test } from './program.ts';
import { brokenCard, card } from './sources.ts';

async function openTemplates(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Templates' }).click();
  await expect(page.getByTestId('page-templates')).toHaveAttribute('data-state', 'ready');
}

/** The button with the name of the project. */
const projectMenu = (page: Page): Locator => page.getByRole('banner').getByRole('button').first();

/** Makes a project as a person does. */
async function makeProject(page: Page, name: string): Promise<void> {
  await projectMenu(page).click();
  await page.getByRole('menuitem', { name: 'New project…' }).last().click();
  await page.getByRole('textbox', { name: 'Project name' }).fill(name);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
}

const file = (name: string, content: object | string): object => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
});

async function chooseFiles(page: Page, files: readonly object[]): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files…' }).click();
  // Playwright's own form, made by `file` above.
  await (await choosing).setFiles(files as Parameters<Page['setInputFiles']>[1]);
}

test('pages with values that stand twice are shown', async ({ page, program }) => {
  const source = card('Twice', 200, 100);
  const { id } = await program.createTemplate({ name: 'Twice', tags: ['a', 'a', 'b'], source });
  await openWindow(page, program);
  await openTemplates(page);
  const article = page.getByTestId(`template-card-${id}`);
  await expect(article.getByText('#a', { exact: true })).toHaveCount(1);

  await changeSettings(page, { mediaFolders: [program.dataFolder, program.dataFolder] });
  await page.getByRole('link', { name: 'Settings' }).click();
  const folders = page.getByRole('list', { name: 'Media folders' });
  await expect(folders.getByRole('listitem')).toHaveCount(1);
  await changeSettings(page, { mediaFolders: [] });

  await makeProject(page, 'Channel');
  await makeProject(page, 'Channel');
  await makeProject(page, 'New project…');
  await projectMenu(page).click();
  await expect(page.getByRole('menuitemradio', { name: 'Channel' })).toHaveCount(2);
  // Which one is chosen is told, not only drawn.
  await expect(page.getByRole('menuitemradio', { name: 'New project…' })).toBeChecked();
  await page.getByRole('menuitemradio').first().click();

  const twice = { ...brokenCard, elements: [...brokenCard.elements, ...brokenCard.elements] };
  await page.keyboard.press('Control+o');
  await chooseFiles(page, [file('equal.json', twice)]);
  const dialog = page.getByRole('dialog', { name: 'Import templates' });
  await expect(dialog).toContainText('2 errors');
  await expect(dialog.getByText(/Headline/)).toHaveCount(2);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
});

test('a page that can not be drawn says so, and is drawn when asked again', async ({
  page,
  program,
}) => {
  await program.createTemplate({ name: 'Bad answer', source: card('Bad') });
  await page.route('**/api/templates', async (route) => {
    const response = await route.fetch();
    const list = (await response.json()) as { templates: object[] };
    // Not the stored template itself: an event would mend it.
    const [first] = list.templates;
    // Behind those of a long list that are parsed.
    const others = Array.from({ length: 100 }, (_, index) => ({ ...first, id: `copy-${index}` }));
    const templates = [...others, { ...first, id: 'broken', tags: null }];
    await route.fulfill({ response, json: { ...list, templates } });
  });
  await openWindow(page, program);
  await page.getByRole('link', { name: 'Templates' }).click();
  const failed = page.getByTestId('page-failed');
  await expect(failed).toContainText('This page could not be shown.');
  // Other pages go on.
  await page.getByRole('link', { name: 'API' }).click();
  await expect(page.getByTestId('page-api')).toBeVisible();
  await page.getByRole('link', { name: 'Templates' }).click();
  await expect(failed).toBeVisible();
  await page.unroute('**/api/templates');
  await failed.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('article', { name: 'Bad answer' })).toBeVisible();
});

test('pictures on their way leave room for everything else', async ({ page, program }) => {
  for (const name of ['P1', 'P2', 'P3', 'P4']) {
    await program.createTemplate({ name, source: card(name, 300, 200) });
  }
  const held: string[] = [];
  // Never answered, as if each took for ever to be drawn.
  await page.route('**/api/templates/*/picture', (route) => void held.push(route.request().url()));
  await openWindow(page, program);
  await openTemplates(page);
  await expect.poll(() => held.length).toBe(2);
  await page.getByRole('article', { name: 'P4' }).focus();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('dialog', { name: 'Render “P4”' })).toBeVisible();
  expect(held).toHaveLength(2);
  await page.keyboard.press('Escape');
  // Those that are out of sight give their turn to others.
  await page.getByRole('link', { name: 'API' }).click();
  await page.getByRole('link', { name: 'Templates' }).click();
  await expect.poll(() => held.length).toBe(4);
});

test('an import that was refused in part stays with what was refused', async ({
  page,
  program,
}) => {
  await openWindow(page, program);
  await openTemplates(page);
  let isRefused = true;
  await page.route('**/api/templates', async (route) => {
    const sent = route.request().postData() ?? '';
    if (!isRefused || !sent.includes('nnn')) await route.fallback();
    else await route.fulfill({ status: 503, json: { hint: 'The disk is full.' } });
  });
  await page.keyboard.press('Control+o');
  await chooseFiles(page, [
    file('first.json', card('First')),
    file('second.renderscript', {
      renderscript: 1,
      name: 'n'.repeat(300),
      tags: ['ok', '', 'ok'],
      source: card('Second'),
    }),
    file('notes.txt', 'Buy milk'),
    file('large.json', ' '.repeat(11_100_000)),
  ]);
  const dialog = page.getByRole('dialog', { name: 'Import templates' });
  await expect(dialog).toContainText('Its name has 300 letters. The first 256 are kept.');
  await expect(dialog).toContainText('“notes.txt” is not a template. Drop .framewright, .json or');
  await expect(dialog).toContainText('“large.json” is too large');
  const yes = dialog.getByRole('button', { name: 'Import', exact: true });
  await yes.click();
  await expect(dialog).toContainText('The disk is full.');
  await expect(dialog.getByRole('region', { name: 'first.json' })).toBeHidden();
  isRefused = false;
  await yes.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('article', { name: 'First' })).toHaveCount(1);
  await expect(page.getByRole('article', { name: /^n{256}$/ })).toHaveCount(1);
});

test('the clipboard is pasted by hand where it can not be read', async ({ page, program }) => {
  await page.addInitScript(() => {
    const refused = new DOMException('Read permission denied.', 'NotAllowedError');
    Object.assign(navigator.clipboard, { readText: () => Promise.reject(refused) });
  });
  await openWindow(page, program);
  await openTemplates(page);
  await page.getByRole('button', { name: 'New template' }).click();
  await page.getByRole('menuitem', { name: 'From the clipboard' }).click();
  await expect(page.getByTestId('toasts')).toContainText('Paste the template into the box.');
  const box = page.getByRole('textbox', { name: 'Or paste the JSON of a template' });
  await expect(box).toBeFocused();
  await box.fill('Buy milk');
  await expect(page.getByText('This is not the JSON of a template yet.')).toBeVisible();
  await box.fill(JSON.stringify({ name: 'Pasted one', tags: ['by hand'], source: card('Pasted') }));
  await expect(page.getByRole('button', { name: 'Import', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('article', { name: 'Pasted one' })).toContainText('by hand');
});
