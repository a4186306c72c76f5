/** The locks that processes on one database agree by. PostgreSQL releases them with the connection or transaction that has them. */

/** The first number is ours in any database; the second says what is locked. Ready for `pg_advisory_lock(…)`. */
export const lockNumbers = {
  /** Held by a transaction that changes tables. */
  migration: '1181904487, 1',
  /** Held by a transaction that changes records: commits have an order. */
  changes: '1181904487, 2',
  /** Held by the process whose queue works with the records. */
  server: '1181904487, 3',
} as const;
