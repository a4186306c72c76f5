/** Facts about an input file, found by probing. Shared by all phases; plain data. */
import type { MediaFacts } from '../api.ts';

/** What a media file is and contains, and what using it requires. */
export interface MediaInfo extends MediaFacts {
  /** Seconds that the file's header claims; set only if its content has another length, which is then `duration`. */
  readonly claimedDuration?: number;
  /** Which of its sounds is heard, from 0; absent: the first. */
  readonly soundTrack?: number;
  /** The code of its first sound where nobody can decode that. */
  readonly unreadSound?: string;
  /** What decoding a video needs to know; absent for other kinds. */
  readonly picture?: VideoPicture;
  /** Absent for everything but animated pictures (gif, webp, png, Lottie). */
  readonly animation?: AnimationTimes;
  /** Bytes per pixel that decoding a picture takes beside the picture itself; absent: none. */
  readonly held?: number;
  /** What can be changed in a Lottie animation; absent for everything else. */
  readonly parts?: LottieParts;
  /** The centre of a picture's subject; only determined if the document uses `smart_crop`. */
  readonly focus?: Focus;
}

/** What elements can change in a Lottie animation, as its file has it. */
export interface LottieParts {
  /** Words by the name of their layer. */
  readonly texts: Readonly<Record<string, string>>;
  /** `#rrggbb`, the most frequent first. */
  readonly colors: readonly string[];
}

/** A place in a picture, as shares of its width and height from the upper left corner. */
export interface Focus {
  readonly x: number;
  readonly y: number;
}

/** The times of an animated picture's frames. */
export interface AnimationTimes {
  /** Seconds at which each frame begins; the first is 0. The last one is shown up to `MediaInfo.duration`. */
  readonly starts: readonly number[];
  /** How often the file is played; null = for ever. */
  readonly plays: number | null;
  /** True if it has a picture for every moment, not only at `starts`. */
  readonly isSmooth?: true;
}

/** The number of the frame shown at a moment: the last one that has begun. Times are sums: see layout/clock.ts. */
export function frameAt(starts: readonly number[], time: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? Infinity) <= time + 1e-6) low = middle;
    else high = middle;
  }
  return low;
}

/** True for the output's own colours: standard range, BT.709 primaries. */
export function isStandard({ hdr, primaries }: VideoPicture): boolean {
  return hdr === undefined && primaries === undefined;
}

/** How the pictures of a video are coded. */
export interface VideoPicture {
  /** ffmpeg's word, e.g. `h264`. */
  readonly codec: string;
  /**
   * From the file's marks; unmarked files count as BT.709 from 720 lines on and as BT.601 below, as in players. `gray`:
   * luma alone, 16 to 235.
   */
  readonly matrix: 'bt709' | 'bt601' | 'bt2020' | 'rgb' | 'gray';
  /** True when black is 0 and white is 255, not 16 and 235. */
  readonly fullRange: boolean;
  /** Set for 8 bits with a colour for each block of 2 × 2 pixels. */
  readonly inBlocks?: true;
  /** Set for high dynamic range: its curve, PQ (SMPTE 2084) or HLG (ARIB B67). */
  readonly hdr?: 'pq' | 'hlg';
  /** Set if its red, green and blue are not those of BT.709: Display P3 or BT.2020. */
  readonly primaries?: 'p3' | 'bt2020';
  /** Time stamp in the file, seconds, that counts as its time 0: positive for cut-out recordings, else 0. */
  readonly start: number;
  /** Time stamp of the file's first packet; ffmpeg counts its seek positions from there. */
  readonly firstPacket: number;
}
