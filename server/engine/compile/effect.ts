/**
 * The small set of means with which animations draw: what one animation does to its element at one progress.
 * Rows in animations.ts and text-animations.ts give these; layout folds them into boxes and text pieces.
 */
import type { Matrix, Rect } from '../geometry.ts';
import type { Path } from './timeline.ts';

/** Sizes that an effect may depend on, document pixels. */
export interface EffectFrame {
  /** The element's box. */
  readonly width: number;
  readonly height: number;
  /** The composition that holds it. */
  readonly parentWidth: number;
  readonly parentHeight: number;
}

/** What an element animation does. Absent members do nothing. */
export interface Effect {
  /** Multiplied into the opacity. */
  readonly opacity?: number;
  /** Pixels in the parent's space, added to the place of the anchor. */
  readonly shiftX?: number;
  readonly shiftY?: number;
  /** Applied in box space around the element's own transform: scaling and turning the whole element. */
  readonly boxMatrix?: Matrix;
  /** Applied to the content inside the box (`scope: element`). */
  readonly contentMatrix?: Matrix;
  /** Closed path in box space outside of which nothing shows. */
  readonly clip?: Path;
}

/** What a text animation does to one piece. Absent members do nothing. */
export interface PieceEffect {
  readonly opacity?: number;
  /** Applied in box space. */
  readonly transform?: Matrix;
  readonly clip?: Rect;
}

/** A piece of text as a text animation sees it. */
export interface PieceFrame {
  /** 0-based place in reading order, and how many there are; `pieceEffect` applies the animation's own `order`. */
  readonly index: number;
  readonly count: number;
  /** The piece's own extent, box space. */
  readonly bounds: Rect;
  /** The extent of the whole text, box space. */
  readonly textBounds: Rect;
  readonly box: EffectFrame;
  /** Font size of the piece, pixels. */
  readonly fontSize: number;
}
