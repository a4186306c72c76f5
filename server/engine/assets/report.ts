/**
 * Phase 1: what ffmpeg reports about an input, read as data. Pure; the words have been the same from ffmpeg 4.1 to 8.
 */
import type { VideoPicture } from '../../../shared/engine/media-info.ts';

/** What a report says. */
export interface MediaReport {
  /** Seconds, rounded to hundredths by ffmpeg; null if unknown. */
  readonly duration: number | null;
  /** Time stamp of the first packet, seconds. */
  readonly start: number;
  readonly video: VideoReport | null;
  /** A sound that can be decoded. */
  readonly hasAudio: boolean;
  /** The first such, from 0 among all sounds; absent: the first. */
  readonly soundTrack?: number;
  /** The file's own code for the sound before it, or its only one, which nobody can decode. */
  readonly unreadSound?: string;
  /** Of all its sounds. */
  readonly sounds: readonly SoundFacts[];
}

/** What a header says of a sound. */
export interface SoundFacts {
  /** Samples per second. */
  readonly sampleRate: number;
  /** Null if it can't be told. */
  readonly channels: number | null;
}

/** A report's first moving picture (cover pictures of sound files are not one). */
export interface VideoReport extends Omit<VideoPicture, 'start' | 'firstPacket'> {
  /** Upright square pixels. */
  readonly width: number;
  readonly height: number;
  readonly frameRate: number;
  readonly hasAlpha: boolean;
  /** The file's own code for its codec; set only if ffmpeg does not know it. */
  readonly unknownCodec?: string;
}

/** Sounds that ffmpeg finds and has no decoder for. */
const undecodable: ReadonlySet<string> = new Set(['none', 'ac4']);

