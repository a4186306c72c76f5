/** A store with its records in a database, as `openCluster` opens it. */
import type { PostgresKeeper } from '../../server/cluster/postgres/keeper.ts';
import { openDatabase } from '../../server/cluster/postgres/open-database.ts';
import type { StorePlaces } from '../../server/store/store.ts';
import type { Log } from '../../server/system/log.ts';

/** @param shared The folder that several servers share. */
export function databasePlaces(
  url: string,
  log: Log,
  shared?: string,
): StorePlaces & { keeper?: PostgresKeeper } {
  const places: StorePlaces & { keeper?: PostgresKeeper } = {
    ...{ shared, storage: null },
    open: async (home, health) =>
      (places.keeper = await openDatabase(home, url, log, health, shared !== undefined)),
  };
  return places;
}
