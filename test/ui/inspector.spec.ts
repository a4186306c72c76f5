/** The inspector: each control is one step that changes what it should, and taken back leaves the same bytes. */
import type { Locator, Page } from '@playwright/test';
import { propertiesOf } from '../../shared/renderscript/properties.ts';
import { openNewTemplate } from './editor-page.ts';
import { brokenSources } from './editor-sources.ts';
import { someOf } from '../helpers/long.ts';
import {
  choice,
  named,
  openGroup,
  openInspected,
  pane,
  readOf,
  select,
  textOf,
  write,
} from './inspector-page.ts';
import { checkRules, isDrawn } from './look.ts';
import { expect, test } from './program.ts';

type Element = Readonly<Record<string, unknown>>;

/** Written as its author likes it: what a control leaves alone has to stay so. */
const document = `{
  "output_format": "mp4", "width": 800, "height": 600, "duration": 4,
  "variables": { "left": "10%" },
  "elements": [
    {
      "name": "Card", "type": "shape",
      "x": 200, "y": "150px", "width": "20vmin", "height": "100 px",
      "fill_color": "#d9480f"
    },
    { "name": "Words", "type": "text", "text": "Words", "dynamic": true, "x": "25%", "y": "75%", "font_size": "8 vmin", "fill_color": "#ffffff" },
    {"name": "Keyed", "type": "shape", "y": "{{left}}", "width": "8%", "height": "8%",
      "x": [
        { "time": 0, "value": "50%" },
        { "time": 2, "value": "60%" }
      ]
    }
  ]
}`;

const open = (page: Page, program: Parameters<typeof openInspected>[1], text = document) =>
  openInspected(page, program, text);

interface Row {
  readonly what: string;
  /** Name of the element; '' for the document. */
  readonly of: string;
  readonly group: string;
  readonly act: (page: Page) => Promise<void>;
  /** Values afterwards, of that element. */
  readonly gives: Element;
}

const fill = (name: string, value: string) => async (page: Page) => {
  await named(page, name).fill(value);
  await named(page, name).press('Enter');
};

