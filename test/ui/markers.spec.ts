/**
 * Markers of the timeline: each change is one step, kept by saving and through a crash, and the document is left alone.
 */
import type { Locator, Page } from '@playwright/test';
import { markerColors } from '../../shared/markers.ts';
import { codeOf, openNewTemplate, openTemplate } from './editor-page.ts';
import { checkRules } from './look.ts';
import { expect, test } from './program.ts';

const document = {
  output_format: 'mp4',
  ...{ width: 320, height: 180, duration: 8, frame_rate: 25 },
  elements: [
    {
      type: 'shape',
      name: 'One',
      track: 1,
      duration: 3,
      width: '40%',
      height: '40%',
      fill_color: '#d9480f',
    },
    {
      type: 'shape',
      name: 'Two',
      track: 2,
      time: 4,
      duration: 2,
      width: '40%',
      height: '40%',
      fill_color: '#2f9e44',
    },
  ],
};

const grid = (page: Page): Locator => page.getByRole('treegrid');
const flags = (page: Page): Locator => page.getByTestId('markers').getByRole('gridcell');
const undo = (page: Page): Promise<void> =>
  page.getByRole('button', { name: /^Undo/ }).first().click();

/** The playhead to a moment, as a person leads it. */
async function head(page: Page, seconds: number): Promise<void> {
  const scale = Number(await page.getByTestId('timeline').getAttribute('data-scale'));
  const clip = (await page.getByRole('gridcell', { name: /^Shape One,/ }).boundingBox())!;
  const { y } = (await page.getByTestId('timeline-ruler').boundingBox())!;
  await page.mouse.click(clip.x + seconds * scale + 0.5, y + 12);
}

const namesOf = (page: Page): Promise<readonly (string | null)[]> =>
  flags(page).evaluateAll((cells) => cells.map((cell) => cell.ariaLabel));

test('markers are added, named, coloured, moved, deleted and gone through by keyboard, each one step', async ({
  page,
  program,
}) => {
  const id = await openNewTemplate(page, program, document, 'Marked');
  const before = await codeOf(page);
  await head(page, 1);
  await grid(page).focus();
  await page.keyboard.press('m');
  await head(page, 5);
  await page.keyboard.press('m');
  await expect(flags(page)).toHaveCount(2);
  await page.keyboard.press('Shift+Alt+m');
  // Where there is one, the key names it.
  await page.keyboard.press('m');
  const name = page.getByRole('textbox', { name: 'Name of the marker' });
  await expect(name).toBeFocused();
  await page.keyboard.type('Drop');
  await page.keyboard.press('Enter');
  await expect(grid(page)).toBeFocused();
  await expect
    .poll(() => namesOf(page))
    .toEqual(['Marker at 00:01.00: Drop, Blue', 'Marker at 00:05.00: no name, Blue']);
  const active = async (): Promise<string | null> => {
    const current = await grid(page).getAttribute('aria-activedescendant');
    return page.locator(`[id="${current}"]`).getAttribute('aria-label');
  };
  expect(await active()).toContain('Drop');
  await page.keyboard.press('ArrowRight');
  expect(await active()).toContain('00:05.00');
  await page.keyboard.press('Alt+ArrowRight');
  await page.keyboard.press('Shift+Alt+ArrowRight');
  await expect.poll(() => namesOf(page)).toContain('Marker at 00:05.44: no name, Blue');
  await page.getByRole('radio', { name: 'Blue' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => namesOf(page)).toContain('Marker at 00:05.44: no name, Purple');
  await page.getByRole('radio', { name: 'Purple' }).press('Escape');
  await expect(grid(page)).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Delete');
  await expect(flags(page)).toHaveCount(1);
  // Down leads to the clips, up from the first one back.
  await page.keyboard.press('ArrowDown');
  expect(await active()).toContain('Two');
  await page.keyboard.press('ArrowUp');
  expect(await active()).toContain('Purple');

  expect(await codeOf(page)).toBe(before);
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('button', { name: /^Save/ })).toBeDisabled();
  // The button rests while it is being saved, too.
  await expect
    .poll(async () => (await program.opened(id)).markers)
    .toEqual([{ time: 5.44, name: '', color: 'purple' }]);

  await undo(page);
  await expect(flags(page)).toHaveCount(2);
  await undo(page);
  // Both keys that moved it are one step.
  await undo(page);
  await undo(page);
  await expect
    .poll(() => namesOf(page))
    .toEqual(['Marker at 00:01.00: no name, Blue', 'Marker at 00:05.00: no name, Blue']);
  await undo(page);
  await undo(page);
  await expect(page.getByTestId('markers')).toHaveCount(0);
  await page.getByRole('button', { name: /^Redo/ }).first().click();
  await expect(flags(page)).toHaveCount(1);
  expect(await codeOf(page)).toBe(before);
});

