/**
 * Keyframes from the inspector and the timeline: each is one step, moves what is seen, and is taken back to the byte.
 */
import type { Locator, Page } from '@playwright/test';
import { named, openInspected, pane, readOf, select, textOf } from './inspector-page.ts';
import { checkRules, isDrawn } from './look.ts';
import { expect, test } from './program.ts';

const document = `{
  "output_format": "mp4", "width": 400, "height": 200, "duration": 4, "frame_rate": 20, "fill_color": "#ffffff",
  "elements": [
    { "name": "Card", "type": "shape", "width": "10%", "height": "40%",  "y": "50%", "fill_color": "#e03131",
      "x": [ { "time": 0, "value": "10%" }, { "time": 2, "value": "90%" , "easing": "linear"}, { "time": "end", "value": "50%" } ] }
  ]
}`;

const diamond = (page: Page, name: string): Locator =>
  pane(page)
    .getByRole('group', { name, exact: true })
    .getByRole('button', { name: /keyframe at the playhead/ });
const easing = (where: Locator): Locator =>
  where.getByRole('button', { name: /^Easing to (this|the next) keyframe/ });

/** The middle of what is red in the picture, in pixels of the document; null where nothing is. */
const middleOf = (page: Page): Promise<number | null> =>
  page
    .locator('#editor-stage .frame')
    .last()
    .evaluate((frame) => {
      const picture = frame.querySelector('canvas, img') as HTMLCanvasElement | HTMLImageElement;
      const copy = new OffscreenCanvas(400, 200);
      const brush = copy.getContext('2d');
      brush?.drawImage(picture, 0, 0, 400, 200);
      const { data = [] } = brush?.getImageData(0, 100, 400, 1) ?? {};
      const red = Array.from({ length: 400 }, (_, x) => x).filter(
        (x) => (data[x * 4] ?? 0) > 180 && (data[x * 4 + 1] ?? 255) < 120,
      );
      return red.length === 0 ? null : ((red[0] ?? 0) + (red.at(-1) ?? 0)) / 2;
    });

/** The playhead to a moment. */
const goTo = (page: Page, seconds: number): Promise<void> =>
  page.getByRole('slider', { name: 'Time', exact: true }).fill(String(seconds * 20));

test('the diamond says whether there are keyframes, sets and removes one, and the arrows lead to the others', async ({
  page,
  program,
}) => {
  await openInspected(page, program, document);
  await select(page, 'Card');
  const position = diamond(page, 'Position');
  await expect(position).toHaveAttribute('data-keyed', 'here');
  await expect(diamond(page, 'Rotation')).toHaveAttribute('data-keyed', 'none');
  await goTo(page, 1);
  await expect(position).toHaveAttribute('data-keyed', 'some');
  const row = pane(page).getByRole('group', { name: 'Position', exact: true });
  await row.getByRole('button', { name: 'To the next keyframe: Position' }).click();
  await expect(page.getByTestId('timeline').locator('.key.chosen')).toHaveCount(1);
  await expect(position).toHaveAttribute('data-keyed', 'here');
  await row.getByRole('button', { name: 'To the next keyframe: Position' }).click();
  await expect(row.getByRole('button', { name: 'To the next keyframe: Position' })).toBeDisabled();
  await row.getByRole('button', { name: 'To the previous keyframe: Position' }).click();
  await expect(position).toHaveAttribute('data-keyed', 'here');
  const undo = page.getByRole('button', { name: /^Undo/ });
  await goTo(page, 1);
  await diamond(page, 'Rotation').click();
  await expect(undo).toHaveAccessibleName('Undo: Add a keyframe at the playhead: Rotation');
  await expect(diamond(page, 'Rotation')).toHaveAttribute('data-keyed', 'here');
  await expect
    .poll(async () => (await readOf(page)).elements[0]?.['z_rotation'])
    .toEqual([{ time: 1, value: '0°' }]);
  await undo.click();
  expect(await textOf(page)).toBe(document);
});

