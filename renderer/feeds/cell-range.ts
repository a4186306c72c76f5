/** Cells of a table: which are chosen, and ranges of them as text of the clipboard. Pure. */

/** A cell by its places, from 0. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

/** A rectangle of cells; both ends are in it. */
export interface CellRange {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** The rectangle between two of its corners. */
export function rangeBetween(one: CellPlace, other: CellPlace): CellRange {
  return {
    top: Math.min(one.row, other.row),
    bottom: Math.max(one.row, other.row),
    left: Math.min(one.column, other.column),
    right: Math.max(one.column, other.column),
  };
}

/** Cells as spreadsheets put them on the clipboard: tabs between values, which have quotes where they need them. */
export function toClipboard(lines: readonly (readonly string[])[]): string {
  const quoted = (value: string): string =>
    /["\t\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  return lines.map((line) => line.map(quoted).join('\t')).join('\n');
}

/** What `toClipboard`, or a spreadsheet program, has put there. Anything is text of at least one cell. */
export function fromClipboard(text: string): string[][] {
  const lines: string[][] = [[]];
  let at = 0;
  while (at <= text.length) {
    const quoted = text.charAt(at) === '"' ? quotedValue(text, at) : null;
    const end = quoted?.end ?? endOf(text, at);
    lines.at(-1)?.push(quoted?.value ?? text.slice(at, end));
    if (end >= text.length) break;
    const isLineEnd = text.charAt(end) !== '\t';
    at = end + (text.startsWith('\r\n', end) ? 2 : 1);
    // Spreadsheets end the last line, too.
    if (isLineEnd && at >= text.length) break;
    if (isLineEnd) lines.push([]);
  }
  return lines;
}

/** Where a value without quotes ends. */
function endOf(text: string, start: number): number {
  let end = start;
  while (end < text.length && !'\t\r\n'.includes(text.charAt(end))) end++;
  return end;
}

/** A value in quotes; null where they are signs of the text. */
function quotedValue(text: string, start: number): { value: string; end: number } | null {
  let end = start + 1;
  for (;;) {
    end = text.indexOf('"', end);
    if (end < 0) return null;
    if (text.charAt(end + 1) !== '"') break;
    end += 2;
  }
  const next = text.charAt(end + 1);
  if (next !== '' && !'\t\r\n'.includes(next)) return null;
  return { value: text.slice(start + 1, end).replaceAll('""', '"'), end: end + 1 };
}
