/**
 * Automatic font size: the largest size between minimum and maximum at which a text fits its box, on a grid of
 * quarter pixels. A larger size never needs fewer lines, so binary search finds it.
 */
import { overhangOf, sidesOf } from './ink.ts';
import { breakLines, extentOfLines, lineExtent } from './lines.ts';
import type { MeasuredText } from './prepare.ts';

/** Step between the tried sizes, document pixels. */
const step = 0.25;
const tolerance = 0.01;

/** The box and the sizes allowed. */
export interface FitQuestion {
  /** Document pixels; Infinity = that side does not limit. */
  readonly width: number;
  readonly height: number;
  /** Lines may be broken between words. */
  readonly wrap: boolean;
  /** Font sizes in document pixels. The result is one of these or a multiple of 0.25 between them. */
  readonly minimum: number;
  readonly maximum: number;
}

/**
 * The font size that fits. If even the minimum is too large, it is the minimum: the text overflows instead of shrinking
 * further. A size does not fit if a word would have to break.
 *
 * @param reference The text measured at some font size, whose widths are scaled: they grow in proportion.
 * @param measureAt Measures the text at a font size; used for the result, so that it is right for the drawn widths
 * despite rounding.
 */
export function fitFontSize(
  question: FitQuestion,
  reference: { readonly size: number; readonly measured: MeasuredText },
  measureAt: (size: number) => MeasuredText,
): number {
  const { minimum, maximum } = question;
  if (!(maximum > minimum)) return minimum;
  const sizes = gridOf(minimum, maximum);
  const longest = widestWord(reference.measured);

  let low = 0; // the minimum is used even if it does not fit
  let high = sizes.count - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const scale = sizes.at(middle) / reference.size;
    if (fits(reference.measured, longest, scale, question)) low = middle;
    else high = middle - 1;
  }
  while (low > 0) {
    const measured = measureAt(sizes.at(low));
    if (fits(measured, widestWord(measured), 1, question)) {
      const share = inkShare(measured, question);
      if (share >= 1) break;
      low = Math.min(low, sizes.notAbove(sizes.at(low) * share) + 1);
    }
    low--;
  }
  return sizes.at(low);
}

/** minimum, the multiples of the step between, maximum. */
function gridOf(
  minimum: number,
  maximum: number,
): { count: number; at: (index: number) => number; notAbove: (size: number) => number } {
  const first = Math.floor(minimum / step) + 1;
  const last = Math.ceil(maximum / step) - 1;
  const between = Math.max(0, last - first + 1);
  return {
    count: between + 2,
    at(index) {
      if (index === 0) return minimum;
      return index > between ? maximum : (first + index - 1) * step;
    },
    notAbove: (size) => Math.min(between, Math.max(0, Math.floor(size / step) - first + 1)),
  };
}

/** By which factor the size would have to change for the ink to fit the box as well; 1 = it does. */
function inkShare(measured: MeasuredText, { width, height, wrap }: FitQuestion): number {
  const lines = breakLines(measured, wrap ? width : Infinity);
  const { above, below } = overhangOf(lines, measured);
  const tall = lines.reduce((sum, line) => {
    const extent = lineExtent(line, measured);
    return sum + extent.above + extent.below;
  }, above + below);
  const wide = lines.reduce((most, line) => {
    const { left, right } = sidesOf(line, measured);
    return Math.max(most, line.width + left + right);
  }, 0);
  const share = Math.min(width / wide, height / tall);
  return share >= 1 - tolerance / Math.max(wide, tall) ? 1 : share;
}

/** Does a measured text, scaled, fit the box? */
function fits(
  measured: MeasuredText,
  longest: number,
  scale: number,
  { width, height, wrap }: FitQuestion,
): boolean {
  const roomX = (width + tolerance) / scale;
  // Before breaking lines: a word that is too long must not break.
  if (wrap && longest > roomX) return false;
  // Lines are broken as layout will break them, at the width itself.
  const lines = extentOfLines(measured, wrap ? width / scale : Infinity);
  return lines.height * scale <= height + tolerance && (wrap || lines.width <= roomX);
}

/** The longest stretch that no line break may cut. */
function widestWord({ paragraphs }: MeasuredText): number {
  let widest = 0;
  for (const { chunks } of paragraphs)
    for (const { chunk, width, trailing } of chunks)
      if (chunk.kind === 'word') widest = Math.max(widest, width - trailing);
  return widest;
}
