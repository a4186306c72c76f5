/**
 * The timeline worked on by hand: each gesture is one step that changes what it should, and taken back leaves the same
 * bytes.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { timelineDocument } from '../helpers/gesture-documents.ts';
import { codeOf, openNewTemplate, openTemplate } from './editor-page.ts';
import { promo } from './editor-sources.ts';
import { expect, test } from './program.ts';

type Element = Readonly<Record<string, unknown>> & { readonly elements?: readonly Element[] };

class Hand {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  clip(name: string): Locator {
    return this.#page.getByRole('gridcell', { name: new RegExp(`^\\w+ ${name},`) });
  }

  async text(): Promise<string> {
    return codeOf(this.#page);
  }

  async elements(): Promise<readonly Element[]> {
    return (JSON.parse(await this.text()) as { elements: readonly Element[] }).elements;
  }

  /** Pixels for a second. */
  async scale(): Promise<number> {
    return Number(await this.#page.getByTestId('timeline').getAttribute('data-scale'));
  }

  async boxOf(name: string): Promise<{ x: number; y: number; width: number; height: number }> {
    const box = await this.clip(name).boundingBox();
    if (!box) throw new Error(`There is no clip ${name}.`);
    return box;
  }

  /** Drags a clip by seconds and rows, or one of its edges. */
  async drag(
    name: string,
    seconds: number,
    {
      rows = 0,
      edge,
      keys = [],
    }: { rows?: number; edge?: 'start' | 'end'; keys?: readonly string[] } = {},
  ): Promise<void> {
    const { mouse, keyboard } = this.#page;
    const { x, y, width, height } = await this.boxOf(name);
    const by = seconds * (await this.scale());
    const from = edge === 'start' ? x + 3 : edge === 'end' ? x + width - 3 : x + width / 2;
    const middle = y + height / 2;
    for (const key of keys) await keyboard.down(key);
    await mouse.move(from, middle);
    await mouse.down();
    await mouse.move(from + by / 2, middle + rows * 17, { steps: 2 });
    await mouse.move(from + by, middle + rows * 34, { steps: 2 });
    await mouse.up();
    for (const key of keys) await keyboard.up(key);
  }

  /** Where all clips lie, and what can be dragged in them. */
  async places(): Promise<string> {
    const boxes = await this.#page
      .locator('[role=gridcell], [data-testid=keyframe], [data-testid^=length]')
      .evaluateAll((clips) => clips.map((clip) => [clip.ariaLabel, clip.getBoundingClientRect()]));
    return JSON.stringify(boxes);
  }

  /** Drags a part of a clip by seconds. */
  async pull(part: Locator, seconds: number): Promise<void> {
    const { mouse } = this.#page;
    const { x, y, width, height } = (await part.boundingBox())!;
    const by = seconds * (await this.scale());
    const [from, middle] = [x + width / 2, y + height / 2];
    await this.#page.keyboard.down('Control');
    await mouse.move(from, middle);
    await mouse.down();
    await mouse.move(from + by / 2, middle, { steps: 2 });
    await mouse.move(from + by, middle, { steps: 2 });
    await mouse.up();
    await this.#page.keyboard.up('Control');
  }

  /** The head to a moment. */
  async head(seconds: number): Promise<void> {
    const box = await this.boxOf('Ground');
    const { y } = (await this.#page.getByTestId('timeline-ruler').boundingBox())!;
    await this.#page.mouse.click(box.x + seconds * (await this.scale()) + 0.5, y + 12);
  }
}

/** With Ctrl nothing snaps. */
const free = ['Control'];

interface Row {
  readonly what: string;
  readonly act: (hand: Hand, page: Page) => Promise<void>;
  /** Values afterwards, by the index of the element; numbers to a frame and a half. */
  readonly gives: Readonly<Record<number, Readonly<Record<string, unknown>>>>;
}

/** One of each thing that is taken hold of; what else a hand can do is in test/renderer/timeline.test.ts. */
const rows: readonly Row[] = [
  {
    what: 'a drag moves in time, in the unit that stood there',
    act: (hand) => hand.drag('Timed', 1.2, { keys: free }),
    gives: { 4: { time: '2.2 s', duration: '25%' } },
  },
  {
    what: 'the end is trimmed in the unit that stood there',
    act: (hand) => hand.drag('One', -0.6, { edge: 'end', keys: free }),
    gives: { 1: { duration: '1.4 s', time: undefined } },
  },
  {
    what: 'a clip changes its track',
    act: (hand) => hand.drag('Later', 1, { rows: 1, keys: free }),
    gives: { 5: { name: 'Later', track: 2, time: 6 } },
  },
  {
    what: 'S splits at the head',
    act: async (hand, page) => {
      await hand.clip('Timed').click();
      await hand.head(2);
      await page.getByRole('treegrid').focus();
      await page.keyboard.press('s');
    },
    gives: {
      4: { name: 'Timed', duration: '12.5%' },
      5: { name: 'Timed 2', time: '2 s', duration: '12.5%', track: 3 },
    },
  },
  {
    what: 'the handle of an animation changes its length',
    act: (hand) => hand.pull(hand.clip('Moving').getByTestId('length-0'), 0.6),
    gives: { 8: { animations: [{ type: 'fade', duration: '1.6 s' }] } },
  },
  {
    what: 'a keyframe is dragged in time',
    act: (hand) => hand.pull(hand.clip('Moving').getByTestId('keyframe').nth(1), 0.8),
    gives: { 8: { x: [{ time: 0 }, { time: '2.8 s', easing: 'back-out' }, { time: 'end' }] } },
  },
  {
    what: 'what lies in a composition is moved on its clock',
    act: async (hand, page) => {
      await hand.clip('Group').click();
      await page.keyboard.press('Enter');
      await hand.drag('Inner', 1, { keys: free });
      await hand.clip('Group').click();
      await page.keyboard.press('Enter');
    },
    gives: { 7: { elements: [{ name: 'Inner', time: 2, duration: 1 }] } },
  },
];

/** `2` and `2.04` are the same to a hand, and so are `25%` and `25.4%`. */
function isNear(found: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) {
    const list = expected as readonly unknown[];
    return list.every((one, index) => isNear((found as unknown[] | undefined)?.[index], one));
  }
  if (typeof expected === 'object' && expected !== null) {
    return Object.entries(expected).every(([name, value]) =>
      isNear((found as Record<string, unknown> | undefined)?.[name], value),
    );
  }
  const [a, b] = [found, expected].map((value) => /^(-?[\d.]+)(.*)$/.exec(String(value)));
  if (!a || !b || typeof found !== typeof expected) return found === expected;
  const near = a[2] === '%' ? 0.8 : 0.06;
  return a[2] === b[2] && Math.abs(Number(a[1]) - Number(b[1])) <= near;
}

