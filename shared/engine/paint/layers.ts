/**
 * Off-screen canvases: lent from a pool while a frame is painted, or kept between frames for drawings that are worth
 * it. Phase 4. A layer lies on whole pixels of the space that it is drawn in, so putting it down changes nothing.
 */
import { drawingLimits } from '../../limits.ts';
import type { BlendMode } from '../../renderscript/properties.ts';
import { RenderError } from '../errors.ts';
import type { Matrix, Rect } from '../geometry.ts';
import type { Box } from '../layout/box.ts';
import { contextOf, surface, type Canvas, type Composite, type Context } from '../surface.ts';
import { pathOf } from './shape.ts';

/** A canvas that shows a part of a pixel space: whole pixels from (left, top) on. */
export interface Layer {
  /** May be larger than the layer. */
  readonly canvas: Canvas;
  readonly ctx: Context;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Bytes of unused canvases that are held for the next frame. */
const freeBytes = 128 * 2 ** 20;

/** From this many bytes on a canvas is lent only where it fits closely. */
const largeBytes = 16 * 2 ** 20;

/** A canvas of the pool; asking a canvas for its sides is slow. */
interface Sheet {
  readonly canvas: Canvas;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}

/** A drawing that is kept. */
interface Kept {
  readonly owner: object;
  readonly key: string;
  readonly layer: Layer;
  readonly bytes: number;
  /** A frame asks for it that is not ended yet. */
  used: boolean;
}

/**
 * The pool, and the drawings kept by the object that they show.
 *
 * A new canvas costs ten times as much as a used one (fresh pages of memory), so canvases go round. A drawing is kept
 * as long as every frame asks for it and there is room; what one frame did not ask for is given up at its end.
 */
export class Layers {
  /** Longest unused first. */
  #free: Sheet[] = [];
  /** Of all canvases: lent, kept and free. */
  #bytes = 0;
  readonly #sheets = new WeakMap<Canvas, Sheet>();
  /** Lent or kept, and the bytes that were asked for, whatever canvas was there. */
  readonly #lent = new Map<Sheet, number>();
  /** Bytes that were asked for by those who have not given back yet. A question of the frame alone. */
  #lentBytes = 0;
  readonly #kept = new Map<object, Map<string, Kept>>();
  #keptBytes = 0;
  /** Pixels that were read in this frame, or in this band of it: they are freed after it only. */
  #readBytes = 0;
  /** The last drawing that found no room among those kept. */
  #passing: Layer | null = null;

  /**
   * An empty, transparent layer. Give it back with `give`.
   *
   * @throws RenderError `limit_exceeded` when all layers that are lent would be larger than is allowed.
   */
  take({ x, y, width, height }: Rect): Layer {
    const { canvas, isNew } = this.#lend(roundUp(width), roundUp(height));
    const ctx = contextOf(canvas);
    // The pages of a new one are touched when it is drawn, which is after those inside of it were given back.
    if (!isNew) ctx.reset();
    // Edges that leave a canvas come out a level different from whole ones, so the canvas's own size must not count.
    ctx.beginPath();
    ctx.rect(0, 0, width, height);
    ctx.clip();
    return { canvas, ctx, left: x, top: y, width, height };
  }

  /** Ends the use of a layer. What was drawn from it stays drawn. */
  give({ canvas }: Layer): void {
    const sheet = this.#sheets.get(canvas);
    if (!sheet) return;
    this.#lentBytes -= this.#lent.get(sheet) ?? 0;
    this.#lent.delete(sheet);
    this.#free.push(sheet);
    // A canvas holds copies of what was drawn into it until it is used again, so few of them wait for that.
    this.#dropFree(2 * freeBytes);
  }

  /**
   * A layer whose pixels were read is there three times, for as long as it is used: what is large is moved to another one, and
   * the old one freed at once.
   *
   * @throws RenderError `limit_exceeded` when more was read in a frame than is allowed.
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

  /** A layer of one's own with the same pixels. Give it back with `give`. `layer` may be one that is passing: it is drawn first. */
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
   * The drawing of `owner` under `key`, made when it is not there. The key must name everything that the pixels depend
   * on besides the owner: whether a drawing was kept must never show. The layer belongs to the keeper, and is there until
   * a layer is asked for again.
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
    // When a frame asks for more than there is room for, the first ones stay: the last ones would drive each other out.
    if (this.#keptBytes + bytes > most) {
      this.#passing = layer;
      return layer;
    }
    let drawings = this.#kept.get(owner);
    if (!drawings) this.#kept.set(owner, (drawings = new Map<string, Kept>()));
    drawings.set(key, { owner, key, layer, bytes, used: true });
    this.#keptBytes += bytes;
    // Kept ones give way to those that are lent, and don't count among them.
    if (sheet) this.#lentBytes -= this.#lent.get(sheet) ?? 0;
    if (sheet) this.#lent.set(sheet, 0);
    return layer;
  }

  /** To be called after every frame: gives up what it did not use. */
  endFrame(): void {
    this.endBand();
    this.#forget(({ used }) => !used);
    for (const drawings of this.#kept.values())
      for (const kept of drawings.values()) kept.used = false;
    this.#dropFree(freeBytes);
  }

  /** To be called after every band of a frame. */
  endBand(): void {
    this.#endPassing();
    this.#readBytes = 0;
  }

  /** After a failure in the middle of a frame: whoever had a layer will not give it back. */
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

  /** Lets go of all canvases. */
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
    // What lies unused gives way first, then what is only kept to save work.
    if (this.#bytes > room) this.#dropFree(0);
    if (this.#bytes > room) this.#forget(({ used }) => !used);
    if (this.#bytes > room) this.#forget(() => true);
    this.#bytes += bytes;
    const sheet = { canvas: surface().createCanvas(width, height), width, height, bytes };
    this.#sheets.set(sheet.canvas, sheet);
    return sheet;
  }

  /** The smallest free canvas that is large enough and not much too large: more than twice, for large ones a quarter. */
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

  /** Gives up kept drawings. */
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
