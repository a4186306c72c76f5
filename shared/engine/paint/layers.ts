/**
 * Off-screen canvases: lent from a pool while a frame is painted, or cached between frames for expensive drawings.
 * Phase 4. A layer is aligned to whole pixels of its space, so drawing it changes nothing.
 */
import { drawingLimits } from '../../limits.ts';
import type { BlendMode } from '../../renderscript/properties.ts';
import { RenderError } from '../errors.ts';
import type { Matrix, Rect } from '../geometry.ts';
import type { Box } from '../layout/box.ts';
import { contextOf, surface, type Canvas, type Composite, type Context } from '../surface.ts';
import { pathOf } from './shape.ts';

/** A canvas for a part of a pixel space, from the whole pixel (left, top) on. */
export interface Layer {
  /** May be larger than the layer. */
  readonly canvas: Canvas;
  readonly ctx: Context;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Bytes of unused canvases to keep for the next frame. */
const freeBytes = 128 * 2 ** 20;

/** From this many bytes on, a canvas is only lent if it fits closely. */
const largeBytes = 16 * 2 ** 20;

/** A canvas of the pool, with its sides, which are slow to read. */
interface Sheet {
  readonly canvas: Canvas;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}

/** A cached drawing. */
interface Kept {
  readonly owner: object;
  readonly key: string;
  readonly layer: Layer;
  readonly bytes: number;
  /** True if the current frame uses it. */
  used: boolean;
}

/**
 * The pool, and drawings cached by the object that they show.
 *
 * A new canvas costs ten times as much as a used one (fresh memory pages), so canvases are reused. A drawing is cached
 * as long as every frame uses it and there is room; unused ones are dropped at the end of a frame.
 */
export class Layers {
  /** Longest unused first. */
  #free: Sheet[] = [];
  /** Bytes of all canvases: lent, cached and free. */
  #bytes = 0;
  readonly #sheets = new WeakMap<Canvas, Sheet>();
  /** Lent or cached canvases, with the requested bytes rather than the actual ones. */
  readonly #lent = new Map<Sheet, number>();
  /** Requested bytes that are not yet given back. Depends only on the frame. */
  #lentBytes = 0;
  readonly #kept = new Map<object, Map<string, Kept>>();
  #keptBytes = 0;
  /** Bytes read back in this frame or band: they are only freed after it. */
  #readBytes = 0;
  /** The last drawing that did not fit into the cache. */
  #passing: Layer | null = null;

  /**
   * An empty, transparent layer. Give it back with `give`.
   *
   * @throws RenderError `limit_exceeded` if all lent layers together would be larger than allowed.
   */
  take({ x, y, width, height }: Rect): Layer {
    const { canvas, isNew } = this.#lend(roundUp(width), roundUp(height));
    const ctx = contextOf(canvas);
    // A new one's pages are only touched when it is drawn, after those inside of it were given back.
    if (!isNew) ctx.reset();
    // Edges that leave a canvas may differ by a level, so the canvas's own size must not matter.
    ctx.beginPath();
    ctx.rect(0, 0, width, height);
    ctx.clip();
    return { canvas, ctx, left: x, top: y, width, height };
  }

  /** Ends the use of a layer. What was drawn from it stays. */
  give({ canvas }: Layer): void {
    const sheet = this.#sheets.get(canvas);
    if (!sheet) return;
    this.#lentBytes -= this.#lent.get(sheet) ?? 0;
    this.#lent.delete(sheet);
    this.#free.push(sheet);
    // A canvas holds copies of what was drawn into it until it is reused, so keep only few.
    this.#dropFree(2 * freeBytes);
  }

  /**
   * A layer whose pixels were read takes three times its memory while it is used: moves large ones to another layer and
   * frees the old one at once.
   *
   * @throws RenderError `limit_exceeded` if a frame reads more than allowed.
   */
  afterReading(layer: Layer): Layer {
    const sheet = this.#sheets.get(layer.canvas);
    if (!sheet) return layer;
    this.noteReading(layer);
    if (sheet.bytes < largeBytes) return layer;
    const moved = this.take(placeOf(layer));
    copyOnto(moved, layer);
    this.#lentBytes -= this.#lent.get(sheet) ?? 0;
    this.#lent.delete(sheet);
    this.#drop(sheet);
    return moved;
  }

