/** The statements that a keeper writes records with and reads changes with. */
import type { QueryResultRow } from 'pg';
import { tableOf } from './migrations.ts';
import { schemaName, type Statement } from './statement.ts';
import type { Computed, Waiting } from './collection.ts';
import type { Session } from './session.ts';

/** The most changes and records to read at a time. */
const pageLength = 2_000;
/** Draws the number of a change. */
const nextSeq = `nextval('${schemaName}.changes_seq_seq')`;
/** Draws the number of a batch's first change, as `mark`. */
export const drawMark = `SELECT ${nextSeq}::float8 AS mark`;

/** A record that was changed. */
export interface ChangedRecord extends QueryResultRow {
  /** The number of its last change: about in the order of commits. */
  readonly seq: number;
  readonly collection: string;
  readonly id: string;
  /** A render as it is now; null: it is gone, renders were not asked for, or it is of another collection. */
  readonly text: string | null;
}

/**
 * What a process has seen of the changes: those of transactions that had ended when it looked last. Nobody waits for
 * the order of commits: a transaction that began earlier and ends later is not in the snapshot, so its changes are read
 * then.
 */
export interface Position {
  /** Of the database's own form. */
  readonly snapshot: string;
  /** Transactions of the process's own since, which it need not read. */
  readonly own: readonly string[];
}

/** Where a page of changes ended: by transaction, then by number. */
export interface PageEnd {
  readonly xid: string;
  readonly seq: string;
}

/** What was read of the changes. */
interface FoundChanges {
  /** Changes up to this one are no longer there. */
  readonly forgotten: number;
  /** In the order of their last changes. */
  readonly records: readonly ChangedRecord[];
  /** The highest number of a change that was read; null: there is none. */
  readonly last: number | null;
  /** When it was looked: where to go on once there is no more. */
  readonly snapshot: string;
  /** Where to go on if there may be more; else null. */
  readonly next: PageEnd | null;
}

/** Reads the result of `changesStatement`, which was the last of a session's `together`. */
export function readChanges(results: readonly QueryResultRow[][]): FoundChanges {
  // As selected below: one row without a record if there is none.
  const rows = (results.at(-1) ?? []) as (Omit<ChangedRecord, 'collection'> & {
    readonly collection: string | null;
    readonly forgotten: number;
    readonly snapshot: string;
    readonly found: number;
    readonly page_end: string | null;
  })[];
  const records = rows.filter((row): row is typeof row & ChangedRecord => row.collection !== null);
  const [xid, seq] = rows[0]?.page_end?.split(' ') ?? [];
  const isMore = rows[0]?.found === pageLength && xid !== undefined && seq !== undefined;
  return {
    forgotten: rows[0]?.forgotten ?? 0,
    records,
    last: records.at(-1)?.seq ?? null,
    snapshot: rows[0]?.snapshot ?? '',
    next: isMore ? { xid, seq } : null,
  };
}

/** A condition for changes of others that a process has not seen, with the values of its position as the first two. */
const unseen = `xid >= pg_snapshot_xmin($1::pg_snapshot) AND NOT pg_visible_in_snapshot(xid, $1::pg_snapshot)
  AND xid <> ALL ($2::xid8[])`;

/**
 * Has the transaction wait for others that change these renders, and end if one of them has since the position: with a
 * division by zero. Workers change renders without the lock of changes.
 */
export function refuseChanged(
  ids: readonly string[],
  { snapshot, own }: Position,
): readonly Statement[] {
  return [
    {
      text: `SELECT id FROM ${tableOf('renders')} WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE`,
      values: [ids],
    },
    {
      text: `SELECT 1 / (1 - count(*)) FROM (
               SELECT 1 FROM ${schemaName}.changes
               WHERE ${unseen} AND collection = 'renders' AND id = ANY ($3::text[]) LIMIT 1) AS changed`,
      values: [snapshot, own, ids],
    },
  ];
}

/**
 * What reads what is new at a position, in the order of transactions, so that their index leads to it. Renders, which
 * change most, come with their records.
 *
 * @param after Only changes after the end of an earlier page.
 */
