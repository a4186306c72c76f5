/**
 * How each format of films and of sound is coded and put into its file, one row each; everything else about a format
 * is in its row in shared/renderscript/formats.ts. Runs in the worker. The arguments are pure data, so that commands
 * can be read in a test.
 */
import type { OutputSettings } from '../../../shared/engine/compile/timeline.ts';
import {
  formats,
  isFilm,
  isSound,
  otherCodec,
  type FilmFormat,
  type OutputFormat,
  type SoundFormat,
  type StillFormat,
  type VideoCodec,
  videoCodecs,
} from '../../../shared/renderscript/formats.ts';
import { RenderError } from '../../../shared/engine/errors.ts';
import type { Ffmpeg } from '../ffmpeg.ts';
import { can } from '../ffmpeg-builds.ts';
import { readMp4, type FilmStream } from './mp4-facts.ts';
import { readMp3, readWav } from './sound-facts.ts';
import { readWebm } from './webm-facts.ts';

/**
 * How frames come to an encoder. `yuv420p`: planes of BT.709, limited range, of opaque pictures, which several threads
 * or ffmpeg alone may make. `yuva420p`: the same with a plane of alpha, colours not multiplied by it. `rgba`: sRGB, not
 * multiplied either.
 */
export type FrameForm = 'yuv420p' | 'yuva420p' | 'rgba';

/** ffmpeg's arguments for the sound of one format, and how the finished file is read. */
export interface SoundCoding {
  /** The encoders of ffmpeg that it needs; that for sound only where there is some. */
  readonly needs: { readonly video?: string; readonly sound: string };
  /** Coding of 32-bit stereo samples. */
  readonly sound: readonly string[];
  /** The container. */
  readonly file: readonly string[];
  /** The demuxer that reads the container. */
  readonly demuxer: string;
  /** The streams of a finished file; null if it isn't complete. */
  readonly readStreams: (filePath: string) => Promise<readonly FilmStream[] | null>;
}

/** The same for a film. */
export interface FilmCoding extends SoundCoding {
  /** What it takes the frames as. */
  readonly frames: (output: OutputSettings) => FrameForm;
  readonly needs: { readonly video: string; readonly sound: string };
  /** Films of it may be made in pieces. */
  readonly isJoined: boolean;
  /** Arguments before all inputs. Default: none. */
  readonly before?: readonly string[];
  /** Filters after all others, between frames in memory and the encoder. Default: none. */
  readonly upload?: string;
  /**
   * Coding of frames in BT.709, limited range; colour options are separate. `isPiece`: of a piece that is joined with
   * others, which several computers make alike ([Note: Pieces]).
   */
  readonly video: (output: OutputSettings, isPiece?: boolean) => readonly string[];
}

/** Frames of the longest group of pictures: x264's own default. */
export const groupLength = 250;

/** Bits per second of sound. */
const soundBitrate = '192k';

/**
 * [Note: Pieces] What x264 decides by the cores and kind of a computer's processor, said for all: how many frames it
 * codes at once, on how many threads and how far it looks ahead, which of several equal routines it takes. And how its
 * groups of pictures are: closed, and none longer than `groupLength`, so that a piece of whole groups ends where one
 * would end anyway.
 */
const alike = [
  ...[
    'threads=4',
    'sliced-threads=0',
    'lookahead-threads=1',
    'rc-lookahead=10',
    'sync-lookahead=4',
  ],
  ...['cpu-independent=1', 'open-gop=0', `keyint=${groupLength}`],
].join(':');

/** More bits for what is nearly flat, and for its colours, so that dither stays ([Note: Bands] in compile/bands.ts). */
const smooth = 'aq-strength=1.5:chroma-qp-offset=-4';

/** From sRGB, with a colour of its own for each pixel until the format takes fewer. */
const toPlanes =
  'scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int+full_chroma_inp+bicubic';

/** Frames without anything that encoders would write into the file: shape of pixels, interlacing, other colours. */
export const bareFrames = [
  'setsar=0',
  'setfield=prog',
  'setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709',
];

/**
 * The quality of VP9 and AV1 that looks like one of x264, measured on the samples: their scale is wider, 0 to 63. AV1
 * looks at least as well from 20 on, with fewer bytes.
 * @param crf 17–51.
 */
function wideQuality(crf: number): number {
  return Math.min(63, Math.round(24 + ((crf - 17) * 39) / 34));
}

/**
 * Older versions have another default coder, which loses 2 dB of a loud tone. The three disabled tools replace parts
 * with noise, one side or a filtered wave: smaller at low rates, but they move peaks by up to 3 dB.
 */
