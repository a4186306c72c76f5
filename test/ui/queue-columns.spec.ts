/**
 * The list of the queue as a person sets it up: columns by key, menu and pointer, heights of rows, cards; its order and
 * chips.
 */
import type { Locator, Page } from '@playwright/test';
import { checkRules } from './look.ts';
import { expect, openWindow, test, type Program } from './program.ts';
import { card, titleFilm } from './sources.ts';

/** A picture that is done, so that there is a row. */
test.beforeEach(async ({ program }) => {
  await program.finished((await program.createRender(card('One'))).id);
});

const head = (page: Page, name: string): Locator => page.getByRole('columnheader', { name });
const edge = (page: Page, name: string): Locator =>
  page.getByRole('separator', { name: `Width of the column ${name}` });
const titles = (page: Page): Promise<(string | null)[]> =>
  page.locator('[data-column]').evaluateAll((all) => all.map((one) => one.ariaLabel));

/** The width of a column, and that all cells of the first row stand below their heads. */
async function widthOf(page: Page, name: string): Promise<number> {
  const size = Number(await edge(page, name).getAttribute('aria-valuenow'));
  const heads = await page
    .locator('[data-column]')
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)));
  const cells = await page
    .locator('[data-row]')
    .first()
    .locator(':scope > [role=gridcell]')
    .evaluateAll((all) =>
      all.slice(1, -1).map((one) => Math.round(one.getBoundingClientRect().left)),
    );
  expect(cells).toEqual(heads);
  return size;
}

