/** A render's job, progress and result. Plain data except for the context. */
import type { HardwareFamily } from '../../shared/hardware.ts';
import type { Problem, Source } from '../../shared/renderscript/source.ts';
import type { AddressRule } from '../system/address-rule.ts';
import type { HiddenMedia } from '../system/media-folders.ts';
import type { AddedFont } from './assets/fonts/font-register.ts';
import type { Transcriber } from './assets/speech/recognisers.ts';
import type { Voices } from './assets/voices/voices.ts';
import type { FileFacts } from './encode/check.ts';
import type { MadeFrom } from './encode/tags.ts';

/** What to render, where to, and what it may touch. The worker's start message fits it. */
export interface RenderJob extends AddressRule {
  /** RenderScript after modifications. */
  readonly source: Source;
  readonly scaling: {
    renderScale?: number | undefined;
    maxWidth?: number | undefined;
    maxHeight?: number | undefined;
    largestSide?: number | undefined;
  };
  /** Seconds: draw only this moment as a picture (in the format that the ending of `outputPath` names). */
  readonly moment?: number | undefined;
  /** True: the moment of a format of pictures is that picture, without time. Default: what a film would show then. */
  readonly asPicture?: boolean;
  readonly outputPath: string;
  readonly snapshotPath: string;
  /** True: a sequence has a picture of its first frame there, if its document names no other moment. */
  readonly firstPicture?: boolean | undefined;
  /** Where its receipt goes; absent: none is made. */
  readonly receiptPath?: string | undefined;
  /** True: finish each element before the next, so that `onElement` is exact. Slower; the pixels are the same. */
  readonly closely?: boolean | undefined;
  /** The template of `source`, for the file's tags. */
  readonly madeFrom?: MadeFrom | undefined;
  /** Exists already; the caller removes it. */
  readonly workFolder: string;
  readonly cacheFolder: string;
  /** Bytes that it may take; absent = the usual limit. */
  readonly cacheLimit?: number | undefined;
  /** Bytes that kept pieces of films may take; 0 = none are kept. Default: `pieceLimits.kept`. */
  readonly piecesLimit?: number | undefined;
  /** One of several films of a template, which are cut more often, as they share pieces. */
  readonly isShared?: boolean | undefined;
  /** Cut as several workers cut it. */
  readonly isDivided?: boolean | undefined;
  /** How many threads paint a film; absent = as many as pay. */
  readonly paintingThreads?: number | undefined;
  readonly mediaFolders: readonly string[];
  /** Files in them that the document must not see; absent = none. */
  readonly hiddenMedia?: HiddenMedia | undefined;
  readonly fontFolder: string;
  /** Fonts that people added; absent = none. */
  readonly addedFonts?: readonly AddedFont[];
  readonly ffmpegPath?: string | undefined;
  /** The family of hardware whose encoders code an mp4; absent = software. */
  readonly encodeWith?: HardwareFamily | undefined;
  /** Who speaks texts; absent = no one. */
  readonly voices?: Voices | undefined;
  /** For texts that follow a recording; absent = none. */
  readonly transcriber?: Transcriber;
  readonly limits: { pictureMegapixels: number; mediaBytes: number };
}

/** How far a render is. */
export interface RenderProgress {
  readonly phase: 'waiting' | 'transcribing' | 'rendering' | 'finishing';
  /**
   * Frames written, and the total; files while waiting; while transcribing the number of the current recording, from 1,
   * and how many there are.
   */
  readonly frame: number;
  readonly frames: number;
  /** While transcribing: the share of all that is done, 0–1. */
  readonly share?: number;
  /** While waiting: bytes fetched, and the total once all sizes are known. */
  readonly bytes?: number;
  readonly bytesTotal?: number;
}

/** The result of a render. */
export interface RenderResult {
  /** Read from the finished file. */
  readonly facts: FileFacts;
  /** True when a separate snapshot was written. */
  readonly snapshot: boolean;
  readonly warnings: readonly Problem[];
  /** Seconds of a film that were kept from earlier renders. Absent: none. */
  readonly reused?: number;
  /** The encoder of hardware that made it: `h264_nvenc`. Absent: software. */
  readonly encoder?: string;
  /** The one that should have, and why it did not, in words. Absent: none. */
  readonly hardwareFault?: { readonly encoder: string; readonly reason: string };
}

/** What a render reports while it runs, and what can end it. */
export interface RenderContext {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: RenderProgress) => void;
  /** Called with the path of the element being read, laid out or drawn; null: none, or several. */
  readonly onElement?: (path: string | null) => void;
  /** Called with true while a painting thread stands still: nobody should hear of progress then. */
  readonly onQuiet?: (isQuiet: boolean) => void;
  /** Called with what the log should have, but no one needs to act on. */
  readonly onNote?: (text: string) => void;
  /** Called after every frame: true to send it to `onPicture`. Absent: never. */
  readonly wantsPicture?: () => boolean;
  /** Called with a small jpg of the last frame; also when a film fails. */
  readonly onPicture?: (jpg: Buffer) => void;
}
