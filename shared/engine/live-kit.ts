/**
 * What a page is handed beside a document, to draw it by itself with the very files that a render would use. Plain data that
 * travels as JSON; files are numbers into a list that goes along with it.
 */
import type { MediaInfo } from './media-info.ts';
import type { Transcript } from './transcript.ts';

/** All of it, for one document and its words as they are now. */
export interface LiveKit {
  readonly media: readonly LiveMedia[];
  /** Addresses that could not be had: stand-in.ts has something for them. */
  readonly missing: readonly string[];
  /** Words of texts that follow speech, by the path of the text. */
  readonly transcripts: readonly (readonly [path: string, transcript: Transcript])[];
  readonly fonts: readonly LiveFont[];
  /** Files of one alias stand together, in the order in which the canvas is told of them: of what they share, the last gives it. */
  readonly faces: readonly LiveFace[];
  /** Emoji that are pictures: the others are glyphs of a font. */
  readonly emoji: readonly LiveEmoji[];
}

/** A file that the document names. */
export interface LiveMedia {
  /** As the document has it. */
  readonly source: string;
  readonly info: MediaInfo;
  /** Of vector pictures a large raster; null for sounds, which are not drawn. */
  readonly file: number | null;
}

/** How a font of the document is asked for in the canvas. */
export interface LiveFont {
  /** In lower case. */
  readonly family: string;
  readonly weight: number;
  readonly style: 'normal' | 'italic';
  /** The CSS font shorthand at a size of 1px, fallbacks included. */
  readonly css: string;
  /** The least and the largest weight that the font has, with all between them, which keyframes pass through. */
  readonly range: readonly [least: number, largest: number];
}

/** The picture of an emoji. */
export interface LiveEmoji {
  /** As `emojiKey` has it. */
  readonly key: string;
  /** A square png. */
  readonly file: number;
}

/** A font file, and the name under which the canvas has to know it. */
export interface LiveFace {
  /** The same name is the same files, whatever the document. */
  readonly alias: string;
  readonly style: 'normal' | 'italic';
  /** As CSS has it: `400`, or `100 900`. */
  readonly weight: string;
  readonly file: number;
}
