/** The scrubber and the strip of elements below it tell the same time at the same place. */
import { openTemplate } from './editor-page.ts';
import { promo } from './editor-sources.ts';
import { expect, test } from './program.ts';

test('a press on the scrubber above the edge of a bar goes to where its element begins', async ({
  page,
  program,
}) => {
  const { id } = await program.createTemplate({ name: 'Timed', source: promo });
  await openTemplate(page, program, id);
  const preview = page.getByTestId('editor-preview');
  await expect(preview).toHaveAttribute('data-state', 'ready');
  const slider = page.getByRole('slider', { name: 'Time' });
  const strip = page.getByRole('group', { name: 'Elements over time' });
  const bar = strip.getByRole('button', { name: /^Badge/ });
  const badge = promo.elements.find(({ name }) => name === 'Badge') as { time?: number };
  const first = (badge.time ?? 0) * promo.frame_rate;
  const edge = (await bar.boundingBox())?.x ?? NaN;
  const at = await slider.boundingBox();
  await page.mouse.click(edge + 1, (at?.y ?? NaN) + (at?.height ?? NaN) / 2);
  await expect
    .poll(async () => Math.abs(Number(await preview.getAttribute('data-frame')) - first))
    .toBeLessThanOrEqual(1);
  // The line in the strip stands there, too.
  await expect
    .poll(async () => Math.abs(((await strip.locator('.now').boundingBox())?.x ?? NaN) - edge))
    .toBeLessThan(4);
});