const rows: readonly Row[] = [
  {
    what: 'a plain number stays one',
    of: 'Card',
    group: 'Position and size',
    act: fill('X position', '260'),
    gives: { x: 260, y: '150px' },
  },
  {
    what: 'a number keeps its unit and its spelling',
    of: 'Card',
    group: 'Position and size',
    act: fill('Y position', '12,5'),
    gives: { y: '12.5px', x: 200 },
  },
  {
    what: 'letters typed one by one are one step',
    of: 'Card',
    group: 'Position and size',
    act: async (page) => {
      await named(page, 'Height').click();
      await named(page, 'Height').press('Control+a');
      await named(page, 'Height').pressSequentially('222', { delay: 160 });
      await named(page, 'Height').press('Tab');
    },
    gives: { height: '222 px' },
  },
  {
    what: 'a typed unit counts',
    of: 'Card',
    group: 'Position and size',
    act: fill('Width', '30 vw'),
    gives: { width: '30vw' },
  },
  {
    what: 'another unit keeps the length',
    of: 'Card',
    group: 'Position and size',
    act: async (page) => {
      await choice(page, 'Unit of X position').selectOption('%');
    },
    gives: { x: '25%' },
  },
  {
    what: 'what is missing is written with its default unit',
    of: 'Card',
    group: 'Position and size',
    act: fill('Rotation', '45'),
    gives: { z_rotation: '45°' },
  },
  {
    what: 'arrow keys step, with Shift by ten, and are one step',
    of: 'Words',
    group: 'Position and size',
    act: async (page) => {
      const box = named(page, 'X position');
      await box.press('ArrowUp');
      await box.press('Shift+ArrowUp');
      await box.press('ArrowDown');
      await box.press('Tab');
    },
    gives: { x: '35%' },
  },
  {
    what: 'dragging the letter changes the number',
    of: 'Words',
    group: 'Position and size',
    act: async (page) => {
      const letter = pane(page)
        .getByRole('group', { name: 'Position', exact: true })
        .getByText('X', { exact: true });
      await letter.scrollIntoViewIfNeeded();
      const box = await letter.boundingBox();
      if (!box) throw new Error('There is no letter.');
      await page.mouse.move(box.x + 5, box.y + 5);
      await page.mouse.down();
      await page.mouse.move(box.x + 15, box.y + 5);
      await page.mouse.move(box.x + 25, box.y + 5);
      await page.mouse.up();
    },
    gives: { x: '35%' },
  },
  {
    what: 'a choice that is the default takes the property away again',
    of: 'Words',
    group: 'Text',
    act: async (page) => {
      const italic = page.getByRole('button', { name: 'Italic', exact: true });
      await italic.click();
      await choice(page, 'Letter case').selectOption('=uppercase');
      await italic.click();
    },
    gives: { font_style: undefined, text_transform: 'uppercase' },
  },
  {
    what: 'weights go by their names',
    of: 'Words',
    group: 'Text',
    act: async (page) => {
      await choice(page, 'Font weight').selectOption({ label: 'Bold 700' });
    },
    gives: { font_weight: '700' },
  },
  {
    what: 'a text is typed as one step',
    of: 'Words',
    group: 'Text',
    act: async (page) => {
      await named(page, 'Text').click();
      await named(page, 'Text').press('End');
      await named(page, 'Text').pressSequentially(' and more', { delay: 90 });
      await named(page, 'Text').press('Tab');
    },
    gives: { text: 'Words and more' },
  },
  {
    what: 'a switch is written, and what it is anyway is not',
    of: 'Card',
    group: 'Element',
    act: async (page) => {
      await pane(page).getByRole('switch', { name: 'Locked' }).click();
      await pane(page).getByRole('switch', { name: 'Visible' }).click();
      await pane(page).getByRole('switch', { name: 'Visible' }).click();
    },
    gives: { locked: true, visible: undefined },
  },
  {
    what: 'an element becomes a field of the template',
    of: 'Card',
    group: 'Element',
    act: async (page) => {
      await pane(page).getByRole('switch', { name: 'Field' }).click();
    },
    gives: { dynamic: true },
  },
  {
    what: 'reset takes a property away, and leaves the rest as it is written',
    of: 'Words',
    group: 'Text',
    act: async (page) => {
      await pane(page).getByRole('button', { name: 'Reset Font size' }).click();
    },
    gives: { font_size: undefined, fill_color: '#ffffff' },
  },
  {
    what: 'blend and mask come from the table',
    of: 'Card',
    group: 'Effects',
    act: async (page) => {
      await choice(page, 'Blend mode').selectOption({ label: 'Color dodge' });
      await choice(page, 'Mask').selectOption({ label: 'Alpha inverted' });
    },
    gives: { blend_mode: 'color-dodge', mask_mode: 'alpha-inverted' },
  },
  {
    what: 'an element is bent by points that are chosen, moved by keys and dragged',
    of: 'Card',
    group: 'Transform',
    act: async (page) => {
      await choice(page, 'Warp points').selectOption('2');
      const point = pane(page).getByRole('button', { name: /^Warp point in row 1, column 2:/ });
      await point.press('ArrowLeft');
      await point.press('Shift+ArrowDown');
      const corner = pane(page).getByRole('button', { name: /^Warp point in row 2, column 1:/ });
      await corner.scrollIntoViewIfNeeded();
      const grid = (await pane(page).getByTestId('warp').boundingBox())!;
      await corner.hover();
      await page.mouse.down();
      await page.mouse.move(grid.x + grid.width / 3, grid.y + grid.height / 2, { steps: 3 });
      await page.mouse.up();
    },
    gives: {
      warp_matrix: [
        [
          { x: '0%', y: '0%' },
          { x: '99%', y: '10%' },
        ],
        [
          { x: '25%', y: '50%' },
          { x: '100%', y: '100%' },
        ],
      ],
    },
  },
  {
    what: 'the document has its size',
    of: '',
    group: 'Document',
    act: fill('Width', '1080'),
    gives: { width: 1080, height: 600 },
  },
  {
    what: 'the document has its length, rate, ground and format',
    of: '',
    group: 'Document',
    act: async (page) => {
      await fill('Duration', '6.5')(page);
      await fill('Frame rate', '25')(page);
      await named(page, 'Fill').fill('#223344');
      await choice(page, 'Format').selectOption({ label: 'GIF' });
    },
    gives: { duration: 6.5, frame_rate: 25, fill_color: '#223344', output_format: 'gif' },
  },
];

