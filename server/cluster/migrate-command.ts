/** `framewright migrate`: moves the records of a data folder to a database, and says what it moved. */
import path from 'node:path';
import { systemClock } from '../system/clock.ts';
import { commandRows } from '../commands/command-rows.ts';
import { CommandError, readOptions } from '../commands/option-rows.ts';
import { defaultDataFolder } from '../system/data-folder.ts';
import { terminalLog } from '../system/log.ts';
import { StartError } from '../system/start-error.ts';
import { moveToDatabase } from './move.ts';

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
