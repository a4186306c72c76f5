/**
 * Every page in the test language (renderer/lib/test-language.ts): texts are 40 % longer and stand in brackets. None may be
 * cut, and none may stand there without brackets, unless it is data.
 */
import type { Page } from '@playwright/test';
import { expect, Program, test } from './program.ts';
import { brokenCard, card } from './sources.ts';

/** One of its own: what other tests leave behind is data with names that this one can't know. */
const program = new Program();
test.beforeAll(() => program.start());
test.afterAll(() => program.remove());

test('no text is cut in a longer language, and none is left in English', async ({ page }) => {
  const finished = [
    await program.createRender(card('Autumn')),
    await program.createRender(brokenCard),
  ];
  await program.createTemplate({ name: 'Leaves', tags: ['leaves'], source: card('Leaves') });
  for (const { id } of finished) await program.finished(id);
  const [done, failed] = finished.map(({ id }) => id);
  await page.goto(program.windowUrl.replace('/#', '/?language=test#'));
  await page.locator('html[data-app="ready"]').waitFor();
  const details = page.getByRole('region', { name: /^\[Render/ });
  const tab = (index: number) => details.getByRole('tab').nth(index).click();
  const steps: readonly { name: string; open: () => Promise<void> }[] = [
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
      },
    },
  ];
  for (const { name, open } of steps) {
    await test.step(name, async () => {
      await open();
      await page.waitForTimeout(150);
      for (const width of [1280, 960]) {
        await page.setViewportSize({ width, height: 800 });
        const found = await findFaults(page);
        if (process.env['UPDATE_SCREENS'] === '1') {
          await page.screenshot({ path: test.info().outputPath(`${name}-${width}.png`) });
        }
        expect.soft({ name, width, ...found }).toEqual({ name, width, cut: [], unmarked: [] });
      }
    });
  }
});

/** Texts of the page that do not fit, and those that are neither data nor a message. */
function findFaults(page: Page): Promise<{ cut: string[]; unmarked: string[] }> {
  return page.evaluate(() => {
    // Names that people and the server gave, code, keys, and lines of the log.
    const data =
      'code, pre, kbd, time, script, style, option, article h2, article .tags, .palette-item, ' +
      '.log ol, .words strong, [data-number], .cm-editor';
    // IDs, addresses, days, formats, keys, and the API's own words about a document, which stay English.
    const words =
      /[\da-f]{8}-[-\da-f]+|https?:\S+|[A-Z][a-z]{2} \d+, \d{4}|\b(png|mp4|gif|bytes?|cURL|Node|Python|PHP)\b|^Source error:.*/g;
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
      if (!text.includes('[')) continue;
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
        if (element.closest(data) || element.matches('article')) continue;
        if (/\p{L}{3}/u.test(outside(text))) found.unmarked.add(`${name} ${text}`);
      }
    }
    return { cut: [...found.cut], unmarked: [...found.unmarked] };
  });
}
