/**
 * The picture worked on by hand: each gesture is one step that changes what it should, and taken back leaves the same
 * bytes.
 */
import type { Page } from '@playwright/test';
import { openNewTemplate } from './editor-page.ts';
import { pictureDocument } from '../helpers/gesture-documents.ts';
import { Hand, tryGestures, type GestureRow, type Point } from './hand.ts';
import { expect, test } from './program.ts';

const card: Point = [200, 150];
const words: Point = [200, 450];
const group: Point = [520, 380];
const inner: Point = [600, 450];

/** With Ctrl nothing snaps. */
const free = ['Control'];

/** One of each thing that is taken hold of or pressed; the others are in test/renderer/canvas.test.ts. */
const rows: readonly GestureRow[] = [
  {
    what: 'drag moves, in the units that stood there',
    act: (hand) => hand.drag(card, [260, 210], free),
    gives: { 1: { x: 260, y: '210px', width: '20vmin' } },
  },
  {
    what: 'Alt drags a copy away',
    act: (hand) => hand.drag(card, [200, 300], ['Alt', 'Control']),
    gives: { 1: { y: '150px' }, 6: { name: 'Card 2', y: '300px', x: 200 } },
  },
  {
    what: 'the right handle leaves the left edge where it is',
    act: async (hand) => {
      await hand.click(card);
      await hand.pull('e', [60, 0], free);
    },
    gives: { 1: { x: 230, width: '30vmin', height: '100 px' } },
  },
  {
    what: 'the round handle turns',
    act: async (hand) => {
      await hand.click(card);
      await hand.pull('turn', [100, 30], ['Shift']);
    },
    gives: { 1: { z_rotation: '60°' } },
  },
  {
    what: 'arrows move by a pixel, with Shift by ten',
    act: async (hand, page) => {
      await hand.click(card);
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Shift+ArrowDown');
    },
    gives: { 1: { x: 201, y: '160px' } },
  },
  {
    what: 'two are aligned with each other',
    act: async (hand, page) => {
      await hand.click(card);
      await hand.click(group, ['Shift']);
      await page.keyboard.press('Alt+a');
    },
    gives: { 1: { x: 200 }, 4: { x: '32.5%' } },
  },
  {
    what: 'with automatic keyframes, a drag counts from the moment shown',
    picture: 'another moment',
    act: async (hand, page) => {
      await page.keyboard.press('Shift+K');
      await expect(page.getByTestId('auto-keys')).toBeVisible();
      await page.keyboard.press('Shift+ArrowRight');
      await hand.drag(card, [260, 150], ['Shift', 'Control']);
      await page.locator('#editor-stage').focus();
      await page.keyboard.press('Shift+K');
    },
    gives: {
      1: {
        x: [
          { time: 0, value: 200 },
          { time: 1, value: 260 },
        ],
        y: '150px',
      },
    },
  },
];

test('gestures are one step each, change what they should, and are taken back to the byte', async ({
  page,
  program,
}) => {
  test.setTimeout(240_000);
  await openNewTemplate(page, program, JSON.parse(pictureDocument) as object, 'By hand');
  await tryGestures(page, pictureDocument, rows);
});

test('what can’t be taken apart says why', async ({ page, program }) => {
  await openNewTemplate(page, program, JSON.parse(pictureDocument) as object, 'By hand');
  const hand = await Hand.on(page);
  await hand.click(group);
  await page.keyboard.press('Control+Shift+g');
  await expect(
    page.getByText('The group itself has a value that its elements would lose: Fill'),
  ).toBeVisible();
});

test('a click selects what lies on top, two go into a group, and what is locked lets the pointer through', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, JSON.parse(pictureDocument) as object, 'By hand');
  const hand = await Hand.on(page);
  const rowOf = (name: string): ReturnType<Page['getByRole']> =>
    page.getByRole('treeitem', { name: new RegExp(`^${name}`), selected: true });
  await page.getByRole('tab', { name: 'Outline' }).click();
  await hand.click(inner);
  await expect(rowOf('Group')).toBeVisible();
  await hand.double(inner);
  await expect(rowOf('Inner')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(rowOf('Group')).toBeVisible();
  // Ctrl goes in at once.
  await hand.click(inner, ['Control']);
  await expect(rowOf('Inner')).toBeVisible();
  // Only the ground is here, which is locked.
  await hand.click([400, 300]);
  await expect(page.getByTestId('arrange-bar')).toHaveCount(0);
  await hand.drag([20, 20], [320, 560]);
  await expect(page.getByTestId('selection-frame').locator('polygon.core')).toHaveCount(2);
});

test('a text is typed where it stands, and Esc during a drag leaves the document alone', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, JSON.parse(pictureDocument) as object, 'By hand');
  const hand = await Hand.on(page);
  const before = await hand.text();
  await hand.click(words);
  await page.keyboard.press('Enter');
  await page.getByTestId('canvas-text').fill('Other words');
  await expect.poll(async () => (await hand.elements())[3]?.['text']).toBe('Other words');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('canvas-text')).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect.poll(() => hand.text()).toBe(before);

  await page.mouse.move(0, 0);
  const frame = await page.locator('#editor-stage .frame').last().boundingBox();
  const scale = frame!.width / 800;
  await page.mouse.move(frame!.x + 200 * scale, frame!.y + 150 * scale);
  await page.mouse.down();
  await page.mouse.move(frame!.x + 300 * scale, frame!.y + 250 * scale, { steps: 4 });
  await expect(page.getByTestId('gesture-readout')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('gesture-readout')).toHaveCount(0);
  await page.mouse.up();
  expect(await hand.text()).toBe(before);
});

