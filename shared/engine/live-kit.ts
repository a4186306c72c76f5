/**
 * What a page gets beside a document, to draw it with exactly the files that a render would use. Plain JSON data; files
 * are indices into an accompanying list.
 */
import type { MediaInfo } from './media-info.ts';
import type { Transcript } from './transcript.ts';

/** The kit for one document and its current transcripts. */
export interface LiveKit {
  readonly media: readonly LiveMedia[];
  /** Tables of colours. */
  readonly luts: readonly Pick<LiveMedia, 'source' | 'file'>[];
  /** Samples of sounds that shapes show. */
  readonly samples: readonly Pick<LiveMedia, 'source' | 'file'>[];
  /** Addresses that could not be loaded; stand-in.ts replaces them. */
  readonly missing: readonly string[];
  /** Words of texts that follow speech, by the path of the text. */
  readonly transcripts: readonly (readonly [path: string, transcript: Transcript])[];
  readonly fonts: readonly LiveFont[];
  /** Files of one alias stand together, in order of registration: for characters that they share, the last one wins. */
  readonly faces: readonly LiveFace[];
  /** Emoji that are pictures: the others are glyphs of a font. */
  readonly emoji: readonly LiveEmoji[];
}

/** A file that the document names. */
export interface LiveMedia {
  /** As in the document. */
  readonly source: string;
  readonly info: MediaInfo;
  /** For vector pictures a large raster. */
  readonly file: number;
}

/** How the canvas requests a font of the document. */
export interface LiveFont {
  /** In lower case. */
  readonly family: string;
  readonly weight: number;
  readonly style: 'normal' | 'italic';
  /** The CSS font shorthand at a size of 1px, fallbacks included. */
  readonly css: string;
  /** The font's smallest and largest weight, with everything in between, for keyframes. */
  readonly range: readonly [least: number, largest: number];
  /** The characters of the document that it lacks, and the signs that can be set from figures. */
  readonly lacks: string;
  /** Families for words with such characters, in the order to try. */
  readonly fallbacks: readonly string[];
}

/** The picture of an emoji. */
export interface LiveEmoji {
  /** As returned by `emojiKey`. */
  readonly key: string;
  /** A square png. */
  readonly file: number;
}

/** A font file, and the name to register it under. */
export interface LiveFace {
  /** The same name always means the same files. */
  readonly alias: string;
  readonly style: 'normal' | 'italic';
  /** As in CSS: `400`, or `100 900`. */
  readonly weight: string;
  readonly file: number;
}
