/** What a render is asked for, what it tells while it runs, and what comes of it. Plain data but for the context. */
import type { Problem, Source } from '../../shared/renderscript/source.ts';
import type { AddressRule } from '../system/address-rule.ts';
import type { Transcriber } from './assets/speech/transcribe.ts';
import type { FileFacts } from './encode/check.ts';
import type { MadeFrom } from './encode/tags.ts';

/** What to render, where to, and what it may touch. The worker's start message fits it. */
export interface RenderJob extends AddressRule {
  /** RenderScript after modifications. */
  readonly source: Source;
  readonly scaling: { renderScale?: number; maxWidth?: number; maxHeight?: number };
  /** Seconds: draw this moment alone as a picture (png or jpg by the ending of `outputPath`). */
  readonly moment?: number;
  readonly outputPath: string;
  readonly snapshotPath: string;
  /** True: each element is finished before the next is begun, so that `onElement` is exact. Slower; the pixels are the same. */
  readonly closely?: boolean;
  /** The template that `source` came from, which the file then names. */
  readonly madeFrom?: MadeFrom;
  /** Exists already; the caller removes it. */
  readonly workFolder: string;
  readonly cacheFolder: string;
  readonly mediaFolders: readonly string[];
  readonly fontFolder: string;
  readonly ffmpegPath?: string;
  /** For texts that follow a recording; absent = there is none. */
  readonly transcriber?: Transcriber;
  readonly limits: { pictureMegapixels: number; mediaBytes: number };
}

/** How far a render is. */
export interface RenderProgress {
  readonly phase: 'waiting' | 'transcribing' | 'rendering' | 'finishing';
  /**
   * Frames written, and frames in all; files while waiting; while transcribing the number of the recording that is being
   * transcribed, from 1, and how many are to be.
   */
  readonly frame: number;
  readonly frames: number;
  /** While transcribing: how much of all of it is done, 0–1. */
  readonly share?: number;
  /** While waiting: bytes fetched, and bytes in all as soon as the sizes of all files are known. */
  readonly bytes?: number;
  readonly bytesTotal?: number;
}

/** What came of it. */
export interface RenderResult {
  /** Read from the finished file. */
  readonly facts: FileFacts;
  /** True when a separate snapshot was written. */
  readonly snapshot: boolean;
  readonly warnings: readonly Problem[];
}

/** What a render tells while it runs, and what can end it. */
export interface RenderContext {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: RenderProgress) => void;
  /** The path of the element that is read, laid out or drawn from now on; null: none, or several at a time. */
  readonly onElement?: (path: string | null) => void;
  /** Asked after every frame: true when `onPicture` is to be given it. Absent: nobody looks. */
  readonly wantsPicture?: () => boolean;
  /** A small jpg of the frame drawn last; unasked when a film fails. */
  readonly onPicture?: (jpg: Buffer) => void;
}
