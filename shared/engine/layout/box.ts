/**
 * The contract between layout and paint: every visible element at one moment, placed, with resolved values only.
 *
 * All lengths are document pixels; paint scales the whole canvas once. "Box space" has its origin at the box's top
 * left corner before transforms. A box of a static element keeps its `content` object between frames (same identity),
 * so that paint may cache drawings by it.
 */
import type { Color, Path } from '../compile/property-values.ts';
import type { TimelineElement } from '../compile/timeline.ts';
import type { Matrix, Rect } from '../geometry.ts';
import type { Homography, Point } from '../homography.ts';
import type { FontSpec } from '../text/measurer.ts';
import type { Look, Paint } from './paint-values.ts';

/** A stretch of text in one font and colour on one line. */
export interface TextRun {
  readonly text: string;
  /** Left edge and baseline, box space. */
  readonly x: number;
  readonly y: number;
  /** Advance width, letter spacing included. */
  readonly width: number;
  readonly font: FontSpec;
  /** Pixels added after every grapheme. */
  readonly letterSpacing: number;
  /** Colour of a `[color]` tag; null = the element's fill. */
  readonly color: Color | null;
  /** Set if the run reads from right to left; `x` is still its left edge. */
  readonly direction?: 'rtl';
  /** Set if the run is one emoji, which some sets draw as a picture. */
  readonly emoji?: true;
  /** Set if the run is letters of a word that is drawn letter by letter. */
  readonly around?: WordAround;
}

/** A word from which letters were cut; those around them give them their form, in script fonts. */
export interface WordAround {
  readonly text: string;
  /** Left edge of the word, box space. */
  readonly x: number;
  /** Which of its letters were cut: from `first` on, `count` of them, of `letters`. */
  readonly first: number;
  readonly count: number;
  readonly letters: number;
}

/** The part of a text that moves as one: the whole text, or a line, word or letter under a text animation. */
export interface TextPiece {
  readonly runs: readonly TextRun[];
  /** Ink-independent extent (advance × line box), box space; the frame of the piece's animation. */
  readonly bounds: Rect;
  /** Multiplied into the element's opacity. */
  readonly opacity: number;
  /** Applied in box space; null = identity. */
  readonly transform: Matrix | null;
  /** Only this part of box space shows; null = everything. */
  readonly clip: Rect | null;
}

/** A filled background behind lines of text, a closed path in box space. */
export interface TextBackground {
  readonly path: Path;
  readonly color: Color;
  readonly opacity: number;
  /** Only this part of box space shows; absent = everything. */
  readonly clip?: Rect;
}

/** Laid-out text. */
export interface TextContent {
  readonly kind: 'text';
  readonly backgrounds: readonly TextBackground[];
  /** True while the backgrounds of lines move and may overlap; together they are still one area. */
  readonly backgroundsMove?: boolean;
  readonly pieces: readonly TextPiece[];
  /** The bar of a typewriter's cursor, box space, painted like the letters; absent = none. */
  readonly cursor?: Rect;
}

/** A picture or a frame of a video, with where the whole picture lies in box space (it may exceed the box). */
export interface MediaContent {
  readonly kind: 'media';
  readonly media: 'image' | 'video';
  /** Key into Assets.media. */
  readonly source: string;
  /** Seconds in the file, for videos and animated pictures; 0 for still ones. */
  readonly mediaTime: number;
  /** Seconds of the file per second of the document, the step of a forward decoder. 0 for still pictures. */
  readonly mediaSpeed: number;
  /** Where the full picture is drawn. */
  readonly rect: Rect;
  /** Its clipping rectangle: the box without padding. */
  readonly window: Rect;
}

/** A shape; the path is in box space. */
export interface ShapeContent {
  readonly kind: 'shape';
  readonly path: Path;
}

/** A composition's children, in drawing order, in the composition's content space. */
export interface CompositionContent {
  readonly kind: 'composition';
  /** Box space → content space of the children is a shift by the padding. */
  readonly originX: number;
  readonly originY: number;
  readonly children: readonly Box[];
}

/** Takes an element out of its plane: bent first, in box space, then projected. bend.ts reads it. */
export interface Bend {
  /**
   * `quad`: the box seen in perspective; `surface`: a Bézier surface over the box, its control points row by row; null
   * = the box stays flat.
   */
  readonly warp:
    | { readonly kind: 'quad'; readonly map: Homography }
    | { readonly kind: 'surface'; readonly rows: readonly (readonly Point[])[] }
    | null;
  /** Box space → the parent's content space, position and all transforms included. */
  readonly projection: Homography;
}

/** What a box shows, by its kind. */
export type Content = TextContent | MediaContent | ShapeContent | CompositionContent;

/** One element at one moment, ready to be painted. */
export interface Box extends Look {
  readonly element: TimelineElement;
  readonly width: number;
  readonly height: number;
  /** Box space → the parent's content space; anchor, scale, skew, rotation and animations are all in it. */
  readonly transform: Matrix;
  /** `transform` without animations; absent while none acts. */
  readonly rest?: Matrix;
  /**
   * Set for elements rotated in 3D or warped: applies instead of `transform`, which then has the flat map.
   */
  readonly bend?: Bend;
  /** Moves the content inside the box (animations with `scope: element`); null = identity. */
  readonly contentTransform: Matrix | null;
  /** 0–1, of the element as a whole (a group's opacity, not its parts'). */
  readonly opacity: number;
  /** Further clips from animations (wipes), closed paths in box space; all apply. */
  readonly clipPaths: readonly Path[];
  readonly content: Content;
}

/** A frame: the whole document at one moment. */
export interface Frame {
  /** Document pixels. */
  readonly width: number;
  readonly height: number;
  /** Background of the output; null = transparent (black where the format has no alpha). */
  readonly fill: Paint | null;
  readonly boxes: readonly Box[];
}
