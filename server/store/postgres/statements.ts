/** The statements that a keeper writes records with and reads changes with. */
import type { QueryResultRow } from 'pg';
import { tableOf } from './migrations.ts';
import { schemaName } from '../schema-name.ts';
import type { Computed, Waiting } from './collection.ts';
import type { Session } from './session.ts';

/** The most changes and records to read at a time. */
const pageLength = 2_000;

/** A row of the table of changes: which record was changed. */
export interface ChangeRow extends QueryResultRow {
  /** Its number, in the order of commits. */
  readonly seq: number;
  readonly collection: string;
  readonly id: string;
}

/** What was read of the changes. */
interface FoundChanges {
  /** Changes up to this one are no longer there. */
  readonly forgotten: number;
  readonly changes: readonly ChangeRow[];
  /** True if there may be more. */
  readonly isMore: boolean;
}

/** Reads the results of `readChanges.text`, which were the last of a session's `all`. */
export function readChanges(results: readonly QueryResultRow[][]): FoundChanges {
  const [state, rows] = results.slice(-2);
  // As selected below.
  const changes = (rows ?? []) as ChangeRow[];
  const forgotten = Number(state?.[0]?.['forgotten'] ?? 0);
  return { forgotten, changes, isMore: changes.length === pageLength };
}

/** The statements that read the changes after one. */
readChanges.text = (last: number): string =>
  `SELECT forgotten::float8 AS forgotten FROM ${schemaName}.state;
   SELECT seq::float8 AS seq, collection, id FROM ${schemaName}.changes WHERE seq > ${last} ORDER BY seq LIMIT ${pageLength}`;

/** The texts of records by ID; those that are not there are left out. */
export async function readRecords(
  session: Session,
  collection: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await session.query<{ id: string; text: string }>(
    `SELECT id, doc::text AS text FROM ${tableOf(collection)} WHERE id = ANY($1)`,
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
 * What writes the changes of a batch, with a row for each record in the table of changes; it returns the number of the last.
 * Null if they change nothing.
 */
export function batchStatement(
  changes: readonly Waiting[],
  computed: readonly Computed[],
): ((session: Session) => Promise<number>) | null {
  /** The last text of each record, by collection and ID. */
  const byCollection = new Map<string, Map<string, string | null>>();
  for (const [index, { row }] of computed.entries()) {
    const name = changes[index]?.collection.name;
    if (!row || name === undefined) continue;
    const texts = byCollection.get(name) ?? new Map<string, string | null>();
    byCollection.set(name, texts.set(row.id, row.text));
  }
  if (byCollection.size === 0) return null;
  const collections: string[] = [];
  const ids: string[] = [];
  const texts: (string | null)[] = [];
  for (const [name, rows] of byCollection) {
    for (const [id, text] of rows) {
      collections.push(name);
      ids.push(id);
      texts.push(text);
    }
  }
  const parts = [...byCollection.keys()].flatMap((name, index) => [
    `kept${index} AS (
       INSERT INTO ${tableOf(name)} (id, doc) SELECT id, doc::jsonb FROM given WHERE collection = '${name}' AND doc IS NOT NULL
       ON CONFLICT (id) DO UPDATE SET doc = excluded.doc)`,
    `gone${index} AS (
       DELETE FROM ${tableOf(name)} AS old USING given WHERE given.collection = '${name}' AND given.doc IS NULL AND old.id = given.id)`,
  ]);
  const statement = `WITH given AS (SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) AS rows (collection, id, doc)),
    ${parts.join(',\n')},
    told AS (INSERT INTO ${schemaName}.changes (collection, id) SELECT collection, id FROM given RETURNING seq)
    SELECT max(seq)::float8 AS seq FROM told`;
  return async (session) => {
    const [row] = await session.query<{ seq: number }>(statement, [collections, ids, texts]);
    if (!row) throw new Error('The database did not number the changes');
    return row.seq;
  };
}
