/** Compares pictures in tests: one tolerance, and pictures of each failure. */
import { createCanvas, Image, type Canvas } from '@napi-rs/canvas';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import pixelmatch from 'pixelmatch';

/** Perceived distance from which a pixel counts as different, 0–1: covers rounding between processors and decoders. */
const pixelThreshold = 0.06;

/** Share of pixels that may differ: edge pixels of other builds of the drawing library. */
const allowedShare = 0.0005;

/**
 * Compares a drawn picture with the accepted one. With UPDATE_SAMPLES=1 it accepts instead. On a difference it writes
 * `…actual.png` and `…difference.png` beside the expected picture.
 *
 * @returns null when they agree, else a sentence.
 */
export function comparePicture(actualPath: string, expectedPath: string): string | null {
  const leftovers = ['actual', 'difference'].map((kind) =>
    expectedPath.replace(/\.png$/, `.${kind}.png`),
  );
  for (const file of leftovers) rmSync(file, { force: true });
  if (process.env.UPDATE_SAMPLES === '1') {
    if (!existsSync(expectedPath) || compare(actualPath, expectedPath).message !== null)
      copyFileSync(actualPath, expectedPath);
    return null;
  }
  if (!existsSync(expectedPath))
    return `${expectedPath} is missing; accept it with UPDATE_SAMPLES=1`;
  // Nearly always: then nothing is unpacked.
  if (readFileSync(actualPath).equals(readFileSync(expectedPath))) return null;
  const { message, difference } = compare(actualPath, expectedPath);
  if (message === null) return null;
  const [actualCopy = '', differenceFile = ''] = leftovers;
  copyFileSync(actualPath, actualCopy);
  if (difference) writeFileSync(differenceFile, difference.toBuffer('image/png'));
  return `${expectedPath}: ${message}; see ${actualCopy}`;
}

function compare(
  actualPath: string,
  expectedPath: string,
): { message: string | null; difference?: Canvas } {
  const actual = readPicture(actualPath);
  const expected = readPicture(expectedPath);
  const { width, height } = expected;
  if (actual.width !== width || actual.height !== height) {
    return { message: `expected ${width}×${height}, found ${actual.width}×${actual.height}` };
  }
  const difference = createCanvas(width, height);
  const context = difference.getContext('2d');
  const marks = context.createImageData(width, height);
  const count = pixelmatch(actual.data, expected.data, marks.data, width, height, {
    threshold: pixelThreshold,
    includeAA: true,
  });
  if (count <= width * height * allowedShare) return { message: null };
  context.putImageData(marks, 0, 0);
  return { message: `${count} of ${width * height} pixels differ`, difference };
}

/** Straight RGBA of a picture file. */
export function readPicture(file: string): {
  width: number;
  height: number;
  data: Uint8ClampedArray;
} {
  const image = new Image();
  image.src = readFileSync(file);
  const canvas = createCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  return {
    width: image.width,
    height: image.height,
    data: context.getImageData(0, 0, image.width, image.height).data,
  };
}
