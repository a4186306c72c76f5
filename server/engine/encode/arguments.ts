/**
 * Argument lists for ffmpeg: pure functions from output settings to strings, so that every command can be read in a
 * test. Runs in the worker. No text of a document ever gets in: only numbers, words from this file, and our own paths.
 */
import type { OutputSettings } from '../../../shared/engine/compile/timeline.ts';
import type { Ffmpeg } from '../ffmpeg.ts';
import { frameTiming } from '../ffmpeg-builds.ts';
import { bareFrames, type FilmCoding, type SoundCoding } from './film-formats.ts';
import type { PixelArea } from './pixels.ts';
import { tagArguments, type FileTags } from './tags.ts';
import { soundRate } from './wav.ts';

/** Frames per second as a fraction, e.g. `[30000, 1001]`. */
export type Fraction = readonly [numerator: number, denominator: number];

/** Above this many bytes, a gif's frames are stored compressed between its two passes. */
const rawSpoolLimit = 256 * 1024 * 1024;

/**
 * The exact fraction behind a frame rate. Broadcast rates are written rounded (29.97, 23.976) and mean n × 1000/1001;
 * for everything else, the simplest fraction within a millionth.
 */
export function rateFraction(frameRate: number): Fraction {
  const nominal = Math.round(frameRate * 1.001);
  if (
    Math.abs(frameRate - Math.round(frameRate)) > 1e-9 &&
    Math.abs(frameRate - nominal / 1.001) < 0.005
  ) {
    return [nominal * 1000, 1001];
  }
  // Continued fraction: each step is the best approximation for its size of denominator.
  let [lastNumerator, lastDenominator, numerator, denominator] = [0, 1, 1, 0];
  let rest = frameRate;
  for (let step = 0; step < 20; step++) {
    const whole = Math.floor(rest);
    [lastNumerator, numerator] = [numerator, whole * numerator + lastNumerator];
    [lastDenominator, denominator] = [denominator, whole * denominator + lastDenominator];
    if (Math.abs(numerator / denominator - frameRate) <= frameRate * 1e-6) break;
    rest = 1 / (rest - whole);
  }
  return [numerator, denominator];
}

/** Raw frames on stdin. */
function rawInput(
  pixelFormat: 'yuv420p' | 'yuva420p' | 'rgba',
  { width, height, frameRate }: Pick<OutputSettings, 'width' | 'height' | 'frameRate'>,
): string[] {
  return [
    ...['-f', 'rawvideo', '-pixel_format', pixelFormat, '-video_size', `${width}x${height}`],
    ...['-framerate', rateFraction(frameRate).join('/')],
    // Whole frames are read at once; probing would only delay the first one.
    ...['-probesize', '32', '-analyzeduration', '0', '-protocol_whitelist', 'pipe'],
  ];
}

/** A file that we made ourselves, in a format that we name. */
function ownFile(format: string, filePath: string): string[] {
  return ['-protocol_whitelist', 'file,pipe', '-f', format, '-i', filePath];
}

/**
 * Where there are two inputs, ffmpeg reads each ahead on a thread of its own, eight packets by default: 25 MB of 1080p.
 * One is enough, as we keep frames ready as well.
 */
function shortQueue(soundPath: string | null): string[] {
  return soundPath === null ? [] : ['-thread_queue_size', '1'];
}

/** What BT.709, limited range is called on either side of the encoder; see pixels.ts. */
const colours = [
  '-color_range',
  'tv',
  '-colorspace',
  'bt709',
  '-color_primaries',
  'bt709',
  '-color_trc',
  'bt709',
];

/** Every film's sound format. */
const stereo = ['-ar', String(soundRate), '-ac', '2'];

/** No encoder names, dates or input tags in the file: the same frames give the same bytes. */
const repeatable = ['-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact'];

/** The files of a film to be made. */
export interface FilmFiles {
  /** A wav of soundRate, stereo, exactly as long as the frames; null = no audio stream. */
  readonly soundPath: string | null;
  /** The film. */
  readonly filePath: string;
  /** Written into it. Default: none. */
  readonly tags?: FileTags | null | undefined;
  /** As in `FilmCoding.video`. */
  readonly isPiece?: boolean | undefined;
}