async function open(page: Page, program: Parameters<typeof openNewTemplate>[1]): Promise<Hand> {
  await openNewTemplate(page, program, JSON.parse(timelineDocument) as object, 'In time');
  // The document as its author formatted it, in place of the server's own layout.
  await page.locator('.cm-content').evaluate((content, text) => {
    const { cmTile } = content as unknown as {
      cmTile: { view: { state: { doc: { length: number } }; dispatch(spec: object): void } };
    };
    const { view } = cmTile;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  }, timelineDocument);
  await expect(page.getByRole('gridcell', { name: /^Shape Ground,/ })).toBeVisible();
  // High enough for all rows.
  const edge = page.getByRole('separator', { name: 'Height of the timeline' });
  const before = Number(await edge.getAttribute('aria-valuenow'));
  await edge.press('Shift+ArrowUp');
  await edge.press('Shift+ArrowUp');
  await expect(edge).toHaveAttribute('aria-valuenow', String(before + 128));
  return new Hand(page);
}

test('gestures in time are one step each, change what they should, and are taken back to the byte', async ({
  page,
  program,
}) => {
  test.setTimeout(180_000);
  const hand = await open(page, program);
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-live', 'ready');
  const places = await hand.places();
  for (const { what, act, gives } of rows) {
    await test.step(what, async () => {
      await expect.poll(() => hand.places()).toBe(places);
      await act(hand, page);
      await expect
        .poll(async () => {
          const elements = await hand.elements();
          return Object.entries(gives).every(([index, values]) =>
            isNear(elements[Number(index)] ?? undefined, values),
          )
            ? 'as expected'
            : Object.keys(gives).map((index) => elements[Number(index)]);
        })
        .toBe('as expected');
      expect(await hand.text()).not.toBe(timelineDocument);
      await page.getByRole('treegrid').focus();
      await page.keyboard.press('Control+z');
      expect(await hand.text()).toBe(timelineDocument);
      for (let level = 0; level < 3; level++) await page.keyboard.press('Escape');
    });
  }
});

