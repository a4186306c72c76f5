/**
 * Converts rows of feeds: from a table or the window to the feed's file, and from there to a batch. They may have 20 MB, so
 * large ones are converted on the desk, except in `rowsIn`. Pure.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { feedLimits } from '../../../shared/limits.ts';
import type { Json } from '../../../shared/renderscript/source.ts';
import { JsonText } from '../../json-text.ts';
import { parseParameters } from '../../parameters.ts';
import { rowList, type FeedColumn, type RowBytes, type Table } from '../../store/feeds.ts';
import { readJsonBody } from '../desk/json-body.ts';

const rowWords = `an array of at most ${feedLimits.rows} rows, each with id and values`;
const rowBody = z.object({
  rows: z
    .array(
      z.object({ id: z.string(), values: z.record(z.string(), z.string()) }, rowWords),
      rowWords,
    )
    .max(feedLimits.rows, rowWords),
});

/** A table as a feed stores it. */
export interface FeedTable {
  readonly columns: readonly FeedColumn[];
  readonly rows: RowBytes;
}

/** A row of a batch: what its render changes in the template. */
export interface BatchRow {
  readonly id: string;
  readonly modifications: JsonText;
}

/** Gives a table the feed's columns where names match, and IDs to its rows. */
export function feedTable({ columns, rows }: Table, known: readonly FeedColumn[]): FeedTable {
  const own = columns.map(
    (name) => known.find((column) => column.name === name) ?? { id: randomUUID(), name },
  );
  const list = rows.map((values) => ({
    id: randomUUID(),
    values: Object.fromEntries(own.map(({ id }, index) => [id, values[index] ?? ''])),
  }));
  return { columns: own, rows: bytesOf(JSON.stringify(list), list.length) };
}

/** Rows as the window sends them: `{"rows": […]}`. @throws ApiError as `readJsonBody`, and `invalid_parameter`. */
export function sentRows(body: Uint8Array): RowBytes {
  const { rows } = parseParameters(rowBody, readJsonBody(body));
  return bytesOf(JSON.stringify(rows), rows.length);
}

/**
 * Rows as a batch stores them: one line each, with its ID, a tab and its modifications, made of the mapped columns. Empty
 * cells change nothing.
 *
 * @param wanted IDs of rows; null: all.
 */
export function batchLines(
  stored: Uint8Array,
  columns: readonly FeedColumn[],
  wanted: readonly string[] | null,
): RowBytes {
  const all = rowList.parse(JSON.parse(new TextDecoder().decode(stored)));
  const ids = wanted && new Set(wanted);
  const rows = ids ? all.filter(({ id }) => ids.has(id)) : all;
  const lines = rows.map(({ id, values }) => {
    const entries = columns.flatMap(({ id: column, target }): [string, string][] => {
      const value = values[column] ?? '';
      return target === undefined || value === '' ? [] : [[target, value]];
    });
    return `${JSON.stringify(id)}\t${JSON.stringify(Object.fromEntries(entries))}\n`;
  });
  return bytesOf(lines.join(''), rows.length);
}

/** The rows of a batch, read one at a time. @throws when they are damaged. */
export function* rowsIn(lines: Buffer): Generator<BatchRow> {
  for (let start = 0; start < lines.length;) {
    const tab = lines.indexOf('\t', start);
    const end = lines.indexOf('\n', start);
    if (tab < 0 || end < tab) throw new Error('the rows of the batch are damaged');
    const id: unknown = JSON.parse(lines.toString('utf8', start, tab));
    if (typeof id !== 'string') throw new Error('the rows of the batch are damaged');
    yield { id, modifications: new JsonText(lines.toString('utf8', tab + 1, end)) };
    start = end + 1;
  }
}

/** True for rows as feeds store them, which earlier versions also stored for batches. */
export function isRowList(bytes: Uint8Array): boolean {
  return bytes[0] === 0x5b;
}

/** The last rows of a JSON list of rows. */
export function lastRows(bytes: Uint8Array, count: number): readonly Json[] {
  // The caller checks its content.
  const rows = JSON.parse(new TextDecoder().decode(bytes)) as readonly Json[];
  return rows.slice(-count);
}

function bytesOf(text: string, count: number): RowBytes {
  return { bytes: new TextEncoder().encode(text), count };
}