const aac = [
  ...['-c:a', 'aac', '-b:a', soundBitrate],
  ...['-aac_coder', 'twoloop', '-aac_pns', '0', '-aac_is', '0', '-aac_tns', '0'],
];

export const filmFormats: Readonly<Record<FilmFormat, FilmCoding>> = {
  // ProRes: 10 bits, each frame by itself, for editing programs. Alpha is of 16 bits and straight, as they expect it.
  mov: {
    frames: () => 'rgba',
    needs: { video: 'prores_ks', sound: 'pcm_s24le' },
    isJoined: false,
    video: ({ hasAlpha = false }) => {
      const [profile, pixels] = hasAlpha ? ['4444', 'yuva444p10le'] : ['hq', 'yuv422p10le'];
      return [
        ...['-vf', [toPlanes, `format=${pixels}`, ...bareFrames].join(',')],
        ...['-c:v', 'prores_ks', '-profile:v', profile, '-vendor', 'apl0', '-pix_fmt', pixels],
        ...(hasAlpha ? ['-alpha_bits', '16'] : []),
      ];
    },
    sound: ['-c:a', 'pcm_s24le'],
    file: ['-movflags', '+faststart+write_colr', '-f', 'mov'],
    demuxer: 'mov',
    readStreams: readMp4,
  },
  webm: {
    frames: ({ hasAlpha = false }) => (hasAlpha ? 'yuva420p' : 'yuv420p'),
    needs: { video: 'libvpx-vp9', sound: 'libopus' },
    isJoined: false,
    // Threads and tiles as on any other computer, so that the bytes are the same.
    video: ({ crf, hasAlpha = false }) => [
      ...['-c:v', 'libvpx-vp9', '-b:v', '0', '-crf', String(wideQuality(crf))],
      ...['-deadline', 'good', '-cpu-used', '4', '-row-mt', '1', '-threads', '4'],
      ...['-tile-columns', '2', '-g', String(groupLength)],
      // Frames that are never shown have no alpha beside them.
      ...(hasAlpha ? ['-auto-alt-ref', '0', '-pix_fmt', 'yuva420p'] : ['-pix_fmt', 'yuv420p']),
    ],
    sound: ['-c:a', 'libopus', '-b:a', '160k'],
    file: ['-f', 'webm'],
    demuxer: 'matroska',
    readStreams: readWebm,
  },
  mp4: {
    frames: () => 'yuv420p',
    needs: { video: 'libx264', sound: 'aac' },
    isJoined: true,
    video: ({ crf, hasSlowGradients = false }, isPiece = false) => [
      ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', String(crf), '-pix_fmt', 'yuv420p'],
      // Chroma is averaged over 2 x 2 pixels, so it sits in their centre (1), not at their left edge (0, the default).
      ...[
        '-x264-params',
        ['chromaloc=1', ...(hasSlowGradients ? [smooth] : []), ...(isPiece ? [alike] : [])].join(
          ':',
        ),
      ],
      // x264 writes its version and settings, with the number of threads, into the first frame.
      ...['-bsf:v', 'filter_units=remove_types=6'],
    ],
    sound: aac,
    // The index comes first, so that a player can start before the file has fully arrived.
    file: ['-movflags', '+faststart+write_colr', '-f', 'mp4'],
    demuxer: 'mov',
    readStreams: readMp4,
  },
};

/**
 * The other codecs of an mp4. Their films are made whole: nobody has proved that pieces are joined to the same file.
 */
const otherCodecs: Readonly<
  Record<Exclude<VideoCodec, 'h264'>, Pick<FilmCoding, 'needs' | 'isJoined' | 'video'>>
> = {
  // As Apple's players call it: in a stream that they name differently, they see no film.
  hevc: {
    needs: { video: 'libx265', sound: 'aac' },
    isJoined: false,
    video: ({ crf, hasSlowGradients = false }) => [
      // Three steps more look like x264 on the samples, at three quarters to half of its bytes.
      ...['-c:v', 'libx265', '-preset', 'veryfast', '-crf', String(Math.min(51, crf + 3))],
      ...['-tag:v', 'hvc1', '-pix_fmt', 'yuv420p', '-x265-params'],
      [
        // The same on any computer; no note with version and settings in the first frame.
        ...['pools=4', 'frame-threads=2', `keyint=${groupLength}`, 'info=0', 'log-level=error'],
        'chromaloc=1',
        ...(hasSlowGradients ? ['aq-strength=1.5', 'cbqpoffs=-4', 'crqpoffs=-4'] : []),
      ].join(':'),
    ],
  },
  av1: {
    needs: { video: 'libsvtav1', sound: 'aac' },
    isJoined: false,
    video: ({ crf }) => [
      ...['-c:v', 'libsvtav1', '-preset', '10', '-crf', String(wideQuality(crf))],
      ...['-pix_fmt', 'yuv420p', '-g', String(groupLength), '-svtav1-params', 'lp=4'],
    ],
  },
};

