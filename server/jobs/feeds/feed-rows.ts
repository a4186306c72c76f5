/**
 * Converts rows of feeds: from a table or the window to the feed's file, and from there to a batch. They may have 20
 * MB, so large ones are converted on the desk, except in `rowsIn`. Pure.
 */
import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  type FeedMapping,
  namedFiles,
  rowModifications,
  rowName,
  type FeedFiles,
  fileTargets,
} from '../../../shared/feed-mapping.ts';
import { ApiError } from '../../../shared/errors.ts';
import { freeName } from '../../../shared/free-name.ts';
import { feedLimits } from '../../../shared/limits.ts';
import { formatOf, formats, usualQuality } from '../../../shared/renderscript/formats.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/renderscript/source.ts';
import { JsonText } from '../../system/json-text.ts';
import { parseParameters } from '../../system/parameters.ts';
import { type FeedColumn, type RowBytes, rowList, type Table } from '../../store/feeds.ts';
import { readJsonBody } from '../desk/json-body.ts';

const rowWords = `an array of at most ${feedLimits.rows} rows, each with id and values, or the ID of one that is there`;
const rowBody = z.object({
  rows: z
    .array(
      z.union(
        [z.string(), z.object({ id: z.string(), values: z.record(z.string(), z.string()) })],
        rowWords,
      ),
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
  /** Follows from template and modifications; absent in batches of earlier versions, like the name. */
  readonly print?: string;
  /** Name of its file without the ending. */
  readonly file?: string;
}

/** The table that a new one takes the place of. */
export interface KnownTable {
  readonly columns: readonly FeedColumn[];
  /** As they are stored. */
  readonly rows?: Uint8Array;
}

/**
 * Gives a table the columns of a feed, as far as they have the same names, and its rows IDs: those of rows with the
 * same values, else those of rows at the same place, so that it stays known what was rendered of them.
 */
export function feedTable({ columns, rows }: Table, known: KnownTable): FeedTable {
  const own = columns.map(
    (name) => known.columns.find((column) => column.name === name) ?? { id: randomUUID(), name },
  );
  const old = known.rows ? readRows(known.rows) : [];
  const printOf = (values: Readonly<Record<string, string>>): string =>
    JSON.stringify(own.map(({ id }) => values[id] ?? ''));
  const free = new Map<string, string[]>();
  for (const { id, values } of old.toReversed()) {
    const print = printOf(values);
    const ids = free.get(print);
    if (ids) ids.push(id);
    else free.set(print, [id]);
  }
  const tables = rows.map((values) =>
    Object.fromEntries(own.map(({ id }, index) => [id, values[index] ?? ''])),
  );
  const same = tables.map((values) => free.get(printOf(values))?.pop());
  const used = new Set(same);
  const list = tables.map((values, index) => {
    const there = old[index]?.id;
    const placed = there === undefined || used.has(there) ? randomUUID() : there;
    return { id: same[index] ?? placed, values };
  });
  return { columns: own, rows: bytesOf(JSON.stringify(list), list.length) };
}

function readRows(stored: Uint8Array): z.infer<typeof rowList> {
  return rowList.parse(JSON.parse(new TextDecoder().decode(stored)));
}

/**
 * Rows as the window sends them: `{"rows": […]}`, of rows that stay as they are the IDs alone.
 *
 * @throws ApiError as `readJsonBody`, and `invalid_parameter`.
 */
export function sentRows(body: Uint8Array, stored: Uint8Array): RowBytes {
  const { rows } = parseParameters(rowBody, readJsonBody(body));
  const there = rows.some((row) => typeof row === 'string')
    ? new Map(readRows(stored).map((row) => [row.id, row]))
    : null;
  const list = rows.map((row) => (typeof row === 'string' ? there?.get(row) : row));
  if (list.includes(undefined)) {
    throw new ApiError('invalid_parameter', { name: 'rows', what: rowWords });
  }
  return bytesOf(JSON.stringify(list), list.length);
}

/** What rows write where a template names files. */
export interface NamedInRows {
  readonly targets: FeedFiles['targets'];
  readonly names: readonly string[];
}

/** Finds it. @param source the template */
export function rowFiles(
  stored: Uint8Array,
  mapping: FeedMapping,
  source: JsonObject,
): NamedInRows {
  const targets = fileTargets(source);
  const rows = targets.size === 0 ? [] : readRows(stored).map(({ values }) => values);
  return { targets, names: [...namedFiles(mapping, rows, targets)] };
}

/** What makes renders of rows. */
export interface BatchWish extends FeedMapping {
  /** Modifications of every row, unless its own are others; rows are not told apart by them. Default: none. */
  readonly standard?: Readonly<Record<string, string>>;
  /** Name of the feed. */
  readonly feed: string;
  /** Pattern for the names of files; '': none. */
  readonly names: string;
  /** Tells templates apart. */
  readonly template: string;
  /** IDs of rows; null: all. */
  readonly rows: readonly string[] | null;
  /** Prints of rows that are left out. */
  readonly without: readonly string[];
}

/**
 * Rows as a batch keeps them: a line for each with its ID, its modifications, and what tells of it, with tabs between.
 * No two of them have the same name of a file.
 */
export function batchLines(stored: Uint8Array, wish: BatchWish): RowBytes {
  const ids = wish.rows && new Set(wish.rows);
  const without = new Set(wish.without);
  const taken = new Set<string>();
  const lines: string[] = [];
  for (const [index, { id, values }] of readRows(stored).entries()) {
    if (ids && !ids.has(id)) continue;
    const changes = rowModifications(wish, values);
    const print = printOf(wish.template, JSON.stringify(changes));
    if (without.has(print)) continue;
    const modifications = JSON.stringify({ ...wish.standard, ...changes });
    const named = { feed: wish.feed, columns: wish.columns, values, number: index + 1 };
    const file = wish.names === '' ? '' : untaken(rowName(wish.names, named), taken);
    const facts = JSON.stringify({ print, ...(file !== '' && { file }) });
    lines.push(`${JSON.stringify(id)}\t${modifications}\t${facts}\n`);
  }
  return bytesOf(lines.join(''), lines.length);
}

/** The quality that films of rows have where the template names none, as a modification. */
export function rowQuality(source: JsonObject): Readonly<Record<string, string>> {
  const format = formatOf(source);
  const value = usualQuality(source, format);
  return value === '' ? {} : { [formats[format].quality?.property ?? '']: value };
}

/** Tells rows apart by what would be rendered of them. @param template tells templates apart */
function printOf(template: string, modifications: string): string {
  const hash = createHash('sha256').update(`${template} ${modifications}`);
  return hash.digest('base64url').slice(0, 16);
}

/** A name that none of the others has, whatever the case of its letters. */
function untaken(name: string, taken: Set<string>): string {
  if (name === '') return '';
  const one = freeName(name, (other) => taken.has(other));
  taken.add(one.toLowerCase());
  return one;
}

const lineFacts = z.object({ print: z.string(), file: z.string().exactOptional() });

/** The rows of a batch, each when it is asked for. @throws when they are damaged. */
export function* rowsIn(lines: Buffer): Generator<BatchRow> {
  for (let start = 0; start < lines.length;) {
    const end = lines.indexOf('\n', start);
    const [name, modifications, facts] = lines.toString('utf8', start, end).split('\t');
    if (end < 0 || name === undefined || modifications === undefined) {
      throw new Error('the rows of the batch are damaged');
    }
    yield {
      id: z.string().parse(JSON.parse(name)),
      modifications: new JsonText(modifications),
      ...(facts !== undefined && lineFacts.parse(JSON.parse(facts))),
    };
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

// Maps a feed's columns to a template by their names, so that most tables need no manual mapping.

/**
 * Gives a column a target if its name is an element's (`Title`), or an element's with a property (`Title.fill_color`).
 * Ignores case, blanks and underscores. Existing targets stay.
 */
export function mapColumns(columns: readonly FeedColumn[], source: JsonObject): FeedColumn[] {
  const names = new Map(elementNames(source).map((name) => [plain(name), name]));
  return columns.map((column) => {
    if (column.target !== undefined) return column;
    const whole = names.get(plain(column.name));
    if (whole !== undefined) return { ...column, target: whole };
    const dot = column.name.lastIndexOf('.');
    const element = dot < 0 ? undefined : names.get(plain(column.name.slice(0, dot)));
    if (element === undefined) return column;
    return { ...column, target: `${element}${column.name.slice(dot)}` };
  });
}

function elementNames(parent: JsonObject): string[] {
  const { elements } = parent;
  if (!Array.isArray(elements)) return [];
  // Array.isArray widens read-only lists to any[].
  return (elements as readonly unknown[]).flatMap((element) => {
    if (!isJsonObject(element)) return [];
    const own = typeof element.name === 'string' && element.name !== '' ? [element.name] : [];
    return [...own, ...elementNames(element)];
  });
}

function plain(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim();
}
