/**
 * Static gradients: drawn once, cached, copied. Phase 4.
 *
 * [Note: Standing gradients] A gradient costs 5 ms per megapixel each time, copying its finished layer 0.4. So a large
 * one that never moves is drawn once.
 */
import { mappedBounds, type Matrix } from '../geometry.ts';
import type { Box, ShapeContent } from '../layout/box.ts';
import type { Paint } from '../layout/paint-values.ts';
import type { Composite } from '../surface.ts';
import { plainBounds, wholePixels } from './bounds.ts';
import { describe } from './pictures.ts';
import { paintStyle } from './fill.ts';
import { copyOnto, place, placeOf, type Layer, type Layers } from './layers.ts';
import { paintShape } from './shape.ts';

/** From this many pixels on, caching a gradient pays. */
const largeGradient = 256 * 256;

/** Fills the whole target with the document's own fill. `matrix` maps document pixels to the target's. */
export function paintGround(
  layers: Layers,
  target: Layer,
  fill: Paint,
  { matrix, width, height }: { matrix: Matrix; width: number; height: number },
): void {
  const draw = (layer: Layer): Layer => {
    place(layer, matrix);
    layer.ctx.fillStyle = paintStyle(layer.ctx, fill);
    // One more pixel on every side: fractional sizes must not leave a soft edge.
    layer.ctx.fillRect(-1, -1, width + 2, height + 2);
    return layer;
  };
  if (fill.kind === 'solid') draw(target);
  else {
    const { x, y, width: wide, height: high } = placeOf(target);
    const key = `ground ${[x, y, wide, high].join(' ')}`;
    const kept = layers.keep(fill, key, () => draw(layers.take(placeOf(target))));
    copyOnto(target, kept);
  }
}

/** Where to draw a shape, and how to blend it. */
interface StandingPlace {
  readonly layer: Layer;
  /** Box space → the layer's pixel space. */
  readonly matrix: Matrix;
  readonly alpha: number;
  readonly composite: Composite;
}

/** Draws a static shape with a large gradient. False = it has none worth caching; then nothing is drawn. */
export function paintStandingGradient(
  layers: Layers,
  { layer, matrix, alpha, composite }: StandingPlace,
  box: Box,
  content: ShapeContent,
): boolean {
  if (box.clip || box.contentTransform || !box.fill || box.fill.kind === 'solid') return false;
  const ink = plainBounds(box);
  const pixels = ink && wholePixels(mappedBounds(matrix, ink), placeOf(layer));
  if (!pixels || pixels.width * pixels.height < largeGradient) return false;
  // Layers of growing things (wipes, masks) cut the drawing differently in every frame.
  const cut = [pixels.x, pixels.y, pixels.width, pixels.height].join(' ');
  const key = `gradient ${matrix.join(' ')} ${cut} ${describe(box)}`;
  const kept = layers.keep(box.content, key, () => {
    const inside = layers.take(pixels);
    place(inside, matrix);
    paintShape(inside.ctx, box, content);
    return inside;
  });
  copyOnto(layer, kept, alpha, composite);
  return true;
}
