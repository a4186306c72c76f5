/** What a preview of a document shows: the picture, where its elements lie, and its clock. */
import type { Problem } from './renderscript/source.ts';

/** Longest side of a preview in pixels: by default, and when enlarged. */
export const previewSide = 960;
export const previewSideLimit = 1920;

/** The kind of a picture of the engine in base64: a png if partly transparent, else a jpg. */
export function pictureType(picture: string): 'image/png' | 'image/jpeg' {
  return picture.startsWith('iVBOR') ? 'image/png' : 'image/jpeg';
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
