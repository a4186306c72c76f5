/**
 * Before the tests: starts PostgreSQL for those that run on several servers (test/helpers/farm.ts), unless one is
 * named.
 */
import { startPostgres } from './helpers/own-postgres.ts';

/** Vitest calls it once. @returns what ends the server. */
export default async function setUp(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['API_FARM'] === undefined || process.env['API_DATABASE'] !== undefined)
    return undefined;
  const postgres = await startPostgres();
  process.env['API_DATABASE'] = postgres.url;
  return () => postgres.remove();
}
