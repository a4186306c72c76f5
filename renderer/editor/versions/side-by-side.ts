/**
 * The difference of two texts as rows with an old and a new side, equal stretches cut to what surrounds a change. Pure.
 */
import { difference } from './difference.ts';

/** A line of one side, with its number from 1. */
export interface SideLine {
  readonly number: number;
  readonly text: string;
}

/** One row: a pair of lines, either of which may be missing; or, with `skipped`, so many equal lines. */
export interface SideRow {
  readonly before: SideLine | null;
  readonly after: SideLine | null;
  readonly changed: boolean;
  readonly skipped: number;
}

/** Rows that are shown at most: more can't be read, and would hold up the page. */
export const mostRows = 2_000;
/** Equal lines to show around a change. */
const around = 3;

/**
 * The rows, in order.
 *
 * @returns `rest`: how many more rows there would be. No rows when the texts are the same.
 */
export function sideBySide(
  before: string,
  after: string,
): { readonly rows: readonly SideRow[]; readonly rest: number } {
  if (before === after) return { rows: [], rest: 0 };
  const rows: SideRow[] = [];
  let [left, right] = [0, 0];
  const stretches = difference(before, after);
  for (let index = 0; index < stretches.length; index += 1) {
    const stretch = stretches[index];
    if (!stretch) continue;
    if (stretch.kind === 'same') {
      const ends = { first: index === 0, last: index === stretches.length - 1 };
      rows.push(...equalRows(stretch.lines, left, right, ends));
      left += stretch.lines.length;
      right += stretch.lines.length;
      continue;
    }
    // What was taken out and what was put in at one place stand beside each other.
    const next = stretches[index + 1];
    const isPair = next !== undefined && next.kind !== 'same';
    const pair = isPair ? [stretch, next] : [stretch];
    if (isPair) index += 1;
    const out = pair.find(({ kind }) => kind === 'out')?.lines ?? [];
    const put = pair.find(({ kind }) => kind === 'in')?.lines ?? [];
    for (let at = 0; at < Math.max(out.length, put.length); at += 1) {
      rows.push({
        before: lineOf(out, at, left),
        after: lineOf(put, at, right),
        changed: true,
        skipped: 0,
      });
    }
    left += out.length;
    right += put.length;
  }
  return { rows: rows.slice(0, mostRows), rest: Math.max(0, rows.length - mostRows) };
}

function lineOf(lines: readonly string[], at: number, from: number): SideLine | null {
  const text = lines[at];
  return text === undefined ? null : { number: from + at + 1, text };
}

function equalRows(
  lines: readonly string[],
  left: number,
  right: number,
  { first, last }: { readonly first: boolean; readonly last: boolean },
): SideRow[] {
  const row = (at: number): SideRow => ({
    before: lineOf(lines, at, left),
    after: lineOf(lines, at, right),
    changed: false,
    skipped: 0,
  });
  const [head, tail] = [first ? 0 : around, last ? 0 : around];
  // A gap of one line would take as much room as the line.
  if (lines.length <= head + tail + 1) return lines.map((_, at) => row(at));
  const rows = (from: number, to: number): SideRow[] =>
    Array.from({ length: to - from }, (_, at) => row(from + at));
  const gap = { before: null, after: null, changed: false, skipped: lines.length - head - tail };
  return [...rows(0, head), gap, ...rows(lines.length - tail, lines.length)];
}
