/** Which rows of a long list exist in the page: only visible ones, so that thousands scroll like ten. Pure. */

/** A list as it is scrolled; lengths in pixels. */
export interface ScrolledList {
  readonly scrolled: number;
  readonly visibleHeight: number;
  /** Of one row with the gap to the next one. */
  readonly rowHeight: number;
  readonly rows: number;
  /** Rows drawn beyond the visible ones on each side, so that fast scrolling shows no gap. */
  readonly spare: number;
}

/**
 * Indexes of the rows to draw, in order. Wherever the list is scrolled, they are equally many, as far as it has so
 * many: elements that come and go cost the browser a new order of all layers, which takes longer than the rest of the
 * frame.
 *
 * @param kept The row with the focus: it is always drawn, or the focus would be lost. Where it is among the others,
 *   there is one more of them. -1: none.
 */
export function rowsToDraw(list: ScrolledList, kept: number): number[] {
  const { scrolled, visibleHeight, rowHeight, rows, spare } = list;
  const count = Math.min(rows, Math.ceil(visibleHeight / rowHeight) + 1 + 2 * spare);
  const first = Math.max(0, Math.min(Math.floor(scrolled / rowHeight) - spare, rows - count));
  const end = first + count;
  const indexes = Array.from({ length: count }, (_, place) => first + place);
  if (kept < 0 || kept >= rows) return indexes;
  if (kept < first) return [kept, ...indexes];
  if (kept >= end) return [...indexes, kept];
  if (end < rows) return [...indexes, end];
  return first > 0 ? [first - 1, ...indexes] : indexes;
}
