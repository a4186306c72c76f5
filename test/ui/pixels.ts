/** Pictures of the page as pixels, to say where two of them differ. */
import type { Locator } from '@playwright/test';

/** A decoded picture. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of each pixel, row by row, 0…255. */
  readonly data: Uint8Array;
}

/** Decodes the picture that an `img` shows, in its own size. */
export async function pixelsOf(image: Locator): Promise<Pixels> {
  const { width, height, text } = await image.evaluate(async (element: HTMLImageElement) => {
    await element.decode();
    const { naturalWidth, naturalHeight } = element;
    const canvas = new OffscreenCanvas(naturalWidth, naturalHeight);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('there is no canvas to decode the picture on');
    context.drawImage(element, 0, 0);
    const { data } = context.getImageData(0, 0, naturalWidth, naturalHeight);
    let bytes = '';
    for (let at = 0; at < data.length; at += 32_768) {
      bytes += String.fromCharCode(...data.subarray(at, at + 32_768));
    }
    return { width: naturalWidth, height: naturalHeight, text: btoa(bytes) };
  });
  return { width, height, data: Buffer.from(text, 'base64') };
}

/** Where two pictures differ, as parts of their width and height. */
export interface Difference {
  /** Pixels that are another colour than before. */
  readonly count: number;
  /** The edges of the box around them, 0…1; 1 and 0 where nothing differs. */
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** @param least What a channel must differ by to count: less is what compression does. */
export function differenceOf(before: Pixels, after: Pixels, least = 24): Difference {
  const { width, height } = before;
  if (after.width !== width || after.height !== height) {
    throw new Error(
      `pictures of one size are compared, not ${width}×${height} and ${after.width}×${after.height}`,
    );
  }
  let count = 0;
  const box = { left: 1, top: 1, right: 0, bottom: 0 };
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const at = pixel * 4;
    const differs = [0, 1, 2, 3].some(
      (channel) =>
        Math.abs((before.data[at + channel] ?? 0) - (after.data[at + channel] ?? 0)) >= least,
    );
    if (!differs) continue;
    count += 1;
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    box.left = Math.min(box.left, x / width);
    box.top = Math.min(box.top, y / height);
    box.right = Math.max(box.right, (x + 1) / width);
    box.bottom = Math.max(box.bottom, (y + 1) / height);
  }
  return { count, ...box };
}
