/**
 * Drop shadows: the element's own pixels in one colour, softened, moved and put below it. Phase 4.
 *
 * A shadow lies in the parent's space: it does not turn with the element, and the element's own scale neither moves nor
 * softens it.
 */
import { mappedBounds, type Matrix, type Rect } from '../geometry.ts';
import type { Box, Shadow } from '../layout/box.ts';
import { shadowSigma, smallSigma } from './blur.ts';
import { grown, scaleOf, wholePixels } from './bounds.ts';
import { cssColor } from './fill.ts';
import { putAt, type Layer, type Layers } from './layers.ts';
import { describe, exactPicture, largestWhole } from './pictures.ts';
import { blurred } from './soften.ts';

/** What casts a shadow. */
export interface Cast {
  readonly box: Box;
  readonly shadow: Shadow;
  /** What shows of it without the shadow, in the space that `matrix` maps to the target's pixel space. */
  readonly ink: Rect;
  readonly matrix: Matrix;
  /** The parent's content space → the target's pixel space. */
  readonly parent: Matrix;
}

/** Draws a box with effects and cuts but without its shadow, where `matrix` puts it. */
export type DrawUnshadowed = (layer: Layer, matrix: Matrix, still: boolean) => void;

/**
 * Draws the shadow of a box. It is kept while the element stays as it is, wherever it moves.
 * Soft shadows are made small, see: [Note: Soft pictures are small].
 */
export function paintShadow(
  layers: Layers,
  target: Layer,
  { box, shadow, ink, matrix: place, parent }: Cast,
  still: boolean,
  draw: DrawUnshadowed,
): void {
  const [pa, pb, pc, pd] = parent;
  const [a, b, c, d, e, f] = place;
  const x = e + pa * shadow.x + pc * shadow.y;
  const y = f + pb * shadow.x + pd * shadow.y;
  const sigma = shadowSigma(shadow) * scaleOf(parent);
  const key = `shadow ${sigma} ${cssColor(shadow.color)} ${describe(box)} ${JSON.stringify([box.clipPaths, box.bend])}`;

  const make = (pixels: Rect, matrix: Matrix, blur: number, stands: boolean) => (): Layer => {
    const layer = layers.take(pixels);
    draw(layer, matrix, stands);
    const soft = blurred(layers, layer, blur);
    tint(soft, shadow);
    return soft;
  };

  const { ctx } = target;
  ctx.save();
  if (sigma >= smallSigma) {
    const small = smallSigma / sigma;
    const matrix: Matrix = [a * small, b * small, c * small, d * small, 0, 0];
    const cast = grown(mappedBounds(matrix, ink), smallSigma * 3);
    const isLarge = cast.width * cast.height > largestWhole;
    const pixels = wholePixels(cast, isLarge ? viewOf(target, x, y, small) : undefined);
    if (pixels) {
      const part = isLarge ? `${JSON.stringify(pixels)} ` : '';
      const picture = layers.keep(
        box.content,
        `${matrix.join(' ')} ${part}${key}`,
        make(pixels, matrix, smallSigma, false),
      );
      ctx.setTransform(1 / small, 0, 0, 1 / small, x - target.left, y - target.top);
      putAt(target, picture, picture.left, picture.top);
    }
  } else {
    const plan = exactPicture(target, [a, b, c, d, x, y], ink, sigma * 3);
    if (plan) {
      const full = `${plan.key} ${still} ${key}`;
      const picture = layers.keep(box.content, full, make(plan.pixels, plan.matrix, sigma, still));
      ctx.setTransform(1, 0, 0, 1, plan.x - target.left, plan.y - target.top);
      putAt(target, picture, picture.left, picture.top);
    }
  }
  ctx.restore();
}

/** What of a small shadow can be seen, in its pixels, with what the blur takes colours out of. */
function viewOf({ left, top, width, height }: Layer, x: number, y: number, small: number): Rect {
  const view = mappedBounds([small, 0, 0, small, 0, 0], { x: left - x, y: top - y, width, height });
  return grown(view, smallSigma * 3 + 2);
}

/** Turns the pixels of a layer into the shadow's colour, keeping their opacity. */
function tint({ ctx, width, height }: Layer, { color }: Shadow): void {
  ctx.save();
  ctx.resetTransform();
  ctx.globalCompositeOperation = 'source-in';
  ctx.fillStyle = cssColor(color);
  ctx.fillRect(0, 0, width, height);
  ctx.restore();
}
