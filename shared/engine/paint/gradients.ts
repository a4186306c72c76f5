/**
 * Gradients that stand: drawn once, kept, put down. Phase 4.
 *
 * [Note: Standing gradients] A gradient costs 5 ms a megapixel every time, putting its finished layer down 0.4. So a
 * large one that never moves is drawn once.
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

/** Pixels from which on keeping a gradient pays. */
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
    // A pixel more on every side: sizes that do not divide evenly must not leave a soft edge.
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

/** Where a shape is drawn, and how it meets the backdrop. */
interface StandingPlace {
  readonly layer: Layer;
  /** Box space → the layer's pixel space. */
  readonly matrix: Matrix;
  readonly alpha: number;
  readonly composite: Composite;
}

/** Draws a shape that stands and has a large gradient. False = it has none that pays; then nothing was drawn. */
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
  // Layers of what grows (wipes, masks) cut the drawing elsewhere in every frame.
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
