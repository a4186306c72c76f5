/** Replaces all records of a database, in one transaction. */
import { StartError } from '../../system/start-error.ts';
import { collectionNames, type CollectionName, type Identified } from '../../store/records.ts';
import { beginChange } from './locks.ts';
import { tableOf } from './migrations.ts';
import { schemaName } from './schema-name.ts';
import { recordText } from '../../store/record-text.ts';
import type { Session } from './session.ts';

/** The most records, and about the most characters, of one statement. */
const pageLength = 2_000;
const pageCharacters = 8_000_000;

/**
 * Replaces them with those of a folder.
 *
 * @param home The folder and its computer, in words: the home of the records' files.
 * @param name Of the database, for people.
 * @returns how many of each collection it has now, which were counted in the database.
 * @throws StartError if the database has records that did not come from that folder, or was used since.
 */
export async function replaceRecords(
  session: Session,
  records: ReadonlyMap<CollectionName, readonly Identified[]>,
  home: string,
  name: string,
): Promise<ReadonlyMap<CollectionName, number>> {
  await session.together(beginChange);
  try {
    await refuseOthers(session, home, name);
    const counts = new Map<CollectionName, number>();
    for (const collection of collectionNames) {
      const found = records.get(collection) ?? [];
      await session.query(`DELETE FROM ${tableOf(collection)}`);
      for (const page of pagesOf(found)) {
        await session.query(
          `INSERT INTO ${tableOf(collection)} (id, doc)
           SELECT id, doc::jsonb FROM unnest($1::text[], $2::text[]) AS rows (id, doc)`,
          [page.map(({ id }) => id), page.map(({ text }) => text)],
        );
      }
      const [row] = await session.query<{ count: number }>(
        `SELECT count(*)::float8 AS count FROM ${tableOf(collection)}`,
      );
      if (row?.count !== found.length) {
        throw new Error(`${collection}: ${row?.count} of ${found.length} records arrived`);
      }
      counts.set(collection, found.length);
    }
    // Whoever has records in memory begins again: all changes before this one are forgotten.
    await session.query(`DELETE FROM ${schemaName}.changes`);
    await session.query(
      `WITH moved AS (INSERT INTO ${schemaName}.changes (collection, id) VALUES ('', '') RETURNING seq)
       UPDATE ${schemaName}.state SET home = $1, moved_until = seq, forgotten = seq - 1 FROM moved`,
      [home],
    );
    await session.all('COMMIT');
    return counts;
  } catch (error) {
    await session.all('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** @throws StartError if records would be lost. */
async function refuseOthers(session: Session, home: string, name: string): Promise<void> {
  const anyRecord = collectionNames
    .map((collection) => `EXISTS (SELECT 1 FROM ${tableOf(collection)})`)
    .join(' OR ');
  const [state] = await session.query<{ home: string | null; used: boolean; filled: boolean }>(
    `SELECT home, ${anyRecord} AS filled, moved_until IS NULL OR EXISTS (
       SELECT 1 FROM ${schemaName}.changes WHERE seq > moved_until) AS used
     FROM ${schemaName}.state`,
  );
  if (!state?.filled) return;
  if (state.home !== null && state.home !== home) {
    throw new StartError(`${name} has the records of ${state.home}. Nothing was moved.`);
  }
  if (state.used) {
    throw new StartError(
      `${name} has been used since the records were moved; moving them again would undo that. Nothing was moved.`,
    );
  }
}

/** Records as pages of texts. */
function* pagesOf(records: readonly Identified[]): Generator<{ id: string; text: string }[]> {
  let page: { id: string; text: string }[] = [];
  let length = 0;
  for (const record of records) {
    const text = recordText(record);
    page.push({ id: record._id, text });
    length += text.length;
    if (page.length < pageLength && length < pageCharacters) continue;
    yield page;
    page = [];
    length = 0;
  }
  if (page.length > 0) yield page;
}
