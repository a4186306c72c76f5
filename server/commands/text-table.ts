/** Prints names, tables and JSON in a terminal. */

/** Prints rows in columns below their heads. @param none The sentence to print instead if there are no rows. */
export function sayTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  none: string,
): void {
  if (rows.length === 0) {
    console.error(none);
    return;
  }
  const plain = rows.map((row) => row.map(onOneLine));
  const widths = heads.map((head, column) =>
    plain.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), head.length),
  );
  for (const row of [heads, ...plain]) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    console.log(cells.join('  ').trimEnd());
  }
}

/** Prints a list as JSON, or in columns below their heads. @param none The sentence instead of an empty table. */
export function sayList<Item>(
  all: readonly Item[],
  isJson: boolean | undefined,
  heads: readonly string[],
  cellsOf: (item: Item) => readonly string[],
  none: string,
): void {
  if (isJson) sayJson(all);
  else sayTable(heads, all.map(cellsOf), none);
}

/** Prints JSON for programs. */
export function sayJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2));
}

/** Names may contain control characters, which must not reach the terminal. */
export function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
}
