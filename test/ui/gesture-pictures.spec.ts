/**
 * Gestures whose picture is looked at, too: reordering in a flow, splitting, trimming to a beat, bending; undone, all
 * is the same bytes.
 */
import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { codeOf, openNewTemplate } from './editor-page.ts';
import { flowDocument, sizedDocument } from '../helpers/gesture-documents.ts';
import { Hand, tryGestures, type GestureRow, type Point } from './hand.ts';
import { choice, openGroup, openInspected, pane, select, textOf } from './inspector-page.ts';
import { expect, test } from './program.ts';

/** The middle of the first of three that follow each other downwards, and the way past the next one's. */
const first: Point = [600, 204];
const past = 112;

const named = (...names: readonly string[]): unknown => ({
  2: { elements: names.map((name) => ({ name })) },
});

/** One of each thing that is taken hold of or pressed; the others are in test/renderer/gesture-pictures.test.ts. */
const rows: readonly GestureRow[] = [
  {
    what: 'a drag along a flow gives an element another place in it',
    act: async (hand) => {
      await hand.double(first);
      await hand.drag(first, [600, first[1] + past]);
    },
    gives: named('Two', 'One', 'Three') as GestureRow['gives'],
  },
  {
    what: 'an arrow along a flow leads to the next place, one across it moves',
    act: async (hand, page) => {
      await hand.double(first);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Shift+ArrowRight');
    },
    gives: {
      2: {
        elements: [
          { name: 'Two', x: '50%' },
          { name: 'One', x: '53.13%', y: null },
        ],
      },
    },
  },
  {
    what: 'S splits what is selected, and the picture stays',
    picture: 'another moment',
    act: async (hand, page) => {
      await page.keyboard.press('Home');
      await page.keyboard.press('Shift+ArrowRight');
      await hand.click([200, 150]);
      await page.keyboard.press('s');
    },
    gives: { 1: { name: 'Card', duration: 1 }, 2: { name: 'Card 2', time: 1, duration: 3 } },
  },
];

test('gestures in a flow, and a split, are one step each and taken back to the byte', async ({
  page,
  program,
}) => {
  test.setTimeout(180_000);
  await openNewTemplate(page, program, JSON.parse(flowDocument) as object, 'Flow');
  await tryGestures(page, flowDocument, rows);
});

test('while an element is dragged along a flow, the place that would be its own is marked', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, JSON.parse(flowDocument) as object, 'Slot');
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-live', 'ready');
  const hand = await Hand.on(page);
  await hand.double(first);
  const slot = page.getByTestId('flow-slot');
  await expect(slot).toHaveCount(0);
  const middleOfSlot = async (): Promise<number> => {
    const box = await slot.boundingBox();
    return box ? box.y + box.height / 2 : NaN;
  };
  await page.mouse.move(...hand.at(first));
  await page.mouse.down();
  // Further than to the middle of the next one, and not as far as the frame of what is held.
  await page.mouse.move(...hand.at([first[0], first[1] + 30]), { steps: 3 });
  await page.mouse.move(...hand.at([first[0], first[1] + past - 20]), { steps: 3 });
  const second = hand.at([first[0], 300])[1];
  await expect.poll(async () => Math.abs((await middleOfSlot()) - second)).toBeLessThan(12);
  await page.keyboard.press('Escape');
  await expect(slot).toHaveCount(0);
  await page.mouse.up();
});

const wide: Point = [200, 420];
/** The middle of the first of two in the flow, which lie in the middle of their composition. */
const flowing: Point = [600, 465];

const sizedRows: readonly GestureRow[] = [
  {
    what: 'the side of a text with a width leads to where its lines break',
    act: async (hand) => {
      await hand.click(wide);
      await hand.pull('e', [-80, 0], ['Control']);
    },
    gives: { 2: { width: '30%', x: '20%', font_size: '6 vmin', height: undefined } },
  },
  {
    what: 'what a flow places gets another size, and no place of its own',
    act: async (hand) => {
      await hand.double(flowing);
      await hand.pull('s', [0, 30], ['Control']);
    },
    gives: { 6: { elements: [{ name: 'One', y: null, x: '50%', height: '46.67%' }] } },
  },
];

test('gestures with what the language sizes are one step each and taken back to the byte', async ({
  page,
  program,
}) => {
  test.setTimeout(180_000);
  await openNewTemplate(page, program, JSON.parse(sizedDocument) as object, 'Sized');
  await tryGestures(page, sizedDocument, sizedRows);
});

test('the frame of a text follows its lines while its side is dragged, and says what is automatic', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, JSON.parse(sizedDocument) as object, 'Sized');
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-live', 'ready');
  const hand = await Hand.on(page);
  await hand.click(wide);
  const side = page.getByTestId('handle-e');
  await expect(side).toHaveAttribute('title', 'Drag to set the width that lines break at');
  await expect(page.getByTestId('handle-se')).toHaveAttribute('title', 'Drag to scale the letters');
  const heightOf = async (): Promise<number> =>
    (await page.getByTestId('selection-frame').locator('.core').first().boundingBox())?.height ?? 0;
  const before = await heightOf();
  const box = await side.boundingBox();
  if (!box) throw new Error('There is no handle.');
  const from: Point = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(from[0] - 20, from[1]);
  await page.mouse.move(from[0] - 80, from[1]);
  await expect(page.getByTestId('gesture-readout')).toContainText('× auto');
  await expect.poll(heightOf).toBeGreaterThan(before * 1.2);
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await expect.poll(heightOf).toBe(before);
  const preview = page.getByTestId('editor-preview');
  await expect(preview).toHaveAttribute('data-front', 'server');
  // Back to where it began: nothing was changed, and the server's picture is in front again.
  const text = await hand.text();
  const card = hand.at([200, 150]).map(Math.round) as unknown as Point;
  await page.mouse.move(...card);
  await page.mouse.down();
  await page.mouse.move(card[0] + 60, card[1] + 30);
  await expect(preview).toHaveAttribute('data-front', 'page');
  // With Ctrl it snaps to nothing.
  await page.keyboard.down('Control');
  await page.mouse.move(...card);
  await page.mouse.up();
  await page.keyboard.up('Control');
  await expect(preview).toHaveAttribute('data-front', 'server');
  expect(await hand.text()).toBe(text);
});

