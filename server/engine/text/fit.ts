/**
 * Automatic font size: the largest size between minimum and maximum at which a text fits its box, on a grid of
 * quarter pixels. Line breaking never gives fewer lines at a larger size, so halving the range finds it.
 */
import { breakLines, linesHeight } from './lines.ts';
import type { MeasuredText } from './prepare.ts';

/** Distance of the sizes tried, document pixels. */
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
 * The font size that fits. When even the minimum is too large it is the minimum: the text overflows rather than shrink
 * further. A size does not fit if a word would have to be broken.
 *
 * @param measureAt Measures the text at a font size. Called for one size first, whose widths are scaled to narrow the
 * range down, then for the sizes around the answer, so that the result holds for the widths that are drawn.
 */
export function fitFontSize(
  question: FitQuestion,
  measureAt: (size: number) => MeasuredText,
): number {
  const { minimum, maximum } = question;
  if (!(maximum > minimum)) return minimum;
  const sizes = gridOf(minimum, maximum);
  const reference = Math.min(maximum, 100);
  const measured = measureAt(reference);
  const fitsScaled = (size: number): boolean => fits(measured, size / reference, question);
  const fitsMeasured = (size: number): boolean => fits(measureAt(size), 1, question);

  let low = 0; // the minimum is taken whether it fits or not
  let high = sizes.count - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fitsScaled(sizes.at(middle))) low = middle;
    else high = middle - 1;
  }
  // Glyph widths do not have to grow exactly with the size: settle the last steps with real measurements.
  while (low > 0 && !fitsMeasured(sizes.at(low))) low--;
  while (low + 1 < sizes.count && fitsMeasured(sizes.at(low + 1))) low++;
  return sizes.at(low);
}

/** minimum, the multiples of the step between, maximum. */
function gridOf(
  minimum: number,
  maximum: number,
): { count: number; at: (index: number) => number } {
  const first = Math.floor(minimum / step) + 1;
  const last = Math.ceil(maximum / step) - 1;
  const between = Math.max(0, last - first + 1);
  return {
    count: between + 2,
    at(index) {
      if (index === 0) return minimum;
      return index > between ? maximum : (first + index - 1) * step;
    },
  };
}

/** Does a measured text, scaled, fit the box? */
function fits(
  measured: MeasuredText,
  scale: number,
  { width, height, wrap }: FitQuestion,
): boolean {
  const roomX = (width + tolerance) / scale;
  if (wrap && !wordsFit(measured, roomX)) return false;
  const lines = breakLines(measured, wrap ? roomX : Infinity);
  if (linesHeight(lines, measured) * scale > height + tolerance) return false;
  return wrap || lines.every((line) => line.width <= roomX);
}

/** Asked before lines are broken: breaking a word that is too long costs more than anything else here. */
function wordsFit({ paragraphs }: MeasuredText, room: number): boolean {
  return paragraphs.every(({ chunks }) =>
    chunks.every(
      ({ chunk, width, trailing }) => chunk.kind === 'space' || width - trailing <= room,
    ),
  );
}
