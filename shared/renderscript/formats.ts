/**
 * THE TABLE of output formats, one row each. Language, API, engine and window all read it. A film format's encoding is
 * its row in server/engine/encode/film-formats.ts. Pure data.
 */
import type { JsonObject } from './source.ts';

/**
 * How the frames of a film may be coded where its format has a choice, and the shortest side that the encoder takes,
 * pixels; asked when a film is made, because a picture of one moment may be smaller. The first is the usual one.
 */
export const videoCodecs = {
  h264: { leastSide: 2 },
  hevc: { leastSide: 64 },
  av1: { leastSide: 64 },
} as const;
/** One of them. */
export type VideoCodec = keyof typeof videoCodecs;
/** All of them, in the order of the table. */
// Object.keys loses the type of its object's keys.
export const videoCodecNames = Object.keys(videoCodecs) as readonly VideoCodec[];

/** The facts of a format. Its key in the table is its name. */
interface FormatRow {
  /**
   * `picture`: one frame, without time. `moving picture`: frames without sound, shown wherever pictures are. `film`:
   * frames and sound, for a player; its picture, the snapshot, is a separate file. `sequence`: a film's frames as
   * pictures, for other programs; nothing plays it. `sound`: a film's sound alone.
   */
  readonly kind: 'picture' | 'moving picture' | 'film' | 'sequence' | 'sound';
  /** The ending of its files, without the dot. Default: its name. */
  readonly ending?: string;
  /** Its name in sentences, with the article. */
  readonly called: string;
  /** Content type of its files. */
  readonly mimeType: string;
  /** True: transparency stays, in a film where its background has some; false: it becomes black. */
  readonly keepsAlpha: boolean;
  /** Bytes for each second of sound; 0: it has none. */
  readonly soundBytes: number;
  /** Sides are multiples of this number of pixels, and at least that long. */
  readonly sideStep: 1 | 2;
  /** The codecs that `video_codec` chooses from; none: it has one of its own. */
  readonly codecs: readonly VideoCodec[];
  /** Highest possible values of a file. */
  readonly most: {
    /** Pixels of one frame; of a sound, those that are seen while it is edited. */
    readonly framePixels: number;
    /** Frames per second, and seconds; ignored for pictures. */
    readonly frameRate: number;
    readonly seconds: number;
  };
  /** The property that sets the quality, and the values that the window offers; null: none. */
  readonly quality: {
    readonly property: string;
    readonly values: readonly string[];
    /** What people get where the document names none. Default: the language's own default. */
    readonly usual?: string;
  } | null;
}

const picture = {
  kind: 'picture',
  soundBytes: 0,
  sideStep: 1,
  codecs: [],
  most: { framePixels: 64_000_000, frameRate: 60, seconds: Infinity },
  quality: null,
} as const;

const film = {
  kind: 'film',
  soundBytes: 24_000,
  // It stores colour for blocks of 2 × 2 pixels.
  sideStep: 2,
  codecs: [],
  most: { framePixels: 36_000_000, frameRate: 60, seconds: 2 * 60 * 60 },
  // The language's 23 shows blocks in a night sky (docs/decisions/008).
  quality: { property: 'crf', values: ['17', '20', '28', '34'], usual: '20' },
} as const;

const sound = {
  kind: 'sound',
  keepsAlpha: false,
  soundBytes: 24_000,
  sideStep: 1,
  codecs: [],
  most: film.most,
  quality: null,
} as const;

/** In the order in which the API lists them. */
const rows = {
  jpg: { ...picture, called: 'a jpg', mimeType: 'image/jpeg', keepsAlpha: false },
  png: { ...picture, called: 'a png', mimeType: 'image/png', keepsAlpha: true },
  gif: {
    kind: 'moving picture',
    called: 'a gif',
    mimeType: 'image/gif',
    keepsAlpha: true,
    soundBytes: 0,
    sideStep: 1,
    codecs: [],
    most: { framePixels: 36_000_000, frameRate: 15, seconds: 5 * 60 },
    quality: { property: 'gif_quality', values: ['fast', 'best'] },
  },
  mp4: {
    ...film,
    called: 'an mp4',
    mimeType: 'video/mp4',
    keepsAlpha: false,
    codecs: videoCodecNames,
  },
  webm: {
    ...film,
    called: 'a webm',
    mimeType: 'video/webm',
    keepsAlpha: true,
    soundBytes: 20_000,
  },
  mov: {
    ...film,
    called: 'a mov',
    mimeType: 'video/quicktime',
    keepsAlpha: true,
    soundBytes: 288_000,
    quality: null,
  },
  webp: { ...picture, called: 'a webp', mimeType: 'image/webp', keepsAlpha: true },
  avif: { ...picture, called: 'an avif', mimeType: 'image/avif', keepsAlpha: true },
  mp3: { ...sound, called: 'an mp3', mimeType: 'audio/mpeg' },
  wav: { ...sound, called: 'a wav', mimeType: 'audio/wav', soundBytes: 192_000 },
  m4a: { ...sound, called: 'an m4a', mimeType: 'audio/mp4' },
  // A webp stays a picture: documents that ask for one have moments and elements that move.
  'webp-animated': {
    ...{ kind: 'moving picture', called: 'an animated webp', ending: 'webp' },
    ...{ mimeType: 'image/webp', keepsAlpha: true, soundBytes: 0, sideStep: 1, codecs: [] },
    most: { framePixels: 36_000_000, frameRate: 30, seconds: 5 * 60 },
    quality: film.quality,
  },
  'png-sequence': {
    ...{ kind: 'sequence', called: 'a png sequence', ending: 'zip' },
    ...{ mimeType: 'application/zip', keepsAlpha: true, soundBytes: 0, sideStep: 1, codecs: [] },
    most: film.most,
    quality: null,
  },
} as const satisfies Record<string, FormatRow>;

