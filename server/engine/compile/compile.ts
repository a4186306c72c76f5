/**
 * Compiling: RenderScript source ▸ Timeline. Runs once per render, in the worker.
 *
 * Everything that needs no clock is decided here: places in time, track order, units, defaults, options of animations,
 * and the change from snake_case to camelCase. Later phases never see the source. Pure: no canvas, no disk, no ffmpeg.
 */
import { documentLimits } from '../../../shared/renderscript/limits.ts';
import { brokenLimits, outputSize } from '../../../shared/renderscript/output.ts';
import { defaultOf } from '../../../shared/renderscript/properties.ts';
import {
  outputFormats,
  type OutputFormat,
  type Problem,
  type Source,
} from '../../../shared/renderscript/source.ts';
import { parseAmount, parseSeconds } from '../../../shared/renderscript/units.ts';
import type { MediaInfo } from '../assets/media-info.ts';
import type { Transcript } from '../assets/transcripts.ts';
import { RenderError } from '../errors.ts';
import { entersBelow } from './animations.ts';
import { readAnimations, type Successor } from './animation-entries.ts';
import { captionsOf, unanimatedCaptions, withCaptions } from './captions.ts';
import { drawOrder } from './draw-order.ts';
import {
  scheduleDocument,
  type Schedule,
  type ScheduledElement,
  type ScheduledFile,
} from './schedule.ts';
import { soundsOf } from './sounds.ts';
import type {
  CompositionElement,
  CompositionValues,
  FillValues,
  ImageElement,
  ImageValues,
  OutputSettings,
  Timeline,
  TimelineElement,
  VideoElement,
} from './timeline.ts';
import { readValues, unitsOf, unreadable, type Units } from './values.ts';

/** What compiling needs besides the source. */
export interface CompileContext {
  /** Facts about every file that could be had, by its `source`. Elements whose file is missing draw nothing. */
  readonly media: ReadonlyMap<string, MediaInfo>;
  /** Words of texts that follow speech, by the text's path; a text without shows its own `text`. */
  readonly transcripts?: ReadonlyMap<string, Transcript>;
  readonly scaling: {
    readonly renderScale?: number;
    readonly maxWidth?: number;
    readonly maxHeight?: number;
  };
}

/**
 * Compiles a document.
 *
 * @param source - RenderScript after modifications, validated; what validation lets pass is read or has a default.
 * @throws RenderError `invalid_source`, with the place, for a value that can't be read; `limit_exceeded` when the output
 *   would be larger, longer or faster than is allowed. Validation knows only what the document says; here the content
 *   has had its say too.
 */
export function compileTimeline(
  source: Source,
  { media, scaling, transcripts = new Map() }: CompileContext,
): Timeline {
  const format = formatOf(source);
  const still = format === 'jpg' || format === 'png';
  const schedule = scheduleDocument(source, media);
  const frame = frameSize(source, schedule);
  const units = unitsOf(frame.width, frame.height);
  const duration = still ? 0 : schedule.duration;
  const output = outputSettings(source, { format, frame, duration, schedule, scaling });
  checkLimits(output, duration);
  const root = withCaptions(
    compileRoot(schedule, units, still),
    captionsOf(schedule, still ? new Map() : transcripts),
  );

  return {
    width: frame.width,
    height: frame.height,
    duration,
    output,
    snapshotTime: parseSeconds(source.snapshot_time),
    snapshotLocation: wordOf(source, 'snapshot_location', [null, 'start', 'end']),
    emojiStyle: wordOf(source, 'emoji_style', ['facebook', 'google', 'twitter', 'apple']),
    fill: readValues<FillValues>(
      source,
      'root',
      { path: '', name: '' },
      { units, duration: schedule.duration },
    ),
    root,
    sounds: format === 'mp4' ? soundsOf(schedule) : [],
    warnings: [
      ...frame.warnings,
      ...(still ? [] : neverSeen(schedule.elements)),
      ...unanimatedCaptions(root),
    ],
  };
}

// ---- document ------------------------------------------------------------------------------------------------------

function formatOf({ output_format: value }: Source): OutputFormat {
  const wanted = value ?? defaultOf('root', 'output_format');
  const format = outputFormats.find((known) => known === wanted);
  if (format) return format;
  throw unreadable(
    { path: '', name: '' },
    'output_format',
    `Expected one of these values: ${outputFormats.join(', ')}`,
  );
}

