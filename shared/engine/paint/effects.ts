/**
 * Effects on an element's finished pixels: colour key, grade and table, then vignette, then blur, then colour filter,
 * then colour overlay. Phase 4. The drawing is passed in as a function.
 */
import { multiply, scaleOf, type Matrix, type Rect } from '../geometry.ts';
import type { Box } from '../layout/box.ts';
import type { PixelEffects } from '../layout/paint-values.ts';
import type { Composite } from '../surface.ts';
import {
  blurKinds,
  isBlurred,
  keepsItsEdges,
  scaleBeforeBlur,
  type BlurPlan,
} from '../layout/blur.ts';
import { intersection, plainBounds, visiblePart } from './bounds.ts';
import { cssColor, paintStyle } from './fill.ts';
import {
  changePixels,
  filterOnto,
  enterBox,
  place,
  placeOf,
  putAt,
  type Layer,
  type Layers,
} from './layers.ts';
import { applyLook, colorLook } from './looks.ts';
import { describe, exactPicture, fittedPicture, seenPart, smallPicture } from './pictures.ts';
import { roundedRect } from './shape.ts';
import type { Luts } from '../lut.ts';
import { softened, softenedInside } from './soften.ts';

/** What to draw, and how to blend it. */
export interface EffectJob {
  readonly box: Box;
  readonly effects: PixelEffects;
  readonly luts: Luts | undefined;
  /** Box space → the target's pixel space. */
  readonly matrix: Matrix;
  /** See: [Note: Text that moves] */
  readonly still: boolean;
  readonly alpha: number;
  readonly composite: Composite;
  readonly draw: DrawPlain;
}

/** Draws a box without effects, clips and shadow, opaque, at `matrix`. */
export type DrawPlain = (layer: Layer, box: Box, matrix: Matrix, still: boolean) => void;

/**
 * Draws a box whose pixels are changed before blending. Blurred drawings are cached while the element is unchanged,
 * wherever it moves.
 */
export function paintEffects(layers: Layers, target: Layer, job: EffectJob): void {
  const { box, effects, matrix } = job;
  enterBox(target, box, job);
  const scale = scaleOf(matrix);
  const blur = visibleBlur(effects, scale);
  const edges = blur && ownEdges(box);
  if (blur && edges) paintInside(layers, target, job, blur, edges);
  else if (blur && scale >= blur.enough) paintSpread(layers, target, job, blur);
  else paintExact(layers, target, job, blur);
  target.ctx.restore();
}

/** A visible blur. */
interface Blur {
  /** How far it spreads, box space. */
  readonly reach: number;
  /** The scale beyond which more pixels add nothing. See: [Note: Soft pictures are small] */
  readonly enough: number;
  /** What to do with pixels at a scale. */
  readonly plan: (scale: number) => BlurPlan;
}

function visibleBlur(effects: PixelEffects, scale: number): Blur | null {
  if (!isBlurred(effects, scale)) return null;
  const { blur: radius, blurMode } = effects;
  const kind = blurKinds[blurMode];
  return {
    reach: kind.reach(radius),
    enough: kind.smallScale(radius),
    plan: (at) => kind.plan(radius, at),
  };
}

/** The part of a plain picture whose edges a blur keeps, or null. See `keepsItsEdges`. */
function ownEdges(box: Box): Rect | null {
  return box.content.kind === 'media' && keepsItsEdges(box) ? visiblePart(box, box.content) : null;
}

/** Border pixels around a picture that keeps its edges, so that enlarging it has colours beyond them. */
const border = 2;

/** A picture whose blur stays inside its edges. */
function paintInside(layers: Layers, target: Layer, job: EffectJob, blur: Blur, edges: Rect): void {
  const { box, effects, matrix, draw } = job;
  const scale = scaleBeforeBlur(effects, scaleOf(matrix));
  const part = seenPart(target, matrix, edges, scale, blur.reach);
  if (!part) return;
  const plan = fittedPicture(part, scale, 0);
  const key = `inside ${scale} ${partKey(part, edges)}${describe(box)}`;
  const picture = layers.keep(box.content, key, () => {
    const drawn = layers.take(plan.pixels);
    draw(drawn, { ...box, borderRadius: 0 }, plan.matrix, false);
    const layer = looked(layers, drawn, job, plan.matrix);
    const soft = softenedInside(layers, layer, blur.plan(scale), blur.reach * scale, border);
    return recolor(layers, soft, effects);
  });
  target.ctx.clip(roundedRect(edges, box.borderRadius));
  enlarge(target, picture, fittedPicture(part, scale, border).area, matrix);
}

