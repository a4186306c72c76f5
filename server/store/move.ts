/** Moves the records of a data folder from its files to a database. The files stay as they are; documents and media stay, too. */
import { hostname } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { StartError } from '../start-error.ts';
import { keepInFiles } from './database.ts';
import { hasRecords, readBinding, writeBinding } from './home.ts';
import { lockFolder } from './lock.ts';
import { prepareFiles } from './prepare.ts';
import { collectionNames, type CollectionName, type Identified } from './records.ts';

/** What is moved, and who hears of it. */
export interface Move {
  readonly dataFolder: string;
  /** `postgres://…` */
  readonly url: string;
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
export async function moveToDatabase({ dataFolder, url, log, clock }: Move): Promise<Moved> {
  if (!(await hasRecords(dataFolder))) {
    throw new StartError(`${dataFolder} has no records of Framewright.`);
  }
  // Loaded only now, as in home.ts.
  const { PostgresKeeper } = await import('./postgres/keeper.ts');
  const { replaceRecords } = await import('./postgres/replacement.ts');
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
      const home = `${dataFolder} on ${hostname()}`;
      const counts = await keeper.inTurn((session) => replaceRecords(session, records, home, name));
      await writeBinding(dataFolder, { id: databaseId, name });
      return { name, counts, notices };
    } finally {
      await keeper.close();
    }
  } finally {
    await unlock();
  }
}
