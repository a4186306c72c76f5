/**
 * What the editor asks of the server and is told by it: a picture of any moment of any source, the stored template with its
 * draft, saving. The window's private path only (`/api`, camelCase).
 */
import type { WindowTemplate } from './api.ts';
import type { JsonObject, Problem, Source } from './renderscript/source.ts';

/** Longest side of a preview in pixels: usually, and where it is looked at larger. */
export const previewSide = 960;
export const previewSideLimit = 1920;

/** The kind of a picture of the engine in base64: a png where something shows through, else a jpg. */
export function pictureType(picture: string): 'image/png' | 'image/jpeg' {
  return picture.startsWith('iVBOR') ? 'image/png' : 'image/jpeg';
}

/** Body of `POST /api/preview`. */
export interface PreviewRequest {
  /** Who asks: a newer question of the same one replaces the older. */
  readonly client: string;
  readonly source: Source;
  readonly modifications?: JsonObject;
  /** Seconds. */
  readonly time: number;
  /** Longest side in pixels, 16–960. Default 960. */
  readonly side?: number;
  /** Paths of elements to leave out, e.g. `elements[2]`. */
  readonly hidden?: readonly string[];
  /** True also asks for what the page needs to draw the document by itself. */
  readonly kit?: boolean;
}

/** What a page needs to draw a document by itself. */
export interface SentKit {
  /** A `LiveKit` (engine/live-kit.ts) as JSON. */
  readonly text: string;
  /** The files that it counts: each is `GET /api/preview/files/ID`. The same ID is the same file. */
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
   * The corners from the top left one clockwise, x and y by turns, as shares of the picture (0–1; beyond that outside of it).
   * What is turned has turned corners.
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
}

/** What a picture shows, and the document's clock. */
export interface PreviewFacts {
  /** Pixels of the picture. */
  readonly width: number;
  readonly height: number;
  /** Picture pixels for one pixel of the document. */
  readonly scale: number;
  /** The moment drawn: seconds, and the number of its frame from 0. */
  readonly time: number;
  readonly frame: number;
  readonly frameCount: number;
  readonly frameRate: number;
  /** Seconds; 0 for pictures. */
  readonly duration: number;
  readonly elements: readonly CompiledElement[];
  /** Where the elements that show at the moment lie, by their paths; what is drawn later lies over what is drawn before. */
  readonly outlines: Readonly<Record<string, Outline>>;
  /** What came up while drawing, e.g. files that are missing; those of the checker are not among them. */
  readonly warnings: readonly Problem[];
}

/** Answer of `POST /api/preview`. */
export type PreviewAnswer =
  /** `picture` is a `data:` address of a jpg, or of a png where something shows through. `problems` are the checker's, as a dry run has them. */
  | (PreviewFacts & {
      readonly state: 'drawn';
      readonly picture: string;
      readonly problems: readonly Problem[];
      readonly kit?: SentKit;
    })
  /** The document has errors. */
  | { readonly state: 'invalid'; readonly problems: readonly Problem[] }
  /** A newer question took its place. */
  | { readonly state: 'superseded' }
  /** This picture can't be drawn; `path` names the place in the document, when there is one. */
  | {
      readonly state: 'failed';
      readonly message: string;
      readonly path?: string | undefined;
      readonly problems: readonly Problem[];
    }
  /** The process that draws is gone; it comes back by itself (`restarting`) or has given up (`off`). */
  | { readonly state: 'restarting' | 'off'; readonly reason: string };

/** Answer of `POST /api/preview/sound`, whose body is that of `POST /api/preview` without a time. */
export type SoundAnswer =
  /** A flac of 48 kHz stereo at `/api/preview/sound/FILE`, as long as the frames or the longest that is made, in seconds. */
  | { readonly state: 'ready'; readonly file: string; readonly duration: number }
  /** Nothing of the document sounds. */
  | { readonly state: 'silent' }
  /** The document has errors. */
  | { readonly state: 'invalid'; readonly problems: readonly Problem[] }
  /** A newer question of the same asker took its place. */
  | { readonly state: 'superseded' }
  | { readonly state: 'failed'; readonly message: string };

/** Work that was not saved. */
export interface Draft {
  /** The JSON as typed, right or wrong. */
  readonly text: string;
  readonly name: string;
  readonly tags: readonly string[];
  /** `updatedAt` of the template that it began with. */
  readonly base: number;
  /** ms since 1970. */
  readonly savedAt: number;
}

/** Answer of `GET /api/editor/ID`. */
export interface OpenedTemplate {
  readonly template: WindowTemplate;
  readonly source: Source;
  readonly draft: Draft | null;
}

/** Body of `PUT /api/editor/ID`. */
export interface SaveRequest {
  readonly name: string;
  readonly tags: readonly string[];
  readonly source: Source;
  /** `updatedAt` of the template that was edited; null saves over whatever is there. */
  readonly base: number | null;
}

/** Answer of saving: what is stored now. With `conflict` nothing was saved, because someone else changed it. */
export interface SaveAnswer {
  readonly conflict: boolean;
  readonly template: WindowTemplate;
  readonly source: Source;
}