/** A file format that a render can have. */
export type OutputFormat = keyof typeof rows;

/** The formats of one kind. */
type FormatOf<Kind extends FormatRow['kind']> = {
  [Format in OutputFormat]: (typeof rows)[Format]['kind'] extends Kind ? Format : never;
}[OutputFormat];

/** A format of a single picture. */
export type StillFormat = FormatOf<'picture'>;
/** A format that can be shown wherever pictures can. */
export type PictureFormat = FormatOf<'picture' | 'moving picture'>;
/** A format of frames and sound. */
export type FilmFormat = FormatOf<'film'>;
/** A format of frames as pictures of their own. */
export type SequenceFormat = FormatOf<'sequence'>;
/** A format that is only heard. */
export type SoundFormat = FormatOf<'sound'>;

/** The facts of every format. */
export const formats: Readonly<Record<OutputFormat, FormatRow>> = rows;

/** All formats, in the order of the table. */
// Object.keys loses the type of its object's keys.
export const outputFormats = Object.keys(rows) as readonly OutputFormat[];

/** The ending of a format's files, without the dot. */
export function fileEnding(format: OutputFormat): string {
  return formats[format].ending ?? format;
}

/** The endings of all files, without the dot. */
export const fileEndings: readonly string[] = [...new Set(outputFormats.map(fileEnding))];

/** The formats of single pictures. */
export const stillFormats: readonly StillFormat[] = outputFormats.filter(isStill);

/** The format of a single picture by the ending of its file; a jpg for any other ending. */
export function stillNamedBy(file: string): StillFormat {
  return stillFormats.find((format) => file.endsWith(`.${format}`)) ?? 'jpg';
}

/** The most frequently chosen ones. */
const frequent: readonly OutputFormat[] = ['mp4', 'gif', 'jpg', 'png'];

/** All formats, in the order in which users see them. */
export const formatChoices: readonly OutputFormat[] = [
  ...frequent,
  ...outputFormats.filter((format) => !frequent.includes(format)),
];

/** The formats with a duration, the most frequently chosen first. */
export const timedFormats: readonly OutputFormat[] = formatChoices.filter(
  (format) => !isStill(format),
);

/** The formats with a duration and frames, in the same order. */
export const movingFormats: readonly OutputFormat[] = timedFormats.filter(
  (format) => !isSound(format),
);

/** The format of a document that names none. */
export const usualFormat = 'jpg' satisfies OutputFormat;

/** The format with that name; undefined if there is none. Accepts any value. */
export function formatNamed(name: unknown): OutputFormat | undefined {
  return outputFormats.find((format) => format === name);
}

/** The format of a document; the default if it names none or an unknown one. */
export function formatOf({ output_format: name }: JsonObject): OutputFormat {
  return formatNamed(name) ?? usualFormat;
}

/**
 * The quality of a file that a person asks for and chooses no other; scripts get the language's default. '': the
 * document's own.
 */
export function usualQuality(source: JsonObject, format: OutputFormat): string {
  const { quality } = formats[format];
  return quality?.usual !== undefined && source[quality.property] === undefined
    ? quality.usual
    : '';
}

/** Whether the codec of a format's films can be chosen. */
export function hasCodecs(format: OutputFormat): boolean {
  return formats[format].codecs.length > 0;
}

/** The codec of a film by that of its document; null: the usual one of its format. */
export function otherCodec(
  format: OutputFormat,
  codec: VideoCodec,
): Exclude<VideoCodec, 'h264'> | null {
  return codec !== 'h264' && formats[format].codecs.includes(codec) ? codec : null;
}

/** Whether it is a format of a single picture. Accepts any value. */
export function isStill(name: unknown): name is StillFormat {
  const format = formatNamed(name);
  return format !== undefined && formats[format].kind === 'picture';
}

/** Whether files of it can be shown wherever pictures can. Accepts any value. */
export function isPicture(name: unknown): name is PictureFormat {
  return isStill(name) || isMovingPicture(name);
}

/** Whether it is a format of frames without sound. Accepts any value. */
function isMovingPicture(name: unknown): boolean {
  const format = formatNamed(name);
  return format !== undefined && formats[format].kind === 'moving picture';
}

/** Whether it is a format of frames as pictures of their own. Accepts any value. */
export function isSequence(name: unknown): name is SequenceFormat {
  const format = formatNamed(name);
  return format !== undefined && formats[format].kind === 'sequence';
}

/** Whether it is a format that is only heard. Accepts any value. */
export function isSound(name: unknown): name is SoundFormat {
  const format = formatNamed(name);
  return format !== undefined && formats[format].kind === 'sound';
}

/** Whether files of it are heard. Accepts any value. */
export function hasSound(name: unknown): name is FilmFormat | SoundFormat {
  return isFilm(name) || isSound(name);
}

/** Whether it is a format of frames and sound. Accepts any value. */
export function isFilm(name: unknown): name is FilmFormat {
  const format = formatNamed(name);
  return format !== undefined && formats[format].kind === 'film';
}
