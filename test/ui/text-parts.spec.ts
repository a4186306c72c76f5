/**
 * Styles for parts of a text: each is one step that changes the tags alone, is seen in the picture, and is taken back
 * to the byte.
 */
import type { Locator, Page } from '@playwright/test';
import { choice, named, openInspected, pane, readOf, select, textOf } from './inspector-page.ts';
import { checkRules, isDrawn } from './look.ts';
import { expect, test } from './program.ts';

/** Two lines of one property, and spaces as their author likes them. */
const document = `{
  "output_format": "mp4", "width": 800, "height": 450, "duration": 2,
  "fill_color": "#ffffff",
  "elements": [
    { "name": "Title",   "type": "text", "text": "Our new house",
      "width": "90%", "height": "60%", "x_alignment": "50%", "y_alignment": "50%", "font_family": "Open Sans",
      "font_size": "12 vmin",   "fill_color": "#101418" },
    { "name": "Other", "type": "text", "text": "[weight 700]Some[/weight] more", "y": "90%", "font_size": "6 vmin", "fill_color": "#101418" }
  ]
}`;

const bar = (page: Page): Locator => page.getByTestId('text-part');
const wholeText = async (page: Page, index = 0): Promise<unknown> =>
  (await readOf(page)).elements[index]?.['text'];

/** Selects letters in a box, as a person drags over them. */
async function selectLetters(box: Locator, from: number, to: number): Promise<void> {
  await box.evaluate(
    (area: HTMLTextAreaElement, [start, end]) => {
      area.focus();
      area.setSelectionRange(start ?? 0, end ?? 0);
    },
    [from, to],
  );
}

/** Pixels of the picture that are nearly of a colour. */
const pixelsOf = (page: Page, color: readonly [number, number, number]): Promise<number> =>
  page
    .locator('#editor-stage .frame')
    .last()
    .evaluate((frame, [red, green, blue]) => {
      const picture = frame.querySelector('canvas, img') as HTMLCanvasElement | HTMLImageElement;
      const copy = new OffscreenCanvas(400, 225);
      const brush = copy.getContext('2d');
      brush?.drawImage(picture, 0, 0, 400, 225);
      const { data = [] } = brush?.getImageData(0, 0, 400, 225) ?? {};
      let count = 0;
      for (let at = 0; at < data.length; at += 4) {
        const near = (index: number, wanted: number): boolean =>
          Math.abs((data[at + index] ?? 0) - wanted) < 40;
        if (near(0, red) && near(1, green) && near(2, blue)) count += 1;
      }
      return count;
    }, color);

interface Row {
  readonly what: string;
  readonly act: (page: Page) => Promise<void>;
  readonly gives: string;
}

const rows: readonly Row[] = [
  {
    what: 'bold by its button',
    act: async (page) => bar(page).getByRole('button', { name: 'Selected letters bold' }).click(),
    gives: 'Our [weight 700]new[/weight] house',
  },
  {
    what: 'italic by its keys',
    act: async (page) => page.keyboard.press('Control+i'),
    gives: 'Our [style italic]new[/style] house',
  },
  {
    what: 'a colour that is typed',
    act: async (page) => bar(page).getByRole('textbox', { name: 'Colour' }).fill('#e03131'),
    gives: 'Our [color #e03131]new[/color] house',
  },
  {
    what: 'a size by arrow keys',
    act: async (page) => {
      const size = bar(page).getByRole('textbox', { name: 'Size' });
      await size.press('Shift+ArrowUp');
      await size.press('Shift+ArrowUp');
      await size.press('Tab');
    },
    gives: 'Our [size 120%]new[/size] house',
  },
  {
    what: 'a weight by its name',
    act: async (page) => {
      await bar(page)
        .getByRole('combobox', { name: 'Weight' })
        .selectOption({ label: 'Light 300' });
    },
    gives: 'Our [weight 300]new[/weight] house',
  },
  {
    what: 'a font from the list',
    act: async (page) => {
      await bar(page)
        .getByRole('button', { name: /^Font: / })
        .click();
      const list = page.getByRole('dialog', { name: 'Fonts' });
      await list.getByRole('combobox').fill('montserrat');
      await expect(list.getByRole('option', { name: 'Montserrat', exact: true })).toBeVisible();
      await list.getByRole('combobox').press('Enter');
      await expect(list).toHaveCount(0);
    },
    gives: 'Our [family Montserrat]new[/family] house',
  },
];

test('each style of selected letters is one step, and is taken back to the byte', async ({
  page,
  program,
}) => {
  test.setTimeout(180_000);
  await openInspected(page, program, document);
  const undo = page.getByRole('button', { name: /^Undo/ });
  for (const { what, act, gives } of rows) {
    await test.step(what, async () => {
      await select(page, 'Title');
      await selectLetters(named(page, 'Text'), 4, 7);
      await expect(bar(page)).toHaveAccessibleName('Selected letters: new');
      await act(page);
      await expect.poll(() => wholeText(page)).toBe(gives);
      await expect(undo).toHaveAccessibleName('Undo: Style letters');
      // What is typed shows no tags.
      await expect(named(page, 'Text')).toHaveValue('Our new house');
      expect(await textOf(page)).toBe(document.replace('Our new house', gives));
      await undo.click();
      expect(await textOf(page)).toBe(document);
    });
  }
});

