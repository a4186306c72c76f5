/**
 * Compiling: RenderScript source ▸ Timeline. Runs once per render, in the worker.
 *
 * Everything that needs no clock is decided here: places in time, track order, units, defaults, options of animations,
 * and the change from snake_case to camelCase. Later phases never see the source. Pure: no canvas, no disk, no ffmpeg.
 */
import {
  formats,
  hasSound,
  isFilm,
  isSequence,
  isSound,
  isStill,
} from '../../renderscript/formats.ts';
import type { Scaling } from '../../renderscript/output.ts';
import { withoutUnset } from '../../renderscript/properties.ts';
import type { Problem, Source } from '../../renderscript/source.ts';
import { neverVisible } from '../../renderscript/tracks.ts';
import { parseSeconds } from '../../renderscript/units.ts';
import type { MediaInfo } from '../media-info.ts';
import type { Transcript } from '../transcript.ts';
import { hasSlowGradients, isStops } from './bands.ts';
import { captionsOf, unanimatedCaptions, withCaptions } from './captions.ts';
import { frameSize, outputSettings, readFormat, wordOf } from './document-values.ts';
import { compileRoot } from './elements.ts';
import type { Animated, FillValues } from './property-values.ts';
import { scheduleDocument, type ScheduledElement } from './schedule.ts';
import { seenSounds, withSounds, type SoundSamples } from './seen-sounds.ts';
import { soundsOf } from './sounds.ts';
import type { Timeline } from './timeline.ts';
import { readValues, unitsOf } from './values.ts';

/** What compiling needs besides the source. */
export interface CompileContext {
  /** Facts about every available file, by its `source`. Elements whose file is missing draw nothing. */
  readonly media: ReadonlyMap<string, MediaInfo>;
  /** Words of texts that follow speech, by the text's path; a text without them shows its own `text`. */
  readonly transcripts?: ReadonlyMap<string, Transcript>;
  /** Samples of sounds that shapes show, by `source`. See `showsSound`. */
  readonly samples?: ReadonlyMap<string, SoundSamples>;
  readonly scaling: Scaling;
  /** True: a format of pictures is compiled as the film that it could be. */
  readonly asFilm?: boolean;
}

/**
 * Compiles a document.
 *
 * @param given - RenderScript after modifications, validated; every value that passes validation is read or has a
 * default.
 * @throws RenderError `invalid_source`, with the place, for a value that can't be read; `limit_exceeded` if the output
 * would be larger, longer or faster than allowed. Validation only knows the document; here the content counts too.
 */
export function compileTimeline(
  given: Source,
  { media, scaling, transcripts = new Map(), samples = new Map(), asFilm = false }: CompileContext,
): Timeline {
  const source = withoutUnset(given, 'root');
  const format = readFormat(source);
  const isPicture = isStill(format) && !asFilm;
  const snapshotTime = parseSeconds(source.snapshot_time);
  const still = isPicture && snapshotTime === null;
  const schedule = scheduleDocument(source, media);
  const frame = frameSize(source, schedule);
  const units = unitsOf(frame.width, frame.height);
  const duration = still ? 0 : schedule.duration;
  const settings = outputSettings(source, { format, frame, duration, schedule, scaling });
  const sounds = seenSounds(schedule, samples);
  const root = withCaptions(
    withSounds(compileRoot(schedule, { units, still }), sounds.byPath),
    captionsOf(schedule, still ? new Map() : transcripts),
  );
  const fill = readValues<FillValues>(
    source,
    'root',
    { path: '', name: '' },
    { units, duration: schedule.duration },
  );
  const mayHaveAlpha = isFilm(format) || isSequence(format);
  const hasAlpha = mayHaveAlpha && formats[format].keepsAlpha && !isOpaque(fill);
  const isBanded = isFilm(format) && !hasAlpha && hasSlowGradients(fill, root, frame, settings);

  return {
    width: frame.width,
    height: frame.height,
    duration,
    output: {
      ...settings,
      ...(hasAlpha && { hasAlpha }),
      ...(isBanded && { hasSlowGradients: true }),
    },
    snapshotTime,
    moment: isPicture ? snapshotTime : null,
    snapshotLocation: wordOf(source, 'snapshot_location', [null, 'start', 'end']),
    emojiStyle: wordOf(source, 'emoji_style', ['facebook', 'google', 'twitter', 'apple']),
    fill,
    root,
    sounds: hasSound(format) ? soundsOf(schedule) : [],
    warnings: [
      // Nobody sees a sound's frames.
      ...(isSound(format) ? [] : frame.warnings),
      ...(still ? [] : neverSeen(schedule.elements)),
      ...unanimatedCaptions(root),
      ...sounds.warnings,
    ],
  };
}

/** True if a background covers the whole picture at any time. */
function isOpaque({ base, curves }: Animated<FillValues>): boolean {
  const colors = curves.fillColor?.keys.map(({ value }) => value) ?? [base.fillColor];
  return colors.every((color) => {
    if (color === null) return false;
    const stops = isStops(color) ? color.map((stop) => stop.color) : [color];
    return stops.every(([, , , alpha]) => alpha === 1);
  });
}

/** Elements that the next one on their track covers from the start, which is hardly intended. */
function neverSeen(elements: readonly ScheduledElement[]): Problem[] {
  return elements.flatMap(({ path, name, cut, duration, children }): readonly Problem[] => {
    if (!cut || duration > 0) return neverSeen(children);
    return [{ path, element: name, property: '', severity: 'warning', ...neverVisible }];
  });
}
