/**
 * Properties of the document itself: format, size, frame rate, and the limits of the file. Compile phase; pure. What
 * the document leaves out follows from its content.
 */
import {
  formats,
  isStill,
  outputFormats,
  type OutputFormat,
  videoCodecNames,
} from '../../renderscript/formats.ts';
import { foundValue } from '../../renderscript/found-value.ts';
import { brokenLimits, outputSize, type Scaling } from '../../renderscript/output.ts';
import { defaultOf } from '../../renderscript/properties.ts';
import { withFound } from '../../renderscript/rules.ts';
import type { Problem, Source } from '../../renderscript/source.ts';
import { parseAmount } from '../../renderscript/units.ts';
import type { MediaInfo } from '../media-info.ts';
import { RenderError } from '../errors.ts';
import type { Schedule, ScheduledElement } from './schedule.ts';
import type { OutputSettings } from './timeline.ts';
import { readWord, unreadable } from './values.ts';

/** The place of the document's own properties in messages. */
const documentPlace = { path: '', name: '' };

/**
 * The format of the file.
 *
 * @throws RenderError `invalid_source` for anything else.
 */
export function readFormat(source: Source): OutputFormat {
  return wordOf(source, 'output_format', outputFormats);
}

/** A document property that is one of a few words. */
export function wordOf<W extends string | null>(
  source: Source,
  name: string,
  words: readonly W[],
): W {
  return readWord(source, 'root', documentPlace, name, words);
}

/** A document property that is a number, e.g. `1280`, `"1280 px"`, `"60 fps"`; null if absent. */
function numberOf(source: Source, name: string): number | null {
  return parseAmount(source[name])?.value ?? null;
}

/** The document's sides. */
export interface FrameSize {
  /** Document pixels. */
  readonly width: number;
  readonly height: number;
  readonly warnings: readonly Problem[];
}

/**
 * Given sides, else those of the first picture or video; a single given side takes the other from that file's aspect
 * ratio.
 */
export function frameSize(source: Source, { elements }: Schedule): FrameSize {
  const width = sideOf(source, 'width');
  const height = sideOf(source, 'height');
  if (width !== null && height !== null) return { width, height, warnings: [] };
  const first = firstPicture(elements);
  const { width: w, height: h } = first ?? { width: 1280, height: 720 };
  const size = {
    width: width ?? (height === null ? w : Math.max(1, Math.round((height * w) / h))),
    height: height ?? (width === null ? h : Math.max(1, Math.round((width * h) / w))),
  };
  if (first) return { ...size, warnings: [] };
  const message = `No size is given and no picture or video to take it from; the output is ${size.width} × ${size.height}`;
  const property = width === null ? 'width' : 'height';
  return {
    ...size,
    warnings: [
      { path: property, element: '', property: '', severity: 'warning', code: 'no_size', message },
    ],
  };
}

function sideOf(source: Source, name: 'width' | 'height'): number | null {
  const side = numberOf(source, name);
  if (side === null || side >= 1) return side;
  throw unreadable(
    documentPlace,
    name,
    withFound('Expected a number that is at least 1', foundValue(source[name])),
  );
}

function firstPicture(elements: readonly ScheduledElement[]): MediaInfo | undefined {
  for (const { file, children } of elements) {
    if (file && file.info.width > 0 && file.info.height > 0) return file.info;
    const inside = firstPicture(children);
    if (inside) return inside;
  }
  return undefined;
}

/** What the file depends on besides the document's properties. */
interface OutputFacts {
  readonly format: OutputFormat;
  readonly frame: FrameSize;
  /** Seconds. */
  readonly duration: number;
  readonly schedule: Schedule;
  readonly scaling: Scaling;
}

/**
 * The settings of the output file.
 *
 * @throws RenderError `limit_exceeded` if it would be larger, longer or faster than allowed.
 */
export function outputSettings(
  source: Source,
  { format, frame, duration, schedule, scaling }: OutputFacts,
): OutputSettings {
  const { width, height } = outputSize({
    width: frame.width,
    height: frame.height,
    format,
    ...scaling,
  });
  const still = isStill(format);
  const frameRate = still
    ? 1
    : (numberOf(source, 'frame_rate') ?? ownFrameRate(schedule.elements, format));
  const output: OutputSettings = {
    format,
    width,
    height,
    frameRate,
    // Rounding errors just above a whole number of frames must not cost a frame.
    frameCount: still ? 1 : Math.max(1, Math.ceil(duration * frameRate - 1e-6)),
    crf: numberOf(source, 'crf') ?? Number(defaultOf('root', 'crf')),
    videoCodec: wordOf(source, 'video_codec', videoCodecNames),
    gifQuality: wordOf(source, 'gif_quality', ['fast', 'best']),
    gifCompression:
      numberOf(source, 'gif_compression') ?? Number(defaultOf('root', 'gif_compression')),
    gifLoop: source.loop !== false,
    loudness: numberOf(source, 'target_loudness'),
  };
  checkLimits(output, duration);
  return output;
}

function checkLimits(output: OutputSettings, duration: number): void {
  const [first] = brokenLimits({ ...output, duration });
  if (first === undefined) return;
  const { property, message, found } = first;
  const cause = found === null ? '' : `; the content makes it ${found}`;
  const sentence = `Source error: ${property}: ${message}${cause}`;
  throw new RenderError('limit_exceeded', sentence, { path: property });
}

/** Frame rate of a document without one: the highest among its videos, else the format's maximum. */
function ownFrameRate(elements: readonly ScheduledElement[], format: OutputFormat): number {
  const limit = formats[format].most.frameRate;
  const rates = videoRates(elements);
  return rates.length === 0 ? limit : Math.min(limit, Math.max(...rates));
}

function videoRates(elements: readonly ScheduledElement[]): number[] {
  return elements.flatMap(({ type, file, children }) => {
    const rate = type === 'video' && file?.info.kind === 'video' ? file.info.frameRate : 0;
    return rate > 0 ? [rate] : videoRates(children);
  });
}
