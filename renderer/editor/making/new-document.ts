/** The document of a new template by what was chosen for it, and what is wrong with the choice. Pure. */
import { formats, isStill, type OutputFormat } from '../../../shared/renderscript/formats.ts';
import { documentLimits } from '../../../shared/renderscript/limits.ts';
import type { JsonObject } from '../../../shared/renderscript/source.ts';

/** What a new template is to be. Numbers that can't be read are NaN. */
export interface NewDocument {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly format: OutputFormat;
  /** Seconds; ignored for pictures. */
  readonly duration: number;
  /** Frames per second; ignored for pictures. */
  readonly frameRate: number;
  /** As `#rrggbb`. */
  readonly background: string;
}

/** The shortest side, pixels, and the shortest film, seconds. */
const least = { side: 16, duration: 0.1 };

/** What a format usually begins with. */
export function usualOf(format: OutputFormat): Pick<NewDocument, 'duration' | 'frameRate'> {
  const { kind, most } = formats[format];
  return { duration: kind === 'moving picture' ? 3 : 10, frameRate: Math.min(30, most.frameRate) };
}

/** Something that can't be; `most` is the highest value. */
export interface WrongChoice {
  readonly what: 'side' | 'area' | 'duration' | 'frameRate';
  readonly most: number;
}

/** The first thing that is wrong, or null. */
export function wrongIn({
  width,
  height,
  format,
  duration,
  frameRate,
}: NewDocument): WrongChoice | null {
  const isWithin = (value: number, from: number, to: number): boolean =>
    value >= from && value <= to;
  const isSide = (side: number): boolean =>
    Number.isInteger(side) && isWithin(side, least.side, documentLimits.side);
  const { framePixels, frameRate: fastest, seconds } = formats[format].most;
  if (!isSide(width) || !isSide(height)) return { what: 'side', most: documentLimits.side };
  if (width * height > framePixels) return { what: 'area', most: framePixels };
  if (isStill(format)) return null;
  if (!isWithin(duration, least.duration, seconds)) return { what: 'duration', most: seconds };
  if (!isWithin(frameRate, 1, fastest)) return { what: 'frameRate', most: fastest };
  return null;
}

/** The document, without elements. */
export function newDocument(chosen: NewDocument): JsonObject {
  const { width, height, format, duration, frameRate, background } = chosen;
  return {
    output_format: format,
    width,
    height,
    ...(!isStill(format) && { frame_rate: frameRate, duration }),
    fill_color: background,
    elements: [],
  };
}
