/** Copying and pasting on the picture: within a document, into another one, as JSON, pictures, addresses and words. */
import type { Page } from '@playwright/test';
import { openNewTemplate } from './editor-page.ts';
import { pictureDocument } from '../helpers/gesture-documents.ts';
import { Hand, tryGestures, type GestureRow, type Point } from './hand.ts';
import { expect, test } from './program.ts';

const card: Point = [200, 150];
const words: Point = [200, 450];
const turned: Point = [600, 150];

const clipboard = (page: Page): Promise<string> =>
  page.evaluate(() => navigator.clipboard.readText());

/** Opens the menu of the picture at a point. */
async function openMenu(page: Page, hand: Hand, point: Point): Promise<void> {
  await page.mouse.click(...hand.at(point), { button: 'right' });
  await expect(page.getByRole('menu', { name: 'Actions for the picture' })).toBeVisible();
}

const choose = (page: Page, name: string): Promise<void> =>
  page.getByRole('menuitem', { name, exact: true }).click();

const rows: readonly GestureRow[] = [
  {
    what: 'Ctrl C and Ctrl V paste beside the original',
    act: async (hand, page) => {
      await hand.click(card);
      await page.keyboard.press('Control+c');
      await expect.poll(() => clipboard(page)).toContain('"name": "Card"');
      await page.keyboard.press('Control+v');
    },
    gives: { 1: { x: 200 }, 6: { name: 'Card 2', x: 212, y: '162px', width: '20vmin' } },
  },
  {
    what: 'Ctrl X takes it away, and Ctrl V brings it back on top',
    act: async (hand, page) => {
      await hand.click(words);
      await page.keyboard.press('Control+x');
      await expect.poll(async () => (await hand.elements()).length).toBe(5);
      await page.keyboard.press('Control+v');
    },
    picture: 'the same',
    gives: { 5: { name: 'Words', x: '25%', font_size: '8 vmin' } },
  },
  {
    what: 'the menu cuts, and pastes where it was opened',
    act: async (hand, page) => {
      await openMenu(page, hand, card);
      await choose(page, 'Cut');
      await expect.poll(async () => (await hand.elements()).length).toBe(5);
      await openMenu(page, hand, [400, 300]);
      await choose(page, 'Paste here');
    },
    gives: { 5: { name: 'Card', x: 400, y: '300px' } },
  },
  {
    what: 'several are pasted as they lie to each other',
    act: async (hand, page) => {
      await hand.click(card);
      await hand.click(turned, ['Shift']);
      await page.keyboard.press('Control+c');
      await page.keyboard.press('Control+v');
    },
    gives: { 6: { name: 'Card 2', x: 212 }, 7: { name: 'Turned 2', x: '76.5%', y: '27%' } },
  },
  {
    what: 'Ctrl Alt V gives the look of what was copied',
    act: async (hand, page) => {
      await hand.click(card);
      await page.keyboard.press('Control+c');
      await hand.click(words);
      await page.keyboard.press('Control+Alt+v');
    },
    gives: { 3: { text: 'Words', x: '25%', fill_color: '#d9480f' } },
  },
  {
    what: 'words become a text',
    act: async (_, page) => {
      await page.evaluate(() => navigator.clipboard.writeText('Big sale'));
      await page.locator('#editor-stage').focus();
      await page.keyboard.press('Control+v');
    },
    gives: { 6: { type: 'text', text: 'Big sale' } },
  },
  {
    what: 'JSON of another program becomes elements',
    act: async (_, page) => {
      const shape = { type: 'shape', x: '50%', y: '50%', width: '10%', height: '10%' };
      const text = JSON.stringify({ elements: [{ ...shape, fill_color: '#fff' }] });
      await page.evaluate((text) => navigator.clipboard.writeText(text), text);
      await page.locator('#editor-stage').focus();
      await page.keyboard.press('Control+v');
    },
    gives: { 6: { type: 'shape', x: '50%', y: '50%' } },
  },
  {
    what: 'an address of a picture becomes one',
    act: async (_, page) => {
      const address = 'http://127.0.0.1:9/photo.png';
      await page.evaluate((text) => navigator.clipboard.writeText(text), address);
      await page.locator('#editor-stage').focus();
      await page.keyboard.press('Control+v');
    },
    // Nothing answers there.
    picture: 'the same',
    gives: { 6: { type: 'image', name: 'photo', source: 'http://127.0.0.1:9/photo.png' } },
  },
  {
    what: 'a picture on the clipboard goes into the library and onto the page',
    act: async (_, page) => {
      await page.evaluate(async () => {
        const canvas = new OffscreenCanvas(60, 60);
        const drawing = canvas.getContext('2d')!;
        drawing.fillStyle = '#e8590c';
        drawing.fillRect(0, 0, 60, 60);
        const blob = await canvas.convertToBlob();
        await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
      });
      await page.locator('#editor-stage').focus();
      await page.keyboard.press('Control+v');
    },
    gives: { 6: { type: 'image', x: '50%', y: '50%' } },
  },
  {
    what: 'Ctrl A selects all, and Delete takes away what is not locked',
    act: async (_, page) => {
      await page.locator('#editor-stage').focus();
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
    },
    gives: { 0: { name: 'Ground' }, 1: undefined as never },
  },
  {
    what: 'the menu locks',
    act: async (hand, page) => {
      await openMenu(page, hand, words);
      await choose(page, 'Lock');
    },
    picture: 'the same',
    gives: { 3: { name: 'Words', locked: true } },
  },
];

