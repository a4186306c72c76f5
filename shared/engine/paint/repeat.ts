/**
 * Elements that repeat over their parent as a pattern. Phase 4. The tile is the element's box; everything beyond it is
 * clipped.
 */
import { multiply, scaling, type Matrix } from '../geometry.ts';
import type { Box } from '../layout/box.ts';
import { surface, type Composite } from '../surface.ts';
import { place, type Layer, type Layers } from './layers.ts';

/** What to repeat, over which space, and how to blend it. */
export interface Repetition {
  readonly box: Box;
  readonly parent: {
    readonly parent: Matrix;
    readonly parentWidth: number;
    readonly parentHeight: number;
  };
  readonly alpha: number;
  readonly composite: Composite;
}

/** Largest side of a tile in pixels; a larger one is drawn at this size and enlarged. */
const largestTile = 4096;

/** Fills the parent's space with copies of a box; `draw` draws one with its corner at the origin of `matrix`. */
export function paintRepeated(
  layers: Layers,
  target: Layer,
  { box, parent: { parent, parentWidth, parentHeight }, alpha, composite }: Repetition,
  draw: (layer: Layer, matrix: Matrix) => void,
): void {
  const map = multiply(parent, box.transform);
  const width = tilePixels(box.width * Math.hypot(map[0], map[1]));
  const height = tilePixels(box.height * Math.hypot(map[2], map[3]));
  if (box.width <= 0 || box.height <= 0) return;
  const { ctx } = target;
  layers.with({ x: 0, y: 0, width, height }, (tile) => {
    draw(tile, scaling(width / box.width, height / box.height));
    // A pattern repeats a whole canvas, but the pool's canvases are larger than their layers.
    const image = tile.ctx.getImageData(0, 0, width, height);
    const pattern = surface().createTiles(ctx, image);
    if (!pattern) return;
    const [a, b, c, d, e, f] = multiply(
      box.transform,
      scaling(box.width / width, box.height / height),
    );
    pattern.setTransform({ a, b, c, d, e, f });
    ctx.save();
    place(target, parent);
    ctx.globalAlpha = alpha;
    ctx.globalCompositeOperation = composite;
    ctx.fillStyle = pattern;
    ctx.fillRect(0, 0, parentWidth, parentHeight);
    ctx.restore();
  });
}

function tilePixels(side: number): number {
  return Math.min(largestTile, Math.max(1, Math.round(side)));
}
