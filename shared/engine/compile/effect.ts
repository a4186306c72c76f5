/**
 * The small set of effects that animations can have on their element at one progress. Rows in animations.ts and
 * text-animations.ts return them; layout applies them to boxes and text pieces.
 */
import type { Matrix, Rect } from '../geometry.ts';
import type { Color, Path } from './property-values.ts';

/** Sizes that an effect may depend on, document pixels. */
export interface EffectFrame {
  /** The element's box. */
  readonly width: number;
  readonly height: number;
  /** The composition that contains it. */
  readonly parentWidth: number;
  readonly parentHeight: number;
  /** Box space → the parent's, without animations; absent for pieces of text. */
  readonly toParent?: Matrix;
}

/** A 3D rotation about a point of the box. The eye is in front of that point, at a distance derived from the box. */
export interface Turn {
  /** Degrees; positive as in CSS: x moves the upper edge away, y the right one. */
  readonly xDegrees: number;
  readonly yDegrees: number;
  /** Box space. */
  readonly x: number;
  readonly y: number;
  /** False = hidden while the back faces the eye. */
  readonly backfaceVisible: boolean;
}

/** A coat of paint over the element, within its outline: the outline, limited to `path`. */
export interface Cover {
  /** Closed, box space. */
  readonly path: Path;
  readonly color: Color;
}

/** What an element animation does. Absent members do nothing. */
export interface Effect {
  /** Multiplied into the opacity. */
  readonly opacity?: number;
  /** Pixels in the parent's space, added to the anchor's position. */
  readonly shiftX?: number;
  readonly shiftY?: number;
  /** Applied in box space around the element's own transform, for scaling and rotating the whole element. */
  readonly boxMatrix?: Matrix;
  /** Rotates the whole element in 3D, in place of `boxMatrix`. */
  readonly turn?: Turn;
  /** Applied to the content inside the box (`scope: element`). */
  readonly contentMatrix?: Matrix;
  /** Closed path in box space outside of which nothing shows. */
  readonly clip?: Path;
  /** Painted over the element; not cut by `clip`, but with the element's opacity and position. */
  readonly cover?: Cover;
  /**
   * Shows the element at these positions instead of its own, all clipped to its box: shifts in box space, pixels. An
   * empty list hides it.
   */
  readonly copies?: readonly (readonly [x: number, y: number])[];
}

/** What a text animation does to one piece. Absent members do nothing. */
export interface PieceEffect {
  readonly opacity?: number;
  /** Applied in box space. */
  readonly transform?: Matrix;
  readonly clip?: Rect;
  /** The effect on the background behind the piece; absent = unchanged. */
  readonly background?: BackgroundEffect;
}

/** What a text animation does to the background behind one piece. Absent members do nothing. */
export interface BackgroundEffect {
  readonly opacity?: number;
  /** The visible area, box space. */
  readonly area?: Rect;
  /** Moved by so many pixels, after `area`. */
  readonly shift?: readonly [x: number, y: number];
  /** Only this part of box space shows it. */
  readonly clip?: Rect;
}

/** A piece of text as a text animation sees it. */
export interface PieceFrame {
  /** 0-based place in reading order, and the total; `pieceEffect` applies the animation's own `order`. */
  readonly index: number;
  readonly count: number;
  /** The piece's own extent, box space. */
  readonly bounds: Rect;
  /** The extent of the whole text, box space. */
  readonly textBounds: Rect;
  /** The background behind the piece, padding included, box space; null = none. */
  readonly background: Rect | null;
  /** The same behind the whole text. */
  readonly textBackground?: Rect | null;
  readonly box: EffectFrame;
  /** Font size of the piece, pixels. */
  readonly fontSize: number;
}
