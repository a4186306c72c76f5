/**
 * Drop shadows: the element's own pixels in one colour, softened, moved, and drawn below it. Phase 4.
 *
 * A shadow is in the parent's space: it does not rotate with the element, and the element's own scale neither moves nor
 * softens it.
 *
 * [Note: Shadows inside of shadows] An element with a shadow is drawn twice: for the shadow, at its size and place, and
 * for itself. Inside another one with a shadow that is four times, and sixteen levels deep 65,536 times. So only the
 * innermost four may double; every composition around them is drawn once, on a layer from which its shadow is made. The
 * result is not identical: a hard shadow between pixels consists of moved layer pixels instead of edges drawn there,
 * which may differ by up to 22 of 255 levels along the edges.
 */
import { mappedBounds, scaleOf, scaling, type Matrix, type Rect } from '../geometry.ts';
import type { Box, Content } from '../layout/box.ts';
import type { Shadow } from '../layout/paint-values.ts';
import { shadowSigma, sigmasVisible, smallSigma } from '../layout/blur.ts';
import { grown, intersection, union, wholePixels } from './bounds.ts';
import { cssColor } from './fill.ts';
import { copyOnto, place, placeOf, putAt, type Layer, type Layers } from './layers.ts';
import { describe, exactPicture, isLarge } from './pictures.ts';
import { blurred } from './soften.ts';

/** What casts a shadow. */
export interface Cast {
  readonly box: Box;
  readonly shadow: Shadow;
  /** Its visible part without the shadow, in the space that `matrix` maps to the target's pixel space. */
  readonly ink: Rect;
  readonly matrix: Matrix;
  /** The parent's content space → the target's pixel space. */
  readonly parent: Matrix;
}

/** Draws a box with effects and clips but without its shadow, at `matrix`. */
export type DrawUnshadowed = (layer: Layer, matrix: Matrix, still: boolean) => void;

/**
 * Draws the shadow of a box. It is cached while the element is unchanged, wherever it moves. Soft shadows are drawn
 * small, see: [Note: Soft pictures are small].
 */
export function paintShadow(
  layers: Layers,
  target: Layer,
  { box, shadow, ink, matrix: place, parent }: Cast,
  still: boolean,
  draw: DrawUnshadowed,
): void {
  const [a, b, c, d, e, f] = place;
  const offset = offsetOf(shadow, parent);
  const x = e + offset.x;
  const y = f + offset.y;
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
    const isCut = isLarge(cast);
    const pixels = wholePixels(cast, isCut ? viewOf(target, x, y, small) : undefined);
    if (pixels) {
      const part = isCut ? `${JSON.stringify(pixels)} ` : '';
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

/** The offset of a shadow, in pixels. */
function offsetOf(
  { x, y }: Shadow,
  [a, b, c, d]: Matrix,
): { readonly x: number; readonly y: number } {
  return { x: a * x + c * y, y: b * x + d * y };
}

/** How many nested shadows are drawn separately. See: [Note: Shadows inside of shadows] */
const apart = 4;

const knownDepths = new WeakMap<Content, number>();

/** True for an element to draw once for itself and its shadow. See: [Note: Shadows inside of shadows] */
export function holdsShadows({ shadow, content }: Box): boolean {
  return shadow !== null && shadowsIn(content) >= apart;
}

/** The deepest nesting of compositions with shadows. */
function shadowsIn(content: Content): number {
  if (content.kind !== 'composition') return 0;
  let depth = knownDepths.get(content);
  if (depth === undefined) {
    depth = 0;
    for (const child of content.children) {
      const own = child.shadow && child.content.kind === 'composition' ? 1 : 0;
      depth = Math.max(depth, own + shadowsIn(child.content));
    }
    knownDepths.set(content, depth);
  }
  return depth;
}

/**
 * Draws a box on a layer; then draws its shadow, made from that layer, and the layer. See: [Note: Shadows inside of
 * shadows]
 */
export function paintWithShadow(
  layers: Layers,
  target: Layer,
  { shadow, ink, matrix, parent }: Cast,
  draw: (layer: Layer) => void,
): void {
  const { x, y } = offsetOf(shadow, parent);
  const sigma = shadowSigma(shadow) * scaleOf(parent);
  // See: [Note: Soft pictures are small]
  const small = Math.min(1, smallSigma / sigma);
  const whole = wholePixels(mappedBounds(matrix, ink));
  const view = placeOf(target);
  const reach = sigma * sigmasVisible + 2 / small;
  const below = grown({ ...view, x: view.x - x, y: view.y - y }, reach);
  const part = whole && union(intersection(whole, view), intersection(whole, below));
  const seen = part && wholePixels(part, whole);
  if (!seen) return;
  layers.with(seen, (layer) => {
    draw(layer);
    const soft = blurred(layers, shrunk(layers, layer, whole, small), sigma * small);
    tint(soft, shadow);
    const { ctx } = target;
    ctx.save();
    ctx.setTransform(
      1 / small,
      0,
      0,
      1 / small,
      whole.x + x - target.left,
      whole.y + y - target.top,
    );
    putAt(target, soft, soft.left, soft.top);
    ctx.restore();
    layers.give(soft);
    copyOnto(target, layer);
  });
}

/**
 * A copy of a layer at `small` times its size, with a margin for the blur. Its pixels start at (x, y) of the layer's
 * space, so that it does not depend on what the layer leaves out. It is halved as often as possible, which weights all
 * pixels equally.
 */
function shrunk(layers: Layers, layer: Layer, { x, y }: Rect, small: number): Layer {
  let from: Layer = { ...layer, left: layer.left - x, top: layer.top - y };
  const next = (scale: number, margin: number): void => {
    const map = scaling(scale, scale);
    const pixels = wholePixels(grown(mappedBounds(map, placeOf(from)), margin));
    const to = layers.take(pixels ?? placeOf(from));
    place(to, map);
    putAt(to, from, from.left, from.top);
    if (from.canvas !== layer.canvas) layers.give(from);
    from = to;
  };
  let left = small;
  for (; left <= 0.5; left *= 2) next(0.5, 0);
  next(left, smallSigma * sigmasVisible);
  return from;
}

/** The visible part of a small shadow, in its pixels, with the blur's margin. */
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
