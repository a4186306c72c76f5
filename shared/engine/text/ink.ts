/**
 * How far the letters of lines reach beyond their line boxes and advances: descenders of tight lines, stacked accents,
 * slanted and swashed ends. Automatic size keeps them inside the box. Pure.
 */
import { lineExtent, type Line } from './lines.ts';
import type { MeasuredText } from './prepare.ts';

/** Pixels beyond each side, not negative. */
export interface Overhang {
  readonly above: number;
  readonly below: number;
  readonly left: number;
  readonly right: number;
}

/** The overhang of lines: above the first one, below the last one, beside the advance of any. */
export function overhangOf(lines: readonly Line[], measured: MeasuredText): Overhang {
  const sides = lines.map((line) => sidesOf(line, measured));
  return {
    above: Math.max(0, heightOf(lines[0], measured).above),
    below: Math.max(0, heightOf(lines.at(-1), measured).below),
    left: sides.reduce((most, { left }) => Math.max(most, left), 0),
    right: sides.reduce((most, { right }) => Math.max(most, right), 0),
  };
}

function heightOf(
  line: Line | undefined,
  measured: MeasuredText,
): { above: number; below: number } {
  const reach = { above: 0, below: 0 };
  if (!line) return reach;
  const extent = lineExtent(line, measured);
  for (const { text, style, word } of line.slices) {
    if (word < 0) continue;
    const ink = measured.inkOf(text, style);
    const rise = measured.styles[style]?.rise ?? 0;
    reach.above = Math.max(reach.above, ink.above + rise - extent.above);
    reach.below = Math.max(reach.below, ink.below - rise - extent.below);
  }
  return reach;
}

/** Beside the advance of one line, which begins and ends with what is read first and last. */
export function sidesOf(
  { slices, rightToLeft }: Line,
  measured: MeasuredText,
): { left: number; right: number } {
  const ends = [slices[0], slices.at(-1)];
  const [left, right] = rightToLeft ? ends.reverse() : ends;
  return {
    left: Math.max(0, left ? measured.inkOf(left.text, left.style).left : 0),
    right: Math.max(0, right ? measured.inkOf(right.text, right.style).right : 0),
  };
}