export function changesStatement(
  { snapshot, own }: Position,
  after: PageEnd | null,
  withRenders: boolean,
): Statement {
  const text = withRenders
    ? `CASE collection WHEN 'renders' THEN (SELECT doc::text FROM ${tableOf('renders')} AS kept WHERE kept.id = changed.id) END`
    : 'NULL::text';
  return {
    text: `WITH page AS (
       SELECT xid, seq, collection, id FROM ${schemaName}.changes
       WHERE ${unseen} AND (xid, seq) > ($3::xid8, $4::bigint) ORDER BY xid, seq LIMIT ${pageLength}),
     changed AS (SELECT max(seq) AS seq, collection, id FROM page GROUP BY collection, id)
     SELECT seq::float8 AS seq, collection, id, ${text} AS text, (SELECT count(*)::int FROM page) AS found,
       (SELECT format('%s %s', xid, seq) FROM page ORDER BY xid DESC, seq DESC LIMIT 1) AS page_end,
       (SELECT forgotten::float8 FROM ${schemaName}.state) AS forgotten, pg_current_snapshot()::text AS snapshot
     FROM (VALUES (1)) AS one LEFT JOIN changed ON true ORDER BY seq`,
    values: [snapshot, own, after?.xid ?? '0', after?.seq ?? '0'],
  };
}

/** Records of a collection as they are now, by ID; those that are gone are left out. */
export async function readRecords(
  session: Session,
  collection: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await session.query<{ id: string; text: string }>(
    `SELECT id, doc::text AS text FROM ${tableOf(collection)} WHERE id = ANY ($1::text[])`,
    [ids],
  );
  return new Map(rows.map(({ id, text }) => [id, text]));
}

/** All records of a collection, in pages. */
export async function* readPages(
  session: Session,
  collection: string,
): AsyncGenerator<{ readonly id: string; readonly text: string }[]> {
  for (let last = ''; ;) {
    const page = await session.query<{ id: string; text: string }>(
      `SELECT id, doc::text AS text FROM ${tableOf(collection)} WHERE id > $1 ORDER BY id LIMIT ${pageLength}`,
      [last],
    );
    yield page;
    if (page.length < pageLength) return;
    last = page.at(-1)?.id ?? '';
  }
}

/**
 * What writes the changes of a batch, with a row for each record in the table of changes; it returns the number of the
 * last, and that of the transaction. Null if they change nothing.
 *
 * @param mark The number of the first row, drawn before.
 */
export function batchStatement(
  changes: readonly Waiting[],
  computed: readonly Computed[],
  mark: number,
): Statement | null {
  /** The last text of each record, by collection and ID. */
  const byCollection = new Map<string, Map<string, string | null>>();
  for (const [index, { row }] of computed.entries()) {
    const name = changes[index]?.collection.name;
    if (!row || name === undefined) continue;
    const texts = byCollection.get(name) ?? new Map<string, string | null>();
    byCollection.set(name, texts.set(row.id, row.text));
  }
  if (byCollection.size === 0) return null;
  const given = [...byCollection].flatMap(([name, rows]) =>
    [...rows].map(([id, text]) => [name, id, text] as const),
  );
  const parts = [...byCollection.keys()].flatMap((name, index) => [
    `kept${index} AS (
       INSERT INTO ${tableOf(name)} (id, doc) SELECT id, doc::jsonb FROM given WHERE collection = '${name}' AND doc IS NOT NULL
       ON CONFLICT (id) DO UPDATE SET doc = excluded.doc)`,
    `gone${index} AS (
       DELETE FROM ${tableOf(name)} AS old USING given WHERE given.collection = '${name}' AND given.doc IS NULL AND old.id = given.id)`,
  ]);
  // The same text for any number of records of these collections.
  const statement = `WITH given AS MATERIALIZED (
      SELECT * FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS rows (collection, id, doc, place)),
    ${parts.join(',\n')},
    told AS (
      INSERT INTO ${schemaName}.changes (seq, collection, id) OVERRIDING SYSTEM VALUE
      SELECT CASE WHEN place = 1 THEN $1::bigint ELSE ${nextSeq} END, collection, id FROM given RETURNING seq)
    SELECT max(seq)::float8 AS seq, pg_current_xact_id()::text AS xid FROM told`;
  const columns = [0, 1, 2].map((column) => given.map((row) => row[column] ?? null));
  return { text: statement, values: [mark, ...columns] };
}
