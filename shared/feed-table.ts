/** How a table file is read when it becomes a feed: what can be chosen, and what the beginning looks like then. */

/** Signs between the values of a line that can be chosen for an import. */
export const tableSeparators = [',', ';', '\t', '|'] as const;
/** Character sets that can be chosen for an import, by the names of the Encoding Standard. */
export const tableEncodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'shift_jis',
  'gb18030',
] as const;

/** How a table file is read. In a request, what is left out is recognised. */
export interface TableChoice {
  /** Only for lines of text. */
  readonly separator?: (typeof tableSeparators)[number];
  /** Only for text. */
  readonly encoding?: (typeof tableEncodings)[number];
  /** Place of the sheet in its spreadsheet, from 1; default 1. */
  readonly sheet?: number;
  /** The first row names the columns; JSON has no such row. */
  readonly head?: boolean;
}

/** Answer of `POST /api/feeds/look`: the beginning of a table, and how it was read. */
export interface TableLook {
  readonly kind: 'lines' | 'json' | 'spreadsheet';
  readonly choice: TableChoice;
  /** Names of the sheets, in their order; only of a spreadsheet. */
  readonly sheets?: readonly string[];
  readonly columns: readonly string[];
  /** The first ones, in the order of the columns. */
  readonly rows: readonly (readonly string[])[];
  readonly rowCount: number;
}
