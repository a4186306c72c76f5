/** Rows of a feed: the chosen ones, their problems, and what of them is sent. Pure. */
import type { RowProblem, WindowFeedRow } from '../../shared/api.ts';
import type { CellRange } from './cell-range.ts';

/** IDs of rows that are among others, in their order. */
export function rowsAmong(
  rows: readonly string[],
  others: readonly string[] = [],
): readonly string[] {
  const known = new Set(others);
  return rows.filter((id) => known.has(id));
}

/** IDs of rows without others, in their order. */
export function rowsWithout(
  rows: readonly string[],
  others: readonly string[] = [],
): readonly string[] {
  const known = new Set(others);
  return rows.filter((id) => !known.has(id));
}

/** A problem with the place of its row, from 0. */
export interface PlacedProblem extends RowProblem {
  readonly place: number;
}

/** The problems of some rows. @param all IDs of all rows, in their order @param meant IDs */
export function placedProblems(
  problems: readonly RowProblem[],
  all: readonly string[],
  meant: readonly string[],
): readonly PlacedProblem[] {
  const places = new Map(all.map((id, place) => [id, place]));
  const known = new Set(meant);
  return problems.flatMap((one) =>
    known.has(one.row) ? [{ ...one, place: places.get(one.row) ?? 0 }] : [],
  );
}

export function problemsByRow(
  problems: readonly RowProblem[],
): ReadonlyMap<string, readonly RowProblem[]> {
  const found = new Map<string, RowProblem[]>();
  for (const one of problems) {
    const same = found.get(one.row);
    if (same) same.push(one);
    else found.set(one.row, [one]);
  }
  return found;
}

/** Rows without the values of a range. @param columns IDs of its columns */
export function rowsCleared(
  rows: readonly WindowFeedRow[],
  { top, bottom }: CellRange,
  columns: readonly string[],
): readonly WindowFeedRow[] {
  const gone = new Set(columns);
  return rows.map((row, at) => {
    if (at < top || at > bottom) return row;
    const kept = Object.entries(row.values).filter(([id]) => !gone.has(id));
    return { id: row.id, values: Object.fromEntries(kept) };
  });
}

/** Rows, with only the IDs of unchanged ones: a table may have many megabytes. */
export function changedRows(
  rows: readonly WindowFeedRow[],
  kept: readonly WindowFeedRow[],
): readonly (WindowFeedRow | string)[] {
  const there = new Map(kept.map((row) => [row.id, row]));
  return rows.map((row) => (there.get(row.id) === row ? row.id : row));
}
