/**
 * Effects on an element's finished pixels: blur, colour filters, colour overlay. Phase 4. What the pixels show is handed
 * in as a function.
 */
import {
  mappedBounds,
  multiply,
  scaling,
  translation,
  type Matrix,
  type Rect,
} from '../geometry.ts';
import type { Box, PixelEffects } from '../layout/box.ts';
import { grown, plainBounds, scaleOf, visiblePart, wholePixels } from './bounds.ts';
import { blurKinds, blurSigma, keepsItsEdges, leastSigma, type BlurPlan } from './blur.ts';
import { boxBlur } from './box-blur.ts';
import { cssColor } from './fill.ts';
import { copyOnto, place, placeOf, type Composite, type Layer, type Layers } from './layers.ts';
import { pathOf, roundedRect } from './shape.ts';

/**
 * The canvas filter for a colour filter, or null. With v = `color_filter_value` (1 = 100 %) and colours c from 0 to 1,
 * on the stored (gamma-coded) values, not weighed by opacity; results are held to 0–1:
 *
 *   brighten    c · (1 + v)
 *   contrast    (c − ½) · (1 + v) + ½
 *   hue         turned by v · 360° with brightness kept: the matrix of CSS `hue-rotate`
 *   invert      c · (1 − v) + (1 − c) · v
 *   grayscale   c · (1 − v) + v · (0.2126 r + 0.7152 g + 0.0722 b)
 *   sepia       c · (1 − v) + v · s, where s is (0.393 r + 0.769 g + 0.189 b, 0.349 r + 0.686 g + 0.168 b,
 *               0.272 r + 0.534 g + 0.131 b)
 *
 * These are the definitions of the Filter Effects specification. Invert, grayscale and sepia end at 100 %; brighten and
 * contrast end at −100 % (black, grey).
 */
function colorFilter({ filter, filterValue: value }: PixelEffects): string | null {
  switch (filter) {
    case 'none':
      return null;
    case 'brighten':
      return value === 0 ? null : `brightness(${Math.max(0, 1 + value)})`;
    case 'contrast':
      return value === 0 ? null : `contrast(${Math.max(0, 1 + value)})`;
    case 'hue':
      return value % 1 === 0 ? null : `hue-rotate(${value * 360}deg)`;
    case 'invert':
    case 'grayscale':
    case 'sepia':
      return value <= 0 ? null : `${filter}(${Math.min(1, value)})`;
  }
}

/** Draws `source` into `target`, both of one pixel space, through a canvas filter. */
function filterOnto(target: Layer, source: Layer, filter: string): void {
  const { ctx } = target;
  const { canvas, width, height } = source;
  ctx.save();
  ctx.resetTransform();
  // Filters cost by the size of the canvas, not of the drawing: never use one on the frame itself.
  ctx.filter = filter;
  ctx.drawImage(
    canvas,
    0,
    0,
    width,
    height,
    source.left - target.left,
    source.top - target.top,
    width,
    height,
  );
  ctx.restore();
}

/** Colour filter and overlay, in this order; gives back the layer with the result, and the other one to the pool. */
function recolor(layers: Layers, layer: Layer, effects: PixelEffects): Layer {
  let result = layer;
  const filter = colorFilter(effects);
  if (filter) {
    result = layers.take({ x: layer.left, y: layer.top, width: layer.width, height: layer.height });
    filterOnto(result, layer, filter);
    layers.give(layer);
  }
  if (effects.overlay) {
    const { ctx } = result;
    ctx.save();
    ctx.resetTransform();
    ctx.globalCompositeOperation = 'source-atop';
    ctx.fillStyle = cssColor(effects.overlay);
    ctx.fillRect(0, 0, result.width, result.height);
    ctx.restore();
  }
  return result;
}

/**
 * A blurred copy; gives the original back to the pool. Pixels outside of the layer count as transparent, so the layer
 * must have three sigma of margin.
 */
export function blurred(layers: Layers, layer: Layer, sigma: number): Layer {
  if (sigma <= 0) return layer;
  const result = layers.take({
    x: layer.left,
    y: layer.top,
    width: layer.width,
    height: layer.height,
  });
  filterOnto(result, layer, `blur(${sigma}px)`);
  layers.give(layer);
  return result;
}

/** Does to a layer what a blur asks for; may give back another layer, and the original to the pool. */
function softened(layers: Layers, layer: Layer, plan: BlurPlan): Layer {
  if (plan.kind === 'gauss') return blurred(layers, layer, plan.sigma);
  boxBlur(layer, plan.half, plan.passes);
  return layer;
}

