/**
 * Off-screen canvases: lent from a pool while a frame is painted, or kept between frames for drawings that are worth
 * it. Phase 4. A layer lies on whole pixels of the space that it is drawn in, so putting it down changes nothing.
 */
import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas';
import { drawingLimits } from '../../../shared/limits.ts';
import type { BlendMode } from '../compile/property-values.ts';
import { RenderError } from '../errors.ts';
import type { Matrix, Rect } from '../geometry.ts';
import type { Box } from '../layout/box.ts';
import { pathOf } from './shape.ts';

/** A canvas that shows a part of a pixel space: whole pixels from (left, top) on. */
export interface Layer {
  /** May be larger than the layer. */
  readonly canvas: Canvas;
  readonly ctx: SKRSContext2D;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** What a canvas calls mixing; `none` is its `source-over`. */
export type Composite = SKRSContext2D['globalCompositeOperation'];

/** Bytes of unused canvases that are held for the next frame. */
const keptBytes = 128 * 2 ** 20;

/** A canvas of the pool; asking a canvas for its sides is slow. */
interface Sheet {
  readonly canvas: Canvas;
  readonly width: number;
  readonly height: number;
}

interface Kept {
  readonly layer: Layer;
  used: boolean;
}

/**
 * The pool, and the drawings kept by the object that they show.
 *
 * A new canvas costs ten times as much as a used one (fresh pages of memory), so canvases go round. A drawing is kept
 * as long as every frame asks for it; what one frame did not ask for is given up at its end.
 */
export class Layers {
  #free: Sheet[] = [];
  /** Of all canvases, lent, kept and free. */
  #bytes = 0;
  readonly #sheets = new WeakMap<Canvas, Sheet>();
  readonly #kept = new Map<object, Map<string, Kept>>();

  /**
   * An empty, transparent layer. Give it back with `give`.
   *
   * @throws RenderError `limit_exceeded` when all layers together would be larger than is allowed.
   */
  take({ x, y, width, height }: Rect): Layer {
    const { canvas } = this.#find(width, height) ?? this.#create(roundUp(width), roundUp(height));
    const ctx = canvas.getContext('2d');
    ctx.reset();
    // Edges that leave a canvas come out a level different from whole ones, so the canvas's own size must not count.
    ctx.beginPath();
    ctx.rect(0, 0, width, height);
    ctx.clip();
    return { canvas, ctx, left: x, top: y, width, height };
  }

  /** Ends the use of a layer. What was drawn from it stays drawn. */
  give({ canvas }: Layer): void {
    const sheet = this.#sheets.get(canvas);
    if (sheet) this.#free.push(sheet);
  }

  /** Runs `draw` with a layer that is given back afterwards. */
  with<T>(place: Rect, draw: (layer: Layer) => T): T {
    const layer = this.take(place);
    try {
      return draw(layer);
    } finally {
      this.give(layer);
    }
  }

  /**
   * The drawing of `owner` under `key`, made when it is not there yet. The key must name everything that the pixels
   * depend on besides the owner: whether a drawing was kept must never show. The layer belongs to the keeper.
   */
  keep(owner: object, key: string, make: () => Layer): Layer {
    let drawings = this.#kept.get(owner);
    if (!drawings) this.#kept.set(owner, (drawings = new Map<string, Kept>()));
    let kept = drawings.get(key);
    if (!kept) {
      kept = { layer: make(), used: true };
      drawings.set(key, kept);
    }
    kept.used = true;
    return kept.layer;
  }

  /** To be called after every frame: gives up what it did not use. */
  endFrame(): void {
    for (const [owner, drawings] of this.#kept) {
      for (const [key, kept] of drawings) {
        if (kept.used) {
          kept.used = false;
        } else {
          this.give(kept.layer);
          drawings.delete(key);
        }
      }
      if (drawings.size === 0) this.#kept.delete(owner);
    }
    this.#dropOldest();
  }

