/**
 * Styles for parts of a text: each is one step that changes the tags alone, is seen in the picture, and is taken back
 * to the byte.
 */
import type { Locator, Page } from '@playwright/test';
import { codeOf } from './editor-page.ts';
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

/** One text of two lines, and one that is turned by a right angle and comes in letter by letter. */
const typedDocument = `{
  "output_format": "mp4", "width": 800, "height": 450, "duration": 2, "fill_color": "#ffffff",
  "elements": [
    { "name": "Lines", "type": "text", "text": "Our new house is by the sea", "x": 200, "y": 150,  "width": 300,
      "x_alignment": "50%", "font_family": "Open Sans", "font_size": 40, "fill_color": "#101418" },
    { "name": "Turned", "type": "text", "text": "Turned {{what}}", "x": 600, "y": 220, "z_rotation": 90,
      "font_family": "Open Sans", "font_size": 36, "fill_color": "#101418",
      "animations": [{ "time": "start", "duration": 2, "type": "text-typewriter" }] }
  ]
}`;

interface Extent {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The caret in the picture, pixels of the document. */
async function caretOf(page: Page): Promise<Extent> {
  const frame = await page.locator('#editor-stage .frame').last().boundingBox();
  const line = await page
    .getByTestId('typed-caret')
    .locator('.core')
    .evaluate((core: SVGLineElement) => {
      const { x1, y1, x2, y2 } = core;
      return [x1, y1, x2, y2].map(({ baseVal }) => baseVal.value);
    });
  expect(frame!.width).toBeGreaterThan(0);
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = line;
  return {
    left: Math.min(x1, x2),
    right: Math.max(x1, x2),
    top: Math.min(y1, y2),
    bottom: Math.max(y1, y2),
  };
}

/** Around the dark pixels of a part of the picture, in pixels of the document; its letters are there. */
const inkOf = (page: Page, part: Extent): Promise<Extent> =>
  page
    .locator('#editor-stage .frame')
    .last()
    .evaluate((frame, { left, right, top, bottom }) => {
      const picture = frame.querySelector('canvas') as HTMLCanvasElement;
      const brush = new OffscreenCanvas(800, 450).getContext('2d');
      brush?.drawImage(picture, 0, 0, 800, 450);
      const { data = [] } = brush?.getImageData(0, 0, 800, 450) ?? {};
      const ink = { left: 800, right: 0, top: 450, bottom: 0 };
      for (let y = Math.floor(top); y < bottom; y += 1)
        for (let x = Math.floor(left); x < right; x += 1) {
          if ((data[(y * 800 + x) * 4] ?? 255) > 128) continue;
          ink.left = Math.min(ink.left, x);
          ink.right = Math.max(ink.right, x + 1);
          ink.top = Math.min(ink.top, y);
          ink.bottom = Math.max(ink.bottom, y + 1);
        }
      return ink;
    }, part);

/** A point of the document in the page. */
async function pointAt(page: Page, x: number, y: number): Promise<[number, number]> {
  const frame = await page.locator('#editor-stage .frame').last().boundingBox();
  const scale = frame!.width / 800;
  return [frame!.x + x * scale, frame!.y + y * scale];
}

/** What the source says of a text, while it is typed. */
const said = async (page: Page, index = 0): Promise<unknown> =>
  (JSON.parse(await codeOf(page)) as { elements: readonly { readonly text: string }[] }).elements[
    index
  ]?.text;

/** Esc, and one Undo brings back the bytes. */
async function takeBack(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('canvas-text')).toHaveCount(0);
  expect(await codeOf(page)).not.toBe(typedDocument);
  await page.getByRole('button', { name: /^Undo/ }).click();
  expect(await codeOf(page)).toBe(typedDocument);
}

