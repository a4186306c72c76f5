/**
 * How long a letter takes to the screen, printed and not judged: from the key to the first frame that the browser has
 * presented with it, in the picture and, as what the browser itself needs, in its field. Taking the frames costs some
 * of the time. `npm test -- --looks`.
 */
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { openTemplate, titleOf } from './editor-page.ts';
import { promo } from './editor-sources.ts';
import { expect, test } from './program.ts';
import { quantile } from './quantile.ts';

declare global {
  /** When keys were pressed, ms since 1970. */
  var keysPressed: number[];
}

/** A part of a presented frame. */
interface Look {
  /** ms since 1970. */
  readonly at: number;
  readonly pixels: Uint8ClampedArray;
}

type Part = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;

const words = 'The quick brown fox jumps over the lazy dog';

/** How many values of two pictures differ clearly: not by the edges of letters, nor by compression. */
function difference(one: Uint8ClampedArray, other: Uint8ClampedArray): number {
  return one.reduce((sum, value, at) => sum + Number(Math.abs(value - (other[at] ?? 0)) > 40), 0);
}

/** ms from each key to the first frame that looks more as in the end than as before; none where nothing changed. */
function timesOf(looks: readonly Look[], keys: readonly number[]): number[] {
  return keys.flatMap((key, index) => {
    const next = keys[index + 1] ?? Infinity;
    const before = looks.findLast(({ at }) => at <= key)?.pixels;
    const after = looks.findLast(({ at }) => at < next)?.pixels;
    if (!before || !after || difference(before, after) <= 6) return [];
    const shown = looks.find(
      ({ at, pixels }) => at > key && difference(pixels, after) < difference(pixels, before),
    );
    return shown ? shown.at - key : [];
  });
}

// With pauses in which the server's picture comes to the front, too.
for (const pause of [250, 400])
  test(`from a key to the frame with its letter, one every ${pause} ms`, async ({
    page,
    program,
  }) => {
    const size = { width: 1440, height: 900 };
    const { id } = await program.createTemplate({ name: 'Promo', source: promo });
    await page.setViewportSize(size);
    await openTemplate(page, program, id);
    const preview = page.getByTestId('editor-preview');
    await expect(preview).toHaveAttribute('data-live', 'ready');
    await titleOf(page).click();
    await page.evaluate(() => {
      globalThis.keysPressed = [];
      const note = ({ timeStamp }: KeyboardEvent): number =>
        keysPressed.push(performance.timeOrigin + timeStamp);
      addEventListener('keydown', note, true);
    });
    const parts = {
      picture: await preview.locator('canvas').boundingBox(),
      field: await titleOf(page).boundingBox(),
    };
    const frames: { at: number; jpeg: string }[] = [];
    const browser = await page.context().newCDPSession(page);
    browser.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
      frames.push({ at: (metadata.timestamp ?? 0) * 1000, jpeg: data });
      void browser.send('Page.screencastFrameAck', { sessionId });
    });
    await browser.send('Page.startScreencast', { format: 'jpeg', quality: 60, everyNthFrame: 1 });
    await page.waitForTimeout(500);
    await page.keyboard.type(words, { delay: pause });
    await page.waitForTimeout(pause);
    await browser.send('Page.stopScreencast');

    const keys = await page.evaluate(() => keysPressed);
    for (const [name, part] of Object.entries(parts)) {
      const looks: Look[] = [];
      for (const { at, jpeg } of frames)
        looks.push({ at, pixels: await cut(jpeg, part, size.width) });
      const times = timesOf(looks, keys);
      // Spaces change nothing in the picture.
      expect(times.length).toBeGreaterThan(words.length * 0.7);
      const within = (share: number): string => quantile(times, share).toFixed(0);
      console.log(
        `${name}: ${times.length} letters, half within ${within(0.5)} ms, 95 of 100 within ${within(0.95)} ms`,
      );
    }
  });

/** A part of a frame, small. @param width Of the page. */
async function cut(jpeg: string, part: Part | null, width: number): Promise<Uint8ClampedArray> {
  const image = await loadImage(Buffer.from(jpeg, 'base64'));
  const scale = image.width / width;
  const { x = 0, y = 0, width: across = 0, height: down = 0 } = part ?? {};
  const canvas = createCanvas(240, 120);
  const context = canvas.getContext('2d');
  const from = [x, y, across, down].map((length) => length * scale) as [
    number,
    number,
    number,
    number,
  ];
  context.drawImage(image, ...from, 0, 0, canvas.width, canvas.height);
  return context.getImageData(0, 0, canvas.width, canvas.height).data;
}