test('letters of a part look so in the picture, merge with their neighbours, and are reset', async ({
  page,
  program,
}) => {
  await openInspected(page, program, document);
  await select(page, 'Title');
  const box = named(page, 'Text');
  expect(await pixelsOf(page, [224, 49, 49])).toBe(0);
  await selectLetters(box, 0, 7);
  await bar(page).getByRole('textbox', { name: 'Colour' }).fill('#e03131');
  await expect.poll(() => pixelsOf(page, [224, 49, 49])).toBeGreaterThan(100);
  await selectLetters(box, 4, 13);
  await expect(bar(page).getByRole('textbox', { name: 'Colour' })).toHaveAttribute(
    'placeholder',
    'Mixed',
  );
  await bar(page).getByRole('textbox', { name: 'Colour' }).fill('#e03131');
  await expect.poll(() => wholeText(page)).toBe('[color #e03131]Our new house[/color]');
  await selectLetters(box, 4, 7);
  await bar(page)
    .getByRole('button', { name: /without a style/ })
    .click();
  await expect
    .poll(() => wholeText(page))
    .toBe('[color #e03131]Our [/color]new[color #e03131] house[/color]');
  await expect(bar(page).getByRole('button', { name: /without a style/ })).toBeDisabled();
  await page.keyboard.press('Control+b');
  await expect(bar(page).getByRole('button', { name: 'Selected letters bold' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  // Letters typed later are like those before them.
  await selectLetters(box, 7, 7);
  await box.pressSequentially('est');
  await expect
    .poll(() => wholeText(page))
    .toBe('[color #e03131]Our [/color][weight 700]newest[/weight][color #e03131] house[/color]');
});

test('letters are styled where they are typed in the picture', async ({ page, program }) => {
  await openInspected(page, program, document);
  await select(page, 'Title');
  await page.locator('#editor-stage').focus();
  await page.keyboard.press('Enter');
  const typed = page.getByTestId('canvas-text');
  await expect(typed).toHaveValue('Our new house');
  await selectLetters(typed, 8, 13);
  await expect(bar(page)).toHaveAccessibleName('Selected letters: house');
  await bar(page).getByRole('button', { name: 'Selected letters bold' }).click();
  // It is still typed in.
  await expect(typed).toBeFocused();
  await page.keyboard.press('Control+i');
  await expect
    .poll(() => wholeText(page))
    .toBe('Our new [weight 700][style italic]house[/style][/weight]');
  await page.locator('#editor-stage').focus();
  await page.keyboard.press('Enter');
  await typed.press('End');
  await typed.pressSequentially('s');
  await expect
    .poll(() => wholeText(page))
    .toBe('Our new [weight 700][style italic]houses[/style][/weight]');
  await page.keyboard.press('Escape');
  const undo = page.getByRole('button', { name: /^Undo/ });
  for (let steps = 0; steps < 5 && (await textOf(page)) !== document; steps += 1)
    await undo.click();
  expect(await textOf(page)).toBe(document);
});

test('what a tagged text says is typed without its tags, and a bold element has regular letters', async ({
  page,
  program,
}) => {
  await openInspected(page, program, document);
  await select(page, 'Other');
  const box = named(page, 'Text');
  await expect(box).toHaveValue('Some more');
  await box.press('End');
  await box.pressSequentially('!');
  await expect.poll(() => wholeText(page, 1)).toBe('[weight 700]Some[/weight] more!');
  await choice(page, 'Font weight').selectOption({ label: 'Bold 700' });
  await selectLetters(box, 5, 9);
  await page.keyboard.press('Control+b');
  await expect
    .poll(() => wholeText(page, 1))
    .toBe('[weight 700]Some[/weight] [weight 400]more[/weight]!');
  // Within one task, as on a busy machine: the browser has told nothing of the selection yet when the key comes.
  await box.evaluate((area: HTMLTextAreaElement) => {
    area.focus();
    area.setSelectionRange(0, 4);
    const key = { key: 'i', code: 'KeyI', ctrlKey: true, bubbles: true, cancelable: true };
    area.dispatchEvent(new KeyboardEvent('keydown', key));
  });
  await expect
    .poll(() => wholeText(page, 1))
    .toBe('[weight 700][style italic]Some[/style][/weight] [weight 400]more[/weight]!');
});

test('the bar keeps the rules of accessibility', { tag: '@long' }, async ({ page, program }) => {
  await openInspected(page, program, document);
  await select(page, 'Title');
  await selectLetters(named(page, 'Text'), 4, 7);
  await expect(bar(page)).toBeVisible();
  for (const [width, height, zoom] of [
    [1280, 800, 'plain'],
    [640, 400, 'zoom'],
  ] as const) {
    await page.setViewportSize({ width, height });
    if (zoom === 'zoom') await page.getByRole('tab', { name: 'Inspector' }).click();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await bar(page).scrollIntoViewIfNeeded();
      await isDrawn(page);
      await checkRules(page, `letters, ${colorScheme}, ${zoom}`, '[data-testid=inspector]');
      const folder = process.env['LOOK_AT'];
      if (folder !== undefined)
        await page.screenshot({ path: `${folder}/letters-${colorScheme}-${zoom}.png` });
    }
  }
  await expect(pane(page)).toBeVisible();
});