test('the easing of one keyframe is a step from the inspector and the timeline, and moves the picture', async ({
  page,
  program,
}) => {
  await openInspected(page, program, document);
  await select(page, 'Card');
  const row = pane(page).getByRole('group', { name: 'Position', exact: true });
  // Nothing leads to the first one.
  await expect(easing(row)).toHaveCount(0);
  await goTo(page, 0.5);
  await expect.poll(() => middleOf(page)).toBeCloseTo(120, -1);
  await expect(easing(row)).toHaveAccessibleName('Easing to the next keyframe: Linear');
  await row.getByRole('button', { name: /^To the next keyframe/ }).click();
  await expect(easing(row)).toHaveAccessibleName('Easing to this keyframe: Linear');
  await easing(row).click();
  await page
    .getByRole('dialog', { name: 'Easings' })
    .getByRole('button', { name: 'Quintic in', exact: true })
    .click();
  await page.keyboard.press('Escape');
  const changed = document.replace('"linear"', '"quintic-in"');
  expect(await textOf(page)).toBe(changed);
  const undo = page.getByRole('button', { name: /^Undo/ });
  await expect(undo).toHaveAccessibleName('Undo: Change the easing of keyframes');
  await goTo(page, 0.5);
  await expect.poll(() => middleOf(page)).toBeCloseTo(40, -1);
  await undo.click();
  expect(await textOf(page)).toBe(document);
  await expect.poll(() => middleOf(page)).toBeCloseTo(120, -1);

  // A diamond of the timeline is pressed.
  await page.getByTestId('timeline').getByTestId('keyframe').nth(2).click();
  const bar = page.getByRole('toolbar', { name: 'Timeline' });
  await easing(bar).click();
  await page
    .getByRole('dialog', { name: 'Easings' })
    .getByRole('button', { name: 'Bounce out', exact: true })
    .click();
  await page.keyboard.press('Escape');
  await expect
    .poll(() => textOf(page))
    .toBe(document.replace('"value": "50%" }', '"value": "50%", "easing": "bounce-out" }'));
  await undo.click();
  expect(await textOf(page)).toBe(document);
});

test('a field with keyframes stays a field: it changes the keyframe at the playhead, or adds one there', async ({
  page,
  program,
}) => {
  await openInspected(page, program, document);
  await select(page, 'Card');
  const x = named(page, 'X position');
  await expect(x).toHaveValue('10');
  await goTo(page, 2);
  await expect(x).toHaveValue('90');
  await x.fill('80');
  await x.press('Enter');
  await expect.poll(() => middleOf(page)).toBeCloseTo(320, -1);
  expect(await textOf(page)).toBe(document.replace('90%', '80%'));
  await goTo(page, 1);
  await expect(x).toHaveValue('45');
  await expect(diamond(page, 'Position')).toHaveAttribute('data-keyed', 'some');
  await x.fill('20');
  await x.press('Enter');
  await expect(diamond(page, 'Position')).toHaveAttribute('data-keyed', 'here');
  await expect(page.getByTestId('timeline').getByTestId('keyframe')).toHaveCount(4);
  const row = pane(page).getByRole('group', { name: 'Position', exact: true });
  await row.getByRole('button', { name: 'Keyframes: Position' }).click();
  await page.getByRole('menuitem', { name: 'Remove all keyframes' }).click();
  await expect(diamond(page, 'Position')).toHaveAttribute('data-keyed', 'none');
  expect((await readOf(page)).elements[0]).toMatchObject({ x: '20%' });
  const undo = page.getByRole('button', { name: /^Undo/ });
  for (let steps = 0; steps < 3; steps++) await undo.click();
  expect(await textOf(page)).toBe(document);
});

test(
  'the keys of a property keep the rules of accessibility',
  { tag: '@long' },
  async ({ page, program }) => {
    await openInspected(page, program, document);
    await select(page, 'Card');
    await pane(page)
      .getByRole('button', { name: /^To the next keyframe/ })
      .click();
    await easing(pane(page)).scrollIntoViewIfNeeded();
    for (const [width, height, zoom] of [
      [1280, 800, 'plain'],
      [640, 400, 'zoom'],
    ] as const) {
      await page.setViewportSize({ width, height });
      if (zoom === 'zoom') await page.getByRole('tab', { name: 'Inspector' }).click();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await easing(pane(page)).scrollIntoViewIfNeeded();
        await isDrawn(page);
        await checkRules(page, `keys, ${colorScheme}, ${zoom}`, '[data-testid=inspector]');
        const folder = process.env['LOOK_AT'];
        if (folder !== undefined)
          await page.screenshot({ path: `${folder}/keys-${colorScheme}-${zoom}.png` });
      }
    }
  },
);