/**
 * The same for a layer that is filled to its edges, with the colours of the edges going on outside for `reach` pixels.
 * The result is larger by `border` pixels on every side.
 */
function softenedInside(
  layers: Layers,
  layer: Layer,
  plan: BlurPlan,
  reach: number,
  border: number,
): Layer {
  const { left, top, width, height } = layer;
  const margin = Math.ceil(reach) + border;
  const result = layers.take(grown(placeOf(layer), border));
  layers.with(grown({ x: left, y: top, width, height }, margin), (wide) => {
    for (const [fromY, fromHeight, y, toHeight] of bands(height, margin)) {
      for (const [fromX, fromWidth, x, toWidth] of bands(width, margin)) {
        wide.ctx.drawImage(
          layer.canvas,
          fromX,
          fromY,
          fromWidth,
          fromHeight,
          x,
          y,
          toWidth,
          toHeight,
        );
      }
    }
    if (plan.kind === 'gauss') {
      filterOnto(result, wide, `blur(${plan.sigma}px)`);
    } else {
      boxBlur(wide, plan.half, plan.passes);
      copyOnto(result, wide);
    }
  });
  layers.give(layer);
  return result;
}

/**
 * Draws a box whose pixels are changed before they meet the backdrop. Blurred drawings are kept while the element stays
 * as it is, wherever it moves.
 */
export function paintEffects(
  layers: Layers,
  target: Layer,
  { box, effects, matrix, still, alpha, composite, draw }: EffectJob,
): void {
  const scale = scaleOf(matrix);
  const blur = blurKinds[effects.blurMode];
  const blurs = effects.blur > 0 && blurSigma(effects.blur) * scale >= leastSigma;
  const reach = blurs ? blur.reach(effects.blur) : 0;
  const enough = blurs ? blur.smallScale(effects.blur) : Infinity;
  const inside = blurs ? ownEdges(box) : null;
  const { ctx } = target;
  ctx.save();
  place(target, matrix);
  for (const path of box.clipPaths) ctx.clip(pathOf(path));
  ctx.globalAlpha = alpha;
  ctx.globalCompositeOperation = composite;

  if (inside) {
    const border = 2;
    const small = Math.min(scale, enough);
    const plan = fittedPicture(inside, small, 0);
    const picture = layers.keep(box.content, `inside ${small} ${describe(box)}`, () => {
      const layer = layers.take(plan.pixels);
      draw(layer, { ...box, borderRadius: 0 }, plan.matrix, false);
      return recolor(
        layers,
        softenedInside(layers, layer, blur.plan(effects.blur, small), reach * small, border),
        effects,
      );
    });
    ctx.clip(roundedRect(inside, box.borderRadius));
    enlarge(target, picture, fittedPicture(inside, small, border).area, matrix);
  } else if (scale >= enough) {
    const bounds = plainBounds(box);
    if (bounds) {
      const plan = smallPicture(bounds, enough, Math.ceil(reach * enough) + 1);
      const picture = layers.keep(box.content, `spread ${describe(box)}`, () => {
        const layer = layers.take(plan.pixels);
        draw(layer, box, plan.matrix, false);
        return recolor(layers, softened(layers, layer, blur.plan(effects.blur, enough)), effects);
      });
      enlarge(target, picture, plan.area, matrix);
    }
  } else {
    const bounds = plainBounds(box);
    const plan = bounds && exactPicture(target, matrix, bounds, reach * scale);
    if (plan) {
      const key = `exact ${plan.key} ${still} ${describe(box)}`;
      const picture = layers.keep(box.content, key, () => {
        const layer = layers.take(plan.pixels);
        draw(layer, box, plan.matrix, still);
        const soft = blurs ? softened(layers, layer, blur.plan(effects.blur, scale)) : layer;
        return recolor(layers, soft, effects);
      });
      ctx.setTransform(1, 0, 0, 1, plan.x - target.left, plan.y - target.top);
      ctx.drawImage(
        picture.canvas,
        0,
        0,
        picture.width,
        picture.height,
        picture.left,
        picture.top,
        picture.width,
        picture.height,
      );
    }
  }
  ctx.restore();
}

/** What there is to draw, and how it meets the backdrop. */
export interface EffectJob {
  readonly box: Box;
  readonly effects: PixelEffects;
  /** Box space → the target's pixel space. */
  readonly matrix: Matrix;
  /** See: [Note: Text that moves] */
  readonly still: boolean;
  readonly alpha: number;
  readonly composite: Composite;
  readonly draw: DrawPlain;
}

/** Draws a box without effects, cuts and shadow, opaque, where `matrix` puts it. */
export type DrawPlain = (layer: Layer, box: Box, matrix: Matrix, still: boolean) => void;

