/**
 * How each film format is coded and put into its file, one row each; everything else about a format is in its row in
 * shared/renderscript/formats.ts. Runs in the worker. The arguments are pure data, so that commands can be read in a
 * test.
 */
import type { OutputSettings } from '../../../shared/engine/compile/timeline.ts';
import type { FilmFormat } from '../../../shared/renderscript/formats.ts';
import { readMp4, type FilmStream } from './mp4-facts.ts';

/** ffmpeg's arguments for one format, and how the finished file is read. */
export interface FilmCoding {
  /**
   * Coding of yuv420p frames in BT.709, limited range; colour options are separate. `isPiece`: of a piece that is
   * joined with others, which several computers make alike ([Note: Pieces]).
   */
  readonly video: (output: OutputSettings, isPiece?: boolean) => readonly string[];
  /** Coding of 32-bit stereo samples. */
  readonly sound: readonly string[];
  /** The container. */
  readonly file: readonly string[];
  /** The demuxer that reads the container. */
  readonly demuxer: string;
  /** The streams of a finished file; null if it isn't complete. */
  readonly readStreams: (filePath: string) => Promise<readonly FilmStream[] | null>;
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

export const filmFormats: Readonly<Record<FilmFormat, FilmCoding>> = {
  mp4: {
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
    // Older versions have another default coder, which loses 2 dB of a loud tone. The three disabled tools replace
    // parts with noise, one side or a filtered wave: smaller at low rates, but they move peaks by up to 3 dB.
    sound: [
      ...['-c:a', 'aac', '-b:a', soundBitrate],
      ...['-aac_coder', 'twoloop', '-aac_pns', '0', '-aac_is', '0', '-aac_tns', '0'],
    ],
    // The index comes first, so that a player can start before the file has fully arrived.
    file: ['-movflags', '+faststart+write_colr', '-f', 'mp4'],
    demuxer: 'mov',
    readStreams: readMp4,
  },
};
