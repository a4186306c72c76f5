/** A canvas -> a finished jpg or png. Runs in the worker, for pictures, single moments and snapshots. */
import type { Canvas } from '@napi-rs/canvas';
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