/** Frames as the format takes them on stdin, and a sound file or none, to a film. */
export function filmArguments(
  ffmpeg: Ffmpeg,
  output: OutputSettings,
  coding: FilmCoding,
  files: FilmFiles,
): string[] {
  const { soundPath } = files;
  const form = coding.frames(output);
  return [
    ...['-loglevel', 'warning', ...(coding.before ?? [])],
    // Said of the frames as well: newer versions convert when frames and encoder disagree.
    ...(form === 'rgba' ? [] : colours),
    ...[...rawInput(form, output), ...shortQueue(soundPath), '-i', 'pipe:0'],
    ...(soundPath === null ? [] : ownFile('wav', soundPath)),
    ...['-map', '0:v:0', ...(soundPath === null ? [] : ['-map', '1:a:0'])],
    ...(coding.upload === undefined ? [] : ['-vf', coding.upload]),
    ...filmOutput(ffmpeg, output, coding, files),
  ];
}

/** How mapped frames and sound become a film. */
function filmOutput(
  ffmpeg: Ffmpeg,
  output: OutputSettings,
  coding: FilmCoding,
  { soundPath, filePath, tags = null, isPiece = false }: FilmFiles,
): string[] {
  return [
    ...frameTiming(ffmpeg, 'passthrough'),
    ...[...coding.video(output, isPiece), ...colours],
    ...(soundPath === null ? [] : [...coding.sound, ...stereo]),
    ...[...repeatable, '-flags:v', '+bitexact', '-flags:a', '+bitexact', ...tagArguments(tags)],
    ...[...coding.file, '-y', filePath],
  ];
}

/** A video with graphics over it; see [Note: One process]. */
export interface Overlay {
  /** The video as an input of ffmpeg, and filters that make of it frames of the output's size, one for each. */
  readonly input: readonly string[];
  readonly filters: readonly string[];
  /** As in `OverlayPlan`. */
  readonly changes: readonly number[];
  readonly area: PixelArea | null;
  readonly parts: readonly PixelArea[];
  /** Where the video's frames are written as well, as raw planes. Default: nowhere. */
  readonly groundPath?: string | undefined;
}

/** Raw planes in a file of ours, as an input. */
export function groundInput(output: OutputSettings, filePath: string): string[] {
  const { width, height, frameRate } = output;
  return [
    ...['-pixel_format', 'yuv420p', '-video_size', `${width}x${height}`],
    ...['-framerate', rateFraction(frameRate).join('/'), ...ownFile('rawvideo', filePath)],
  ];
}

/**
 * A video, its graphics as yuva420p on stdin (one picture of `area` for each change), and a sound file or none, to a
 * film. Says on stdout how many frames are done.
 */
export function overlayArguments(
  ffmpeg: Ffmpeg,
  output: OutputSettings,
  coding: FilmCoding,
  overlay: Overlay,
  files: FilmFiles,
): string[] {
  const { area, groundPath } = overlay;
  const { soundPath } = files;
  const { before = [], upload } = coding;
  const soundInput = area ? 2 : 1;
  const graph = overlayGraph(output, overlay);
  const [filters, film] =
    upload === undefined ? [graph, '[film]'] : [`${graph};[film]${upload}[there]`, '[there]'];
  return [
    ...['-loglevel', 'warning', '-progress', 'pipe:1', ...before, '-copyts', ...overlay.input],
    ...(area
      ? [
          ...colours,
          ...rawInput('yuva420p', { ...output, ...area }),
          '-thread_queue_size',
          '1',
          '-i',
          'pipe:0',
        ]
      : []),
    ...(soundPath === null ? [] : ownFile('wav', soundPath)),
    ...['-filter_complex', filters, '-map', film],
    ...(soundPath === null ? [] : ['-map', `${soundInput}:a:0`]),
    ...filmOutput(ffmpeg, output, coding, files),
    ...(groundPath === undefined
      ? []
      : [
          ...['-map', '[ground]', ...frameTiming(ffmpeg, 'passthrough')],
          ...['-c:v', 'rawvideo', '-f', 'rawvideo', '-y', groundPath],
        ]),
  ];
}

