/**
 * How text is measured. Layout and text only use this interface; paint/measure.ts implements it with the canvas, and
 * tests pass in one with easily computed widths.
 */

/** A font at a size. */
export interface FontSpec {
  /** A family as registered with the canvas; the measurer handles fallbacks. */
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

/**
 * How far the ink of a run reaches, document pixels: from the baseline, and beyond its advance; negative = stays
 * inside.
 */
export interface Ink {
  readonly above: number;
  readonly below: number;
  readonly left: number;
  readonly right: number;
}

/**
 * Measures single-font runs. Implementations cache; equal arguments give equal results, and results grow with the size.
 */
export interface Measurer {
  /** Advance width of `text` drawn as one run, letter spacing not counted. */
  width(text: string, font: FontSpec): number;
  metrics(font: FontSpec): FontMetrics;
  /** The ink of `text` drawn as one run. Left out: none. */
  ink?(text: string, font: FontSpec): Ink;
  /** True if a family is known to lack a character. Left out: none is. */
  lacks?(character: string, family: string): boolean;
  /** Families that draw what one lacks, in the order to try: first one that looks like it. Left out: none. */
  fallbacks?(family: string): readonly string[];
}