test('what is locked says why it stays, and Esc during a drag leaves the document alone', async ({
  page,
  program,
}) => {
  const hand = await open(page, program);
  await hand.drag('Ground', 1);
  await expect(page.getByText('“Ground” is locked. Unlock it to change its time.')).toBeVisible();
  expect(await hand.text()).toBe(timelineDocument);

  const { x, y, width, height } = await hand.boxOf('Later');
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 - 60, y + height / 2, { steps: 4 });
  await expect(page.getByTestId('timeline-readout')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('timeline-readout')).toHaveCount(0);
  await page.mouse.up();
  expect(await hand.text()).toBe(timelineDocument);
});

test('the wheel with Ctrl zooms to the pointer, arrows move between clips, and the playhead is led by the ruler', async ({
  page,
  program,
}) => {
  const { id } = await program.createTemplate({ name: 'Timed', source: promo });
  await openTemplate(page, program, id);
  const preview = page.getByTestId('editor-preview');
  await expect(preview).toHaveAttribute('data-state', 'ready');
  const badge = promo.elements.find(({ name }) => name === 'Badge') as { time?: number };
  const first = (badge.time ?? 0) * promo.frame_rate;
  const clip = page.getByRole('gridcell', { name: /Badge,/ });
  const edge = (await clip.boundingBox())!.x;
  const ruler = (await page.getByTestId('timeline-ruler').boundingBox())!;
  await page.mouse.click(edge + 1, ruler.y + ruler.height / 2);
  await expect
    .poll(async () => Math.abs(Number(await preview.getAttribute('data-frame')) - first))
    .toBeLessThanOrEqual(1);
  await expect
    .poll(async () =>
      Math.abs(((await page.getByTestId('playhead').boundingBox())?.x ?? NaN) - edge),
    )
    .toBeLessThan(4);

  const before = Number(await page.getByTestId('timeline').getAttribute('data-scale'));
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -200);
  await page.keyboard.up('Control');
  await expect
    .poll(async () => Number(await page.getByTestId('timeline').getAttribute('data-scale')))
    .toBeGreaterThan(before * 1.5);
  // What is under the pointer stays there.
  await expect.poll(async () => Math.abs((await clip.boundingBox())!.x - edge)).toBeLessThan(4);

  await clip.click();
  await expect(clip).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  await expect(clip).toHaveAttribute('aria-selected', 'false');
  await page.keyboard.press('Shift+ArrowUp');
  await expect(clip).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('gridcell', { selected: true })).toHaveCount(2);
});

test('clips show what is in their files: pictures, and the loudness of sounds', async ({
  page,
  program,
}) => {
  // A sample that the program brings.
  const samples = path.join(import.meta.dirname, '..', '..', 'resources', 'samples');
  const text = readFileSync(path.join(samples, 'slideshow-music', 'source.json'), 'utf8');
  await openNewTemplate(page, program, JSON.parse(text) as object);
  // Its pictures lie in compositions.
  await page
    .getByRole('gridcell', { name: /^Composition / })
    .first()
    .dblclick();
  for (const type of ['Image', 'Audio']) {
    const footage = page
      .getByRole('gridcell', { name: new RegExp(`^${type} `) })
      .first()
      .getByTestId('footage');
    // Something is drawn on it, and not everywhere the same.
    await expect
      .poll(async () =>
        footage.evaluate((canvas: HTMLCanvasElement) => {
          const { width, height } = canvas;
          const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height);
          return new Set(new Uint32Array(data.buffer)).size;
        }),
      )
      .toBeGreaterThan(1);
  }
  // A video shows both: its sound lies over the foot of its pictures.
  await openNewTemplate(page, program, {
    ...{ output_format: 'mp4', width: 320, height: 180 },
    elements: [{ type: 'video', name: 'Sea', source: 'media/sea.mp4' }],
  });
  const sea = page.getByRole('gridcell', { name: /^Video Sea/ }).getByTestId('footage');
  await expect(sea).toHaveAttribute('data-sounds', 'true');
  const whitePixels = await sea.evaluate((canvas: HTMLCanvasElement) => {
    const { width, height } = canvas;
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height);
    return new Uint32Array(data.buffer).filter((pixel) => pixel === 0xffffffff).length;
  });
  // At least a line of one pixel along the clip.
  expect(whitePixels).toBeGreaterThan(300);
});

