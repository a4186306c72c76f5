/** The part of a picture that shows, chosen by hand and by keys; and files that are dropped on elements. */
import type { Page } from '@playwright/test';
import { storeMedia } from '../helpers/store-media.ts';
import { openNewTemplate } from './editor-page.ts';
import { Hand, tryGestures, type GestureRow, type Point } from './hand.ts';
import { expect, test, type Program } from './program.ts';

const photo: Point = [500, 350];
const bar = (page: Page) => page.getByTestId('crop-bar');

/** A picture of 480 × 320 in a frame of 200 × 200: 300 × 200 of it would show, 100 are cut off. */
const documentWith = (source: string): string => `{
  "output_format": "png", "width": 800, "height": 600,
  "elements": [
    {"type": "shape", "name": "Card", "x": 200, "y": 150, "width": 120, "height": 80, "fill_color": "#d9480f"},
    {
      "type": "image", "name": "Photo",   "source": "${source}",
      "x": 500, "y": "350px", "width": "25%", "height": 200, "border_radius": 12
    }
  ]
}`;

async function beginCrop(hand: Hand, page: Page): Promise<void> {
  await hand.double(photo);
  await expect(bar(page)).toBeVisible();
  await expect(page.getByTestId('crop-frame')).toBeVisible();
}

/** One of each thing that is taken hold of or pressed; the others are in test/renderer/canvas-crop.test.ts. */
const rows: readonly GestureRow[] = [
  {
    what: 'the wheel scales, in a composition that cuts',
    act: async (hand, page) => {
      await beginCrop(hand, page);
      await page.mouse.move(...hand.at(photo));
      await page.mouse.wheel(0, -346);
      await page.keyboard.press('Enter');
    },
    gives: {
      1: {
        ...{ name: 'Photo frame', type: 'composition', clip: true, x: 500, y: '350px' },
        ...{ width: '25%', height: 200, border_radius: 12 },
        elements: [
          { name: 'Photo', type: 'image', x: '50%', y: '50%', width: '300%', height: '200%' },
        ],
      },
    },
  },
  {
    what: 'a corner of the frame cuts both sides, also by such a composition',
    act: async (hand, page) => {
      await beginCrop(hand, page);
      await hand.pull('se', [-100, -100], [], 'crop');
      await page.getByRole('button', { name: 'Done' }).click();
    },
    gives: {
      1: {
        ...{ type: 'composition', x: 450, y: '300px', width: '12.5%', height: 100 },
        elements: [{ x: '100%', y: '100%', width: '300%', height: '200%' }],
      },
    },
  },
  {
    what: 'keys do the same: C, arrows, + and Enter',
    act: async (hand, page) => {
      await hand.click(photo);
      await page.keyboard.press('c');
      await expect(bar(page)).toBeVisible();
      for (let press = 0; press < 3; press++) await page.keyboard.press('Shift+ArrowRight');
      await page.keyboard.press('Enter');
    },
    gives: { 1: { x: 500, x_alignment: '20%' } },
  },
];

test('a crop is one step, and undone to the byte', async ({ page, program }) => {
  test.setTimeout(120_000);
  const text = documentWith(await storeMedia(program.windowUrl, 'photo.jpg'));
  await openNewTemplate(page, program, JSON.parse(text) as object, 'Crop');
  await tryGestures(page, text, rows);
});

test('Esc leaves the document alone, and what can’t be cropped says why', async ({
  page,
  program,
}) => {
  const text = documentWith(await storeMedia(program.windowUrl, 'photo.jpg'));
  await openNewTemplate(page, program, JSON.parse(text) as object, 'Crop');
  const hand = await Hand.on(page);
  const before = await hand.text();
  await beginCrop(hand, page);
  await hand.drag(photo, [470, 380]);
  await page.keyboard.press('Escape');
  await expect(bar(page)).toHaveCount(0);
  expect(await hand.text()).toBe(before);
  // The selection stays.
  await expect(page.getByTestId('arrange-bar')).toBeVisible();
  const source = JSON.parse(text) as { elements: Record<string, unknown>[] };
  source.elements[1]!['x_padding'] = 20;
  await openNewTemplate(page, program, source, 'Padded');
  await hand.double(photo);
  await expect(page.getByText('It has padding. Reset that to crop it.')).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
});

/** A file that is dragged out of the add panel over the picture, and let go there. */
async function dragIn(
  page: Page,
  hand: Hand,
  { point, source, altKey = false }: { point: Point; source: string; altKey?: boolean },
  ends = true,
): Promise<void> {
  const [clientX, clientY] = hand.at(point);
  const transfer = await page.evaluateHandle((source) => {
    const kind = 'application/x-framewright-thing';
    const media = {
      kind: 'image',
      source,
      width: 80,
      height: 80,
      duration: 0,
      name: 'pattern.png',
    };
    const made = new DataTransfer();
    made.setData(kind, JSON.stringify({ media: [media] }));
    made.setData(`${kind}-image`, '');
    return made;
  }, source);
  const stage = page.locator('#editor-stage');
  const event = { dataTransfer: transfer, clientX, clientY, altKey };
  await stage.dispatchEvent('dragover', event);
  if (ends) await stage.dispatchEvent('drop', event);
}

const dropRows = (source: string): readonly GestureRow[] => [
  {
    what: 'a file that is dropped on a picture with Alt replaces it, and keeps place and looks',
    act: (hand, page) => dragIn(page, hand, { point: photo, source, altKey: true }),
    gives: { 1: { name: 'Photo', source, x: 500, width: '25%', border_radius: 12 } },
  },
  {
    what: 'fault 10: without Alt it lies on it',
    act: (hand, page) => dragIn(page, hand, { point: photo, source }),
    gives: { 1: { name: 'Photo', x: 500, width: '25%' }, 2: { name: 'pattern', source } },
  },
  {
    what: 'Replace… opens the library, whose file takes the place',
    act: async (hand, page) => {
      await page.mouse.click(...hand.at(photo), { button: 'right' });
      await page.getByRole('menuitem', { name: 'Replace…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Choose a file' });
      await dialog.getByRole('option', { name: /^pattern\.png/ }).click();
      await page.keyboard.press('Enter');
      await expect(dialog).toHaveCount(0);
    },
    gives: { 1: { name: 'Photo', source, x: 500 } },
  },
];

const stored = async (program: Program): Promise<readonly [string, string]> => [
  await storeMedia(program.windowUrl, 'photo.jpg'),
  await storeMedia(program.windowUrl, 'pattern.png'),
];

test('dropping files is one step, and undone to the byte', async ({ page, program }) => {
  test.setTimeout(120_000);
  const [first, second] = await stored(program);
  const text = documentWith(first);
  await openNewTemplate(page, program, JSON.parse(text) as object, 'Drops');
  await tryGestures(page, text, dropRows(second));
});

test('what a drop would replace is marked, and what it would with Alt is told', async ({
  page,
  program,
}) => {
  const [first, second] = await stored(program);
  await openNewTemplate(page, program, JSON.parse(documentWith(first)) as object, 'Drops');
  const hand = await Hand.on(page);
  const target = page.getByTestId('drop-target');
  const other = page.getByTestId('drop-other');
  await dragIn(page, hand, { point: photo, source: second, altKey: true }, false);
  await expect(target).toContainText('Replaces “Photo”');
  await expect(other).toHaveCount(0);
  await dragIn(page, hand, { point: photo, source: second }, false);
  await expect(target).toHaveCount(0);
  await expect(other).toHaveText('With Alt: replaces “Photo”');
  const folder = process.env['LOOK_AT'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/drop-other.png` });
});