  /** The pixels of a layer were read and written. @throws RenderError `limit_exceeded`, as `afterReading`. */
  noteReading({ width, height }: Layer): void {
    this.#readBytes += 2 * width * height * 4;
    if (this.#readBytes > drawingLimits.layerBytes) throw tooLarge();
  }

  /** A private copy of a layer. Give it back with `give`. `layer` may be an uncached one: it is drawn first. */
  copyOf(layer: Layer): Layer {
    const passing = this.#passing === layer ? layer : null;
    if (passing) this.#passing = null;
    const copy = this.take(placeOf(layer));
    copyOnto(copy, layer);
    if (passing) this.give(passing);
    return copy;
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
   * The drawing of `owner` under `key`, made if missing. The key must contain everything that the pixels depend on
   * besides the owner: caching must never show. The layer belongs to the cache, and is valid until the next layer is
   * requested.
   */
  keep(owner: object, key: string, make: () => Layer): Layer {
    const known = this.#kept.get(owner)?.get(key);
    if (known) {
      known.used = true;
      return known.layer;
    }
    const layer = make();
    this.#endPassing();
    const sheet = this.#sheets.get(layer.canvas);
    const bytes = sheet?.bytes ?? 0;
    const most = drawingLimits.keptLayerBytes;
    if (this.#keptBytes + bytes > most) this.#forget(({ used }) => !used);
    // If a frame uses more than there is room for, the first ones stay: otherwise they would displace each other.
    if (this.#keptBytes + bytes > most) {
      this.#passing = layer;
      return layer;
    }
    let drawings = this.#kept.get(owner);
    if (!drawings) this.#kept.set(owner, (drawings = new Map<string, Kept>()));
    drawings.set(key, { owner, key, layer, bytes, used: true });
    this.#keptBytes += bytes;
    // Cached ones give way to lent ones, and don't count as lent.
    if (sheet) this.#lentBytes -= this.#lent.get(sheet) ?? 0;
    if (sheet) this.#lent.set(sheet, 0);
    return layer;
  }

  /** Call after every frame: drops what it did not use. @param keeps False: drops all. */
  endFrame(keeps = true): void {
    this.endBand();
    this.#forget(({ used }) => !keeps || !used);
    for (const drawings of this.#kept.values())
      for (const kept of drawings.values()) kept.used = false;
    this.#dropFree(freeBytes);
  }

  /** Call after every band of a frame. */
  endBand(): void {
    this.#endPassing();
    this.#readBytes = 0;
  }

  /** Call after a failure in the middle of a frame: lent layers will not be given back. */
  abandon(): void {
    this.#passing = null;
    this.#readBytes = 0;
    this.#kept.clear();
    this.#keptBytes = 0;
    for (const sheet of this.#lent.keys()) this.#drop(sheet);
    this.#lent.clear();
    this.#lentBytes = 0;
    this.#dropFree(0);
  }

  /** Frees all canvases. */
  close(): void {
    this.abandon();
  }

  #lend(width: number, height: number): { readonly canvas: Canvas; readonly isNew: boolean } {
    const bytes = width * height * 4;
    this.#endPassing();
    if (this.#lentBytes + bytes > drawingLimits.layerBytes) throw tooLarge();
    const found = this.#find(width, height, bytes);
    const sheet = found ?? this.#create(width, height, bytes);
    this.#lent.set(sheet, bytes);
    this.#lentBytes += bytes;
    return { canvas: sheet.canvas, isNew: !found };
  }

  #create(width: number, height: number, bytes: number): Sheet {
    const room = drawingLimits.layerBytes - bytes;
    // Unused canvases give way first, then cached drawings.
    if (this.#bytes > room) this.#dropFree(0);
    if (this.#bytes > room) this.#forget(({ used }) => !used);
    if (this.#bytes > room) this.#forget(() => true);
    this.#bytes += bytes;
    const sheet = { canvas: surface().createCanvas(width, height), width, height, bytes };
    this.#sheets.set(sheet.canvas, sheet);
    return sheet;
  }

  /**
   * The smallest free canvas that is large enough and not much too large: more than twice, for large ones a quarter.
   */
  #find(width: number, height: number, bytes: number): Sheet | undefined {
    let best = -1;
    let bestBytes = bytes * (bytes < largeBytes ? 2 : 1.25);
    for (let index = 0; index < this.#free.length; index++) {
      const sheet = this.#free[index];
      if (!sheet || sheet.width < width || sheet.height < height) continue;
      if (sheet.bytes > bestBytes || (sheet.bytes === bestBytes && best >= 0)) continue;
      best = index;
      bestBytes = sheet.bytes;
    }
    return best < 0 ? undefined : this.#free.splice(best, 1)[0];
  }

  #endPassing(): void {
    const passing = this.#passing;
    this.#passing = null;
    if (passing) this.give(passing);
  }

  /** Drops cached drawings. */
  #forget(isMeant: (kept: Kept) => boolean): void {
    for (const [owner, drawings] of this.#kept) {
      for (const [key, kept] of drawings) {
        if (!isMeant(kept)) continue;
        drawings.delete(key);
        this.#keptBytes -= kept.bytes;
        this.give(kept.layer);
      }
      if (drawings.size === 0) this.#kept.delete(owner);
    }
  }

  /** Drops free canvases, those unused for longest first, until so many bytes are left. */
  #dropFree(left: number): void {
    let bytes = 0;
    let index = this.#free.length;
    while (index > 0) {
      bytes += this.#free[index - 1]?.bytes ?? 0;
      if (bytes > left) break;
      index--;
    }
    for (const sheet of this.#free.splice(0, index)) this.#drop(sheet);
  }

  #drop(sheet: Sheet): void {
    this.#bytes -= sheet.bytes;
    freePixels(sheet.canvas);
  }
}

function tooLarge(): RenderError {
  const megabytes = Math.round(drawingLimits.layerBytes / 1e6);
  return new RenderError(
    'limit_exceeded',
    `Drawing it takes more than ${megabytes} MB of memory for layers, which is the limit`,
  );
}

/**
 * Frees the pixels of a canvas that is no longer needed: the garbage collector does not see their size and comes too
 * late. What was drawn from it stays.
 */
export function freePixels(canvas: Canvas): void {
  canvas.width = 1;
  canvas.height = 1;
}

/** Sets the context so that `matrix`, a map into the layer's pixel space, applies. */
export function place({ ctx, left, top }: Layer, [a, b, c, d, e, f]: Matrix): void {
  ctx.setTransform(a, b, c, d, e - left, f - top);
}

/** Starts drawing a box: sets its place, clips of animations, and blending. `ctx.restore()` ends it. */
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

/** Draws a layer with its upper left corner at (x, y) of the target's current transform. */
export function putAt(
  { ctx }: Layer,
  { canvas, width, height }: Layer,
  x: number,
  y: number,
): void {
  ctx.drawImage(canvas, 0, 0, width, height, x, y, width, height);
}

/** Draws a layer of the same pixel space, pixel on pixel. */
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

/** The same through a canvas filter. The cost of filters depends on the canvas: never use one on the frame itself. */
export function filterOnto(target: Layer, layer: Layer, filter: string): void {
  const { ctx } = target;
  ctx.save();
  ctx.resetTransform();
  ctx.filter = filter;
  putAt(target, layer, layer.left - target.left, layer.top - target.top);
  ctx.restore();
}

/** Pixels that `changePixels` reads and writes at a time. */
export const stripPixels = 2 ** 23;

/**
 * Changes a layer's straight pixels, in parts of whole rows: red is the lowest byte, opacity the highest. Say that they
 * were read: `Layers.afterReading`.
 */
export function changePixels(
  { ctx, width, height }: Layer,
  change: (pixels: Int32Array) => void,
): void {
  const high = Math.max(1, Math.floor(stripPixels / width));
  for (let y = 0; y < height; y += high) {
    const image = ctx.getImageData(0, y, width, Math.min(high, height - y));
    const { buffer, byteOffset } = image.data;
    change(new Int32Array(buffer, byteOffset, width * image.height));
    ctx.putImageData(image, 0, y);
  }
}

/** The canvas operation for a blend mode. */
export function compositeOf(mode: BlendMode): Composite {
  return mode === 'none' ? 'source-over' : mode;
}

/** The rectangle of a layer in its pixel space. */
export function placeOf({ left, top, width, height }: Layer): Rect {
  return { x: left, y: top, width, height };
}

/** Rounds canvas sides up in steps, so that growing elements find a canvas that fits. */
function roundUp(side: number): number {
  return Math.max(64, Math.ceil(side / 64) * 64);
}
