/**
 * How text is measured. Layout and text know this interface only; the canvas stands behind it in paint/measure.ts,
 * and tests hand in one whose widths can be worked out by hand.
 */

/** A font at a size. */
export interface FontSpec {
  /** A family as registered with the canvas; fallbacks are the measurer's business. */
  readonly family: string;
  /** 100–900. */
  readonly weight: number;
  readonly style: 'normal' | 'italic';
  /** Document pixels. */
  readonly size: number;
}

/** Vertical extents of a font, document pixels, both positive. */
export interface FontMetrics {
  readonly ascent: number;
  readonly descent: number;
}

/** Measures single-font runs. Implementations cache; equal questions get equal answers, and answers grow with the size. */
export interface Measurer {
  /** Advance width of `text` drawn as one run, letter spacing not counted. */
  width(text: string, font: FontSpec): number;
  metrics(font: FontSpec): FontMetrics;
}