test('a text is typed in its place, with the caret at its letters', async ({ page, program }) => {
  test.setTimeout(90_000);
  await openInspected(page, program, typedDocument);
  await page.getByRole('tab', { name: 'Source' }).click();
  const typed = page.getByTestId('canvas-text');
  const upper = { left: 40, right: 360, top: 105, bottom: 145 };
  const lower = { left: 40, right: 360, top: 155, bottom: 185 };

  await test.step('two clicks put the caret, in a line that was broken', async () => {
    await page.mouse.dblclick(...(await pointAt(page, 330, 175)));
    await expect(page.getByTestId('typed-caret')).toHaveCount(1);
    const [end, ink] = [await caretOf(page), await inkOf(page, lower)];
    expect(Math.abs(end.left - ink.right)).toBeLessThan(5);
    expect([end.top < ink.top, end.bottom > ink.top + 20]).toEqual([true, true]);
    await page.keyboard.press('Home');
    expect(Math.abs((await caretOf(page)).left - ink.left)).toBeLessThan(5);
    await page.keyboard.press('ArrowUp');
    expect((await caretOf(page)).bottom).toBeLessThan(ink.top);
    await page.keyboard.press('Home');
    expect(Math.abs((await caretOf(page)).left - (await inkOf(page, upper)).left)).toBeLessThan(6);
    // Nothing of a form is to be seen.
    await expect(typed).toHaveCSS('opacity', '0');
    expect((await typed.boundingBox())!.width).toBeLessThan(3);
    await expect(typed).toHaveAccessibleName('Text of the element');
  });

  await test.step('typed, in the middle of it', async () => {
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Home');
    await page.keyboard.type('it ');
    await expect.poll(() => said(page)).toBe('Our new house it is by the sea');
    await expect(typed).toBeFocused();
    const stroke = await caretOf(page);
    const before = await inkOf(page, { ...lower, right: stroke.left - 4 });
    const behind = await inkOf(page, { ...lower, left: stroke.left });
    expect(stroke.left - before.right).toBeGreaterThan(3);
    expect(Math.abs(behind.left - stroke.left)).toBeLessThan(6);
    await takeBack(page);
  });

  await test.step('selected by a drag, copied and pasted', async () => {
    await page.mouse.dblclick(...(await pointAt(page, 200, 125)));
    await expect(page.getByTestId('typed-caret')).toHaveCount(1);
    await page.mouse.move(...(await pointAt(page, 52, 125)));
    await page.mouse.down();
    await page.mouse.move(...(await pointAt(page, 200, 130)));
    await page.mouse.move(...(await pointAt(page, 347, 125)));
    await page.mouse.up();
    await expect(page.getByTestId('letters-bar')).toHaveAccessibleName(
      'Selected letters: Our new house',
    );
    const tint = await page.getByTestId('typed-selection').boundingBox();
    const [left] = await pointAt(page, (await inkOf(page, upper)).left, 0);
    expect(Math.abs(tint!.x - left)).toBeLessThan(6);
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Control+v');
    await expect.poll(() => said(page)).toBe('Our new house is by the seaOur new house');
    await takeBack(page);
  });

  await test.step('with an input method', async () => {
    await page.mouse.dblclick(...(await pointAt(page, 330, 175)));
    await expect(page.getByTestId('typed-caret')).toHaveCount(1);
    const devices = await page.context().newCDPSession(page);
    for (const text of ['に', 'にほ', 'にほん'])
      await devices.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
    await expect.poll(() => said(page)).toBe('Our new house is by the seaにほん');
    await devices.send('Input.insertText', { text: '日本' });
    await expect.poll(() => said(page)).toBe('Our new house is by the sea日本');
    await takeBack(page);
  });

  await test.step('two and three clicks select a word, and all of the line', async () => {
    await page.mouse.dblclick(...(await pointAt(page, 200, 125)));
    await expect(page.getByTestId('typed-caret')).toHaveCount(1);
    await page.waitForTimeout(600);
    await page.mouse.dblclick(...(await pointAt(page, 180, 125)));
    await expect(page.getByTestId('letters-bar')).toHaveAccessibleName('Selected letters: new');
    await page.mouse.click(...(await pointAt(page, 180, 125)), { clickCount: 3 });
    await expect(page.getByTestId('letters-bar')).toHaveAccessibleName(
      'Selected letters: Our new house is by the sea',
    );
    // A click beside it ends it.
    await page.mouse.click(...(await pointAt(page, 450, 420)));
    await expect(typed).toHaveCount(0);
  });

  await test.step('turned, at rest, with its placeholder as it is written', async () => {
    await page.getByRole('treeitem', { name: /^Turned/ }).click();
    await page.locator('#editor-stage').focus();
    await page.keyboard.press('Enter');
    await expect(typed).toHaveValue('Turned {{what}}');
    await page.keyboard.press('Control+Home');
    const part = { left: 570, right: 630, top: 10, bottom: 440 };
    const ink = await inkOf(page, part);
    expect(ink.bottom - ink.top).toBeGreaterThan(240);
    const begin = await caretOf(page);
    expect(Math.abs(begin.top - ink.top)).toBeLessThan(5);
    expect(begin.bottom - begin.top).toBeLessThan(1);
    await page.keyboard.press('End');
    expect(Math.abs((await caretOf(page)).top - ink.bottom)).toBeLessThan(5);
    await page.keyboard.type('!');
    await expect.poll(() => said(page, 1)).toBe('Turned {{what}}!');
    await takeBack(page);
  });

  await test.step('nothing, and a colour from the bar', async () => {
    await page.mouse.dblclick(...(await pointAt(page, 330, 175)));
    await expect(page.getByTestId('typed-caret')).toHaveCount(1);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Backspace');
    await expect.poll(() => said(page)).toBe('');
    await expect.poll(async () => (await caretOf(page)).left).toBeCloseTo(200, 0);
    await page.keyboard.type('New');
    await page.keyboard.press('Control+a');
    const colour = page.getByTestId('letters-bar').getByRole('textbox', { name: 'Colour' });
    await colour.fill('#e03131');
    await expect.poll(() => said(page)).toBe('[color #e03131]New[/color]');
    await checkRules(page, 'the bar over the picture', '[data-testid=letters-bar]');
    await colour.press('Escape');
    await expect(typed).toBeFocused();
  });
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