/** The filters from video and graphics to the film's frames. Pure. */
export function overlayGraph(
  { frameRate, frameCount }: Pick<OutputSettings, 'frameRate' | 'frameCount'>,
  { filters, changes, area, parts, groundPath }: Overlay,
): string {
  const [above, below] = rateFraction(frameRate);
  const clock = `settb=${below}/${above}`;
  const video = [
    ...filters,
    // Frames were counted in the file's time, which speed makes another; `fps` only tells the encoder the rate.
    ...[clock, 'setpts=N', `fps=${above}/${below}`],
    // After `fps`, which then sees no end: old versions say it in the file's time ([Note: The end of a slow video]).
    ...[`trim=end_frame=${frameCount}`, ...bareFrames],
  ];
  const [all, rest] = groundPath === undefined ? [[], ''] : [['split'], '[ground]'];
  if (!area) return `[0:V:0]${[...video, ...all].join(',')}[film]${rest}`;
  const pieces = parts.map((_, index) => index);
  const graphics = [clock, `setpts='${changeTimes(changes)}'`, `split=${parts.length}`];
  return [
    `[0:V:0]${[...video, ...all].join(',')}[under0]${rest}`,
    `[1:v:0]${graphics.join(',')}${pieces.map((index) => `[piece${index}]`).join('')}`,
    ...parts.map(({ left, top, width, height }, index) => {
      const [x, y] = [left - area.left, top - area.top];
      return `[piece${index}]crop=${width}:${height}:${x}:${y}[part${index}]`;
    }),
    ...parts.map(({ left, top }, index) => {
      const result = index === parts.length - 1 ? 'film' : `under${index + 1}`;
      return `[under${index}][part${index}]overlay=${left}:${top}:format=yuv420[${result}]`;
    }),
  ].join(';');
}

/** An expression for the frame at which picture N of the graphics appears: N, plus what is left out before it. */
export function changeTimes(changes: readonly number[]): string {
  const terms = changes.flatMap((change, index) => {
    const left = change - (changes[index - 1] ?? -1) - 1;
    return left === 0 ? [] : [`gte(N,${index})*${left}`];
  });
  return balancedSum(['N', ...terms]);
}

/** In brackets, half by half: ffmpeg computes a long sum by calls inside of calls. */
function balancedSum(terms: readonly string[]): string {
  if (terms.length <= 2) return terms.join('+');
  const half = Math.ceil(terms.length / 2);
  return `(${balancedSum(terms.slice(0, half))})+(${balancedSum(terms.slice(half))})`;
}

/** The sound of a file that we wrote, as 32-bit stereo samples on stdout. */
export function decodeSoundArguments(filePath: string, { demuxer }: SoundCoding): string[] {
  return [
    ...['-loglevel', 'error', '-vn', ...ownFile(demuxer, filePath), '-map', '0:a:0'],
    ...['-f', 'f32le', '-c:a', 'pcm_f32le', ...stereo, 'pipe:1'],
  ];
}

/**
 * Copies the frames of our film and adds the sound of another file.
 *
 * @param videoPath Null: no frames, a file of sound alone.
 * @param tags Of a file of sound alone.
 */
export function replaceSoundArguments(
  videoPath: string | null,
  soundPath: string,
  filePath: string,
  { demuxer, sound, file }: SoundCoding,
  tags: FileTags | null = null,
): string[] {
  return [
    ...['-loglevel', 'warning'],
    ...(videoPath === null ? [] : ownFile(demuxer, videoPath)),
    ...ownFile('wav', soundPath),
    // Titles and the like are in the first file; streams need no names.
    ...(videoPath === null
      ? ['-map', '0:a:0', '-map_metadata', '-1', ...tagArguments(tags)]
      : ['-map', '0:v:0', '-map', '1:a:0', '-map_metadata', '0', '-c:v', 'copy']),
    ...[...sound, ...stereo, '-fflags', '+bitexact', '-flags:a', '+bitexact'],
    ...[...file, '-y', filePath],
  ];
}

