/**
 * Narrow windows, as a phone's or at 400 % zoom: every page keeps the rules of accessibility, and lists reach the end.
 */
import { openNewTemplate } from './editor-page.ts';
import { promo } from './editor-sources.ts';
import { card } from './sources.ts';
import { checkRules } from './look.ts';
import { expect, openWindow, test } from './program.ts';

for (const [width, height] of [
  [360, 740],
  [640, 400],
] as const) {
  test(`every page at ${width} px`, async ({ page, program }) => {
    await program.finished((await program.createRender(card('Narrow', 64, 64))).id);
    await page.setViewportSize({ width, height });
    await openWindow(page, program);
    for (const name of ['Home', 'Queue', 'Templates', 'API', 'Settings']) {
      await page.getByRole('link', { name, exact: true }).click();
      const shown = page.getByTestId(`page-${name.toLowerCase()}`);
      await expect(shown).toHaveAttribute('data-state', 'ready');
      await checkRules(page, `${name} at ${width}`);
    }
  });
}

test('the list of renders reaches down to the bar at the foot', async ({ page, program }) => {
  await program.finished((await program.createRender(card('Low', 64, 64))).id);
  await page.setViewportSize({ width: 360, height: 740 });
  await openWindow(page, program);
  const list = page.getByRole('grid', { name: 'Renders' });
  const bar = page.getByTestId('status-api');
  const bottom = (box: { y: number; height: number } | null): number =>
    box ? box.y + box.height : NaN;
  await expect
    .poll(async () => bottom(await list.boundingBox()) - ((await bar.boundingBox())?.y ?? NaN))
    .toBeGreaterThan(-24);
});

test('tabs that have no room are in a menu, and the one that is chosen comes into sight', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, promo);
  await expect(page.getByRole('button', { name: 'More tabs' })).toHaveCount(0);
  await page.setViewportSize({ width: 1024, height: 768 });
  const row = page.getByRole('tablist', { name: 'Panes of the editor' });
  /** Pixels by which a tab reaches beyond the row. */
  const beyond = async (name: string): Promise<number> => {
    const tab = await row.getByRole('tab', { name }).boundingBox();
    const box = await row.boundingBox();
    return tab && box ? tab.x + tab.width - (box.x + box.width) : NaN;
  };
  expect(await beyond('Source')).toBeGreaterThan(1);
  await page.getByRole('button', { name: 'More tabs' }).click();
  await page.getByRole('menuitem', { name: 'Source' }).click();
  await expect(row.getByRole('tab', { name: 'Source' })).toHaveAttribute('data-state', 'active');
  await expect.poll(() => beyond('Source')).toBeLessThan(1.5);
  await checkRules(page, 'tabs at 1024');
});

test('in a low window, the bar of the selection covers no handle', async ({ page, program }) => {
  await openNewTemplate(page, program, promo);
  await page.setViewportSize({ width: 1280, height: 560 });
  await page.getByRole('tab', { name: 'Outline' }).click();
  await page.getByRole('treeitem', { name: /^Title/ }).click();
  const stage = page.locator('#editor-stage');
  await expect(page.getByTestId('arrange-bar')).toBeVisible();
  const bar = await page.getByTestId('arrange-bar').boundingBox();
  const picture = await stage.locator('.frame').last().boundingBox();
  if (!bar || !picture) throw new Error('They are not in the page.');
  const isBeside = bar.x + bar.width <= picture.x;
  const isAbove = bar.y + bar.height <= picture.y;
  expect({ isFree: isBeside || isAbove, bar, picture }).toMatchObject({ isFree: true });
});

test('Tab into the outline chooses its first element, where nothing is chosen', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, promo);
  await page.getByRole('tab', { name: 'Outline' }).focus();
  await page.keyboard.press('Enter');
  const row = page.getByRole('treeitem').first();
  await expect(row).toHaveAttribute('aria-selected', 'false');
  for (let presses = 0; presses < 4; presses += 1) {
    await page.keyboard.press('Tab');
    if (await row.evaluate((element) => element === document.activeElement)) break;
  }
  await expect(row).toBeFocused();
  await expect(row).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByTestId('arrange-bar')).toBeVisible();
});

test('38: at 390 px the tabs have half the height, and the timeline comes when it is asked for', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, promo);
  await page.setViewportSize({ width: 390, height: 844 });
  const pane = page.getByRole('tabpanel', { name: 'Fields' });
  const timeline = page.getByTestId('timeline');
  await expect(timeline).toHaveCount(0);
  const seen = await pane.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return Math.min(bottom, innerHeight - 30) - top;
  });
  expect(seen).toBeGreaterThan((844 - 150) / 2);
  await pane.getByLabel('Title', { exact: true }).fill('On the phone');
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'true');
  await checkRules(page, 'editor at 390');
  await page.getByRole('tab', { name: 'Add' }).click();
  await page.getByTestId('add-panel').getByRole('radio', { name: 'Media' }).check();
  await page.getByRole('tab', { name: 'Outline' }).click();
  await page.getByRole('tab', { name: 'Add' }).click();
  // 32: it is where one left it.
  await expect(page.getByTestId('media-panel')).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('show timeline');
  await page.keyboard.press('Enter');
  await expect(timeline).toBeInViewport();
  await page.setViewportSize({ width: 720, height: 450 });
  await expect(timeline).toBeInViewport();
});
