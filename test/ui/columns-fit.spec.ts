/**
 * Heads of columns stand above their cells, with a scroll bar that takes room, whatever is shown and however wide it
 * is.
 */
import type { Page } from '@playwright/test';
import { findChromium } from '../chromium.mjs';
import { expect, openWindow, test, type Program } from './program.ts';
import { brokenCard, card } from './sources.ts';

// Headless Chromium hides scroll bars unless it is told not to.
test.use({
  launchOptions: {
    executablePath: findChromium() ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
    ignoreDefaultArgs: ['--hide-scrollbars'],
  },
});

/**
 * Heads whose edges are not those of their cells, of the first row that is drawn; nothing is compared in hidden
 * columns.
 */
function offTheirCells(page: Page, grid: string, row: string): Promise<string[]> {
  return page.getByRole('grid', { name: grid }).evaluate((box, selector) => {
    const boxes = (elements: Iterable<Element>): { name: string; left: number; right: number }[] =>
      [...elements]
        .map((element) => ({ element, box: element.getBoundingClientRect() }))
        .filter(({ box: { width } }) => width > 0)
        .map(({ element, box: { left, right } }) => ({
          name: element.textContent.trim(),
          left,
          right,
        }));
    const heads = boxes(box.querySelectorAll('[role=columnheader]'));
    const first = box.querySelector(selector);
    const cells = boxes(first?.querySelectorAll('[role=gridcell], [role=rowheader]') ?? []);
    if (heads.length !== cells.length) return [`${heads.length} heads, ${cells.length} cells`];
    return heads.flatMap((head, index) => {
      const cell = cells[index];
      const isOff =
        !cell || Math.abs(cell.left - head.left) > 1 || Math.abs(cell.right - head.right) > 1;
      return isOff
        ? [`${head.name}: ${head.left}–${head.right}, ${cell?.left}–${cell?.right}`]
        : [];
    });
  }, row);
}

/** More rows than fit, so that their list has a scroll bar. */
async function fill(program: Program): Promise<void> {
  const made = Array.from({ length: 14 }, (_, index) => card(`Card ${index}`, 64, 64));
  for (const source of [...made, brokenCard]) {
    await program.finished((await program.createRender(source)).id);
  }
}

for (const direction of ['ltr', 'rtl']) {
  test(`renders, ${direction}`, async ({ page, program }) => {
    await fill(program);
    await page.setViewportSize({ width: 1280, height: 500 });
    await openWindow(page, program);
    await page.goto(program.windowUrl.replace('/#', `/?dir=${direction}#`));
    await page.locator('html[data-app="ready"]').waitFor();
    const check = (name: string): Promise<void> =>
      expect
        .poll(() => offTheirCells(page, 'Renders', '[data-row]'), { message: name })
        .toEqual([]);
    for (const width of [960, 1280, 1920]) {
      await page.setViewportSize({ width, height: 500 });
      await check(`${width} px`);
    }
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Compact' }).click();
    await page.keyboard.press('Escape');
    await check('compact');
    await page.locator('[data-row]').first().click();
    await expect(page.getByRole('region', { name: 'Render details' })).toBeVisible();
    await check('beside details');
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Comfortable' }).click();
    await page.keyboard.press('Escape');
  });
}

test('requests', async ({ page, program }) => {
  await openWindow(page, program);
  for (const key of [program.apiKey, 'a-wrong-key']) {
    const headers = { Authorization: `Bearer ${key}` };
    await fetch(`${program.apiUrl}/v2/templates?tags=promo`, { headers });
  }
  await page.getByRole('link', { name: 'API' }).click();
  await expect(page.getByRole('grid', { name: 'Requests' })).toBeVisible();
  for (const width of [360, 640, 960, 1280, 1920]) {
    await page.setViewportSize({ width, height: 700 });
    await expect
      .poll(() => offTheirCells(page, 'Requests', '[data-number]'), { message: `${width} px` })
      .toEqual([]);
    // Nothing is wider than the page.
    const over = await page
      .getByTestId('page-api')
      .evaluate((box) =>
        [box, ...box.querySelectorAll('.scroll')].map(
          ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
        ),
      );
    expect(over, `${width} px`).toEqual(over.map(() => 0));
  }
});
