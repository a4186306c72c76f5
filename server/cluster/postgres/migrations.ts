/**
 * The tables of a database, made and changed in numbered steps. Each step runs once, in a transaction, while a lock
 * keeps other processes that start at the same time waiting.
 */
import { DataFormatError } from '../../store/migrate.ts';
import { collectionNames } from '../../store/records.ts';
import { lockNumbers, schemaName } from './statement.ts';
import type { Session } from './session.ts';

/** The table of a collection, for a statement. Names are ours. */
export function tableOf(collection: string): string {
  return `${schemaName}."${collection}"`;
}

/** The steps: the first makes format 1. A step that was released never changes. */
const steps: readonly string[] = [
  [
    // Records as they are, by ID.
    ...collectionNames.map(
      (name) => `CREATE TABLE ${tableOf(name)} (id text PRIMARY KEY, doc jsonb NOT NULL)`,
    ),
    // What renders are looked up by with SQL: by people, and by processes that don't have them in memory.
    `ALTER TABLE ${tableOf('renders')}
       ADD COLUMN project text GENERATED ALWAYS AS (doc->>'project') STORED,
       ADD COLUMN status text GENERATED ALWAYS AS (doc->>'status') STORED,
       ADD COLUMN place float8 GENERATED ALWAYS AS (coalesce(doc->>'place', doc->>'order')::float8) STORED,
       ADD COLUMN attempts float8 GENERATED ALWAYS AS ((doc->>'attempts')::float8) STORED`,
    `CREATE INDEX ON ${tableOf('renders')} (place) WHERE status NOT IN ('succeeded', 'failed')`,
    `ALTER TABLE ${tableOf('deliveries')}
       ADD COLUMN render text GENERATED ALWAYS AS (doc->>'render') STORED,
       ADD COLUMN state text GENERATED ALWAYS AS (doc->>'state') STORED`,
    `CREATE INDEX ON ${tableOf('deliveries')} (render)`,
    // Which records changed, in the order of their commits (see keeper.ts): what processes catch up with.
    `CREATE TABLE ${schemaName}.changes (
       seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, collection text NOT NULL, id text NOT NULL)`,
    // One row. Changes up to `forgotten` are no longer in the table above; `home` is the folder with the files of the
    // records; `moved_until` is the last change of a move from a folder.
    `CREATE TABLE ${schemaName}.state (
       one boolean PRIMARY KEY DEFAULT true CHECK (one),
       database_id uuid NOT NULL DEFAULT gen_random_uuid(),
       forgotten bigint NOT NULL DEFAULT 0,
       home text,
       moved_until bigint)`,
    `INSERT INTO ${schemaName}.state DEFAULT VALUES`,
  ].join(';\n'),
  [
    // What is only true now, and is lost without harm: how far running renders are; the machines that work; when the
    // API answered requests, in seconds since 1970, for the rate limit.
    `CREATE UNLOGGED TABLE ${schemaName}.progress (
       render text PRIMARY KEY, attempt text NOT NULL, progress jsonb NOT NULL, told_at timestamptz NOT NULL DEFAULT now())`,
    `CREATE UNLOGGED TABLE ${schemaName}.machines (
       id uuid PRIMARY KEY, facts jsonb NOT NULL, seen_at timestamptz NOT NULL DEFAULT now())`,
    `CREATE UNLOGGED TABLE ${schemaName}.requests (
       account text PRIMARY KEY, times float8[] NOT NULL)`,
  ].join(';\n'),
  // Credits of renders that a server is storing.
  `CREATE UNLOGGED TABLE ${schemaName}.reservations (
     render text PRIMARY KEY, credits float8 NOT NULL, until timestamptz NOT NULL)`,
  [
    // Documents of renders that have not ended, for workers without the servers' folder; and the storage of the
    // servers, as `{"id", "name"}`, which these workers must have, too: null, unknown; an empty ID, none.
    `CREATE TABLE ${schemaName}.documents (
       render text PRIMARY KEY, content text NOT NULL, kept_at timestamptz NOT NULL DEFAULT now())`,
    `ALTER TABLE ${schemaName}.state ADD COLUMN storage jsonb`,
  ].join(';\n'),
  [
    // Whose change it is: what a process has not seen yet follows from its last snapshot (`Position` in statements.ts),
    // so those who commit need not wait for each other.
    `ALTER TABLE ${schemaName}.changes ADD COLUMN xid xid8 NOT NULL DEFAULT pg_current_xact_id()`,
    `CREATE INDEX ON ${schemaName}.changes (xid)`,
  ].join(';\n'),
  // The first step of a new database makes it already.
  `CREATE TABLE IF NOT EXISTS ${tableOf('transcripts')} (id text PRIMARY KEY, doc jsonb NOT NULL)`,
];

/**
 * Makes changes that came with a backup count as made now: the server that wrote them counted its transactions further,
 * and every process would read them time and again.
 */
export async function adoptChanges(session: Session): Promise<void> {
  await session.query(
    `UPDATE ${schemaName}.changes SET xid = pg_current_xact_id() WHERE xid >= pg_snapshot_xmax(pg_current_snapshot())`,
  );
}

/**
 * Brings a database to this version's format. Does nothing if it is there already.
 *
 * @param name Of the database, for people.
 * @throws DataFormatError if a newer version made it; otherwise what the server says.
 */
export async function migrateDatabase(session: Session, name: string): Promise<void> {
  await session.all(
    `BEGIN; SELECT pg_advisory_xact_lock(${lockNumbers.migration});
     CREATE SCHEMA IF NOT EXISTS ${schemaName};
     CREATE TABLE IF NOT EXISTS ${schemaName}.formats (
       format int PRIMARY KEY, made_at timestamptz NOT NULL DEFAULT now())`,
  );
  try {
    const [row] = await session.query<{ format: number }>(
      `SELECT coalesce(max(format), 0) AS format FROM ${schemaName}.formats`,
    );
    const found = row?.format ?? 0;
    if (found > steps.length) {
      throw new DataFormatError(
        `The data in ${name} was made by a newer version of the app (format ${found}, this version knows ${steps.length}).`,
      );
    }
    for (const [index, step] of steps.entries()) {
      if (index < found) continue;
      await session.all(
        `${step};\nINSERT INTO ${schemaName}.formats (format) VALUES (${index + 1})`,
      );
    }
    await session.all('COMMIT');
  } catch (error) {
    await session.all('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
