/**
 * Moves the records of a data folder from its files to a database. The files stay as they are; documents, media and
 * finished files stay, too, or are copied to the folder that several servers share.
 */
import path from 'node:path';
import { constants } from 'node:fs';
import { cp, mkdir, readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { z } from 'zod';
import { PostgresKeeper } from './postgres/keeper.ts';
import { type Clock, systemClock } from '../system/clock.ts';
import { type Log, terminalLog } from '../system/log.ts';
import { StartError } from '../system/start-error.ts';
import { keepInFiles } from '../store/database.ts';
import { hasRecords, prepareFiles, readBinding, writeBinding } from '../store/data-folder.ts';
import { lockFolder } from '../store/lock.ts';
import {
  collectionNames,
  recordText,
  type CollectionName,
  type Identified,
} from '../store/records.ts';
import { beginChange, schemaName } from './postgres/statement.ts';
import { tableOf } from './postgres/migrations.ts';
import type { Session } from './postgres/session.ts';
import { commandRows } from '../commands/command-rows.ts';
import { CommandError, readOptions } from '../commands/option-rows.ts';
import { defaultDataFolder } from '../system/paths.ts';

/** What is moved, and who hears of it. */
export interface Move {
  readonly dataFolder: string;
  /** `postgres://…` */
  readonly url: string;
  /** The folder that several servers will share; absent: the data folder keeps all, for one server. */
  readonly shared?: string | undefined;
  readonly log: Log;
  readonly clock: Clock;
}

/** What was moved. */
export interface Moved {
  /** The database, without its password. */
  readonly name: string;
  /** How many records of each collection are in the database now: as many as in the folder. */
  readonly counts: ReadonlyMap<CollectionName, number>;
  /** What had to be repaired in the folder: sentences. */
  readonly notices: readonly string[];
}

/** Everything that has an ID, whatever else: what this version does not understand moves along. */
const anyRecord = z.looseObject({ _id: z.string() });

/**
 * Moves all records in one transaction: all of them or none. It can be repeated until the database is used.
 *
 * @throws StartError with a sentence: the folder has none or is in use, or the database can't be used or has others.
 */
export async function moveToDatabase(move: Move): Promise<Moved> {
  const { dataFolder, url, shared, log, clock } = move;
  if (!(await hasRecords(dataFolder))) {
    throw new StartError(`${dataFolder} has no records of Framewright.`);
  }
  const unlock = await lockFolder(dataFolder, log);
  try {
    const keeper = await PostgresKeeper.open({ url, log });
    try {
      const { name, databaseId } = keeper;
      const binding = await readBinding(dataFolder);
      if (binding && binding.id !== databaseId) {
        throw new StartError(`The records of ${dataFolder} are in ${binding.name} already.`);
      }
      const folder = path.join(dataFolder, 'store');
      const notices = (await prepareFiles(folder, log, clock)).notices.map(({ text }) => text);
      const records = new Map<CollectionName, readonly Identified[]>();
      for (const collection of collectionNames) {
        const found = await keepInFiles(folder, log).open(collection, anyRecord);
        records.set(collection, found.all());
        notices.push(...found.notices.map(({ text }) => text));
        await found.close();
      }
      // Files first: a record is never without them.
      if (shared !== undefined) await copyFiles(dataFolder, shared, databaseId);
      const home = `${shared ?? dataFolder} on ${hostname()}`;
      const counts = await keeper.inTurn((session) => replaceRecords(session, records, home, name));
      for (const folder of shared === undefined ? [dataFolder] : [shared, dataFolder])
        await writeBinding(folder, { id: databaseId, name });
      return { name, counts, notices };
    } finally {
      await keeper.close();
    }
  } finally {
    await unlock();
  }
}

/** What of a data folder belongs to its records, beside the data files. */
const parts = ['media', 'fonts', 'output'] as const;

/** Copies files to a shared folder. @throws StartError if that one has the files of other records. */
async function copyFiles(dataFolder: string, shared: string, databaseId: string): Promise<void> {
  const there = await readBinding(shared);
  if ((there && there.id !== databaseId) || (await hasRecords(shared))) {
    throw new StartError(`${shared} has the files of other records. Name an empty folder.`);
  }
  // Where the disk can, a copy shares its content with the original.
  const copy = (from: string, to: string): Promise<void> =>
    cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE, preserveTimestamps: true });
  const store = path.join(shared, 'store');
  await mkdir(store, { recursive: true, mode: 0o700 });
  const own = await readdir(path.join(dataFolder, 'store'), { withFileTypes: true });
  for (const { name } of own.filter((entry) => entry.isDirectory() && entry.name !== 'backups'))
    await copy(path.join(dataFolder, 'store', name), path.join(store, name));
  const found = await readdir(dataFolder);
  for (const part of parts.filter((name) => found.includes(name)))
    await copy(path.join(dataFolder, part), path.join(shared, part));
}

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
async function replaceRecords(
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

/* `framewright migrate`: moves the records of a data folder to a database, and says what it moved. */

/** Runs it. @returns the exit status: 0, or 1 after one sentence that says why nothing was moved. */
export async function migrateCommand(args: readonly string[]): Promise<number> {
  const { values } = readOptions(commandRows.migrate, args);
  const url = values.database;
  if (url === undefined) throw new CommandError('Name the database to move to with --database.');
  const dataFolder = path.resolve(values.from ?? defaultDataFolder());
  const shared = values.shared === undefined ? undefined : path.resolve(values.shared);
  const log = terminalLog(process.stderr);
  try {
    const { name, counts, notices } = await moveToDatabase({
      dataFolder,
      url,
      shared,
      log: (level, place, text) => {
        if (level === 'error') log(level, place, text);
      },
      clock: systemClock,
    });
    for (const notice of notices) console.error(notice);
    const width = Math.max(...[...counts.keys()].map((collection) => collection.length));
    for (const [collection, count] of counts) {
      console.log(`${collection.padEnd(width)}  ${String(count).padStart(7)}`);
    }
    console.log(
      shared === undefined
        ? `
All records are in ${name}, counted there. From now on start with
  framewright serve --data ${dataFolder} --database URL
Documents and media stay in that folder, and so do its data files, as they were.`
        : `
All records are in ${name}, counted there. From now on start any number of
  framewright serve --database URL --shared ${shared}
Documents, media, fonts and finished files were copied there; ${dataFolder} is as it was.`,
    );
    return 0;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    console.error(error.message);
    return 1;
  }
}
