/** Opens the database of a data folder, and ties the two together: see store/data-folder.ts. */
import { hostname } from 'node:os';
import type { StoreHealth } from '../../store/health.ts';
import { hasRecords, readBinding, writeBinding } from '../../store/data-folder.ts';
import type { Log } from '../../system/log.ts';
import { StartError } from '../../system/start-error.ts';
import { PostgresKeeper } from './keeper.ts';

/**
 * Opens a database for a data folder, and ties the two together at the first time.
 *
 * @param isShared Whether other servers may use both at the same time. The folder may have another name on each
 * computer.
 * @throws StartError with a sentence: it can't be opened, or one of the two belongs to another.
 */
export async function openDatabase(
  dataFolder: string,
  url: string,
  log: Log,
  health: StoreHealth,
  isShared = false,
): Promise<PostgresKeeper> {
  if (!(await readBinding(dataFolder)) && (await hasRecords(dataFolder))) {
    throw new StartError(
      `${dataFolder} has records of its own. Move them first: framewright migrate --from ${dataFolder} --database URL. Or name another folder with --data.`,
    );
  }
  const keeper = await PostgresKeeper.open({ url, log, health, exclusive: !isShared });
  const { name } = keeper;
  try {
    if (isShared) await keeper.beginStart();
    const binding = await readBinding(dataFolder);
    if (binding && binding.id !== keeper.databaseId) {
      throw new StartError(
        `${dataFolder} belongs to the database ${binding.name}, and ${name} is another one.`,
      );
    }
    if (!binding) {
      const home = await keeper.settleIn(`${dataFolder} on ${hostname()}`);
      if (home !== null) {
        throw new StartError(
          `The files of ${name} are in ${home}: name that folder with --data. A new folder would have the records without their documents.`,
        );
      }
      await writeBinding(dataFolder, { id: keeper.databaseId, name });
    }
    return keeper;
  } catch (error) {
    await keeper.close();
    throw error;
  }
}