/**
 * Joins pieces of a film without coding anything again.
 *
 * @param listPath The pieces, as `pieceList` writes them.
 * @param soundPath The sound of the film, as `replaceSoundArguments` makes it alone; null: it has none.
 */
export function joinArguments(
  listPath: string,
  soundPath: string | null,
  filePath: string,
  { demuxer, file }: FilmCoding,
  tags: FileTags | null,
): string[] {
  return [
    ...['-loglevel', 'warning', '-protocol_whitelist', 'file,pipe'],
    ...['-f', 'concat', '-safe', '0', '-i', listPath],
    ...(soundPath === null ? [] : ownFile(demuxer, soundPath)),
    ...['-map', '0:v:0', ...(soundPath === null ? [] : ['-map', '1:a:0']), '-c', 'copy'],
    ...[...repeatable, ...tagArguments(tags), ...file, '-y', filePath],
  ];
}

/**
 * The text of a list of pieces. Times are in whole microseconds there; each is the difference of exact moments, so that
 * many of them don't drift.
 */
export function pieceList(
  pieces: readonly { readonly filePath: string; readonly first: number; readonly end: number }[],
  frameRate: number,
): string {
  const [above, below] = rateFraction(frameRate);
  const moment = (frame: number): number => Math.round((frame * below * 1e6) / above);
  return pieces
    .map(({ filePath, first, end }) => {
      const name = `file '${filePath.replaceAll("'", String.raw`'\''`)}'`;
      return `${name}\nduration ${moment(end) - moment(first)}us\n`;
    })
    .join('');
}

/** A wav of ours as a flac of 16 bits: half the bytes, and every browser plays it. */
export function flacArguments(soundPath: string, filePath: string): string[] {
  return [
    ...['-loglevel', 'warning', ...ownFile('wav', soundPath), '-map', '0:a:0'],
    ...['-c:a', 'flac', '-sample_fmt', 's16', '-compression_level', '3'],
    ...['-fflags', '+bitexact', '-flags:a', '+bitexact', '-f', 'flac', '-y', filePath],
  ];
}

/**
 * First pass of a gif: rgba frames on stdin to a palette for all of them and a lossless copy of the frames, because the
 * palette is known only after the last one.
 */
export function gifCollectArguments(
  ffmpeg: Ffmpeg,
  output: OutputSettings,
  spoolPath: string,
  palettePath: string,
): string[] {
  const raw = output.width * output.height * 4 * output.frameCount <= rawSpoolLimit;
  return [
    ...['-loglevel', 'warning', ...rawInput('rgba', output), '-i', 'pipe:0'],
    ...['-filter_complex', `[0:v]split[frames][seen];[seen]${paletteFilter(output)}[palette]`],
    ...['-map', '[frames]', ...frameTiming(ffmpeg, 'passthrough')],
    ...(raw ? ['-c:v', 'rawvideo', '-pix_fmt', 'rgba'] : ['-c:v', 'utvideo', '-pix_fmt', 'gbrap']),
    ...['-f', 'nut', '-y', spoolPath],
    ...['-map', '[palette]', '-frames:v', '1', '-c:v', 'png', '-f', 'image2', '-y', palettePath],
  ];
}

/**
 * Second pass of a gif: the frames again, with the palette.
 *
 * @param wholeFrames True writes every frame in full; else only the differences from the one before.
 */
export function gifWriteArguments(
  ffmpeg: Ffmpeg,
  output: OutputSettings,
  spoolPath: string,
  palettePath: string,
  filePath: string,
  wholeFrames: boolean,
): string[] {
  return [
    ...['-loglevel', 'warning', ...ownFile('nut', spoolPath), ...ownFile('png_pipe', palettePath)],
    ...['-lavfi', `[0:v][1:v]${ditherFilter(output)}`, ...frameTiming(ffmpeg, 'passthrough')],
    ...['-c:v', 'gif', ...(wholeFrames ? ['-gifflags', '-offsetting-transdiff'] : [])],
    ...[...repeatable, '-flags:v', '+bitexact'],
    ...['-loop', output.gifLoop ? '0' : '-1', '-f', 'gif', '-y', filePath],
  ];
}