/** Reads the part of ffmpeg's stderr that describes its input. */
export function parseReport(text: string): MediaReport {
  const input = text.split(/^Output #0/m)[0] ?? '';
  const head = /Duration: (N\/A|(\d+):(\d+):([\d.]+))(?:, start: (-?[\d.]+))?/.exec(input);
  const duration =
    head?.[2] === undefined
      ? null
      : Number(head[2]) * 3600 + Number(head[3]) * 60 + Number(head[4]);
  // One part per stream, with the lines of its metadata and side data.
  const streams = input.split(/^\s*Stream #0:/m).slice(1);
  const video = streams.find(
    (part) => /^[^\n]*: Video: /.test(part) && !/^[^\n]*\(attached pic\)/.test(part),
  );
  const tracks = streams.flatMap((part) => {
    const [, codec, code] = /^[^\n]*: Audio: (\w+)(?: \(([^ )]+))?/.exec(part) ?? [];
    if (codec === undefined) return [];
    return [{ isRead: !undecodable.has(codec), code: code ?? codec }];
  });
  const soundTrack = Math.max(
    0,
    tracks.findIndex(({ isRead }) => isRead),
  );
  const unread = tracks.find(({ isRead }) => !isRead);
  return {
    duration,
    start: Number(head?.[5] ?? 0),
    video: video === undefined ? null : parseVideo(video),
    hasAudio: tracks.some(({ isRead }) => isRead),
    ...(soundTrack > 0 && { soundTrack }),
    ...(unread && tracks[0] === unread && { unreadSound: unread.code }),
    sounds: streams.flatMap(soundIn),
  };
}

/** `Audio: pcm_s16le, 44100 Hz, 24 channels, s16`; most layouts have names, and few channels. */
function soundIn(part: string): SoundFacts[] {
  const [, rate, channels] =
    /^[^\n]*: Audio: [^\n]*?, (\d+) Hz(?:, (\d+) channels)?/.exec(part) ?? [];
  if (rate === undefined) return [];
  return [{ sampleRate: Number(rate), channels: channels === undefined ? null : Number(channels) }];
}

function parseVideo(part: string): VideoReport | null {
  const line = part.split('\n')[0] ?? '';
  const codec = /: Video: ([\w-]+)/.exec(line)?.[1] ?? 'none';
  const unknownCodec = /: Video: none \(([^ )]+) /.exec(line)?.[1];
  const size = /[, ](\d+)x(\d+)(?=[, \n]|$)/.exec(line);
  if (!size) return null;
  const height = Number(size[2]);
  const shape = /SAR (\d+):(\d+)/.exec(line);
  const [across, down] = [Number(shape?.[1] ?? 1), Number(shape?.[2] ?? 1)];
  const width =
    across > 0 && down > 0 ? Math.round((Number(size[1]) * across) / down) : Number(size[1]);
  const lying =
    Math.abs(Math.round(Number(/rotation of (-?[\d.]+) degrees/.exec(part)?.[1] ?? 0) / 90)) % 2 ===
    1;

  const pixels = /, (\w+)(?:\(([^)]*)\))?, \d+x\d+/.exec(line);
  const marks = (pixels?.[2] ?? '').split(/, ?/);
  const colors = colorsOf(marks);
  const rate = /, ([\d.]+)(k?) fps/.exec(line) ?? /, ([\d.]+)(k?) tbr/.exec(line);
  return {
    codec,
    ...(unknownCodec !== undefined && { unknownCodec }),
    width: lying ? height : width,
    height: lying ? width : height,
    frameRate: rate ? standardRate(Number(rate[1]) * (rate[2] === 'k' ? 1000 : 1)) : 0,
    hasAlpha:
      /^(yuva|rgba|bgra|argb|abgr|gbrap|ya8|ya16|pal8)/.test(pixels?.[1] ?? '') ||
      /alpha_mode\s*: 1/.test(part),
    matrix:
      pixels?.[1] === 'gray' && marks.includes('tv')
        ? 'gray'
        : matrixOf(pixels?.[1] ?? '', colors, Number(size[2])),
    ...wideOf(colors),
    ...(/^(yuvj?420p|nv12|nv21)$/.test(pixels?.[1] ?? '') && { inBlocks: true as const }),
    fullRange: marks.includes('pc') || (pixels?.[1] ?? '').startsWith('yuvj'),
  };
}

/** Names of a picture's colours, as ffmpeg writes them: `bt709` for all three, or `bt709/smpte432/iec61966-2-1`. */
interface ColorNames {
  readonly matrix: string;
  readonly primaries: string;
  readonly curve: string;
}

function colorsOf(marks: readonly string[]): ColorNames {
  const names = marks.find((mark) => mark.includes('/')) ?? marks.find((mark) => mark in matrices);
  const [matrix = '', primaries = matrix, curve = matrix] = names?.split('/') ?? [];
  return { matrix, primaries, curve };
}

/** Matrices by the names of matrix or primaries. */
const matrices: Readonly<Record<string, VideoPicture['matrix']>> = {
  bt709: 'bt709',
  smpte170m: 'bt601',
  bt470bg: 'bt601',
  fcc: 'bt601',
  bt2020: 'bt2020',
  bt2020nc: 'bt2020',
  bt2020c: 'bt2020',
};

function matrixOf(
  pixelFormat: string,
  { matrix, primaries, curve }: ColorNames,
  height: number,
): VideoPicture['matrix'] {
  if (/^(rgb|bgr|gbr|argb|abgr|0rgb|0bgr|pal8|gray|ya)/.test(pixelFormat)) return 'rgb';
  const unmarked = height >= 720 ? 'bt709' : 'bt601';
  return matrices[matrix] ?? matrices[primaries] ?? matrices[curve] ?? unmarked;
}

const widePrimaries: Readonly<Record<string, VideoPicture['primaries']>> = {
  smpte431: 'p3',
  smpte432: 'p3',
  bt2020: 'bt2020',
};
const hdrCurves: Readonly<Record<string, VideoPicture['hdr']>> = {
  smpte2084: 'pq',
  'arib-std-b67': 'hlg',
};

/**
 * HDR files declare their curve; without it they can't be recognised. Their primaries are BT.2020's unless they say
 * others.
 */
function wideOf({ primaries: name, curve }: ColorNames): Pick<VideoPicture, 'hdr' | 'primaries'> {
  const hdr = hdrCurves[curve];
  const primaries =
    widePrimaries[name] ?? (hdr && matrices[name] === undefined ? 'bt2020' : undefined);
  return { ...(hdr && { hdr }), ...(primaries && { primaries }) };
}

/** The standard rate behind a measured or rounded one: 29.97 is 30000/1001, 30.003 is 30. */
export function standardRate(rate: number): number {
  const whole = Math.round(rate);
  const candidates = [whole, (whole * 1000) / 1001];
  return (
    candidates.find(
      (candidate) => candidate > 0 && Math.abs(candidate - rate) / candidate < 0.0005,
    ) ?? rate
  );
}
