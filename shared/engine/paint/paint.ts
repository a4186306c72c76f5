/**
 * Painting: a frame's boxes → pixels. Phase 4, in the worker. One canvas, painted frame after frame; boxes.ts has the
 * order of drawing, and each kind of element and each effect has its own file.
 *
 * A frame's pixels depend only on the frame: caches save work and never show.
 *
 * [Note: Bands] Nested elements that are finished separately each need a layer at the same time, as large as the frame
 * at most. A frame that would take too much memory is drawn in bands, halving their height until it fits. This costs
 * time, as elements in several bands are drawn several times.
 */
import { drawingLimits } from '../../limits.ts';
import { RenderError } from '../errors.ts';
import { scaling, type Rect } from '../geometry.ts';
import type { Frame } from '../layout/box.ts';
import { contextOf, surface, type Canvas } from '../surface.ts';
import { drawNow, paintBoxes, type Brush, type Room } from './boxes.ts';
import { paintGround } from './gradients.ts';
import { copyOnto, Layers, type Layer } from './layers.ts';
import { MediaPainter } from './media.ts';
import type { Sources } from './sources.ts';

/** What a painter is made for. */
export interface PainterOptions<Drawn extends Canvas> {
  /** The canvas, as large as the output. */
  readonly canvas: Drawn;
  /** Document pixels, the units of frames. */
  readonly documentWidth: number;
  readonly documentHeight: number;
  /** False = black where nothing is drawn. */
  readonly transparent: boolean;
  readonly sources: Sources;
  /** See `RenderContext`. Default: none. */
  readonly onElement?: ((path: string | null) => void) | undefined;
  /** See `RenderJob`. Default false. */
  readonly closely?: boolean | undefined;
  /** False: layers drawn for one frame are drawn again for the next. Default true. */
  readonly keepsLayers?: boolean | undefined;
  /** Has what painters keep between frames; one at a time may use it. Default: its own, which it frees in the end. */
  readonly kept?: Kept | undefined;
}

/**
 * Pictures and layers that are drawn once, for painters with the same `sources` one after the other. A painter that
 * failed leaves it unusable.
 */
export interface Kept {
  readonly layers: Layers;
  readonly media: MediaPainter;
  /** Frees all. */
  close(): void;
}

/** Nothing kept yet. */
export function keepFor(sources: Sources): Kept {
  const layers = new Layers();
  const media = new MediaPainter(sources);
  return {
    layers,
    media,
    close() {
      layers.close();
      media.close();
    },
  };
}

/** Paints frame after frame on one canvas. */
export interface Painter<Drawn extends Canvas = Canvas> {
  /** Contains the last painted frame or part of one. */
  readonly canvas: Drawn;
  /**
   * Paints a frame; all pixels are set when it returns, or when the promise resolves that it returns for frames that
   * take much memory.
   *
   * @param part Whole pixels; the canvas is empty outside of it. Absent = paint all.
   */
  paint(frame: Frame, part?: Rect): Promise<void> | undefined;
  /** RGBA of a part of the canvas, straight alpha, top row first. */
  read(part: Rect): Uint8Array;
  /** Frees pictures and layers; the canvas keeps its pixels. */
  close(): void;
}

/** Opens a painter. */
export function createPainter<Drawn extends Canvas>(
  options: PainterOptions<Drawn>,
): Painter<Drawn> {
  const { canvas, documentWidth, documentHeight, transparent, sources } = options;
  const { onElement = () => undefined, closely = false, kept = keepFor(sources) } = options;
  const { keepsLayers = true } = options;
  const { width, height } = canvas;
  const ctx = contextOf(canvas, { alpha: transparent });
  const layer: Layer = { canvas, ctx, left: 0, top: 0, width, height };
  const room: Room = {
    layers: kept.layers,
    media: kept.media,
    fonts: sources.fonts,
    luts: sources.luts,
    onElement,
    closely,
  };
  const scale = scaling(width / documentWidth, height / documentHeight);
  const ground = { matrix: scale, width: documentWidth, height: documentHeight };
  const brush: Brush = {
    layer,
    parent: scale,
    parentWidth: documentWidth,
    parentHeight: documentHeight,
    rest: scale,
    still: true,
    stands: true,
  };

  const draw = (target: Layer, frame: Frame, part?: Rect): void => {
    if (frame.fill) paintGround(room.layers, target, frame.fill, ground);
    paintBoxes(room, { ...brush, layer: target }, frame.boxes, part);
  };
  const paintWhole = (frame: Frame, part?: Rect): void => {
    // A context without alpha becomes black. Keeping what is there would copy the whole canvas: the drawing library has
    // lent its pixels to whoever read them last.
    ctx.reset();
    ctx.save();
    if (part) {
      ctx.beginPath();
      ctx.rect(part.x, part.y, part.width, part.height);
      ctx.clip();
    }
    draw(layer, frame, part);
    ctx.restore();
  };
  const paintBands = async (frame: Frame, count: number): Promise<void> => {
    ctx.reset();
    const high = Math.ceil(height / count);
    for (let y = 0; y < height; y += high) {
      const band = { x: 0, y, width, height: Math.min(high, height - y) };
      room.layers.with(band, (inside) => {
        if (!transparent) {
          inside.ctx.fillStyle = '#000';
          inside.ctx.fillRect(0, 0, width, high);
        }
        draw(inside, frame, band);
        copyOnto(layer, inside);
      });
      room.layers.endBand();
      await surface().freeUnused();
    }
  };
  /** @throws the first failure if no number of bands helps. */
  const paintInBands = async (frame: Frame, failure: unknown): Promise<void> => {
    for (let count = 2; count <= drawingLimits.bands; count *= 2) {
      room.layers.abandon();
      await surface().freeUnused();
      try {
        await paintBands(frame, count);
        return;
      } catch (error) {
        if (!isTooLarge(error)) throw error;
      }
    }
    room.layers.abandon();
    throw failure;
  };
  const endFrame = (): void => {
    // What is still to be drawn may belong to any element.
    onElement(null);
    drawNow(ctx);
    room.layers.endFrame(keepsLayers);
    room.media.endFrame();
  };

  return {
    canvas,
    paint(frame, part) {
      try {
        paintWhole(frame, part);
      } catch (error) {
        if (!isTooLarge(error)) throw error;
        return paintInBands(frame, error).then(endFrame);
      }
      endFrame();
      return undefined;
    },
    read({ x, y, width: across, height: down }) {
      const { buffer, byteOffset, byteLength } = ctx.getImageData(x, y, across, down).data;
      return new Uint8Array(buffer, byteOffset, byteLength);
    },
    close() {
      if (options.kept === undefined) kept.close();
    },
  };
}

/** True if the layers need too much memory. */
function isTooLarge(error: unknown): boolean {
  return error instanceof RenderError && error.code === 'limit_exceeded';
}
