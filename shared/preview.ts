/**
 * Requests of the editor and their answers: a picture of any moment of any source, the stored template with its draft,
 * saving. The window's private path only (`/api`, camelCase).
 */
import type { JsonObject, Problem, Source } from './renderscript/source.ts';

/** Longest side of a preview in pixels: by default, and when enlarged. */
export const previewSide = 960;
export const previewSideLimit = 1920;

/** The kind of a picture of the engine in base64: a png if partly transparent, else a jpg. */
export function pictureType(picture: string): 'image/png' | 'image/jpeg' {
  return picture.startsWith('iVBOR') ? 'image/png' : 'image/jpeg';
}

/** Body of `POST /api/preview`. */
export interface PreviewRequest {
  /** The client: its newer question replaces an older one. */
  readonly client: string;
  readonly source: Source;
  readonly modifications?: JsonObject;
  /** Seconds. */
  readonly time: number;
  /** Longest side in pixels, 16–960. Default 960. */
  readonly side?: number;
  /** Paths of elements to leave out, e.g. `elements[2]`. */
  readonly hidden?: readonly string[];
  /** True also requests what the page needs to draw the document itself. */
  readonly kit?: boolean;
}

/** What a page needs to draw a document itself. */
export interface SentKit {
  /** A `LiveKit` (engine/live-kit.ts) as JSON. */
  readonly text: string;
  /** Its files: each is `GET /api/preview/files/ID`. The same ID means the same file. */
  readonly files: readonly string[];
}

/** An element on the document's clock. */
export interface CompiledElement {
  /** Its place in the source, e.g. `elements[1].elements[0]`. */
  readonly path: string;
  readonly name: string;
  readonly type: string;
  readonly track: number;
  /** Seconds from the beginning of the document. */
  readonly start: number;
  readonly duration: number;
}

/** A flat piece of the picture. */
export interface Plane {
  /**
   * The corners from the top left one clockwise, x and y by turns, as shares of the picture (0–1; beyond that outside
   * of it). What is turned has turned corners.
   */
  readonly corners: readonly number[];
  /** Pixels of the document before scale, turns and animations. */
  readonly width: number;
  readonly height: number;
}

/** Where an element lies. */
export interface Outline extends Plane {
  /** Of a composition: what the places and percentages of its elements count of. */
  readonly inside?: Plane;
  /** Of an image or video: all of its picture, also what its box cuts off. */
  readonly picture?: Plane;
}

/** What a picture shows, and the document's clock. */
export interface PreviewFacts {
  /** Pixels of the picture. */
  readonly width: number;
  readonly height: number;
  /** Pixels of the document. The picture's sides are whole, so that its height may be off by a part of a pixel. */
  readonly documentWidth: number;
  readonly documentHeight: number;
  /** Picture pixels for one pixel of the document's width. */
  readonly scale: number;
  /** The moment drawn: seconds, and the number of its frame from 0. */
  readonly time: number;
  readonly frame: number;
  readonly frameCount: number;
  readonly frameRate: number;
  /** Seconds; 0 for pictures. */
  readonly duration: number;
  readonly elements: readonly CompiledElement[];
  /** Seconds of the files that play, by their `source`. */
  readonly lengths: Readonly<Record<string, number>>;
  /**
   * Where the elements that show at the moment lie, by their paths; what is drawn later lies over what is drawn before.
   */
  readonly outlines: Readonly<Record<string, Outline>>;
  /** Texts that are larger than their boxes or leave the picture at the moment. */
  readonly overflows: readonly Problem[];
  /** Warnings from drawing, e.g. about missing files; without those of the checker. */
  readonly warnings: readonly Problem[];
}

/** Answer of `POST /api/preview`. */
export type PreviewAnswer =
  /**
   * `picture` is a `data:` address of a jpg, or of a png if partly transparent. `problems` are the checker's, as in a
   * dry run.
   */
  | (PreviewFacts & {
      readonly state: 'drawn';
      readonly picture: string;
      readonly problems: readonly Problem[];
      readonly kit?: SentKit;
    })
  /** The document has errors. */
  | { readonly state: 'invalid'; readonly problems: readonly Problem[] }
  /** A newer question replaced it. */
  | { readonly state: 'superseded' }
  /** This picture can't be drawn; `path` names the place in the document, if there is one. */
  | {
      readonly state: 'failed';
      readonly message: string;
      readonly path?: string | undefined;
      readonly problems: readonly Problem[];
    }
  /** The drawing process is gone; it restarts automatically (`restarting`) or has given up (`off`). */
  | { readonly state: 'restarting' | 'off'; readonly reason: string };

/** Answer of `POST /api/preview/sound`, whose body is that of `POST /api/preview` without a time. */
export type SoundAnswer =
  /** A flac of 48 kHz stereo at `/api/preview/sound/FILE`, as long as the film or the longest allowed, in seconds. */
  | { readonly state: 'ready'; readonly file: string; readonly duration: number }
  /** The document is silent. */
  | { readonly state: 'silent' }
  /** The document has errors. */
  | { readonly state: 'invalid'; readonly problems: readonly Problem[] }
  /** A newer question of the same client replaced it. */
  | { readonly state: 'superseded' }
  | { readonly state: 'failed'; readonly message: string };

/** Transcribing has failed. */
export interface TranscriptFailure {
  readonly state: 'failed';
  /**
   * `recogniser`: it ended with words of its own, or can't be used. `late`: it took too long. `crash`: the process
   * around it ended. `fault`: anything else; the log has it. `lost`: no answer came; never sent.
   */
  readonly why: 'recogniser' | 'late' | 'crash' | 'fault' | 'lost';
  /** In English. */
  readonly message: string;
}

/** What the server says while it transcribes a recording for the editor; the last one is no `working`. */
export type TranscriptStep =
  | { readonly state: 'working'; /** 0–1. */ readonly share: number }
  | { readonly state: 'ready'; readonly words: number }
  /** No recogniser is set up. */
  | { readonly state: 'none' }
  | TranscriptFailure;
