/**
 * Cuts with soft edges. `clip` of a canvas in a worker has hard ones (Chromium 149 and before), so that round corners of pictures
 * would show their pixels. Here what lies below a cut is kept, everything is drawn over it, and in the end both are mixed by how
 * much of each pixel the cut covers. In the drawing worker.
 */
import { boundsOf, PagePath } from './page-path.ts';

/** A cut that something is drawn through, in pixels of the canvas. */
interface Cut {
  readonly path: PagePath;
  readonly under: Under;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A copy of what lay there. */
interface Under {
  readonly canvas: OffscreenCanvas;
  readonly context: OffscreenCanvasRenderingContext2D;
}

/** Places nearer to whole pixels than this have hard edges anyway. */
const tolerance = 1e-3;
/** Copies that wait for their next use. */
const mostSpare = 4;
const spare: Under[] = [];

/** Makes a context clip with soft edges where it is given a path. */
export function softenCuts(context: OffscreenCanvasRenderingContext2D): void {
  /** Cuts by the number of the `save` that they end with. */
  let levels: Cut[][] = [[]];
  const native = {
    save: context.save.bind(context),
    restore: context.restore.bind(context),
    reset: context.reset.bind(context),
    clip: context.clip.bind(context) as (path?: Path2D) => void,
  };
  context.save = () => {
    levels.push([]);
    native.save();
  };
  context.restore = () => {
    const cuts = levels.length > 1 ? (levels.pop() ?? []) : [];
    for (const cut of cuts.toReversed()) mix(context, cut);
    native.restore();
  };
  context.reset = () => {
    levels = [[]];
    native.reset();
  };
  const clip = (path?: Path2D): void => {
    const cut = path instanceof PagePath && levels.length > 1 ? cutBy(context, path) : null;
    if (!cut) {
      native.clip(path);
      return;
    }
    levels.at(-1)?.push(cut);
    const bounds = new Path2D();
    bounds.rect(cut.x, cut.y, cut.width, cut.height);
    const map = context.getTransform();
    context.resetTransform();
    native.clip(bounds);
    context.setTransform(map);
  };
  // The other forms of `clip` are not used.
  context.clip = clip as OffscreenCanvasRenderingContext2D['clip'];
}

/** Null where a hard cut is the same: along whole pixels, or of nothing that can be seen. */
function cutBy(context: OffscreenCanvasRenderingContext2D, path: PagePath): Cut | null {
  const placed = new PagePath();
  placed.addPath(path, context.getTransform());
  if (isWhole(placed)) return null;
  const [left, top, right, bottom] = boundsOf(placed);
  const { canvas } = context;
  const [x, y] = [Math.max(0, Math.floor(left)), Math.max(0, Math.floor(top))];
  const width = Math.min(canvas.width, Math.ceil(right)) - x;
  const height = Math.min(canvas.height, Math.ceil(bottom)) - y;
  if (!(width > 0) || !(height > 0)) return null;
  const under = copyOf(canvas, x, y, width, height);
  return under && { path: placed, under, x, y, width, height };
}

/** Its lines run along the edges of pixels. */
function isWhole({ steps }: PagePath): boolean {
  let [beforeX, beforeY] = [NaN, NaN];
  return steps.every(([letter, ...places]) => {
    if (letter === 'Z') return true;
    if (letter !== 'M' && letter !== 'L') return false;
    const [x = 0, y = 0] = places;
    const isStraight = letter === 'M' || near(x, beforeX) || near(y, beforeY);
    [beforeX, beforeY] = [x, y];
    return isStraight && near(x, Math.round(x)) && near(y, Math.round(y));
  });
}

const near = (a: number, b: number): boolean => Math.abs(a - b) < tolerance;

function copyOf(
  from: OffscreenCanvas,
  x: number,
  y: number,
  width: number,
  height: number,
): Under | null {
  const known = spare.pop();
  const canvas = known?.canvas ?? new OffscreenCanvas(width, height);
  const context = known?.context ?? canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return null;
  context.globalCompositeOperation = 'source-over';
  if (canvas.width < width || canvas.height < height)
    Object.assign(canvas, {
      width: Math.max(width, canvas.width),
      height: Math.max(height, canvas.height),
    });
  else context.clearRect(0, 0, width, height);
  context.drawImage(from, x, y, width, height, 0, 0, width, height);
  return { canvas, context };
}

/** What was drawn stays inside of the cut, and what lay there comes back outside of it. */
function mix(context: OffscreenCanvasRenderingContext2D, cut: Cut): void {
  const { path, under, x, y, width, height } = cut;
  under.context.setTransform(1, 0, 0, 1, -x, -y);
  under.context.globalCompositeOperation = 'destination-out';
  under.context.fill(path);
  under.context.resetTransform();
  context.resetTransform();
  context.globalAlpha = 1;
  context.filter = 'none';
  context.fillStyle = '#000';
  context.globalCompositeOperation = 'destination-in';
  context.fill(path);
  context.globalCompositeOperation = 'lighter';
  context.drawImage(under.canvas, 0, 0, width, height, x, y, width, height);
  if (spare.length < mostSpare) spare.push(under);
}