test('what can’t be placed or sized by hand says why', async ({ page, program }) => {
  await openNewTemplate(page, program, JSON.parse(sizedDocument) as object, 'Sized');
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-live', 'ready');
  const hand = await Hand.on(page);
  const note = page.getByTestId('canvas-note');
  await hand.double(flowing);
  await expect(note).toHaveText('In the flow · Ctrl drags it out');
  await hand.click([120, 230]);
  await expect(note).toHaveText('As large as its path');
  await expect(page.getByTestId('handle-se')).toHaveCount(0);
  await hand.click([200, 150]);
  await expect(note).toHaveCount(0);
});

/** The hash of the server's picture, once it is in front. */
async function pictureOf(page: Page): Promise<string> {
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-front', 'server');
  const address = await page.locator('#editor-stage .frame > img').first().getAttribute('src');
  return createHash('sha1')
    .update(address ?? '')
    .digest('hex');
}

test('a point of a warp bends the picture; undone, both are the same bytes', async ({
  page,
  program,
}) => {
  await openInspected(page, program, flowDocument);
  await select(page, 'Card');
  await openGroup(page, 'Transform');
  const before = await textOf(page);
  const flat = await pictureOf(page);
  await choice(page, 'Warp points').selectOption('2');
  const point = pane(page).getByRole('button', { name: /^Warp point in row 1, column 2:/ });
  await point.press('Shift+ArrowDown');
  await point.press('Shift+ArrowDown');
  await expect.poll(() => textOf(page)).toContain('"20%"');
  await expect.poll(() => pictureOf(page)).not.toBe(flat);
  const undo = page.getByRole('button', { name: /^Undo/ });
  for (let steps = 0; steps < 4 && (await textOf(page)) !== before; steps += 1) await undo.click();
  expect(await textOf(page)).toBe(before);
  await expect.poll(() => pictureOf(page)).toBe(flat);
});

test('an edge that keeps to a beat shows for so long; undone, both are the same bytes', async ({
  page,
  program,
}) => {
  const shape = { type: 'shape', width: '40%', height: '40%', fill_color: '#d9480f' };
  await openNewTemplate(page, program, {
    ...{ output_format: 'mp4', width: 320, height: 180, frame_rate: 25, duration: 24 },
    elements: [
      { ...shape, name: 'Box', track: 1, time: 0, duration: 1 },
      // 90 beats a minute; the fourth stroke is at 2 s.
      { type: 'audio', name: 'Tune', track: 2, source: 'media/tune.m4a' },
    ],
  });
  await page.getByRole('tab', { name: 'Source' }).click();
  const clip = (name: string) => page.getByRole('gridcell', { name: new RegExp(`^\\w+ ${name},`) });
  const beats = clip('Tune').getByTestId('footage');
  await expect.poll(async () => Number(await beats.getAttribute('data-beats'))).toBeGreaterThan(20);
  const scale = Number(await page.getByTestId('timeline').getAttribute('data-scale'));
  // After the end of the box: the playhead is no moment that its edge keeps to.
  await page.locator('#editor-stage').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowRight');
  for (let frames = 0; frames < 5; frames += 1) await page.keyboard.press('ArrowRight');
  const before = await codeOf(page);
  const empty = await pictureOf(page);
  const { x, y, width, height } = (await clip('Box').boundingBox())!;
  await page.mouse.move(x + width - 3, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width + 0.5 * scale, y + height / 2, { steps: 3 });
  await page.mouse.move(x + width - 3 + 0.94 * scale, y + height / 2, { steps: 3 });
  await expect(page.getByTestId('timeline-guide')).toBeVisible();
  await page.mouse.up();
  await expect
    .poll(async () => {
      const read = JSON.parse(await codeOf(page)) as { elements: { duration: number }[] };
      return Math.abs((read.elements[0]?.duration ?? 0) - 2) < 0.03;
    })
    .toBe(true);
  await expect.poll(() => pictureOf(page)).not.toBe(empty);
  await page.getByRole('button', { name: /^Undo/ }).click();
  expect(await codeOf(page)).toBe(before);
  await expect.poll(() => pictureOf(page)).toBe(empty);
  // By keys: the playhead to the stroke, and the end there.
  await page.getByRole('treegrid').focus();
  await page.keyboard.press('Home');
  const frame = async (): Promise<number> =>
    Number(await page.getByTestId('editor-preview').getAttribute('data-frame'));
  await expect.poll(frame).toBe(0);
  for (let at = 0; at < 48; at = await frame()) {
    await page.keyboard.press('b');
    await expect.poll(frame).toBeGreaterThan(at);
  }
  await page.keyboard.press(']');
  await expect
    .poll(async () => {
      const read = JSON.parse(await codeOf(page)) as { elements: { duration: number }[] };
      return Math.abs((read.elements[0]?.duration ?? 0) - 2) < 0.05;
    })
    .toBe(true);
});
