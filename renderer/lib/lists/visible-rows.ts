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
 * Indexes of the rows to draw, in order.
 * @param kept The row with the focus: it is always drawn, or the focus would be lost.
 */
export function rowsToDraw(list: ScrolledList, kept: number): number[] {
  const { scrolled, visibleHeight, rowHeight, rows, spare } = list;
  const first = Math.max(0, Math.floor(scrolled / rowHeight) - spare);
  const end = Math.min(rows, Math.ceil((scrolled + visibleHeight) / rowHeight) + spare);
  const indexes = Array.from({ length: Math.max(0, end - first) }, (_, place) => first + place);
  if (kept < 0 || kept >= rows || (kept >= first && kept < end)) return indexes;
  return kept < first ? [kept, ...indexes] : [...indexes, kept];
}
