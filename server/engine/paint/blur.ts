/**
 * How soft blurs and shadows are, in numbers. Phase 4, arithmetic only.
 */
import type { Box, Shadow } from '../layout/box.ts';

/**
 * [Note: Soft pictures are small]
 *
 * What has been blurred by a Gauss curve of three pixels or more has no detail that fewer pixels could not hold. So
 * stronger blurs are not made at full size: the element is drawn so small that its blur is three and a half pixels wide,
 * blurred there, and drawn large again. Enlarging adds less than one step of 8 bits. It is many times faster, does not
 * get slower with the radius, and the small picture does not depend on where the element lies.
 *
 * It is also truer. The canvas comes near the curve with boxes of whole pixels, so that it can blur by 1.08, 1.41, 2.12,
 * 2.44, 3.13, 3.465, 4.13, 4.45 … pixels only and takes the nearest of these. This one it does within two steps of 8 bits.
 */
export const smallSigma = 3.465;

/** Below this many pixels a blur can't be seen, and the canvas skips it. */
export const leastSigma = 0.25;

/**
 * Standard deviation of the blur of a radius, both in document pixels. RenderScript's default is the stack blur, whose
 * weights r+1−|i| have the variance r(r+2)/6; a Gauss curve of the same width looks the same.
 */
export function blurSigma(radius: number): number {
  return Math.sqrt((radius * (radius + 2)) / 6);
}

/** Standard deviation of a shadow in the parent's pixels: half the blur, as canvas defines `shadowBlur`. */
export function shadowSigma({ blur }: Shadow): number {
  return Math.max(0, blur) / 2;
}

/**
 * True for an element whose blur stays inside its edges: a picture alone. Its blur goes on beyond the edge with the
 * colours of the edge, so that a blurred background still fills the frame. Everything else spreads and fades.
 */
export function keepsItsEdges(box: Box): boolean {
  return box.content.kind === 'media' && !box.fill && !box.stroke && !box.contentTransform;
}
