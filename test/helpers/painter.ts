/** Painters and measurers with the product's drawing library, for tests. */
import { createCanvas, type Canvas } from '@napi-rs/canvas';
import { canvasSurface } from '../../server/engine/canvas-surface.ts';
import {
  createPainter as createPainterOn,
  type Painter,
  type PainterOptions,
} from '../../shared/engine/paint/paint.ts';
import { drawWith } from '../../shared/engine/surface.ts';

drawWith(canvasSurface);

export { createMeasurer } from '../../shared/engine/paint/measure.ts';

/** A painter on a new canvas with this many output pixels. */
export function createPainter({
  width,
  height,
  ...options
}: Omit<PainterOptions<Canvas>, 'canvas'> & {
  readonly width: number;
  readonly height: number;
}): Painter<Canvas> {
  return createPainterOn({ ...options, canvas: createCanvas(width, height) });
}
