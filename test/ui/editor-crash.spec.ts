/**
 * F119 by hand: what was done in picture, timeline and inspector outlives an end of server and window, and is one step
 * that can be taken back.
 */
import { openTemplate } from './editor-page.ts';
import { named, openGroup, openInspected, readOf, select, textOf } from './inspector-page.ts';
import { expect, test } from './program.ts';

const document = `{
  "output_format": "mp4", "width": 400, "height": 200, "duration": 4, "frame_rate": 25,
  "elements": [
    { "name": "Card", "type": "shape", "time": 0, "duration": 2, "x": 100, "y": "50%",  "width": "20%", "height": "40%", "fill_color": "#e03131" }
  ]
}`;

test('F119: gestures in picture, timeline and inspector are offered again after a crash', async ({
  page,
  context,
  own,
}) => {
  test.setTimeout(120_000);
  const id = await openInspected(page, own, document);
  await select(page, 'Card');
  await page.locator('#editor-stage').focus();
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(async () => (await readOf(page)).elements[0]?.['x']).toBe(110);
  await page.getByRole('treegrid').focus();
  await page.keyboard.press('Shift+Alt+ArrowRight');
  await expect.poll(async () => (await readOf(page)).elements[0]?.['time']).toBe(0.4);
  await openGroup(page, 'Effects');
  const isKept = page.waitForResponse(
    (answer) =>
      answer.url().includes('/draft') &&
      answer.request().method() === 'PUT' &&
      (answer.request().postData() ?? '').includes('opacity\\": \\"40%'),
  );
  await named(page, 'Opacity').fill('40');
  await named(page, 'Opacity').press('Enter');
  await isKept;
  const text = await textOf(page);
  await own.kill();
  await page.close();
  await own.start();

  const again = await context.newPage();
  await openTemplate(again, own, id);
  await expect(again.getByTestId('editor-recovered')).toContainText('were recovered');
  await again.getByRole('tab', { name: 'Inspector' }).click();
  expect(await textOf(again)).toBe(text);
  const { elements } = await readOf(again);
  expect(elements[0]).toMatchObject({ x: 110, time: 0.4, opacity: '40%' });
  // The first text of this window is what is stored: undo leads back to that.
  await again.getByRole('button', { name: /^Undo/ }).click();
  expect((await readOf(again)).elements[0]).toMatchObject({ x: 100, time: 0 });
});
