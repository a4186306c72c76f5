/** A template with thousands of elements: only what is seen is in the page, and the keys work over all of it. */
import { expect, test } from './program.ts';

test('fields and an outline of 6,000 elements', async ({ page, program }) => {
  const count = 6000;
  const elements = Array.from({ length: count }, (_, index) => ({
    type: 'shape',
    name: `${index === 4321 ? 'Zebra' : 'Row'} ${index}`,
    width: '1%',
    height: '1%',
    fill_color: '#2447d8',
    dynamic: true,
  }));
  const source = { output_format: 'png', width: 64, height: 64, elements };
  const { id } = await program.createTemplate({ name: 'Large', source });
  await page.goto(`${program.windowUrl}&template=${id}`);
  // Fields come as they come near.
  const labels = page.getByRole('group', { name: 'Fields' }).locator('label');
  await expect(labels.first()).toBeVisible();
  expect(await labels.count()).toBeLessThan(60);
  await labels.last().scrollIntoViewIfNeeded();
  await expect.poll(() => labels.count()).toBeGreaterThan(60);
  await page.getByRole('tab', { name: 'Outline' }).click();
  const tree = page.getByRole('tree', { name: 'Outline' });
  const items = tree.getByRole('treeitem');
  const active = (name: string): Promise<void> =>
    expect(tree.getByRole('treeitem', { name: `${name}, Shape`, exact: false })).toBeFocused();
  expect(await items.count()).toBeLessThan(60);
  await items.first().click();
  // The front first.
  await page.keyboard.press('End');
  await active('Row 0');
  await expect(tree.locator(':focus')).toHaveAttribute('aria-posinset', String(count));
  await expect(tree.locator(':focus')).toHaveAttribute('aria-setsize', String(count));
  await expect(tree.locator(':focus')).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('ArrowUp');
  await active('Row 1');
  await page.keyboard.press('Home');
  await active('Row 5999');
  await page.keyboard.press('z');
  await active('Zebra 4321');
  await page.keyboard.press('ArrowDown');
  await active('Row 4320');
  // Out of sight, the selected row keeps the focus and the keys.
  await tree.evaluate((box) => (box.scrollTop = 0));
  await expect(items.filter({ hasText: 'Row 5999' })).toBeVisible();
  await active('Row 4320');
  await page.keyboard.press('ArrowDown');
  await active('Row 4319');
  await expect(tree.locator(':focus')).toBeInViewport({ ratio: 1 });
  expect(await items.count()).toBeLessThan(60);

  // What a property means is told at once, too.
  await page.keyboard.press('End');
  await page.getByText('"output_format"', { exact: true }).hover();
  await expect(page.locator('.cm-explain')).toContainText('output_format');
});