/** rgba frames on stdin to an animated webp. */
export function webpArguments(ffmpeg: Ffmpeg, output: OutputSettings, filePath: string): string[] {
  // Its scale goes up, from 0 to 100: what looks like x264's 23 on the samples is 78.
  const quality = 90 - 2 * (output.crf - 17);
  return [
    // It warns of each conversion that we ask for.
    ...['-loglevel', 'error', ...rawInput('rgba', output), '-i', 'pipe:0'],
    ...frameTiming(ffmpeg, 'passthrough'),
    ...['-c:v', 'libwebp_anim', '-quality', String(quality), '-pix_fmt', 'bgra'],
    ...[...repeatable, '-flags:v', '+bitexact'],
    ...['-loop', output.gifLoop ? '0' : '1', '-f', 'webp', '-y', filePath],
  ];
}

/** rgba frames on stdin to pngs on stdout, one after the other. */
export function pngsArguments(ffmpeg: Ffmpeg, output: OutputSettings): string[] {
  return [
    ...['-loglevel', 'warning', ...rawInput('rgba', output), '-i', 'pipe:0'],
    ...frameTiming(ffmpeg, 'passthrough'),
    ...['-c:v', 'png', '-pred', 'mixed', '-pix_fmt', output.hasAlpha === true ? 'rgba' : 'rgb24'],
    ...[...repeatable, '-flags:v', '+bitexact', '-f', 'image2pipe', 'pipe:1'],
  ];
}

/** 0 = none to 1 = `gif_compression` 200. */
function compressionShare({ gifCompression }: OutputSettings): number {
  return Math.min(1, Math.max(0, gifCompression / 200));
}

/**
 * Compression is fewer colours: 256 at 0 down to 64 at 200. A gif's size depends on runs of equal pixels, and fewer
 * colours make longer runs. For the palette `best` weighs all pixels, `fast` those that move.
 */
function paletteFilter(output: OutputSettings): string {
  const colours = Math.round(256 * 2 ** (-2 * compressionShare(output)));
  return `palettegen=max_colors=${colours}:stats_mode=${output.gifQuality === 'best' ? 'full' : 'diff'}`;
}

/**
 * `fast`: an ordered pattern, which stays still and compresses well. `best`: error diffusion, smoother and much larger.
 */
function ditherFilter(output: OutputSettings): string {
  const dither =
    output.gifQuality === 'best'
      ? 'sierra2_4a'
      : // A higher scale is a weaker pattern, so it gets weaker as compression rises.
        `bayer:bayer_scale=${2 + Math.round(3 * compressionShare(output))}`;
  return `paletteuse=dither=${dither}:diff_mode=rectangle`;
}

/** How a stretch of a media file becomes samples. */
export interface SoundCut {
  /** Local file and the demuxer that reads it. */
  readonly path: string;
  readonly demuxer: string;
  /** Time stamp in the file that counts as its time 0; see `VideoPicture.start`. */
  readonly fileStart: number;
  /** Which of its sounds, from 0. */
  readonly track?: number;
  /** Seconds of the file, from that time on. */
  readonly start: number;
  readonly duration: number;
  /** 1 = as recorded; pitch is kept. */
  readonly speed: number;
}

/** From this time on seeking pays; before it, decoding from the beginning is quick and exact. */
const seekFrom = 30;
const seekMargin = 10;

