/**
 * Cuts with soft edges. `clip` of a canvas in a worker has hard ones (Chromium 149 and before), so that round corners
 * of pictures would show their pixels. Here what lies below a cut is kept, everything is drawn over it, and in the end
 * both are mixed by how much of each pixel the cut covers. In the drawing worker.
 */
import type { Rect } from '../../shared/engine/geometry.ts';
import { boundsOf, PagePath } from './page-path.ts';

/** A cut that something is drawn through, in pixels of the canvas. */
interface Cut {
  readonly path: PagePath;
  /** From the upper left corner of `bounds` on. */
  readonly under: Under;
  readonly bounds: Rect;
  /** The parts of it where pixels are covered by halves. */
  readonly edges: readonly Rect[];
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
    for (const cut of cuts.toReversed()) mix(context, native, cut);
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
    const map = context.getTransform();
    context.resetTransform();
    native.clip(rectangle(cut.bounds));
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
  const bounds = { x, y, width, height };
  const edges = edgesOf(placed, bounds);
  const under = copyOf(canvas, bounds, edges);
  return under && { path: placed, under, bounds, edges };
}

/**
 * Around the pixels that an upright rectangle, with round corners or without, covers whole: in a large picture these
 * are nearly all, and nothing of what lies below them is seen.
 */
function edgesOf(path: PagePath, bounds: Rect): readonly Rect[] {
  const core = coreOf(path);
  const left = Math.max(bounds.x, core?.x ?? 0);
  const top = Math.max(bounds.y, core?.y ?? 0);
  const right = Math.min(bounds.x + bounds.width, core ? core.x + core.width : 0);
  const bottom = Math.min(bounds.y + bounds.height, core ? core.y + core.height : 0);
  if (left >= right || top >= bottom) return [bounds];
  const { x, y } = bounds;
  const [end, floor] = [x + bounds.width, y + bounds.height];
  return [
    { x, y, width: bounds.width, height: top - y },
    { x, y: bottom, width: bounds.width, height: floor - bottom },
    { x, y: top, width: left - x, height: bottom - top },
    { x: right, y: top, width: end - right, height: bottom - top },
  ].filter(({ width, height }) => width > 0 && height > 0);
}

/** The steps of a rectangle, and of one with round corners. */
const rectangular = /^M(LLL|(LC){4})Z$/;

/**
 * Whole pixels inside of an upright rectangle, away from its round corners; null for another path, or where there are
 * none.
 */
function coreOf({ steps }: PagePath): Rect | null {
  if (!rectangular.test(steps.map(([letter]) => letter).join(''))) return null;
  const points = steps.flatMap((step) => {
    const [x, y] = step.slice(-2);
    return typeof x === 'number' && typeof y === 'number' ? [{ x, y }] : [];
  });
  const isStraight = steps.every(([letter], index) => {
    const [before, point] = [points[index - 1], points[index]];
    return (
      letter !== 'L' || !before || !point || near(before.x, point.x) || near(before.y, point.y)
    );
  });
  if (!isStraight) return null;
  const across = innerEnds(points.map(({ x }) => x));
  const down = innerEnds(points.map(({ y }) => y));
  if (!across || !down) return null;
  const [x, y] = [Math.ceil(across[0]), Math.ceil(down[0])];
  const [width, height] = [Math.floor(across[1]) - x, Math.floor(down[1]) - y];
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/** From where to where round corners leave the sides straight; null where there are no two opposite sides. */
function innerEnds(places: readonly number[]): readonly [number, number] | null {
  const [least, most] = [Math.min(...places), Math.max(...places)];
  const isAt = (end: number): number => places.filter((place) => near(place, end)).length;
  if (isAt(least) !== 2 || isAt(most) !== 2) return null;
  const inner = places.filter((place) => !near(place, least) && !near(place, most));
  return inner.length === 0 ? [least, most] : [Math.min(...inner), Math.max(...inner)];
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

function rectangle({ x, y, width, height }: Rect): Path2D {
  const path = new Path2D();
  path.rect(x, y, width, height);
  return path;
}

function copyOf(
  from: OffscreenCanvas,
  { x, y, width, height }: Rect,
  parts: readonly Rect[],
): Under | null {
  const known = spare.pop();
  const canvas = known?.canvas ?? new OffscreenCanvas(width, height);
  const context = known?.context ?? canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return null;
  if (canvas.width < width || canvas.height < height)
    Object.assign(canvas, {
      width: Math.max(width, canvas.width),
      height: Math.max(height, canvas.height),
    });
  for (const part of parts) {
    const [left, top] = [part.x - x, part.y - y];
    context.clearRect(left, top, part.width, part.height);
    context.drawImage(
      from,
      part.x,
      part.y,
      part.width,
      part.height,
      left,
      top,
      part.width,
      part.height,
    );
  }
  return { canvas, context };
}

/** What was drawn stays inside of the cut, and what lay there comes back outside of it. */
function mix(
  context: OffscreenCanvasRenderingContext2D,
  native: {
    readonly save: () => void;
    readonly restore: () => void;
    readonly clip: (path: Path2D) => void;
  },
  { path, under, bounds, edges }: Cut,
): void {
  const { x, y } = bounds;
  for (const part of edges) {
    under.context.save();
    under.context.setTransform(1, 0, 0, 1, -x, -y);
    under.context.clip(rectangle(part));
    under.context.globalCompositeOperation = 'destination-out';
    under.context.fill(path);
    under.context.restore();
    native.save();
    context.resetTransform();
    native.clip(rectangle(part));
    context.globalAlpha = 1;
    context.filter = 'none';
    context.fillStyle = '#000';
    context.globalCompositeOperation = 'destination-in';
    context.fill(path);
    context.globalCompositeOperation = 'lighter';
    context.drawImage(
      under.canvas,
      part.x - x,
      part.y - y,
      part.width,
      part.height,
      part.x,
      part.y,
      part.width,
      part.height,
    );
    native.restore();
  }
  if (spare.length < mostSpare) spare.push(under);
}
