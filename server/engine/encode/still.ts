/** A canvas -> a finished jpg or png. Runs in the worker, for pictures, single moments and snapshots. */
import type { Canvas } from '@napi-rs/canvas';
import { discard, publishBytes } from './publish.ts';

/** Visually lossless for photographs; text keeps its edges. */
const jpgQuality = 92;

/**
 * Writes the canvas as a picture. Png keeps alpha; jpg has none, so the canvas should be opaque for it.
 *
 * @throws RenderError `output_unwritable`.
 */
export async function writeStill(
  canvas: Canvas,
  format: 'jpg' | 'png',
  filePath: string,
): Promise<void> {
  const bytes =
    format === 'jpg' ? await canvas.encode('jpeg', jpgQuality) : await canvas.encode('png');
  try {
    await publishBytes(filePath, bytes);
  } catch (error) {
    await discard(filePath);
    throw error;
  }
}