  /** Lets go of all canvases. */
  close(): void {
    for (const { canvas } of this.#free) freePixels(canvas);
    for (const drawings of this.#kept.values())
      for (const { layer } of drawings.values()) freePixels(layer.canvas);
    this.#free = [];
    this.#kept.clear();
    this.#bytes = 0;
  }

  #create(width: number, height: number): Sheet {
    const bytes = width * height * 4;
    // What lies unused gives way first.
    while (this.#bytes + bytes > drawingLimits.layerBytes && this.#free.length > 0)
      this.#drop(this.#free.shift());
    if (this.#bytes + bytes > drawingLimits.layerBytes) {
      const megabytes = Math.round(drawingLimits.layerBytes / 1e6);
      throw new RenderError(
        'limit_exceeded',
        `Drawing it takes more than ${megabytes} MB of memory for layers, which is the limit`,
      );
    }
    this.#bytes += bytes;
    const sheet = { canvas: createCanvas(width, height), width, height };
    this.#sheets.set(sheet.canvas, sheet);
    return sheet;
  }

  /** The smallest free canvas that is large enough and not more than twice too large. */
  #find(width: number, height: number): Sheet | undefined {
    let best = -1;
    let bestArea = 2 * roundUp(width) * roundUp(height);
    for (let index = 0; index < this.#free.length; index++) {
      const sheet = this.#free[index];
      if (!sheet || sheet.width < width || sheet.height < height) continue;
      const area = sheet.width * sheet.height;
      if (area > bestArea || (area === bestArea && best >= 0)) continue;
      best = index;
      bestArea = area;
    }
    return best < 0 ? undefined : this.#free.splice(best, 1)[0];
  }

  #dropOldest(): void {
    let bytes = 0;
    let index = this.#free.length;
    while (index > 0) {
      const sheet = this.#free[index - 1];
      if (sheet) bytes += sheet.width * sheet.height * 4;
      if (bytes > keptBytes) break;
      index--;
    }
    for (const sheet of this.#free.splice(0, index)) this.#drop(sheet);
  }

  #drop(sheet: Sheet | undefined): void {
    if (!sheet) return;
    this.#bytes -= sheet.width * sheet.height * 4;
    freePixels(sheet.canvas);
  }
}

/**
 * Frees the pixels of a canvas that nobody will ask for again: the garbage collector does not see how large they are and
 * comes too late. What was drawn from it stays drawn.
 */
export function freePixels(canvas: Canvas): void {
  canvas.width = 1;
  canvas.height = 1;
}

/** Sets the context so that `matrix`, a map into the layer's pixel space, applies. */
export function place({ ctx, left, top }: Layer, [a, b, c, d, e, f]: Matrix): void {
  ctx.setTransform(a, b, c, d, e - left, f - top);
}

/** Begins drawing a box: its place, the cuts by animations, its mixing. `ctx.restore()` ends it. */
export function enterBox(
  layer: Layer,
  { clipPaths }: Box,
  mixing: { readonly matrix: Matrix; readonly alpha: number; readonly composite: Composite },
): void {
  const { ctx } = layer;
  ctx.save();
  place(layer, mixing.matrix);
  for (const path of clipPaths) ctx.clip(pathOf(path));
  ctx.globalAlpha = mixing.alpha;
  ctx.globalCompositeOperation = mixing.composite;
}

/** Puts a layer down with its upper left corner at (x, y) of the target's present transform. */
export function putAt(
  { ctx }: Layer,
  { canvas, width, height }: Layer,
  x: number,
  y: number,
): void {
  ctx.drawImage(canvas, 0, 0, width, height, x, y, width, height);
}

/** Puts a layer of the same pixel space down, pixel on pixel. */
export function copyOnto(
  target: Layer,
  layer: Layer,
  alpha = 1,
  composite: Composite = 'source-over',
): void {
  const { ctx } = target;
  ctx.save();
  ctx.resetTransform();
  ctx.globalAlpha = alpha;
  ctx.globalCompositeOperation = composite;
  putAt(target, layer, layer.left - target.left, layer.top - target.top);
  ctx.restore();
}

/** The same through a canvas filter. Filters cost by the size of the canvas: never use one on the frame itself. */
export function filterOnto(target: Layer, layer: Layer, filter: string): void {
  const { ctx } = target;
  ctx.save();
  ctx.resetTransform();
  ctx.filter = filter;
  putAt(target, layer, layer.left - target.left, layer.top - target.top);
  ctx.restore();
}

/** The canvas operation for a blend mode. */
export function compositeOf(mode: BlendMode): Composite {
  return mode === 'none' ? 'source-over' : mode;
}

/** The rectangle of a layer in its pixel space. */
export function placeOf({ left, top, width, height }: Layer): Rect {
  return { x: left, y: top, width, height };
}

/** Canvas sides go in steps, so that growing elements find a canvas that fits. */
function roundUp(side: number): number {
  return Math.max(64, Math.ceil(side / 64) * 64);
}
