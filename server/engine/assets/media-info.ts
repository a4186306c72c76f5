/** Facts about an input file, as probing found them. Shared by all phases; plain data. */

/** What a media file is and holds. */
export interface MediaInfo {
  readonly kind: 'image' | 'video' | 'audio';
  /** Container or picture format found by content, e.g. `mp4`, `png`, `svg`, `gif`. */
  readonly format: string;
  /** Upright pixels (rotation marks applied); 0 for audio. */
  readonly width: number;
  readonly height: number;
  /** Seconds; 0 for still pictures. Animated gif and webp pictures have one though their kind is `image`. */
  readonly duration: number;
  /** Average frames per second of the picture; 0 when there is none. */
  readonly frameRate: number;
  readonly hasAudio: boolean;
  readonly hasAlpha: boolean;
  /** What decoding a video needs to know; absent for other kinds. */
  readonly picture?: VideoPicture;
}

/** How the pictures of a video are coded. */
export interface VideoPicture {
  /** ffmpeg's word, e.g. `h264`. */
  readonly codec: string;
  /** From the file's marks; unmarked files count as BT.709 from 720 lines on and as BT.601 below, as players do it. */
  readonly matrix: 'bt709' | 'bt601' | 'bt2020' | 'rgb';
  /** True when black is 0 and white is 255, not 16 and 235. */
  readonly fullRange: boolean;
  /** Time stamp in the file, seconds, that counts as its time 0: positive for cut-out recordings, else 0. */
  readonly start: number;
  /** Time stamp of the file's first packet; ffmpeg counts its seek positions from there. */
  readonly firstPacket: number;
}
