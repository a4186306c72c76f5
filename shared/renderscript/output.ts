/**
 * The size of the file that a render gives. One rule for the API, the engine and the window. Pure.
 */
import type { OutputFormat } from './source.ts';

/** What decides the size. Absent and null mean "not given". */
export interface OutputSizeRequest {
  /** Document pixels. */
  readonly width: number;
  readonly height: number;
  readonly format: OutputFormat;
  /** Factor on the document's size; 1 when not given. Ignored as soon as a maximum is given. */
  readonly renderScale?: number | null | undefined;
  /** The file is scaled down, never up, so that its sides stay within these pixels. */
  readonly maxWidth?: number | null | undefined;
  readonly maxHeight?: number | null | undefined;
}

/** Whole pixels of the file, and the factor that was meant before rounding. */
export interface OutputSize {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

/**
 * The file's size: the document's size times `renderScale`, or scaled down to the maxima (the smaller factor wins).
 * Sides of an mp4 are even and at least 2, because its colour is stored for blocks of 2 × 2 pixels; sides of pictures
 * and gifs are whole and at least 1. Rounding never lifts a side above its maximum.
 */
export function outputSize(request: OutputSizeRequest): OutputSize {
  const { width, height, format, renderScale, maxWidth, maxHeight } = request;
  const limits = [factor(maxWidth, width), factor(maxHeight, height)].filter(
    (limit) => limit !== null,
  );
  const scale = limits.length === 0 ? (renderScale ?? 1) : Math.min(1, ...limits);
  const step = format === 'mp4' ? 2 : 1;
  return {
    width: side(width * scale, step, maxWidth),
    height: side(height * scale, step, maxHeight),
    scale,
  };
}

function factor(maximum: number | null | undefined, size: number): number | null {
  return maximum === null || maximum === undefined ? null : maximum / size;
}

/** The nearest multiple of `step`; exactly between two, the smaller one. */
function side(exact: number, step: number, maximum: number | null | undefined): number {
  const nearest = Math.ceil(exact / step - 0.5) * step;
  const highest =
    maximum === null || maximum === undefined ? nearest : Math.floor(maximum / step) * step;
  return Math.max(step, Math.min(nearest, highest));
}
