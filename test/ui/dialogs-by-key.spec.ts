/**
 * Every dialog by keyboard: opened by keys, the focus goes in and stays in, Enter does what it should, Esc closes, and
 * the focus returns to where it was. Each also keeps the rules of accessibility in both themes. The first test fails
 * when a dialog of the window is missing here.
 */
import type { Locator, Page } from '@playwright/test';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isLong, someInQuick, someOf } from '../helpers/long.ts';
import { openTemplate } from './editor-page.ts';
import { checkRules, isDrawn } from './look.ts';
import { expect, openWindow, test, type Program } from './program.ts';
import { card } from './sources.ts';

/** One dialog. */
interface Row {
  /** Its member of `OpenDialog`, or the component that opens it by itself. */
  readonly is: string;
  /** Which one, where a component has several. */
  readonly part?: string;
  readonly name: string | RegExp;
  /** Goes where it can be opened. @returns what has the focus before, and gets it back */
  readonly from: (page: Page, program: Program) => Promise<Locator>;
  /** Opens it, by keys alone. */
  readonly open: (page: Page) => Promise<void>;
  /** What Enter does, in the dialog that was opened again; the dialog closes by it. Left out: only Esc closes it. */
  readonly enter?: (page: Page, dialog: Locator) => Promise<void>;
  /** What has the focus after Enter. Default: what had it before. */
  readonly after?: (page: Page) => Promise<void>;
}

const link = (page: Page, name: string): Locator => page.getByRole('link', { name, exact: true });

/** Shows a page and focuses its link. */
const at =
  (name: string) =>
  async (page: Page): Promise<Locator> => {
    await link(page, name).focus();
    await page.keyboard.press('Enter');
    return link(page, name);
  };

/** Runs a command of the palette. */
const command =
  (words: string) =>
  async (page: Page): Promise<void> => {
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Search or run a command' });
    await palette.getByRole('combobox').fill(words);
    await expect(palette.getByRole('option').first()).toContainText(words);
    await page.keyboard.press('Enter');
  };

const press =
  (...keys: readonly string[]) =>
  async (page: Page): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };

/** Opens the menu of what has the focus and runs an item of it. */
const item =
  (name: string, key = 'Enter') =>
  async (page: Page): Promise<void> => {
    await page.keyboard.press(key);
    const wanted = page.getByRole('menuitem', { name, exact: true });
    await expect(wanted).toBeVisible();
    await goTo(page, wanted, 'ArrowDown');
    await page.keyboard.press('Enter');
  };

/** Moves on by a key until something has the focus. */
async function goTo(page: Page, wanted: Locator, key = 'Tab'): Promise<void> {
  const isThere = (): Promise<boolean> =>
    wanted.evaluate((element) => element === document.activeElement);
  await expect(wanted).toBeVisible();
  for (let presses = 0; presses < 80 && !(await isThere()); presses += 1) {
    await page.keyboard.press(key);
  }
  await expect(wanted).toBeFocused();
}

/** Presses a button of the dialog by keys. */
const button =
  (name: string | RegExp) =>
  async (page: Page, dialog: Locator): Promise<void> => {
    // The last of the name: the cross at the top has that of the button at the bottom.
    const wanted = dialog.getByRole('button', { name, exact: typeof name === 'string' }).last();
    await expect(wanted).toBeEnabled();
    await goTo(page, wanted);
    await page.keyboard.press('Enter');
  };

/** Types into the field that has the focus, and presses Enter. */
const typed =
  (text: string) =>
  async (page: Page): Promise<void> => {
    await expect
      .poll(() => page.evaluate(() => document.activeElement instanceof HTMLInputElement))
      .toBe(true);
    await page.keyboard.press('Control+a');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };

const cardOf = (page: Page, name: string): Locator =>
  page.getByRole('article', { name, exact: true });

/** Shows a new template's card and focuses it. */
const atCard =
  (name: string) =>
  async (page: Page, program: Program): Promise<Locator> => {
    await program.createTemplate({ name, source: card(name) });
    await link(page, 'Templates').click();
    await cardOf(page, name).focus();
    return cardOf(page, name);
  };

const opensEditor = async (page: Page): Promise<void> => {
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-state', 'ready');
};