/** A document property that is one of a few words. */
function wordOf<W extends string | null>(source: Source, name: string, words: readonly W[]): W {
  const value = source[name] ?? defaultOf('root', name);
  const word = words.find((known) => known === value);
  if (word !== undefined) return word;
  throw unreadable(
    { path: '', name: '' },
    name,
    `Expected one of these values: ${words.filter(Boolean).join(', ')}`,
  );
}

/** A document property that is a number, e.g. `1280`, `"1280 px"`, `"60 fps"`; null when it isn't given. */
function numberOf(source: Source, name: string): number | null {
  return parseAmount(source[name])?.value ?? null;
}

interface FrameSize {
  readonly width: number;
  readonly height: number;
  readonly warnings: readonly Problem[];
}

/** Given sides, else those of the first picture or video; of one given side the other follows by that file's shape. */
function frameSize(source: Source, { elements }: Schedule): FrameSize {
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
  return {
    ...size,
    warnings: [
      warning({ path: width === null ? 'width' : 'height', name: '' }, 'no_size', message),
    ],
  };
}

function sideOf(source: Source, name: 'width' | 'height'): number | null {
  const side = numberOf(source, name);
  if (side === null || side >= 1) return side;
  throw unreadable({ path: '', name: '' }, name, 'Expected a number that is at least 1');
}

function firstPicture(elements: readonly ScheduledElement[]): MediaInfo | undefined {
  for (const { file, children } of elements) {
    if (file && file.info.width > 0 && file.info.height > 0) return file.info;
    const inside = firstPicture(children);
    if (inside) return inside;
  }
  return undefined;
}

interface OutputFacts {
  readonly format: OutputFormat;
  readonly frame: FrameSize;
  readonly duration: number;
  readonly schedule: Schedule;
  readonly scaling: CompileContext['scaling'];
}

function outputSettings(
  source: Source,
  { format, frame, duration, schedule, scaling }: OutputFacts,
): OutputSettings {
  const { width, height } = outputSize({
    width: frame.width,
    height: frame.height,
    format,
    ...scaling,
  });
  const still = format === 'jpg' || format === 'png';
  const frameRate = still
    ? 1
    : (numberOf(source, 'frame_rate') ?? ownFrameRate(schedule.elements, format));
  return {
    format,
    width,
    height,
    frameRate,
    // A duration that is a hair over a whole number of frames, from adding fractions, must not cost a frame.
    frameCount: still ? 1 : Math.max(1, Math.ceil(duration * frameRate - 1e-6)),
    crf: numberOf(source, 'crf') ?? Number(defaultOf('root', 'crf')),
    gifQuality: wordOf(source, 'gif_quality', ['fast', 'best']),
    gifCompression:
      numberOf(source, 'gif_compression') ?? Number(defaultOf('root', 'gif_compression')),
    gifLoop: source.loop !== false,
  };
}

function checkLimits(output: OutputSettings, duration: number): void {
  const [first] = brokenLimits({ ...output, duration });
  if (first === undefined) return;
  const { property, message, found } = first;
  const cause = found === null ? '' : `; the content makes it ${found}`;
  const sentence = `Source error: ${property}: ${message}${cause}`;
  throw new RenderError('limit_exceeded', sentence, { path: property });
}

/** Frames per second of a document that names none: the highest among its videos, else as many as the format allows. */
function ownFrameRate(elements: readonly ScheduledElement[], format: OutputFormat): number {
  const limit = format === 'gif' ? documentLimits.gifFrameRate : documentLimits.videoFrameRate;
  const rates = videoRates(elements);
  return rates.length === 0 ? limit : Math.min(limit, Math.max(...rates));
}

function videoRates(elements: readonly ScheduledElement[]): number[] {
  return elements.flatMap(({ type, file, children }) => {
    const rate = type === 'video' && file?.info.kind === 'video' ? file.info.frameRate : 0;
    return rate > 0 ? [rate] : videoRates(children);
  });
}

