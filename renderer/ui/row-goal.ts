/** Where navigation keys lead in a list. Pure. */
import type { FixedKeyId } from '../../shared/commands.ts';

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