test('controls are steps with names, change what they should, and are taken back to the byte', async ({
  page,
  program,
}) => {
  test.setTimeout(240_000);
  await open(page, program);
  await tryRows(page, someOf(rows, 9));
});

async function tryRows(page: Page, list: readonly Row[], before = document): Promise<void> {
  const names = ['Card', 'Words', 'Keyed'];
  const undo = page.getByRole('button', { name: /^Undo/ });
  for (const { what, of, group, act, gives } of list) {
    await test.step(what, async () => {
      if (of === '') {
        await page.locator('#editor-stage').focus();
        await page.keyboard.press('Escape');
      } else await select(page, of);
      await openGroup(page, group);
      await act(page);
      await expect(undo).toHaveAccessibleName(/^Undo: ./);
      await expect
        .poll(async () => {
          const read = await readOf(page);
          const found = of === '' ? read : read.elements[names.indexOf(of)];
          return Object.fromEntries(Object.keys(gives).map((name) => [name, found?.[name]]));
        })
        .toEqual(gives);
      expect(await textOf(page)).not.toBe(before);
      let steps = 0;
      for (; steps < 12 && (await textOf(page)) !== before; steps += 1) await undo.click();
      expect(await textOf(page)).toBe(before);
      if (/one step/.test(what)) expect(steps).toBe(1);
    });
  }
}

const swatch = (page: Page, name: string): Locator =>
  pane(page).getByRole('button', { name: `${name}, colour picker` });

const colors: readonly Row[] = [
  {
    what: 'a colour is picked: one step until the picker closes',
    of: 'Card',
    group: 'Fill and corners',
    act: async (page) => {
      await swatch(page, 'Fill').click();
      const picker = page.getByRole('dialog', { name: /colour picker/ });
      const hue = picker.getByRole('slider', { name: 'Hue of Fill' });
      await hue.press('Home');
      await hue.press('ArrowRight');
      await picker.getByRole('slider', { name: 'Shade of Fill' }).press('Shift+ArrowDown');
      await picker.getByRole('slider', { name: 'Opacity of Fill' }).press('Home');
      await page.keyboard.press('Escape');
    },
    gives: { fill_color: 'rgba(192, 16, 13, 0)' },
  },
  {
    what: 'a colour of the document is taken, and one of the screen',
    of: 'Words',
    group: 'Shadow',
    act: async (page) => {
      await swatch(page, 'Shadow').click();
      const picker = page.getByRole('dialog', { name: /colour picker/ });
      await expect(picker.getByRole('button', { name: '#d9480f' })).toBeVisible();
      await picker.getByRole('button', { name: 'Take a colour from the screen' }).click();
      await page.keyboard.press('Escape');
    },
    gives: { shadow_color: '#abcdef' },
  },
  {
    what: 'no colour is a value of its own where the default is one',
    of: 'Words',
    group: 'Fill and corners',
    act: async (page) => {
      await swatch(page, 'Fill').click();
      await page.getByRole('dialog').getByRole('button', { name: 'None' }).click();
    },
    gives: { fill_color: null },
  },
  {
    what: 'a colour becomes a gradient in one step',
    of: 'Card',
    group: 'Fill and corners',
    act: async (page) => {
      await pane(page).getByText('Linear', { exact: true }).click();
    },
    gives: {
      fill_mode: 'linear',
      fill_color: [
        { offset: '0%', color: '#d9480f' },
        { offset: '100%', color: 'rgba(217, 72, 15, 0)' },
      ],
    },
  },
  {
    what: 'stops are added, moved, coloured and removed',
    of: 'Card',
    group: 'Fill and corners',
    act: async (page) => {
      await pane(page).getByText('Radial', { exact: true }).click();
      await pane(page).getByRole('button', { name: 'Add a colour stop' }).click();
      const stop = pane(page).getByRole('slider', { name: 'Stop 2' });
      await expect(stop).toHaveAttribute('aria-valuenow', '50');
      await stop.press('ArrowRight');
      await stop.press('Shift+ArrowRight');
      await named(page, 'Colour of stop 2').fill('#00ff00');
      await pane(page).getByRole('slider', { name: 'Stop 1' }).focus();
      await pane(page).getByRole('button', { name: 'Remove this colour stop' }).click();
    },
    gives: {
      fill_mode: 'radial',
      fill_color: [
        { offset: '61%', color: '#00ff00' },
        { offset: '100%', color: 'rgba(217, 72, 15, 0)' },
      ],
    },
  },
  {
    what: 'a gradient becomes a colour again',
    of: 'Card',
    group: 'Fill and corners',
    act: async (page) => {
      await pane(page).getByText('Linear', { exact: true }).click();
      await expect(pane(page).getByRole('slider', { name: 'Stop 1' })).toBeVisible();
      await pane(page).getByText('Solid', { exact: true }).click();
    },
    gives: { fill_mode: 'solid', fill_color: '#d9480f' },
  },
];

