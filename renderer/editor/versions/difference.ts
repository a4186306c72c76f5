/** Two texts line by line. Pure. */

/** Lines that are in both, only in the first (`out`), or only in the second (`in`). */
export interface Stretch {
  readonly kind: 'same' | 'out' | 'in';
  readonly lines: readonly string[];
}

/** Larger pairs of changed stretches are shown as a whole, because comparing them would take too long. */
const mostCells = 4_000_000;

/** The shortest way from one text to the other, in lines. */
export function difference(before: string, after: string): Stretch[] {
  const a = before.split('\n');
  const b = after.split('\n');
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) {
    tail += 1;
  }
  const found: Stretch[] = [];
  add(found, 'same', a.slice(0, head));
  middle(found, a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  add(found, 'same', a.slice(a.length - tail));
  return found;
}

function middle(found: Stretch[], a: readonly string[], b: readonly string[]): void {
  if (a.length * b.length > mostCells) {
    add(found, 'out', a);
    add(found, 'in', b);
    return;
  }
  // Longest common subsequence, from the end, so that the way is read from the beginning.
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] =
        a[i] === b[j]
          ? (longest[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(longest[(i + 1) * width + j] ?? 0, longest[i * width + j + 1] ?? 0);
    }
  }
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      add(found, 'same', [a[i++] ?? '']);
      j += 1;
    } else if (
      j >= b.length ||
      (i < a.length && (longest[(i + 1) * width + j] ?? 0) >= (longest[i * width + j + 1] ?? 0))
    ) {
      add(found, 'out', [a[i++] ?? '']);
    } else add(found, 'in', [b[j++] ?? '']);
  }
}

function add(found: Stretch[], kind: Stretch['kind'], lines: readonly string[]): void {
  if (lines.length === 0) return;
  const last = found.at(-1);
  if (last?.kind === kind) found[found.length - 1] = { kind, lines: [...last.lines, ...lines] };
  else found.push({ kind, lines });
}

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