/**
 * Everything but content and place that a box's own pixels depend on, as a key. Content is compared by identity.
 */
export function describe(box: Box): string {
  const { width, height, fill, stroke, borderRadius, clip, contentTransform, effects } = box;
  return JSON.stringify([
    width,
    height,
    fill,
    stroke,
    borderRadius,
    clip,
    contentTransform,
    effects,
  ]);
}

/** A picture at full size: drawn with `matrix` into `pixels`, then put down at whole pixels (x, y). */
export interface ExactPicture {
  readonly matrix: Matrix;
  readonly pixels: Rect;
  readonly x: number;
  readonly y: number;
  /** Equal for places that differ by whole pixels. */
  readonly key: string;
}

/**
 * Plans a picture of `bounds` that looks as if drawn straight into the target. Its place is rounded to 1/256 pixel, so
 * that moving by whole pixels gives the very same picture. What is much larger than the target is cut to it.
 */
export function exactPicture(
  target: Layer,
  matrix: Matrix,
  bounds: Rect,
  margin: number,
): ExactPicture | null {
  const [a, b, c, d, e, f] = matrix;
  const x = Math.floor(Math.round(e * 256) / 256);
  const y = Math.floor(Math.round(f * 256) / 256);
  const map: Matrix = [a, b, c, d, Math.round(e * 256) / 256 - x, Math.round(f * 256) / 256 - y];
  const mapped = grown(mappedBounds(map, bounds), margin);
  const view = grown(
    { x: target.left - x, y: target.top - y, width: target.width, height: target.height },
    margin,
  );
  const large = mapped.width * mapped.height > 2 * target.width * target.height;
  const pixels = wholePixels(mapped, large ? view : undefined);
  return (
    pixels && {
      matrix: map,
      pixels,
      x,
      y,
      key: [...map, pixels.x, pixels.y, pixels.width, pixels.height].join(' '),
    }
  );
}

/** A picture that is enlarged when it is put down. */
interface SmallPicture {
  readonly pixels: Rect;
  /** The space of the rectangle that it shows → the pixels. */
  readonly matrix: Matrix;
  /** What the pixels cover in that space. */
  readonly area: Rect;
}

/** Plans a picture of `bounds` at `scale` pixels a unit with `margin` pixels around. */
function smallPicture({ x, y, width, height }: Rect, scale: number, margin: number): SmallPicture {
  const wide = Math.ceil(width * scale) + 2 * margin;
  const high = Math.ceil(height * scale) + 2 * margin;
  return {
    pixels: { x: -margin, y: -margin, width: wide, height: high },
    matrix: multiply(scaling(scale, scale), translation(-x, -y)),
    area: {
      x: x - margin / scale,
      y: y - margin / scale,
      width: wide / scale,
      height: high / scale,
    },
  };
}

/** The same with the edges of `bounds` on whole pixels, for which the scale gives way a little. */
function fittedPicture({ x, y, width, height }: Rect, scale: number, margin: number): SmallPicture {
  const wide = Math.max(1, Math.ceil(width * scale));
  const high = Math.max(1, Math.ceil(height * scale));
  const unitX = width / wide;
  const unitY = height / high;
  return {
    pixels: { x: -margin, y: -margin, width: wide + 2 * margin, height: high + 2 * margin },
    matrix: multiply(scaling(1 / unitX, 1 / unitY), translation(-x, -y)),
    area: {
      x: x - margin * unitX,
      y: y - margin * unitY,
      width: (wide + 2 * margin) * unitX,
      height: (high + 2 * margin) * unitY,
    },
  };
}

/** Draws a small picture over the area that it shows, in the space that `matrix` maps to the target's pixels. */
function enlarge(target: Layer, picture: Layer, area: Rect, matrix: Matrix): void {
  place(target, matrix);
  target.ctx.drawImage(
    picture.canvas,
    0,
    0,
    picture.width,
    picture.height,
    area.x,
    area.y,
    area.width,
    area.height,
  );
}

/** The part of a picture alone whose edges a blur keeps, or null. See `keepsItsEdges`. */
function ownEdges(box: Box): Rect | null {
  return box.content.kind === 'media' && keepsItsEdges(box) ? visiblePart(box, box.content) : null;
}

/** First pixel, middle, last pixel of a side, and where they go when the side gets a margin. */
function bands(
  length: number,
  margin: number,
): readonly (readonly [number, number, number, number])[] {
  return [
    [0, 1, 0, margin],
    [0, length, margin, length],
    [length - 1, 1, margin + length, margin],
  ];
}