test('a marker is dragged, keeps to edges, clips keep to it, and Esc lets go of it', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, document, 'Marked');
  await head(page, 2);
  await page.getByRole('button', { name: 'Add a marker' }).click();
  const flag = flags(page).first();
  const scale = Number(await page.getByTestId('timeline').getAttribute('data-scale'));
  const drag = async (seconds: number, off: number, end = true): Promise<void> => {
    const { x, y, height } = (await flag.boundingBox())!;
    await page.mouse.move(x + 3, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + 3 + seconds * scale * 0.5, y + height / 2, { steps: 2 });
    await page.mouse.move(x + 3 + seconds * scale + off, y + height / 2, { steps: 2 });
    if (end) await page.mouse.up();
  };
  // Beside the end of the first clip: it keeps to that.
  await drag(1, 4);
  await expect.poll(() => namesOf(page)).toEqual(['Marker at 00:03.00: no name, Blue']);
  await drag(2, 0, false);
  await expect(flag).toHaveAttribute('aria-label', /00:05\.0/);
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await expect.poll(() => namesOf(page)).toEqual(['Marker at 00:03.00: no name, Blue']);
  // A clip keeps to the marker.
  await drag(4.2, 0);
  await page.getByTestId('timeline').getByRole('treegrid').focus();
  const clip = (await page.getByRole('gridcell', { name: /^Shape Two,/ }).boundingBox())!;
  const at = Number((await namesOf(page))[0]?.match(/00:0(\d\.\d\d)/)?.[1]);
  const middle = clip.y + clip.height / 2;
  await page.mouse.move(clip.x + clip.width - 3, middle);
  await page.mouse.down();
  await page.mouse.move(clip.x + clip.width + 20, middle, { steps: 2 });
  await page.mouse.move(clip.x + clip.width - 3 + (at - 6) * scale + 4, middle, { steps: 2 });
  await expect(page.getByTestId('timeline-guide')).toBeVisible();
  await page.mouse.up();
  const { elements } = JSON.parse(await codeOf(page)) as { elements: { duration: number }[] };
  expect(4 + (elements[1]?.duration ?? 0)).toBeCloseTo(at, 2);
  // A copy in another format has them, too.
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Inspector' }).click();
  await page.getByRole('button', { name: 'Change the format…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the format' });
  await dialog.getByRole('button', { name: 'Save as a copy' }).click();
  await expect(dialog).toHaveCount(0);
  const before = await namesOf(page);
  await page.getByTestId('toasts').getByRole('button', { name: 'Open' }).click();
  await expect(page.getByRole('textbox', { name: 'Template name' })).toHaveValue(
    /180×320|1080×1920/,
  );
  await expect.poll(() => namesOf(page)).toEqual(before);
});

test('markers outlive a crash as part of the draft, and an older version of the document', async ({
  page,
  context,
  own,
}) => {
  test.setTimeout(120_000);
  const id = await openNewTemplate(page, own, document, 'Marked');
  await head(page, 1);
  const isKept = page.waitForResponse(
    (answer) => answer.url().includes('/draft') && answer.request().method() === 'PUT',
  );
  await page.keyboard.press('m');
  await isKept;
  await own.kill();
  await page.close();
  await own.start();
  const again = await context.newPage();
  await again.setViewportSize({ width: 1440, height: 900 });
  await openTemplate(again, own, id);
  await expect(again.getByTestId('editor-recovered')).toContainText('were recovered');
  await expect(flags(again)).toHaveCount(1);
  await undo(again);
  await expect(flags(again)).toHaveCount(0);
  await again.getByRole('button', { name: /^Redo/ }).first().click();
  await expect(flags(again)).toHaveCount(1);
});

test(
  'markers look right and keep the rules in both themes',
  { tag: '@long' },
  async ({ page, program }) => {
    const id = await openNewTemplate(page, program, document, 'Marked');
    const markers = markerColors.map((color, index) => ({
      ...{ time: 0.3 + index * 0.9, color },
      name: index === 2 ? '' : `Verse ${index}, a long name for a mark`,
    }));
    const { template, source } = await program.opened(id);
    const { name, tags, updatedAt } = template;
    await program.save(id, { name, tags, source, markers, base: updatedAt });
    await expect(flags(page)).toHaveCount(7);
    await flags(page).nth(3).click();
    for (const theme of ['light', 'dark']) {
      await page.evaluate((name) => (window.document.documentElement.dataset.theme = name), theme);
      await checkRules(page, `markers ${theme}`);
      if (process.env['SHOTS'])
        await page.screenshot({ path: `${process.env['SHOTS']}/markers-${theme}.png` });
    }
  },
);