/** Opens a new template in the editor. */
const inEditor =
  (name: string, source: object = card(name)) =>
  async (page: Page, program: Program): Promise<void> => {
    const { id } = await program.createTemplate({ name, source });
    await openTemplate(page, program, id);
  };

/** Opens a feed with one row. */
async function inFeed(page: Page): Promise<void> {
  await link(page, 'Feeds').click();
  await page.getByRole('button', { name: 'Import…' }).click();
  const dialog = page.getByRole('dialog');
  const buffer = Buffer.from('Word,Other\nOne,Two\n');
  const file = { name: 'Keys.csv', mimeType: 'text/csv', buffer };
  await dialog.locator('input[type=file]').setInputFiles(file);
  await dialog.getByRole('button', { name: 'Import 1 row' }).click();
  await expect(page.getByRole('grid')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** In a feed, at one of its buttons. */
const feedAt =
  (name: string | RegExp, template?: string) =>
  async (page: Page, program: Program): Promise<Locator> => {
    if (template !== undefined) await program.createTemplate({ name: template, source: card('A') });
    await inFeed(page);
    if (template !== undefined) {
      await page.getByRole('button', { name: 'Choose a template' }).click();
      await page.getByRole('menuitemradio', { name: template }).first().click();
      // Nothing of it has the name of a column.
      await expect(page.getByRole('dialog', { name: 'What fills the template' })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      const mapping = page.getByRole('button', { name: 'Mapping…' });
      await expect(mapping).not.toHaveAttribute('aria-disabled', 'true');
    }
    const opener = page.getByRole('button', { name, exact: true });
    await expect(opener).not.toHaveAttribute('aria-disabled', 'true');
    await opener.focus();
    return opener;
  };

const rows: readonly Row[] = [
  {
    is: 'palette',
    name: 'Search or run a command',
    from: at('Queue'),
    open: press('Control+k'),
    async enter(page) {
      await page.keyboard.type('Templates');
      await page.keyboard.press('Enter');
    },
    async after(page) {
      await expect(page.getByTestId('page-templates')).toBeVisible();
    },
  },
  {
    is: 'shortcuts',
    name: 'Keyboard shortcuts',
    from: at('Queue'),
    open: press('F1'),
    enter: button('Close'),
  },
  {
    is: 'projects',
    name: 'Projects',
    from: at('Queue'),
    open: command('Manage projects'),
    enter: button('Close'),
  },
  {
    is: 'new-template',
    name: 'New template',
    from: at('Queue'),
    open: press('Control+n'),
    enter: button('Create'),
    after: opensEditor,
  },
  {
    is: 'brand',
    name: 'Brand of “My project”',
    async from(page) {
      const menu = page.getByRole('button', { name: /^Project: / });
      await menu.focus();
      return menu;
    },
    open: item('Brand…'),
    enter: button('Save'),
  },
  {
    is: 'remove-finished',
    name: /^Remove \d+ renders?\?$/,
    async from(page, program) {
      const { id } = await program.createRender(card('Gone', 64, 64));
      await program.finished(id);
      return at('Queue')(page);
    },
    open: command('Remove finished'),
    enter: button('Remove'),
  },
  {
    is: 'restore',
    name: 'Restore this backup?',
    async from(page) {
      await link(page, 'Settings').click();
      const openers = page.getByRole('button', { name: /^Restore the backup: / });
      await page.getByRole('button', { name: 'Back up now' }).click();
      const opener = openers.first();
      await expect(opener).toBeEnabled();
      // The list has settled once it is said.
      await expect(page.getByText('The backup was made.').first()).toBeVisible();
      await opener.focus();
      return opener;
    },
    open: press('Enter'),
    enter: button('Cancel'),
  },
  {
    is: 'project',
    name: 'New project',
    from: at('Queue'),
    open: command('New project'),
    enter: typed('By keys'),
  },
  {
    is: 'naming',
    name: /^Rename/,
    from: atCard('Named'),
    open: press('F2'),
    enter: typed('Named'),
  },
  {
    is: 'import',
    name: 'Import templates',
    from: at('Templates'),
    open: press('Control+o'),
    enter: button('Cancel'),
  },
  {
    is: 'share',
    name: 'Share “Shared”',
    from: atCard('Shared'),
    open: item('Share with its files…', 'Shift+F10'),
    async enter(page, dialog) {
      const saved = page.waitForEvent('download');
      await button('Save file')(page, dialog);
      await saved;
    },
  },
  {
    is: 'import-feed',
    name: 'Import a table',
    async from(page) {
      await link(page, 'Feeds').click();
      const opener = page.getByRole('button', { name: 'Import…' });
      await opener.focus();
      return opener;
    },
    open: press('Enter'),
    enter: button('Cancel'),
  },
  {
    is: 'render',
    name: 'Render “Rendered”',
    from: atCard('Rendered'),
    open: press('Control+Enter'),
    enter: button('Add to queue'),
  },
  {
    is: 'result',
    name: /Ended/,
    async from(page, program) {
      const opener = await at('Templates')(page);
      await program.createRender({ source: card('Ended', 64, 64) });
      await expect(page.getByTestId('toasts').getByRole('button', { name: 'View' })).toBeVisible();
      return opener;
    },
    async open(page) {
      await page.getByTestId('toasts').getByRole('button', { name: 'View' }).focus();
      await page.keyboard.press('Enter');
    },
  },
  {
    is: 'question',
    name: /^Replace the key/,
    async from(page) {
      await link(page, 'API').click();
      const opener = page.getByRole('button', { name: /^Replace key/ }).first();
      await opener.focus();
      return opener;
    },
    open: press('Enter'),
    enter: button('Cancel'),
  },
  {
    is: 'api/ApiKeys.svelte',
    name: /key/i,
    async from(page) {
      await link(page, 'API').click();
      const opener = page.getByRole('button', { name: 'New key' });
      await opener.focus();
      return opener;
    },
    open: press('Enter'),
    enter: typed('By keys'),
  },
  {
    is: 'api/RequestDialog.svelte',
    name: 'POST /v2/renders',
    async from(page, program) {
      await program.createRender(card('Asked', 64, 64));
      await link(page, 'API').click();
      const row = page.getByRole('row', { name: /POST/ }).first();
      await row.focus();
      return row;
    },
    open: press('Enter'),
    enter: button('Close'),
  },
  {
    is: 'editor/media/MediaDialog.svelte',
    name: 'Choose a file',
    async from(page, program) {
      const picture = { type: 'image', name: 'Photo', source: 'media/none.png', dynamic: true };
      await inEditor('Pictures', { ...card('Pictures'), elements: [picture] })(page, program);
      const opener = page.getByRole('button', { name: 'Choose a file for Photo' });
      await opener.focus();
      return opener;
    },
    open: press('Enter'),
    enter: button('Cancel'),
  },
  {
    is: 'editor/versions/DifferenceDialog.svelte',
    name: 'Differences from the saved template',
    async from(page, program) {
      const { id } = await program.createTemplate({ name: 'Changed', source: card('Mine') });
      await openTemplate(page, program, id);
      await page.getByRole('textbox', { name: 'Word' }).first().fill('Changed here');
      await program.changeTemplate(id, { source: card('Theirs') });
      const opener = page.getByRole('button', { name: 'Show difference' });
      await opener.focus();
      return opener;
    },
    open: press('Enter'),
    enter: button('Close'),
  },
  {
    is: 'editor/versions/VersionsDialog.svelte',
    name: 'Versions of “Earlier”',
    async from(page, program) {
      const { id } = await program.createTemplate({ name: 'Earlier', source: card('One') });
      await program.changeTemplate(id, { source: card('Two') });
      await openTemplate(page, program, id);
      const field = page.getByRole('textbox', { name: 'Word' }).first();
      await field.focus();
      return field;
    },
    open: command('Versions'),
    enter: button('Close'),
  },
  {
    is: 'editor/voices/VoiceDialog.svelte',
    name: 'Add a voice',
    async from(page, program) {
      await inEditor('Spoken', { ...card('Spoken'), output_format: 'mp4', duration: 2 })(
        page,
        program,
      );
      const field = page.getByRole('textbox', { name: 'Word' }).first();
      await field.focus();
      return field;
    },
    open: command('Add a voice'),
    enter: button('Cancel'),
  },
  {
    is: 'editor/making/ResizeDialog.svelte',
    name: 'Change the format',
    async from(page, program) {
      await inEditor('Resized')(page, program);
      // Nothing is selected: the inspector shows the document.
      await page.getByRole('tab', { name: 'Inspector' }).click();
      const opener = page.getByRole('button', { name: 'Change the format…' });
      await opener.focus();
      return opener;
    },
    open: press('Enter'),
    enter: button('Cancel'),
  },
  {
    is: 'feeds/FeedMapping.svelte',
    name: 'What fills the template',
    from: feedAt('Mapping…', 'Mapped'),
    open: press('Enter'),
  },
  {
    is: 'encoding',
    name: 'Other character set',
    async from(page, program) {
      await inEditor('Guessed')(page, program);
      const opener = page.getByRole('tab', { name: 'Captions' });
      await opener.click();
      const times = '1\n00:00:01,000 --> 00:00:02,000\n';
      // So short a text could be in several.
      const buffer = Buffer.concat([Buffer.from(times), Buffer.from('418d8b6f0a', 'hex')]);
      await page
        .getByTestId('captions')
        .locator('input[type="file"]')
        .setInputFiles({ name: 'old.srt', mimeType: 'text/plain', buffer });
      await expect(page.getByRole('button', { name: 'Other character set…' })).toBeVisible();
      await opener.focus();
      return opener;
    },
    async open(page) {
      await page.getByRole('button', { name: 'Other character set…' }).focus();
      await page.keyboard.press('Enter');
    },
  },
  {
    is: 'feeds/FeedFolder.svelte',
    name: 'Folder of the files',
    async from(page, program) {
      const elements = [{ type: 'image', name: 'Word', source: '', dynamic: true }];
      await program.createTemplate({ name: 'Pictured', source: { ...card('A'), elements } });
      await inFeed(page);
      await page.getByRole('button', { name: 'Choose a template' }).click();
      await page.getByRole('menuitemradio', { name: 'Pictured' }).first().click();
      await expect(page.getByRole('dialog', { name: 'What fills the template' })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      const opener = page.getByRole('button', { name: 'Their folder…' });
      await opener.focus();
      return opener;
    },
    open: press('Enter'),
  },
  {
    is: 'feeds/FeedFollow.svelte',
    name: /ollow/,
    from: feedAt('Rows and columns'),
    open: item('Follow a file…'),
  },
  {
    is: 'feeds/FeedRender.svelte',
    name: /^Render “/,
    from: feedAt('Render…', 'Filled'),
    open: press('Enter'),
  },
  {
    is: 'feeds/FeedTable.svelte',
    name: /^Rename feed/,
    from: feedAt('Rows and columns'),
    open: item('Rename feed…'),
    enter: typed('By keys'),
  },
  {
    is: 'feeds/FeedColumnHead.svelte',
    name: 'Rename',
    from: feedAt('Column Other'),
    open: item('Rename…'),
    enter: typed('Other'),
  },
  {
    is: 'feeds/FeedColumnHead.svelte',
    part: 'property',
    name: 'Another property',
    from: feedAt('Column Other'),
    open: item('Another property…'),
    enter: typed('Title.fill_color'),
  },
];

/** Dialogs that are a member of the union, by their component. */
const ofUnion = [
  ...['frame/commands/Palette', 'frame/commands/Shortcuts', 'frame/ProjectList'],
  ...['frame/ProjectDialog', 'queue/RemoveFinished', 'ui/Question', 'settings/RestoreDialog'],
  ...['editor/making/NewTemplate', 'editor/making/BrandDialog', 'editor/render/RenderDialog'],
  ...['editor/captions/EncodingDialog'],
  ...['frame/Dialogs', 'templates/ImportDialog', 'templates/ShareDialog'],
  ...['feeds/FeedImport', 'queue/ResultDialog'],
].map((name) => `${name}.svelte`);
/** What dialogs are made of. */
const shells = ['ui/Modal.svelte', 'ui/NameDialog.svelte', 'feeds/PathDialog.svelte'];

test('every dialog of the window is in the table', () => {
  const root = path.resolve(import.meta.dirname, '../../renderer');
  const union = readFileSync(path.join(root, 'frame/open-dialogs.svelte.ts'), 'utf8');
  const kinds = [...union.matchAll(/readonly kind: '([a-z-]+)'/g)].map(([, kind = '']) => kind);
  expect(kinds.length).toBeGreaterThan(12);
  const others = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.svelte') && ![...ofUnion, ...shells].includes(file))
    .filter((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      return /<(Modal|NameDialog|PathDialog|Dialog\.Root|AlertDialog\.Root)\b/.test(text);
    });
  expect([...new Set(rows.map(({ is }) => is))].sort()).toEqual([...kinds, ...others].sort());
});

/** Presses at a time, and at most: more than any dialog has stops. */
const presses = { batch: 9, most: 45 };

/**
 * What has the focus after each press of a key, until all stops were there: its name, and whether it is in the dialog.
 */
async function stopsBy(
  page: Page,
  dialog: Locator,
  key: 'Tab' | 'Shift+Tab',
): Promise<{ name: string; isInside: boolean }[]> {
  // Noted in the page: asking after each press takes three times as long as the presses.
  const seen = await dialog.evaluateHandle((element) => {
    const stops: { name: string; isInside: boolean; isAgain: boolean }[] = [];
    const before = new Set<Element | null>();
    const note = (): void => {
      const now = document.activeElement;
      const name = `${now?.tagName} ${now?.getAttribute('aria-label') ?? now?.textContent ?? ''}`;
      stops.push({ name, isInside: element.contains(now), isAgain: before.has(now) });
      before.add(now);
    };
    const later = ({ key: released }: KeyboardEvent): void => {
      if (released === 'Tab') setTimeout(note);
    };
    document.addEventListener('keyup', later, true);
    return { stops, end: () => document.removeEventListener('keyup', later, true) };
  });
  let pressed = 0;
  let isRound = false;
  while (!isRound && pressed < presses.most) {
    for (let count = 0; count < presses.batch; count += 1) await page.keyboard.press(key);
    pressed += presses.batch;
    await expect.poll(() => seen.evaluate(({ stops }) => stops.length)).toBe(pressed);
    // More than half were there before: the second round has begun. A busy page notes only where the last press led.
    isRound = await seen.evaluate(
      ({ stops }) =>
        stops.filter(({ isAgain }) => isAgain).length > stops.length / 2 &&
        stops.some(({ name }) => name !== stops[0]?.name),
    );
  }
  const stops = await seen.evaluate(({ stops: all, end }) => {
    end();
    return all;
  });
  await seen.dispose();
  return stops;
}

/** True if the topmost dialog has the focus. */
const isInside = (dialog: Locator): Promise<boolean> =>
  dialog.evaluate((element) => element.contains(document.activeElement));

/** Each is a page of its own: every second is opened, in `npm test` nine of them, in the long form all. */
for (const { is, part, name, from, open, enter, after } of someInQuick(
  someOf(rows, Math.ceil(rows.length / 2)),
  9,
)) {
  test(`${is}${part === undefined ? '' : `, ${part}`} by keyboard`, async ({ page, program }) => {
    await openWindow(page, program);
    const opener = await from(page, program);
    await expect(opener).toBeFocused();
    const dialog = page
      .getByRole('dialog', { name, exact: typeof name === 'string' })
      .or(page.getByRole('alertdialog', { name }));
    await open(page);
    await expect(dialog).toBeVisible();
    await expect.poll(() => isInside(dialog)).toBe(true);
    for (const colorScheme of isLong ? (['dark', 'light'] as const) : (['dark'] as const)) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await isDrawn(page);
      await checkRules(page, `${is}, ${colorScheme}`, '[role=dialog], [role=alertdialog]');
    }
    for (const key of ['Tab', 'Shift+Tab'] as const) {
      const stops = await stopsBy(page, dialog, key);
      expect(stops.filter(({ isInside: isIn }) => !isIn)).toEqual([]);
      if (is !== 'palette')
        expect(new Set(stops.map(({ name: stop }) => stop)).size, key).toBeGreaterThan(1);
    }
    await page.keyboard.press('Escape');
    // The first Esc may close a menu or a tooltip of it; the second never does.
    if (await dialog.isVisible()) await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(opener).toBeFocused();
    if (!enter) return;
    await open(page);
    await expect(dialog).toBeVisible();
    await expect.poll(() => isInside(dialog)).toBe(true);
    await enter(page, dialog);
    await expect(dialog).toHaveCount(0);
    if (after) await after(page);
    else await expect(opener).toBeFocused();
  });
}