async function chooseInHead(page: Page, column: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Column ${column}`, exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Waits until the server remembers these values. */
async function isKept(program: Program, values: Record<string, unknown>): Promise<void> {
  await expect
    .poll(async () => {
      const kept = await program.remembered();
      return Object.fromEntries(Object.keys(values).map((name) => [name, kept[name]]));
    })
    .toEqual(values);
}

const reset = { queueColumns: [], queueColumnWidths: {} };

async function expectRules(page: Page): Promise<void> {
  await checkRules(page, 'the queue', 'main');
}

test('columns: width, order and choice by menu and keys, remembered', async ({ page, program }) => {
  test.setTimeout(120_000);
  await openWindow(page, program);
  expect(await titles(page)).toEqual(['Preview', 'Name', 'Status', 'Output', 'Created']);

  const before = await widthOf(page, 'Status');
  await page.getByRole('button', { name: 'Column Status' }).click();
  await expectRules(page);
  // It stays for more than one step.
  await page.getByRole('menuitem', { name: 'Wider' }).click();
  await page.getByRole('menuitem', { name: 'Wider' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Column Status' })).toBeFocused();
  expect(await widthOf(page, 'Status')).toBe(before + 48);
  await chooseInHead(page, 'Status', 'Narrower');
  await page.keyboard.press('Escape');
  expect(await widthOf(page, 'Status')).toBe(before + 24);

  await chooseInHead(page, 'Status', 'Move left');
  expect(await titles(page)).toEqual(['Preview', 'Status', 'Name', 'Output', 'Created']);
  await expect(page.getByRole('button', { name: 'Column Status' })).toBeFocused();
  await expect(page.getByText('Status: column 2 of 5')).toBeAttached();

  // Arrow keys go from title to title; Tab goes on to the edge of the same column.
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('button', { name: 'Column Output' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(edge(page, 'Output')).toBeFocused();
  const output = await widthOf(page, 'Output');
  await page.keyboard.press('ArrowLeft');
  expect(await widthOf(page, 'Output')).toBe(output - 8);
  await page.keyboard.press('Home');
  await expect(edge(page, 'Output')).toHaveAttribute('aria-valuenow', '134');
  await expect(edge(page, 'Output')).toHaveAttribute('aria-valuetext', '134 pixels');

  await chooseInHead(page, 'Created', 'Hide');
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  const name = page.getByRole('menuitemcheckbox', { name: 'Name' });
  await expect(name).toHaveAttribute('aria-disabled', 'true');
  await expect(name).toContainText('The name is always shown.');
  await page.getByRole('menuitemcheckbox', { name: 'Attempts' }).click();
  await page.keyboard.press('Escape');
  const own = ['Preview', 'Status', 'Name', 'Output', 'Attempts'];
  expect(await titles(page)).toEqual(own);
  await expect(page.locator('[data-row]').first().getByRole('gridcell').nth(5)).toHaveText('1');

  await chooseInHead(page, 'Status', 'Wider');
  // Others that were changed before are kept beside it.
  await expect
    .poll(async () => (await program.remembered())['queueColumnWidths'])
    .toMatchObject({ status: before + 48 });
  await page.reload();
  await expect(head(page, 'Attempts')).toBeVisible();
  expect(await titles(page)).toEqual(own);
  expect(await widthOf(page, 'Status')).toBe(before + 48);
  expect(await widthOf(page, 'Output')).toBe(134);

  await chooseInHead(page, 'Name', 'Reset columns');
  await isKept(program, reset);
  expect(await titles(page)).toEqual(['Preview', 'Name', 'Status', 'Output', 'Created']);
  expect(await widthOf(page, 'Status')).toBe(before);
});

test('columns: edges and titles are dragged', async ({ page, program }) => {
  await openWindow(page, program);
  const before = await widthOf(page, 'Status');
  const box = (await edge(page, 'Status').boundingBox())!;
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x - 30, at.y, { steps: 4 });
  await page.mouse.up();
  expect(await widthOf(page, 'Status')).toBe(before - 30);
  const moved = (await edge(page, 'Status').boundingBox())!;
  expect(Math.abs(moved.x - (box.x - 30))).toBeLessThanOrEqual(1);
  await edge(page, 'Status').dblclick();
  expect(await widthOf(page, 'Status')).toBe(before);

  const title = page.getByRole('button', { name: 'Column Created' });
  const from = (await title.boundingBox())!;
  const to = (await head(page, 'Name').boundingBox())!;
  await page.mouse.move(from.x + 20, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(to.x + 10, to.y + 10, { steps: 5 });
  await page.mouse.up();
  expect(await titles(page)).toEqual(['Preview', 'Created', 'Name', 'Status', 'Output']);
  // A drag is no press: no menu opens.
  await expect(page.getByRole('menu')).toBeHidden();
  await widthOf(page, 'Name');
  await chooseInHead(page, 'Name', 'Reset columns');
  await isKept(program, reset);
});

test('what has no room is left out and said so; narrow windows have cards', async ({
  page,
  program,
}) => {
  await openWindow(page, program);
  await page.setViewportSize({ width: 760, height: 600 });
  await expect(head(page, 'Created')).toBeHidden();
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await expect(page.getByRole('menuitemcheckbox', { name: 'Created (no room)' })).toBeVisible();
  await page.keyboard.press('Escape');

  await page.setViewportSize({ width: 640, height: 400 });
  await expect(page.locator('[data-column]')).toHaveCount(0);
  const row = page.locator('[data-row]').first();
  for (const words of ['One', 'Done in', 'png', 'just now']) {
    await expect(row.getByText(words).first()).toBeInViewport();
  }
  await page.setViewportSize({ width: 480, height: 600 });
  const cut = await row.locator('*').evaluateAll((all) =>
    all
      .filter((one) => getComputedStyle(one).textOverflow === 'ellipsis')
      .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth)
      .map(({ textContent }) => textContent),
  );
  expect(cut).toEqual([]);
});

test('rows have two heights, chosen at the list and in the settings, and remembered', async ({
  page,
  program,
}) => {
  await openWindow(page, program);
  const row = page.locator('[data-row]').first();
  const height = async (): Promise<number> => (await row.boundingBox())?.height ?? 0;
  expect(await height()).toBe(56);
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Compact' }).click();
  await isKept(program, { density: 'compact' });
  await page.keyboard.press('Escape');
  expect(await height()).toBe(36);
  await expectRules(page);
  // One line in each cell.
  const tops = await row
    .getByText(/^(One|Done in .*|png · \d+\skB)$/)
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()))
    .then((boxes) => boxes.map(({ top, bottom }) => Math.round((top + bottom) / 2)));
  expect(tops.length).toBe(3);
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThanOrEqual(2);

  await page.reload();
  await expect.poll(height).toBe(36);
  await page.getByRole('link', { name: 'Settings' }).click();
  const choices = page.getByRole('radiogroup', { name: 'Rows of lists' });
  await expect(choices.getByRole('radio', { name: 'Compact' })).toBeChecked();
  await choices.getByRole('radio', { name: 'Comfortable' }).check();
  await isKept(program, { density: 'comfortable' });
  await page.getByRole('link', { name: 'Queue' }).click();
  await expect.poll(height).toBe(56);
});

test('the order stays known in every sorting; what waits goes to the end by pointer', async ({
  page,
  program,
}) => {
  await openWindow(page, program);
  await page.getByRole('button', { name: 'Pause queue' }).click();
  const ids: string[] = [];
  for (const word of ['A', 'B', 'C']) ids.push((await program.createRender(titleFilm(word, 1))).id);
  const [a, b, c] = ids.map((id) => page.getByTestId(`render-row-${id}`));
  await expect(c!).toContainText('Queued – paused · 3rd');
  const under = (await c!.boundingBox())!;
  await a!.dragTo(c!, { targetPosition: { x: 200, y: under.height - 4 } });
  await expect(a!).toContainText('Queued – paused · 3rd');
  await expect(b!).toContainText('Queued – paused · 1st');

  await page.getByRole('button', { name: /^Sort:/ }).click();
  await expect(page.getByRole('menuitemradio', { name: 'Queue order' })).toBeChecked();
  await page.getByRole('menuitemradio', { name: 'Oldest' }).click();
  await expect(page.getByRole('button', { name: 'Sort: Oldest' })).toBeVisible();
  await expect(a!).toContainText('3rd');
  await expect(a!).toHaveAttribute('draggable', 'false');

  // Cancelled ones count as failed only when that is ticked.
  await a!.focus();
  await page.keyboard.press('Delete');
  await expect(a!).toHaveAttribute('data-display', 'Cancelled');
  await page.getByRole('button', { name: 'Failed, 0' }).click();
  await expect(page.getByText('No renders match.')).toBeVisible();
  await page.getByRole('button', { name: 'More options for this filter' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Cancelled (1)' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Failed, 1' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(page.locator('[data-row]')).toHaveCount(1);
  await page.getByRole('button', { name: /^All, / }).click();
  await page.getByRole('button', { name: /^Sort:/ }).click();
  await page.getByRole('menuitemradio', { name: 'Queue order' }).click();
  await page.getByTestId('page-queue').getByRole('button', { name: 'Resume queue' }).click();
  await expect(
    page.getByTestId('page-queue').getByRole('button', { name: 'Pause queue' }),
  ).toBeVisible();
});

test('the bar of the selection never covers the row with the focus', async ({ page, program }) => {
  await openWindow(page, program);
  await expect(page.locator('[data-row]').first()).toBeVisible();
  const last = page.locator('[data-row]').last();
  // A window that ends a little below the row.
  const { y, height } = (await last.boundingBox())!;
  await page.setViewportSize({ width: 1280, height: Math.round(y + height) + 32 });
  await last.focus();
  await expect(last).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Space');
  await expect(page.getByRole('group', { name: 'Selected renders' })).toContainText('1 selected');
  await expect(last).toBeFocused();
  await expect
    .poll(async () => {
      const bar = await page.getByRole('group', { name: 'Selected renders' }).boundingBox();
      const row = await last.boundingBox();
      return (row?.y ?? 0) + (row?.height ?? 0) <= (bar?.y ?? 0) + 1;
    })
    .toBe(true);
});
