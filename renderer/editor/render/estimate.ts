/** What a render will take, estimated from finished renders. Pure. */
import type { WindowRender } from '../../../shared/api.ts';
import { formats, isSound, type OutputFormat } from '../../../shared/renderscript/formats.ts';

/** The file to make. */
export interface WantedFile {
  readonly template: string;
  readonly format: OutputFormat;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Seconds; 0 for pictures. */
  readonly duration: number;
  /** Frames per second; ignored for pictures. */
  readonly frameRate: number;
  /** A value of the format's quality; '': the document's own. */
  readonly quality: string;
  /** Of an mp4, as chosen; '': the document's own. */
  readonly codec: string;
  /** Something in the document may be heard. */
  readonly sounds: boolean;
}

/** The estimate. */
export interface Estimate {
  readonly bytes: number;
  /** Null: nothing comparable was rendered here, and the bytes are the most that they may come to. */
  readonly seconds: number | null;
  /** By what share of them the bytes may well be wrong; null: not known, because only other templates were rendered. */
  readonly spread: number | null;
}

/** How many of the newest renders are used. */
const most = 5;
/** A file larger or smaller by more than this factor says nothing about the wanted one. */
const farthest = 4;

/**
 * [Note: Estimates] Measured on five sample templates (promo-square, story-vertical, slideshow-music, data-card,
 * text-animations): from a file of each, 73 others in other sizes, qualities and frame rates were estimated. Four of
 * five were within 30 %; of films and GIFs with photos nearly all within 20 %, while flat graphics at a low quality
 * turned out two to three times as large. Another template says little: a flat GIF has a tenth of the bytes of photos.
 * Times depend on what else the computer does and have no such figure.
 */
const spreads = { same: 0.05, own: 0.3 };

/** By which power bytes grow with the pixels of a frame, and with frames per second. */
const powers: Readonly<Record<OutputFormat, { readonly pixels: number; readonly rate: number }>> = {
  mp4: { pixels: 0.85, rate: 0.5 },
  mov: { pixels: 1, rate: 1 },
  webm: { pixels: 0.85, rate: 0.5 },
  gif: { pixels: 0.95, rate: 0.6 },
  jpg: { pixels: 0.9, rate: 0 },
  png: { pixels: 0.9, rate: 0 },
  webp: { pixels: 0.9, rate: 0 },
  avif: { pixels: 0.9, rate: 0 },
  mp3: { pixels: 0, rate: 0 },
  wav: { pixels: 0, rate: 0 },
  m4a: { pixels: 0, rate: 0 },
  'webp-animated': { pixels: 0.85, rate: 0.6 },
  'png-sequence': { pixels: 0.9, rate: 1 },
};
/** Steps of crf that double a film's bytes, and the crf of a document that names none. */
const crf = { doubles: 4.3, usual: 23 };
/** By how much a gif with the best colours is larger. */
const bestColors = 1.8;
/** Bytes of a gif for each pixel and frame where nothing like it was made: what moving photos come to. */
const gifBytes = 0.16;

/**
 * The middle one of the newest measured renders of the same template and format, else of the same size and format, each
 * scaled by how much more there is to draw. Where nothing comparable was made, what a GIF may come to, and what a sound
 * has by its length; null for other formats.
 *
 * @param renders newest first
 */
export function estimateOf(renders: readonly WindowRender[], wanted: WantedFile): Estimate | null {
  if (isSound(wanted.format)) {
    const { soundBytes } = formats[wanted.format];
    return { bytes: wanted.duration * soundBytes, seconds: null, spread: null };
  }
  const measured = renders.flatMap((render) => measure(render, wanted));
  const own = measured.filter(({ isOwn }) => isOwn);
  const near = own.length > 0 ? own : measured.filter(({ isSameSize }) => isSameSize);
  const used = near.slice(0, most);
  if (used.length === 0) return guess(wanted);
  const isSame = used.every(({ isSameFile }) => isSameFile);
  const spread = isSame ? spreads.same : spreads.own;
  return {
    bytes: middle(used.map(({ bytes }) => bytes)),
    seconds: middle(used.map(({ seconds }) => seconds)),
    spread: own.length > 0 ? spread : null,
  };
}

function guess(wanted: WantedFile): Estimate | null {
  if (formats[wanted.format].quality?.property !== 'gif_quality') return null;
  const byQuality = wanted.quality === 'best' ? bestColors : 1;
  return { bytes: amount(wanted) * gifBytes * byQuality, seconds: null, spread: null };
}

type Drawn = Pick<WantedFile, 'width' | 'height' | 'duration' | 'frameRate'>;

interface Measured {
  readonly bytes: number;
  readonly seconds: number;
  readonly isOwn: boolean;
  readonly isSameSize: boolean;
  /** Size, length, frame rate and quality are those that are wanted. */
  readonly isSameFile: boolean;
}

function measure(render: WindowRender, wanted: WantedFile): readonly Measured[] {
  const { record, startedAt, finishedAt, codec = '' } = render;
  const { width, height, file_size: bytes } = record;
  if (record.status !== 'succeeded' || record.output_format !== wanted.format) return [];
  if (codec !== wanted.codec) return [];
  if (startedAt === undefined || finishedAt === undefined) return [];
  if (width === undefined || height === undefined || bytes === undefined) return [];
  const { duration = 0, frame_rate: frameRate = wanted.frameRate } = record;
  const made = { width, height, duration, frameRate };
  const factor = amount(wanted) / amount(made);
  if (!(factor >= 1 / farthest && factor <= farthest)) return [];
  const byQuality = qualityOf(render, wanted);
  return [
    {
      bytes: bytesOf({ ...made, bytes }, wanted, byQuality),
      seconds: ((finishedAt - startedAt) / 1000) * factor,
      isOwn: record.template_id === wanted.template,
      isSameSize: width === wanted.width && height === wanted.height,
      isSameFile: factor === 1 && byQuality === 1,
    },
  ];
}

/** The bytes of a file that was made, as those of the one that is wanted. Sound stays as it is. */
function bytesOf(
  made: Drawn & { readonly bytes: number },
  wanted: WantedFile,
  byQuality: number,
): number {
  const sound = wanted.sounds ? formats[wanted.format].soundBytes : 0;
  const power = powers[wanted.format];
  const pixels = (wanted.width * wanted.height) / (made.width * made.height);
  const length = made.duration > 0 ? wanted.duration / made.duration : 1;
  const drawn = Math.max(made.bytes - sound * made.duration, made.bytes / 10);
  return (
    drawn *
      pixels ** power.pixels *
      length *
      (wanted.frameRate / made.frameRate) ** power.rate *
      byQuality +
    Math.min(sound * made.duration, made.bytes - drawn) * length
  );
}

/** By how much the wanted quality makes a file larger than that of a render. */
function qualityOf({ quality: made = '' }: WindowRender, { format, quality }: WantedFile): number {
  const property = formats[format].quality?.property;
  if (property === 'gif_quality')
    return (quality === 'best' ? bestColors : 1) / (made === 'best' ? bestColors : 1);
  if (property !== 'crf') return 1;
  const crfOf = (text: string): number => (text === '' ? crf.usual : Number(text));
  return 2 ** ((crfOf(made) - crfOf(quality)) / crf.doubles);
}

/** Pixels of all frames. */
function amount({ width, height, duration, frameRate }: Drawn): number {
  return width * height * (duration > 0 ? Math.max(1, duration * frameRate) : 1);
}

function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}
