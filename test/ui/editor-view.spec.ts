/** How the preview's picture is looked at: zoom to the pointer, full screen, safe areas, two moments together. */
import type { Locator, Page } from '@playwright/test';
import { openNewTemplate } from './editor-page.ts';
import { promo } from './editor-sources.ts';
import { expect, test } from './program.ts';

const previewOf = (page: Page): Locator => page.getByTestId('editor-preview');
const stageOf = (page: Page): Locator => page.locator('#editor-stage');
const frameOf = (page: Page): Locator => stageOf(page).locator('.frame').last();

async function boxOf(
  place: Locator,
): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await place.boundingBox();
  if (!box) throw new Error('It is not in the page.');
  return box;
}

test('the wheel with Ctrl zooms to the pointer, the middle button moves what is too large, and Fit comes back', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, promo);
  await expect(previewOf(page)).toHaveAttribute('data-state', 'ready');
  const before = await boxOf(frameOf(page));
  const pointer = { x: before.x + before.width * 0.25, y: before.y + before.height * 0.25 };
  await page.mouse.move(pointer.x, pointer.y);
  await page.keyboard.down('Control');
  for (let turn = 0; turn < 6; turn++) await page.mouse.wheel(0, -100);
  await page.keyboard.up('Control');
  await expect
    .poll(async () => (await boxOf(frameOf(page))).width)
    .toBeGreaterThan(before.width * 5);
  const after = await boxOf(frameOf(page));
  // What was under the pointer is under it still, to a pixel or two of the large picture.
  expect(Math.abs((pointer.x - after.x) / after.width - 0.25)).toBeLessThan(0.01);
  expect(Math.abs((pointer.y - after.y) / after.height - 0.25)).toBeLessThan(0.01);

  await page.mouse.down({ button: 'middle' });
  await page.mouse.move(pointer.x - 60, pointer.y - 40);
  await page.mouse.up({ button: 'middle' });
  const moved = await boxOf(frameOf(page));
  expect(Math.round(after.x - moved.x)).toBe(60);
  expect(Math.round(after.y - moved.y)).toBe(40);

  await page.keyboard.press('0');
  await expect.poll(async () => (await boxOf(frameOf(page))).width).toBe(before.width);
});

test('Space plays when it comes up; what is dragged meanwhile moves the picture, and nothing plays', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, promo);
  await stageOf(page).focus();
  const { x, y, width, height } = await boxOf(stageOf(page));
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.keyboard.down('Control');
  for (let turn = 0; turn < 6; turn++) await page.mouse.wheel(0, -100);
  await page.keyboard.up('Control');
  await expect.poll(async () => (await boxOf(frameOf(page))).width).toBeGreaterThan(width * 2);
  const before = await boxOf(frameOf(page));
  await page.keyboard.down('Space');
  await page.mouse.down();
  await page.mouse.move(x + width / 2 - 60, y + height / 2 - 40, { steps: 3 });
  await page.mouse.up();
  await page.keyboard.up('Space');
  const moved = await boxOf(frameOf(page));
  expect(Math.round(before.x - moved.x)).toBe(60);
  const play = previewOf(page).getByRole('button', { name: /^(Play|Pause)$/ });
  await expect(play).toHaveAccessibleName('Play');
  await expect(page.getByRole('button', { name: /^Undo/ })).toBeDisabled();
  await page.keyboard.press('Space');
  await expect(play).toHaveAccessibleName('Pause');
  await page.keyboard.press('Space');
  await expect(play).toHaveAccessibleName('Play');
});

test('the part that is played has a button that clears it, and is never empty; letters act only where they are meant', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, promo);
  await stageOf(page).focus();
  const slider = page.getByRole('slider', { name: 'Time', exact: true });
  const chip = previewOf(page).getByRole('button', { name: /^Plays only/ });
  await slider.fill('0');
  await stageOf(page).press('o');
  await expect(chip).toHaveCount(0);
  await slider.fill('10');
  await stageOf(page).press('i');
  await stageOf(page).press('o');
  await expect(chip).toHaveAccessibleName('Plays only 0:00.0–0:00.4. Play everything');
  await chip.click();
  await expect(chip).toHaveCount(0);
  // Nothing that takes letters itself leaves them to the editor, and nothing takes them where nothing has the focus.
  await page.getByRole('tab', { name: 'Outline' }).click();
  for (const place of [page.locator('body'), page.getByRole('treeitem').first()]) {
    await place.press('i');
    await place.press('o');
    await place.press('m');
  }
  await expect(chip).toHaveCount(0);
  await expect(page.getByTestId('markers').getByRole('gridcell')).toHaveCount(0);
});

