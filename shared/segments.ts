/**
 * Graphemes and words of long texts. The engine's segmenter takes the square of a text's length, so long ones are walked
 * through in windows; what it finds is the same. Pure.
 */

/** UTF-16 units from which on a text is walked through in windows, and how long a window is at least. */
const longText = 4_000;
const windowLength = 1_000;

/** Every segment of a text in order, with the place where it begins. */
export function* segmentsIn(
  segmenter: Intl.Segmenter,
  text: string,
): Generator<{ readonly segment: string; readonly index: number }> {
  if (text.length <= longText) {
    yield* segmenter.segment(text);
    return;
  }
  let from = 0;
  let length = windowLength;
  while (from < text.length) {
    const end = Math.min(text.length, from + length);
    const found = Array.from(segmenter.segment(text.slice(from, end)));
    // What stands behind a window may belong to its last segment, and decide about the one before (`a.b` is one word).
    const settled = end === text.length ? found : found.slice(0, -2);
    for (const { segment, index } of settled) yield { segment, index: from + index };
    from += found[settled.length]?.index ?? end - from;
    // Segments without an end: the window grows until it holds them.
    length = settled.length === 0 ? 2 * length : windowLength;
  }
}