test('what is copied, cut and pasted is one step each, and undone to the byte', async ({
  page,
  program,
}) => {
  test.setTimeout(240_000);
  await openNewTemplate(page, program, JSON.parse(pictureDocument) as object, 'Clipboard');
  await tryGestures(page, pictureDocument, rows);
});

test('elements go into another template, and into the source as they are', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, JSON.parse(pictureDocument) as object, 'From here');
  const hand = await Hand.on(page);
  await hand.click(card);
  await page.keyboard.press('Control+c');
  const text = await clipboard(page);
  expect((JSON.parse(text) as { elements: unknown }).elements).toEqual([
    (await hand.elements())[1],
  ]);
  // An empty one has no picture yet.
  const { id } = await program.createTemplate({
    name: 'To here',
    source: { width: 800, height: 600, elements: [] },
  });
  await page.goto(`${program.windowUrl}&template=${id}`);
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-state', 'ready');
  await page.locator('#editor-stage').focus();
  await page.keyboard.press('Control+v');
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-state', 'ready');
  expect(await hand.elements()).toEqual((JSON.parse(text) as { elements: unknown }).elements);
  await expect(page.getByTestId('arrange-bar')).toBeVisible();
});

test('the menu opens by keys, hides what is selected, and shows it again', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, JSON.parse(pictureDocument) as object, 'Menu');
  const hand = await Hand.on(page);
  const before = await hand.text();
  await hand.click(card);
  await page.keyboard.press('Shift+F10');
  const menu = page.getByRole('menu', { name: 'Actions for the picture' });
  await expect(menu).toBeVisible();
  await expect(menu.getByRole('menuitem', { name: 'Cut', exact: true })).toContainText('Ctrl X');
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await expect(page.locator('#editor-stage')).toBeFocused();
  const image = page.locator('#editor-stage .frame > img').first();
  const seen = await image.getAttribute('src');
  await page.keyboard.press('Control+Shift+h');
  await expect(image).not.toHaveAttribute('src', seen ?? '');
  expect(await hand.text()).toBe(before);
  await expect(page.getByTestId('arrange-bar')).toHaveCount(0);
  await openMenu(page, hand, [400, 300]);
  await choose(page, 'Show hidden elements');
  await expect(image).toHaveAttribute('src', seen ?? '');
});
