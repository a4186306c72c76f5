/**
 * A PostgreSQL server for tests: the one that `DATABASE_URL` names, or one of our own, which ends with the test.
 * Without both, the tests that need it are left out and say so.
 */
import type { QueryResultRow } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { findPostgres } from '../postgres-programs.mjs';
import { atDatabase, runAt, startPostgres, type OwnPostgres } from './own-postgres.ts';

const named = process.env['DATABASE_URL'];

const programs = findPostgres();

/** True if there is a PostgreSQL to test with. */
export const hasPostgres = named !== undefined || programs !== null;
if (!hasPostgres) {
  console.log(
    'Left out: tests on PostgreSQL; it is not installed (apt-get install postgresql), and DATABASE_URL names none.',
  );
}

/** A server for the tests of one file. */
export interface TestPostgres {
  /** Makes an empty database. @returns its address. */
  create(): Promise<string>;
  /** Runs a statement in a database, or in the server's own. */
  run(statement: string, url?: string): Promise<QueryResultRow[]>;
  /** True if it is ours, so that it may be killed. */
  readonly isOurs: boolean;
  /** Kills all of the server at once, like a power cut of its computer; the files stay. */
  kill(): Promise<void>;
  /** Starts it again on the same files and port. */
  start(): Promise<void>;
}

/** A server that lives as long as the tests of this file. Call at the top of a file or of `describe`. */
export function usePostgres(): TestPostgres {
  let own: OwnPostgres | null = null;
  let count = 0;
  const made: string[] = [];
  const base = (): string => own?.url ?? named ?? '';
  const run = (statement: string, url = base()): Promise<QueryResultRow[]> => runAt(url, statement);

  beforeAll(async () => {
    if (named === undefined && programs !== null) own = await startPostgres();
  });
  afterAll(async () => {
    if (!own) for (const name of made) await run(`DROP DATABASE ${name} WITH (FORCE)`);
    await own?.remove();
  });

  return {
    isOurs: named === undefined,
    run,
    kill: async () => own?.kill(),
    start: async () => own?.start(),
    async create() {
      const name = `framewright_test_${process.pid}_${count++}`;
      await run(`CREATE DATABASE ${name}`);
      made.push(name);
      return atDatabase(base(), name);
    },
  };
}
