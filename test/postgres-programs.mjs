/** Finds PostgreSQL's programs on this computer: for tests, and for the list of those that are left out. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const debian = '/usr/lib/postgresql';

/**
 * The folder of the programs; null where it is not installed. Debian keeps them out of the path.
 *
 * @returns {string | null}
 */
export function findPostgres() {
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const folders = [
    ...versions
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => path.join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(path.delimiter),
  ];
  return folders.find((folder) => existsSync(path.join(folder, 'initdb'))) ?? null;
}
