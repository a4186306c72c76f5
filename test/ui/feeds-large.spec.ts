/** A feed of 10,000 rows scrolls like one of ten: counted by what a step does to the page, not by seconds. */
import type { Locator } from '@playwright/test';
import { importLargeFeed } from './large-feed.ts';
import { expect, openWindow, test } from './program.ts';

/** What steps of scrolling have done to the elements of the grid, all together. */
interface Work {
  readonly made: number;
  readonly removed: number;
  readonly texts: number;
  readonly attributes: number;
  /** Cells in the page after the last step. */
  readonly cells: number;
  /** The number of the first row in sight, as it is drawn. */
  readonly first: string;
}

/** Scrolls by pixels, one frame for each step, and counts. */
const scroll = (
  grid: Locator,
  steps: number,
  by: { down?: number; aside?: number },
): Promise<Work> =>
  grid.evaluate(
    async (box, { steps, down = 0, aside = 0 }) => {
      const work = { made: 0, removed: 0, texts: 0, attributes: 0 };
      const observer = new MutationObserver((changes) => {
        for (const { type, addedNodes, removedNodes } of changes) {
          work.made += addedNodes.length;
          work.removed += removedNodes.length;
          if (type === 'characterData') work.texts += 1;
          if (type === 'attributes') work.attributes += 1;
        }
      });
      const what = { subtree: true, childList: true, characterData: true, attributes: true };
      observer.observe(box.querySelector('[role=rowgroup]') ?? box, what);
      for (let step = 0; step < steps; step++) {
        box.scrollBy(aside, down);
        await new Promise((drawn) => requestAnimationFrame(drawn));
        await new Promise((after) => setTimeout(after));
      }
      observer.disconnect();
      const { left, top } = box.getBoundingClientRect();
      return {
        ...work,
        cells: box.querySelectorAll('[role=gridcell]').length,
        first: document.elementFromPoint(left + 30, top + 60)?.textContent.trim() ?? '',
      };
    },
    { steps, ...by },
  );

/** The rows whose cells have another order in the page than their columns. */
const rowsOutOfOrder = (grid: Locator): Promise<string[]> =>
  grid.evaluate((box) =>
    [...box.querySelectorAll('[role=row]')].flatMap((row) => {
      const columns = [...row.querySelectorAll('[role=gridcell]')].map((cell) =>
        Number(cell.ariaColIndex),
      );
      const isOrdered = columns.every((column, at) => at === 0 || column > (columns[at - 1] ?? 0));
      return isOrdered ? [] : [columns.join(' ')];
    }),
  );

test('a step of scrolling writes the texts in sight and makes no elements', async ({
  page,
  own,
}) => {
  test.setTimeout(120_000);
  await openWindow(page, own);
  const { grid } = await importLargeFeed(page);
  // Until the current cell is out of sight: its row stays in the page.
  const { cells } = await scroll(grid, 4, { down: 640 });
  const rows = await grid.getByRole('row').count();
  // 800 pixels hold about 20 rows of 32; a few more wait on both sides.
  expect(rows).toBeGreaterThan(15);
  expect(rows).toBeLessThan(36);
  expect(cells).toBeLessThan(300);

  const down = await scroll(grid, 10, { down: 640 });
  expect(down.first).toBe('281');
  expect(down).toMatchObject({ made: 0, removed: 0 });
  expect(down.texts).toBeGreaterThan(10 * cells * 0.5);
  expect(down.texts).toBeLessThan(10 * (cells + 3 * rows));
  expect(down.attributes).toBeLessThan(10 * 6 * rows);

  // Three rows, as a wheel turns: only they change.
  const little = await scroll(grid, 10, { down: 96 });
  expect(little).toMatchObject({ made: 0, removed: 0 });
  expect(little.texts).toBeLessThan(10 * 4 * (cells / rows + 4));

  // Also where steps end within a row: as many rows are drawn.
  const uneven = await scroll(grid, 10, { down: 331 });
  expect(uneven).toMatchObject({ made: 0, removed: 0 });

  // Aside, cells of columns that go show those that come, and stay where they are in the page: one that moves there has
  // the browser order all layers again.
  const aside = await scroll(grid, 8, { aside: 184 });
  // One comes, as the row of the current cell keeps that one. A computer that takes half a second for a step lets them
  // move.
  expect(aside.made).toBeLessThan(rows);
  expect(aside.removed).toBeLessThan(rows);
  expect(aside.texts).toBeGreaterThan(5 * rows);
  expect(aside.texts).toBeLessThan(8 * 2 * rows);
  // The place, the number of the column, and whether it is selected.
  expect(aside.attributes).toBeLessThan(8 * 3 * rows);
  expect(aside.cells).toBeLessThan(300);
  // Within a row and a column, nothing is done at all.
  const none = await scroll(grid, 4, { down: 3, aside: 3 });
  expect(none).toMatchObject({ made: 0, removed: 0, texts: 0, attributes: 0 });
  // For those who have them read, they are in the order of their columns as soon as it rests.
  await expect.poll(() => rowsOutOfOrder(grid)).toEqual([]);

  await grid.focus();
  await page.keyboard.press('Control+End');
  await expect(grid.getByRole('gridcell', { name: 'Value 9999 of 19' })).toBeVisible();
  await page.keyboard.type('changed');
  await page.keyboard.press('Enter');
  await expect(grid.getByRole('gridcell', { name: 'changed' })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible();
});
