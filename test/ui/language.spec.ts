/**
 * Every page and dialog in the test language (renderer/ui/language.ts): texts are 40 % longer and stand in
 * brackets. None may be cut, and none may stand there without brackets, unless it is data. And the window as it is
 * where text runs from right to left.
 */
import type { Locator, Page } from '@playwright/test';
import path from 'node:path';
import { promo } from './editor-sources.ts';
import { isDrawn } from './look.ts';
import { expect, Program, test } from './program.ts';
import { brokenCard, card } from './sources.ts';

/** One of its own: what other tests leave behind is data with names that this one can't know. */
const program = new Program();
test.beforeAll(() => program.start());
test.afterAll(() => program.remove());

/** One state, and how to get there from the one before. */
interface Step {
  readonly name: string;
  readonly open: () => Promise<unknown>;
}

/** Looks at one state after the other, at the usual width and at the smallest one. */
async function lookThrough(page: Page, steps: readonly Step[]): Promise<void> {
  for (const { name, open } of steps) {
    await test.step(name, async () => {
      await open();
      await isDrawn(page);
      for (const width of [960, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await isDrawn(page);
        const found = await findFaults(page);
        if (process.env['UPDATE_SCREENS'] === '1') {
          await page.screenshot({ path: test.info().outputPath(`${name}-${width}.png`) });
        }
        expect.soft({ name, width, ...found }).toEqual({ name, width, cut: [], unmarked: [] });
      }
    });
  }
}

/** A text of the test language by its English beginning: the letters of a word may be more. */
function longer(words: string): RegExp {
  const parts = words.split(' ').map((word) => `${word}${word.slice(-1)}*`);
  return new RegExp(`^\\[${parts.join(' ')}`);
}

test('no text is cut in a longer language, and none is left in English', async ({ page }) => {
  const finished = [
    await program.createRender(card('Autumn')),
    await program.createRender(brokenCard),
  ];
  await program.createTemplate({ name: 'Leaves', tags: ['leaves'], source: card('Leaves') });
  for (const { id } of finished) await program.finished(id);
  const [done, failed] = finished.map(({ id }) => id);
  await page.goto(`${program.windowUrl.replace('/#', '/?language=test#')}&page=queue`);
  await page.locator('html[data-app="ready"]').waitFor();
  const details = page.getByRole('region', { name: /^\[Render/ });
  const tab = (index: number) => details.getByRole('tab').nth(index).click();
  const steps: readonly Step[] = [
    { name: 'queue', open: async () => page.getByTestId(`render-row-${done}`).waitFor() },
    { name: 'details', open: () => page.getByTestId(`render-row-${done}`).click() },
    { name: 'failure', open: () => page.getByTestId(`render-row-${failed}`).click() },
    { name: 'log', open: () => tab(1) },
    { name: 'request', open: () => tab(2) },
    { name: 'webhook', open: () => tab(3) },
    { name: 'palette', open: () => page.keyboard.press('Control+k') },
    {
      name: 'shortcuts',
      open: async () => {
        await page.keyboard.press('Escape');
        await page.keyboard.press('F1');
      },
    },
    {
      name: 'templates',
      open: async () => {
        await page.keyboard.press('Escape');
        await page.getByRole('link', { name: /^\[Templates/ }).click();
        await page.locator('article').first().waitFor();
      },
    },
    {
      name: 'rows',
      open: () => page.getByRole('button', { name: /^\[Show{1,} as+ a+ list/ }).click(),
    },
    { name: 'api', open: () => page.getByRole('link', { name: /^\[API/ }).click() },
    {
      name: 'settings',
      open: async () => {
        await page.getByRole('link', { name: /^\[Settings/ }).click();
        await page.locator('[data-testid=page-settings][data-state=ready]').waitFor();
        await page.locator('[data-testid=space][data-state=ready]').waitFor();
      },
    },
    {
      name: 'restore',
      open: async () => {
        await page
          .getByRole('button', { name: /^\[Restore+ thee+/ })
          .first()
          .click();
        await page.getByRole('dialog').waitFor();
      },
    },
    {
      name: 'reset',
      open: async () => {
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: /^\[Reset+ settings/ }).click();
        await page.getByRole('alertdialog').waitFor();
      },
    },
    {
      name: 'brand',
      open: async () => {
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: /^\[Project/ }).click();
        await page.getByRole('menuitem', { name: /^\[Brand/ }).click();
        await page.getByRole('dialog').waitFor();
      },
    },
  ];
  await lookThrough(page, steps);
});

test('nor on the page for feeds and in its dialogs', async ({ page }) => {
  await program.createTemplate({ name: 'L1', source: card('L1') });
  await page.goto(`${program.windowUrl.replace('/#', '/?language=test#')}&page=queue`);
  await page.locator('html[data-app="ready"]').waitFor();
  const dialog = page.getByRole('dialog');
  const menuItem = async (menu: RegExp, item: RegExp): Promise<void> => {
    await page.getByRole('button', { name: menu }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const inDialog = (open: () => Promise<unknown>) => async (): Promise<void> => {
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await open();
    await dialog.waitFor();
  };
  const steps: readonly Step[] = [
    { name: 'feeds', open: () => page.getByRole('link', { name: /^\[Feeds/ }).click() },
    {
      name: 'feed-choose',
      open: () =>
        page
          .getByRole('button', { name: /^\[Import/ })
          .first()
          .click(),
    },
    {
      name: 'feed-import',
      open: async () => {
        await dialog.locator('input[type=file]').setInputFiles({
          name: 'A1.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from('Word,Word.fill_color,Price\nOne,#ff0000,1\nTwo,nonsense,2\n'),
        });
        await dialog.getByRole('columnheader').first().waitFor();
      },
    },
    {
      name: 'feed',
      open: async () => {
        await dialog.getByRole('button', { name: /^\[Import+ 2/ }).click();
        await page.getByRole('grid').waitFor();
      },
    },
    {
      name: 'feed-mapped',
      open: async () => {
        await page.getByRole('button', { name: /^\[Choose+ a+ template/ }).click();
        await page.getByRole('menuitemradio', { name: 'L1' }).click();
        await page.getByRole('button', { name: /^\[Mapping/ }).waitFor();
      },
    },
    {
      name: 'feed-mapping',
      open: inDialog(() => page.getByRole('button', { name: /^\[Mapping/ }).click()),
    },
    {
      name: 'feed-render',
      open: inDialog(async () => {
        await page.getByRole('button', { name: /^\[Render/ }).click();
        await dialog.getByRole('list').waitFor();
      }),
    },
    {
      name: 'feed-follow',
      open: inDialog(() => menuItem(longer('Rows and columns'), /^\[Follow/)),
    },
  ];
  await lookThrough(page, steps);
});

test('nor in the editor, its dialogs, the Trash and the import', async ({ page }) => {
  test.setTimeout(120_000);
  const elements = [
    ...promo.elements,
    { type: 'image', name: 'Photo', dynamic: true, source: null },
  ];
  const { id } = await program.createTemplate({
    name: 'Leaves',
    tags: ['leaves'],
    source: { ...promo, elements },
  });
  await page.goto(`${program.windowUrl.replace('/#', '/?language=test#')}&template=${id}`);
  const preview = page.getByTestId('editor-preview');
  await expect(preview).toHaveAttribute('data-state', 'ready');
  const button = (words: string): Locator =>
    page.getByRole('button', { name: longer(words) }).first();
  const tab = (words: string) => () => page.getByRole('tab', { name: longer(words) }).click();
  const escape = (): Promise<void> => page.keyboard.press('Escape');
  const fixture = (name: string): string => path.resolve(import.meta.dirname, '../fixtures', name);
  const addTo = async (words: string, files: Parameters<Locator['setInputFiles']>[0]) => {
    const chooser = page.waitForEvent('filechooser');
    await button(words).click();
    await (await chooser).setFiles(files);
  };
  await lookThrough(page, [
    { name: 'editor', open: tab('Fields') },
    { name: 'outline', open: tab('Outline') },
    { name: 'add', open: () => button('Add element').click() },
    {
      name: 'actions',
      open: async () => {
        await escape();
        await page.getByRole('treeitem').nth(1).click();
        await page.keyboard.press('Shift+F10');
      },
    },
    {
      name: 'use',
      open: async () => {
        await escape();
        await button('Use').click();
      },
    },
    {
      name: 'view',
      open: async () => {
        await escape();
        await button('View').click();
      },
    },
    {
      name: 'zoom',
      open: async () => {
        await escape();
        await button('Fit').click();
      },
    },
    {
      name: 'media-empty',
      open: async () => {
        await escape();
        await tab('Fields')();
        await button('Choose a file for Photo').click();
      },
    },
    {
      name: 'media',
      open: async () => {
        await addTo('Add files', [fixture('photo.jpg'), fixture('captions.srt')]);
        await page.getByRole('alert').waitFor();
      },
    },
    {
      name: 'media-none',
      open: () => page.getByRole('textbox', { name: longer('Search by') }).fill('no such file'),
    },
    {
      name: 'media-remove',
      open: async () => {
        await button('Clear').click();
        await button('Remove photo.jpg').click();
      },
    },
    {
      name: 'chosen',
      open: async () => {
        await escape();
        await page.getByRole('option', { name: /^photo/ }).dblclick();
      },
    },
    {
      name: 'problems',
      open: async () => {
        await page.getByLabel('Title', { exact: true }).fill('Changed');
        await page
          .getByLabel(/Ground · \[Fill/)
          .last()
          .fill('mud');
        await tab('Problems')();
      },
    },
    {
      name: 'render',
      open: async () => {
        await page
          .getByLabel(/Ground · \[Fill/)
          .last()
          .fill('#d9480f');
        await button('Render').click();
        await expect(page.getByTestId('render-check')).toHaveAttribute('data-state', 'ok');
        await page.locator('summary').first().click();
        await page.locator('summary').last().click();
      },
    },
    {
      name: 'conflict',
      open: async () => {
        await escape();
        await page.getByLabel('Title', { exact: true }).fill('Mine');
        await program.changeTemplate(id, { source: { ...promo, duration: 6 } });
        await page.getByTestId('editor-conflict').waitFor();
      },
    },
    { name: 'difference', open: () => button('Show difference').click() },
    {
      name: 'gone',
      open: async () => {
        await escape();
        await program.trashTemplate(id);
        await page.getByTestId('editor-trashed').waitFor();
      },
    },
    {
      name: 'trash',
      open: async () => {
        await page.getByRole('link', { name: /^\[Templates/ }).click();
        await button('Trash').click();
        await page.getByTestId(`trash-card-${id}`).waitFor();
      },
    },
    { name: 'trash-empty', open: () => button('Empty').click() },
    {
      name: 'import',
      open: async () => {
        await escape();
        await page.keyboard.press('Control+o');
        await page.getByRole('dialog').waitFor();
      },
    },
    {
      name: 'import-files',
      open: () =>
        addTo('Choose files', [
          importFile('leaves.json', { ...card('Leaves'), elements: promo.elements }),
          importFile('broken.json', brokenCard),
          importFile('nothing.json', {}),
        ] as never),
    },
  ]);
});

const importFile = (name: string, content: object): object => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(content)),
});

test('where text runs from right to left the window is mirrored, but time is not', async ({
  page,
}) => {
  const { id } = await program.createTemplate({ name: 'Mirrored', source: promo });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${program.windowUrl.replace('/#', '/?dir=rtl#')}&template=${id}`);
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-state', 'ready');
  const leftOf = async (found: Locator): Promise<number> => (await found.boundingBox())!.x;
  const [sidebar, fields, preview, source] = await Promise.all([
    leftOf(page.getByRole('navigation').first()),
    leftOf(page.getByRole('tab', { name: 'Fields' })),
    leftOf(page.getByTestId('editor-preview')),
    leftOf(page.getByRole('textbox', { name: 'Source' })),
  ]);
  expect(sidebar).toBeGreaterThan(fields);
  expect(fields).toBeGreaterThan(preview);
  expect(preview).toBeGreaterThan(source);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(wide).toBe(false);

  // An arrow moves the line between panes the way it points: here the left pane grows to the left.
  const line = page.getByRole('separator', { name: 'Width of the left pane' });
  const before = Number(await line.getAttribute('aria-valuenow'));
  await line.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(line).toHaveAttribute('aria-valuenow', String(before + 16));

  const slider = page.getByRole('slider', { name: 'Time', exact: true });
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-frame', '1');
  const rows = page.getByRole('treegrid', { name: 'Elements over time' });
  expect(await leftOf(rows.getByRole('gridcell', { name: / Badge,/ }))).toBeGreaterThan(
    await leftOf(rows.getByRole('gridcell', { name: / Ground,/ })),
  );
  // Icons that point somewhere point the other way.
  const back = page.getByRole('button', { name: 'Templates', exact: true }).locator('span').first();
  expect(await back.evaluate((icon) => getComputedStyle(icon).transform)).toContain('matrix(-1');
});

/** Texts of the page that do not fit, and those that are neither data nor a message. */
function findFaults(page: Page): Promise<{ cut: string[]; unmarked: string[] }> {
  return page.evaluate(() => {
    // Names that people and the server gave, code, keys, and lines of the log.
    const data =
      'code, pre, kbd, h2[title], time, script, style, option, article h2, article .tags, .palette-item, ' +
      '.log ol, .words strong, [data-number], .code, h3, .tag, .key, .unit, .form label, [role=treegrid] .name, ' +
      '[role=rowheader], .project, [role=treeitem] .name, [role=treeitem] .time, [role=treeitem][aria-label], .tile, .about strong, ' +
      '.about .name, .about .words[role=alert], [data-testid=problem-text], .sentence, .field .error, .checks li, .lines, ' +
      '.problems, .file ul, .source input, [role=gridcell] .first, .look table, [role=grid] [data-row], [role=grid] .cells, ' +
      '[role=columnheader] .name, .mapping th, .mapping .value';
    // Brackets as keys, IDs, addresses, platforms, languages, days, formats, keys, and the API's own words about a
    // document, which stay English.
    const words =
      /[\da-f]{8}-[-\da-f]+|https?:\S+|\b(SMPTE|EBU|YouTube|TikTok|Instagram)\b|English|Deutsch|Español|Português \(Brasil\)|日本語|[A-Z][a-z]{2} \d+, \d{4}|\b(png|jpg|JPG|mp4|gif|bytes?|cURL|Node|Python|PHP)\b|\{\w+\}|server\.lan|(?<=^\[(?:\[\w+\] )*)[[\]](?=:)|^Source error:.*/g;
    const found = { cut: new Set<string>(), unmarked: new Set<string>() };
    /** What is left of a text without its messages and what stands in them. */
    const outside = (text: string): string => {
      let left = text.replace(words, '');
      for (let before = ''; before !== left;) {
        before = left;
        left = left.replace(/\[[^[\]]*\]/g, '');
      }
      return left;
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      const own = [...(element?.childNodes ?? [])].filter(({ nodeType }) => nodeType === 3);
      const text = own
        .map(({ nodeValue }) => nodeValue ?? '')
        .join(' ')
        .trim();
      if (node.nodeValue?.trim() === '') continue;
      if (!element?.checkVisibility() || element.closest('.only-read, .skip')) continue;
      // Words of three letters and more; shorter ones are units.
      if (!element.closest(data) && /\p{L}{3}/u.test(outside(text))) found.unmarked.add(text);
      // A column may be as narrow as a person wants it; the whole text is its tooltip.
      if (
        !text.includes('[') ||
        element.closest('[role=gridcell] [title], [role=columnheader] [title]')
      )
        continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const { left, right, top, bottom, width } = range.getBoundingClientRect();
      if (width === 0) continue;
      for (let up: Element | null = element; up; up = up.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(up);
        // What scrolls is reached by scrolling.
        if (/auto|scroll/.test(`${overflowX} ${overflowY}`)) break;
        const isEdge =
          overflowX !== 'visible' || up.matches('button, a, label, h1, h2, dt, [role=gridcell]');
        const box = up.getBoundingClientRect();
        const isOut = left < box.left - 1.5 || right > box.right + 1.5;
        const isLow = overflowY !== 'visible' && (top < box.top - 3 || bottom > box.bottom + 3);
        // One pixel wide: hidden, for readers only.
        if (isEdge && box.width > 1 && (isOut || isLow))
          found.cut.add(`${text} in ${up.className}`);
      }
    }
    for (const name of ['aria-label', 'placeholder', 'title'] as const) {
      for (const element of document.body.querySelectorAll(`[${name}]`)) {
        const text = element.getAttribute(name) ?? '';
        if (element.closest(data) || element.matches('article, section.file')) continue;
        if (/\p{L}{3}/u.test(outside(text))) found.unmarked.add(`${name} ${text}`);
      }
    }
    return { cut: [...found.cut], unmarked: [...found.unmarked] };
  });
}
