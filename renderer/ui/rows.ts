/** Rows of a long list: which exist in the page, whose elements they take, and where keys lead. Pure. */
import type { FixedKeyId } from '../../shared/commands.ts';

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

/** Remembers which row has which place between drawings. */
export class Slots {
  #taken = new Map<string, number>();

  /**
   * Gives each row a place. Rows keep the place they had; the others get free places, then new ones.
   * @param ids All that are drawn, each once.
   * @returns the places, in the order of the IDs
   */
  assign(ids: readonly string[]): readonly number[] {
    const next = new Map<string, number>();
    for (const id of ids) {
      const kept = this.#taken.get(id);
      if (kept !== undefined) next.set(id, kept);
    }
    const used = new Set(next.values());
    let free = 0;
    for (const id of ids) {
      if (next.has(id)) continue;
      while (used.has(free)) free += 1;
      used.add(free);
      next.set(id, free);
    }
    this.#taken = next;
    return ids.map((id) => next.get(id) ?? 0);
  }
}

/**
 * The index that a key leads to; undefined for other keys. A page stops at the ends; one row up or down may lead out of
 * the list: the caller decides what that means.
 *
 * @param index Of the row with the focus.
 * @param count Rows of the list.
 * @param page Rows that PageUp and PageDown skip.
 */
export function rowGoal(
  pressed: FixedKeyId | undefined,
  index: number,
  count: number,
  page = 10,
): number | undefined {
  switch (pressed) {
    case 'row-up':
      return index - 1;
    case 'row-down':
      return index + 1;
    case 'row-first':
      return 0;
    case 'row-last':
      return count - 1;
    case 'page-up':
      return Math.max(0, index - page);
    case 'page-down':
      return Math.min(count - 1, index + page);
    default:
      return undefined;
  }
}