test('22, 23: a label is dragged from its default by steps, as the arrow keys go; undone, nothing is selected', async ({
  page,
  program,
}) => {
  const text = { type: 'text', name: 'Words', text: 'Words' };
  const box = { type: 'shape', name: 'Box', width: '50%', height: '50%', fill_color: '#f00' };
  await openInspected(page, program, JSON.stringify({ elements: [text] }));
  await page.getByRole('tab', { name: 'Source' }).click();
  await write(page, JSON.stringify({ elements: [text, box] }));
  await page.getByRole('tab', { name: 'Inspector' }).click();
  await select(page, 'Box');
  await openGroup(page, 'Effects');
  const label = pane(page).getByText('Opacity', { exact: true });
  // In sight, and where it stays.
  await label.hover();
  const place = (await label.boundingBox())!;
  const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  // Two pixels are a step, however many moves of the pointer make them.
  for (const way of [4, 8, 12, 20]) await page.mouse.move(x - way, y);
  await page.mouse.up();
  await expect(named(page, 'Opacity')).toHaveValue('90');
  await named(page, 'Opacity').press('ArrowDown');
  await expect(named(page, 'Opacity')).toHaveValue('89');
  await page.keyboard.press('Escape');
  for (let step = 0; step < 4; step++) await page.keyboard.press('Control+z');
  await expect(page.getByRole('treeitem')).toHaveCount(1);
  await expect(pane(page).getByRole('heading', { level: 2 })).toHaveText('Document');
  await expect(pane(page).getByText('has no type')).toHaveCount(0);
});

test('colours and gradients', async ({ page, program }) => {
  test.setTimeout(240_000);
  await page.addInitScript(() => {
    Object.assign(window, {
      EyeDropper: class {
        open = () => Promise.resolve({ sRGBHex: '#abcdef' });
      },
    });
  });
  await open(page, program);
  await tryRows(page, someOf(colors, 3));
});