/** A stretch of sound to a wav of 32-bit samples at soundRate, one or two channels; its first sample is `start`. */
export function soundArguments(cut: SoundCut, filePath: string): string[] {
  // Frames of mp3 and aac streams have no position: seeking would only guess.
  const seekable = !['mp3', 'aac', 'mpegts'].includes(cut.demuxer);
  const seek = seekable && cut.start > seekFrom ? Math.floor(cut.start - seekMargin) : 0;
  // ffmpeg moves a file's earliest time to 0. In Matroska that is Opus's priming, 7 inaudible ms, which would delay
  // everything.
  const keepTimes = cut.demuxer === 'matroska';
  const first = Math.round((cut.start - seek) * soundRate);
  const last = first + Math.round(cut.duration * soundRate);
  const filters = [
    // Fills a late beginning and gaps with silence, so that samples measure time.
    `aresample=${soundRate}:async=1:first_pts=${keepTimes ? Math.round((cut.fileStart + seek) * soundRate) : 0}`,
    // More than two channels are mixed down; mono stays mono, because ffmpeg would make it 3 dB quieter in stereo.
    'aformat=sample_fmts=flt:channel_layouts=stereo|mono',
    `atrim=start_sample=${first}:end_sample=${last}`,
    ...tempo(cut.speed),
  ];
  return [
    ...[
      '-loglevel',
      'error',
      ...(keepTimes ? ['-copyts'] : []),
      ...(seek === 0 ? [] : ['-ss', String(seek)]),
    ],
    ...[
      '-vn',
      '-sn',
      '-dn',
      ...ownFile(cut.demuxer, cut.path),
      '-map',
      `0:a:${cut.track ?? 0}`,
      '-af',
      filters.join(','),
    ],
    ...['-c:a', 'pcm_f32le', '-fflags', '+bitexact', '-f', 'wav', '-y', filePath],
  ];
}

/** A file's sound from its beginning, as bytes of one channel without a header. @param rate Of the bytes. */
export function sampleArguments(
  cut: Pick<SoundCut, 'path' | 'demuxer' | 'fileStart' | 'track'> & { readonly seconds: number },
  rate: number,
  filePath: string,
): string[] {
  const keepTimes = cut.demuxer === 'matroska';
  const first = keepTimes ? Math.round(cut.fileStart * rate) : 0;
  return [
    ...['-loglevel', 'error', ...(keepTimes ? ['-copyts'] : []), '-vn', '-sn', '-dn'],
    ...ownFile(cut.demuxer, cut.path),
    ...['-map', `0:a:${cut.track ?? 0}`, '-ac', '1', '-t', String(cut.seconds)],
    // Fills a late beginning and gaps with silence, so that samples measure time.
    ...['-af', `aresample=${rate}:async=1:first_pts=${first}`],
    ...['-c:a', 'pcm_u8', '-fflags', '+bitexact', '-f', 'u8', '-y', filePath],
  ];
}

/**
 * A wav of ours with its noise lowered, as another.
 *
 * @param level dB: below `floor` there is only noise; `reduction` is how much of it goes at most.
 */
export function denoiseArguments(
  soundPath: string,
  filePath: string,
  { floor, reduction }: { readonly floor: number; readonly reduction: number },
): string[] {
  // The filter keeps back the last samples, of which silence behind the sound is made.
  const filters = `apad=pad_len=${soundRate / 10},afftdn=nr=${reduction}:nf=${floor}`;
  return [
    ...['-loglevel', 'error', ...ownFile('wav', soundPath), '-af', filters],
    ...['-c:a', 'pcm_f32le', '-fflags', '+bitexact', '-f', 'wav', '-y', filePath],
  ];
}

/** Changes speed and keeps pitch. One filter of version 4.1 does 0.5 to 2, so more is a chain of equal steps. */
export function tempo(speed: number): string[] {
  if (speed === 1) return [];
  const steps = Math.max(1, Math.ceil(Math.abs(Math.log2(speed)) - 1e-9));
  return Array.from({ length: steps }, () => `atempo=${(speed ** (1 / steps)).toFixed(9)}`);
}

/** One picture of a film as planes, to stdout. @param number The frame's, from 0. */
export function planesArguments(filePath: string, number: number): string[] {
  return [
    ...['-loglevel', 'error', ...ownFile('mov', filePath)],
    ...['-vf', `select=eq(n\\,${number})`, '-frames:v', '1', '-pix_fmt', 'yuv420p'],
    ...['-f', 'rawvideo', 'pipe:1'],
  ];
}