test('a drag keeps to equal gaps and shows them; with Alt, distances show', async ({
  page,
  program,
}) => {
  const shape = (x: number, name: string): object => ({
    ...{ type: 'shape', name, x, y: 300, width: 60, height: 60, fill_color: '#d9480f' },
  });
  const source = {
    ...{ output_format: 'png', width: 800, height: 600 },
    elements: [shape(100, 'A'), shape(300, 'B'), shape(560, 'C')],
  };
  await openNewTemplate(page, program, source, 'Gaps');
  const hand = await Hand.on(page);
  const distance = page.getByTestId('distance');
  await page.mouse.move(...hand.at([300, 300]));
  await page.mouse.down();
  await page.mouse.move(...hand.at([315, 300]), { steps: 3 });
  await page.mouse.move(...hand.at([327, 300]), { steps: 3 });
  // From 130 to 300 and from 360 to 530.
  await expect(page.getByTestId('equal-gap')).toHaveCount(2);
  await expect(distance).toHaveText(['170', '170']);
  await page.mouse.up();
  await expect(distance).toHaveCount(0);
  await expect.poll(async () => (await hand.elements())[1]?.['x']).toBe(330);
  await page.keyboard.down('Alt');
  await page.mouse.move(...hand.at([100, 300]), { steps: 2 });
  await expect(distance).toHaveText(['170']);
  // Beside all others: to the edges of the picture.
  await page.mouse.move(...hand.at([400, 500]), { steps: 2 });
  await expect(distance).toHaveText(['300', '440', '270', '270']);
  await page.keyboard.up('Alt');
  await expect(distance).toHaveCount(0);
});

test('the handle that turns can be reached, also on what fills the picture, and so can the player', async ({
  page,
  program,
}) => {
  const ground = { type: 'shape', width: '100%', height: '100%', fill_color: '#12355b' };
  const source = { output_format: 'mp4', width: 800, height: 600, duration: 4, elements: [ground] };
  await openNewTemplate(page, program, source, 'Full');
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-live', 'ready');
  /** What a press in the middle of something would meet. */
  const isOnTop = (name: string): Promise<boolean> =>
    page.getByTestId(name).evaluate((handle) => {
      const { left, top, width, height } = handle.getBoundingClientRect();
      return handle.ownerDocument.elementFromPoint(left + width / 2, top + height / 2) === handle;
    });
  for (const [width, height] of [
    [1440, 900],
    [1280, 720],
    [1024, 640],
    [720, 450],
  ] as const) {
    await test.step(`${width} × ${height}`, async () => {
      await page.setViewportSize({ width, height });
      // The picture finds its place some frames after the window: a press before that misses it.
      await expect(async () => {
        const hand = await Hand.on(page);
        await page.keyboard.press('Escape');
        await hand.click([400, 420]);
        await expect.poll(() => isOnTop('handle-turn'), { timeout: 3_000 }).toBe(true);
      }).toPass();
      await expect.poll(() => isOnTop('handle-se')).toBe(true);
      await page.getByRole('button', { name: 'Play', exact: true }).click({ trial: true });
      const play = await page.getByRole('button', { name: 'Play', exact: true }).boundingBox();
      const bar = await page.getByTestId('timeline').boundingBox();
      expect((play?.y ?? 0) + (play?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
    });
  }
});

test('the bar of the selection works by a pointer, and what was selected stays so', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, JSON.parse(pictureDocument) as object, 'Bar');
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-live', 'ready');
  const hand = await Hand.on(page);
  await hand.click(card);
  const bar = page.getByTestId('arrange-bar');
  // As a person presses: what goes away with the press is never clicked.
  const box = await bar.getByRole('button', { name: 'Align left' }).boundingBox();
  if (!box) throw new Error('The bar has no such button.');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await expect(bar).toBeVisible();
  await page.mouse.up();
  await expect.poll(async () => (await hand.elements())[1]?.['x']).toBe(60);
  await expect(bar).toBeVisible();
});

test('the outline marks all that is selected, and a click in it selects that alone', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, JSON.parse(pictureDocument) as object, 'Marked');
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-live', 'ready');
  await page.getByRole('tab', { name: 'Outline' }).click();
  const row = (name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name},`) });
  const marked = page.getByRole('treeitem', { selected: true });
  const hand = await Hand.on(page);
  await hand.click(card);
  await hand.click(words, ['Shift']);
  await expect(marked).toHaveCount(2);
  await row('Turned').click();
  await expect(marked).toHaveCount(1);
  await row('Keyed').click({ modifiers: ['Shift'] });
  await expect(marked).toHaveCount(2);
  await row('Keyed').click({ modifiers: ['Shift'] });
  await expect(row('Turned')).toHaveAttribute('aria-selected', 'true');
  await expect(marked).toHaveCount(1);
});
