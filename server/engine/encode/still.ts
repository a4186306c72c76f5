/** A canvas -> a finished jpg or png. Runs in the worker, for pictures, single moments and snapshots. */
import { createCanvas, type Canvas } from '@napi-rs/canvas';
import { discard, publishBytes } from './publish.ts';
import { tagged, type FileTags } from './tags.ts';

/** Visually lossless for photographs; text keeps its edges. */
const jpgQuality = 92;

/**
 * Writes the canvas as a picture that says it is sRGB (jpg: a colour profile, png: a mark; both from the drawing
 * library). Png keeps alpha; jpg has none, so the canvas should be opaque for it.
 *
 * @throws RenderError `output_unwritable`.
 */
export async function writeStill(
  canvas: Canvas,
  format: 'jpg' | 'png',
  filePath: string,
  tags: FileTags | null = null,
): Promise<void> {
  const bytes =
    format === 'jpg' ? await canvas.encode('jpeg', jpgQuality) : await canvas.encode('png');
  try {
    await publishBytes(filePath, tags ? tagged[format](bytes, tags) : bytes);
  } catch (error) {
    await discard(filePath);
    throw error;
  }
}

/** Pixels of the longer side of a picture that shows how a render comes along, and its quality. */
const small = { side: 320, quality: 72 };

/** The canvas as a jpg of at most 320 pixels, on white. The canvas stays as it is. */
export async function smallPicture(canvas: Canvas): Promise<Buffer> {
  const scale = Math.min(1, small.side / Math.max(canvas.width, canvas.height));
  const width = Math.max(1, Math.round(canvas.width * scale));
  const height = Math.max(1, Math.round(canvas.height * scale));
  const picture = createCanvas(width, height);
  const context = picture.getContext('2d');
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = 'medium';
  context.drawImage(canvas, 0, 0, width, height);
  return picture.encode('jpeg', small.quality);
}