test('the beats of a sound are ticks on its clip, and edges keep to them', async ({
  page,
  program,
}) => {
  const before = {
    output_format: 'mp4',
    width: 320,
    height: 180,
    frame_rate: 25,
    duration: 24,
    elements: [
      {
        type: 'shape',
        name: 'Box',
        track: 1,
        time: 0,
        duration: 1,
        width: '40%',
        height: '40%',
        fill_color: '#d9480f',
      },
      // 90 beats a minute; the fourth stroke is at 2 s.
      { type: 'audio', name: 'Tune', track: 2, source: 'media/tune.m4a' },
    ],
  };
  const hand = new Hand(page);
  await openNewTemplate(page, program, before);
  await page.getByRole('tab', { name: 'Source' }).click();
  const tune = hand.clip('Tune').getByTestId('footage');
  await expect.poll(async () => Number(await tune.getAttribute('data-beats'))).toBeGreaterThan(20);
  const text = await hand.text();
  const lengthOf = async (): Promise<number> => Number((await hand.elements())[0]?.['duration']);
  const width = async (): Promise<number> => (await hand.clip('Box').boundingBox())?.width ?? 0;
  const drawn = await width();
  await hand.drag('Box', 0.92, { edge: 'end', keys: ['Control'] });
  await expect.poll(lengthOf).not.toBe(1);
  const free = await lengthOf();
  expect(Math.abs(free - 1.92)).toBeLessThan(0.06);
  await page.getByRole('button', { name: /^Undo/ }).click();
  expect(await hand.text()).toBe(text);
  // Its edge is taken hold of where it is drawn.
  await expect.poll(width).toBe(drawn);
  await hand.drag('Box', 0.92, { edge: 'end' });
  await expect.poll(lengthOf).not.toBe(1);
  // The fourth stroke.
  const kept = await lengthOf();
  expect(Math.abs(kept - 2)).toBeLessThan(0.03);
  await page.getByRole('button', { name: /^Undo/ }).click();
  expect(await hand.text()).toBe(text);
  const folder = process.env['LOOK_AT'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/beats.png` });

  // Its fades and its loudness, by hand; a double click on the line gives it a point.
  await hand.clip('Tune').click({ position: { x: 60, y: 23 } });
  await hand.pull(page.getByTestId('fade-start'), 2);
  await expect.poll(async () => (await hand.elements())[1]?.['audio_fade_in']).toBeCloseTo(2, 1);
  const line = page.getByTestId('loudness');
  const { x, y, width: long, height } = (await line.boundingBox())!;
  await page.mouse.move(x + long / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + long / 2, y + height / 2 + 7, { steps: 3 });
  await expect(page.getByTestId('timeline')).toContainText('50%');
  await page.mouse.up();
  await expect.poll(async () => (await hand.elements())[1]?.['volume']).toBe('50%');
  await page.mouse.dblclick(x + long / 2, y + height / 2 + 7);
  await expect(page.getByTestId('loudness-0')).toBeVisible();
  expect((await hand.elements())[1]?.['volume']).toEqual([
    { time: expect.any(Number) as unknown, value: '50%' },
  ]);
  if (folder !== undefined) await page.screenshot({ path: `${folder}/sound.png` });
  for (let step = 0; step < 3; step++) await page.getByRole('button', { name: /^Undo/ }).click();
  expect(await hand.text()).toBe(text);
});

test('three photos become a film with two transitions in five actions, and one more is dropped between them', async ({
  page,
  program,
}) => {
  const folder = process.env['LOOK_AT'];
  const blank = { output_format: 'mp4', width: 640, height: 360, frame_rate: 25, duration: 10 };
  await openTemplate(
    page,
    program,
    (await program.createTemplate({ name: 'Film', source: { ...blank, elements: [] } })).id,
  );
  const panel = page.getByTestId('media-panel');
  await page.getByRole('radio', { name: 'Media' }).check({ force: true });
  const fixtures = path.join(import.meta.dirname, '..', 'fixtures');
  const names = ['photo.jpg', 'rings.png', 'exif-1.jpg'];
  await panel
    .locator('input[type=file]')
    .setInputFiles(names.map((name) => path.join(fixtures, name)));
  const tile = (name: string): Locator =>
    panel.getByRole('option', { name: new RegExp(`^${name},`) });
  for (const name of names) await expect(tile(name)).toHaveAttribute('aria-selected', 'true');
  await expect(panel.getByRole('button', { name: 'Add 3 files to the film' })).toBeVisible();
  const elements = async (): Promise<readonly Element[]> =>
    (JSON.parse(await codeOf(page)) as { elements: readonly Element[] }).elements;

  // One.
  await panel.getByRole('option').first().click();
  // Two.
  await panel
    .getByRole('option')
    .last()
    .dblclick({ modifiers: ['Shift'] });
  await expect.poll(async () => (await elements()).length).toBe(3);
  for (const [index, element] of (await elements()).entries()) {
    expect(element).toMatchObject({ type: 'image', track: 1, duration: 4, width: '100%' });
    expect(element, `the time of ${index}`).not.toHaveProperty('time');
  }
  const cuts = page
    .getByRole('button', { name: /^(Add a transition|Transition)/ })
    .and(page.locator('[data-cut]'));
  await expect(cuts).toHaveCount(2);
  await expect(page.getByRole('rowheader')).toHaveText(['Track 1']);
  // Three.
  await cuts.first().click();
  const choices = page.getByTestId('transition-panel');
  // Four.
  await choices.getByRole('button', { name: 'Push left' }).click();
  // Five.
  await choices.getByRole('button', { name: 'To all 2 cuts' }).click();
  await expect
    .poll(async () => (await elements()).map(({ animations }) => JSON.stringify(animations)))
    .toEqual([
      undefined,
      expect.stringContaining('"transition":true'),
      expect.stringContaining('"direction":"180°"'),
    ]);
  expect((await elements()).map(({ duration }) => duration)).toEqual([5, 5, 4]);
  if (folder !== undefined) await page.screenshot({ path: `${folder}/transitions.png` });

  // The length, by its field and by its edge.
  const length = choices.getByLabel('Length');
  await length.fill('0.5');
  await length.press('Enter');
  await expect.poll(async () => (await elements())[0]?.['duration']).toBe(4.5);
  await page.keyboard.press('Escape');
  await expect(cuts.first()).toBeFocused();
  // The second cut has a menu.
  await cuts.last().click({ button: 'right' });
  const actions = page.getByRole('menu', { name: 'Actions for the cut' });
  await expect(actions.getByRole('menuitem')).toHaveCount(3);
  if (folder !== undefined) await page.screenshot({ path: `${folder}/menu-cut.png` });
  await actions.getByRole('menuitem', { name: 'Delete' }).click();
  await expect.poll(async () => (await elements())[1]?.['duration']).toBe(4);
  await cuts.first().focus();
  await page.keyboard.press('Enter');
  await choices.getByRole('button', { name: 'Remove' }).click();
  await expect.poll(async () => (await elements())[0]?.['duration']).toBe(4);
  await expect(choices.getByRole('button', { name: 'Remove' })).toHaveCount(0);
  await page.keyboard.press('Escape');

  // Between the first and the second.
  const second = (await cuts.first().boundingBox())!;
  await tile('photo.jpg').click();
  await tile('photo.jpg').hover();
  await page.mouse.down();
  const mark = page.getByTestId('timeline-drop');
  // The browser begins a drag when it comes to it: until then it tells nobody of the moves.
  await expect(async () => {
    await page.mouse.move(second.x + 60, second.y + 10, { steps: 4 });
    await page.mouse.move(second.x + 30, second.y + 12, { steps: 2 });
    await expect(mark).toBeVisible({ timeout: 1000 });
  }).toPass();
  expect(Math.abs((await mark.boundingBox())!.x - second.x - 12)).toBeLessThan(4);
  if (folder !== undefined) await page.screenshot({ path: `${folder}/drop.png` });
  await page.mouse.up();
  await expect.poll(async () => (await elements()).length).toBe(4);
  expect((await elements())[1]).toMatchObject({ name: 'photo 2', track: 1, duration: 4 });
});

test('clips, tracks and keyframes have a menu, by the pointer and by its key', async ({
  page,
  program,
}) => {
  const folder = process.env['LOOK_AT'];
  const hand = await open(page, program);
  const item = (name: string): Locator => page.getByRole('menuitem', { name, exact: true });
  const takenBack = async (): Promise<void> => {
    await page.getByRole('treegrid').focus();
    await page.keyboard.press('Control+z');
    await expect.poll(() => hand.text()).toBe(timelineDocument);
  };

  await hand.clip('Timed').click({ button: 'right' });
  await expect(page.getByRole('menu', { name: 'Actions for the clip' })).toBeVisible();
  await expect(hand.clip('Timed')).toHaveAttribute('aria-selected', 'true');
  if (folder !== undefined) await page.screenshot({ path: `${folder}/menu.png` });
  await item('Delete and close the gap').click();
  await expect
    .poll(async () => (await hand.elements())[4])
    .toMatchObject({ name: 'Later', time: 3 });
  await takenBack();

  await hand.clip('Moving').getByTestId('keyframe').nth(1).click({ button: 'right' });
  await expect(page.getByRole('menu', { name: 'Actions for the keyframe' })).toBeVisible();
  if (folder !== undefined) await page.screenshot({ path: `${folder}/menu-keys.png` });
  await item('Delete').click();
  const keys = async (): Promise<unknown[]> => (await hand.elements())[8]?.['x'] as unknown[];
  await expect.poll(async () => (await keys()).length).toBe(2);
  await takenBack();

  // By the browser's own events: of a clip whose keyframes were pressed, those are copied.
  await hand.clip('Moving').getByTestId('keyframe').nth(1).click();
  await page.keyboard.press('Control+c');
  await page.keyboard.press('Home');
  await page.keyboard.press('Control+v');
  await expect.poll(keys).toMatchObject([{ value: '60%' }, {}, {}]);
  await takenBack();

  await page.getByRole('rowheader', { name: 'Track 2' }).click({ button: 'right' });
  await expect(page.getByRole('gridcell', { selected: true })).toHaveCount(3);
  await item('Transitions on all cuts…').click();
  const panel = page.getByRole('dialog', { name: 'Transition on all 2 cuts' });
  await panel.getByRole('button', { name: 'Crossfade' }).click();
  await expect
    .poll(async () => (await hand.elements()).filter(({ animations }) => animations).length)
    .toBe(3);
  await page.keyboard.press('Escape');
  await takenBack();

  await hand.clip('Later').click();
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menu', { name: 'Actions for the clip' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('treegrid')).toBeFocused();
});

test('keyframes at the ends of a clip are seen whole and can be pressed, beside edges and cuts that can be, too', async ({
  page,
  program,
}) => {
  const x = [
    { time: 0, value: '10%' },
    { time: 2, value: '60%' },
    { time: 'end', value: '90%' },
  ];
  const shape = { type: 'shape', track: 1, duration: 4, width: '20%', height: '20%', x };
  const elements = ['A', 'B', 'C'].map((name) => ({ ...shape, name }));
  await openNewTemplate(page, program, { output_format: 'mp4', width: 640, height: 360, elements });
  const timeline = page.getByTestId('timeline');
  await expect(timeline.getByTestId('keyframe')).toHaveCount(9);
  /** What is on top at points of things, which are themselves expected there. */
  const covered = (selector: string, points: readonly (readonly [number, number])[]) =>
    timeline.locator(selector).evaluateAll(
      (found, ways) =>
        found.flatMap((one) => {
          const { left, top, width, height } = one.getBoundingClientRect();
          const isFree = ways.every(([right, down]) => {
            const at = [left + width / 2 + right, top + height / 2 + down] as const;
            return one.contains(document.elementFromPoint(...at));
          });
          return isFree ? [] : [one.outerHTML];
        }),
      points,
    );
  // The corners of a diamond with its outline.
  const corners = [
    [0, 0],
    [-6, 0],
    [6, 0],
    [0, -6],
    [0, 6],
  ] as const;
  expect(await covered('[data-testid=keyframe]', corners)).toEqual([]);
  expect(await covered('[data-cut]', [[0, 0]])).toEqual([]);
  const outer = (edge: string, name: string): string =>
    `[data-path="elements[${name}]"] [data-testid=trim-${edge}]`;
  const upper = [[0, -8]] as const;
  expect(await covered(`${outer('start', '0')}, ${outer('end', '2')}`, upper)).toEqual([]);
});

test('35: a press on the ruler gives the timeline the keys without a ring, which the first key shows', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, promo);
  const ring = (): Promise<string> =>
    page
      .getByTestId('timeline')
      .evaluate((timeline) => getComputedStyle(timeline, '::after').outlineStyle);
  // After typing, whatever gets the focus would have a ring.
  await page.getByRole('textbox').first().focus();
  await page.getByTestId('timeline-ruler').click({ position: { x: 400, y: 8 } });
  await expect(page.getByTestId('timeline').getByRole('treegrid')).toBeFocused();
  expect(await ring()).toBe('none');
  await page.keyboard.press('Home');
  expect(await ring()).toBe('solid');
});