test('a film whose elements enter later opens where its picture is taken, with something to take hold of', async ({
  page,
  program,
}) => {
  const title = { type: 'text', text: 'Title', x: '50%', y: '50%', font_size: 120 };
  const fade = { type: 'fade', time: 'start', duration: 1 };
  const source = {
    ...{ output_format: 'mp4', width: 640, height: 360, frame_rate: 25, duration: 4 },
    ...{ snapshot_time: 3.2, elements: [{ ...title, animations: [fade] }] },
  };
  await openNewTemplate(page, program, source, 'Later');
  await expect(previewOf(page)).toHaveAttribute('data-frame', '80');
  const { x, y, width, height } = await boxOf(frameOf(page));
  await page.mouse.click(x + width / 2, y + height / 2);
  await expect(page.getByTestId('arrange-bar')).toBeVisible();
  // Where something is seen at first, that is where it opens.
  const still = { ...source, elements: [title] };
  await openNewTemplate(page, program, still, 'At once');
  await expect(previewOf(page)).toHaveAttribute('data-live', 'ready');
  await expect(previewOf(page)).toHaveAttribute('data-frame', '0');
});

test('what is selected while it is only entering is shown as it stands', async ({
  page,
  program,
}) => {
  const fade = { type: 'fade', time: 'start', duration: 1 };
  await openNewTemplate(page, program, {
    ...{ output_format: 'mp4', width: 640, height: 360, frame_rate: 25, duration: 4 },
    elements: [
      { type: 'shape', name: 'Card', width: '40%', height: '40%', fill_color: '#d9480f' },
      { type: 'text', name: 'Title', text: 'Title', y: '20%', font_size: 60, animations: [fade] },
    ],
  });
  await expect(previewOf(page)).toHaveAttribute('data-live', 'ready');
  await expect(previewOf(page)).toHaveAttribute('data-frame', '0');
  await page.getByRole('tab', { name: 'Outline' }).click();
  await page.getByRole('treeitem', { name: /^Title,/ }).click();
  await expect(previewOf(page)).toHaveAttribute('data-frame', '25');
  await expect(page.getByTestId('selection-frame')).toBeVisible();
  // It is seen at this moment, so that the playhead stays.
  await page.getByRole('treeitem', { name: /^Card,/ }).click();
  await expect(page.getByTestId('handle-turn')).toBeVisible();
  await expect(previewOf(page)).toHaveAttribute('data-frame', '25');
});

test('F shows the preview in full screen with a sharper picture, Esc leaves it', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, promo);
  await expect(previewOf(page)).toHaveAttribute('data-state', 'ready');
  const sides: unknown[] = [];
  page.on('request', (request) => {
    if (!request.url().endsWith('/api/preview')) return;
    const body: unknown = request.postDataJSON();
    sides.push((body as { side?: unknown }).side);
  });
  await stageOf(page).focus();
  await page.keyboard.press('f');
  const { width, height } = page.viewportSize()!;
  await expect
    .poll(async () => await boxOf(previewOf(page)))
    .toEqual({ x: 0, y: 0, width, height });
  await expect.poll(() => sides.includes(1920)).toBe(true);
  // Menus are reached in it.
  await previewOf(page).getByRole('button', { name: 'Fit', exact: true }).click();
  await expect(page.getByRole('menuitemcheckbox', { name: 'Full screen' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await previewOf(page).getByRole('button', { name: 'Leave full screen' }).click();
  await expect.poll(async () => (await boxOf(previewOf(page))).width).toBeLessThan(width);
});

test('safe areas of platforms that suit the picture are shown, remembered, and gone through by G', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, { ...promo, width: 1080, height: 1920 });
  await expect(previewOf(page)).toHaveAttribute('data-state', 'ready');
  await stageOf(page).focus();
  for (const name of ['tiktok', 'reels', 'stories', 'shorts']) {
    await page.keyboard.press('g');
    await expect(page.getByTestId(`guides-${name}`)).toBeVisible();
  }
  const frame = await boxOf(frameOf(page));
  const inner = await boxOf(page.getByTestId('guides-shorts').locator('.area'));
  expect(inner.y - frame.y).toBeCloseTo(frame.height * 0.15, 0);
  expect(frame.x + frame.width - inner.x - inner.width).toBeCloseTo((frame.width * 192) / 1080, 0);
  await page.reload();
  await expect(page.getByTestId('guides-shorts')).toBeVisible();
  await stageOf(page).focus();
  await page.keyboard.press('g');
  await expect(page.locator('[data-testid^=guides-]')).toHaveCount(0);
});