/** Elements that the next one of their track covers from the start, which is hardly meant. */
function neverSeen(elements: readonly ScheduledElement[]): Problem[] {
  return elements.flatMap((element) => {
    const { cut, duration, children } = element;
    if (!cut || duration > 0) return neverSeen(children);
    return [
      warning(
        element,
        'never_visible',
        'Is never visible: the next element of its track starts at the same time',
      ),
    ];
  });
}

function warning(
  { path, name }: { path: string; name: string },
  code: string,
  message: string,
): Problem {
  return { path, element: name, property: '', severity: 'warning', code, message };
}

// ---- elements ------------------------------------------------------------------------------------------------------

function compileRoot(
  { elements, duration }: Schedule,
  units: Units,
  still: boolean,
): CompositionElement {
  const place = { path: '', name: '' };
  return {
    type: 'composition',
    ...place,
    track: 1,
    start: 0,
    duration,
    animations: [],
    values: readValues<CompositionValues>({}, 'composition', place, { units, duration }),
    children: compileChildren(elements, units, still),
    contentDuration: duration,
    loop: false,
    plays: null,
  };
}

/**
 * Siblings in drawing order. In a picture nothing has a place in time: every element begins at 0, and animations,
 * most of which would hide their element there, are left out.
 */
function compileChildren(
  siblings: readonly ScheduledElement[],
  units: Units,
  still: boolean,
): TimelineElement[] {
  const successors = successorsOf(siblings);
  const animations = siblings.map((element, index) =>
    still ? [] : readAnimations(element, successors.get(index) ?? [], units),
  );
  const layers = siblings.map(({ track, predecessor, overlap }, index) => ({
    track,
    below: overlap > 0 && animations[index]?.some(entersBelow) ? predecessor : null,
  }));
  return drawOrder(layers).flatMap(({ index, lane }) => {
    const element = siblings[index];
    if (!element || element.type === 'audio') return [];
    const { path, name, start, duration } = element;
    const common = {
      path,
      name,
      track: lane,
      start: still ? 0 : start,
      duration,
      animations: animations[index] ?? [],
    };
    return [compileElement(element, common, units, still)];
  });
}

/** Who comes in with a transition while an element is still visible, by the element's index. */
function successorsOf(siblings: readonly ScheduledElement[]): Map<number, Successor[]> {
  const successors = new Map<number, Successor[]>();
  for (const { predecessor, overlap, json, start } of siblings) {
    const before = predecessor === null ? undefined : siblings[predecessor];
    if (!before || predecessor === null || overlap === 0) continue;
    successors.set(predecessor, [
      ...(successors.get(predecessor) ?? []),
      { json, start: start - before.start },
    ]);
  }
  return successors;
}

type Common = Pick<
  TimelineElement,
  'path' | 'name' | 'track' | 'start' | 'duration' | 'animations'
>;

function compileElement(
  element: ScheduledElement,
  common: Common,
  units: Units,
  still: boolean,
): TimelineElement {
  const { json, type, file, children, contentDuration, loop, plays } = element;
  const context = { units, duration: element.duration };
  switch (type) {
    case 'text':
      return { type, ...common, values: readValues(json, type, element, context) };
    case 'shape':
      return { type, ...common, values: readValues(json, type, element, context) };
    case 'composition': {
      const values = readValues<CompositionValues>(json, type, element, context);
      const inside = compileChildren(children, units, still);
      return {
        type,
        ...common,
        values,
        children: inside,
        contentDuration,
        loop: loop && contentDuration > 0,
        plays,
      };
    }
    case 'image':
    case 'video':
      return {
        ...common,
        values: readValues<ImageValues>(json, type, element, context),
        ...pictureOf(file),
        ...(type === 'image' && json.smart_crop === true && { smartCrop: true }),
      };
    case 'audio':
      throw new Error(`${element.path} is audio and has no looks`);
  }
}

/** What an image or video element shows is decided by its file: a video element may name a picture, and the reverse. */
function pictureOf(
  file: ScheduledFile | null,
): Pick<ImageElement, 'type' | 'source' | 'clip'> | Pick<VideoElement, 'type' | 'source' | 'clip'> {
  if (!file || file.info.kind === 'audio') return { type: 'image', source: null };
  const { source, info, clip } = file;
  if (info.kind === 'video') return { type: 'video', source, clip };
  return info.animation ? { type: 'image', source, clip } : { type: 'image', source };
}
