/** The statements that a keeper writes records with and reads changes with. */
import type { QueryResultRow } from 'pg';
import { tableOf } from './migrations.ts';
import { schemaName } from '../schema-name.ts';
import type { Computed, Waiting } from './collection.ts';
import type { Statement } from './statement.ts';
import type { Session } from './session.ts';

/** The most changes and records to read at a time. */
const pageLength = 2_000;
/** Draws the number of a change. */
export const nextSeq = `nextval('${schemaName}.changes_seq_seq')`;

/** A record that was changed. */
export interface ChangedRecord extends QueryResultRow {
  /** The number of its last change: about in the order of commits. */
  readonly seq: number;
  readonly collection: string;
  readonly id: string;
  /** As it is now; null: it is gone, or its collection was not asked for. */
  readonly text: string | null;
}

/**
 * What a process has seen of the changes: those of transactions that had ended when it looked last. Nobody waits for the order of
 * commits: a transaction that began earlier and ends later is not in the snapshot, so its changes are read then.
 */
export interface Position {
  /** Of the database's own form. */
  readonly snapshot: string;
  /** Transactions of the process's own since, which it need not read. */
  readonly own: readonly string[];
}

/** What was read of the changes. */
interface FoundChanges {
  /** Changes up to this one are no longer there. */
  readonly forgotten: number;
  /** In the order of their last changes. */
  readonly records: readonly ChangedRecord[];
  /** The last change that was read; null: there is none. */
  readonly last: number | null;
  /** When it was looked: where to go on once there is no more. */
  readonly snapshot: string;
  /** True if there may be more. */
  readonly isMore: boolean;
}

/** Reads the result of `readChanges.text`, which was the last of a session's `all`. */
export function readChanges(results: readonly QueryResultRow[][]): FoundChanges {
  // As selected below: one row without a record if there is none.
  const rows = (results.at(-1) ?? []) as (Omit<ChangedRecord, 'collection'> & {
    readonly collection: string | null;
    readonly forgotten: number;
    readonly snapshot: string;
    readonly found: number;
  })[];
  const records = rows.filter((row): row is typeof row & ChangedRecord => row.collection !== null);
  return {
    forgotten: rows[0]?.forgotten ?? 0,
    records,
    last: records.at(-1)?.seq ?? null,
    snapshot: rows[0]?.snapshot ?? '',
    isMore: rows[0]?.found === pageLength,
  };
}

/** A condition for changes that a process at a position has not seen, of others. */
function unseen({ snapshot, own }: Position): string {
  const seen = `'${snapshot}'::pg_snapshot`;
  const others = own.length === 0 ? '' : ` AND xid <> ALL ('{${own.join(',')}}'::xid8[])`;
  // The first condition is for the index.
  return `xid >= pg_snapshot_xmin(${seen}) AND NOT pg_visible_in_snapshot(xid, ${seen})${others}`;
}

/**
 * Has the transaction wait for others that change these renders, and end if one of them has since the position: with a division by
 * zero. Workers change renders without the lock of changes.
 */
export function refuseChanged(ids: readonly string[], position: Position): readonly Statement[] {
  return [
    {
      text: `SELECT id FROM ${tableOf('renders')} WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE`,
      values: [ids],
    },
    {
      text: `SELECT 1 / (1 - count(*)) FROM (
               SELECT 1 FROM ${schemaName}.changes
               WHERE ${unseen(position)} AND collection = 'renders' AND id = ANY ($1::text[]) LIMIT 1) AS changed`,
      values: [ids],
    },
  ];
}

/**
 * The statement that reads what is new at a position after a change, with the records of these collections. It stays cheap in the
 * server's estimate: above a bound that would compile it, which takes longer than all else.
 */
readChanges.text = (position: Position, after: number, collections: readonly string[]): string => {
  const texts = collections.map(
    (name) =>
      `WHEN '${name}' THEN (SELECT doc::text FROM ${tableOf(name)} AS kept WHERE kept.id = changed.id)`,
  );
  const text = texts.length === 0 ? 'NULL' : `CASE collection ${texts.join(' ')} END`;
  return `WITH page AS (
     SELECT seq, collection, id FROM ${schemaName}.changes
     WHERE ${unseen(position)} AND seq > ${after} ORDER BY seq LIMIT ${pageLength}),
   changed AS (SELECT max(seq) AS seq, collection, id FROM page GROUP BY collection, id)
   SELECT seq::float8 AS seq, collection, id, ${text} AS text, (SELECT count(*)::int FROM page) AS found,
     (SELECT forgotten::float8 FROM ${schemaName}.state) AS forgotten, pg_current_snapshot()::text AS snapshot
   FROM (VALUES (1)) AS one LEFT JOIN changed ON true ORDER BY seq`;
};

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
 * What writes the changes of a batch, with a row for each record in the table of changes; it returns the number of the last, and that of the
 * transaction.
 * Null if they change nothing.
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
    [...rows].map(([id, text]) => [name, id, text]),
  );
  const places = given.map(
    (_, index) => `($${3 * index + 1}::text, $${3 * index + 2}::text, $${3 * index + 3}::text)`,
  );
  const parts = [...byCollection.keys()].flatMap((name, index) => [
    `kept${index} AS (
       INSERT INTO ${tableOf(name)} (id, doc) SELECT id, doc::jsonb FROM given WHERE collection = '${name}' AND doc IS NOT NULL
       ON CONFLICT (id) DO UPDATE SET doc = excluded.doc)`,
    `gone${index} AS (
       DELETE FROM ${tableOf(name)} AS old USING given WHERE given.collection = '${name}' AND given.doc IS NULL AND old.id = given.id)`,
  ]);
  const statement = `WITH given (collection, id, doc) AS (VALUES ${places.join(', ')}),
    ${parts.join(',\n')},
    numbered AS (SELECT collection, id, row_number() OVER () AS place FROM given),
    told AS (
      INSERT INTO ${schemaName}.changes (seq, collection, id) OVERRIDING SYSTEM VALUE
      SELECT CASE WHEN place = 1 THEN ${mark} ELSE ${nextSeq} END, collection, id FROM numbered RETURNING seq)
    SELECT max(seq)::float8 AS seq, pg_current_xact_id()::text AS xid FROM told`;
  return { text: statement, values: given.flat() };
}