test('a pinned moment is compared with others by a divider, side by side, and as a difference', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, promo);
  await expect(previewOf(page)).toHaveAttribute('data-state', 'ready');
  await stageOf(page).focus();
  await page.keyboard.press('End');
  await expect(previewOf(page)).toHaveAttribute('data-state', 'ready');
  await page.keyboard.press('p');
  const divider = page.getByRole('slider', { name: 'Divider between the two moments' });
  await expect(divider).toHaveAttribute('aria-valuenow', '50');
  await divider.focus();
  await page.keyboard.press('ArrowRight');
  await expect(divider).toHaveAttribute('aria-valuenow', '52');
  await page.keyboard.press('Home');
  await stageOf(page).focus();
  await page.keyboard.press('Home');
  await expect(page.getByText('Now 00:00.00')).toBeVisible();
  await expect(page.getByText(/^Pinned 00:03/)).toBeVisible();

  const choose = async (name: string): Promise<void> => {
    await previewOf(page).getByRole('button', { name: 'Fit', exact: true }).click();
    await page.getByRole('menuitemradio', { name, exact: true }).click();
  };
  await choose('Side by side');
  await expect(stageOf(page).locator('.frame')).toHaveCount(2);
  await choose('Difference');
  await expect(stageOf(page).locator('.frame')).toHaveCount(1);
  // The same moment twice leaves nothing but black.
  await stageOf(page).focus();
  await page.keyboard.press('End');
  await expect(page.getByText(/^Now 00:03/)).toBeVisible();
  await page.keyboard.press('p');
  await expect(page.getByText(/^Pinned/)).toHaveCount(0);
});

test('the picture has the room of the window, alone with Alt 0, and no bar lies over a handle', async ({
  page,
  program,
}) => {
  const shape = { type: 'shape', path: 'M 0 0 L 100 0 L 100 100 L 0 100 Z', fill_color: '#27465f' };
  const film = (width: number, height: number): object => ({
    ...{ output_format: 'mp4', width, height, frame_rate: 25, duration: 4 },
    elements: [{ ...shape, width: '100%', height: '100%' }],
  });
  const bar = page.getByTestId('arrange-bar');
  // Least widths and heights of the picture at 1440 × 900: of a tall one, a wide one, and those between.
  const shapes = [
    { size: [1080, 1920], least: [314, 560] },
    { size: [1920, 1080], least: [820, 460] },
    { size: [1440, 1080], least: [700, 525] },
    { size: [1080, 1080], least: [560, 560] },
  ] as const;
  for (const { size, least } of shapes) {
    const [width, height] = size;
    await openNewTemplate(page, program, film(width, height), `${width} × ${height}`);
    const frame = frameOf(page);
    const { x, y, ...seen } = await boxOf(frame);
    expect(seen.width).toBeGreaterThanOrEqual(least[0]);
    expect(seen.height).toBeGreaterThanOrEqual(least[1]);
    await page.mouse.click(x + seen.width / 2, y + seen.height / 2);
    await expect(bar).toBeVisible();
    const over = await boxOf(bar);
    for (const handle of await page.locator('[data-testid^="handle-"]').all()) {
      const at = await boxOf(handle);
      const isBeside = at.x >= over.x + over.width || at.x + at.width <= over.x;
      expect(isBeside || at.y >= over.y + over.height, `${width} × ${height}`).toBe(true);
    }
    await page.setViewportSize({ width: 1920, height: 1080 });
    await expect
      .poll(async () => (await boxOf(frame)).height)
      .toBeGreaterThanOrEqual((least[1] * 1080) / 900);
  }

  await page.setViewportSize({ width: 1440, height: 900 });
  const left = page.getByRole('tab', { name: 'Outline' });
  const parts = [left, page.getByRole('tab', { name: 'Inspector' }), page.getByTestId('timeline')];
  await page.keyboard.press('Alt+0');
  for (const part of parts) await expect(part).toBeHidden();
  await expect.poll(async () => (await boxOf(frameOf(page))).height).toBeGreaterThan(700);
  await page.reload();
  await expect(previewOf(page)).toHaveAttribute('data-state', 'ready');
  for (const part of parts) await expect(part).toBeHidden();
  await page.getByRole('button', { name: 'Hide panels, or show them' }).click();
  for (const part of parts) await expect(part).toBeVisible();
});