/** A drawing so soft that it is drawn small and enlarged. */
function paintSpread(
  layers: Layers,
  target: Layer,
  job: EffectJob,
  { reach, enough, plan: planAt }: Blur,
): void {
  const { box, effects, matrix, draw } = job;
  const bounds = plainBounds(box);
  if (!bounds) return;
  const part = seenPart(target, matrix, bounds, enough, reach);
  if (!part) return;
  const plan = smallPicture(part, enough, Math.ceil(reach * enough) + 1);
  const key = `spread ${partKey(part, bounds)}${describe(box)}`;
  const picture = layers.keep(box.content, key, () => {
    const drawn = layers.take(plan.pixels);
    draw(drawn, box, plan.matrix, false);
    const layer = looked(layers, drawn, job, plan.matrix);
    return recolor(layers, softened(layers, layer, planAt(enough)), effects);
  });
  enlarge(target, picture, plan.area, matrix);
}

/** A key for the part that a drawing is cut to; empty for the whole. */
function partKey(part: Rect, whole: Rect): string {
  return part === whole ? '' : `${JSON.stringify(part)} `;
}

/** A drawing at full size, blurred or not. */
function paintExact(layers: Layers, target: Layer, job: EffectJob, blur: Blur | null): void {
  const { box, effects, matrix, still, draw } = job;
  const scale = scaleOf(matrix);
  const bounds = plainBounds(box);
  const plan = bounds && exactPicture(target, matrix, bounds, blur ? blur.reach * scale : 0);
  if (!plan) return;
  const picture = layers.keep(box.content, `exact ${plan.key} ${still} ${describe(box)}`, () => {
    const drawn = layers.take(plan.pixels);
    draw(drawn, box, plan.matrix, still);
    const layer = looked(layers, drawn, job, plan.matrix);
    const soft = blur ? softened(layers, layer, blur.plan(scale)) : layer;
    return recolor(layers, soft, effects);
  });
  target.ctx.setTransform(1, 0, 0, 1, plan.x - target.left, plan.y - target.top);
  putAt(target, picture, picture.left, picture.top);
}

/** Draws a small picture enlarged to its area, in the space that `matrix` maps to the target's pixels. */
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

/**
 * A layer with the element's look; may return another layer and free the original.
 *
 * @param matrix Box space → pixel space, as it was drawn.
 */
function looked(
  layers: Layers,
  drawn: Layer,
  { box, effects, luts }: EffectJob,
  matrix: Matrix,
): Layer {
  const look = colorLook(effects, luts);
  let layer = drawn;
  if (look) {
    changePixels(layer, (pixels) => {
      applyLook(pixels, pixels, look);
    });
    layer = layers.afterReading(layer);
  }
  if (effects.vignette > 0) darkenCorners(layer, pictureOf(box), matrix, effects.vignette);
  return layer;
}

/** What a vignette goes by: the visible part of a picture at rest, else the box. */
function pictureOf({ content, width, height }: Box): Rect {
  const whole = { x: 0, y: 0, width, height };
  if (content.kind !== 'media') return whole;
  return intersection(content.rect, content.window) ?? whole;
}

/** Steps of the vignette's curve: straight lines between them are not seen. */
const vignetteSteps = 16;
/** Where it begins, as a share of the way from the middle to a corner. */
const vignetteStart = 0.3;

/**
 * Darkens a layer's own pixels on ellipses around the middle of an area: not at all there, by `amount` in its corners.
 */
function darkenCorners(layer: Layer, area: Rect, matrix: Matrix, amount: number): void {
  const { x, y, width, height } = area;
  const { ctx } = layer;
  const stops = Array.from({ length: vignetteSteps + 1 }, (_, step) => {
    const share = step / vignetteSteps;
    const alpha = amount * share * share * (3 - 2 * share);
    const offset = vignetteStart + share * (1 - vignetteStart);
    return { offset, color: [0, 0, 0, alpha] as const };
  });
  ctx.save();
  // A corner is as far from the middle as the unit circle is here.
  const ellipse: Matrix = [
    width * Math.SQRT1_2,
    0,
    0,
    height * Math.SQRT1_2,
    x + width / 2,
    y + height / 2,
  ];
  place(layer, multiply(matrix, ellipse));
  ctx.globalCompositeOperation = 'source-atop';
  ctx.fillStyle = paintStyle(ctx, { kind: 'radial', x: 0, y: 0, radius: 1, stops });
  // Also what reaches beyond the area, like an outline.
  ctx.fillRect(-reach, -reach, 2 * reach, 2 * reach);
  ctx.restore();
}

/** Far beyond any corner, in half diagonals. */
const reach = 100;

/** Colour filter and overlay, in this order; returns the layer with the result, and gives the other one to the pool. */
function recolor(layers: Layers, layer: Layer, effects: PixelEffects): Layer {
  let result = layer;
  const filter = colorFilter(effects);
  if (filter) {
    result = layers.take(placeOf(layer));
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
 * The canvas filter for a colour filter, or null. With v = `color_filter_value` (1 = 100 %) and colours c from 0 to 1,
 * on the stored (gamma-coded) values, not weighted by opacity; results are clamped to 0–1:
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
