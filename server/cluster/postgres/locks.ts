/**
 * The locks that processes on one database agree by. PostgreSQL releases them with the connection or transaction that
 * has them.
 */
import type { Statement } from './statement.ts';

/** The first number is ours in any database; the second says what is locked. Ready for `pg_advisory_lock(…)`. */
export const lockNumbers = {
  /** Held by a transaction that changes tables. */
  migration: '1181904487, 1',
  /** Held by a transaction of a server that changes records: it computes them from what it has in memory. */
  changes: '1181904487, 2',
  /** Held by the process that has the database for itself, and shared by those that share it. */
  server: '1181904487, 3',
  /** Held by the one of several servers that does what must be done once. */
  leader: '1181904487, 4',
  /** Held by a server that starts: what it makes at its first start is made once. */
  start: '1181904487, 5',
} as const;

/** Begins a transaction that changes records, after those of all other servers. */
export const beginChange: readonly Statement[] = [
  { text: 'BEGIN' },
  { text: `SELECT pg_advisory_xact_lock(${lockNumbers.changes})` },
];
