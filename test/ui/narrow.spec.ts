/** Narrow windows, as a phone's or at 400 % zoom: every page keeps the rules of accessibility, and lists reach the end. */
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
    for (const name of ['Queue', 'Templates', 'API', 'Settings']) {
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
  await page.getByRole('button', { name: 'Hide this card' }).click();
  const list = page.getByRole('grid', { name: 'Renders' });
  const bar = page.getByTestId('status-api');
  const bottom = (box: { y: number; height: number } | null): number =>
    box ? box.y + box.height : NaN;
  await expect
    .poll(async () => bottom(await list.boundingBox()) - ((await bar.boundingBox())?.y ?? NaN))
    .toBeGreaterThan(-24);
});
