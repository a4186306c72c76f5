/**
 * Planes turned in space, put down pixel by pixel: for each pixel of the target, the place of the flat drawing that
 * shows there. Only where the drawing library has a quick way to do that; meshes do it elsewhere (bend.ts). Phase 4.
 */
import { inverted, translation, type Matrix } from '../geometry.ts';
import {
  homographyOf,
  inverseHomography,
  joinHomographies,
  nearest,
  project,
  type Homography,
} from '../homography.ts';
import { bentPlane, type BentBox } from '../layout/bend.ts';
import { surface, type Surface } from '../surface.ts';
import type { Layer } from './layers.ts';

/** Where a flat drawing goes, and who puts it there. */
export interface PlaneMap {
  /** The flat drawing's pixel space → the target's. */
  readonly there: Homography;
  readonly back: Homography;
  readonly put: NonNullable<Surface['project']>;
}

/**
 * The map of a bent box that is a plane; null if it is curved, or nothing puts planes down.
 *
 * @param matrix Box space → the flat drawing's pixel space.
 * @param parent The parent's content space → the target's pixel space.
 */
export function planeMap(box: BentBox, matrix: Matrix, parent: Matrix): PlaneMap | null {
  const put = surface().project;
  const plane = bentPlane(box);
  const flat = inverted(matrix);
  if (!put || !plane || !flat) return null;
  const there = joinHomographies(homographyOf(parent), joinHomographies(plane, homographyOf(flat)));
  const back = inverseHomography(there);
  return back && { there, back, put };
}

/** Puts a flat drawing down on an empty layer. */
export function paintPlane(sheet: Layer, flat: Layer, { there, back, put }: PlaneMap): void {
  const toPicture = homographyOf(translation(-flat.left, -flat.top));
  const fromSheet = homographyOf(translation(sheet.left, sheet.top));
  put({
    from: flat.ctx,
    width: flat.width,
    height: flat.height,
    onto: sheet.ctx,
    ontoWidth: sheet.width,
    ontoHeight: sheet.height,
    back: joinHomographies(toPicture, joinHomographies(back, fromSheet)),
    samples: samplesFor(mostSqueezed(there, back, flat)),
  });
}

/** Of up to two pixels for one, all count anyway: each place mixes its four neighbours. */
function samplesFor(squeezed: number): number {
  return squeezed <= 2 ? 1 : squeezed <= 4 ? 2 : 4;
}

/** How many of the drawing's pixels one of the target stands for, at the corner where most. */
function mostSqueezed(
  there: Homography,
  back: Homography,
  { left, top, width, height }: Layer,
): number {
  const ratios = [0, 1, 2, 3].flatMap((at) => {
    const point = project(there, left + width * (at & 1), top + height * (at >> 1));
    return point ? [stretchAt(back, ...point)] : [];
  });
  return Math.max(1, ...ratios);
}

/** How far a map takes apart two neighbours at a point, side by side or one above the other. */
function stretchAt([a, b, c, d, e, f, g, h, i]: Homography, x: number, y: number): number {
  const w = Math.max(nearest, g * x + h * y + i);
  const [u, v] = [(a * x + b * y + c) / w, (d * x + e * y + f) / w];
  return Math.max(Math.hypot(a - u * g, d - v * g), Math.hypot(b - u * h, e - v * h)) / w;
}