test('a font is found by its letters, shown in its own, and chosen by keyboard', async ({
  page,
  program,
}) => {
  await open(page, program);
  await select(page, 'Words');
  const font = pane(page).getByRole('button', { name: 'Font: Aileron' });
  await font.click();
  const list = page.getByRole('dialog', { name: 'Fonts' });
  const option = (name: string): Locator => list.getByRole('option', { name, exact: true });
  await expect(option('Aileron')).toHaveAttribute('aria-selected', 'true');
  // Drawn, not only named.
  await expect(option('Aileron').locator('.sample')).toHaveCSS('background-image', /^url\("data:/);
  const search = list.getByRole('combobox', { name: 'Search fonts' });
  await expect(search).toBeFocused();
  await search.fill('mont');
  await expect(option('Montserrat')).toBeVisible();
  await expect(option('Aileron')).toHaveCount(0);
  await expect(option('Montserrat').locator('.sample')).toHaveCSS('background-image', /^url/);
  await checkRules(page, 'fonts', '[role=dialog]');
  await search.fill('montserrat');
  await search.press('Enter');
  await expect(list).toHaveCount(0);
  await expect
    .poll(async () => (await readOf(page)).elements[1]?.['font_family'])
    .toBe('Montserrat');
  await expect(pane(page).getByRole('button', { name: 'Font: Montserrat' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo: Change Font' }).click();
  expect(await textOf(page)).toBe(document);
  await font.click();
  await search.fill('nothing is called so');
  await expect(list).toContainText('No font is called so.');
});

const animationList = (page: Page): Locator =>
  pane(page).getByRole('group', { name: 'Animations', exact: true });
const option = (page: Page, name: string): Locator =>
  animationList(page).getByRole('group', { name, exact: true });

const animations: readonly Row[] = [
  {
    what: 'an animation is added by its picture',
    of: 'Card',
    group: 'Animation',
    act: async (page) => {
      await animationList(page).getByRole('button', { name: 'Add animation' }).click();
      const tiles = page.getByRole('dialog', { name: 'Kinds of animation' });
      await expect(tiles.getByRole('button', { name: 'Text slide' })).toHaveCount(0);
      await tiles.getByRole('button', { name: 'Fade' }).press('ArrowRight');
      await page.keyboard.press('Enter');
      await expect(tiles).toHaveCount(0);
    },
    gives: { animations: [{ time: 'start', duration: 1, type: 'scale' }] },
  },
  {
    what: 'time, duration, easing and options are each a step',
    of: 'Words',
    group: 'Animation',
    act: async (page) => {
      await animationList(page)
        .getByRole('button', { name: /^Text slide/ })
        .click();
      await animationList(page).getByRole('combobox', { name: 'When' }).selectOption('end');
      const duration = option(page, 'Duration').getByRole('textbox');
      await duration.fill('0.4');
      await duration.press('Enter');
      await option(page, 'Split').getByRole('combobox').selectOption({ label: 'Letter' });
      await option(page, 'Fade').getByRole('switch').click();
      await option(page, 'Distance').getByRole('textbox').press('ArrowUp');
      await option(page, 'Easing')
        .getByRole('button', { name: /^Easing/ })
        .click();
      await page
        .getByRole('dialog', { name: 'Easings' })
        .getByRole('button', { name: 'Back out' })
        .click();
      await page.keyboard.press('Escape');
      await option(page, 'Split').getByRole('button', { name: 'Reset Split' }).click();
    },
    gives: {
      animations: [
        {
          type: 'text-slide',
          duration: '0.4 s',
          time: 'end',
          fade: false,
          distance: '101%',
          easing: 'back-out',
        },
        { type: 'fade' },
      ],
    },
  },
  {
    what: 'another kind keeps what it knows',
    of: 'Words',
    group: 'Animation',
    act: async (page) => {
      await animationList(page)
        .getByRole('button', { name: /^Text slide/ })
        .click();
      await animationList(page).getByRole('button', { name: 'Animation: Text slide' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Text typewriter' }).click();
    },
    gives: {
      animations: [{ type: 'text-typewriter', duration: '1 s', time: 'start' }, { type: 'fade' }],
    },
  },
  {
    what: 'a curve is typed and pulled',
    of: 'Words',
    group: 'Animation',
    act: async (page) => {
      await animationList(page).getByRole('button', { name: /^Fade/ }).click();
      await option(page, 'Easing')
        .getByRole('button', { name: /^Easing/ })
        .click();
      const easings = page.getByRole('dialog', { name: 'Easings' });
      await easings.getByRole('textbox').fill('ease-in');
      const point = easings.getByRole('slider', { name: 'Point 1 of the curve' });
      await point.press('ArrowRight');
      await point.press('Shift+ArrowUp');
      await checkRules(page, 'easings', '[role=dialog]');
      await page.keyboard.press('Escape');
    },
    gives: {
      animations: [
        { type: 'text-slide', duration: '1 s', time: 'start', split: 'word' },
        { type: 'fade', easing: 'cubic-bezier(0.43, 0.1, 1, 1)' },
      ],
    },
  },
  {
    what: 'an animation is removed',
    of: 'Words',
    group: 'Animation',
    act: async (page) => {
      await animationList(page)
        .getByRole('button', { name: 'Remove animation Text slide' })
        .click();
    },
    gives: { animations: [{ type: 'fade' }] },
  },
];

const animated = document.replace(
  '"dynamic": true, ',
  `"dynamic": true, "animations": [
      { "type": "text-slide", "duration": "1 s", "time": "start", "split": "word" },
      {"type": "fade"}
    ], `,
);

test('animations and easings', async ({ page, program }) => {
  test.setTimeout(240_000);
  await open(page, program, animated);
  await tryRows(page, someOf(animations, 3), animated);
});

test('the picker of animations moves, drawn by the page', async ({ page, program }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await open(page, program);
  await select(page, 'Words');
  await openGroup(page, 'Animation');
  await animationList(page).getByRole('button', { name: 'Add animation' }).click();
  const tiles = page.getByTestId('animation-tiles');
  await expect(tiles).toHaveAttribute('data-playing', 'true');
  await expect(tiles.locator('canvas.front')).toBeVisible();
  await expect(tiles.getByRole('button', { name: 'Text slide' })).toBeVisible();
  await checkRules(page, 'animations', '[role=dialog]');
  // What is seen changes by itself.
  const first = await tiles.screenshot();
  await expect(async () => expect((await tiles.screenshot()).equals(first)).toBe(false)).toPass();
});

test('keyframes, placeholders and half-typed numbers are shown and never destroyed', async ({
  page,
  program,
}) => {
  await open(page, program);
  await select(page, 'Keyed');
  await expect(named(page, 'X position')).toHaveValue('55');
  await expect(pane(page).getByRole('button', { name: /^\{\{left\}\}/ })).toBeVisible();
  await openGroup(page, 'Transform');
  await named(page, 'X scale').fill('1e');
  await expect(named(page, 'X scale')).toHaveAccessibleDescription(/Expected a number/);
  await named(page, 'X scale').press('Tab');
  await expect(named(page, 'X scale')).toHaveValue('');
  expect(await textOf(page)).toBe(document);
  // What is wrong is shown as it is, and can be corrected.
  await openGroup(page, 'Effects');
  await page.getByRole('tab', { name: 'Source' }).click();
  await write(page, document.replace('"height": "8%",', '"height": "8%", "opacity": "150%",'));
  await page.getByRole('tab', { name: 'Inspector' }).click();
  await expect(named(page, 'Opacity')).toHaveValue('150');
  await expect(named(page, 'Opacity')).toHaveAttribute('aria-invalid', 'true');
  await expect(named(page, 'Opacity')).toHaveAccessibleDescription(/between 0 and 100/);
  await fill('Opacity', '50')(page);
  await expect(named(page, 'Opacity')).not.toHaveAttribute('aria-invalid');
  await expect.poll(async () => (await readOf(page)).elements[2]?.['opacity']).toBe('50%');
  await pane(page).getByRole('button', { name: 'Keyframes: Position' }).click();
  await page.getByRole('menuitem', { name: 'Show Position in the source' }).click();
  await expect(page.getByRole('textbox', { name: 'Source' })).toBeVisible();
  const marked = await page.locator('.cm-content').evaluate((content) => {
    const { cmTile } = content as unknown as {
      cmTile: {
        view: {
          state: {
            selection: { main: { from: number; to: number } };
            sliceDoc(from: number, to: number): string;
          };
        };
      };
    };
    const { state } = cmTile.view;
    return state.sliceDoc(state.selection.main.from, state.selection.main.to);
  });
  expect(marked).toMatch(/^"x": \[[^]*\]$/);
});

test('several elements are changed together, each in its own unit', async ({ page, program }) => {
  await open(page, program);
  const frame = await page.locator('#editor-stage .frame').last().boundingBox();
  if (!frame) throw new Error('There is no picture.');
  const at = (x: number, y: number): [number, number] => [
    frame.x + (frame.width * x) / 800,
    frame.y + (frame.height * y) / 600,
  ];
  await page.mouse.click(...at(200, 150));
  await page.keyboard.down('Shift');
  await page.mouse.click(...at(200, 450));
  await page.keyboard.up('Shift');
  await expect(pane(page).getByRole('heading', { name: '2 elements' })).toBeVisible();
  await expect(named(page, 'X position')).toHaveAttribute('placeholder', 'Mixed');
  await expect(named(page, 'Name')).toHaveAttribute('placeholder', 'Mixed');
  await named(page, 'Y position').press('ArrowUp');
  await named(page, 'Y position').press('Tab');
  await expect.poll(async () => (await readOf(page)).elements[0]?.['y']).toBe('151px');
  expect((await readOf(page)).elements[1]?.['y']).toBe('76%');
  await openGroup(page, 'Effects');
  await named(page, 'Opacity').fill('40');
  await named(page, 'Opacity').press('Enter');
  await expect
    .poll(async () => (await readOf(page)).elements.map(({ opacity }) => opacity))
    .toEqual(['40%', '40%', undefined]);
  await pane(page).getByRole('button', { name: 'Reset Opacity' }).click();
  for (let steps = 0; steps < 3; steps += 1)
    await page.getByRole('button', { name: /^Undo/ }).click();
  expect(await textOf(page)).toBe(document);
});

test('whatever stands in a document, the inspector shows something and breaks nothing', async ({
  page,
  program,
}) => {
  test.setTimeout(120_000);
  await open(page, program);
  await select(page, 'Words');
  for (const head of await pane(page).getByRole('button', { expanded: false }).all()) {
    const name = await head.textContent();
    if (name?.includes('Stroke') || name?.includes('Effects') || name?.includes('Animation'))
      await head.click();
  }
  const odd = [
    ...brokenSources.filter((_, index) => index % 5 === 0),
    ...[3, 'x', true, {}, [], [null], [[1]], { a: [{}] }, null, '{{x}}', [{ value: {} }]].map(
      (value) => ({
        output_format: value,
        fonts: value,
        variables: value,
        fill_color: value,
        fill_mode: value,
        elements: [
          {
            type: 'text',
            ...Object.fromEntries(
              propertiesOf('text')
                .filter(([name]) => name !== 'type')
                .map(([name]) => [name, value]),
            ),
          },
          ...[[3], [{ type: 3 }], [{ type: 'fade', easing: value, duration: value }]].map(
            (animations) => ({ type: 'shape', animations, fill_color: [{ offset: value }] }),
          ),
        ],
      }),
    ),
  ];
  for (const source of someOf(odd, 7)) {
    const text = JSON.stringify(source);
    await page.getByRole('tab', { name: 'Source' }).click();
    await write(page, text);
    await page.getByRole('tab', { name: 'Inspector' }).click();
    const items = page.getByRole('treeitem');
    for (const item of (await items.all()).slice(0, 3)) {
      await item.click({ timeout: 2000 }).catch(() => undefined);
      await expect(pane(page).getByRole('heading', { level: 2 })).toBeVisible();
    }
    // To look at it changes nothing.
    expect(await textOf(page)).toBe(text);
  }
});

test(
  'it keeps the rules of accessibility in both themes and a narrow window',
  {
    tag: '@long',
  },
  async ({ page, program }) => {
    await open(page, program);
    await select(page, 'Words');
    for (const name of ['Stroke', 'Shadow', 'Effects', 'Time', 'Animation', 'Transform'])
      await openGroup(page, name);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await isDrawn(page);
      await checkRules(page, `inspector, ${colorScheme}`, '[data-testid=inspector]');
    }
    await page.setViewportSize({ width: 960, height: 600 });
    await page.getByRole('tab', { name: 'Inspector' }).click();
    await checkRules(page, 'inspector, narrow', '[data-testid=inspector]');
  },
);

test('numbers of a narrow inspector are seen whole', async ({ page, program }) => {
  const box = { x: '72.25%', y: '45.8%', width: '86.5%', height: '12.75%' };
  const text = { type: 'text', name: 'Title', text: 'Words', ...box, y_padding: '1200 px' };
  const source = { width: 1920, height: 1080, output_format: 'mp4', duration: 4, elements: [text] };
  await openNewTemplate(page, program, source, 'Numbers');
  await page.getByRole('tab', { name: 'Inspector' }).click();
  const cut = (): Promise<readonly string[]> =>
    pane(page)
      .locator('.number input')
      .evaluateAll((inputs) =>
        inputs
          .filter((input) => input instanceof HTMLInputElement && input.value !== '')
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map((input) => input.id),
      );
  await expect(named(page, 'Width')).toHaveValue('1920');
  expect(await cut()).toEqual([]);
  await page.getByRole('tab', { name: 'Outline' }).click();
  await select(page, 'Title');
  await expect(named(page, 'X position')).toHaveValue('72.25');
  expect(await cut()).toEqual([]);
});