/** How the films of a document are coded. */
export function filmCoding(output: {
  readonly format: FilmFormat;
  readonly videoCodec: VideoCodec;
}): FilmCoding {
  const { format, videoCodec } = output;
  const usual = filmFormats[format];
  const other = otherCodec(format, videoCodec);
  return other === null ? usual : { ...usual, ...otherCodecs[other] };
}

export const soundFormats: Readonly<Record<SoundFormat, SoundCoding>> = {
  mp3: {
    needs: { sound: 'libmp3lame' },
    sound: ['-c:a', 'libmp3lame', '-b:a', soundBitrate],
    // Windows reads titles of version 3 alone.
    file: ['-id3v2_version', '3', '-f', 'mp3'],
    demuxer: 'mp3',
    readStreams: readMp3,
  },
  wav: {
    needs: { sound: 'pcm_s16le' },
    sound: ['-c:a', 'pcm_s16le'],
    file: ['-f', 'wav'],
    demuxer: 'wav',
    readStreams: readWav,
  },
  m4a: {
    needs: { sound: 'aac' },
    sound: aac,
    file: ['-movflags', '+faststart', '-f', 'ipod'],
    demuxer: 'mov',
    readStreams: readMp4,
  },
};

/** What is made: a film of one of its codecs, frames without sound, or a sound. */
interface Made {
  readonly format: Exclude<OutputFormat, StillFormat>;
  /** Default: the usual one. */
  readonly videoCodec?: VideoCodec;
}

/** The encoders of ffmpeg for what has frames and no sound. */
const silentEncoders: Readonly<
  Record<Exclude<OutputFormat, StillFormat | FilmFormat | SoundFormat>, string>
> = { gif: 'gif', 'webp-animated': 'libwebp_anim', 'png-sequence': 'png' };

/** True if a film's frames are opaque planes: threads may paint them, over the planes of a video, or ffmpeg alone. */
export function isPlanar(output: OutputSettings): boolean {
  return isFilm(output.format) && filmFormats[output.format].frames(output) === 'yuv420p';
}

/** The encoders that an ffmpeg lacks for a file; none where that is not known. */
export function lackedEncoders(
  ffmpeg: Ffmpeg,
  { format, videoCodec = 'h264' }: Made,
  hasSound = true,
): string[] {
  const { video, sound } = isFilm(format)
    ? filmCoding({ format, videoCodec }).needs
    : isSound(format)
      ? { ...soundFormats[format].needs, video: undefined }
      : { video: silentEncoders[format], sound: undefined };
  const needed = [video, ...(hasSound ? [sound] : [])].filter((name) => name !== undefined);
  return needed.filter((name) => {
    const isOld = name === 'libsvtav1' && !can(ffmpeg, 'code AV1 with SVT as we ask for it');
    return isOld || ffmpeg.encoders?.has(name) === false;
  });
}

/**
 * Checks that an ffmpeg can make a file.
 *
 * @throws RenderError `encoder_lacks`, which says what to install; `limit_exceeded` if the codec takes no such sides.
 */
export function requireEncoders(
  ffmpeg: Ffmpeg,
  made: Made & { readonly width?: number; readonly height?: number },
  hasSound: boolean,
): void {
  const { format, videoCodec = 'h264', width = Infinity, height = Infinity } = made;
  const { leastSide } = videoCodecs[otherCodec(format, videoCodec) ?? 'h264'];
  if (Math.min(width, height) < leastSide) {
    const path = width < leastSide ? 'width' : 'height';
    const message = `Expected at least ${leastSide} pixels for the video_codec ${videoCodec}, found ${made[path]}. Make the file larger, or choose h264`;
    throw new RenderError('limit_exceeded', `Source error: ${path}: ${message}`, { path });
  }
  const missing = lackedEncoders(ffmpeg, made, hasSound);
  if (missing.length === 0) return;
  throw new RenderError(
    'encoder_lacks',
    `Render error: ${ffmpeg.path} can't make ${madeCalled(made)}: it lacks ${missing.join(' and ')}. Install a full build of ffmpeg, or choose its path in the settings`,
  );
}

/** `an mp4 of hevc`, `a webm`. */
function madeCalled({ format, videoCodec = 'h264' }: Made): string {
  const { called } = formats[format];
  const other = otherCodec(format, videoCodec);
  return other === null ? called : `${called} of ${other}`;
}
