/**
 * Graphemes and words of long texts. JavaScript's segmenter is quadratic in a text's length, so long texts are
 * processed in windows, with the same result. Pure.
 */

/** From so many UTF-16 units on a text is processed in windows, at least this long. */
const longText = 4_000;
const windowLength = 1_000;

/** Every segment of a text in order, with its start. */
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
    // Text after a window may belong to its last segment, and affect the one before (`a.b` is one word).
    const settled = end === text.length ? found : found.slice(0, -2);
    for (const { segment, index } of settled) yield { segment, index: from + index };
    from += found[settled.length]?.index ?? end - from;
    // A segment longer than the window: grow the window.
    length = settled.length === 0 ? 2 * length : windowLength;
  }
}
