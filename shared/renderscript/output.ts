/**
 * The size of a render's file, and its limits. One rule for the API, the engine and the window. Pure.
 */
import { formats, isSound, isStill, type OutputFormat } from './formats.ts';
import { documentLimits } from './limits.ts';

/** What decides the size. Absent and null mean "not given". */
export interface OutputSizeRequest {
  /** Document pixels. */
  readonly width: number;
  readonly height: number;
  readonly format: OutputFormat;
  /** Factor on the document's size; default 1. Ignored if there is a maximum. */
  readonly renderScale?: number | null | undefined;
  /** Scales the file down, never up, so that its sides stay within these pixels. */
  readonly maxWidth?: number | null | undefined;
  readonly maxHeight?: number | null | undefined;
  /** No side gets longer than this, whatever the others say. */
  readonly largestSide?: number | undefined;
}

/** How a render asks for another size than the document's. */
export type Scaling = Pick<
  OutputSizeRequest,
  'renderScale' | 'maxWidth' | 'maxHeight' | 'largestSide'
>;

/** Whole pixels of the file, and the factor before rounding. */
export interface OutputSize {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

/**
 * The file's size: the document's size times `renderScale`, or scaled down to the maxima (the smaller factor wins).
 * Sides are multiples of the format's step. Rounding never puts a side above its maximum.
 */
export function outputSize(request: OutputSizeRequest): OutputSize {
  const { width, height, format, renderScale, maxWidth, maxHeight } = request;
  const { largestSide = Infinity } = request;
  const limits = [factor(maxWidth, width), factor(maxHeight, height)].filter(
    (limit) => limit !== null,
  );
  const wanted = limits.length === 0 ? (renderScale ?? 1) : Math.min(1, ...limits);
  const scale = Math.min(wanted, largestSide / Math.max(width, height));
  const { sideStep: step } = formats[format];
  return {
    width: side(width * scale, step, Math.min(maxWidth ?? Infinity, largestSide)),
    height: side(height * scale, step, Math.min(maxHeight ?? Infinity, largestSide)),
    scale,
  };
}

function factor(maximum: number | null | undefined, size: number): number | null {
  return maximum === null || maximum === undefined ? null : maximum / size;
}

/** The nearest multiple of `step`; exactly between two, the smaller one. */
function side(exact: number, step: number, maximum: number): number {
  const nearest = Math.ceil(exact / step - 0.5) * step;
  return Math.max(step, Math.min(nearest, Math.floor(maximum / step) * step));
}

/** The known facts of an output; null: not known yet, because the content decides. */
export interface OutputFacts {
  readonly format: OutputFormat;
  /** Pixels of the file. */
  readonly width: number | null;
  readonly height: number | null;
  /** Frames per second. */
  readonly frameRate: number | null;
  /** Seconds. */
  readonly duration: number | null;
}

/**
 * Why a request can't have its size: a maximum below the format's smallest size, or a scale that makes the file too
 * large. Null if nothing is wrong.
 */
export function brokenScaling(request: OutputSizeRequest): BrokenScaling | null {
  const { format, width, height, renderScale, maxWidth, maxHeight } = request;
  const { called, sideStep: step, most } = formats[format];
  for (const [property, maximum] of [
    ['max_width', maxWidth],
    ['max_height', maxHeight],
  ] as const) {
    if (maximum === null || maximum === undefined || maximum >= step) continue;
    return {
      property,
      what: `at least ${step}, because ${called} has sides of at least ${step} pixels`,
    };
  }
  const isScaled = maxWidth === undefined && maxHeight === undefined && (renderScale ?? 1) > 1;
  if (!isScaled || width <= 0 || height <= 0) return null;
  const size = outputSize(request);
  const facts = { format, frameRate: null, duration: null };
  const sized = (of: { readonly width: number; readonly height: number }): boolean =>
    brokenLimits({ ...facts, width: of.width, height: of.height }).length > 0;
  // A document that is too large without scaling gets its own error.
  if (!sized(size) || sized({ width, height })) return null;
  const { side } = documentLimits;
  const megapixels = most.framePixels / 1e6;
  return {
    property: 'render_scale',
    what: `smaller: ${renderScale ?? 1} × ${width} × ${height} is ${size.width} × ${size.height} pixels; the limits are ${side.toLocaleString('en-US')} pixels a side and ${megapixels} megapixels`,
  };
}

/** A parameter of a request, and what it should be. */
export interface BrokenScaling {
  readonly property: 'max_width' | 'max_height' | 'render_scale';
  readonly what: string;
}

/** A limit that an output exceeds: the document's property to change, and what is allowed. */
export interface BrokenLimit {
  readonly property: 'width' | 'height' | 'frame_rate' | 'duration';
  readonly message: string;
  /** The value for messages, if the document doesn't name it. */
  readonly found: number | null;
}

/** The limits that an output exceeds, as far as its facts are known, in the order to report them. */
export function brokenLimits(facts: OutputFacts): readonly BrokenLimit[] {
  const { format, width, height, frameRate, duration } = facts;
  const broken: BrokenLimit[] = [];
  const above = (property: BrokenLimit['property'], value: number | null, range: Range): void => {
    if (value === null || value <= range.max) return;
    const message = `Expected a number between ${range.min} and ${range.max}`;
    broken.push({ property, message, found: Number(value.toFixed(2)) });
  };
  const { most } = formats[format];
  const moving = !isStill(format);
  if (moving) {
    above('frame_rate', frameRate, { min: 1, max: most.frameRate });
    above('duration', duration, { min: 0, max: most.seconds });
  }
  const { side, renderPixels } = documentLimits;
  above('width', width, { min: 1, max: side });
  above('height', height, { min: 1, max: side });
  if (width === null || height === null || width > side || height > side) return broken;

  const pixels = width * height;
  if (pixels > most.framePixels) {
    const found = Math.ceil(pixels / 1e6);
    const message = `Expected at most ${most.framePixels / 1e6} megapixels, found ${found}`;
    broken.push({ property: 'width', message, found: null });
    return broken;
  }
  const all = moving && !isSound(format) ? pixels * (duration ?? 0) * (frameRate ?? 0) : 0;
  if (all > renderPixels) {
    const [most, found] = [renderPixels, all].map((count) => (count / 1e12).toPrecision(3));
    const message = `Expected a shorter, smaller or slower output; frames times pixels may be ${Number(most)} trillion, found ${Number(found)}`;
    broken.push({ property: 'duration', message, found: null });
  }
  return broken;
}

interface Range {
  readonly min: number;
  readonly max: number;
}
