/**
 * The picture of the editor as its tests touch it: a pointer in its pixels, and values as near as a hand is.
 */
import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { someInQuick } from '../helpers/long.ts';
import { codeOf } from './editor-page.ts';
import { expect, test } from './program.ts';

export type Point = readonly [x: number, y: number];
export type Element = Readonly<Record<string, unknown>> & {
  readonly elements?: readonly Element[];
};

export class Hand {
  readonly #page: Page;
  readonly #frame: { x: number; y: number; width: number; height: number };

  constructor(page: Page, frame: { x: number; y: number; width: number; height: number }) {
    this.#page = page;
    this.#frame = frame;
  }

  static async on(page: Page): Promise<Hand> {
    const frame = await page.locator('#editor-stage .frame').last().boundingBox();
    if (!frame) throw new Error('There is no picture.');
    return new Hand(page, frame);
  }

  /** A point of the document in the page. */
  at([x, y]: Point): Point {
    const { x: left, y: top, width, height } = this.#frame;
    return [left + (width * x) / 800, top + (height * y) / 600];
  }

  async text(): Promise<string> {
    return codeOf(this.#page);
  }

  async elements(): Promise<readonly Element[]> {
    return (JSON.parse(await this.text()) as { elements: readonly Element[] }).elements;
  }

  async click(point: Point, keys: readonly string[] = []): Promise<void> {
    for (const key of keys) await this.#page.keyboard.down(key);
    await this.#page.mouse.click(...this.at(point));
    for (const key of keys) await this.#page.keyboard.up(key);
  }

  async double(point: Point): Promise<void> {
    await this.#page.mouse.dblclick(...this.at(point));
  }

  async drag(from: Point, to: Point, keys: readonly string[] = []): Promise<void> {
    const { mouse, keyboard } = this.#page;
    for (const key of keys) await keyboard.down(key);
    // The browser knows a mouse by whole pixels: from between two of them, a way would be up to one longer or shorter.
    const [begin, end] = [this.at(from), this.at(to)];
    const start: Point = [Math.round(begin[0]), Math.round(begin[1])];
    const way = [Math.round(end[0] - begin[0]), Math.round(end[1] - begin[1])] as const;
    await mouse.move(...start);
    await mouse.down();
    await mouse.move(start[0] + way[0] / 2, start[1] + way[1] / 2);
    await mouse.move(start[0] + way[0], start[1] + way[1]);
    await mouse.up();
    for (const key of keys) await keyboard.up(key);
  }

  /** Drags a handle so far, in pixels of the document. */
  async pull(
    handle: string,
    by: Point,
    keys: readonly string[] = [],
    kind = 'handle',
  ): Promise<void> {
    const box = await this.#page.getByTestId(`${kind}-${handle}`).boundingBox();
    if (!box) throw new Error(`There is no handle ${handle}.`);
    const { x, y, width, height } = this.#frame;
    const at: Point = [
      ((box.x + box.width / 2 - x) / width) * 800,
      ((box.y + box.height / 2 - y) / height) * 600,
    ];
    await this.drag(at, [at[0] + by[0], at[1] + by[1]], keys);
  }
}

/** `200` and `200.6` are the same to a hand, and so are `30%` and `30.04%`. */
export function isNear(found: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) {
    const list = expected as readonly unknown[];
    return (
      Array.isArray(found) && list.every((one, index) => isNear((found as unknown[])[index], one))
    );
  }
  if (typeof expected === 'object' && expected !== null) {
    return Object.entries(expected).every(([name, value]) =>
      isNear((found as Record<string, unknown> | undefined)?.[name], value),
    );
  }
  const [a, b] = [found, expected].map((value) => /^(-?[\d.]+)(.*)$/.exec(String(value)));
  if (!a || !b || typeof found !== typeof expected) return found === expected;
  return (
    a[2] === b[2] &&
    Math.abs(Number(a[1]) - Number(b[1])) <= Math.max(1.5, Math.abs(Number(b[1])) * 0.015)
  );
}

/** Puts a text into the source pane, as typed there at once. */
export async function writeSource(page: Page, text: string): Promise<void> {
  await page.locator('.cm-content').evaluate((content, text) => {
    const { cmTile } = content as unknown as {
      cmTile: { view: { state: { doc: { length: number } }; dispatch(spec: object): void } };
    };
    const { view } = cmTile;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  }, text);
}

/** One gesture. */
export interface GestureRow {
  readonly what: string;
  /** Without it, the picture becomes another one, and by undoing the same again. */
  readonly picture?: 'the same' | 'another moment';
  readonly act: (hand: Hand, page: Page) => Promise<void>;
  /**
   * Values afterwards, by the index of the element; numbers to one and a half of their unit or in a hundred, as a pixel
   * of the screen is.
   */
  readonly gives: Readonly<Record<number, Readonly<Record<string, unknown>>>>;
}

/**
 * Tries gestures one after the other: each changes document and picture as it should, and undone leaves the same bytes
 * of both. `npm test` tries some of them.
 *
 * @param document Has something at 200, 150 that a click selects.
 */
export async function tryGestures(
  page: Page,
  document: string,
  rows: readonly GestureRow[],
): Promise<void> {
  // Small texts have all their handles only where the picture is large.
  await page.setViewportSize({ width: 1440, height: 1100 });
  await expect
    .poll(async () => (await page.locator('#editor-stage .frame').last().boundingBox())?.height)
    .toBeGreaterThan(400);
  const hand = await Hand.on(page);
  // The document as its author formatted it, in place of the server's own layout.
  await writeSource(page, document);
  const preview = page.getByTestId('editor-preview');
  await expect(preview).toHaveAttribute('data-live', 'ready');
  const bar = page.getByTestId('arrange-bar');
  const frame = page.locator('#editor-stage .frame > img').first();
  /** The hash of the server's picture, once it is in front. */
  const picture = async (): Promise<string> => {
    await expect(preview).toHaveAttribute('data-front', 'server');
    const address = await frame.getAttribute('src');
    return createHash('sha1')
      .update(address ?? '')
      .digest('hex');
  };
  for (const { what, act, gives, picture: changes } of someInQuick(rows, 7)) {
    await test.step(what, async () => {
      await page.locator('#editor-stage').focus();
      // The picture has come to the document as it is again.
      await expect(async () => {
        await hand.click([200, 150]);
        await expect(bar).toBeVisible({ timeout: 500 });
      }).toPass();
      await page.keyboard.press('Escape');
      await expect(bar).toHaveCount(0);
      const before = await picture();
      await act(hand, page);
      await expect
        .poll(async () => {
          const elements = await hand.elements();
          return Object.entries(gives).filter(
            ([index, values]) => !isNear(elements[Number(index)] ?? undefined, values),
          ).length === 0
            ? 'as expected'
            : Object.keys(gives).map((index) => elements[Number(index)]);
        })
        .toBe('as expected');
      const after = await hand.text();
      expect(after).not.toBe(document);
      if (changes === undefined) await expect.poll(picture).not.toBe(before);
      if (changes === 'the same') await expect.poll(picture).toBe(before);
      await page.keyboard.press('Escape');
      // Two steps where two keys were pressed.
      for (let steps = 0; steps < 3 && (await hand.text()) !== document; steps++)
        await page.keyboard.press('Control+z');
      expect(await hand.text()).toBe(document);
      for (let level = 0; level < 3; level++) await page.keyboard.press('Escape');
      await expect(bar).toHaveCount(0);
      if (changes !== 'another moment') await expect.poll(picture).toBe(before);
    });
  }
}
