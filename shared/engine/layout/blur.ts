/**
 * How soft blurs and shadows are, in numbers: for painting, and for the size at which clips are decoded. Arithmetic
 * only.
 */
import type { Box } from './box.ts';
import type { PixelEffects, Shadow } from './paint-values.ts';

/**
 * [Note: Soft pictures are small]
 *
 * A picture blurred by a Gauss curve of three pixels or more has no detail that fewer pixels could not show. So
 * stronger blurs are not made at full size: the element is drawn so small that its blur is three and a half pixels
 * wide, blurred, and enlarged. Enlarging adds less than one step of 8 bits. This is many times faster, takes the same
 * time for any radius, and the small picture does not depend on the element's position.
 *
 * It is also more accurate. The canvas approximates the curve with boxes of whole pixels, so it can only blur by 1.08,
 * 1.41, 2.12, 2.44, 3.13, 3.465, 4.13, 4.45 … pixels and takes the nearest. This one is exact within two steps of 8
 * bits.
 */
export const smallSigma = 3.465;

/** Below this many pixels a blur is invisible, and the canvas skips it. */
const leastSigma = 0.25;

/**
 * Standard deviation of the blur of a radius, both in document pixels. RenderScript's default is the stack blur, whose
 * weights r+1−|i| have the variance r(r+2)/6; a Gauss curve with the same variance looks the same.
 */
export function blurSigma(radius: number): number {
  return Math.sqrt((radius * (radius + 2)) / 6);
}

/** A Gauss curve is below half a step of 8 bits from three sigma on. */
export const sigmasVisible = 3;

/** Side of a box blur's square in a small picture, in pixels: its edges are then exact to 1/25 of its side. */
const smallBox = 25;

/** What a kind of blur does to a picture of `scale` pixels to the document pixel. */
export interface BlurKind {
  /** How far it carries colour, document pixels. */
  readonly reach: (radius: number) => number;
  /** The scale beyond which more pixels add nothing. See: [Note: Soft pictures are small] */
  readonly smallScale: (radius: number) => number;
  /** A Gauss curve of so many pixels, or a box: half its side without the pixel in the middle, and how often. */
  readonly plan: (radius: number, scale: number) => BlurPlan;
}

/** What to do with the pixels. */
export type BlurPlan =
  | { readonly kind: 'gauss'; readonly sigma: number }
  | { readonly kind: 'box'; readonly half: number; readonly passes: number };

/**
 * The kinds of blur. `stack`: weights r+1−|i|, drawn as the Gauss curve of the same variance. `box`: the average of
 * 2r+1 pixels each way, all alike. `box-2`: that twice, a tent that reaches 2r+1 pixels.
 */
export const blurKinds: Readonly<Record<PixelEffects['blurMode'], BlurKind>> = {
  stack: {
    reach: (radius) => blurSigma(radius) * sigmasVisible,
    smallScale: (radius) => smallSigma / blurSigma(radius),
    plan: (radius, scale) => ({ kind: 'gauss', sigma: blurSigma(radius) * scale }),
  },
  box: boxKind(1),
  'box-2': boxKind(2),
};

/** True if an element drawn at `scale` pixels to the document pixel is visibly blurred. */
export function isBlurred({ blur }: PixelEffects, scale: number): boolean {
  return blur > 0 && blurSigma(blur) * scale >= leastSigma;
}

/**
 * Pixels to the document pixel at which an element is drawn before its blur; `scale` without one, or with one too weak
 * for fewer pixels. See: [Note: Soft pictures are small]
 */
export function scaleBeforeBlur(effects: PixelEffects | null, scale: number): number {
  if (!effects || !isBlurred(effects, scale)) return scale;
  return Math.min(scale, blurKinds[effects.blurMode].smallScale(effects.blur));
}

function boxKind(passes: number): BlurKind {
  return {
    reach: (radius) => (radius + 0.5) * passes,
    smallScale: (radius) => smallBox / (2 * radius + 1),
    plan: (radius, scale) => ({
      kind: 'box',
      half: Math.max(0, ((2 * radius + 1) * scale - 1) / 2),
      passes,
    }),
  };
}

/** Standard deviation of a shadow in the parent's pixels: half the blur, as canvas defines `shadowBlur`. */
export function shadowSigma({ blur }: Shadow): number {
  return Math.max(0, blur) / 2;
}

/**
 * True for an element whose blur stays inside its edges: a plain picture. Its blur uses the edge's colours beyond the
 * edge, so that a blurred background still fills the frame. Everything else spreads and fades.
 */
export function keepsItsEdges(box: Box): boolean {
  return box.content.kind === 'media' && !box.fill && !box.stroke && !box.contentTransform;
}
