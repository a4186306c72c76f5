/** Writes a canvas to a finished picture. Runs in the worker, for pictures, single moments and snapshots. */
import { createCanvas, type Canvas } from '@napi-rs/canvas';
import type { StillFormat } from '../../../shared/renderscript/formats.ts';
import { discard, publishBytes } from './publish.ts';
import { tagged, type FileTags } from './tags.ts';

/**
 * A finished file has a colour for each pixel (4:4:4), so that coloured letters keep their edges: the library gives
 * that at 100 only. A picture to look at has one for 2 × 2, at half the bytes.
 */
const jpgQuality = { file: 100, look: 92 };

/**
 * Differences from the canvas that are not seen at the distance of a hand, at a quarter of a jpg's bytes; alpha of a
 * webp is exact. The number of threads decides bytes of an avif.
 */
const small = { webp: 92, avif: { quality: 85, alphaQuality: 95, speed: 6, threads: 4 } } as const;

/** How each format is coded. */
const coded: Readonly<Record<StillFormat, (canvas: Canvas, quality: number) => Promise<Buffer>>> = {
  jpg: (canvas, quality) => canvas.encode('jpeg', quality),
  png: (canvas) => canvas.encode('png'),
  webp: (canvas) => canvas.encode('webp', small.webp),
  avif: (canvas) => canvas.encode('avif', small.avif),
};

/**
 * Writes the canvas as a picture marked as sRGB (jpg: a colour profile, png: a chunk, avif: a box; from the drawing
 * library; a webp is sRGB anyway). All but jpg keep alpha; its, so its canvas should be opaque.
 *
 * @throws RenderError `output_unwritable`.
 */
export async function writeStill(
  canvas: Canvas,
  format: StillFormat,
  filePath: string,
  tags: FileTags | null = null,
): Promise<void> {
  const bytes = await coded[format](canvas, jpgQuality.file);
  try {
    await publishBytes(filePath, tags ? tagged[format](bytes, tags) : bytes);
  } catch (error) {
    await discard(filePath);
    throw error;
  }
}

/** The bytes of such a picture to look at, without tags. */
export function stillBytes(canvas: Canvas, format: StillFormat): Promise<Buffer> {
  return coded[format](canvas, jpgQuality.look);
}

/** Longer side in pixels, and quality, of a picture that shows a render's progress. */
const glance = { side: 320, quality: 72 };

/** The canvas as a jpg of at most 320 pixels, on white. Does not change the canvas. */
export async function smallPicture(canvas: Canvas): Promise<Buffer> {
  const scale = Math.min(1, glance.side / Math.max(canvas.width, canvas.height));
  const width = Math.max(1, Math.round(canvas.width * scale));
  const height = Math.max(1, Math.round(canvas.height * scale));
  const picture = createCanvas(width, height);
  const context = picture.getContext('2d');
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = 'medium';
  context.drawImage(canvas, 0, 0, width, height);
  return picture.encode('jpeg', glance.quality);
}

/** The same for a frame in the encoder's format: planes of BT.709, limited range. Takes the nearest pixels. */
export async function smallPictureOfPlanes(
  planes: Uint8Array,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<Buffer> {
  const scale = Math.min(1, glance.side / Math.max(width, height));
  const across = Math.max(1, Math.round(width * scale));
  const down = Math.max(1, Math.round(height * scale));
  const picture = createCanvas(across, down);
  const context = picture.getContext('2d');
  const pixels = context.createImageData(across, down);
  const chroma = (width * height) / 4;
  for (let row = 0; row < down; row++) {
    const y = Math.min(height - 1, Math.floor((row + 0.5) / scale));
    for (let column = 0; column < across; column++) {
      const x = Math.min(width - 1, Math.floor((column + 0.5) / scale));
      const block = width * height + ((y >> 1) * width) / 2 + (x >> 1);
      const light = ((planes[y * width + x] ?? 0) - 16) * (255 / 219);
      const blue = ((planes[block] ?? 0) - 128) * (255 / 224);
      const red = ((planes[block + chroma] ?? 0) - 128) * (255 / 224);
      // ITU-R BT.709: 2 × (1 − share of red or blue), and their share taken from green.
      const colors = [
        light + 1.5748 * red,
        light - 0.1873 * blue - 0.4681 * red,
        light + 1.8556 * blue,
        255,
      ];
      pixels.data.set(colors, (row * across + column) * 4);
    }
  }
  context.putImageData(pixels, 0, 0);
  return picture.encode('jpeg', glance.quality);
}
